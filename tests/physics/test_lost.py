"""Bodies that no cell holds: how they become lost, and how they return (physics.md #7 to #10)."""

from __future__ import annotations

import pytest

from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.body import Body
from engine.physics.flags import TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.place import Place
from engine.physics.resolve import ResolveBody, resolve
from engine.physics.rules import RuleSet, rule_set
from engine.physics.set_position import SP_OK, SP_PLACEMENT, SP_SLIDE, reenter, set_position
from engine.world.cells.cell import SEEN_OUTSIDE
from engine.world.graph.graph import CellGraph
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, box_tree, hall, has, one_sphere, push
from tests.physics.small_world import floor
from tests.physics.things import flat_land, put, registry_in, setup

ROOM = 0xA9B40170
STUDY = 0xA9B40171
LAND = 0xA9B40001
EASTERN = 0xA9B40009
RETAIL = rule_set("retail")


def gap(seen_outside: bool = True, *, stab: list[int] | None = None, rules: RuleSet = RETAIL) -> Body:
    """A body in a room from x = 12 to 20 without walls or portals, with land all around."""
    graph = flat_land(0xA9B4)
    flags = SEEN_OUTSIDE if seen_outside else 0
    tree = box_tree((12.0, 8.0, -1.0), (20.0, 16.0, 3.0))
    room = hall([floor(0.0, size=30.0)], cell_id=ROOM, tree=tree, flags=flags, stab=stab)
    graph.add_cell(room)
    body = body_in(room, (12.1, 12.0, 0.0), graph=graph, ground=GROUND, step_down=1.5, rules=rules)
    body.registry = registry_in(graph, rules)
    room.object_list.append(body.id)
    put(body.registry, setup(spheres=one_sphere(0.3)), ROOM, body.place.origin, entity=body.id)
    return body


def shadows(graph: CellGraph) -> list[int]:
    return [cell.id for cell in graph.all_cells() if cell.shadow_objects]


def test_a_body_that_leaves_a_room_through_a_gap_keeps_the_rooms_id() -> None:
    body = gap()
    assert shadows(body.graph) == [ROOM]
    assert push(body, -1.1)
    assert body.cell is None
    assert body.place.cell_id == ROOM
    assert body.place.origin == (11.0, 12.0, 0.0)
    assert body.held is not None
    assert body.held.cell_id == ROOM
    assert body.held.origin == pytest.approx((12.1, 12.0, 0.0))


def test_a_lost_body_sleeps_keeps_its_contact_and_blocks_nothing() -> None:
    body = gap()
    room = body.cell
    assert room is not None
    push(body, -1.1)
    assert has(body, TS_CONTACT | TS_ON_WALKABLE)
    assert not has(body, TS_ACTIVE)
    assert body.contact_plane.normal == UP
    assert room.object_list == []
    assert shadows(body.graph) == []
    body.step(1.0 / 30.0)
    assert body.place.origin == (11.0, 12.0, 0.0)


def test_the_server_refuses_such_a_move() -> None:
    body = gap(rules=rule_set("ace"))
    assert not push(body, -1.1)
    assert body.cell is not None
    assert body.place.origin == pytest.approx((12.1, 12.0, 0.0))


def test_from_a_room_that_sees_outside_a_lost_body_returns_to_the_land() -> None:
    body = gap()
    push(body, -1.1)
    assert reenter(body)
    assert body.place.cell_id == LAND
    assert body.cell is body.graph.get_visible(LAND)
    assert has(body, TS_CONTACT | TS_ON_WALKABLE | TS_ACTIVE)
    assert body.held is None
    assert shadows(body.graph) == [LAND]
    assert body.place.origin == pytest.approx((11.0, 12.0, 0.0), abs=1e-3)


def test_in_a_dungeon_a_lost_body_stays_lost_wherever_it_moves() -> None:
    body = gap(seen_outside=False)
    push(body, -1.1)
    for _ in range(5):
        assert not reenter(body)
    assert body.cell is None
    assert not has(body, TS_ACTIVE)
    assert (body.place.cell_id, body.place.origin) == (ROOM, (11.0, 12.0, 0.0))


def test_a_room_in_the_stab_list_of_a_lost_bodys_room_takes_it_in() -> None:
    body = gap(seen_outside=False, stab=[STUDY])
    tree = box_tree((4.0, 8.0, -1.0), (11.5, 16.0, 3.0))
    body.graph.add_cell(hall([floor(0.0, size=30.0)], cell_id=STUDY, tree=tree, stab=[ROOM]))
    push(body, -1.1)
    assert body.cell is None
    assert reenter(body)
    assert body.place.cell_id == STUDY


