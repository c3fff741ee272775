"""Which space of a compiled physics tree is solid, in shapes easy to picture (dat-format.md 3.3.4, 7.3)."""

from __future__ import annotations

import math
from random import Random

import pytest

from engine.geometry.bsp import PhysicsInner, PhysicsTree
from engine.geometry.compile.cell import compile_cell
from engine.geometry.compile.drawing import compile_drawing
from engine.geometry.compile.physics import compile_physics
from engine.geometry.errors import GeometryError
from engine.geometry.polygon import Polygon, PolyHit
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add, scale, sub
from tests.geometry.compile.checks import check_borderline, check_form, check_spheres, leaf_at, leaves_of
from tests.geometry.compile.worlds import box_polygons, quad

WEST, EAST, SOUTH, NORTH, BELOW, ABOVE = range(6)

DEEPEST = 256
"""Levels that the compiler makes at most."""

ROOM = ((0.0, 0.0, 0.0), (10.0, 10.0, 3.0))


def room(*extra: Polygon, without: tuple[int, ...] = (), openings: tuple[Polygon, ...] = ()) -> PhysicsTree:
    """A room of 10 × 10 × 3 m, with or without some of its parts."""
    walls = [wall for wall in box_polygons(*ROOM, inward=True) if wall.id not in without]
    tree = compile_physics([*walls, *extra], openings=list(openings), room=True)
    check_form(tree)
    return tree


def thing(*polygons: Polygon, openings: tuple[Polygon, ...] = ()) -> PhysicsTree:
    tree = compile_physics(list(polygons), openings=list(openings), room=False)
    check_form(tree)
    return tree


def is_told_solid(tree: PhysicsTree, p: Vec3) -> bool:
    """A tiny sphere at the point collides only by its centre: it touches nothing there."""
    assert not tree.root.sphere_intersects_solid(Sphere(p, 0.001), False)
    return tree.root.sphere_intersects_solid(Sphere(p, 0.001), True)


def test_no_polygons_make_an_inner_node_with_two_empty_leaves() -> None:
    for is_room in (True, False):
        tree = compile_physics([], openings=[], room=is_room)
        check_form(tree)
        assert [(leaf.solid, leaf.polygons) for leaf in leaves_of(tree)] == [(False, []), (False, [])]


def test_a_single_polygon_is_found_from_both_sides_and_nothing_is_solid() -> None:
    tree = thing(quad(7, (0.0, 0.0, 1.0), (2.0, 0.0, 1.0), (2.0, 2.0, 1.0), (0.0, 2.0, 1.0)))
    for z in (0.7, 1.3):
        assert tree.root.sphere_intersects_solid(Sphere((1.0, 1.0, z), 0.4), True)
    assert not any(leaf.solid for leaf in leaves_of(tree))


