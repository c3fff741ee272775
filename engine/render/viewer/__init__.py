"""Cameras: an orbit, a free flight, and two that follow the player; without a window and without a clock
(spec/rendering.md 21)."""
