"""Trees of records as the trees that collide, contain and draw: PORT nodes, and trees of any depth."""

from __future__ import annotations

import pytest

from engine.dat.records import BspNode
from engine.geometry.bsp import PhysicsInner
from engine.geometry.cell_bsp import CellInner
from engine.geometry.polygon import Polygon, PolyHit
from engine.geometry.sphere import Sphere
from engine.world.loader.shapes import FaultLog, cell_tree, physics_tree

EAST = ((1.0, 0.0, 0.0), 0.0)
UP = ((0.0, 0.0, 1.0), 0.0)


def floor_at(polygon_id: int, x: float) -> Polygon:
    corners = [(x - 1.0, -1.0, 0.0), (x + 1.0, -1.0, 0.0), (x + 1.0, 1.0, 0.0), (x - 1.0, 1.0, 0.0)]
    return Polygon(polygon_id, corners, 0)


def leaf(index: int, x: float, *polygons: int) -> BspNode:
    return BspNode("LEAF", leaf_index=index, sphere=((x, 0.0, 0.0), 1.5), polygon_ids=list(polygons))


def hit_polygon(root: BspNode, polygons: dict[int, Polygon], x: float) -> int | None:
    found = FaultLog(1)
    tree = physics_tree(root, polygons, found)
    assert found.faults == []
    assert tree is not None
    hit = PolyHit()
    ball = Sphere((x, 0.0, 0.2), 0.4)
    return hit.poly.id if tree.root.sphere_intersects_poly(ball, (0.0, 0.0, -0.5), hit) and hit.poly else None


def test_what_is_below_a_port_node_of_a_physics_tree_collides() -> None:
    """Such a node has no sphere of its own; it reaches as far as its children."""
    polygons = {0: floor_at(0, 10.0), 1: floor_at(1, -10.0)}
    root = BspNode("PORT", plane=EAST, pos=leaf(0, 10.0, 0), neg=leaf(1, -10.0, 1))
    assert [hit_polygon(root, polygons, x) for x in (10.0, -10.0, 0.0)] == [0, 1, None]
    tree = physics_tree(root, polygons, FaultLog(1))
    assert tree is not None
    assert tree.root.sphere.center == pytest.approx((0.0, 0.0, 0.0))
    assert tree.root.sphere.radius == pytest.approx(11.5)


def test_a_port_node_reaches_as_far_as_the_larger_of_two_spheres_in_each_other() -> None:
    small = leaf(1, 0.5, 1)
    large = BspNode("LEAF", leaf_index=0, sphere=((0.0, 0.0, 0.0), 9.0), polygon_ids=[0])
    polygons = {0: floor_at(0, 0.0), 1: floor_at(1, 0.5)}
    for pos, neg in ((small, large), (large, small)):
        tree = physics_tree(BspNode("PORT", plane=EAST, pos=pos, neg=neg), polygons, FaultLog(1))
        assert tree is not None
        assert (tree.root.sphere.center, tree.root.sphere.radius) == ((0.0, 0.0, 0.0), 9.0)


def test_a_port_node_of_a_cell_tree_is_a_half_space() -> None:
    found = FaultLog(1)
    tree = cell_tree(BspNode("PORT", plane=UP, pos=BspNode("LEAF"), neg=BspNode("LEAF")), found)
    assert isinstance(tree, CellInner)
    assert found.faults == []
    assert [tree.point_inside_cell_bsp((0.0, 0.0, z)) for z in (1.0, -1.0)] == [True, False]


def test_the_node_of_a_port_in_a_physics_tree_is_an_inner_node() -> None:
    tree = physics_tree(BspNode("PORT", plane=EAST, pos=leaf(0, 1.0), neg=leaf(1, -1.0)), {}, FaultLog(1))
    assert tree is not None
    assert isinstance(tree.root, PhysicsInner)


def test_a_tree_of_any_depth_collides() -> None:
    node = leaf(0, 10.0, 0)
    for _ in range(50_000):
        node = BspNode("BPnN", plane=EAST, pos=node, neg=leaf(1, -10.0), sphere=((0.0, 0.0, 0.0), 50.0))
    assert hit_polygon(node, {0: floor_at(0, 10.0)}, 10.0) == 0
    assert hit_polygon(node, {0: floor_at(0, 10.0)}, 5.0) is None
