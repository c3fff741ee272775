"""Chains of known runs: what they name, in which order, and where they end."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from engine.build import WorldBuilder, rect
from engine.build.shapes.furniture import person
from engine.physics.flags import EDGE_SLIDE
from engine.sim.edits.doors import LockDoor, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import SetStateBits, SetVelocity
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.errors import SimError
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import SIMULATION, Asked, CauseKind, Chain
from engine.sim.why.asking import value_named
from engine.sim.why.history import History
from engine.sim.why.question import ENDED_AT_START, ENDED_BY_EDIT, ENDED_BY_KEY, WhyQuestion, answer
from engine.sim.why.values import askable, named_values, reader
from tests.sim.helpers.demo_walks import demo_simulation
from tests.sim.helpers.small_worlds import (
    FALLS,
    FORWARD,
    RUN,
    built,
    furnished,
    hold,
    open_rooms,
    standing,
    two_rooms,
    with_people,
)

Kind = CauseKind


def door_by_a_hatch() -> WorldBuilder:
    """A hall over a cellar, with a door in its eastern wall and a hatch that begins beside it."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 6), height=3.0)
    study = world.room("study", rect(6.2, 0, 4, 6), height=3.0)
    cellar = world.room("cellar", rect(0, 0, 6, 6), floor=-3.0, height=2.8)
    world.door(hall, study, width=1.3, name="Front Door")
    world.hatch(hall, cellar, rect(4.4, 2.75, 1.6, 1.8))
    return world


def two_rooms_with_a_host() -> WorldBuilder:
    """Two rooms, and somebody before the door who opens doors."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.door(hall, study, width=1.3, name="door")
    world.entity("host", "creature", person(1.8), hall, (4.5, 2.0), state=FALLS, opens_doors=True)
    return world


@contextmanager
def recorded(
    make: Callable[[], WorldBuilder],
    room: str,
    at: tuple[float, ...],
    heading: float,
    walk: Callable[[Simulation], object],
    *before: Edit,
) -> Iterator[tuple[Simulation, Recording]]:
    """A recorded walk, and a simulation of its world to ask with."""
    sim = standing(built(make), room, at, heading)
    for edit in before:
        sim.apply_edit(edit)
    with Recorder(sim, "") as recorder:
        walk(sim)
    spare = Simulation(sim.world.loaded, player_id=sim.player.id)
    sim.close()
    yield spare, recorder.recording
    spare.close()


def why(sim: Simulation, recording: Recording, written: str, tick: int | None = None) -> Chain:
    at = recording.end - 1 if tick is None else tick
    History(sim, recording).stand_after(at)  # names are those of the entities there
    return answer(sim, recording, Asked(*value_named(sim, written), at))


def kinds(chain: Chain) -> list[CauseKind]:
    return [link.kind for link in chain.links]


def paths(chain: Chain) -> list[str]:
    return [link.asked.path for link in chain.links]


def door_of(sim: Simulation) -> int:
    return next(iter(sim.population.doors)).id


# --- doors


def test_contact_is_lost_because_a_door_that_was_used_turned_him_aside() -> None:
    def walk(sim: Simulation) -> None:
        sim.apply_edit(SetStateBits(sim.player.id, EDGE_SLIDE, False))
        sim.tick(Controls(use=door_of(sim)))
        hold(sim, 2.0)
        sim.tick(Controls(use=door_of(sim)))
        hold(sim, 2.0)
        while sim.tick(FORWARD).in_contact:
            pass

    with recorded(door_by_a_hatch, "hall", (5.0, 2.1), 45.0, walk) as (sim, recording):
        chain = why(sim, recording, "player.contact_plane")
        lost, slid, closed, used = chain.links
        hall, door = built(door_by_a_hatch).cell_id("hall"), door_of(sim)
        assert paths(chain) == ["contact_plane", "origin", "passable", "is_open"]
        assert kinds(chain) == [Kind.POLYGON, Kind.OBJECT, Kind.TIMER, Kind.KEY]
        assert (lost.tick, lost.cell, lost.polygon, lost.after) == (recording.end - 1, hall, 7, "none")
        assert lost.sub_step == 1
        assert lost.trace_path is not None
        assert lost.sentence == "The player stepped off the floor of 0x00070100, polygon 7"
        assert (slid.entity, slid.tick) == (door, lost.tick)
        assert slid.sentence.startswith("The player slid along Front Door")
        assert slid.leads_to[0] == Asked(door, "passable", slid.tick)
        assert closed.tick > used.tick == 61
        assert used.sentence == "Front Door began to close: the player used it"
        assert chain.ended == ENDED_BY_KEY


def lid() -> WorldBuilder:
    """A high hall with a door, which can be laid down as a lid."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=6.0)
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.door(hall, study, width=1.3, name="lid")
    return world


