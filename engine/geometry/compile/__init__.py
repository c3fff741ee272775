"""Compiles polygons into BSP trees (spec/dat-format.md 3.3)."""