def test_polygons_without_area_are_listed_and_hit_by_nothing() -> None:
    needle = quad(3, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    tree = thing(needle)
    assert not tree.root.sphere_intersects_solid(Sphere((1.0, 0.0, 0.0), 0.5), True)
    thing(needle, *box_polygons((0.5, -1.0, -1.0), (3.0, 1.0, 1.0), 10))


def test_polygons_with_too_few_corners_do_no_harm() -> None:
    few = [quad(30), quad(31, (1.0, 1.0, 1.0)), quad(32, (1.0, 1.0, 1.0), (5.0, 5.0, 2.0))]
    thing(*few)
    thing(*few, *box_polygons((0.5, -1.0, -1.0), (3.0, 1.0, 1.0)))
    room(*few, openings=(quad(33), quad(34, (1.0, 1.0, 1.0))))


def test_a_nan_corner_is_refused_and_the_polygon_named() -> None:
    broken = quad(5, (0.0, 0.0, 0.0), (1.0, math.nan, 0.0), (1.0, 1.0, 0.0))
    box = box_polygons(*ROOM, inward=True)
    with pytest.raises(GeometryError, match="polygon 5"):
        compile_physics([broken], openings=[], room=False)
    with pytest.raises(GeometryError, match="polygon 5"):
        compile_physics(box, openings=[broken], room=True)
    with pytest.raises(GeometryError, match="polygon 5"):
        compile_drawing([broken], [])
    with pytest.raises(GeometryError, match="polygon 5"):
        compile_cell(box, [broken])


def test_a_box_is_solid_inside_and_lists_its_faces_there() -> None:
    tree = thing(*box_polygons((0.0, 0.0, 0.0), (20.0, 20.0, 20.0)))
    for p in ((10.0, 10.0, 10.0), (0.5, 19.5, 0.5), (19.5, 0.1, 10.0)):
        assert is_told_solid(tree, p)
        assert tree.root.point_intersects_solid(p)
        assert len(leaf_at(tree, p).polygons) == 6
    assert not is_told_solid(tree, (-0.5, 10.0, 10.0))


def test_a_centre_deep_inside_a_body_of_small_faces_passes_the_bounding_spheres() -> None:
    tiles: list[Polygon] = []
    for side in box_polygons((0.0, 0.0, 0.0), (20.0, 20.0, 20.0)):
        a, b, _, d = side.vertices
        u, v = scale(sub(b, a), 0.2), scale(sub(d, a), 0.2)
        for i in range(5):
            for j in range(5):
                corner = add(a, add(scale(u, float(i)), scale(v, float(j))))
                tiles.append(quad(len(tiles), corner, add(corner, u), add(corner, add(u, v)), add(corner, v)))
    tree = thing(*tiles)
    rnd = Random(1)
    for _ in range(300):
        p = (rnd.uniform(0.01, 19.99), rnd.uniform(0.01, 19.99), rnd.uniform(0.01, 19.99))
        assert is_told_solid(tree, p)


def test_a_hollow_box_is_solid_in_its_walls_only() -> None:
    inner = box_polygons((1.0, 1.0, 1.0), (9.0, 9.0, 9.0), 6, inward=True)
    tree = thing(*box_polygons((0.0, 0.0, 0.0), (10.0, 10.0, 10.0)), *inner)
    assert is_told_solid(tree, (0.5, 5.0, 5.0))
    assert not is_told_solid(tree, (5.0, 5.0, 5.0))


def test_a_shell_without_floor_encloses_nothing() -> None:
    walls = [side for side in box_polygons((0.0, 0.0, 0.0), (5.0, 5.0, 3.0)) if side.id != BELOW]
    tree = thing(*walls)
    assert not is_told_solid(tree, (2.5, 2.5, 1.5))
    assert not any(leaf.solid for leaf in leaves_of(tree))


def test_a_shell_with_a_doorway_is_hollow_with_or_without_a_named_opening() -> None:
    side = (0.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 2.0, 2.0), (0.0, 0.0, 2.0)
    pieces = [
        quad(10, (0.0, 0.0, 2.0), (0.0, 0.0, 3.0), (0.0, 5.0, 3.0), (0.0, 5.0, 2.0)),
        quad(11, (0.0, 2.0, 0.0), (0.0, 2.0, 2.0), (0.0, 5.0, 2.0), (0.0, 5.0, 0.0)),
    ]
    others = [side for side in box_polygons((0.0, 0.0, 0.0), (5.0, 5.0, 3.0)) if side.id != WEST]
    for openings in ((), (quad(20, *side),)):
        tree = thing(*others, *pieces, openings=openings)
        assert not is_told_solid(tree, (2.5, 2.5, 1.5))
        assert not is_told_solid(tree, (0.0, 1.0, 1.0))


def test_an_opening_makes_a_closed_shell_hollow_unless_a_face_closes_it() -> None:
    box = box_polygons((0.0, 0.0, 0.0), (5.0, 5.0, 3.0))
    whole_west = quad(20, *box[WEST].vertices)
    assert is_told_solid(thing(*box, openings=(whole_west,)), (2.5, 2.5, 1.5))
    assert not is_told_solid(thing(*box[1:], openings=(whole_west,)), (2.5, 2.5, 1.5))


def test_a_sheet_of_terrain_is_never_solid() -> None:
    rnd = Random(4)
    heights = [[rnd.uniform(0.0, 2.0) for _ in range(7)] for _ in range(7)]
    sheet: list[Polygon] = []
    for i in range(6):
        for j in range(6):
            a, b, c, d = (
                (float(x), float(y), heights[x][y]) for x, y in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
            )
            sheet += [quad(len(sheet), a, b, c), quad(len(sheet) + 1, a, c, d)]
    tree = thing(*sheet)
    assert not any(leaf.solid for leaf in leaves_of(tree))
    for _ in range(300):
        check_spheres(tree, rnd, (rnd.uniform(-0.5, 6.5), rnd.uniform(-0.5, 6.5), rnd.uniform(-0.5, 2.5)))
    check_borderline(tree, rnd, 300)


def test_a_convex_room_is_the_chain_of_its_walls_with_nothing_beyond() -> None:
    tree = room()
    assert len(tree.nodes()) == 13
    inside = [leaf for leaf in leaves_of(tree) if not leaf.solid]
    assert [sorted(p.id for p in leaf.polygons) for leaf in inside] == [[0, 1, 2, 3, 4, 5]]
    assert all(leaf.polygons == [] for leaf in leaves_of(tree) if leaf.solid)


def test_the_worked_room_of_the_format_has_a_leaf_beyond_its_open_side() -> None:
    side = quad(2, (0.0, 0.0, 0.0), (0.0, 0.0, 3.0), (10.0, 0.0, 3.0), (10.0, 0.0, 0.0))
    tree = room(without=(SOUTH,), openings=(side,))
    beyond = leaf_at(tree, (5.0, -1.0, 1.0))
    assert beyond.solid
    assert beyond.polygons == []
    for step in range(41):
        assert not tree.root.sphere_intersects_solid(Sphere((5.0, 1.0 - 0.05 * step, 1.5), 0.5), True)


def test_a_body_in_the_next_room_is_not_inside_this_ones_wall() -> None:
    """Walls between rooms have no thickness, and the space behind them belongs to the neighbours."""
    tree = room()
    assert not is_told_solid(tree, (-0.3, 5.0, 1.0))
    assert not tree.root.sphere_intersects_solid(Sphere((-0.5, 5.0, 1.0), 0.5), True)


def test_a_pillar_is_solid_with_and_without_an_underside() -> None:
    """Boxes that stand on a floor usually have no underside; the floor continues below them."""
    for size in (0.25, 2.0):
        pillar = box_polygons((4.0, 4.0, 0.0), (5.0, 5.0, size), 10)
        for faces in (pillar, [face for face in pillar if face.id != 10 + BELOW]):
            tree = room(*faces)
            assert is_told_solid(tree, (4.5, 4.5, size * 0.5))
            assert not is_told_solid(tree, (3.5, 4.5, size * 0.5))
            assert not is_told_solid(tree, (4.5, 4.5, size + 0.1))


def test_a_pillar_from_floor_to_ceiling_and_one_against_a_wall_are_solid() -> None:
    sides = [face for face in box_polygons((4.0, 4.0, 0.0), (5.0, 5.0, 3.0), 10) if face.id not in (14, 15)]
    shelf = [face for face in box_polygons((0.0, 7.0, 1.0), (0.5, 9.0, 1.2), 20) if face.id != 20 + WEST]
    tree = room(*sides, *shelf)
    assert is_told_solid(tree, (4.5, 4.5, 1.5))
    assert is_told_solid(tree, (0.25, 8.0, 1.1))
    assert not is_told_solid(tree, (0.25, 8.0, 0.9))


def test_blocks_against_walls_are_solid_without_their_hidden_faces() -> None:
    corner = [quad(20, (7.0, 7.0, 0.0), (10.0, 7.0, 0.0), (10.0, 7.0, 0.5), (7.0, 7.0, 0.5))]
    corner += [quad(21, (7.0, 7.0, 0.0), (7.0, 7.0, 0.5), (7.0, 10.0, 0.5), (7.0, 10.0, 0.0))]
    corner += [quad(22, (7.0, 7.0, 0.5), (10.0, 7.0, 0.5), (10.0, 10.0, 0.5), (7.0, 10.0, 0.5))]
    stage = [quad(30, (0.0, 8.0, 0.0), (10.0, 8.0, 0.0), (10.0, 8.0, 1.0), (0.0, 8.0, 1.0))]
    stage += [quad(31, (0.0, 8.0, 1.0), (10.0, 8.0, 1.0), (10.0, 10.0, 1.0), (0.0, 10.0, 1.0))]
    assert is_told_solid(room(*corner), (9.0, 9.0, 0.25))
    assert is_told_solid(room(*stage), (5.0, 9.0, 0.5))
    assert not is_told_solid(room(*stage), (5.0, 9.0, 1.5))


def test_a_one_sided_wall_does_not_make_half_a_room_solid() -> None:
    tree = room(quad(20, (5.0, 0.0, 0.0), (5.0, 10.0, 0.0), (5.0, 10.0, 3.0), (5.0, 0.0, 3.0)))
    for x in (2.0, 8.0):
        assert not is_told_solid(tree, (x, 5.0, 1.0))


def test_a_closed_box_of_two_sided_faces_is_not_solid() -> None:
    box = ((1.0, 1.0, 1.0), (2.0, 2.0, 2.0))
    faces = [*box_polygons(*box), *box_polygons(*box, 10, inward=True)]
    assert not is_told_solid(thing(*faces), (1.5, 1.5, 1.5))
    assert not is_told_solid(room(*(quad(20 + p.id, *p.vertices) for p in faces)), (1.5, 1.5, 1.5))


def test_a_screen_in_a_room_is_not_solid_on_either_side() -> None:
    screen = quad(9, (3.0, 5.0, 0.0), (7.0, 5.0, 0.0), (7.0, 5.0, 2.0), (3.0, 5.0, 2.0))
    tree = room(screen)
    for y in (4.9, 5.1):
        assert not is_told_solid(tree, (5.0, y, 1.0))


def notched(*, openings: tuple[Polygon, ...] = (), gap: bool = False) -> PhysicsTree:
    """An L: the room without its corner beyond x = 6, y = 6. With a gap, a doorway leads from it into the corner."""
    west_of_corner = [quad(20, (6.0, 6.0, 0.0), (6.0, 6.0, 3.0), (6.0, 10.0, 3.0), (6.0, 10.0, 0.0))]
    if gap:
        west_of_corner = [
            quad(20, (6.0, 6.0, 0.0), (6.0, 6.0, 3.0), (6.0, 7.0, 3.0), (6.0, 7.0, 0.0)),
            quad(21, (6.0, 8.0, 0.0), (6.0, 8.0, 3.0), (6.0, 10.0, 3.0), (6.0, 10.0, 0.0)),
            quad(22, (6.0, 7.0, 2.0), (6.0, 7.0, 3.0), (6.0, 8.0, 3.0), (6.0, 8.0, 2.0)),
        ]
    faces = [
        quad(10, (0.0, 0.0, 0.0), (0.0, 10.0, 0.0), (0.0, 10.0, 3.0), (0.0, 0.0, 3.0)),
        quad(11, (10.0, 0.0, 0.0), (10.0, 0.0, 3.0), (10.0, 6.0, 3.0), (10.0, 6.0, 0.0)),
        quad(12, (0.0, 0.0, 0.0), (0.0, 0.0, 3.0), (10.0, 0.0, 3.0), (10.0, 0.0, 0.0)),
        quad(13, (0.0, 10.0, 0.0), (6.0, 10.0, 0.0), (6.0, 10.0, 3.0), (0.0, 10.0, 3.0)),
        quad(14, (6.0, 6.0, 0.0), (10.0, 6.0, 0.0), (10.0, 6.0, 3.0), (6.0, 6.0, 3.0)),
        *west_of_corner,
    ]
    for z, turn in ((0.0, 1), (3.0, -1)):
        for low, high in (((0.0, 0.0), (10.0, 6.0)), ((0.0, 6.0), (6.0, 10.0))):
            corners = [(low[0], low[1], z), (high[0], low[1], z), (high[0], high[1], z), (low[0], high[1], z)]
            faces.append(Polygon(30 + len(faces), corners[::turn]))
    tree = compile_physics(faces, openings=list(openings), room=True)
    check_form(tree)
    return tree


def test_the_missing_corner_of_a_room_is_solid_inside_its_cell_and_empty_beyond() -> None:
    tree = notched()
    assert is_told_solid(tree, (8.0, 8.0, 1.0))
    assert not is_told_solid(tree, (8.0, 11.0, 1.0))
    assert leaf_at(tree, (8.0, 11.0, 1.0)).polygons == []
    assert not is_told_solid(tree, (3.0, 3.0, 1.0))


def test_a_doorway_into_the_missing_corner_makes_it_free() -> None:
    door = quad(50, (6.0, 7.0, 0.0), (6.0, 7.0, 2.0), (6.0, 8.0, 2.0), (6.0, 8.0, 0.0))
    for openings in ((), (door,), (quad(50, *reversed(door.vertices)),)):
        tree = notched(gap=True, openings=openings)
        for x in range(45, 90):
            assert not tree.root.sphere_intersects_solid(Sphere((x * 0.1, 7.5, 1.0), 0.45), True)
        assert not is_told_solid(tree, (3.0, 3.0, 1.0))


def test_space_behind_a_wall_that_bounds_no_cell_is_not_solid() -> None:
    """The north wall is bent inwards, so it bounds no cell: the space behind it may belong to any cell."""
    walls = [wall for wall in box_polygons(*ROOM, inward=True) if wall.id in (WEST, EAST, SOUTH)]
    bent = [
        quad(20, (5.0, 6.0, 0.0), (0.0, 10.0, 0.0), (0.0, 10.0, 3.0), (5.0, 6.0, 3.0)),
        quad(21, (10.0, 10.0, 0.0), (5.0, 6.0, 0.0), (5.0, 6.0, 3.0), (10.0, 10.0, 3.0)),
    ]
    bent = [Polygon(wall.id, wall.vertices[::-1]) for wall in bent]
    plan = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 6.0), (0.0, 10.0)]
    for z, turn in ((0.0, 1), (3.0, -1)):
        for a, b, c in ((0, 1, 3), (1, 2, 3), (0, 3, 4)):
            corners = [(plan[i][0], plan[i][1], z) for i in (a, b, c)]
            bent.append(Polygon(30 + len(bent), corners[::turn]))
    tree = compile_physics([*walls, *bent], openings=[], room=True)
    check_form(tree)
    assert not is_told_solid(tree, (5.0, 3.0, 1.0))
    assert not is_told_solid(tree, (5.0, 9.0, 1.0))
    assert tree.root.sphere_intersects_solid(Sphere((5.0, 6.3, 1.0), 0.5), True)


