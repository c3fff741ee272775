"""A player in no cell: the reports, his way back, and that the state includes all of it (physics.md #8)."""

from __future__ import annotations

from functools import cache

import pytest

from engine.build.demo import ensure_demo
from engine.entities.events import FOUND, LOST, CellEvent
from engine.geometry.vec import add
from engine.physics.errors import PhysicsError
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE
from engine.physics.place import Place
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.entities import MoveEntity, SetState
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import PutPlayerBack, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRuleSet
from engine.sim.playback import Playback, verify
from engine.sim.recording import Recorder, Recording
from engine.sim.recording_file import parse_recording, recording_bytes
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_interior
from engine.world.loader import open_world
from engine.world.loader.edited import cell_record_bytes, record_of_cell
from engine.world.world import World
from tests.sim.helpers.small_worlds import (
    FALLS,
    FORWARD,
    big_hall,
    built,
    feet,
    hold,
    house,
    simulate,
    standing,
    with_people,
)

HEADING_NORTH = (1.0, 0.0, 0.0, 0.0)


def put_outside(sim: Simulation, x: float, y: float, z: float = 0.0) -> int:
    """Puts the player beyond the walls of his room without a sweep, still with its id, which it returns."""
    room = sim.graph.current_id
    sim.apply_edit(PlaceEntity(sim.player.id, room, x, y, z, *HEADING_NORTH))
    return room


def lost_in_a_dungeon() -> Simulation:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    put_outside(sim, 60.0, 20.0)
    while not sim.tick().lost:
        assert sim.tick_number < 10
    return sim


def test_a_player_beyond_a_dungeons_walls_is_reported_lost() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    room = put_outside(sim, 60.0, 20.0)
    reports = hold(sim, 0.2)
    first = next(report for report in reports if report.lost)
    assert sim.player.steered.cell is None
    assert sim.graph.current_id == 0
    assert first.cell == room
    (event,) = first.events
    assert isinstance(event, CellEvent)
    assert (event.what, event.entity_id, event.cell_id) == (LOST, sim.player.id, room)
    assert first.faults == ["the player has left all cells: none holds the centre"]


def step_out(sim: Simulation) -> None:
    """Off his spot and out of all cells in one sweep, as through a missing wall."""
    body = sim.player.steered
    room = body.cell
    assert room is not None
    walls, room.physics_tree = room.physics_tree, None
    body.transient &= ~(TS_CONTACT | TS_ON_WALKABLE)
    body.move_to(Place(room.id, (43.0, 20.0, 0.0), body.place.turn))
    room.physics_tree = walls
    assert body.cell is None


def test_a_lost_player_hangs_in_place_while_time_goes_on() -> None:
    sim = lost_in_a_dungeon()
    where = feet(sim)
    reports = hold(sim, 1.0, FORWARD)
    assert all(report.lost and not report.events for report in reports)
    assert feet(sim) == where


def test_outside_a_house_a_lost_player_is_on_the_land_in_the_next_tick() -> None:
    world = built(house)
    sim = standing(world, "room", (108.0, 108.0, 20.1))
    put_outside(sim, 100.0, 108.0, 20.2)
    while not sim.tick().lost:
        assert sim.tick_number < 10
    back = sim.tick()
    assert not back.lost
    assert back.on_walkable
    assert not is_interior(back.cell)
    assert sim.graph.current_id == back.cell
    assert [event.what for event in back.events] == [FOUND]
    assert back.faults == []


def test_an_edit_puts_a_lost_player_back_into_his_last_cell() -> None:
    sim = standing(built(big_hall), "hall", (36.0, 20.0))
    room = sim.graph.current_id
    before = feet(sim)
    with pytest.raises(PhysicsError, match="nothing to return from"):
        sim.apply_edit(PutPlayerBack())
    step_out(sim)
    sim.apply_edit(PutPlayerBack())
    assert feet(sim) == pytest.approx(before, abs=1e-3)
    assert sim.graph.current_id == room
    assert not sim.tick().lost
    hold(sim, 1.0, FORWARD)
    assert feet(sim)[1] > before[1] + 1.0


def test_a_lost_player_whose_old_position_is_taken_stays_lost() -> None:
    sim = lost_in_a_dungeon()
    held = sim.player.steered.held
    assert held is not None
    held.origin = (90.0, 90.0, 0.0)
    before = sim.snapshot()
    with pytest.raises(PhysicsError, match="nothing can be placed"):
        sim.apply_edit(PutPlayerBack())
    assert sim.snapshot() == before


