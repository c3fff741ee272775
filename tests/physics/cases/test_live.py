"""Recordings of live play and their expected results: cases C-LIVE-1 to C-LIVE-11 of physics.md 13.9, by id.

No fixture has the door's own meshes, so a slab replaces them: the closed door's slab of 9.1, and for C-LIVE-2 one as
thick as the synthetic door of C-LIVE-5. The slab of 9.1 ends at y = 17.10, 2 cm beyond the reach of that record's
sphere (17.600 - 0.48 = 17.120); the surface that stopped it in the record was further out.
"""

from __future__ import annotations

import math
from functools import cache

import pytest

from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.quat import from_axis_angle
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.body import Body
from engine.physics.flags import OI_EDGE_SLIDE, OI_IS_PLAYER, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.place import Place
from engine.physics.resolve import ResolveBody, ResolveResult, resolve
from engine.physics.rules import RuleSet
from engine.physics.sweep.acceptance import validate_transition
from engine.sim.captures.form import CaptureRecord, read_capture
from engine.sim.captures.replay import Replay, replay_capture
from engine.world.cells.cell import EnvCell
from engine.world.loader import Placement, open_world
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, graph_of, hall, has, push
from tests.physics.small_world import CELL_ID, floor, sweep
from tests.physics.things import DOOR_STATE, HALF_TURN, box_model, door_setup, flat_land, put, registry_in, setup
from tests.shared import SHARED, needs_shared

PORCH = 0xA9B40150
STREET = 0xA9B40029
DOOR = 0x000F4244
PLAYER = 1_000_000
MOVER = OI_IS_PLAYER | OI_EDGE_SLIDE
"""0x300"""

CLOSED = setup(models=[box_model((-0.95, -0.26, -0.1), (0.95, 0.0, 2.4))])
"""The slab of 9.1: from y = 16.84 to 17.10 at the reference door's position."""


def body_of_the_record(cell: EnvCell, at: Vec3) -> ResolveBody:
    body = ResolveBody(PLAYER, graph_of(cell), RuleSet())
    body.cell = cell
    body.place = Place(cell.id, at, Frame())
    body.transient = TS_ACTIVE | TS_CONTACT | TS_ON_WALKABLE
    body.contact_plane = Plane(UP, -94.0)
    body.contact_plane_cell_id = cell.id
    return body


def at_the_reference_door(start: Vec3, end: Vec3, door: Frame, cell_id: int, thing: str = "slab") -> ResolveResult:
    """A step of the player of the live records on a floor at z = 94, with the door closed."""
    cell = hall([floor(94.0, size=200.0)], cell_id=PORCH)
    graph = graph_of(cell)
    if cell_id != PORCH:
        graph = flat_land(0xA9B4, z=94)
        graph.add_cell(cell)
    shape = CLOSED if thing == "slab" else door_setup()
    put(registry_in(graph), shape, cell_id, ZERO, entity=DOOR, state=DOOR_STATE, frame=door)
    body = body_of_the_record(cell, start)
    body.graph = graph
    body.cell = graph.get_visible(cell_id)
    body.place.cell_id = body.contact_plane_cell_id = cell_id
    return resolve(graph, RuleSet(), start, end, cell_id, 0.48, 1.2, 0.6, 1.5, True, MOVER, PLAYER, body)


IN_THE_FRAME = Frame((132.55, 17.1, 94.1))


def test_c_live_1_the_closed_door_stops_the_player_who_walked_through_it() -> None:
    result = at_the_reference_door((132.36032, 16.811314, 94.0), (132.4347, 17.204084, 94.0), IN_THE_FRAME, PORCH)
    assert result.collision_normal_valid
    assert result.position[1] <= 17.0
    assert result.last_collided_object_id == DOOR
    assert not result.collided_with_environment


def test_c_live_2_from_outside_the_player_slides_along_the_closed_door() -> None:
    door = Frame((132.6, 17.1, 94.1))
    result = at_the_reference_door((133.13905, 18.018276, 94.0), (133.1034, 17.600323, 94.0), door, STREET, "door")
    assert result.position == pytest.approx((133.1034, 18.018276, 94.0), abs=1e-3)
    assert result.collision_normal == pytest.approx((0.0, 1.0, 0.0), abs=1e-3)
    assert result.position[1] >= 17.95
    assert result.cell_id == STREET


@pytest.mark.parametrize(
    ("start", "end", "side"),
    [pytest.param(16.3, 16.7, -1.0, id="C-LIVE-3"), pytest.param(17.6, 17.2, 1.0, id="C-LIVE-4")],
)
def test_the_closed_slab_is_met_from_its_side(start: float, end: float, side: float) -> None:
    result = at_the_reference_door((132.5, start, 94.0), (132.5, end, 94.0), IN_THE_FRAME, PORCH)
    assert result.collision_normal_valid
    assert result.collision_normal[1] * side > 0.5