def test_a_bent_polygon_is_split_by_its_plane_once() -> None:
    bent = quad(0, (0.0, 0.0, 0.0), (4.0, 0.0, 0.1), (4.0, 4.0, 0.0), (0.0, 4.0, 0.1))
    assert thing(bent).root.depth == 2


def test_a_face_that_blocks_a_window_is_found_from_both_sides() -> None:
    """The fixtures contain this case: a solid polygon on an opening, facing outwards."""
    pane = box_polygons(*ROOM)[WEST]
    tree = room(pane, without=(WEST,), openings=(quad(50, *pane.vertices),))
    for x, way in ((-0.3, 1.0), (0.3, -1.0)):
        out = PolyHit()
        hit = tree.root.sphere_intersects_poly(Sphere((x, 5.0, 1.5), 0.5), (way, 0.0, 0.0), out)
        assert hit == (way > 0.0)
        assert out.poly is pane
    assert not is_told_solid(tree, (1.0, 5.0, 1.5))
    assert not is_told_solid(tree, (-1.0, 5.0, 1.5))


def test_a_crack_narrower_than_a_millimetre_does_not_open_a_body() -> None:
    box = box_polygons((0.0, 0.0, 0.0), (2.0, 2.0, 2.0))
    top = quad(5, (0.0, 0.0, 2.0), (1.9995, 0.0, 2.0), (1.9995, 2.0, 2.0), (0.0, 2.0, 2.0))
    assert is_told_solid(thing(*box[:5], top), (1.0, 1.0, 1.0))
    hole = quad(5, (0.0, 0.0, 2.0), (1.99, 0.0, 2.0), (1.99, 2.0, 2.0), (0.0, 2.0, 2.0))
    assert not is_told_solid(thing(*box[:5], hole), (1.0, 1.0, 1.0))


