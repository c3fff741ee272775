"""Compiles polygons into BSP trees (dat-format.md 3.3)."""