def test_an_outdoor_body_over_no_land_is_lost_with_the_id_of_its_position() -> None:
    graph = flat_land(0xA9B4)
    graph.remove_cell(EASTERN)
    body = body_in(hall([]), (0.0, 0.0, 0.0), graph=graph)
    body.place, body.cell = Place(LAND, (23.9, 12.0, 5.0), Frame()), graph.get_visible(LAND)
    assert push(body, 0.4)
    assert body.cell is None
    assert body.place.cell_id == EASTERN


@BOTH_RULES
def test_the_sweep_does_not_look_up_the_land_under_a_lost_body(rules: RuleSet) -> None:
    body = gap(rules=rules)
    push(body, -1.1)
    tr = body.last_transition
    assert tr is not None
    assert tr.found
    assert tr.sp.curr_cell is None
    assert tr.sp.curr.cell_id == ROOM


@BOTH_RULES
def test_a_room_without_a_cell_tree_keeps_a_body_that_walks_in_it(rules: RuleSet) -> None:
    body = gap(rules=rules)
    assert body.cell is not None
    body.cell.cell_tree = None
    assert push(body, -0.2, times=10)
    assert body.place.cell_id == ROOM
    assert body.cell is not None


@BOTH_RULES
def test_a_room_without_a_cell_tree_admits_no_body(rules: RuleSet) -> None:
    body = gap(rules=rules)
    room = body.cell
    assert room is not None
    room.cell_tree = None
    body.cell = None
    tr = body.new_transition()
    tr.init_path(room, None, Place(ROOM, (14.0, 12.0, 0.5), Frame()))
    assert not tr.find_valid_position()


# --- placing needs a cell (#9)


def alcove(rules: RuleSet) -> Body:
    """A room of 10 by 10 m without its northern wall, with another body at the wanted position."""
    tree = box_tree((0.0, 0.0, -1.0), (10.0, 10.0, 3.0))
    room = hall([floor(0.0, size=30.0)], cell_id=ROOM, tree=tree)
    graph = flat_land(0xA9B4)
    graph.add_cell(room)
    body = body_in(room, (5.0, 9.8, 0.0), graph=graph, step_down=1.5, rules=rules)
    registry = registry_in(graph, rules)
    put(registry, setup(spheres=one_sphere(0.48)), ROOM, (5.0, 9.8, 0.0))
    body.cell = None
    return body


@BOTH_RULES
def test_a_placement_rejects_a_free_spot_beyond_the_room(rules: RuleSet) -> None:
    body = alcove(rules)
    assert set_position(body, Place(ROOM, (5.0, 9.8, 0.0), Frame()), SP_PLACEMENT | SP_SLIDE) == SP_OK
    x, y, _ = body.place.origin
    assert 0.0 < x < 10.0
    assert 0.0 < y < 10.0
    assert abs(x - 5.0) + abs(y - 9.8) > 0.5
    assert body.place.cell_id == ROOM


# --- a move of zero length (#10)


def creep(rules: RuleSet) -> Body:
    return body_in(hall([floor(0.0)]), ZERO, ground=GROUND, rules=rules)


def test_c_tr_26_less_than_the_tolerance_never_adds_up() -> None:
    body = creep(RETAIL)
    push(body, 0.0001, times=10)
    assert body.place.origin == ZERO
    assert body.last_transition is None


def test_turning_on_the_spot_makes_no_sweep() -> None:
    body = creep(RETAIL)
    body.cached_velocity = (1.0, 0.0, 0.0)
    assert body.move_to(Place(body.place.cell_id, ZERO, Frame(ZERO, from_heading(10.0))))
    assert body.last_transition is None
    assert body.place.turn.heading() == pytest.approx(10.0)
    assert body.cached_velocity == ZERO


# --- a move given by numbers


@pytest.mark.parametrize(("name", "ok"), [("retail", True), ("ace", False)])
def test_a_resolved_move_out_of_all_cells_is_committed_except_by_a_server(name: str, ok: bool) -> None:
    rules = rule_set(name)
    stood = gap(rules=rules)
    body = ResolveBody(1, stood.graph, rules)
    body.place = stood.place.copy()
    body.cell = stood.cell
    body.transient = TS_ACTIVE | TS_CONTACT | TS_ON_WALKABLE
    body.contact_plane = GROUND
    body.contact_plane_cell_id = ROOM
    start: Vec3 = (12.1, 12.0, 0.0)
    result = resolve(stood.graph, rules, start, (11.0, 12.0, 0.0), ROOM, 0.48, 1.2, 0.6, 1.5, True, 0, stood.id, body)
    assert result.ok is ok
    assert result.cell_id == ROOM
    assert (body.cell is None) is ok
    assert has(body, TS_ACTIVE) is not ok
    assert has(body, TS_CONTACT | TS_ON_WALKABLE)
    assert body.place.origin == ((11.0, 12.0, 0.0) if ok else pytest.approx(start))