@pytest.mark.parametrize(("height", "plane"), [(3.0, "none"), (0.7, "N(0, 0, 1) d 0")])
def test_a_fall_through_a_lid_that_was_opened_leads_to_its_use(height: float, plane: str) -> None:
    """From high up he loses contact, from low down he steps onto the floor."""

    def walk(sim: Simulation) -> None:
        half, cell_id = math.sqrt(0.5), built(lid).cell_id("hall")
        sim.apply_edit(SetStateBits(sim.player.id, EDGE_SLIDE, False))
        sim.apply_edit(PlaceEntity(door_of(sim), cell_id, 3.0, 3.0, height, half, half, 0.0, 0.0))
        sim.apply_edit(Teleport(cell_id, 3.0, 2.0, height + 0.1, 90.0))
        hold(sim, 1.0)
        sim.tick(Controls(use=door_of(sim)))
        hold(sim, 1.0)
        hold(sim, 0.1, FORWARD)

    with recorded(lid, "hall", (1.0, 1.0), 0.0, walk) as (sim, recording):
        fell, opened = why(sim, recording, "player.contact_plane").links
        assert (fell.kind, fell.after, fell.tick) == (Kind.OBJECT, plane, 61)
        assert fell.sentence.startswith("Lid is open: ")
        assert (opened.asked.path, opened.kind, opened.tick) == ("passable", Kind.KEY, 30)


def test_a_door_that_goes_back_by_itself_leads_to_its_last_use() -> None:
    def walk(sim: Simulation) -> None:
        sim.apply_edit(SetResetInterval(door_of(sim), 2.0))
        hold(sim, 0.5)
        sim.tick(Controls(use=door_of(sim)))
        hold(sim, 3.0)

    with recorded(two_rooms, "hall", (3.0, 2.0), 90.0, walk) as (sim, recording):
        chain = why(sim, recording, "door.is_open")
        assert [(link.asked.path, link.kind, link.tick) for link in chain.links] == [
            ("is_open", Kind.TIMER, 75),
            ("reset_at", Kind.KEY, 15),
        ]
        assert chain.links[0].sentence == "Door began to close: it went back to its default 2 s after it was used"


def test_a_door_that_nobody_has_touched_is_as_it_was() -> None:
    with recorded(two_rooms, "hall", (3.0, 2.0), 90.0, lambda sim: hold(sim, 1.0)) as (sim, recording):
        chain = why(sim, recording, "door.is_open")
        assert kinds(chain) == [Kind.START]
        assert chain.links[0].tick == recording.first_tick
        assert chain.ended == ENDED_AT_START


def test_what_an_edit_did_names_the_edit() -> None:
    def walk(sim: Simulation) -> None:
        hold(sim, 0.2)
        sim.apply_edit(FacePlayer(45.0))
        sim.apply_edit(LockDoor(door_of(sim), True))
        hold(sim, 0.2)

    with recorded(two_rooms, "hall", (3.0, 2.0), 90.0, walk) as (sim, recording):
        chain = why(sim, recording, "door.locked")
        (link,) = chain.links
        assert (link.kind, link.tick, link.edit_number, link.before, link.after) == (Kind.EDIT, 6, 1, "no", "yes")
        assert link.edit == "the lock of door was set"
        assert chain.ended == ENDED_BY_EDIT


def test_the_last_of_several_edits_that_changed_a_value_is_named() -> None:
    def walk(sim: Simulation) -> None:
        hold(sim, 0.1)
        sim.apply_edit(SetPlayerNumber("run_skill", 300.0))
        sim.apply_edit(SetPlayerNumber("run_skill", 400.0))
        sim.apply_edit(SetPlayerNumber("jump_skill", 50.0))
        hold(sim, 0.1)

    with recorded(two_rooms, "hall", (3.0, 2.0), 90.0, walk) as (sim, recording):
        (link,) = why(sim, recording, "player.run_skill").links
        assert (link.edit_number, link.before, link.after) == (1, "200", "400")
        assert link.sentence == "The player's run skill was set to 400"


