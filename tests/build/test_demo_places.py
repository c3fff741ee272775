"""Spots of the demo world on which others rely: the crossing, steps, entrances, named spots, and their views."""

from __future__ import annotations

import math
import random

import pytest

from engine.build.demo import SPOTS, demo_world
from engine.build.demo.spot_plan import spots_of
from engine.geometry.cell_bsp import OUTSIDE
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add, dot, scale
from engine.world.cells.cell import EnvCell, LandCell
from engine.world.cells.ids import is_interior
from engine.world.cells.objects import GfxObj
from tests.build.demo_folder import DUNGEON, VILLAGE, block, built, cell, demo

RADIUS = 0.48
HEIGHT = 1.835


@pytest.mark.parametrize("center", [RADIUS, HEIGHT - RADIUS])
def test_a_body_in_the_crossing_overlaps_seven_cells(center: float) -> None:
    spot = SPOTS["crossing"]
    x, y, z = spot.origin
    touched = [
        found
        for found in block(VILLAGE).env_cells
        if found.sphere_intersects_cell(Sphere(found.frame.global_to_local((x, y, z + center)), RADIUS)) != OUTSIDE
    ]
    assert len(touched) == 7
    assert spot.cell_id in {found.id for found in touched}
    # without the centimetre that the query adds to the radius, it touches them too
    for found in touched:
        hull = [found.frame.global_to_local((x, y, z + center))]
        sphere = Sphere(hull[0], RADIUS - 0.0101)
        assert found.sphere_intersects_cell(sphere) != OUTSIDE


@pytest.mark.parametrize("name", sorted(SPOTS))
def test_a_named_spot_is_in_its_cell(name: str) -> None:
    spot = SPOTS[name]
    home = demo().graph.get_visible(spot.cell_id)
    assert home is not None
    assert home.is_interior == is_interior(spot.cell_id)
    x, y, z = spot.origin
    assert home.point_in_cell((x, y, z + RADIUS))
    assert 0.0 <= spot.heading < 360.0
    if isinstance(home, EnvCell):
        assert home.point_in_cell((x, y, z + HEIGHT))
    if isinstance(home, LandCell) and name != "ledge":
        assert home.terrain.height_at(x, y) == pytest.approx(z, abs=1e-4)


def _level_heights(polygons: dict[int, Polygon]) -> list[float]:
    return sorted({round(p.vertices[0][2], 4) for p in polygons.values() if p.plane.normal[2] > 0.999})


def _models_in(name: str) -> list[GfxObj]:
    """The meshes of the static things in a cell."""
    setups = [demo().setup(thing.model_id) for thing in cell(name).static_objects]
    return [part.gfxobj for setup in setups if setup is not None for part in setup.parts if part.gfxobj is not None]


@pytest.mark.parametrize(("name", "steps"), [("parlour", 14), ("common room", 16), ("inn cellar", 14)])
def test_stairs_made_of_things_rise_by_20_cm(name: str, steps: int) -> None:
    expected = [round(0.2 * (i + 1), 4) for i in range(steps)]
    assert expected in [_level_heights(model.physics_polygons) for model in _models_in(name)]


def test_the_spiral_stair_and_the_dungeons_steps_rise_by_20_cm() -> None:
    spiral = _level_heights(cell("spiral stair").structure.physics_polygons)
    assert spiral == [round(0.2 * i, 4) for i in range(31)]
    steps = _level_heights(cell("steps").structure.physics_polygons)
    assert steps == [round(0.2 * i, 4) for i in range(16)]


def test_the_cellars_ramp_is_a_walkable_thing() -> None:
    steepness = [p.plane.normal[2] for model in _models_in("cellar") for p in model.physics_polygons.values()]
    slopes = [z for z in steepness if 0.5 < z < 0.99]
    assert slopes
    assert min(slopes) > math.cos(math.radians(45.0))


def test_every_walking_route_is_wide_and_high_enough() -> None:
    for block_id in (VILLAGE, DUNGEON):
        for found in block(block_id).env_cells:
            blocked = {tuple(sorted(p.vertices)) for p in found.structure.physics_polygons.values()}
            for portal in found.portals:
                assert portal.polygon is not None
                points = portal.polygon.vertices
                if tuple(sorted(points)) in blocked or abs(portal.polygon.plane.normal[2]) > 0.5:
                    continue
                if found.id in _crossing_middle():
                    continue
                across = max(math.dist(p[:2], q[:2]) for p in points for q in points)
                assert across >= 1.2 - 1e-4
                assert max(p[2] for p in points) - min(p[2] for p in points) >= 2.2 - 1e-4