def test_a_floor_of_many_tiles_is_split_among_several_leaves() -> None:
    tiles = [
        quad(100 + 10 * i + j, *((float(i + a), float(j + b), 0.0) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))))
        for i in range(10)
        for j in range(10)
    ]
    tree = room(*tiles, without=(BELOW,))
    assert max(len(leaf.polygons) for leaf in leaves_of(tree)) < 14
    assert tree.root.depth < 16


def globe(rings: int, segments: int) -> list[Polygon]:
    def point(ring: int, segment: int) -> Vec3:
        t, f = math.pi * ring / rings, 2.0 * math.pi * (segment % segments) / segments
        return (5.0 * math.sin(t) * math.cos(f), 5.0 * math.sin(t) * math.sin(f), 5.0 * math.cos(t))

    faces: list[Polygon] = []
    for i in range(rings):
        for j in range(segments):
            corners = [point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)]
            if i == 0:
                del corners[3]
            if i == rings - 1:
                del corners[2]
            faces.append(Polygon(len(faces), corners))
    return faces


@pytest.mark.parametrize(("rings", "segments"), [(8, 12), (10, 32)])
def test_a_globe_of_many_faces_is_solid_and_its_tree_is_no_long_chain(rings: int, segments: int) -> None:
    """The long thin triangles around the poles are nearly flush with each other, so splitting leaves broad slivers."""
    tree = thing(*globe(rings, segments))
    assert tree.root.depth < 50
    assert is_told_solid(tree, (0.1, 0.05, 0.02))
    rnd = Random(2)
    for _ in range(60):
        x, y, z = (rnd.uniform(-4.9, 4.9) for _ in range(3))
        if not tree.root.sphere_intersects_solid(Sphere((x, y, z), 0.01), False):
            inside = all(face.plane.dist((x, y, z)) < 0.0 for face in tree.polygons)
            assert is_told_solid(tree, (x, y, z)) == inside


