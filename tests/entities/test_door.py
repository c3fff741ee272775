"""The whole life of a door (physics.md 9): only the tick advances its time."""

from __future__ import annotations

import pytest

from engine.build.built import BuiltWorld
from engine.entities import events
from engine.entities.door import Door
from engine.physics.errors import PhysicsError
from engine.physics.flags import ETHEREAL
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, UseDoor
from engine.sim.edits.entities import SetState, SetVelocity
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.small_worlds import (
    FORWARD,
    TICKS,
    built,
    door_without_motions,
    feet,
    flat_distance,
    hold,
    open_all,
    simulate,
    standing,
    two_rooms,
    with_people,
)

SWING = 15
"""The number of ticks that a leaf takes to open or close."""

RESET = 30 * TICKS


def door_of(sim: Simulation) -> Door:
    return sim.population.doors[0]


def passable(sim: Simulation) -> bool:
    return bool(sim.population.state_of(door_of(sim).id) & ETHEREAL)


def told(reports: list[TickReport]) -> list[tuple[int, str]]:
    return [(event.tick, event.what) for report in reports for event in report.events]


def in_hall(world: BuiltWorld | None = None) -> Simulation:
    """The player in the hall, 1.5 m behind the door, facing it."""
    return standing(world or built(two_rooms), "hall", (4.6, 2.0), 90.0)


def in_study(world: BuiltWorld | None = None) -> Simulation:
    """The player in the study, 1.5 m in front of the door, facing it."""
    return standing(world or built(two_rooms), "study", (7.6, 2.0), 270.0)


def use(sim: Simulation) -> None:
    sim.apply_edit(UseDoor(door_of(sim).id, sim.player.id))


def locked_door() -> BuiltWorld:
    return two_rooms(locked=True).build()


def test_a_door_starts_closed_and_solid() -> None:
    sim = in_hall()
    assert not door_of(sim).is_open
    assert not passable(sim)


def test_a_used_door_is_passable_before_its_leaf_moves() -> None:
    sim = in_hall()
    use(sim)
    assert passable(sim)
    assert told(hold(sim, 1.0)) == [(0, events.OPENING), (SWING, events.OPENED)]


def test_the_controls_of_a_tick_use_a_door() -> None:
    sim = in_hall()
    report = sim.tick(Controls(use=door_of(sim).id))
    assert [(event.what, event.by) for event in report.events] == [(events.OPENING, sim.player.id)]
    assert passable(sim)


def test_a_moving_door_cannot_be_used() -> None:
    sim = in_hall()
    use(sim)
    hold(sim, 0.2)
    use(sim)
    assert [what for _, what in told(hold(sim, 1.0))] == [events.BUSY, events.OPENED]
    assert door_of(sim).is_open


def test_a_closing_door_becomes_solid_when_its_leaf_arrives() -> None:
    sim = in_hall()
    use(sim)
    hold(sim, 1.0)
    use(sim)
    reports = hold(sim, 1.0)
    assert told(reports) == [(TICKS, events.CLOSING), (TICKS + SWING, events.CLOSED)]
    assert not passable(sim)


def test_a_closing_door_is_passable_until_its_leaf_arrives() -> None:
    sim = in_hall()
    use(sim)
    hold(sim, 1.0)
    use(sim)
    for _ in range(SWING):
        assert passable(sim)
        sim.tick()
    assert passable(sim)
    sim.tick()
    assert not passable(sim)


def test_a_door_closes_on_its_own_thirty_seconds_after_its_use() -> None:
    sim = in_hall()
    use(sim)
    reports = hold(sim, 32.0)
    assert told(reports)[2:] == [(RESET, events.CLOSING), (RESET + SWING, events.CLOSED)]
    assert not passable(sim)


def test_only_the_last_use_starts_the_reset_interval() -> None:
    sim = in_hall()
    use(sim)
    hold(sim, 10.0)
    use(sim)
    hold(sim, 10.0)
    use(sim)
    reports = hold(sim, 35.0)
    assert (20 * TICKS + RESET, events.CLOSING) in told(reports)
    assert all(tick != RESET for tick, _ in told(reports))


