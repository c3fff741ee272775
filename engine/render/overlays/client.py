"""The body of a client that is followed, as an overlay: a figure in a colour of its own, its way, and where our engine
would have let it end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.geometry.vec import Vec3, add, distance, sub
from engine.physics.resolve import resolve_spheres
from engine.render.overlays.figure import figure_at, size_of
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.palette import ADJUSTED, CLIENT, FAULT, faint
from engine.render.overlays.sketch import Sketch
from engine.sim.captures.live.follower import Stand
from engine.visibility.camera import Camera
from engine.world.cells.ids import landblock_id
from engine.world.cells.position import into_block

HIDDEN: Final = 0.3
"""Of its opacity behind walls: somebody who looks for it finds it."""
SAME: Final = 0.005
"""Metres: two ends nearer to each other are one."""
NO_FARTHER: Final = 5.0
"""Metres between two places of a way that is drawn; a body that goes farther was put somewhere else."""
MARKS: Final = {"retail": FAULT, "ace": ADJUSTED}


@dataclass(frozen=True)
class OtherEnd:
    """Where a rule set lets a move end that a client ended elsewhere, or the fields in which it differs."""

    rules: str
    stand: Stand
    fields: str


def client_overlay(
    name: str, stand: Stand, way: Sequence[Stand], client_end: Stand | None, ends: Sequence[OtherEnd], camera: Camera
) -> OverlayGeometry:
    """`stand` is where the client is now; `ends` are those of its last move that came out otherwise, which it ended at
    `client_end`."""
    block_id = landblock_id(stand.cell_id)
    sketch = Sketch(block_id)
    for a, b in pairwise([into_block(block_id, each.cell_id, each.origin) for each in way]):
        if distance(a, b) < NO_FARTHER:
            sketch.line(_low(a), _low(b), faint(CLIENT, 0.8), 2.0, HIDDEN)
    size = size_of(stand.radius, stand.height)
    sketch.label(f"◆ {name}", add(stand.origin, (0.0, 0.0, size[1] + 0.35)), CLIENT)
    if client_end is not None:
        _mark(sketch, block_id, client_end, ends)
    figure = figure_at(block_id, stand.origin, stand.heading, size, CLIENT, camera, HIDDEN)
    found = OverlayGeometry(triangles=figure)
    found.add(sketch.geometry())
    return found


def _mark(sketch: Sketch, block_id: int, client_end: Stand, ends: Sequence[OtherEnd]) -> None:
    there = into_block(block_id, client_end.cell_id, client_end.origin)
    merged: list[tuple[str, Vec3, OtherEnd]] = []
    for end in ends:
        at = into_block(block_id, end.stand.cell_id, end.stand.origin)
        if merged and distance(merged[-1][1], at) < SAME:
            merged[-1] = (f"{merged[-1][0]} and {end.rules}", at, merged[-1][2])
        else:
            merged.append((end.rules, at, end))
    for number, (rules, at, end) in enumerate(merged):
        colour = MARKS.get(end.rules, FAULT)
        radius, height = size_of(end.stand.radius, end.stand.height)
        for sphere in resolve_spheres(radius, height):
            sketch.sphere(add(at, sphere.center), sphere.radius, colour, 1.5, 0.6)
        middle, above = (0.0, 0.0, radius), (0.0, 0.0, height + 0.25 * (number + 1))
        if distance(there, at) >= SAME:
            sketch.arrow(add(there, middle), sub(at, there), colour, 2.0, 0.6)
            verb = "ends" if rules == end.rules else "end"
            sketch.label(f"■ {rules} {verb} here", add(at, above), colour)
        else:
            sketch.label(f"■ {rules}: {end.fields} differs", add(at, above), colour)


def _low(p: Vec3) -> Vec3:
    """A hand above the floor, so that the way is not lost in it."""
    return add(p, (0.0, 0.0, 0.1))
