"""The body of a client that is followed, as an overlay: a figure in a colour of its own, its way, and where our engine
would have let it end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import Vec3, add, distance, sub
from engine.physics.resolve import resolve_spheres
from engine.render.figure import figure_mesh
from engine.render.overlays.geometry import OverlayGeometry, Triangles
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
SIZES: Final = (0.01, 20.0)
"""Metres between which radius and height of a body that is drawn are held."""
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
    top = (0.0, 0.0, _size(stand)[1] + 0.35)
    sketch.label(f"◆ {name}", add(stand.origin, top), CLIENT)
    if client_end is not None:
        _mark(sketch, block_id, client_end, ends)
    found = OverlayGeometry(triangles=_figure(block_id, stand, camera))
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
        radius, height = _size(end.stand)
        height += 0.25 * (number + 1)
        for sphere in resolve_spheres(*_size(end.stand)):
            sketch.sphere(add(at, sphere.center), sphere.radius, colour, 1.5, 0.6)
        middle = (0.0, 0.0, radius)
        if distance(there, at) >= SAME:
            sketch.arrow(add(there, middle), sub(at, there), colour, 2.0, 0.6)
            verb = "ends" if rules == end.rules else "end"
            sketch.label(f"■ {rules} {verb} here", add(at, (0.0, 0.0, height)), colour)
        else:
            sketch.label(f"■ {rules}: {end.fields} differs", add(at, (0.0, 0.0, height)), colour)


def _low(p: Vec3) -> Vec3:
    """A hand above the floor, so that the way is not lost in it."""
    return add(p, (0.0, 0.0, 0.1))


def _size(stand: Stand) -> tuple[float, float]:
    radius = min(max(stand.radius, SIZES[0]), SIZES[1])
    return radius, min(max(stand.height, 2.0 * radius), SIZES[1])


@lru_cache(maxsize=4)
def _corners(radius: float, height: float) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]:
    """The triangles of a figure, their normals, and their colours."""
    mesh = figure_mesh(radius, height)
    corners = mesh.positions[mesh.indices.reshape(-1, 3)].astype(np.float64)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(normals, axis=1)
    corners, normals = corners[sizes > 0.0], normals[sizes > 0.0] / sizes[sizes > 0.0, None]
    light = 0.72 + 0.2 * normals[:, 2] + 0.08 * normals[:, 1]
    colours = np.empty((len(corners), 4), np.uint8)
    colours[:, :3] = np.clip(np.outer(light, CLIENT[:3]), 0.0, 255.0)
    colours[:, 3] = 255
    return corners, normals, colours


def _figure(block_id: int, stand: Stand, camera: Camera) -> list[Triangles]:
    """The sides of a figure that the eye sees: overlays hide each other by nothing but their order."""
    corners, normals, colours = _corners(*_size(stand))
    turn = math.radians(stand.heading)
    cos, sin = math.cos(turn), math.sin(turn)
    turned = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    placed = corners @ turned + np.array(stand.origin)
    away = np.array(camera.eye_in(block_id)) - placed[:, 0]
    seen = np.einsum("ij,ij->i", normals @ turned, away) > 0.0
    far = np.argsort(-np.linalg.norm(away[seen], axis=1))
    return [Triangles(block_id, placed[seen][far], colours[seen][far], HIDDEN)]
