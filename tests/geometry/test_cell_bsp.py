"""Cell trees: the cases C-BSP-10 to 13 of physics.md 13.3, and trees against their half-spaces (3.8)."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry.box import Box
from engine.geometry.cell_bsp import ENTIRELY, OUTSIDE, PARTIALLY, CellInner, CellLeaf, CellNode
from engine.geometry.constants import EPSILON
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from tests.geometry.shapes import planes, spheres, vectors

HALF_SPACE = CellInner(Plane((1.0, 0.0, 0.0), 0.0), CellLeaf(0), None)


def chain(half_spaces: list[Plane], end: CellNode | None) -> CellNode | None:
    node = end
    for plane in reversed(half_spaces):
        node = CellInner(plane, node, CellLeaf(7))
    return node


def trees() -> st.SearchStrategy[list[Plane]]:
    return st.lists(planes(), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("x", "inside"),
    [pytest.param(-0.0001, True, id="C-BSP-10 within"), pytest.param(-0.0003, False, id="C-BSP-10 beyond")],
)
def test_point_just_behind_a_cell_plane(x: float, inside: bool) -> None:
    assert HALF_SPACE.point_inside_cell_bsp((x, 0.0, 0.0)) == inside


@pytest.mark.parametrize(
    ("x", "answer"),
    [
        pytest.param(-0.50, PARTIALLY, id="C-BSP-11 within"),
        pytest.param(-0.51, OUTSIDE, id="C-BSP-11 beyond"),
        pytest.param(0.51, ENTIRELY, id="grown sphere just inside"),
        pytest.param(0.50, PARTIALLY, id="grown sphere sticking out"),
    ],
)
def test_sphere_at_a_cell_plane(x: float, answer: int) -> None:
    assert HALF_SPACE.sphere_intersects_cell_bsp(Sphere((x, 0.0, 0.0), 0.5)) == answer


@pytest.mark.parametrize(
    ("low", "high", "inside"),
    [
        pytest.param(1.0, 2.0, True, id="C-BSP-12 in front"),
        pytest.param(-2.0, -1.0, False, id="C-BSP-12 behind"),
        pytest.param(-1.0, 1.0, True, id="C-BSP-12 straddling"),
        pytest.param(-2.0, -0.0003, False, id="C-BSP-13 beyond"),
        pytest.param(-2.0, -0.0001, True, id="C-BSP-13 within"),
    ],
)
def test_box_at_a_cell_plane(low: float, high: float, inside: bool) -> None:
    corners = Box((low, -1.0, -1.0), (high, 1.0, 1.0)).corners()
    assert HALF_SPACE.box_intersects_cell_bsp(corners) == inside


@given(trees(), vectors(6.0), st.booleans())
def test_point_is_inside_when_behind_no_plane(half_spaces: list[Plane], p: Vec3, with_leaf: bool) -> None:
    tree = chain(half_spaces, CellLeaf(0) if with_leaf else None)
    assert tree is not None
    assume(all(abs(plane.dist(p) + EPSILON) > 1e-12 for plane in half_spaces))
    assert tree.point_inside_cell_bsp(p) == all(plane.dist(p) >= -EPSILON for plane in half_spaces)


@given(trees(), spheres(), st.booleans())
def test_sphere_is_placed_by_its_worst_plane(half_spaces: list[Plane], sphere: Sphere, with_leaf: bool) -> None:
    tree = chain(half_spaces, CellLeaf(0) if with_leaf else None)
    assert tree is not None
    nearest = min(plane.dist(sphere.center) for plane in half_spaces)
    rad = sphere.radius + 0.01
    expected = OUTSIDE if nearest <= -rad else ENTIRELY if nearest >= rad else PARTIALLY
    assert tree.sphere_intersects_cell_bsp(sphere) == expected


@given(trees(), vectors(4.0), vectors(4.0))
def test_box_is_out_when_one_plane_has_all_of_it_behind(half_spaces: list[Plane], a: Vec3, b: Vec3) -> None:
    tree = chain(half_spaces, CellLeaf(0))
    assert tree is not None
    corners = Box.of_points([a, b]).corners()
    out = any(all(plane.dist(c) < -EPSILON for c in corners) for plane in half_spaces)
    assert tree.box_intersects_cell_bsp(corners) == (not out)


def test_a_lone_leaf_has_everything_inside() -> None:
    leaf = CellLeaf(3)
    assert leaf.point_inside_cell_bsp((1e9, 0.0, 0.0))
    assert leaf.sphere_intersects_cell_bsp(Sphere((1e9, 0.0, 0.0), 1.0)) == ENTIRELY
    assert leaf.box_intersects_cell_bsp([(1e9, 0.0, 0.0)])
    assert (leaf.index, leaf.depth) == (3, 1)


def test_only_the_positive_children_count() -> None:
    behind = CellInner(Plane((1.0, 0.0, 0.0), 0.0), CellLeaf(0), CellLeaf(1))
    assert not behind.point_inside_cell_bsp((-1.0, 0.0, 0.0))


@pytest.mark.parametrize("side", ["pos", "neg"])
def test_a_tree_of_any_depth_is_walked(side: str) -> None:
    node: CellNode = CellLeaf(0)
    plane = Plane((1.0, 0.0, 0.0), 0.0)
    for _ in range(100_000):
        node = CellInner(plane, node, None) if side == "pos" else CellInner(plane, None, node)
    assert node.depth == 100_001
    assert [node.point_inside_cell_bsp((x, 0.0, 0.0)) for x in (1.0, -1.0)] == [True, False]
    assert node.sphere_intersects_cell_bsp(Sphere((5.0, 0.0, 0.0), 1.0)) == ENTIRELY
    assert node.box_intersects_cell_bsp([(5.0, 0.0, 0.0)])
