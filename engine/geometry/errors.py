"""The error of the geometry package: a shape that cannot be what it says it is."""

from __future__ import annotations


class GeometryError(Exception):
    """A tree, polygon or frame that nothing can be computed with; the text says why."""