def test_a_rule_is_changed_by_the_edit_that_flipped_it() -> None:
    def walk(sim: Simulation) -> None:
        hold(sim, 0.1)
        sim.apply_edit(SetRule("walkable_corner", "ace"))
        hold(sim, 0.1)
        sim.apply_edit(SetRuleSet("retail"))
        hold(sim, 0.1)

    with recorded(two_rooms, "hall", (3.0, 2.0), 90.0, walk) as (sim, recording):
        (link,) = why(sim, recording, "rules.walkable_corner").links
        assert (link.kind, link.tick, link.after, link.rule) == (Kind.RULE, 6, "retail", "walkable_corner")
        (link,) = why(sim, recording, "rules.walkable_corner", 5).links
        assert (link.tick, link.after) == (3, "ace")


def test_an_edit_after_the_last_tick_is_asked_for_at_the_end() -> None:
    def walk(sim: Simulation) -> None:
        hold(sim, 0.2)
        sim.apply_edit(UseDoor(door_of(sim), 0))

    with recorded(two_rooms, "hall", (3.0, 2.0), 90.0, walk) as (sim, recording):
        chain = why(sim, recording, "door.is_open", recording.end)
        assert (chain.links[0].kind, chain.links[0].tick) == (Kind.EDIT, recording.end)
        assert kinds(why(sim, recording, "door.is_open", recording.end - 1)) == [Kind.START]


def test_a_creature_that_opened_a_door_is_named() -> None:
    def walk(sim: Simulation) -> None:
        (host,) = (entity for entity in sim.population.ordered if entity.kind == "creature")
        sim.apply_edit(SetVelocity(host.id, 3.0, 0.0, 3.0))
        hold(sim, 2.0)

    with recorded(two_rooms_with_a_host, "hall", (1.0, 1.0), 90.0, walk) as (sim, recording):
        chain = why(sim, recording, "door.is_open")
        assert chain.links[0].kind is Kind.OBJECT
        assert chain.links[0].sentence == "Door began to open: host used it"
        assert chain.links[1].asked.path == "origin"


# --- the player


def test_the_cell_was_picked_through_a_portal_because_he_walked() -> None:
    with recorded(open_rooms, "hall", (3.0, 2.0), 90.0, _wait_and_walk) as (sim, recording):
        chain = why(sim, recording, "player.cell")
        picked, moved, pressed = chain.links
        assert kinds(chain) == [Kind.PORTAL, Kind.KEY, Kind.KEY]
        assert picked.portal is not None
        assert picked.tick == moved.tick
        assert f"through portal {picked.portal}" in picked.sentence
        assert moved.key == "forward"
        assert (pressed.asked.path, pressed.tick) == ("keys.forward", 10)
        assert pressed.sentence == "The forward key went down"


def _wait_and_walk(sim: Simulation) -> None:
    hold(sim, 10 / 30)
    hold(sim, 1.6, RUN)
    hold(sim, 1.0)


def test_a_fall_leads_to_the_jump() -> None:
    def walk(sim: Simulation) -> None:
        hold(sim, 0.1)
        hold(sim, 0.3, Controls(jump=True))
        hold(sim, 0.3)

    with recorded(furnished, "room", (3.0, 3.0), 0.0, walk) as (sim, recording):
        chain = why(sim, recording, "player.velocity.z")
        assert [(link.asked.path, link.kind) for link in chain.links] == [
            ("velocity.z", Kind.GRAVITY),
            ("contact", Kind.KEY),
        ]
        assert chain.links[1].key == "jump"
        assert chain.links[1].tick == 12


def test_a_wall_that_turned_him_aside_is_named_with_the_polygon() -> None:
    with recorded(furnished, "room", (9.0, 1.0), 45.0, lambda sim: hold(sim, 0.5, RUN)) as (sim, recording):
        slid, keys = why(sim, recording, "player.origin").links
        assert (slid.kind, slid.cell, slid.tick) == (Kind.POLYGON, built(furnished).cell_id("room"), recording.end - 1)
        assert slid.polygon is not None
        assert slid.sentence.startswith("The player slid along a wall of ")
        assert keys.asked.path == "keys.forward"


def test_what_stops_him_now_is_told_beside_when_he_came_there() -> None:
    with recorded(furnished, "room", (5.0, 2.0), 0.0, lambda sim: hold(sim, 2.0, RUN)) as (sim, recording):
        chain = why(sim, recording, "player.origin")
        assert kinds(chain) == [Kind.KEY, Kind.START]
        assert chain.kept_by.startswith("The player is kept there by ")
        assert "static 0 of 0x00070100" in chain.kept_by
        assert why(sim, recording, "player.origin", chain.links[0].tick).kept_by == ""
        assert why(sim, recording, "player.heading").kept_by == ""