def at_the_synthetic_door(x: float, y: float, rules: RuleSet) -> Body:
    cell = hall([floor(0.0, size=30.0)])
    graph = graph_of(cell)
    put(registry_in(graph, rules), door_setup(), cell.id, (12.0, 12.0, 0.0), state=DOOR_STATE)
    return body_in(cell, (x, y, 0.0), graph=graph, ground=GROUND, step_down=1.5, rules=rules)


@BOTH_RULES
@pytest.mark.parametrize("x", [12.0, 12.5])
def test_c_live_5_the_synthetic_door_stops_a_body_from_the_south(x: float, rules: RuleSet) -> None:
    body = at_the_synthetic_door(x, 11.0, rules)
    push(body, 0.0, 0.1, times=20)
    assert 11.4 < body.place.origin[1] < 12.0


@BOTH_RULES
@pytest.mark.parametrize("x", [12.0, 12.5])
def test_c_live_6_the_synthetic_door_stops_a_body_from_the_north(x: float, rules: RuleSet) -> None:
    body = at_the_synthetic_door(x, 13.0, rules)
    push(body, 0.0, -0.1, times=20)
    assert 12.85 > body.place.origin[1] > 12.30


# --- the cottage of issue98

COTTAGE = Frame((130.5, 11.5, 94.0), HALF_TURN)


@cache
def cottage_replays() -> dict[int, tuple[CaptureRecord, Replay]]:
    """The three records, replayed in the cottage's cells inside its shell, by their ticks."""
    folders = [SHARED / "fixtures" / "issue98", SHARED / "fixtures" / "cellar-ascent"]
    shell = Placement(0x01000A2B, 0xA9B40001, COTTAGE, building=True)
    world = open_world(folders, placements=[shell], ground=-1000.0)
    records = read_capture(SHARED / "fixtures" / "issue98" / "live-capture.jsonl")
    replays = replay_capture(world.graph, RuleSet(), records)
    return {record.tick: (record, replay) for record, replay in zip(records, replays, strict=True)}


@needs_shared
@pytest.mark.conformance
@pytest.mark.parametrize("tick", [pytest.param(0, id="C-LIVE-7"), pytest.param(376, id="C-LIVE-8")])
def test_a_zero_length_move_in_the_cellar_moves_nothing(tick: int) -> None:
    record, replay = cottage_replays()[tick]
    assert record.input.current == record.input.target
    assert replay.position == pytest.approx(record.result.position, abs=1e-3)
    assert replay.result.cell_id == record.result.cell_id
    assert not replay.result.collision_normal_valid


@needs_shared
@pytest.mark.conformance
def test_c_live_9_no_floor_overhead_stops_a_climb_out_of_the_cellar() -> None:
    _, replay = cottage_replays()[1183]
    result = replay.result
    assert not (result.collision_normal_valid and result.collision_normal[2] < -0.99)


# --- the contract


@pytest.mark.parametrize("has_plane", [True, False])
def test_c_live_10_a_zero_length_call_reports_only_its_own_ground(has_plane: bool) -> None:
    """The caller states that the body is on the ground; only a contact plane that it brings along counts."""
    cell = hall([floor(0.0)])
    body = None
    if has_plane:
        body = body_of_the_record(cell, ZERO)
        body.contact_plane = GROUND
    result = resolve(
        graph_of(cell), RuleSet(), ZERO, ZERO, cell.id, 0.48, 1.2, 0.6, 1.5, has_plane, MOVER, PLAYER, body
    )
    assert result.ok
    assert result.is_on_ground == has_plane
    assert result.in_contact == has_plane


def test_c_live_10_an_idle_body_in_the_air_is_never_on_the_ground() -> None:
    cell = hall([floor(0.0)])
    body = body_of_the_record(cell, ZERO)
    body.transient = TS_ACTIVE
    body.contact_plane = GROUND
    result = resolve(graph_of(cell), RuleSet(), ZERO, ZERO, cell.id, 0.48, 1.2, 0.6, 1.5, False, MOVER, PLAYER, body)
    assert not result.is_on_ground


def test_c_live_11_a_steep_plane_mid_sweep_keeps_the_last_known_plane() -> None:
    tr = sweep(hall([floor(0.0)]), ZERO, ZERO)
    tr.ci.init_last_known_contact_plane(CELL_ID, GROUND, False)
    steep = Plane((math.sin(1.2), 0.0, math.cos(1.2)), 0.0)
    tr.ci.set_contact_plane(steep, False, CELL_ID)
    assert tr.ci.last_known_contact_plane is GROUND
    validate_transition(tr, 1)
    assert tr.ci.last_known_contact_plane is steep


def test_a_turned_door_blocks_like_a_straight_one() -> None:
    cell = hall([floor(0.0, size=30.0)])
    graph = graph_of(cell)
    turned = Frame((12.0, 12.0, 0.0), from_axis_angle(UP, math.radians(37.0)))
    put(registry_in(graph), door_setup(), cell.id, ZERO, state=DOOR_STATE, frame=turned)
    body = body_in(cell, (12.0, 11.0, 0.0), graph=graph, ground=GROUND, step_down=1.5)
    push(body, 0.0, 0.1, times=10)
    assert body.place.origin[1] < 12.0
    assert has(body, TS_ON_WALKABLE)
