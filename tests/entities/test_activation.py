"""Switches, plates and doors that use other doors (physics.md 9.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.entities import events
from engine.entities.door import Door
from engine.geometry.frame import Frame
from engine.physics.errors import PhysicsError
from engine.physics.flags import ETHEREAL
from engine.sim.edits.doors import LockDoor, UseDoor
from engine.sim.edits.entities import AddEntity, spec_text
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.entity_spec import EntitySpec
from tests.sim.helpers.small_worlds import FORWARD, TICKS, built, feet, hold, standing, two_rooms

LEVER, OTHER = 0x70007101, 0x70007102


def hall() -> tuple[Simulation, Door, EntitySpec]:
    """The player in the hall 1.5 m before the door, facing it; with the door's specification, to make others of."""
    made = built(two_rooms)
    sim = standing(made, "hall", (4.6, 2.0), 90.0)
    return sim, sim.population.doors[0], made.entity("door")


def add(sim: Simulation, like: EntitySpec, guid: int, kind: str, x: float, y: float, **extra: object) -> None:
    frame = Frame((x, y, like.frame.origin[2]), like.frame.rotation)
    cell_id = sim.player.place_cell()
    spec = replace(like, guid=guid, name=kind, kind=kind, frame=frame, extra=extra, cell_id=cell_id)
    sim.apply_edit(AddEntity(spec_text(spec)))


def stands(door: Door) -> str:
    return "open" if door.is_open else "closed"


def told(reports: list[TickReport]) -> list[tuple[str, int]]:
    return [(event.what, event.by) for report in reports for event in report.events]


def test_a_lever_opens_the_door_that_it_is_linked_to_and_never_closes_it() -> None:
    sim, door, like = hall()
    add(sim, like, LEVER, "switch", 2.0, 3.5, activates=[door.id])
    sim.apply_edit(UseDoor(LEVER, sim.player.id))
    assert told(hold(sim, 1.0)) == [(events.OPENING, LEVER), (events.OPENED, 0)]
    sim.apply_edit(UseDoor(LEVER, sim.player.id))
    assert told(hold(sim, 1.0)) == []
    assert door.is_open
    assert events.CLOSING in [what for what, _ in told(hold(sim, 31.0))]
    assert not door.is_open


def test_a_lever_does_not_open_a_locked_door() -> None:
    sim, door, like = hall()
    add(sim, like, LEVER, "switch", 2.0, 3.5, activates=[door.id])
    sim.apply_edit(LockDoor(door.id, True))
    sim.apply_edit(UseDoor(LEVER, sim.player.id))
    assert (events.REFUSED, LEVER) in told(hold(sim, 0.1))
    assert not door.is_open


def test_using_a_lever_is_undone_with_its_door() -> None:
    sim, door, like = hall()
    add(sim, like, LEVER, "switch", 2.0, 3.5, activates=[door.id])
    edit = UseDoor(LEVER, sim.player.id)
    back = edit.inverse(sim)
    sim.apply_edit(edit)
    assert stands(door) == "open"
    for step in back:
        sim.apply_edit(step)
    assert stands(door) == "closed"
    assert door.reset_at == -1


def test_a_thing_without_links_is_no_door() -> None:
    sim, _, like = hall()
    add(sim, like, LEVER, "switch", 2.0, 3.5)
    with pytest.raises(PhysicsError, match="is a switch and no door"):
        sim.apply_edit(UseDoor(LEVER, sim.player.id))


def test_a_door_uses_the_door_that_it_is_linked_to_once() -> None:
    sim, door, like = hall()
    add(sim, like, OTHER, "door", 2.0, 3.5, activates=[door.id, OTHER, 12345])
    door.activates = [OTHER]
    sim.apply_edit(UseDoor(OTHER, 0))
    assert told(hold(sim, 1.0))[:2] == [(events.OPENING, 0), (events.OPENING, OTHER)]
    other = sim.population.door(OTHER)
    assert other.is_open
    assert door.is_open
    sim.apply_edit(UseDoor(OTHER, 0))
    hold(sim, 1.0)
    assert (other.is_open, door.is_open) == (False, False)


def test_walking_onto_a_plate_opens_its_door() -> None:
    sim, door, like = hall()
    state = like.state | ETHEREAL
    add(sim, replace(like, state=state), LEVER, "pressure plate", 5.2, 2.0, activates=[door.id])
    hold(sim, 1.0)
    assert not door.is_open
    reports: list[TickReport] = []
    while feet(sim)[0] < 6.6 and len(reports) < 3 * TICKS:
        reports.append(sim.tick(FORWARD))
    assert (events.OPENING, LEVER) in told(reports)
    assert feet(sim)[0] >= 6.6


def test_standing_on_a_plate_does_not_open_its_door_again() -> None:
    sim, door, like = hall()
    add(sim, replace(like, state=like.state | ETHEREAL), LEVER, "pressure plate", 5.2, 2.0, activates=[door.id])
    while not door.is_open:
        sim.tick(FORWARD)
    hold(sim, 40.0)
    assert not door.is_open


def test_a_door_goes_back_to_its_defaults_and_not_to_how_it_stood() -> None:
    made = built(two_rooms)
    sim = standing(made, "hall", (4.6, 2.0), 90.0)
    like = made.entity("door")
    add(sim, like, OTHER, "door", 2.0, 3.5, open=False, locked=False, default_locked=True, reset_interval=2)
    other = sim.population.door(OTHER)
    assert not other.locked
    sim.apply_edit(UseDoor(OTHER, 0))
    hold(sim, 1.9)
    assert other.is_open
    hold(sim, 1.0)
    assert (other.is_open, other.locked) == (False, True)


def test_a_run_with_levers_comes_out_the_same_again() -> None:
    hashes = []
    for _ in range(2):
        sim, door, like = hall()
        add(sim, like, LEVER, "switch", 2.0, 3.5, activates=[door.id])
        sim.apply_edit(UseDoor(LEVER, sim.player.id))
        hold(sim, 0.3)
        kept = sim.snapshot()
        hold(sim, 1.0)
        hashes.append(sim.state_hash())
        sim.restore(kept)
        hold(sim, 1.0)
        hashes.append(sim.state_hash())
    assert len(set(hashes)) == 1