def test_the_reset_interval_is_the_doors_own() -> None:
    sim = in_hall(two_rooms(reset_interval=4.0).build())
    use(sim)
    assert (4 * TICKS, events.CLOSING) in told(hold(sim, 6.0))


def test_a_locked_door_refuses_a_player_in_front_of_it() -> None:
    sim = in_study(locked_door())
    use(sim)
    assert told(hold(sim, 0.1)) == [(0, events.REFUSED)]
    assert not passable(sim)


def test_a_locked_door_opens_for_a_player_behind_it_and_stays_locked() -> None:
    sim = in_hall(locked_door())
    use(sim)
    assert passable(sim)
    assert door_of(sim).locked


def test_an_unlocked_door_locks_itself_again_on_reset() -> None:
    sim = in_study(locked_door())
    sim.apply_edit(LockDoor(door_of(sim).id, False))
    use(sim)
    reports = hold(sim, 32.0)
    assert told(reports)[0] == (0, events.UNLOCKED)
    assert (RESET, events.LOCKED) in told(reports)
    assert door_of(sim).locked


def test_a_locked_door_blocks_like_a_closed_one() -> None:
    sim = in_study(locked_door())
    hold(sim, 3.0, FORWARD)
    assert feet(sim)[0] > 6.1


def test_a_door_that_is_open_by_default_starts_passable_and_opens_again() -> None:
    sim = in_hall(two_rooms(is_open=True).build())
    assert passable(sim)
    use(sim)
    hold(sim, 1.0)
    assert not passable(sim)
    reports = hold(sim, 30.0)
    assert (RESET, events.OPENING) in told(reports)
    assert passable(sim)


def test_a_door_closed_before_its_reset_is_left_alone() -> None:
    sim = in_hall()
    use(sim)
    hold(sim, 1.0)
    use(sim)
    hold(sim, 1.0)
    assert told(hold(sim, 35.0)) == []


def test_a_door_opened_without_a_user_stays_open() -> None:
    sim = in_hall()
    sim.apply_edit(OpenDoor(door_of(sim).id))
    hold(sim, 60.0)
    assert passable(sim)
    sim.apply_edit(CloseDoor(door_of(sim).id))
    hold(sim, 1.0)
    assert not passable(sim)


def test_a_switch_only_opens() -> None:
    sim = in_hall(two_rooms(only_opens=True).build())
    use(sim)
    hold(sim, 1.0)
    use(sim)
    assert told(hold(sim, 1.0)) == []
    assert door_of(sim).is_open


def test_a_closing_door_waits_for_a_body_inside_and_closes_behind_it() -> None:
    sim = in_hall()
    use(sim)
    while feet(sim)[0] < 6.0:
        sim.tick(FORWARD)
    sim.apply_edit(CloseDoor(door_of(sim).id))
    reports = hold(sim, 3.0)
    assert [what for _, what in told(reports)][-2:] == [events.CLOSING, events.HELD]
    assert passable(sim)
    assert door_of(sim).held
    reports = hold(sim, 1.0, FORWARD)
    assert [what for _, what in told(reports)] == [events.CLOSED]
    assert not passable(sim)


def test_a_door_that_waits_for_a_body_tries_again_each_second() -> None:
    sim = in_hall()
    use(sim)
    while feet(sim)[0] < 6.0:
        sim.tick(FORWARD)
    sim.apply_edit(CloseDoor(door_of(sim).id))
    held_at = next(tick for tick, what in told(hold(sim, 3.0)) if what == events.HELD)
    sim.apply_edit(Teleport(sim.player.place_cell(), 2.0, 2.0, 0.0, 90.0))
    closed_at = next(tick for tick, what in told(hold(sim, 2.0)) if what == events.CLOSED)
    assert (closed_at - held_at) % 30 == 0


def test_a_door_closed_by_a_server_is_solid_at_once_around_a_body_in_it() -> None:
    sim = in_hall()
    use(sim)
    while feet(sim)[0] < 6.0:
        sim.tick(FORWARD)
    door = door_of(sim)
    sim.apply_edit(SetState(door.id, 0x10008))
    entry = sim.population.registry.entity(door.id)
    assert entry.obj.state == 0x10008
    for cell_id in entry.cell_ids:
        cell = sim.graph.get_visible(cell_id)
        assert cell is not None
        assert [one for one in cell.shadow_objects if one.object_id == door.id] == [entry.obj]
    before = feet(sim)
    hold(sim, 1.0, FORWARD)
    assert flat_distance(feet(sim), before) < 0.2, "the slab holds him"