def test_a_push_out_of_the_ground_leads_to_what_sank_him() -> None:
    def walk(sim: Simulation) -> None:
        hold(sim, 0.2)
        sim.apply_edit(SetPlayerNumber("sunk", 0.2))
        hold(sim, 0.1)
        hold(sim, 0.1, FORWARD)

    with recorded(furnished, "room", (3.0, 3.0), 0.0, walk) as (sim, recording):
        pushed, sunk = why(sim, recording, "player.z").links
        assert (pushed.kind, pushed.tick, pushed.polygon) == (Kind.PUSH, 9, 5)
        assert pushed.sentence == "The player was pushed 0.20 m out of the floor of 0x00070100, polygon 5"
        assert (sunk.asked.path, sunk.kind, sunk.tick) == ("sphere", Kind.EDIT, 6)


def test_a_value_that_changed_back_within_a_block_is_found() -> None:
    def walk(sim: Simulation) -> None:
        hold(sim, 1.0)
        sim.apply_edit(LockDoor(door_of(sim), True))
        sim.tick()
        sim.apply_edit(LockDoor(door_of(sim), False))
        hold(sim, 20.0)

    with recorded(two_rooms, "hall", (3.0, 2.0), 90.0, walk) as (sim, recording):
        (link,) = why(sim, recording, "door.locked").links
        assert (link.tick, link.before, link.after) == (31, "yes", "no")


def test_what_a_key_holds_since_the_recording_began_ends_there() -> None:
    with recorded(furnished, "room", (2.0, 2.0), 0.0, lambda sim: hold(sim, 0.5, FORWARD)) as (sim, recording):
        chain = why(sim, recording, "player.origin.y")
        assert kinds(chain) == [Kind.KEY, Kind.START]
        assert chain.links[1].sentence == "The forward key is held since the recording began"


# --- asking


def test_every_named_value_can_be_asked_about() -> None:
    with recorded(lambda: with_people(1), "hall", (8.0, 8.0), 0.0, _wait_and_walk) as (sim, recording):
        for entity in (sim.player, *sim.population.ordered):
            section = "player" if entity is sim.player else f"0x{entity.id:08X} {entity.name}"
            sim.restore(recording.keyframes.snapshot(len(recording.keyframes) - 1))
            named = {path for path, _ in sim.named_state() if path.startswith(f"{section}.")}
            listed = {each.path for each in askable(sim, entity.id)}
            assert {path.removeprefix(f"{section}.") for path in named} <= listed
            for path in sorted(listed)[::7]:
                assert answer(sim, recording, Asked(entity.id, path, recording.end - 1)).links
                sim.restore(recording.keyframes.snapshot(len(recording.keyframes) - 1))
        assert {each.path for each in askable(sim, SIMULATION)} >= {"edge_slide_order", "time_of_day"}


def test_the_parts_of_animations_are_those_that_the_state_names() -> None:
    paths = ("source", "key", "command", "index", "framerate")
    sim, seen = demo_simulation().sim, set()
    for tick in range(60):
        sim.tick(Controls(forward=1.0 if tick > 5 else 0.0, run=tick % 20 > 10))
        named = named_values(sim, sim.player)
        for path in named.keys() & set(paths):
            seen.add(path)
            assert reader(sim.player.id, path, sim)(sim) == named[path]
    sim.close()
    assert len(seen) == len(paths)


def test_an_answer_is_the_same_in_steps_and_leaves_the_recording_alone() -> None:
    with recorded(open_rooms, "hall", (3.0, 2.0), 90.0, _wait_and_walk) as (sim, recording):
        hashes, edits = bytes(recording.hashes), dict(recording.edits)
        asked = Asked(sim.player.id, "cell", recording.end - 1)
        question = WhyQuestion(sim, recording, asked)
        lengths = [len(question.chain.links) for _ in question.steps()]
        assert lengths == sorted(lengths)
        assert len(lengths) > 5
        assert question.chain == answer(sim, recording, asked)
        assert (bytes(recording.hashes), dict(recording.edits)) == (hashes, edits)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("fron dor.is_open", "there is no entity 'fron dor'; there is Front Door"),
        ("player.contct", "player has no value 'contct'; there is contact"),
        ("player", "write ENTITY.VALUE, such as player.cell, not 'player'"),
        ("rules.edge_slide", "the simulation has no value 'edge_slide'; there is edge_slide_order"),
        ("0x12345678.cell", "there is no entity '0x12345678'"),
    ],
)
def test_names_that_are_not_there_are_answered_with_those_that_are_like_them(written: str, said: str) -> None:
    with recorded(door_by_a_hatch, "hall", (2.0, 2.0), 0.0, _wait_and_walk) as (sim, recording):
        why(sim, recording, "player.cell")
        with pytest.raises(SimError) as refused:
            value_named(sim, written)
        assert said in str(refused.value)


