"""Which cells membership considers, beyond the numeric cases: rooms without portals, second buildings, parts that face
the camera, the prune, and the array that a sweep leaves (physics.md #14, #20, #33, #35, #40)."""

from __future__ import annotations

import pytest

from engine.geometry.box import Box
from engine.geometry.frame import Frame
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import ZERO, Vec3
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE
from engine.physics.membership import find_cell_list
from engine.physics.objects.parts import BodyPart
from engine.physics.objects.parts_membership import add_outside_cells_of_parts
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.set_position import SP_DONT_CREATE_CELLS, SP_SLIDE, SP_TELEPORT, adjust_position, set_position
from engine.physics.sweep.cell_array import CellArray
from engine.world.cells.cell import Building, EnvCell, LandCell
from engine.world.cells.objects import GfxObj
from engine.world.cells.portals import CellPortal
from engine.world.cells.terrain import VERTICES, Terrain
from engine.world.graph.graph import CellGraph
from engine.world.loader.assemble import settle
from engine.world.loader.shapes import FaultLog
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, box_tree, graph_of, hall, push
from tests.physics.cases.test_cells import AROUND, BLOCK, columns_and_rows
from tests.physics.cases.test_latch import LAND, A, B, doorway_between, house_door
from tests.physics.small_world import floor, quad, spheres
from tests.physics.things import HEIGHT_TABLE, box_model, flat_land, put, registry_in, setup

FIRST = 0xA9B40100


# --- rooms without a portal


def closed_room() -> EnvCell:
    cell = hall([floor(0.0)], cell_id=FIRST, tree=box_tree((-5.0, -5.0, -1.0), (5.0, 5.0, 3.0)))
    cell.portals_left_out = False
    return cell


def test_no_body_can_be_placed_in_a_room_without_a_portal() -> None:
    cell = closed_room()
    place = Place(cell.id, ZERO, Frame())
    assert adjust_position(graph_of(cell), place, (0.0, 0.0, 0.48), True) is None
    cell.portals_left_out = True
    assert adjust_position(graph_of(cell), place, (0.0, 0.0, 0.48), True) is cell


def test_the_walls_of_a_room_without_a_portal_are_still_solid() -> None:
    """A portal of another room puts it into the array, so it keeps out a body that stands in that room."""
    body = doorway_between(RuleSet(), wall_at=0.4)
    second = body.graph.get_visible(B)
    assert isinstance(second, EnvCell)
    second.portals = []
    second.portals_left_out = False
    body.place.origin = (-0.2, 0.0, 0.0)
    push(body, 0.06)
    assert body.last_transition is not None
    assert B in body.last_transition.ca.ids
    push(body, 0.06, times=6)
    assert body.place.cell_id == A
    assert body.place.origin[0] <= 0.4 - 0.48 + 1e-3


# --- the prune


OPENING = quad(9, (0.0, -5.0, -5.0), (0.0, 5.0, -5.0), (0.0, 5.0, 5.0), (0.0, -5.0, 5.0))


def test_the_last_cell_replaces_a_pruned_one_and_is_tested_next() -> None:
    """Six rooms overlap at the sphere, the last one not loaded; the first one lists the second and the fifth."""
    ids = [FIRST + number for number in range(6)]
    tree = box_tree((-5.0, -5.0, -5.0), (5.0, 5.0, 5.0))
    portals = [CellPortal(0, 9, OPENING, cell_id, 0) for cell_id in ids[1:]]
    first = hall([], cell_id=FIRST, tree=tree, portals=portals, stab=[ids[1], ids[4]])
    graph = graph_of(first, *(hall([], cell_id=cell_id, tree=tree) for cell_id in ids[1:5]))
    for prunes, there in ((False, ids), (True, [ids[0], ids[1], ids[4]])):
        ca = CellArray()
        ca.do_not_load_cells = prunes
        find_cell_list(graph, RuleSet(), FIRST, spheres(), ca, True, None)
        assert ca.ids == there
        assert [cell is None for cell in ca.cells] == [cell_id == ids[5] for cell_id in there]


