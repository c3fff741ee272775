"""A body that walks by, as an overlay: its way, where it has been, and its spheres where it is."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, Protocol

from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.palette import ACCENT, ACCEPTED, faint
from engine.render.overlays.sketch import Sketch
from engine.world.cells.position import into_block

EVERY: Final = 10
"""Ticks between two bodies that are left behind on the way."""

HIDDEN: Final = 0.6


class Walked(Protocol):
    """A walk that was tried elsewhere."""

    @property
    def radius(self) -> float: ...

    @property
    def spheres(self) -> tuple[Sphere, ...]: ...

    @property
    def track(self) -> tuple[tuple[int, Vec3], ...]:
        """Cell and origin at the start and after each tick."""


def ghost_overlay(walk: Walked, tick: int) -> OverlayGeometry:
    """The body of a walk after so many ticks, at most its last."""
    block_id = walk.track[0][0]
    places = [into_block(block_id, cell_id, origin) for cell_id, origin in walk.track]
    here = min(max(tick, 0), len(places) - 1)
    sketch = Sketch(block_id)
    for number, (a, b) in enumerate(pairwise(places)):
        colour = ACCEPTED if number < here else faint(ACCENT, 0.6)
        sketch.line(_middle(walk, a), _middle(walk, b), colour, 2.0, HIDDEN)
    for number in range(0, here, EVERY):
        _body(sketch, walk, places[number], 0.3)
    _body(sketch, walk, places[here], 1.0)
    top = max(sphere.center[2] + sphere.radius for sphere in walk.spheres)
    sketch.label(f"radius {walk.radius:.3f} m", add(places[here], (0.0, 0.0, top + 0.1)), ACCEPTED)
    return sketch.geometry()


def _body(sketch: Sketch, walk: Walked, at: Vec3, opacity: float) -> None:
    for sphere in walk.spheres:
        sketch.sphere(add(at, sphere.center), sphere.radius, faint(ACCEPTED, opacity), 1.5, HIDDEN)


def _middle(walk: Walked, at: Vec3) -> Vec3:
    return add(at, walk.spheres[0].center)
