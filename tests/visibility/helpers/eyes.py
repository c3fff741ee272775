"""Eyes at random and at awkward spots of a room: anywhere inside, in the planes of its portals, in its corners."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, lerp
from engine.visibility.camera import Camera, looking
from engine.world.cells.cell import EnvCell
from engine.world.world import World

TRIES = 400

OFFSETS = (0.0, 0.0, 0.00015, -0.00015, 0.0003, -0.0003, 0.001, -0.001)
"""Distances in metres from a portal's plane: in it, within the tolerance, and beyond it."""


def eye_in(cell: EnvCell, chance: random.Random) -> Vec3 | None:
    """A random point that the cell contains, or None if it finds none in many tries."""
    corners = [cell.frame.local_to_global(vertex) for vertex in cell.structure.vertices]
    low = [min(corner[axis] for corner in corners) for axis in range(3)]
    high = [max(corner[axis] for corner in corners) for axis in range(3)]
    for _ in range(TRIES):
        x, y, z = (chance.uniform(low[axis], high[axis]) for axis in range(3))
        if cell.point_in_cell((x, y, z)):
            return (x, y, z)
    return None


def point_of(polygon: Polygon, cell: EnvCell, chance: random.Random) -> Vec3:
    """A random point of a polygon, possibly on its border."""
    a, b, c = chance.sample(polygon.vertices, 3)
    return cell.frame.local_to_global(lerp(lerp(a, b, chance.random()), c, chance.random()))


def eyes_in_doorways(cell: EnvCell, chance: random.Random) -> Iterator[Vec3]:
    """Eyes in the plane of each portal, or a hair before or behind it."""
    for portal in cell.portals:
        if portal.polygon is not None and not portal.polygon.degenerate:
            x, y, z = point_of(portal.polygon, cell, chance)
            nx, ny, nz = cell.frame.local_to_global_vec(portal.polygon.normal)
            off = chance.choice(OFFSETS)
            yield (x + nx * off, y + ny * off, z + nz * off)


def eyes_in_corners(cell: EnvCell, chance: random.Random, count: int) -> Iterator[Vec3]:
    """Eyes exactly at the corners of a room and on the edges of its portals."""
    for vertex in chance.sample(cell.structure.vertices, min(count, len(cell.structure.vertices))):
        yield cell.frame.local_to_global(vertex)
    for portal in cell.portals[:count]:
        if portal.polygon is not None and len(portal.polygon.vertices) > 1:
            a, b = portal.polygon.vertices[:2]
            yield cell.frame.local_to_global(lerp(a, b, chance.choice((0.0, 0.5, chance.random()))))


def awkward_eyes(cell: EnvCell, chance: random.Random) -> Iterator[Vec3]:
    yield from eyes_in_doorways(cell, chance)
    yield from eyes_in_corners(cell, chance, 2)


def turned_at_random(
    cell: EnvCell, eye: Vec3, chance: random.Random, width: float = 640.0, height: float = 480.0, focal: float = 240.0
) -> Camera:
    return looking(cell.id, eye, chance.uniform(0.0, 360.0), chance.uniform(-50.0, 50.0), width, height, focal)


def rooms_of(world: World) -> list[EnvCell]:
    """All rooms of a world, loaded."""
    found: list[EnvCell] = []
    for block_id in world.landblock_ids():
        block = world.landblock(block_id)
        if block is not None:
            found.extend(block.env_cells)
    return found