def tangle(count: int, size: float) -> list[Polygon]:
    rnd = Random(3)
    triangles: list[Polygon] = []
    for i in range(count):
        middle = [rnd.uniform(0.0, 10.0) for _ in range(3)]
        corners: list[Vec3] = []
        for _ in range(3):
            x, y, z = (middle[a] + rnd.uniform(-size, size) for a in range(3))
            corners.append((x, y, z))
        triangles.append(Polygon(i, corners))
    return triangles


def test_a_tangle_of_triangles_loses_none_and_stays_below_the_depth_limit() -> None:
    triangles = tangle(80, 4.0)
    tree = thing(*triangles)
    assert tree.root.depth < DEEPEST
    rnd = Random(4)
    for _ in range(150):
        check_spheres(tree, rnd, (rnd.uniform(0.0, 10.0), rnd.uniform(0.0, 10.0), rnd.uniform(0.0, 10.0)))
    check_borderline(tree, rnd, 150)


@pytest.mark.slow
def test_a_great_tangle_stops_at_the_depth_limit_and_loses_no_triangle() -> None:
    tree = thing(*tangle(400, 4.0))
    assert tree.root.depth <= DEEPEST
    rnd = Random(4)
    for _ in range(300):
        check_spheres(tree, rnd, (rnd.uniform(0.0, 10.0), rnd.uniform(0.0, 10.0), rnd.uniform(0.0, 10.0)))
    check_borderline(tree, rnd, 300)


def test_the_planes_of_a_room_are_those_of_its_faces() -> None:
    tree = room(*box_polygons((4.0, 4.0, 0.0), (5.0, 5.0, 1.0), 10))
    planes = {(p.plane.normal, p.plane.d) for p in tree.polygons}
    for node in tree.nodes():
        if isinstance(node, PhysicsInner):
            assert (node.plane.normal, node.plane.d) in planes
