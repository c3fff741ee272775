"""Cameras: an orbit, a free flight, and two that follow the player; without a window and without a clock
(rendering.md 21)."""
