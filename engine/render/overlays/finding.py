"""A finding in the picture: the line that leads to it, the point where it is, and the eye that proves it."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from engine.findings.finding import Found
from engine.geometry.vec import Vec3, add
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.palette import FAULT, SELECTED
from engine.render.overlays.sketch import Sketch
from engine.world.cells.ids import landblock_id
from engine.world.cells.position import into_block

HIDDEN: Final = 0.7
RISE: Final = 0.1
"""Metres above the way of the soles."""
ROUND: Final = 0.15
EYE: Final = 0.1
FARTHEST: Final = 1e6
"""Metres from its landblock; a finding with a place beyond is not drawn."""


def finding_overlay(found: Found) -> OverlayGeometry:
    """In the colour of faults, clearly also behind walls: what it leads through is often one."""
    block_id = landblock_id(found.block)
    sketch = Sketch(block_id)
    places = [*found.path, *(each for each in (found.place, found.eye) if each is not None)]
    if any(abs(value) > FARTHEST for _, point in places for value in point):
        return sketch.geometry()

    def at(place: tuple[int, Vec3]) -> Vec3:
        return add(into_block(block_id, place[0], place[1]), (0.0, 0.0, RISE))

    for a, b in pairwise(found.path):
        sketch.line(at(a), at(b), FAULT, 3.0, HIDDEN)
    place = found.place or (found.path[-1] if found.path else None)
    if place is not None:
        sketch.sphere(at(place), ROUND, FAULT, 2.0, HIDDEN)
    if found.eye is not None:
        sketch.sphere(at(found.eye), EYE, SELECTED, 2.0, HIDDEN)
        if place is not None:
            sketch.dashes(at(found.eye), at(place), SELECTED, 0.3, 1.5, HIDDEN)
    return sketch.geometry()
