"""Random floor plans with doors, windows, open walls and hatches keep the rules of the small worlds."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import pytest

from engine.build import OUTDOORS, BuildError, Finish, WorldBuilder, rect
from engine.build.rooms import Room
from engine.build.shapes.faces import area_of, overlap, plane_of
from engine.geometry.vec import distance, dot
from engine.world.cells.cell import EnvCell
from tests.build.worlds import directions, inner_points, nearest_hit, placed_points

PITCH = 6.0


@dataclass
class Storeys:
    """Rooms on a grid, floor above floor, with random thickness between them."""

    world: WorldBuilder
    rooms: dict[tuple[int, int, int], Room]


def storeys(seed: int) -> Storeys:
    rng = random.Random(seed)
    nx, ny, nz = rng.randint(2, 4), rng.randint(2, 4), rng.randint(1, 2)
    world = WorldBuilder(finish=Finish(["plaster", "brick", "stone"]))
    heading = rng.uniform(0.0, 360.0)
    house = world.dungeon(0x0102).interior("house", (rng.uniform(-50, 50), rng.uniform(-50, 50), -12.0), heading)
    gap = rng.choice((0.0, 0.25))
    rooms = {}
    for key in ((i, j, k) for i in range(nx) for j in range(ny) for k in range(nz)):
        x, y = key[0] * PITCH, key[1] * PITCH
        size = PITCH - gap
        plan = rect(x, y, size, size)
        if rng.random() < 0.3:  # an L
            plan = [(x, y), (x + size, y), (x + size, y + 2.5), (x + 2.5, y + 2.5), (x + 2.5, y + size), (x, y + size)]
        rooms[key] = house.room(
            f"room {key}", plan, floor=3.2 * key[2], height=3.2 if gap == 0.0 else rng.uniform(2.5, 3.0)
        )
    for (i, j, k), room in rooms.items():
        for beyond, at in (
            ((i + 1, j, k), (PITCH * (i + 1), PITCH * j + 1.5)),
            ((i, j + 1, k), (PITCH * i + 1.5, PITCH * (j + 1))),
        ):
            if beyond in rooms and rng.random() < 0.7:
                _open(rng, world, room, rooms[beyond], at)
        if (i, j, k + 1) in rooms and rng.random() < 0.5:
            house.hatch(rooms[(i, j, k + 1)], room, rect(PITCH * i + 0.5, PITCH * j + 0.5, 1.5, 1.5))
    house.doorway(rooms[(0, 0, 0)], OUTDOORS, (1.5, 0.0), depth=gap)
    return Storeys(world, rooms)


def _open(rng: random.Random, world: WorldBuilder, a: Room, b: Room, at: tuple[float, float]) -> None:
    interior = world.landblocks[0x0102].interiors[0]
    kind = rng.choice((interior.doorway, interior.door, interior.window))
    kind(a, b, at, width=rng.uniform(0.7, 1.8), height=rng.uniform(1.2, 1.4))


def _check(seed: int) -> None:
    described = storeys(seed)
    made = described.world.build()
    opened = made.load()
    opened.landblock(0x0102FFFF)
    assert [str(fault) for fault in opened.faults()] == []
    rng = random.Random(seed)
    cells = [cell for cell in opened.graph.all_cells() if isinstance(cell, EnvCell)]
    assert len(cells) == len({id(cell) for cell in cells})
    for cell in cells:
        _check_walls(cell)
        points = list(inner_points(cell, rng, 4))
        for point in points:
            assert [other.id for other in cells if other.point_in_cell(point)] == [cell.id]
        solid = list(cell.structure.physics_polygons.values())
        ways = [portal.polygon for portal in cell.portals if portal.polygon is not None]
        for direction in directions(rng, 40):
            assert nearest_hit(cell, [*solid, *ways], points[0], direction) < math.inf
        for portal in cell.portals:
            if portal.leads_outside:
                continue
            other = opened.graph.get_visible(portal.other_cell_id)
            assert isinstance(other, EnvCell)
            back = other.portals[portal.other_portal_id]
            assert portal.polygon is not None
            assert back.polygon is not None
            mine, theirs = placed_points(cell, portal.polygon), placed_points(other, back.polygon)
            assert all(distance(p, q) < 1e-6 for p, q in zip(sorted(mine), sorted(theirs), strict=True))


def _check_walls(cell: EnvCell) -> None:
    """Drawn walls and portals of one plane do not overlap."""
    polygons = [polygon for polygon in cell.structure.polygons.values() if polygon.sides_type == 0]
    for i, a in enumerate(polygons):
        for b in polygons[:i]:
            if dot(a.normal, b.normal) > 0.999 and abs(a.plane.dist(b.vertices[0])) < 1e-4:
                assert not overlap(a.vertices, b.vertices)
    volume = sum(-dot(plane_of(p.vertices)[0], p.vertices[0]) * area_of(p.vertices) for p in polygons) / 3.0
    assert volume > 0.0
    for axis in range(3):  # walls and portals close the cell
        assert sum(p.normal[axis] * area_of(p.vertices) for p in polygons) == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_random_storeys_are_whole(seed: int) -> None:
    _check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_random_storeys_are_whole(seed: int) -> None:
    _check(seed)


def test_more_cells_than_a_landblock_can_number_are_refused() -> None:
    world = WorldBuilder()
    world.room("a", rect(0, 0, 4, 4))
    world.rooms.cells *= 65_279
    with pytest.raises(BuildError, match=r"landblock 0x0007: \d+ cells; a landblock can have 65278"):
        world.build()
