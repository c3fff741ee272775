"""Picking: what lies under a point of the screen (spec/rendering.md 22.2)."""
