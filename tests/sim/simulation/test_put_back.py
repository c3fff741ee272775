"""Edits that undo edits: they restore what changed since the last tick bit by bit, and nothing else."""

from __future__ import annotations

import pytest

from engine.physics.errors import PhysicsError
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import LockDoor, OpenDoor, SetDoorTimer, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import MoveEntity
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.rules import SetRuleSet
from engine.sim.edits.world import RestoreSnapshot
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.loader.edited import cell_record_bytes, record_of_cell
from tests.sim.helpers.small_worlds import FORWARD, built, feet, hold, standing, two_rooms, with_people


def at_the_door() -> tuple[Simulation, int]:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0), 90.0)
    hold(sim, 0.5)
    return sim, sim.population.doors[0].id


def test_undoing_restores_the_state_and_drops_the_events_of_the_edit() -> None:
    sim, door = at_the_door()
    sim.apply_edit(LockDoor(door, True))
    state, snapshot, waiting = sim.state_hash(), sim.snapshot(), sim.waiting
    sim.apply_edit(OpenDoor(door))
    sim.apply_edit(RestoreSnapshot(snapshot, waiting))
    assert sim.state_hash() == state
    assert [event.what for event in sim.tick().events] == ["locked"]


def test_undoing_is_an_edit_that_can_be_replayed() -> None:
    (first, door), (second, _) = at_the_door(), at_the_door()
    kept: list[Edit] = []
    first.listen(lambda tick, edit: kept.append(edit))
    snapshot = first.snapshot()
    first.apply_edit(OpenDoor(door))
    first.apply_edit(RestoreSnapshot(snapshot, 0))
    for edit in kept:
        second.apply_edit(edit)
    hold(first, 1.0, FORWARD)
    hold(second, 1.0, FORWARD)
    assert first.snapshot() == second.snapshot()
    assert feet(first)[0] < 6.0


def test_undoing_never_changes_the_time() -> None:
    sim, _ = at_the_door()
    snapshot = sim.snapshot()
    sim.tick()
    state = sim.state_hash()
    with pytest.raises(PhysicsError, match="time has passed"):
        sim.apply_edit(RestoreSnapshot(snapshot, 0))
    with pytest.raises(PhysicsError, match="0 events"):
        sim.apply_edit(RestoreSnapshot(sim.snapshot(), 1))
    assert sim.state_hash() == state


def test_placing_the_player_without_a_sweep_moves_the_current_cell() -> None:
    sim, _ = at_the_door()
    hall, study = (sim.graph.current_id, sim.graph.current_id + 1)
    sim.apply_edit(PlaceEntity(sim.player.id, study, 8.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    assert sim.graph.current_id == study
    assert sim.tick().cell == study
    sim.apply_edit(PlaceEntity(sim.player.id, hall, 3.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    assert sim.graph.current_id == hall


def test_a_body_can_be_placed_leaning_but_not_at_an_invalid_position() -> None:
    sim = standing(built(with_people), "hall", (20.0, 10.0))
    person, hall = sim.population.ordered[0].id, sim.graph.current_id
    sim.apply_edit(PlaceEntity(person, hall, 8.0, 8.0, 1.0, 0.6, 0.8, 0.0, 0.0))
    assert sim.population.entity(person).place_frame().rotation == pytest.approx((0.6, 0.8, 0.0, 0.0))
    state = sim.state_hash()
    with pytest.raises(PhysicsError, match="not a place"):
        sim.apply_edit(PlaceEntity(person, hall, 8.0, 8.0, 1.0, 0.0, 0.0, 0.0, 0.0))
    assert sim.state_hash() == state


def test_a_door_resets_after_its_new_interval() -> None:
    sim, door = at_the_door()
    sim.apply_edit(SetResetInterval(door, 2.0))
    sim.apply_edit(UseDoor(door, 0))
    events = [event.what for report in hold(sim, 4.0) for event in report.events]
    assert events == ["opening", "opened", "closing", "closed"]
    with pytest.raises(PhysicsError, match="goes back after"):
        sim.apply_edit(SetResetInterval(door, -1.0))


def test_a_door_whose_timer_is_stopped_stays_open() -> None:
    sim, door = at_the_door()
    sim.apply_edit(SetResetInterval(door, 1.0))
    sim.apply_edit(UseDoor(door, 0))
    sim.apply_edit(SetDoorTimer(door, -1))
    hold(sim, 3.0)
    assert sim.population.door(door).is_open


def test_under_ace_a_body_in_an_edited_room_is_registered_in_the_new_one() -> None:
    """Those rules keep every cell that a body was ever in, and one of them is another object now."""
    sim, door = at_the_door()
    sim.apply_edit(SetRuleSet("ace"))
    hall = sim.graph.get_visible(0x00070100)
    assert isinstance(hall, EnvCell)
    sim.apply_edit(MoveEntity(door, hall.id, 1.0, 1.0, 0.0, 0.0))
    sim.apply_edit(ReplaceCell(cell_record_bytes(record_of_cell(sim.world.source, hall)), b""))
    sim.apply_edit(MoveEntity(door, hall.id, 1.0, 1.5, 0.0, 0.0))
    assert door in sim.population.registry.objects_in(hall.id)
