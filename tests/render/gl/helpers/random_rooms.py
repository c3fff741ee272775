"""Random eyes in the rooms of a world, far enough from all walls that the near plane clips nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.geometry.vec import Vec3, dot, sub
from engine.visibility.camera import Camera, focal_of_fov
from engine.world.cells.cell import EnvCell
from engine.world.world import World
from tests.render.gl.helpers.demo_pictures import HEIGHT, WIDTH
from tests.visibility.helpers.eyes import eye_in, rooms_of, turned_at_random

NEAREST = 0.2
"""In metres; the corners of the near plane are no farther away."""
TRIES = 20


def is_clear(cell: EnvCell, eye: Vec3) -> bool:
    """No plane of the room's polygons is near: no wall of it, and none of an adjacent room."""
    frame = cell.frame
    return all(
        abs(dot(sub(eye, frame.local_to_global(polygon.vertices[0])), frame.local_to_global_vec(polygon.normal)))
        > NEAREST
        for polygon in cell.structure.polygons.values()
    )


def looks(world: World, count: int, seed: int) -> Iterator[tuple[EnvCell, Camera]]:
    """Random cameras in random rooms."""
    chance = random.Random(seed)
    rooms = rooms_of(world)
    focal = focal_of_fov(float(HEIGHT), 1.178)
    found = 0
    for _ in range(count * TRIES):
        cell = chance.choice(rooms)
        eye = eye_in(cell, chance)
        if eye is not None and is_clear(cell, eye):
            yield cell, turned_at_random(cell, eye, chance, float(WIDTH), float(HEIGHT), focal)
            found += 1
        if found == count:
            return
    raise AssertionError("the rooms are too small")
