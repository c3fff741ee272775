"""Compiled cell trees (physics.md 3.8, dat-format.md 3.3.3)."""

from __future__ import annotations

from random import Random

import pytest

from engine.geometry.cell_bsp import OUTSIDE, CellInner, CellLeaf, CellNode
from engine.geometry.compile.cell import cell_planes, compile_cell
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from tests.geometry.compile.worlds import FREE, ConvexRoom, VoxelRoom, box_polygons, quad

WEST, EAST, SOUTH, NORTH, BELOW, ABOVE = range(6)


def tree_of(polygons: list[Polygon], openings: list[Polygon]) -> CellNode:
    tree = compile_cell(polygons, openings)
    assert tree is not None
    return tree


def chain(tree: CellNode) -> list[Plane]:
    """The planes along the positive children. Negative children are empty, and leaf 0 ends the chain."""
    planes: list[Plane] = []
    node: CellNode | None = tree
    while isinstance(node, CellInner):
        planes.append(node.plane)
        assert node.neg is None
        node = node.pos
    assert isinstance(node, CellLeaf)
    assert node.index == 0
    return planes


def test_a_cell_without_polygons_has_no_tree() -> None:
    assert compile_cell([], []) is None


def test_a_cell_that_no_face_bounds_has_no_tree() -> None:
    assert compile_cell(box_polygons((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), []) is None


def test_a_box_is_bounded_by_its_six_faces_in_their_order() -> None:
    box = box_polygons((0.0, 0.0, 0.0), (4.0, 5.0, 6.0), inward=True)
    assert [plane.normal for plane in chain(tree_of(box, []))] == [face.normal for face in box]


def test_coplanar_faces_bound_once_by_the_plane_of_the_largest() -> None:
    box = box_polygons((0.0, 0.0, 0.0), (4.0, 4.0, 4.0), inward=True)[:4]
    small = quad(10, (0.0, 0.0, 0.0), (1.0, 0.0, 0.00001), (1.0, 4.0, 0.0), (0.0, 4.0, 0.0))
    large = quad(11, (1.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 4.0, 0.0), (1.0, 4.0, 0.0))
    planes = chain(tree_of([*box, small, large], []))
    assert len(planes) == 5
    assert planes[4] is large.plane


@pytest.mark.parametrize("turned", [False, True])
def test_a_shaft_is_closed_by_its_openings_whichever_way_they_face(turned: bool) -> None:
    box = box_polygons((0.0, 0.0, 0.0), (2.0, 2.0, 0.4), inward=not turned)
    walls = box_polygons((0.0, 0.0, 0.0), (2.0, 2.0, 0.4), inward=True)[:4]
    tree = tree_of(walls, box[4:])
    assert len(chain(tree)) == 6
    assert tree.point_inside_cell_bsp((1.0, 1.0, 0.2))
    assert not tree.point_inside_cell_bsp((1.0, 1.0, 0.5))
    assert not tree.point_inside_cell_bsp((1.0, 1.0, -0.1))
    assert tree.sphere_intersects_cell_bsp(Sphere((1.0, 1.0, 2.0), 0.5)) == OUTSIDE


def test_a_cell_of_openings_alone_is_bounded_by_them() -> None:
    tree = tree_of([], box_polygons((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)))
    assert tree.point_inside_cell_bsp((0.5, 0.5, 0.5))
    assert not tree.point_inside_cell_bsp((1.5, 0.5, 0.5))


def test_pillars_and_openings_within_a_room_do_not_bound_it() -> None:
    box = box_polygons((0.0, 0.0, 0.0), (8.0, 8.0, 3.0), inward=True)
    pillar = box_polygons((4.0, 4.0, 0.0), (5.0, 5.0, 3.0), 10)
    window = quad(30, (2.0, 1.0, 0.0), (2.0, 3.0, 0.0), (2.0, 3.0, 2.0), (2.0, 1.0, 2.0))
    assert len(chain(tree_of([*box, *pillar], [window]))) == 6


def test_a_warped_wall_still_bounds_and_stays_wholly_inside() -> None:
    box = box_polygons((0.0, 0.0, 0.0), (4.0, 4.0, 4.0), inward=True)
    bent = quad(WEST, (-0.03, 0.0, 0.0), (0.0, 4.0, 0.0), (-0.03, 4.0, 4.0), (0.0, 0.0, 4.0))
    tree = tree_of([bent, *box[1:4]], box[4:])
    assert len(chain(tree)) >= 4
    for vertex in bent.vertices:
        assert tree.point_inside_cell_bsp(vertex)
    assert not tree.point_inside_cell_bsp((-0.2, 2.0, 2.0))


def test_a_polygon_without_area_bounds_nothing() -> None:
    needle = quad(9, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    assert compile_cell([needle], []) is None


def test_a_convex_room_is_its_cell() -> None:
    for seed in range(40):
        rnd = Random(seed)
        world = ConvexRoom(rnd, rnd.randint(0, 12))
        tree = tree_of(world.polygons, world.openings)
        for _ in range(40):
            p = world.random_point(rnd)
            if min(abs(plane.dist(p)) for plane in chain(tree)) > 0.001:
                assert tree.point_inside_cell_bsp(p) == (world.truth(p) == FREE)


def test_a_concave_room_is_inside_its_cell() -> None:
    for seed in range(40):
        rnd = Random(seed)
        world = VoxelRoom(rnd, openings=rnd.choice([0, 2]))
        tree = tree_of(world.polygons, world.openings)
        assert len(cell_planes(world.polygons, world.openings)) == 6
        for polygon in [*world.polygons, *world.openings]:
            for vertex in polygon.vertices:
                assert tree.point_inside_cell_bsp(vertex)
        for _ in range(40):
            p = world.random_point(rnd)
            if world.truth(p) == FREE:
                assert tree.point_inside_cell_bsp(p)
