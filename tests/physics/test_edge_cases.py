"""The edge cases E1 to E9 of several cells at once, and things made of parts in several cells (physics.md 6.7, 8.4,
16.2)."""

from __future__ import annotations

import pytest

from engine.geometry.box import Box
from engine.geometry.bsp import PhysicsLeaf, PhysicsTree
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.body import Body
from engine.physics.flags import ETHEREAL, SLID, STATE_NAMES
from engine.physics.objects.parts import BodyPart
from engine.physics.objects.parts_membership import (
    check_building_transit_of_parts,
    find_bbox_cell_list,
    find_room_transit_of_parts,
)
from engine.physics.rules import RuleSet, rule_set
from engine.physics.sweep.cell_array import CellArray
from engine.physics.sweep.trace import SweepObserver
from engine.world.cells.cell import Building, EnvCell, LandCell, ObjCell
from engine.world.cells.portals import NO_PORTAL, OUTSIDE, BldPortal, CellPortal
from engine.world.graph.graph import CellGraph
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, box_tree, graph_of, hall, push
from tests.physics.cases.test_latch import house_door
from tests.physics.small_world import floor, quad, wall_facing_west
from tests.physics.things import flat_land, put, registry_in, setup

FIRST = 0xA9B40150
BLOCK = 0xA9B4


class Asked(SweepObserver):
    """The cells that the sweep asked, in order, each with its answer."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, str]] = []

    def cell_ends(self, tr: object, cell: ObjCell, primary: ObjCell | None, state: int) -> None:
        self.answers.append((cell.id - FIRST, STATE_NAMES[state]))


def row_of_rooms(*contents: list[Polygon], wide: float = 0.2) -> list[EnvCell]:
    """Rooms in a row from west to east, each of this width, with the body in the first one."""
    cells = []
    for number, polygons in enumerate(contents):
        west, east = wide * number, wide * (number + 1)
        portals = []
        for other, x in ((number + 1, east), (number - 1, west)):
            if 0 <= other < len(contents):
                opening = quad(90, (x, -9.0, -9.0), (x, 9.0, -9.0), (x, 9.0, 9.0), (x, -9.0, 9.0))
                portals.append(CellPortal(0, 90, opening, FIRST + other, 0))
        tree = box_tree((west if number else -9.0, -9.0, -9.0), (east, 9.0, 9.0))
        others = [FIRST + other for other in range(len(contents)) if other != number]
        cells.append(hall(polygons, cell_id=FIRST + number, tree=tree, portals=portals, stab=others))
    return cells


def walker(cells: list[EnvCell], graph: CellGraph | None = None, rules: RuleSet | None = None) -> tuple[Body, Asked]:
    body = body_in(
        cells[0], ZERO, graph=graph or graph_of(*cells), ground=GROUND, step_down=0.6, rules=rules or RuleSet()
    )
    asked = Asked()
    body.observer = asked
    return body, asked


GROUND_HERE = [floor(0.0, size=20.0)]


def test_e1_a_body_deep_inside_one_room_asks_only_that_room() -> None:
    body, asked = walker(row_of_rooms(GROUND_HERE, GROUND_HERE, wide=5.0))
    push(body, 0.1)
    assert {cell for cell, _ in asked.answers} == {0}
    assert body.place.origin[0] == pytest.approx(0.1)


@pytest.mark.parametrize("tree", [None, PhysicsTree(PhysicsLeaf(0, True, Sphere(ZERO, 50.0), []), [])])
def test_e2_and_e3_the_sweep_skips_a_room_without_a_tree_or_polygons(tree: PhysicsTree | None) -> None:
    cells = row_of_rooms(GROUND_HERE, [], [wall_facing_west(1.0, 1)])
    cells[1].physics_tree = tree
    body, asked = walker(cells)
    push(body, 0.1, times=8)
    assert body.place.origin[0] == pytest.approx(0.5, abs=1e-3)
    assert {answer for cell, answer in asked.answers if cell == 1} == {"OK"}


def test_e4_while_the_bodys_own_room_slides_it_no_other_answers() -> None:
    wall = Polygon(1, [(0.3, -5.0, 0.0), (0.3, -5.0, 5.0), (0.3, 5.0, 5.0), (0.3, 5.0, 0.0)])
    body, asked = walker(row_of_rooms([*GROUND_HERE, wall], GROUND_HERE))
    body.step_up_height = 0.1
    body.place.origin = (-0.25, 0.0, 0.0)
    push(body, 0.1, 0.2)
    assert STATE_NAMES[SLID] in [answer for _, answer in asked.answers]
    for now, after in zip(asked.answers, asked.answers[1:], strict=False):
        assert now != (0, STATE_NAMES[SLID]) or after[0] == 0


@BOTH_RULES
def test_e5_outdoors_beside_a_house_land_and_room_answer(rules: RuleSet) -> None:
    body = house_door(rules, 12.3)
    push(body, -0.1, times=8)
    land = body.cell
    assert isinstance(land, LandCell)
    room = next(cell for cell in body.graph.all_cells() if isinstance(cell, EnvCell))
    land.building = Building(1, land.id, 0, Frame(), None, [BldPortal(2, room.id, 0, [])], 0)
    push(body, 0.1)
    assert body.last_transition is not None
    assert {land.id, room.id} <= set(body.last_transition.ca.ids)


@BOTH_RULES
def test_e6_an_object_that_is_in_two_cells_counts_once(rules: RuleSet) -> None:
    cells = row_of_rooms(GROUND_HERE, GROUND_HERE, wide=0.5)
    graph = graph_of(*cells)
    registry = registry_in(graph, rules)
    cloud = setup(cylinders=[CylSphere(ZERO, 1.0, 2.0)])
    put(registry, cloud, FIRST, (0.5, 0.0, 0.0), state=ETHEREAL)
    assert registry.cells_of(0x70000001) == [FIRST, FIRST + 1]
    body, _ = walker(cells, graph, rules)
    push(body, 0.1)
    assert body.last_transition is not None
    assert body.last_transition.ci.collide_objects == [0x70000001]
    assert body.place.origin[0] == pytest.approx(0.1)


@BOTH_RULES
def test_e8_near_an_exit_the_ground_outside_answers(rules: RuleSet) -> None:
    """The room's floor ends at the door; the body walks out above the street."""
    body = house_door(rules, 12.1)
    room = body.cell
    assert room is not None
    room.physics_tree = None
    asked = Asked()
    body.observer = asked
    push(body, -0.1, times=3)
    assert body.place.origin == pytest.approx((11.8, 12.0, 0.0), abs=1e-3)
    assert body.contact_plane.normal == UP
    assert body.contact_plane_cell_id == 0xA9B40001


