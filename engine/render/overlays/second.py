"""The body of the second of two runs, as an overlay: a figure in the colour of that run, the way that both bodies came,
and the line between them. Where both are in the same place, a small sign over the head."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.geometry.vec import Vec3, add, distance
from engine.render.overlays.figure import figure_at, size_of
from engine.render.overlays.geometry import Colour, OverlayGeometry
from engine.render.overlays.palette import CURRENT, SECOND, faint
from engine.render.overlays.sketch import Sketch
from engine.sim.recording import Sample
from engine.visibility.camera import Camera
from engine.world.cells.ids import landblock_id
from engine.world.cells.position import into_block
from engine.world.graph.graph import NO_CELL

SIGN: Final = "◇"
"""Of the second run, wherever its colour is."""
HIDDEN: Final = 0.3
"""Of its opacity behind walls: where it went may be behind one."""
SAME: Final = 0.0002
"""Metres within which the client takes two places for one."""
NO_FARTHER: Final = 5.0
"""Metres between two places of a way that is drawn; a body that goes farther was put somewhere else."""
TOO_NEAR: Final = 0.9
CLEAR: Final = 2.7
"""Metres from the eye: a nearer body would fill the picture, so it fades, and is an outline in the end."""
FADES: Final = 8
"""Steps in which it fades."""
RISE: Final = 0.3
"""Metres of a label over a head."""
DASH: Final = 0.1
SMALL: Final = 0.09


@dataclass(frozen=True)
class SecondBody:
    """What is drawn of a second run: its name, its size, and how far its soles are below its origin."""

    name: str
    radius: float
    height: float
    sunk: float = 0.0


def second_overlay(
    body: SecondBody, first: Sequence[Sample], second: Sequence[Sample], camera: Camera
) -> OverlayGeometry:
    """The samples of both runs in the last ticks, the shown tick's last."""
    if not first or not second:
        return OverlayGeometry()
    block_id = _block(second) or _block(first)
    if block_id == NO_CELL:
        return OverlayGeometry()
    sketch = Sketch(block_id)
    size = size_of(body.radius, body.height)
    here, there = _place(block_id, first[-1], first), _place(block_id, second[-1], second)
    head = (0.0, 0.0, size[1] + RISE)
    if second[-1].cell == NO_CELL:
        sketch.label(f"{SIGN} {body.name}: ■ lost", add(there, head), SECOND)
        return sketch.geometry()
    apart = distance(here, there)
    if apart <= SAME:
        _diamond(sketch, add(there, head))
        return sketch.geometry()
    _way(sketch, first, CURRENT)
    _way(sketch, second, SECOND)
    waist = (0.0, 0.0, size[1] / 2.0)
    sketch.dashes(add(here, waist), add(there, waist), SECOND, DASH, 2.0, 1.0)
    sketch.label(f"{SIGN} {body.name}, {distance_text(apart)}", add(there, head), SECOND)
    found = OverlayGeometry()
    away = distance(camera.eye_in(block_id), add(there, waist))
    if away > TOO_NEAR:
        part = min((away - TOO_NEAR) / (CLEAR - TOO_NEAR), 1.0)
        colour = faint(SECOND, max(math.ceil(part * FADES), 1) / FADES)
        found.triangles = figure_at(
            block_id, there, second[-1].heading, size, colour, camera, HIDDEN, bottom=-body.sunk
        )
    if away < CLEAR:
        sketch.cylinder(add(there, (0.0, 0.0, -body.sunk)), size[0], size[1], SECOND, 1.5, HIDDEN)
    found.add(sketch.geometry())
    return found


def distance_text(metres: float) -> str:
    """A distance between bodies, which may be that of a rounding error or of another landblock."""
    return f"{metres * 1000.0:.2f} mm" if metres < 0.01 else f"{metres:.3f} m" if metres < 100.0 else f"{metres:,.0f} m"


def _block(samples: Sequence[Sample]) -> int:
    """The landblock that it is in, or was in last."""
    return next((landblock_id(each.cell) for each in reversed(samples) if each.cell != NO_CELL), NO_CELL)


def _place(block_id: int, sample: Sample, samples: Sequence[Sample]) -> Vec3:
    return into_block(block_id, sample.cell or _block(samples) or block_id, sample.origin)


def _way(sketch: Sketch, samples: Sequence[Sample], colour: Colour) -> None:
    """A hand above the floor, so that it is not lost in it; fainter the longer ago."""
    places = [add(_place(sketch.block_id, each, samples), (0.0, 0.0, 0.1)) for each in samples]
    for number, (a, b) in enumerate(pairwise(places)):
        if distance(a, b) < NO_FARTHER:
            sketch.line(a, b, faint(colour, 0.3 + 0.7 * (number + 1) / len(places)), 2.0, HIDDEN)


def _diamond(sketch: Sketch, at: Vec3) -> None:
    x, y, z = at
    corners = [(x, y, z - SMALL), (x + SMALL, y, z), (x, y, z + SMALL), (x - SMALL, y, z)]
    sketch.loop(corners, SECOND, 2.0, HIDDEN)
    sketch.loop([(x, y, z - SMALL), (x, y + SMALL, z), (x, y, z + SMALL), (x, y - SMALL, z)], SECOND, 2.0, HIDDEN)
