"""The cells that a body touches, and the one that it is in: cases C-CELL-1 to C-CELL-22, C-BLD-1 to C-BLD-4, C-REC-1 to
C-REC-6 of physics.md 13.6, by id."""

from __future__ import annotations

import math

import pytest

from engine.geometry.box import Box
from engine.geometry.cell_bsp import CellNode
from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.quat import from_axis_angle
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.membership import (
    add_all_outside_cells,
    check_building_transit,
    find_cell_list,
    find_room_transit_cells,
)
from engine.physics.objects.parts import BodyPart
from engine.physics.objects.parts_membership import add_outside_cells_of_parts, check_building_transit_of_parts
from engine.physics.rules import RuleSet
from engine.physics.set_position import resolve_cell_id
from engine.physics.sweep.cell_array import CellArray
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.portals import NO_PORTAL, OUTSIDE, CellPortal
from engine.world.graph.graph import CellGraph
from tests.physics.bodies import box_tree, hall, inside_of
from tests.physics.small_world import quad
from tests.physics.things import flat_land

BLOCK = 0xA9B4
HERE = 0xA9B40150
THERE = 0xA9B40151
RULES = RuleSet()


def block(low: int, number: int = BLOCK) -> int:
    return (number << 16) | low


def ball(x: float, y: float = 12.0, z: float = 1.0, radius: float = 0.5) -> Sphere:
    return Sphere((x, y, z), radius)


# --- land under spheres


@pytest.mark.parametrize(
    ("cell_id", "x", "y", "cells"),
    [
        pytest.param(0xA9B40001, 12.0, 12.0, {0xA9B40001}, id="C-CELL-1"),
        pytest.param(0xA9B40001, 23.6, 12.0, {0xA9B40001, 0xA9B40009}, id="C-CELL-2"),
        pytest.param(0xA9B40031, 150.0, -0.2, {0xA9B30038, 0xA9B40031}, id="C-CELL-3"),
        pytest.param(0xA9B40031, 150.0, -109.65, {0xA9B30034}, id="C-CELL-4"),
        pytest.param(0xA9B30038, 150.0, 82.35, {0xA9B30034}, id="C-CELL-5"),
        pytest.param(0xA9B40150, 132.36, 16.81, {0xA9B40029}, id="C-CELL-6"),
    ],
)
def test_a_sphere_is_in_the_land_cells_that_it_reaches(cell_id: int, x: float, y: float, cells: set[int]) -> None:
    ca = CellArray()
    add_all_outside_cells(flat_land(0xA9B4, 0xA9B3), cell_id, [ball(x, y)], ca)
    assert set(ca.ids) == cells
    assert ca.added_outside


# --- portals of a room

OPENING = quad(9, (2.5, 0.0, -5.0), (2.5, 24.0, -5.0), (2.5, 24.0, 5.0), (2.5, 0.0, 5.0))


def through_the_portal(
    other: int, spheres: list[Sphere], *, flags: int = 0, neighbour: EnvCell | None = None
) -> CellArray:
    """The array after expanding a room with an opening at x = 2.5 and normal +X, with land around."""
    graph = flat_land(BLOCK)
    cell = hall([], portals=[CellPortal(flags, 9, OPENING, other, 0)], cell_id=HERE)
    graph.add_cell(cell)
    if neighbour is not None:
        graph.add_cell(neighbour)
    ca = CellArray()
    find_room_transit_cells(graph, RULES, cell, HERE, spheres, ca)
    return ca


def east_of_five() -> EnvCell:
    """A room that begins at x = 5: its frame is there, and its tree is the half-space x >= 0."""
    return hall([], Frame((5.0, 0.0, 0.0)), THERE, inside_of(Plane((1.0, 0.0, 0.0), 0.0)))


@pytest.mark.parametrize(
    ("x", "ids"), [pytest.param(2.0, [THERE], id="C-CELL-7"), pytest.param(-1.0, [], id="C-CELL-8")]
)
def test_an_unloaded_neighbour_enters_as_a_hint_when_its_portal_is_near(x: float, ids: list[int]) -> None:
    ca = through_the_portal(THERE, [ball(x)])
    assert ca.ids == ids
    assert ca.cells == [None] * len(ids)