@BOTH_RULES
def test_e9_seven_rooms_all_answer_and_the_last_ones_wall_blocks(rules: RuleSet) -> None:
    contents = [GROUND_HERE] * 6 + [[wall_facing_west(0.9, 1)]]
    body, asked = walker(row_of_rooms(*contents, wide=0.07), rules=rules)
    push(body, 0.05, times=3)
    assert {cell for cell, _ in asked.answers} == set(range(7))
    push(body, 0.05, times=30)
    assert body.place.origin[0] == pytest.approx(0.4, abs=0.05)
    assert body.last_transition is not None


# --- things made of parts


def part(low: Vec3, high: Vec3, sphere: Sphere | None = None) -> BodyPart:
    bound = Sphere(ZERO, 100.0) if sphere is None else sphere
    return BodyPart(None, FIRST, Frame(), bound, Box(low, high))


def cells_of(cells: list[EnvCell], *parts: BodyPart, rules: RuleSet | None = None) -> list[int]:
    ca = CellArray()
    find_bbox_cell_list(graph_of(*cells), rules or RuleSet(), FIRST, list(parts), ca)
    return [cell_id - FIRST for cell_id in ca.ids]


@pytest.mark.parametrize(("reach", "cells"), [(0.4, [0]), (0.9, [0, 1]), (2.4, [0, 1, 2])])
def test_a_thing_is_in_every_room_that_one_of_its_boxes_reaches(reach: float, cells: list[int]) -> None:
    rooms = row_of_rooms([], [], [], wide=0.8)
    near = part((-0.1, -0.1, 0.0), (0.1, 0.1, 1.0))
    assert cells_of(rooms, near, part((0.0, -0.1, 0.0), (reach, 0.1, 1.0))) == cells


def test_a_part_without_a_sphere_or_far_from_the_portal_reaches_nothing() -> None:
    rooms = row_of_rooms([], [], wide=0.8)
    long = part((0.0, -0.1, 0.0), (3.0, 0.1, 1.0))
    long.sphere = None
    assert cells_of(rooms, long) == [0]
    assert cells_of(rooms, part((0.0, -0.1, 0.0), (3.0, 0.1, 1.0), Sphere(ZERO, 0.5))) == [0]


@pytest.mark.parametrize(("rules", "hint"), [("retail", FIRST + 9), ("ace", (FIRST + 9) & 0xFFFF)])
def test_a_room_that_is_not_loaded_enters_as_a_hint(rules: str, hint: int) -> None:
    opening = quad(90, (0.5, -9.0, -9.0), (0.5, 9.0, -9.0), (0.5, 9.0, 9.0), (0.5, -9.0, 9.0))
    room = hall([], cell_id=FIRST, portals=[CellPortal(0, 90, opening, FIRST + 9, 0)])
    ca = CellArray()
    thing = part((0.0, -0.1, 0.0), (1.0, 0.1, 1.0))
    find_room_transit_of_parts(graph_of(room), rule_set(rules), room, [thing], ca)
    assert (ca.ids, ca.cells) == ([hint], [None])