def test_an_entry_without_a_cell_is_pruned_except_under_ace() -> None:
    first = hall([], cell_id=FIRST, portals=[CellPortal(0, 9, OPENING, FIRST + 1, 0)])
    for rules, there in ((RuleSet(), [FIRST]), (RuleSet(retail=False), [FIRST, 0x101])):
        ca = CellArray()
        ca.do_not_load_cells = True
        find_cell_list(graph_of(first), rules, FIRST, spheres(), ca, False, None)
        assert ca.listed() == there


@pytest.mark.parametrize(("flags", "moved"), [(SP_TELEPORT, True), (SP_TELEPORT | SP_DONT_CREATE_CELLS, False)])
def test_a_placement_without_new_cells_ignores_walls_beyond_the_stab_list(flags: int, moved: bool) -> None:
    """The wall of the next room, 0.3 m behind the portal, pushes a body aside only if the search considers that
    room."""
    body = doorway_between(RuleSet(), wall_at=0.3)
    assert body.cell is not None
    body.cell.set_stab_list([])
    body.contact_plane = GROUND
    set_position(body, Place(A, (-0.1, 0.0, 0.0), Frame()), flags | SP_SLIDE)
    assert (body.place.origin[0] < -0.15) == moved


# --- rectangles of parts


def model(low: Vec3, high: Vec3, flat: bool = False) -> GfxObj:
    made = box_model(low, high)
    made.drawn_flat = flat
    return made


def part(made: GfxObj, origin: Vec3, block: int = BLOCK) -> BodyPart:
    return BodyPart(made, (block << 16) | 1, Frame(origin), made.bounding_sphere, made.box)


def rectangle(graph: CellGraph, *parts: BodyPart, rules: RuleSet | None = None) -> set[tuple[int, int]]:
    ca = CellArray()
    add_outside_cells_of_parts(graph, rules or RuleSet(), parts[0].cell_id, list(parts), ca)
    return columns_and_rows(ca.ids, BLOCK)


POST = model((-0.5, -0.5, 0.0), (0.5, 0.5, 1.0))


def test_the_rectangle_is_computed_once_from_the_first_part() -> None:
    """The second part is in the next landblock to the east."""
    graph = flat_land(*AROUND)
    first, second = part(POST, (180.0, 12.0, 0.0)), part(POST, (36.0, 60.0, 0.0), BLOCK + 0x100)
    across = {(x, y) for x in (7, 8, 9) for y in (0, 1, 2)}
    assert rectangle(graph, first, second) == across
    assert rectangle(graph, second, first) == across
    assert rectangle(graph, first, second, rules=RuleSet(retail=False)) != across


def test_without_land_under_the_first_part_there_is_no_rectangle() -> None:
    first, second = part(POST, (-12.0, 12.0, 0.0)), part(POST, (12.0, 12.0, 0.0))
    assert rectangle(flat_land(BLOCK), first, second) == set()
    assert rectangle(flat_land(BLOCK), second, first) == {(0, 0)}
    assert rectangle(flat_land(BLOCK), first, second, rules=RuleSet(retail=False)) == {(0, 0), (1, 0)}


def test_a_part_that_faces_the_camera_covers_land_by_its_sphere() -> None:
    made = model((0.0, -0.5, 0.0), (60.0, 0.5, 0.1))
    sheet = part(made, (12.0, 36.0, 0.0))
    graph = flat_land(*AROUND)
    assert rectangle(graph, sheet) == {(x, 1) for x in range(4)}
    made.drawn_flat = True
    assert made.bounding_sphere is not None
    assert 24.0 < made.bounding_sphere.radius < 36.0
    assert rectangle(graph, sheet) == {(x, y) for x in (-1, 0, 1) for y in (0, 1, 2)}
    assert rectangle(graph, sheet, rules=RuleSet(retail=False)) == {(x, 1) for x in range(4)}