@pytest.mark.parametrize("flags", [0, 2])
@pytest.mark.parametrize(
    ("x", "added"), [pytest.param(4.75, True, id="C-CELL-9"), pytest.param(3.05, False, id="C-CELL-10")]
)
def test_only_the_tree_of_a_loaded_neighbour_counts(x: float, added: bool, flags: int) -> None:
    neighbour = east_of_five()
    ca = through_the_portal(THERE, [ball(x)], flags=flags, neighbour=neighbour)
    assert ca.cells == ([neighbour] if added else [])


@pytest.mark.parametrize(
    ("spheres", "outside"),
    [
        pytest.param([ball(2.0)], True, id="C-CELL-11"),
        pytest.param([ball(1.0), ball(2.2, z=2.0)], True, id="C-CELL-12"),
        pytest.param([ball(2.5 - 0.5 - EPSILON), ball(1.0)], False, id="C-CELL-13"),
        pytest.param([ball(2.5 + 0.5 + EPSILON), ball(3.5)], False, id="C-CELL-13 beyond"),
    ],
)
def test_a_near_exit_portal_adds_the_land(spheres: list[Sphere], outside: bool) -> None:
    ca = through_the_portal(OUTSIDE, spheres)
    assert ca.added_outside == outside
    assert ca.ids == ([block(1)] if outside else [])


# --- the pick


def two_rooms(second_from: float = 2.5) -> tuple[CellGraph, EnvCell, EnvCell]:
    """Rooms on both sides of x = 2.5; `second_from` extends the second one into the first."""
    first = hall([], tree=box_tree((-9.0, 0.0, -5.0), (2.5, 24.0, 5.0)), cell_id=HERE, stab=[THERE])
    second = hall([], tree=box_tree((second_from, 0.0, -5.0), (9.0, 24.0, 5.0)), cell_id=THERE, stab=[HERE])
    first.portals = [CellPortal(0, 9, OPENING, THERE, 0)]
    second.portals = [CellPortal(2, 9, OPENING, HERE, 0)]
    graph = CellGraph()
    graph.add_cell(first)
    graph.add_cell(second)
    return graph, first, second


def search(
    graph: CellGraph, seed: int, spheres: list[Sphere], static: bool = False
) -> tuple[ObjCell | None, list[int]]:
    ca = CellArray()
    ca.do_not_load_cells = static
    found = find_cell_list(graph, RULES, seed, spheres, ca, True, None)
    return found, ca.listed()


def test_c_cell_14_where_two_rooms_overlap_the_current_one_wins() -> None:
    graph, first, second = two_rooms(second_from=2.0)
    for current, other in ((first, second), (second, first)):
        found, ids = search(graph, current.id, [ball(2.25)])
        assert found is current
        assert ids == [current.id, other.id]


def test_c_cell_15_a_room_takes_precedence_over_the_land_under_it() -> None:
    graph = flat_land(BLOCK)
    cell = hall([], tree=box_tree((-9.0, 0.0, -5.0), (2.5, 24.0, 5.0)), cell_id=HERE, flags=1)
    cell.portals = [CellPortal(0, 9, OPENING, OUTSIDE, 0)]
    graph.add_cell(cell)
    found, ids = search(graph, HERE, [ball(2.3)])
    assert found is cell
    assert ids == [HERE, block(1)]


def test_c_cell_16_resolved_outside_every_cell_the_id_is_kept() -> None:
    graph, first, _ = two_rooms()
    assert resolve_cell_id(graph, RULES, (50.0, 50.0, 50.0), 0.5, first.id) == first.id


def test_c_cell_17_the_search_takes_the_cell_and_its_stab_list() -> None:
    start = hall([], tree=inside_of(Plane((0.0, -1.0, 0.0), 3.0)), cell_id=HERE, stab=[THERE])
    sibling = hall([], tree=inside_of(Plane((0.0, 1.0, 0.0), -7.0)), cell_id=THERE)
    graph = CellGraph()
    graph.add_cell(start)
    graph.add_cell(sibling)
    found = [graph.find_visible_child_cell(start, (0.0, y, 0.0), True) for y in (1.0, 8.0, 5.0)]
    assert found == [start, sibling, None]


def test_c_cell_18_a_sphere_inside_one_room_is_in_no_other() -> None:
    graph, first, _ = two_rooms()
    assert search(graph, HERE, [ball(0.0)]) == (first, [HERE])