def test_a_held_door_can_be_opened_again() -> None:
    sim = in_hall()
    use(sim)
    while feet(sim)[0] < 6.0:
        sim.tick(FORWARD)
    sim.apply_edit(CloseDoor(door_of(sim).id))
    hold(sim, 2.0)
    use(sim)
    hold(sim, 1.0)
    assert door_of(sim).is_open
    assert not door_of(sim).held


def test_a_body_that_only_touches_a_closing_door_does_not_hold_it() -> None:
    sim = in_hall()
    use(sim)
    hold(sim, 1.0)
    sim.apply_edit(Teleport(sim.player.place_cell(), 5.575, 2.0, 0.0, 90.0))  # the slab begins at 6.06
    sim.apply_edit(CloseDoor(door_of(sim).id))
    assert events.HELD not in [what for _, what in told(hold(sim, 0.6))]
    assert not passable(sim)


def test_a_door_collides_as_closed_wherever_its_leaf_is() -> None:
    sim = in_hall()
    door = door_of(sim)
    rows = [(row.frame.origin, row.frame.rotation) for row in sim.population.registry.entity(door.id).obj.rows]
    closed = sim.pose(door.id)
    use(sim)
    hold(sim, 1.0)
    assert [frame.rotation for frame in sim.pose(door.id)] != [frame.rotation for frame in closed]
    assert [(row.frame.origin, row.frame.rotation) for row in sim.population.registry.entity(door.id).obj.rows] == rows


def test_a_leaf_swings_while_the_ticks_go_by() -> None:
    sim = in_hall()
    door = door_of(sim)
    use(sim)
    turns = []
    for _ in range(SWING + 2):
        turns.append(sim.pose(door.id)[0].rotation)
        sim.tick()
    assert len(set(turns)) == SWING
    assert turns[-1] == turns[-2]
    between = sim.pose(door.id, 0.01)
    assert between[0].rotation == turns[-1]


def test_a_door_without_motions_is_solid_one_tick_after_closing() -> None:
    sim = open_all(simulate(built(door_without_motions)))
    sim.apply_edit(OpenDoor(door_of(sim).id))
    sim.tick()
    sim.apply_edit(CloseDoor(door_of(sim).id))
    assert passable(sim)
    sim.tick()
    assert not passable(sim)


def test_a_creature_that_may_open_doors_opens_the_one_it_bumps_into() -> None:
    world = two_rooms()
    person = next(iter(with_people(1, opens_doors=True).rooms.entities))
    world.entity("opener", "creature", person.model, world.rooms.rooms["hall"], (5.0, 2.0), opens_doors=True)
    sim = standing(world.build(), "hall", (1.0, 1.0))
    opener = next(entity for entity in sim.population.ordered if entity.name == "opener")
    sim.apply_edit(SetVelocity(opener.id, 3.0, 0.0, 0.0))
    reports = hold(sim, 0.5)
    assert next((event.what, event.by) for report in reports for event in report.events) == (events.OPENING, opener.id)
    sim.apply_edit(SetVelocity(opener.id, 3.0, 0.0, 0.0))
    hold(sim, 1.0)
    assert opener.origin()[0] > 6.2


def test_only_doors_can_be_used() -> None:
    sim = in_hall()
    with pytest.raises(PhysicsError, match="no door"):
        sim.apply_edit(UseDoor(sim.player.id, 0))
    with pytest.raises(PhysicsError, match="no entity"):
        sim.apply_edit(OpenDoor(0x12345678))


def test_using_anything_but_a_door_by_the_controls_does_nothing() -> None:
    sim = in_hall()
    assert told([sim.tick(Controls(use=0x12345678))]) == []


def test_a_nan_reset_interval_becomes_the_default() -> None:
    for wrong in (float("nan"), float("inf"), "soon", True):
        sim = in_hall(two_rooms(reset_interval=wrong).build())
        use(sim)
        assert (RESET, events.CLOSING) in told(hold(sim, 31.0))
