"""Vectors, frames, planes, polygons and BSP trees: build and query (spec/physics.md 1-3)."""