# --- into a building


def building_transit(cell: EnvCell, portal_id: int, spheres: list[Sphere]) -> list[int]:
    ca = CellArray()
    check_building_transit(cell, portal_id, spheres, ca, None)
    return ca.ids


def test_c_cell_19_a_building_portal_without_a_partner_admits_nothing() -> None:
    cell = hall([], tree=box_tree((0.0, 0.0, 0.0), (9.0, 24.0, 5.0)), cell_id=HERE)
    assert building_transit(cell, 0, [ball(1.0)]) == [HERE]
    assert building_transit(cell, NO_PORTAL, [ball(1.0)]) == []


def test_c_cell_20_the_search_never_finds_a_room_without_a_cell_tree() -> None:
    cell = hall([], cell_id=HERE)
    cell.cell_tree = None
    assert building_transit(cell, 0, [ball(1.0)]) == []
    assert not cell.point_in_cell((1.0, 1.0, 1.0))


def test_c_cell_21_a_head_that_reaches_in_is_enough() -> None:
    cell = hall([], tree=inside_of(Plane(UP, -2.0)), cell_id=HERE)
    assert building_transit(cell, 0, [ball(1.0, z=0.5)]) == []
    assert building_transit(cell, 0, [ball(1.0, z=0.5), ball(1.0, z=1.6)]) == [HERE]


def test_c_cell_22_a_static_thing_is_only_in_its_rooms_stab_list() -> None:
    third = 0xA9B40152
    graph, first, second = two_rooms(second_from=2.0)
    further = hall([], tree=box_tree((2.0, 0.0, -5.0), (9.0, 24.0, 5.0)), cell_id=third)
    second.portals.append(CellPortal(0, 9, OPENING, third, 0))
    graph.add_cell(further)
    assert search(graph, HERE, [ball(2.3)])[1] == [HERE, THERE, third]
    assert set(search(graph, HERE, [ball(2.3)], static=True)[1]) <= {HERE} | first.stab_set


# --- buildings, parts variant


def part_at(low: Vec3, high: Vec3, sphere: Sphere | None = None, frame: Frame | None = None, seed: int = 0) -> BodyPart:
    """A part with this box in its own space, in the landblock of the cells above unless `seed` selects another."""
    bound = Sphere(ZERO, 100.0) if sphere is None else sphere
    return BodyPart(None, seed or block(1), frame or Frame(), bound, Box(low, high))


def room_behind(plane_at_zero: Polygon, flags: int, tree: CellNode | None = None) -> EnvCell:
    return hall([], portals=[CellPortal(flags, 9, plane_at_zero, OUTSIDE, 0)], cell_id=HERE, tree=tree)


EAST = quad(9, (0.0, -5.0, -5.0), (0.0, 5.0, -5.0), (0.0, 5.0, 5.0), (0.0, -5.0, 5.0))


def admits(cell: EnvCell, part: BodyPart) -> bool:
    ca = CellArray()
    check_building_transit_of_parts(CellGraph(), RULES, cell, 0, [part], ca)
    return ca.ids == [HERE]


@pytest.mark.parametrize(
    ("flags", "c", "admitted"),
    [
        pytest.param(0, -0.5, True, id="C-BLD-1 behind"),
        pytest.param(0, 0.0, True, id="C-BLD-1 across"),
        pytest.param(0, 0.5, False, id="C-BLD-1 before"),
        pytest.param(2, -0.5, False, id="C-BLD-2 behind"),
        pytest.param(2, 0.0, True, id="C-BLD-2 across"),
        pytest.param(2, 0.5, True, id="C-BLD-2 before"),
    ],
)
def test_a_box_is_admitted_on_the_rooms_side_of_its_portal(flags: int, c: float, admitted: bool) -> None:
    part = part_at((c - 0.1, -0.1, -0.1), (c + 0.1, 0.1, 0.1))
    assert admits(room_behind(EAST, flags), part) == admitted


@pytest.mark.parametrize("beyond", [0.0, 1e-6])
def test_c_bld_3_a_sphere_exactly_in_reach_is_admitted(beyond: float) -> None:
    radius = 0.75
    reach = radius + EPSILON
    for flags, side in ((0, 1.0), (2, -1.0)):
        sphere = Sphere((side * (reach + beyond), 0.0, 0.0), radius)
        part = part_at((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1), sphere)
        assert admits(room_behind(EAST, flags), part) == (beyond == 0.0)


