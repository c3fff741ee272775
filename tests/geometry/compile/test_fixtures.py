"""Trees compiled from real cells, models and golden scenes answer as the polygons and the recorded trees do.

physics.md 12.2 and 12.3 describe the fixtures' form, the goldens' README that of the scenes.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode, PhysicsTree
from engine.geometry.cell_bsp import CellNode
from engine.geometry.compile.cell import cell_planes, compile_cell
from engine.geometry.compile.physics import compile_physics
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon, PolyHit
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, distance, r24
from tests.geometry.compile.checks import (
    RADII,
    check_borderline,
    check_form,
    check_polygons_found,
    check_ray,
    check_spheres,
    check_walking,
    leaves_of,
)
from tests.geometry.compile.worlds import World, near_surface, random_direction
from tests.shared import SHARED, needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]

UPRIGHT = Frame((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def vector(value: Any) -> Vec3:
    x, y, z = value.values() if isinstance(value, dict) else value
    return (r24(float(x)), r24(float(y)), r24(float(z)))


def dumped(polygon: Any) -> Polygon:
    return Polygon(polygon["Id"], [vector(v) for v in polygon["Vertices"]], polygon["SidesType"])


def dumps(pattern: str) -> list[Path]:
    return sorted((SHARED / "fixtures").glob(f"*/{pattern}")) if SHARED.is_dir() else []


def cell_of(path: Path) -> World:
    dump = json.loads(path.read_text())
    pictures = {polygon["Id"]: polygon for polygon in dump["PortalPolygons"]}
    openings = [dumped(pictures[portal["PolygonId"]]) for portal in dump["Portals"]]
    return World([dumped(polygon) for polygon in dump["ResolvedPolygons"]], openings, True, UPRIGHT)


def model_of(path: Path) -> World:
    dump = json.loads(path.read_text())
    return World([dumped(polygon) for polygon in dump["ResolvedPolygons"]], [], False, UPRIGHT)


def check_real(world: World) -> PhysicsTree:
    rnd = Random(11)
    tree = compile_physics(world.polygons, openings=world.openings, room=world.room)
    check_form(tree)
    check_polygons_found(tree, rnd, 3)
    check_borderline(tree, rnd, 60)
    for _ in range(60):
        p = world.random_point(rnd)
        check_spheres(tree, rnd, p)
        check_walking(tree, rnd, p)
        check_ray(tree, rnd, p)
    return tree


@pytest.mark.parametrize("path", dumps("0xA9B4*.json"), ids=lambda path: path.stem)
def test_the_tree_of_a_real_cell_answers_as_its_polygons_do(path: Path) -> None:
    tree = check_real(cell_of(path))
    for leaf in leaves_of(tree):
        assert not leaf.polygons or not leaf.solid  # these cells have no pillars, and all their corners are entered


@pytest.mark.parametrize("path", dumps("*.gfxobj.json"), ids=lambda path: path.name[:10])
def test_the_tree_of_a_real_model_answers_as_its_polygons_do(path: Path) -> None:
    check_real(model_of(path))


@pytest.mark.parametrize("path", dumps("0xA9B4*.json"), ids=lambda path: path.stem)
def test_a_real_cell_contains_itself_but_nothing_beyond_its_openings(path: Path) -> None:
    world = cell_of(path)
    tree = compile_cell(world.polygons, world.openings)
    assert isinstance(tree, CellNode)
    corners = [vertex for polygon in [*world.polygons, *world.openings] for vertex in polygon.vertices]
    assert all(tree.point_inside_cell_bsp(vertex) for vertex in corners)
    planes = cell_planes(world.polygons, world.openings)
    middle = [sum(vertex[axis] for vertex in corners) / len(corners) for axis in range(3)]
    inside: Vec3 = (middle[0], middle[1], middle[2])
    assert tree.point_inside_cell_bsp(inside)
    assert len(planes) >= 6
    for plane in planes:
        # Straight out through the plane: the foot of the middle is on it, and 1 cm further is outside.
        d = plane.dist(inside) + 0.01
        x, y, z = plane.normal
        assert not tree.point_inside_cell_bsp((inside[0] - x * d, inside[1] - y * d, inside[2] - z * d))


@pytest.mark.parametrize("path", dumps("0xA9B4*.json"), ids=lambda path: path.stem)
def test_a_sphere_in_the_doorway_of_a_real_cell_is_not_in_anything_solid(path: Path) -> None:
    world = cell_of(path)
    tree = compile_physics(world.polygons, openings=world.openings, room=True)
    for opening in world.openings:
        n = len(opening.vertices)
        x, y, z = (sum(v[axis] for v in opening.vertices) / n for axis in range(3))
        nx, ny, nz = opening.normal
        for step in range(-10, 11):
            d = 0.03 * step
            sphere = Sphere((x + nx * d, y + ny * d, z + nz * d), 0.05)
            if not any(polygon.hits_sphere(sphere) for polygon in world.polygons):
                assert not tree.root.sphere_intersects_solid(sphere, True)


# --- golden scenes


def node_of(node: Any, polygons: dict[int, Polygon]) -> PhysicsNode:
    x, y, z, r = (r24(float(value)) for value in node["sphere"])
    sphere = Sphere((x, y, z), r)
    if "leaf" in node:
        return PhysicsLeaf(node["leaf"], bool(node["solid"]), sphere, [polygons[i] for i in node["polys"]])
    a, b, c, d = (r24(float(value)) for value in node["plane"])
    return PhysicsInner(Plane((a, b, c), d), node_of(node["pos"], polygons), node_of(node["neg"], polygons), sphere)


class Given:
    """The polygons of a golden scene, the scene's own tree of them, and ours."""

    def __init__(self, record: Any, room: bool) -> None:
        corners = [vector(v) for v in record["vertices"]]
        made = [Polygon(p["id"], [corners[i] for i in p["v"]], p["sides"]) for p in record["polys"]]
        portals = [Polygon(p["id"], [corners[i] for i in p["v"]]) for p in record["portal_polys"]]
        self.world = World(made, portals, room, UPRIGHT)
        self.tree = PhysicsTree(node_of(record["physics_bsp"], {p.id: p for p in made}), made)
        self.ours = compile_physics(made, openings=portals, room=room)
        self.planes = [Plane(vector(p[:3]), r24(float(p[3]))) for p in record.get("cell_planes", [])]


