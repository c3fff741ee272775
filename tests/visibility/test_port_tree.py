"""The order of a building's openings (rendering.md 12.4, C10)."""

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


def reduced(tree: DrawingNode) -> DrawingNode:
    """The tree as the client holds it after loading: its root, and all PORT nodes in a chain through `pos`."""
    found: list[DrawingPort] = []

    def collect(node: DrawingNode | None) -> None:
        if isinstance(node, DrawingInner):
            collect(node.pos)
            collect(node.neg)
            if isinstance(node, DrawingPort):
                found.append(node)

    collect(tree)
    chain: DrawingNode = DrawingLeaf(0)
    for node in found:  # the last one that is linked is the first that is met
        chain = DrawingPort(node.plane, chain, DrawingLeaf(1), node.sphere, [], node.portals)
    if isinstance(tree, DrawingInner) and not isinstance(tree, DrawingPort):
        return DrawingInner(tree.plane, chain, DrawingLeaf(1), tree.sphere, [])
    return chain


@given(trees(), points)
def test_the_walk_takes_the_chain_as_a_tree_of_root_and_openings(tree: DrawingNode, eye: Vec3) -> None:
    walked = [index for _, index in portals_back_to_front(reduced(tree), eye)]
    assert PortOrder(building(tree)).in_turn(eye, False) == walked


def test_openings_ahead_come_down_the_chain_and_those_behind_on_the_way_back() -> None:
    """This is not far to near: from the east that would be 1, 0, 2."""

    def port(x: float, index: int, pos: DrawingNode, neg: DrawingNode) -> DrawingPort:
        return DrawingPort(Plane((1.0, 0.0, 0.0), -x), pos, neg, Sphere(ZERO, 10.0), [], [(index, index)])

    tree = port(0.0, 0, port(5.0, 2, DrawingLeaf(0), DrawingLeaf(1)), port(-5.0, 1, DrawingLeaf(0), DrawingLeaf(1)))
    order = PortOrder(building(tree))
    assert [node.indices for node in order.chain] == [[0], [1], [2]]
    assert order.in_turn((9.0, 0.0, 0.0), False) == [0, 1, 2]
    assert order.in_turn((-9.0, 0.0, 0.0), False) == [2, 1, 0]
    assert order.in_turn((-1.0, 0.0, 0.0), False) == [1, 2, 0]


def test_an_opening_with_the_eye_in_its_plane_comes_only_on_request() -> None:
    sphere = Sphere(ZERO, 1.0)
    plane = Plane((1.0, 0.0, 0.0), 0.0)
    order = PortOrder(building(DrawingPort(plane, DrawingLeaf(0), DrawingLeaf(1), sphere, [], [(0, 0)])))
    assert order.in_turn((0.0001, 2.0, 2.0), False) == []
    assert order.in_turn((0.0001, 2.0, 2.0), True) == [0]


def test_the_walk_skips_openings_that_only_the_shell_has() -> None:
    sphere = Sphere(ZERO, 1.0)
    plane = Plane((1.0, 0.0, 0.0), 0.0)
    tree = DrawingPort(plane, DrawingLeaf(0), DrawingLeaf(1), sphere, [], [(0, COUNT), (1, 1), (2, -1)])
    assert PortOrder(building(tree)).in_turn((5.0, 0.0, 0.0), False) == [1]


def test_a_shell_without_a_tree_orders_its_openings_by_distance() -> None:
    def wall(x: float) -> Polygon:
        return Polygon(0, [(x, 0.0, 0.0), (x, 1.0, 0.0), (x, 1.0, 1.0)])

    order = PortOrder(building(None, [wall(1.0), None, wall(7.0), wall(4.0)]))
    assert order.in_turn((0.0, 0.0, 0.0), False) == [2, 3, 0]
    assert order.in_turn((8.0, 0.0, 0.0), False) == [0, 3, 2]