@pytest.mark.parametrize(("written", "path"), [("player.contact plane", "contact_plane"), ('"player".Z', "origin.z")])
def test_values_go_by_their_titles_too(written: str, path: str) -> None:
    with recorded(door_by_a_hatch, "hall", (2.0, 2.0), 0.0, _wait_and_walk) as (sim, _):
        assert value_named(sim, written) == (sim.player.id, path)


@pytest.mark.parametrize("path", ["keys.fire", "keysx", "nothing", ""])
def test_values_that_nobody_has_are_refused(path: str) -> None:
    with (
        recorded(two_rooms, "hall", (3.0, 2.0), 90.0, _wait_and_walk) as (sim, recording),
        pytest.raises(SimError, match=f"has no '{path}'"),
    ):
        answer(sim, recording, Asked(sim.player.id, path, 5))


def test_before_the_first_tick_every_value_is_answered() -> None:
    def only_edits(sim: Simulation) -> None:
        sim.apply_edit(SetPlayerNumber("run_skill", 99.0))
        sim.apply_edit(FacePlayer(10.0))

    with recorded(door_by_a_hatch, "hall", (3.0, 2.0), 90.0, only_edits) as (sim, recording):
        assert len(recording) == 0
        last = History(sim, recording).last_tick
        sim.restore(recording.keyframes.snapshot(0))
        player = sim.player.id
        for each in (player, door_of(sim)):
            for value in askable(sim, each):
                (link, *_) = answer(sim, recording, Asked(each, value.path, last)).links
                assert link.kind in (Kind.EDIT, Kind.START)
                if each != player or value.path in ("run_skill", "heading", "origin.x", "keys.forward"):
                    assert (link.kind is Kind.EDIT) == (each == player and value.path in ("run_skill", "heading"))


def test_without_ticks_and_edits_there_is_nothing_to_ask() -> None:
    with (
        recorded(two_rooms, "hall", (3.0, 2.0), 90.0, lambda sim: None) as (sim, recording),
        pytest.raises(SimError, match="the recording has"),
    ):
        answer(sim, recording, Asked(sim.player.id, "keys.forward", 0))


def test_keys_are_asked_about_at_the_end_too() -> None:
    def walk(sim: Simulation) -> None:
        hold(sim, 0.2)
        hold(sim, 0.2, FORWARD)
        sim.apply_edit(FacePlayer(10.0))

    with recorded(two_rooms, "hall", (3.0, 2.0), 90.0, walk) as (sim, recording):
        (link,) = answer(sim, recording, Asked(sim.player.id, "keys.forward", recording.end)).links
        assert (link.tick, link.kind) == (6, Kind.KEY)
        (link,) = answer(sim, recording, Asked(sim.player.id, "keys.run", recording.end)).links
        assert link.kind is Kind.START


@pytest.mark.parametrize(("tick", "path"), [(-1, "cell"), (1000, "cell"), (1000, "keys.forward")])
def test_ticks_that_were_not_recorded_are_refused(tick: int, path: str) -> None:
    with (
        recorded(open_rooms, "hall", (3.0, 2.0), 90.0, _wait_and_walk) as (sim, recording),
        pytest.raises(SimError, match="the recording has the ticks 0 to"),
    ):
        answer(sim, recording, Asked(sim.player.id, path, tick))


def test_a_recording_that_does_not_run_again_as_it_was_is_refused() -> None:
    with recorded(open_rooms, "hall", (3.0, 2.0), 90.0, _wait_and_walk) as (sim, recording):
        recording.controls[20] = Controls(forward=-1.0)
        with pytest.raises(SimError, match="do not run again as they were recorded"):
            answer(sim, recording, Asked(sim.player.id, "rows_cell", recording.end - 1))


def test_a_teleport_names_the_room_it_led_into() -> None:
    def walk(sim: Simulation) -> None:
        hold(sim, 0.2)
        sim.apply_edit(Teleport(built(open_rooms).cell_id("study"), 8.0, 2.0, 0.0, 0.0))
        hold(sim, 0.2)

    with recorded(open_rooms, "hall", (3.0, 2.0), 90.0, walk) as (sim, recording):
        (link,) = why(sim, recording, "player.cell").links
        assert link.kind is Kind.EDIT
        assert link.sentence.startswith("The player was teleported into 0x")