def test_a_part_in_another_landblock_is_taken_for_one_in_the_first_parts() -> None:
    """The client omits the offset here: 36 m east in the next landblock is 36 m east in this one."""
    sheet = part(model(ZERO, (0.5, 0.5, 0.5), flat=True), (36.0, 12.0, 0.0), BLOCK + 0x100)
    assert rectangle(flat_land(*AROUND), part(POST, (12.0, 12.0, 0.0)), sheet) == {(0, 0), (1, 0)}


@BOTH_RULES
def test_a_body_without_parts_covers_no_land(rules: RuleSet) -> None:
    ca = CellArray()
    add_outside_cells_of_parts(flat_land(BLOCK), rules, (BLOCK << 16) | 1, [], ca)
    assert ca.ids == []
    point = BodyPart(None, (BLOCK << 16) | 1, Frame((12.0, 12.0, 0.0)), Sphere(ZERO, 1.0), Box(ZERO, ZERO))
    assert rectangle(flat_land(BLOCK), point, rules=rules) == {(0, 0)}


# --- after the sweep


@BOTH_RULES
def test_a_sweep_out_of_a_house_leaves_the_array_searched_from_the_room(rules: RuleSet) -> None:
    """In the air, so that no probe followed: the room that labelled it, and then the land."""
    body = house_door(rules, 12.03)
    body.place.origin = (12.03, 12.0, 1.0)
    body.transient &= ~(TS_CONTACT | TS_ON_WALKABLE)
    push(body, -0.05)
    assert body.place.cell_id == LAND
    assert body.last_transition is not None
    assert body.last_transition.ca.listed()[0] == A


def test_a_body_that_crosses_a_portal_is_registered_where_the_sweep_searched() -> None:
    """His shadow is registered where the sweep's last search was, with the room that he left first."""
    body = doorway_between(RuleSet(), wall_at=4.5)
    body.transient &= ~(TS_CONTACT | TS_ON_WALKABLE)
    body.registry = registry_in(body.graph)
    body.place.origin = (-0.05, 0.0, 1.0)
    put(body.registry, setup(cylinders=[CylSphere(ZERO, 0.4, 1.8)]), A, body.place.origin, entity=body.id)
    push(body, 0.1)
    assert body.place.cell_id == B
    assert body.registry.cells_of(body.id) == [A, B]


# --- buildings


def test_no_body_hits_a_second_building_of_a_land_cell() -> None:
    """Two walls across the path, each the shell of a building: the land cell holds the first of them, 2 m further
    on."""
    shells = [box_model((0.0, -5.0, 0.0), (0.5, 5.0, 3.0), 0x01000001 + number) for number in range(2)]
    reached: list[float] = []
    for order in ((0, 1), (1, 0)):
        terrain = Terrain((BLOCK << 16) | 0xFFFF, [0] * VERTICES, [0] * VERTICES, HEIGHT_TABLE)
        land = [LandCell((BLOCK << 16) | low, terrain) for low in range(1, 65)]
        places = [Frame((8.0, 12.0, 0.0)), Frame((10.0, 12.0, 0.0))]
        houses = [Building(n, land[0].id, 0x02000001, places[n], shells[n], [], 0) for n in order]
        found = FaultLog(BLOCK << 16)
        settle(houses, land, found)
        assert [fault.index for fault in found.faults] == [1]
        graph = CellGraph()
        for cell in land:
            graph.add_cell(cell)
        body = body_in(hall([]), (6.0, 12.0, 0.0), graph=graph, ground=GROUND)
        body.cell = land[0]
        body.place.cell_id = body.contact_plane_cell_id = land[0].id
        push(body, 0.1, times=40)
        reached.append(body.place.origin[0])
    assert reached == pytest.approx([8.0 - 0.48, 10.0 - 0.48], abs=0.1)
