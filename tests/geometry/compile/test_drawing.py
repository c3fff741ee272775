"""Compiled drawing trees: painter's order, and each portal once (rendering.md 15.3, 12.4, dat-format.md 3.3.5)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from engine.geometry.compile.drawing import compile_drawing
from engine.geometry.compile.fragment import area_of, center_of
from engine.geometry.drawing_bsp import (
    DrawingInner,
    DrawingLeaf,
    DrawingNode,
    DrawingPort,
    back_to_front,
    drawing_nodes,
    portals_back_to_front,
)
from engine.geometry.errors import GeometryError
from engine.geometry.polygon import TWO_SIDED, Polygon
from engine.geometry.vec import Vec3, distance, lerp, sub
from tests.geometry.compile.worlds import (
    UnionThing,
    VoxelRoom,
    VoxelThing,
    World,
    box_polygons,
    quad,
    random_direction,
    random_point_on,
)


def inner_nodes(tree: DrawingNode) -> list[DrawingInner]:
    return [node for node in drawing_nodes(tree) if isinstance(node, DrawingInner)]


def listed(tree: DrawingNode) -> list[int]:
    return [polygon_id for node in inner_nodes(tree) for polygon_id in node.polygon_ids]


def check_form(tree: DrawingNode, polygons: list[Polygon], portals: list[tuple[Polygon, int]]) -> None:
    assert isinstance(tree, DrawingInner)
    for node in inner_nodes(tree):
        assert node.pos is not None
        assert node.neg is not None
    leaves = [node.index for node in drawing_nodes(tree) if isinstance(node, DrawingLeaf)]
    assert leaves == list(range(len(leaves)))
    assert set(listed(tree)) == {polygon.id for polygon in polygons}
    records = [record for node in inner_nodes(tree) if isinstance(node, DrawingPort) for record in node.portals]
    assert sorted(records) == sorted((polygon.id, index) for polygon, index in portals)
    for node in inner_nodes(tree):
        if isinstance(node, DrawingPort):
            flush = [p for p, index in portals if (p.id, index) in node.portals]
            assert all(abs(node.plane.dist(vertex)) < 1e-3 for p in flush for vertex in p.vertices)
    check_bounds(tree, {p.id: p for p in polygons}, {p.id: p for p, _ in portals})


def check_bounds(node: DrawingNode | None, polygons: dict[int, Polygon], portals: dict[int, Polygon]) -> list[Vec3]:
    """Every sphere encloses the polygons and portals below it."""
    if not isinstance(node, DrawingInner):
        return []
    points = check_bounds(node.pos, polygons, portals) + check_bounds(node.neg, polygons, portals)
    points += [vertex for polygon_id in node.polygon_ids for vertex in polygons[polygon_id].vertices]
    if isinstance(node, DrawingPort):
        points += [vertex for polygon_id, _ in node.portals for vertex in portals[polygon_id].vertices]
    for point in points:
        assert distance(point, node.sphere.center) <= node.sphere.radius * (1.0 + 1e-9) + 1e-9
    return points


def node_of(tree: DrawingNode, polygon_id: int, p: Vec3) -> DrawingInner:
    """The node that holds the piece of the polygon containing this point."""
    node: DrawingNode | None = tree
    while isinstance(node, DrawingInner):
        t = node.plane.dist(p)
        if abs(t) < 2e-4 and polygon_id in node.polygon_ids:
            return node
        node = node.pos if t > 0.0 else node.neg
    raise AssertionError(f"polygon {polygon_id} has no node for {p}")


def check_order(tree: DrawingNode, polygons: list[Polygon], eye: Vec3, direction: Vec3) -> int:
    """Along a line of sight, the node of the nearer polygon is drawn after that of the farther one."""
    turns = {id(node): turn for turn, node in enumerate(back_to_front(tree, eye))}
    seen: list[tuple[float, int]] = []
    for polygon in polygons:
        if area_of(polygon.vertices) < 1e-6:
            continue  # a speck, drawn with the root
        t = Polygon(polygon.id, polygon.vertices, TWO_SIDED).polygon_hits_ray(eye, direction)
        if t >= 0.0:
            x, y, z = eye
            dx, dy, dz = direction
            node = node_of(tree, polygon.id, (x + dx * t, y + dy * t, z + dz * t))
            seen.append((t, turns[id(node)]))
    seen.sort()
    for (near, late), (far, early) in pairwise(seen):
        if far - near > 1e-3:
            assert late > early
    return max(0, len(seen) - 1)


def world_of(seed: int, rnd: Random) -> World:
    if seed % 3 == 0:
        return VoxelRoom(rnd, openings=rnd.randint(0, 3))
    return VoxelThing(rnd, openings=1) if seed % 3 == 1 else UnionThing(rnd, 3, 2)


def check_worlds(seeds: range) -> None:
    compared = 0
    for seed in seeds:
        rnd = Random(seed)
        world = world_of(seed, rnd)
        portals = [(polygon, index) for index, polygon in enumerate(world.openings)]
        tree = compile_drawing(world.polygons, portals)
        check_form(tree, world.polygons, portals)
        for _ in range(8):
            eye = world.random_point(rnd, 3.0)
            for _ in range(4):
                target = rnd.choice(world.polygons)
                aim = lerp(random_point_on(rnd, target), center_of(target.vertices), rnd.uniform(0.1, 1.0))
                compared += check_order(tree, world.polygons, eye, sub(aim, eye))
    assert compared > 20 * len(seeds)


def test_no_polygon_is_drawn_before_one_that_it_hides() -> None:
    check_worlds(range(90))


@pytest.mark.slow
def test_the_order_holds_in_thousands_of_worlds() -> None:
    check_worlds(range(1000, 4000))


def test_nothing_to_draw_makes_an_inner_node_with_two_leaves() -> None:
    check_form(compile_drawing([], []), [], [])


def test_an_uncut_polygon_is_on_one_node_and_drawn_in_order() -> None:
    boxes = [face for i in range(5) for face in box_polygons((3.0 * i, 0.0, 0.0), (3.0 * i + 1.0, 1.0, 1.0), 6 * i)]
    assert sorted(listed(compile_drawing(boxes, []))) == list(range(30))


def test_a_split_polygon_is_on_every_node_that_holds_a_piece_of_it() -> None:
    """Two slabs through each other, for which no order of whole polygons is right."""
    cross = [
        quad(0, (-2.0, 0.0, -1.0), (2.0, 0.0, -1.0), (2.0, 0.0, 1.0), (-2.0, 0.0, 1.0)),
        quad(1, (0.0, -2.0, -1.0), (0.0, 2.0, -1.0), (0.0, 2.0, 1.0), (0.0, -2.0, 1.0)),
    ]
    tree = compile_drawing(cross, [])
    assert sorted(listed(tree)) in ([0, 0, 1], [0, 1, 1])
    for seed in range(50):
        check_order(tree, cross, (-3.0, -2.0, 0.3), random_direction(Random(seed)))


def test_a_polygon_without_area_is_kept() -> None:
    needle = quad(3, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    assert listed(compile_drawing([needle], [])) == [3]
    assert sorted(listed(compile_drawing([needle, *box_polygons((0.0,) * 3, (1.0,) * 3, 10)], []))) == [
        3,
        *range(10, 16),
    ]


def shell_portals() -> list[tuple[Polygon, int]]:
    """Two doors in the west wall, one in the east, a hatch in the roof, and a slanted one across them all."""
    return [
        (quad(20, (0.0, 1.0, 0.0), (0.0, 1.0, 2.0), (0.0, 2.0, 2.0), (0.0, 2.0, 0.0)), 0),
        (quad(21, (0.0, 5.0, 0.0), (0.0, 5.0, 2.0), (0.0, 6.0, 2.0), (0.0, 6.0, 0.0)), 1),
        (quad(22, (8.0, 1.0, 0.0), (8.0, 2.0, 0.0), (8.0, 2.0, 2.0), (8.0, 1.0, 2.0)), 2),
        (quad(23, (3.0, 3.0, 4.0), (4.0, 3.0, 4.0), (4.0, 4.0, 4.0), (3.0, 4.0, 4.0)), 3),
        (quad(24, (-1.0, 3.0, 3.0), (1.0, 3.0, 5.0), (1.0, 4.0, 5.0), (-1.0, 4.0, 3.0)), 4),
    ]


def test_portals_in_one_plane_share_a_node_and_stand_above_the_plain_ones() -> None:
    shell = box_polygons((0.0, 0.0, 0.0), (8.0, 8.0, 4.0))
    portals = shell_portals()
    tree = compile_drawing(shell, portals)
    check_form(tree, shell, portals)
    ports = [node for node in inner_nodes(tree) if isinstance(node, DrawingPort)]
    assert sorted(len(port.portals) for port in ports) == [1, 1, 1, 2]
    waiting = [node for node in inner_nodes(tree) if not isinstance(node, DrawingPort)]
    for node in waiting:
        assert not isinstance(node.pos, DrawingPort)
        assert not isinstance(node.neg, DrawingPort)


def test_the_walk_visits_the_far_portals_of_a_shell_first() -> None:
    tree = compile_drawing([], shell_portals()[:3])
    assert portals_back_to_front(tree, (-5.0, 1.5, 1.0)) == [(22, 2), (20, 0), (21, 1)]
    assert portals_back_to_front(tree, (15.0, 1.5, 1.0)) == [(20, 0), (21, 1), (22, 2)]


def test_a_portal_without_area_is_refused_with_its_number() -> None:
    needle = quad(3, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    with pytest.raises(GeometryError, match="portal 4, polygon 3"):
        compile_drawing([], [(needle, 4)])