def _crossing_middle() -> set[int]:
    """The cell at the crossing's centre is narrow by design, and nothing solid is near it."""
    hub = cell("crossing/crossing")
    return {hub.id} | {portal.other_cell_id for portal in hub.portals}


def test_rooms_are_high_enough_to_stand_in() -> None:
    upstairs = ("landing", "bedroom", "passage", "guest room one", "guest room two", "guest room three")
    for name in ("parlour", "kitchen", "cellar", "common room", "inn kitchen", "inn cellar", *upstairs):
        points = cell(name).structure.vertices
        assert max(p[2] for p in points) - min(p[2] for p in points) >= 2.5


@pytest.mark.parametrize("block_id", [VILLAGE, DUNGEON])
def test_stab_lists_hold_every_cell_that_a_ray_reaches(block_id: int) -> None:
    cells = {found.id: found for found in block(block_id).env_cells}
    chance = random.Random(20251118)
    reached = 0
    for found in cells.values():
        for _ in range(40):
            origin = _point_inside(found, chance)
            direction = _direction(chance)
            for seen in _along(cells, found, origin, direction):
                if seen is None:
                    assert found.seen_outside
                elif seen is not found:
                    assert seen.id in found.stab_set
                    reached += 1
    assert reached > len(cells) * 10


def _point_inside(found: EnvCell, chance: random.Random) -> Vec3:
    corners = [found.frame.local_to_global(p) for p in found.structure.vertices]
    low, high = [min(p[i] for p in corners) for i in range(3)], [max(p[i] for p in corners) for i in range(3)]
    while True:
        x, y, z = (chance.uniform(low[i], high[i]) for i in range(3))
        if found.point_in_cell((x, y, z)):
            return (x, y, z)


def _direction(chance: random.Random) -> Vec3:
    while True:
        x, y, z = (chance.uniform(-1.0, 1.0) for _ in range(3))
        size = math.sqrt(x * x + y * y + z * z)
        if 0.1 < size <= 1.0:
            return (x / size, y / size, z / size)


def _along(cells: dict[int, EnvCell], start: EnvCell, origin: Vec3, direction: Vec3) -> list[EnvCell | None]:
    """The cells on a ray, in order, with None at the end if it leaves for the outdoors. Cells are convex."""
    met: list[EnvCell | None] = [start]
    here, travelled = start, 0.0
    for _ in range(60):
        o, d = here.frame.global_to_local(origin), here.frame.global_to_local_vec(direction)
        step: tuple[float, int] | None = None
        for index, portal in enumerate(here.portals):
            assert portal.polygon is not None
            t = _hit(portal.polygon, o, d)
            if t is not None and t > travelled - 1e-6 and (step is None or t < step[0]):
                step = (t, index)
        if step is None:
            return met
        travelled = step[0]
        portal = here.portals[step[1]]
        if portal.leads_outside:
            return [*met, None]
        here = cells[portal.other_cell_id]
        met.append(here)
    return met


def _hit(polygon: Polygon, origin: Vec3, direction: Vec3) -> float | None:
    """Where the ray leaves through the polygon, well within its edges."""
    normal = polygon.plane.normal
    along = dot(normal, direction)
    if along >= -1e-6:
        return None
    t = -(dot(normal, origin) + polygon.plane.d) / along
    if t < 0.0:
        return None
    point = add(origin, scale(direction, t))
    points = polygon.vertices
    for i, a in enumerate(points):
        b = points[(i + 1) % len(points)]
        edge = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
        inward = (
            normal[1] * edge[2] - normal[2] * edge[1],
            normal[2] * edge[0] - normal[0] * edge[2],
            normal[0] * edge[1] - normal[1] * edge[0],
        )
        if dot(inward, (point[0] - a[0], point[1] - a[1], point[2] - a[2])) < 1e-3:
            return None
    return t


def test_the_descriptions_names_identify_the_cells() -> None:
    assert len(built().cells) >= 185
    for name in ("cottage/cellar", "inn/common room", "crossing/crossing", "dungeon/start"):
        assert name in built().cells


def test_the_spots_file_matches_the_description() -> None:
    assert dict(SPOTS) == spots_of(demo_world())
