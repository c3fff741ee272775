"""Drawing trees: the order of painting and of a shell's portals (rendering.md 15.3, 12.4)."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

from engine.geometry.drawing_bsp import (
    DrawingInner,
    DrawingLeaf,
    DrawingNode,
    DrawingPort,
    back_to_front,
    drawing_nodes,
    front_to_back,
    portals_back_to_front,
)
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from tests.geometry.shapes import vectors

BOUND = Sphere((0.0, 0.0, 0.0), 10.0)


def wall(x: float, key: int, pos: DrawingNode | None, neg: DrawingNode | None) -> DrawingInner:
    """Polygon `key` in the plane at `x`, facing +x."""
    return DrawingInner(Plane((1.0, 0.0, 0.0), -x), pos, neg, BOUND, [key])


def opening(x: float, key: int, portal: int, pos: DrawingNode | None, neg: DrawingNode | None) -> DrawingPort:
    return DrawingPort(Plane((1.0, 0.0, 0.0), -x), pos, neg, BOUND, [], [(key, portal)])


def three_walls() -> DrawingInner:
    """Walls at x = 0, 1 and 2, with the middle one at the root."""
    return wall(1.0, 1, wall(2.0, 2, DrawingLeaf(0), DrawingLeaf(1)), wall(0.0, 0, DrawingLeaf(2), None))


def painted(nodes: list[DrawingInner]) -> list[int]:
    return [key for node in nodes for key in node.polygon_ids]


@pytest.mark.parametrize(
    ("x", "order"), [(5.0, [0, 1, 2]), (-5.0, [2, 1, 0]), (1.5, [0, 1, 2]), (0.5, [2, 1, 0]), (1.0, [2, 1, 0])]
)
def test_walls_are_painted_from_the_far_one(x: float, order: list[int]) -> None:
    """Between two walls, the nearer subtree comes last as a whole; for an eye in a plane, its positive side counts as
    far."""
    assert painted(back_to_front(three_walls(), (x, 0.0, 0.0))) == order


@given(vectors(4.0))
def test_front_to_back_is_the_mirror_image(eye: Vec3) -> None:
    assume(all(abs(eye[0] - x) > 0.001 for x in (0.0, 1.0, 2.0)))
    tree = three_walls()
    assert front_to_back(tree, eye) == list(reversed(back_to_front(tree, eye)))


def test_an_eye_in_a_plane_sees_every_node_once_in_either_order() -> None:
    tree, eye = three_walls(), (1.0, 0.0, 0.0)
    assert sorted(painted(front_to_back(tree, eye))) == sorted(painted(back_to_front(tree, eye))) == [0, 1, 2]


def shell() -> DrawingPort:
    return opening(1.0, 11, 1, opening(2.0, 12, 2, None, None), opening(0.0, 10, 0, DrawingLeaf(0), DrawingLeaf(1)))


@pytest.mark.parametrize(
    ("x", "records"),
    [
        (5.0, [(10, 0), (11, 1), (12, 2)]),
        (-5.0, [(12, 2), (11, 1), (10, 0)]),
        (1.0, [(12, 2), (10, 0)]),
        (1.0001, [(12, 2), (10, 0)]),
        (1.001, [(10, 0), (11, 1), (12, 2)]),
    ],
)
def test_a_shells_portals_come_far_to_near_without_those_seen_edge_on(x: float, records: list[tuple[int, int]]) -> None:
    assert portals_back_to_front(shell(), (x, 0.0, 0.0)) == records


def test_inner_nodes_without_openings_have_no_portal_records() -> None:
    assert portals_back_to_front(wall(0.0, 5, shell(), None), (5.0, 0.0, 0.0)) == [(10, 0), (11, 1), (12, 2)]


def test_every_node_is_listed_positive_before_negative() -> None:
    tree = three_walls()
    names = [node.index if isinstance(node, DrawingLeaf) else None for node in drawing_nodes(tree)]
    assert names == [None, None, 0, 1, None, 2]
    assert back_to_front(DrawingLeaf(0), (0.0, 0.0, 0.0)) == []


def test_a_tree_of_any_depth_is_ordered() -> None:
    node: DrawingNode = DrawingLeaf(0)
    for _ in range(50_000):
        node = wall(0.0, 1, wall(0.0, 1, None, node), None)
    assert node.depth == 100_001
    assert len(back_to_front(node, (5.0, 0.0, 0.0))) == 100_000