def test_c_bld_4_a_roof_that_ends_below_the_attic_is_not_in_it() -> None:
    attic = inside_of(Plane(UP, -21.8948))
    hatch = quad(9, (-5.0, -5.0, 21.8948), (5.0, -5.0, 21.8948), (5.0, 5.0, 21.8948), (-5.0, 5.0, 21.8948))
    cell = room_behind(hatch, 2, attic)
    sphere = Sphere((0.0, 0.0, 19.38), 3.93)
    assert building_transit(cell, 0, [sphere]) == [HERE]
    assert not admits(cell, part_at((-1.0, -1.0, 16.0), (1.0, 1.0, 21.8943), sphere))
    assert admits(cell, part_at((-1.0, -1.0, 16.0), (1.0, 1.0, 21.8949), sphere))


# --- rectangles of land cells


def square_part(half: float, x: float, y: float, seed: int = 0) -> BodyPart:
    return part_at((-half, -half, 0.0), (half, half, 1.0), frame=Frame((x, y, 0.0)), seed=seed)


def rectangle(graph: CellGraph, *parts: BodyPart) -> list[int]:
    ca = CellArray()
    add_outside_cells_of_parts(graph, RULES, parts[0].cell_id, list(parts), ca)
    return ca.ids


def columns_and_rows(cell_ids: list[int], middle: int) -> set[tuple[int, int]]:
    """Land cells as columns and rows from the south-west corner of the middle landblock."""
    found = set()
    for cell_id in cell_ids:
        low = (cell_id & 0xFFFF) - 1
        dx = (cell_id >> 24) - (middle >> 8)
        dy = ((cell_id >> 16) & 0xFF) - (middle & 0xFF)
        found.add((dx * 8 + (low >> 3), dy * 8 + (low & 7)))
    assert len(found) == len(cell_ids)
    return found


def grid(low: int, high: int) -> set[tuple[int, int]]:
    return {(x, y) for x in range(low, high + 1) for y in range(low, high + 1)}


AROUND = [((BLOCK >> 8) + dx) << 8 | (BLOCK & 0xFF) + dy for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


@pytest.mark.parametrize(
    ("parts", "cells"),
    [
        pytest.param([square_part(50.0, 36.0, 36.0)], grid(-1, 3), id="C-REC-1"),
        pytest.param([square_part(1.0, 12.0, 60.0), square_part(1.0, 60.0, 12.0)], grid(0, 2), id="C-REC-2"),
        pytest.param([square_part(30.0, 180.0, 180.0)], grid(6, 8), id="C-REC-3"),
        pytest.param([square_part(20.0, 12.0, 12.0)], grid(-1, 1), id="C-REC-4"),
    ],
)
def test_parts_claim_the_whole_rectangle_of_land_that_they_span(
    parts: list[BodyPart], cells: set[tuple[int, int]]
) -> None:
    assert columns_and_rows(rectangle(flat_land(*AROUND), *parts), BLOCK) == cells


@pytest.mark.parametrize(
    ("corner", "at", "cells"),
    [
        pytest.param(0x0000, 12.0, grid(0, 2), id="C-REC-5 south-west"),
        pytest.param(0xFEFE, 180.0, grid(5, 7), id="C-REC-5 north-east"),
    ],
)
def test_rectangles_end_at_the_maps_edge(corner: int, at: float, cells: set[tuple[int, int]]) -> None:
    part = square_part(50.0, at, at, seed=block(1, corner))
    assert columns_and_rows(rectangle(flat_land(corner), part), corner) == cells


def test_c_rec_6_a_turned_box_claims_the_land_that_its_corners_reach() -> None:
    turned = Frame((48.0, 12.0, 0.0), from_axis_angle(UP, math.radians(37.0)))
    part = part_at((0.0, -2.0, 0.0), (60.0, 2.0, 1.0), frame=turned)
    cells = columns_and_rows(rectangle(flat_land(*AROUND), part), BLOCK)
    assert {(1, 0), (3, 2)} <= cells
    assert cells == {(x, y) for x in (1, 2, 3, 4) for y in (0, 1, 2)}