def test_no_body_meets_a_lost_player_and_no_edit_restores_his_shadow() -> None:
    sim = lost_in_a_dungeon()
    sim.apply_edit(SetPlayerNumber("radius", 0.4))
    sim.population.find_cells_again(sim.player.steered.place.cell_id)
    assert sim.population.registry.cells_of(sim.player.id) == []


def hollow() -> Simulation:
    """A player high up in a hall without floor or walls."""
    world = built(big_hall)
    sim = simulate(world)
    hall = sim.graph.get_visible(world.cell_id("hall"))
    assert hall is not None
    hall.physics_tree = None
    sim.apply_edit(Teleport(hall.id, 20.0, 20.0, 3.0, 0.0))
    return sim


def run(sim: Simulation) -> Recording:
    """He falls out of the hall, hangs there, is put back, and falls again."""
    with Recorder(sim, "here", spacing=16) as recorder:
        assert hold(sim, 2.0, FORWARD)[-1].lost
        sim.apply_edit(PutPlayerBack())
        assert [report.lost for report in hold(sim, 1.0, FORWARD)][::29] == [False, True]
    return recorder.recording


def test_a_recording_with_a_lost_player_replays_seeks_and_branches() -> None:
    recording = parse_recording(recording_bytes(run(hollow())), "memory")
    cells = [recording.samples[number].cell for number in range(len(recording))]
    assert [cells[0], cells[59], cells[60], cells[-1]] == [0x00070100, 0, 0x00070100, 0]
    assert verify(hollow(), recording) is None
    playback = Playback(hollow(), recording)
    for tick in (70, 8, 59, 20, 61, recording.end):
        playback.seek(tick)
        assert playback.sim.state_hash() == recording.hash_before(tick)
    playback.branch(50)
    sim = playback.sim
    assert sim.player.steered.cell is None
    sim.apply_edit(PutPlayerBack())
    assert not sim.tick().lost


def test_the_state_of_a_lost_player_is_restored_bit_by_bit() -> None:
    sim, other = hollow(), hollow()
    hold(sim, 2.0)
    other.restore(sim.snapshot())
    assert other.state_hash() == sim.state_hash()
    assert other.player.steered.cell is None
    for each in (sim, other):
        assert each.tick().lost
        each.apply_edit(PutPlayerBack())
    assert other.state_hash() == sim.state_hash()


def test_under_the_servers_rules_the_move_is_refused_and_no_one_is_lost() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    sim.apply_edit(SetRuleSet("ace"))
    put_outside(sim, 60.0, 20.0)
    reports = hold(sim, 0.5, FORWARD)
    assert not any(report.lost for report in reports)
    assert sim.player.steered.cell is not None


def test_another_lost_body_returns_when_its_room_is_replaced() -> None:
    world = built(with_people)
    sim = simulate(world)
    sim.apply_edit(Teleport(world.cell_id("hall"), 5.0, 5.0, 0.0, 0.0))
    (person,) = sim.population.movers
    body = person.body
    assert body is not None
    cell = body.cell
    assert cell is not None
    sim.apply_edit(SetState(person.id, FALLS))
    at = body.place.origin
    sim.apply_edit(MoveEntity(person.id, cell.id, at[0] + 60.0, at[1], 5.0, 0.0))
    reports = hold(sim, 0.2)
    lost = [event for report in reports for event in report.events if event.what == LOST]
    assert [event.entity_id for event in lost] == [person.id]
    assert body.cell is None
    assert sim.population.registry.cells_of(person.id) == []
    body.place.origin = at
    assert isinstance(cell, EnvCell)
    sim.apply_edit(ReplaceCell(cell_record_bytes(record_of_cell(sim.world.source, cell)), b""))
    assert body.cell is sim.graph.get_visible(cell.id)


# --- no arrival outside the cells


@cache
def demo() -> World:
    return open_world(ensure_demo())


def test_a_teleport_without_a_free_spot_in_a_cell_is_refused() -> None:
    sim = Simulation(demo())
    before = sim.snapshot()
    with pytest.raises(PhysicsError, match=r"nothing can be placed .* in 0x0007012A: no valid position"):
        sim.apply_edit(Teleport(0x0007012A, 23.884, -15.868, 1.618, 0.0))
    assert sim.snapshot() == before


def test_a_teleport_to_the_cottages_foundations_arrives_and_stays_inside() -> None:
    sim = Simulation(demo())
    sim.apply_edit(Teleport(0xC95B0128, 113.839, 109.336, 18.1, 0.0))
    body = sim.player.steered
    assert body.cell is not None
    assert body.cell.point_in_cell(add(body.place.origin, body.spheres[0].center))
    reports = hold(sim, 10.0)
    assert not any(report.lost for report in reports)
    assert feet(sim)[2] > 16.0
