"""Vectors, frames, planes, polygons and BSP trees: build and query (physics.md 1-3)."""

from __future__ import annotations

from engine.geometry.errors import GeometryError

__all__ = ["GeometryError"]
