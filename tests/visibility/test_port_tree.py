"""The order of a building's openings (spec/rendering.md 12.4)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.box import Box
from engine.geometry.drawing_bsp import DrawingInner, DrawingLeaf, DrawingNode, DrawingPort, portals_back_to_front
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3
from engine.visibility.port_tree import PortOrder
from engine.world.cells.cell import Building
from engine.world.cells.objects import GfxObj
from engine.world.cells.portals import BldPortal
from tests.geometry.shapes import planes

COUNT = 6


def building(tree: DrawingNode | None, polygons: list[Polygon | None] | None = None) -> Building:
    shown: list[Polygon | None] = [None] * COUNT if polygons is None else polygons
    shell = GfxObj(0x01000001, {}, {}, None, tree, None, None, Box(ZERO, ZERO), ZERO, [], 0, None)
    portals = [BldPortal(3, 0xC95B0100 + i, 0, [], i, polygon) for i, polygon in enumerate(shown)]
    return Building(1, 0xC95B0001, shell.id, Frame(), shell, portals, 0)


numbers = st.floats(-5.0, 5.0)
points = st.tuples(numbers, numbers, numbers)


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> DrawingNode:
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return DrawingLeaf(0)
    plane = draw(planes())
    sphere = Sphere(ZERO, 10.0)
    pos, neg = draw(trees(depth=depth - 1)), draw(trees(depth=depth - 1))
    if draw(st.booleans()):
        return DrawingInner(plane, pos, neg, sphere, [])
    openings = draw(st.lists(st.integers(0, COUNT - 1), min_size=1, max_size=2))
    return DrawingPort(plane, pos, neg, sphere, [], [(index, index) for index in openings])


@given(trees(), points)
def test_the_pruned_tree_is_walked_in_the_order_of_the_whole_one(tree: DrawingNode, eye: Vec3) -> None:
    whole = [index for _, index in portals_back_to_front(tree, eye)]
    assert PortOrder(building(tree)).far_to_near(eye, False) == whole


def test_an_opening_in_whose_plane_the_eye_is_comes_only_if_it_is_asked_for() -> None:
    sphere = Sphere(ZERO, 1.0)
    plane = Plane((1.0, 0.0, 0.0), 0.0)
    order = PortOrder(building(DrawingPort(plane, DrawingLeaf(0), DrawingLeaf(1), sphere, [], [(0, 0)])))
    assert order.far_to_near((0.0001, 2.0, 2.0), False) == []
    assert order.far_to_near((0.0001, 2.0, 2.0), True) == [0]


def test_openings_that_only_the_shell_knows_of_are_left_out() -> None:
    sphere = Sphere(ZERO, 1.0)
    plane = Plane((1.0, 0.0, 0.0), 0.0)
    tree = DrawingPort(plane, DrawingLeaf(0), DrawingLeaf(1), sphere, [], [(0, COUNT), (1, 1), (2, -1)])
    assert PortOrder(building(tree)).far_to_near((5.0, 0.0, 0.0), False) == [1]


def test_a_shell_without_a_tree_has_its_openings_by_distance() -> None:
    def wall(x: float) -> Polygon:
        return Polygon(0, [(x, 0.0, 0.0), (x, 1.0, 0.0), (x, 1.0, 1.0)])

    order = PortOrder(building(None, [wall(1.0), None, wall(7.0), wall(4.0)]))
    assert order.far_to_near((0.0, 0.0, 0.0), False) == [2, 3, 0]
    assert order.far_to_near((8.0, 0.0, 0.0), False) == [0, 3, 2]
