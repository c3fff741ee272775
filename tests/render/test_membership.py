"""The cells that list a static part: its home, and on through every opening that its sphere reaches, against brute
force (rendering.md 13.1, 18.2)."""

from __future__ import annotations

import math
import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.build.demo import ensure_demo
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.render.draws import Owner
from engine.render.membership import cells_of_sphere, sphere_crosses, squares_under
from engine.render.scene import Scene
from engine.world.cells.cell import EnvCell, LandCell
from engine.world.cells.ids import is_interior
from engine.world.loader import open_world
from engine.world.world import World

VILLAGE = 0xC95BFFFF
DUNGEON = 0x0007FFFF

Coordinates = st.floats(-3.0, 3.0)


@cache
def demo() -> World:
    world = open_world(str(ensure_demo()))
    world.landblock(VILLAGE)
    world.landblock(DUNGEON)
    return world


# --- brute force: the nearest point of each triangle of an opening, by its regions


def nearest_on_triangle(p: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """The least distance over a fine lattice of the triangle, refined three times around the best point."""
    center, reach = np.array([1 / 3, 1 / 3]), 1.0
    best = math.inf
    for _ in range(12):
        steps = np.linspace(-reach, reach, 21)
        u, v = (center[0] + steps)[:, None], (center[1] + steps)[None, :]
        u, v = np.clip(u + 0 * v, 0.0, 1.0), np.clip(v + 0 * u, 0.0, 1.0)
        total = np.maximum(u + v, 1.0)
        u, v = u / total, v / total
        places = a + u[..., None] * (b - a) + v[..., None] * (c - a)
        away = np.linalg.norm(places - p, axis=2)
        at = np.unravel_index(int(away.argmin()), away.shape)
        best = min(best, float(away[at]))
        center, reach = np.array([u[at], v[at]]), reach * 0.4
    return best


def distance_to(polygon: Polygon, p: Vec3) -> float:
    points = [np.array(corner) for corner in polygon.vertices]
    at = np.array(p)
    return min(nearest_on_triangle(at, points[0], points[i], points[i + 1]) for i in range(1, len(points) - 1))


@given(st.tuples(Coordinates, Coordinates, Coordinates), st.floats(0.1, 2.5))
def test_a_sphere_crosses_an_opening_whose_nearest_point_is_in_its_radius(p: Vec3, radius: float) -> None:
    slanting = Polygon(0, [(-1.0, 0.0, -1.0), (1.0, 0.5, -1.0), (1.2, 0.55, 0.8), (0.0, 0.25, 1.6), (-1.0, 0.0, 1.0)])
    away = distance_to(slanting, p)
    if abs(away - radius) > 2e-3:
        assert sphere_crosses(slanting, p, radius) == (away < radius)


def brute_force(world: World, home: int, center: Vec3, radius: float) -> set[int]:
    """Within one landblock: spreads until nothing new is found."""
    block = world.landblock(home)
    assert block is not None
    found = {home}
    while True:
        more = set(found)
        for cell in block.cells:
            if isinstance(cell, EnvCell) and cell.id in found:
                local = cell.frame.global_to_local(center)
                for portal in cell.portals:
                    assert portal.polygon is not None
                    if distance_to(portal.polygon, local) < radius:
                        more |= set(land_under(block.id, center, radius)) if portal.leads_outside else set()
                        more |= set() if portal.leads_outside else {portal.other_cell_id}
            if isinstance(cell, LandCell) and cell.id in found and cell.building is not None:
                for entry in cell.building.portals:
                    room = world.graph.peek(entry.other_cell_id)
                    assert isinstance(room, EnvCell)
                    opening = room.portals[entry.other_portal_id].polygon
                    assert opening is not None
                    if distance_to(opening, room.frame.global_to_local(center)) < radius:
                        more.add(room.id)
        if more == found:
            return found
        found = more


def land_under(block_id: int, center: Vec3, radius: float) -> list[int]:
    found = []
    for low in range(1, 65):
        cx, cy = divmod(low - 1, 8)
        dx = max(24.0 * cx - center[0], 0.0, center[0] - 24.0 * cx - 24.0)
        dy = max(24.0 * cy - center[1], 0.0, center[1] - 24.0 * cy - 24.0)
        if math.hypot(dx, dy) < radius:
            found.append((block_id & 0xFFFF0000) | low)
    return found


@pytest.mark.parametrize("block_id", [VILLAGE, DUNGEON])
def test_spheres_in_rooms_are_in_the_cells_that_brute_force_finds(block_id: int) -> None:
    block = demo().landblock(block_id)
    assert block is not None
    chooser = random.Random(block_id)
    rooms = [cell for cell in block.env_cells if cell.structure.vertices]
    for _ in range(60):
        room = chooser.choice(rooms)
        corner = room.frame.local_to_global(chooser.choice(room.structure.vertices))
        center = (corner[0] + chooser.uniform(-1, 1), corner[1] + chooser.uniform(-1, 1), corner[2])
        radius = chooser.uniform(0.05, 2.5)
        found = cells_of_sphere(demo().graph, room.id, center, radius)
        own = {cell_id for cell_id in found.cells if cell_id >> 16 == block_id >> 16}
        assert own == brute_force(demo(), room.id, center, radius)
        assert found.cells[0] == room.id
        assert len(set(found.cells)) == len(found.cells)


@pytest.mark.unwatched
def test_every_room_that_holds_a_corner_of_a_static_part_lists_it() -> None:
    world = demo()
    scene = Scene(world)
    for block_id in (VILLAGE, DUNGEON):
        block = world.landblock(block_id)
        assert block is not None
        rooms = block.env_cells
        seen = 0
        for cell in rooms:
            for part in scene.parts_in(cell.id):
                if part.owner is not Owner.CELL or part.home != cell.id:
                    continue
                seen += 1
                sx, sy, sz = part.scale
                for x, y, z in part.mesh.positions.tolist():
                    point = part.frame.local_to_global((x * sx, y * sy, z * sz))
                    inside = [room.id for room in rooms if room.point_in_cell(point)]
                    assert not inside or set(inside) & set(part.cells), (part, point)
        assert seen > 20


# --- outdoors


def test_a_circle_covers_the_land_cells_that_it_overlaps() -> None:
    def lows(center: Vec3, radius: float) -> list[str]:
        return [f"{cell_id:08X}" for cell_id in squares_under(VILLAGE, center, radius)]

    assert lows((12.0, 12.0, 0.0), 5.0) == ["C95B0001"]
    assert lows((23.0, 12.0, 0.0), 2.0) == ["C95B0001", "C95B0009"]
    assert lows((23.0, 23.0, 0.0), 1.2) == ["C95B0001", "C95B0002", "C95B0009"]
    assert lows((23.0, 23.0, 0.0), 1.5) == ["C95B0001", "C95B0002", "C95B0009", "C95B000A"]


def test_at_the_border_the_next_landblocks_land_counts() -> None:
    found = squares_under(VILLAGE, (1.0, 190.0, 0.0), 3.0)
    assert {cell_id >> 16 for cell_id in found} == {0xC95B, 0xC85B, 0xC95C, 0xC85C}
    assert squares_under(0x0000FFFF, (1.0, 1.0, 0.0), 3.0) == [0x00000001]


def house() -> World:
    world = WorldBuilder()
    land = world.landblock(0xC95B, height=10.0)
    shell = walls(rect(-3.3, -3.3, 6.6, 6.6), 0.0, 3.2, "stone")
    interior = land.building("house", (36.0, 36.0, 10.1), shell=shell)
    room = interior.room("room", rect(-3, -3, 6, 6), height=2.8)
    interior.doorway(room, OUTDOORS, (0.0, -3.0), width=1.4, height=2.2)
    return world.build().load()


def test_a_doorway_lists_a_tub_before_it_but_not_one_behind_the_house() -> None:
    world = house()
    block = world.landblock(VILLAGE)
    assert block is not None
    for y, reaches in ((32.2, True), (31.0, False), (40.5, False)):
        found = cells_of_sphere(world.graph, block.id, (36.0, y, 10.9), 0.6)
        assert found.cells[0] == 0xC95B000A
        assert any(is_interior(cell_id) for cell_id in found.cells) == reaches


def test_a_missing_cell_is_reported_and_searched_once_it_loads() -> None:
    world = house()
    graph = world.graph
    outside = cells_of_sphere(graph, VILLAGE, (36.0, 32.2, 10.9), 0.6)
    assert outside.missing == (VILLAGE,)
    assert outside.cells == (0xC95B000A,)
    world.landblock(VILLAGE)
    assert cells_of_sphere(graph, VILLAGE, (36.0, 32.2, 10.9), 0.6).missing == ()


def test_finding_cells_loads_nothing() -> None:
    world = house()
    cells_of_sphere(world.graph, 0xC95B0001, (1.0, 1.0, 0.0), 3.0)
    assert world.graph.landblocks() == []
