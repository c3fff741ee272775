"""The one exception of the physics layer."""

from __future__ import annotations


class PhysicsError(Exception):
    """A body, an object or a request that the engine cannot work with; the reason names it."""
