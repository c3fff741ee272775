"""Who may pass a door: the table against bodies that are walked here, by hand, in the running simulation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from editor.models.door_wording import event_text
from editor.session.sources import DEMO, open_source
from engine.build import WorldBuilder, rect
from engine.build.shapes.furniture import person
from engine.entities.door import Door
from engine.entities.events import OPENING, REFUSED
from engine.physics.flags import (
    ETHEREAL,
    HAS_PHYSICS_BSP,
    IGNORE_COLLISIONS,
    MISSILE,
    PATH_CLIPPED,
    REPORT_COLLISIONS,
    STATIC,
)
from engine.physics.rules import rule_set
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, UseDoor
from engine.sim.edits.entities import SetState, SetStateBits, SetVelocity
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.passage.answer import Answer, Outcome
from engine.sim.passage.travellers import Who
from engine.sim.passage.trial import DoorState, Question, Side, Trials, all_questions, run_through
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.world import World
from tests.sim.helpers.small_worlds import FALLS, FORWARD, built, open_all, simulate, standing, two_rooms

NOW, CLOSED, OPEN, LOCKED = DoorState
FRONT, BEHIND = Side

IN_FRONT, IN_BACK = ("study", (7.6, 2.0), 270.0), ("hall", (4.6, 2.0), 90.0)
"""Rooms, places and headings before the door of `two_rooms`, whose leaf is at x = 6.1."""


def door_of(sim: Simulation) -> Door:
    return sim.population.doors[0]


def ask(sim: Simulation, question: Question, door_id: int = 0) -> Answer:
    trials = Trials(sim, door_id or door_of(sim).id)
    try:
        return run_through(trials.steps(question))
    finally:
        trials.close()


def outcome(sim: Simulation, who: Who, side: Side, state: DoorState = NOW) -> str:
    return ask(sim, Question(state, who, side)).outcome.value


def decided(sim: Simulation, who: Who, side: Side = FRONT, state: DoorState = NOW) -> str:
    answer = ask(sim, Question(state, who, side))
    return f"{answer.outcome.value}: {answer.decided_by}"


def put(sim: Simulation, state: DoorState) -> None:
    """Bring the door into a state as a user would, and wait until its leaves stand."""
    door = door_of(sim)
    if state is OPEN:
        sim.apply_edit(OpenDoor(door.id))
    elif state is CLOSED:
        sim.apply_edit(CloseDoor(door.id))
    if state is not NOW:
        sim.apply_edit(LockDoor(door.id, state is LOCKED))
    for _ in range(40):
        sim.tick()


def walked(state: DoorState, side: Side, *, ethereal: bool = False, pk: bool = False) -> str:
    """What becomes of a player who walks to the door with the keys, and uses it when he stands before it."""
    sim = standing(built(two_rooms), *(IN_FRONT if side is FRONT else IN_BACK))
    sim.apply_edit(SetPlayerNumber("pk", 1.0 if pk else 0.0))
    put(sim, state)
    if ethereal:
        sim.apply_edit(SetStateBits(sim.player.id, ETHEREAL, True))

    def is_through() -> bool:
        return (sim.player.origin()[0] < 5.9) if side is FRONT else (sim.player.origin()[0] > 6.3)

    for _ in range(60):
        sim.tick(FORWARD)
    if is_through():
        return Outcome.PASSES.value
    if ethereal or door_of(sim).is_open:
        return Outcome.STOPPED.value
    events = list(sim.tick(Controls(forward=1.0, use=door_of(sim).id)).events)
    for _ in range(60):
        sim.tick(FORWARD)
    if is_through():
        assert [event.what for event in events] == [OPENING]
        return Outcome.OPENS.value
    assert [event.what for event in events] == [REFUSED]
    return Outcome.STOPPED.value


def sent(state: DoorState, side: Side, entity_state: int, *, opens_doors: bool = False, bits: int | None = None) -> str:
    """What becomes of somebody of the world's own list who is pushed at the door, with these PhysicsState bits, in
    every tick."""
    world = WorldBuilder()
    hall, study = world.room("hall", rect(0, 0, 6, 4)), world.room("study", rect(6.2, 0, 4, 4))
    world.door(hall, study, width=1.3, name="door")
    room, at = (study, (7.6, 2.0)) if side is FRONT else (hall, (4.6, 2.0))
    world.entity("somebody", "creature", person(1.8), room, at, state=entity_state, opens_doors=opens_doors)
    sim = standing(world.build(), "hall", (1.0, 3.5))
    put(sim, state)
    if bits is not None:
        sim.apply_edit(SetState(door_of(sim).id, bits))
    body = sim.population.movers[0].body
    assert body is not None
    events: list[str] = []
    for _ in range(60):
        sim.apply_edit(SetVelocity(body.id, -3.0 if side is FRONT else 3.0, 0.0, 0.0))
        events += [event.what for event in sim.tick().events]
        if (body.place.origin[0] < 5.9) if side is FRONT else (body.place.origin[0] > 6.3):
            came = Outcome.OPENS if OPENING in events else Outcome.PASSES
            return str(came.value)
    return Outcome.STOPPED.value


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("state", [CLOSED, OPEN, LOCKED])
@pytest.mark.parametrize("who", [Who.PLAYER, Who.PLAYER_KILLER, Who.ETHEREAL])
def test_the_table_says_what_a_walk_with_the_keys_comes_to(who: Who, state: DoorState, side: Side) -> None:
    told = outcome(open_all(simulate(built(two_rooms))), who, side, state)
    assert told == walked(state, side, ethereal=who is Who.ETHEREAL, pk=who is Who.PLAYER_KILLER)


SENT = {Who.OPENER: FALLS, Who.CREATURE: FALLS, Who.ETHEREAL: FALLS | ETHEREAL, Who.MISSILE: MISSILE | PATH_CLIPPED}


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("state", [CLOSED, OPEN, LOCKED])
@pytest.mark.parametrize("who", SENT)
def test_the_table_says_what_becomes_of_one_who_is_pushed(who: Who, state: DoorState, side: Side) -> None:
    told = outcome(open_all(simulate(built(two_rooms))), who, side, state)
    assert told == sent(state, side, SENT[who], opens_doors=who is Who.OPENER)


BITS = (ETHEREAL, IGNORE_COLLISIONS, STATIC, REPORT_COLLISIONS, HAS_PHYSICS_BSP)
COMBINATIONS = [sum(chosen) for count in range(len(BITS) + 1) for chosen in combinations(BITS, count)]


@pytest.mark.parametrize("bits", COMBINATIONS, ids=hex)
@pytest.mark.unwatched
def test_any_bits_of_a_door_are_told_as_a_push_finds_them(bits: int) -> None:
    sim = open_all(simulate(built(two_rooms)))
    sim.apply_edit(SetState(door_of(sim).id, bits))
    for who in SENT:
        if who is Who.MISSILE and not bits & HAS_PHYSICS_BSP:
            continue  # the one pushed here slides on the floor and meets the low cylinder; an arrow flies over it
        found = sent(NOW, BEHIND, SENT[who], opens_doors=who is Who.OPENER, bits=bits)
        assert outcome(sim, who, BEHIND) == found, who


def test_trials_change_nothing_in_the_simulation_that_is_asked_about() -> None:
    sim = standing(built(two_rooms), *IN_BACK)
    sim.apply_edit(UseDoor(door_of(sim).id, sim.player.id))
    for _ in range(5):
        sim.tick(FORWARD)
    before, events = sim.state_hash(), sim.waiting
    trials = Trials(sim, door_of(sim).id)
    for question in all_questions():
        run_through(trials.steps(question))
    trials.close()
    assert (sim.state_hash(), sim.waiting) == (before, events)


def test_a_second_run_gives_the_same_answers() -> None:
    sim = open_all(simulate(built(two_rooms)))
    trials = Trials(sim, door_of(sim).id)
    first = [run_through(trials.steps(question)) for question in all_questions()]
    again = [run_through(trials.steps(question)) for question in reversed(list(all_questions()))]
    trials.close()
    assert first == again[::-1]


def test_the_event_of_a_locked_door_opened_from_behind_says_why() -> None:
    sim = standing(two_rooms(locked=True).build(), *IN_BACK)
    sim.apply_edit(UseDoor(door_of(sim).id, sim.player.id))
    assert event_text(sim, sim.tick().events[0]) == (
        "door opens although it is locked: from behind the lock is not asked"
    )
    put(sim, CLOSED)
    sim.apply_edit(UseDoor(door_of(sim).id, sim.player.id))
    assert event_text(sim, sim.tick().events[0]) == "door opens"


# --- what decides: with the bit it names turned round, the answer turns round


def test_the_lock_decides_from_the_front_alone() -> None:
    sim = open_all(simulate(two_rooms(locked=True).build()))
    assert decided(sim, Who.PLAYER) == "is stopped: lock"
    assert decided(sim, Who.PLAYER, BEHIND) == "opens it first: from behind"
    sim.apply_edit(LockDoor(door_of(sim).id, False))
    assert decided(sim, Who.PLAYER) == "opens it first: unlocked"


def test_a_locked_door_opened_from_behind_says_why() -> None:
    sim = open_all(simulate(two_rooms(locked=True).build()))
    answer = ask(sim, Question(NOW, Who.OPENER, BEHIND))
    assert "although it is locked: from behind the lock is not asked" in answer.reason


def test_ethereal_decides_for_whoever_opens_no_doors() -> None:
    sim = open_all(simulate(built(two_rooms)))
    assert decided(sim, Who.CREATURE) == "is stopped: no ETHEREAL"
    sim.apply_edit(SetStateBits(door_of(sim).id, ETHEREAL, True))
    assert decided(sim, Who.CREATURE) == "passes: ETHEREAL"


def test_ignore_collisions_alone_lets_nobody_through() -> None:
    sim = open_all(simulate(built(two_rooms)))
    sim.apply_edit(SetStateBits(door_of(sim).id, IGNORE_COLLISIONS, True))
    assert decided(sim, Who.CREATURE) == "is stopped: no ETHEREAL"
    sim.apply_edit(SetStateBits(door_of(sim).id, ETHEREAL, True))
    assert decided(sim, Who.CREATURE) == "passes: IGNORE_COLLISIONS"


def test_an_open_door_that_was_made_solid_stops_and_is_not_used() -> None:
    sim = open_all(simulate(built(two_rooms)))
    put(sim, OPEN)
    assert decided(sim, Who.PLAYER) == "passes: ETHEREAL"
    sim.apply_edit(SetStateBits(door_of(sim).id, ETHEREAL, False))
    assert decided(sim, Who.PLAYER) == "is stopped: no ETHEREAL"


def test_without_its_bsp_bit_the_trees_of_a_door_are_not_tested() -> None:
    sim = open_all(simulate(built(two_rooms)))
    sim.apply_edit(SetStateBits(door_of(sim).id, HAS_PHYSICS_BSP, False))
    assert decided(sim, Who.CREATURE) == "passes: no HAS_PHYSICS_BSP"
    assert decided(sim, Who.MISSILE) == "passes: no HAS_PHYSICS_BSP"


def test_static_is_asked_before_the_ethereal_bit_of_a_body() -> None:
    sim = open_all(simulate(built(two_rooms)))
    assert decided(sim, Who.ETHEREAL) == "passes: own ETHEREAL"
    sim.apply_edit(SetStateBits(door_of(sim).id, STATIC, True))
    assert decided(sim, Who.ETHEREAL).startswith("is stopped")


@pytest.mark.parametrize("rules", ["retail", "ace"])
def test_missiles_leave_out_an_ethereal_door(rules: str) -> None:
    sim = open_all(simulate(built(two_rooms), rule_set(rules)))
    assert decided(sim, Who.MISSILE, FRONT, OPEN) == "passes: missile_ignore"
    assert decided(sim, Who.MISSILE, FRONT, CLOSED) == "is stopped: no ETHEREAL"


def test_a_door_that_moves_cannot_be_used() -> None:
    sim = standing(built(two_rooms), *IN_BACK)
    sim.apply_edit(UseDoor(door_of(sim).id, sim.player.id))
    sim.tick()
    assert decided(sim, Who.PLAYER) == "passes: ETHEREAL"
    sim.apply_edit(SetStateBits(door_of(sim).id, ETHEREAL, False))
    assert decided(sim, Who.PLAYER) == "is stopped: no ETHEREAL"


def test_a_door_without_a_shadow_entry_lets_everybody_through() -> None:
    sim = open_all(simulate(built(two_rooms)))
    state = sim.population.state_of(door_of(sim).id)
    sim.population.registry.take_out(door_of(sim).id)
    assert state & ETHEREAL == 0
    assert decided(sim, Who.CREATURE) == "passes: no shadow entry"


def test_a_player_far_away_does_not_put_creatures_to_sleep() -> None:
    sim = simulate(built(two_rooms))
    open_all(sim)
    assert sim.player.steered.cell is None
    assert decided(sim, Who.OPENER) == "opens it first: unlocked"


@pytest.fixture(scope="module")
def demo() -> Iterator[World]:
    with open_source(DEMO) as world:
        yield world


@pytest.mark.unwatched
def test_every_door_of_the_demo_answers_in_every_state(demo: World) -> None:
    """Doors of one kind and state answer alike wherever they stand, and none is stopped by anything but the door."""
    sim = open_all(Simulation(demo))
    assert len(sim.population.doors) == 8
    for door in sim.population.doors:
        trials = Trials(sim, door.id)
        found = {question: run_through(trials.steps(question)) for question in all_questions()}
        trials.close()
        for question, answer in found.items():
            if question.state is NOW:
                like = OPEN if door.is_open else LOCKED if door.locked else CLOSED
                assert found[Question(like, question.who, question.side)] == answer
            assert answer.decided_by not in ("no way", "walls", "something else", "cannot stand", "no end"), (
                door,
                question,
            )
            if question.state is OPEN:
                assert answer.outcome is Outcome.PASSES, (door, question)
            if question.who is Who.CREATURE and question.state in (CLOSED, LOCKED):
                assert answer.outcome is Outcome.STOPPED, (door, question)


def test_the_reason_names_the_part_and_the_polygon_that_blocks() -> None:
    with open_source(DEMO) as world:
        sim = open_all(Simulation(world))
        door = sim.population.doors[1]
        assert door.name == "Front Door"
        answer = ask(sim, Question(CLOSED, Who.CREATURE, BEHIND), door.id)
        assert answer.reason.endswith("Part 1, polygon 0 blocks.")