def house_on_land(reciprocal: int) -> tuple[CellGraph, LandCell]:
    """A room from (2, 2) to (10, 10) on a land cell, with its door in the western wall."""
    graph = flat_land(BLOCK)
    opening = quad(9, (2.0, 4.0, 0.0), (2.0, 4.0, 3.0), (2.0, 6.0, 3.0), (2.0, 6.0, 0.0))
    inside = box_tree((2.0, 2.0, -1.0), (10.0, 10.0, 3.0))
    room = hall([], cell_id=FIRST, tree=inside, portals=[CellPortal(0, 9, opening, OUTSIDE, 0)], flags=1)
    graph.add_cell(room)
    land = graph.get_visible((BLOCK << 16) | 1)
    assert isinstance(land, LandCell)
    land.building = Building(1, land.id, 0, Frame(), None, [BldPortal(0, FIRST, reciprocal, [])], 0)
    return graph, land


def outdoors(graph: CellGraph, thing: BodyPart) -> set[int]:
    ca = CellArray()
    thing.cell_id = (BLOCK << 16) | 1
    find_bbox_cell_list(graph, RuleSet(), (BLOCK << 16) | 1, [thing], ca)
    return set(ca.ids)


@pytest.mark.parametrize(("east", "inside"), [(1.5, False), (2.5, True)])
def test_a_thing_on_the_land_is_in_a_room_that_it_reaches_by_the_door(east: float, inside: bool) -> None:
    graph, land = house_on_land(0)
    assert outdoors(graph, part((1.0, 4.5, 0.0), (east, 5.5, 1.0))) == {land.id} | ({FIRST} if inside else set())


@BOTH_RULES
@pytest.mark.unwatched
def test_a_thing_larger_than_the_land_is_in_every_land_cell(rules: RuleSet) -> None:
    graph = flat_land(BLOCK)
    ca = CellArray()
    thing = part((-1e30, -1e30, 0.0), (1e30, 1e30, 1.0))
    thing.cell_id = (BLOCK << 16) | 1
    find_bbox_cell_list(graph, rules, (BLOCK << 16) | 1, [thing], ca)
    assert {cell_id for cell_id, cell in zip(ca.ids, ca.cells, strict=True) if cell is not None} == {
        (BLOCK << 16) | low for low in range(1, 65)
    }


@pytest.mark.parametrize("reciprocal", [NO_PORTAL, 3])
def test_a_building_portal_without_a_reciprocal_one_admits_no_part(reciprocal: int) -> None:
    graph, land = house_on_land(reciprocal)
    assert outdoors(graph, part((1.0, 4.5, 0.0), (2.5, 5.5, 1.0))) == {land.id}


def test_a_part_behind_the_rooms_other_walls_is_not_admitted() -> None:
    graph, _ = house_on_land(0)
    room = graph.get_visible(FIRST)
    assert isinstance(room, EnvCell)
    ca = CellArray()
    beside = part((1.0, 20.0, 0.0), (3.0, 21.0, 1.0))
    check_building_transit_of_parts(graph, RuleSet(), room, 0, [beside], ca)
    room.portals[0].polygon = None
    check_building_transit_of_parts(graph, RuleSet(), room, 0, [part((1.0, 4.5, 0.0), (2.5, 5.5, 1.0))], ca)
    assert ca.ids == []


# --- nearby objects


def test_rows_near_a_position_are_those_of_its_land_and_the_given_cells() -> None:
    graph, _ = house_on_land(0)
    registry = registry_in(graph)
    twins = setup(cylinders=[CylSphere(ZERO, 0.3, 1.0), CylSphere((1.0, 0.0, 0.0), 0.3, 1.0)])
    put(registry, twins, (BLOCK << 16) | 1, (23.5, 12.0, 0.0), entity=1)
    put(registry, twins, (BLOCK << 16) | 9, (40.0, 12.0, 0.0), entity=2)
    put(registry, twins, FIRST, (5.0, 5.0, 0.0), entity=3)

    def near(x: float, radius: float, reachable: list[int]) -> list[int]:
        found = registry.get_nearby_objects((BLOCK << 16) | 1, (x, 12.0, 0.0), radius, reachable)
        return [row.entity_id for row in found]

    assert near(12.0, 1.0, []) == [1, 1]
    assert near(23.0, 2.0, []) == [1, 1, 2, 2]
    assert near(12.0, 1.0, [FIRST, 0xA9B40199]) == [1, 1, 3, 3]
    assert near(12.0, 1.0, [(BLOCK << 16) | 9]) == [1, 1, 2, 2]
