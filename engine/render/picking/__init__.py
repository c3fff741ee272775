"""Picking: what lies under a point of the screen (rendering.md 22.2)."""