def givens() -> list[tuple[str, Any, bool]]:
    found: list[tuple[str, Any, bool]] = []
    scenes = sorted((SHARED / "goldens" / "scenes").glob("*.json")) if SHARED.is_dir() else []
    for path in scenes:
        scene = json.loads(path.read_text())
        found += [(f"{path.stem} {cell['id']:#x}", cell, True) for cell in scene["cells"]]
        holders = [*scene["objects"], *([scene["building"]] if "building" in scene else [])]
        parts = [part for holder in holders for part in holder.get("parts", []) if part.get("physics_bsp")]
        found += [(f"{path.stem} part {i}", part, False) for i, part in enumerate(parts)]
    return found


GIVEN = givens()


@pytest.mark.parametrize(("record", "room"), [g[1:] for g in GIVEN], ids=[g[0] for g in GIVEN])
def test_our_tree_of_a_golden_scene_answers_like_the_scenes_own(record: Any, room: bool) -> None:
    given = Given(record, room)
    check_form(given.ours)
    rnd = Random(12)
    for _ in range(150):
        p = given.world.random_point(rnd)
        sphere, move = Sphere(p, rnd.choice(RADII)), random_direction(rnd)
        ours, theirs = PolyHit(), PolyHit()
        hit = given.ours.root.sphere_intersects_poly(sphere, move, ours)
        assert hit == given.tree.root.sphere_intersects_poly(sphere, move, theirs)
        if not hit:
            assert (ours.poly is None) == (theirs.poly is None)
    check_borderline(given.ours, rnd, 60)


@pytest.mark.parametrize("record", [g[1] for g in GIVEN if g[2]], ids=[g[0] for g in GIVEN if g[2]])
def test_our_cell_of_a_golden_scene_equals_the_scenes_own(record: Any) -> None:
    given = Given(record, True)
    ours = cell_planes(given.world.polygons, given.world.openings)
    assert len(ours) == len(given.planes)
    for plane in given.planes:
        assert any(distance(plane.normal, mine.normal) + abs(plane.d - mine.d) < 1e-5 for mine in ours)


@pytest.mark.parametrize("record", [g[1] for g in GIVEN if g[2]], ids=[g[0] for g in GIVEN if g[2]])
def test_pillars_and_blocks_of_a_golden_scene_are_solid_in_both_trees(record: Any) -> None:
    """Inside the cell both agree on what is solid. Beyond it the scene's trees are solid, and ours list nothing."""
    given = Given(record, True)
    rnd = Random(13)
    for _ in range(300):
        p = given.world.random_point(rnd, 0.0)
        if not near_surface(given.world.polygons, p, 0.002) and all(plane.dist(p) > 0.001 for plane in given.planes):
            assert given.ours.root.point_intersects_solid(p) == given.tree.root.point_intersects_solid(p)


@pytest.mark.parametrize("name", ["pillars 0x100"])
def test_our_tree_of_the_largest_scene_is_no_larger_than_the_scenes_own(name: str) -> None:
    given = next(Given(record, room) for label, record, room in GIVEN if label == name)
    assert len(given.ours.nodes()) < len(given.tree.nodes()) == 835
    assert given.ours.root.depth <= given.tree.root.depth == 15
    listed = sum(len(leaf.polygons) for leaf in leaves_of(given.ours))
    assert listed < sum(len(leaf.polygons) for leaf in leaves_of(given.tree))
