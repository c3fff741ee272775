"""Kept recordings that are run again: as before in an unchanged world, and the first tick of brute force elsewhere."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.build import Mesh, WorldBuilder, rect
from engine.build.shapes.furniture import crate
from engine.build.shapes.solids import box
from engine.files.cancelling import cancellable
from engine.physics.rules import AGREED_RULES, RULE_NAMES, RuleSet, rule_set
from engine.sim.edits.cells import ReplaceCell, current_record
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import MoveEntity, SetVelocity
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule
from engine.sim.playback import ENGINE_ERRORS, Playback
from engine.sim.recording import Recorder, Recording, Sample, sample_of
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.walks.outcome import Outcome, Verdict
from engine.sim.walks.run import WalkRun, distance_of
from engine.sim.walks.terms import Terms, edits_of_world
from engine.world.cells.objects import static_object_id
from engine.world.loader.edited import cell_record_bytes
from engine.world.world import World
from tests.sim.compare.arena import LAND, arena, arena_world, entity_ids, random_run
from tests.sim.helpers.small_worlds import FORWARD, built, furnished, house

TICKS = 40
few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 300)


@cache
def run_of(seed: int) -> Recording:
    return random_run(seed, TICKS)


def outcome(recording: Recording, terms: Terms | None = None, world: World | None = None) -> Outcome:
    return WalkRun(world or arena_world(), recording, terms).run()


def brute_force(recording: Recording, before: list[Edit], rule: SetRule | None = None) -> int | None:
    """The first tick of a second simulation after which its player's part of the snapshot differs, or before which an
    edit is refused."""
    sim = Simulation(arena_world(), player_id=recording.player_id)
    Playback(sim, recording).start()
    for edit in [*before, *([] if rule is None else [rule])]:
        sim.apply_edit(edit)
    try:
        for index, keys in enumerate(recording.controls):
            tick = recording.first_tick + index
            for edit in recording.edits.get(tick, []):
                try:
                    sim.apply_edit(edit)
                except ENGINE_ERRORS:
                    return tick
            if sample_of(sim.tick(keys)) != recording.samples[index]:
                return tick
        return None
    finally:
        sim.close()


@few
@given(seeds)
def test_an_unchanged_walk_goes_as_before(seed: int) -> None:
    found = outcome(run_of(seed))
    assert (found.verdict, found.ran, found.tick) == (Verdict.AS_BEFORE, TICKS, None)
    assert found.sentence == "goes as before in 40 ticks"
    same = outcome(run_of(seed), Terms(tolerance=0.0))
    assert (same.verdict, same.widest) == (Verdict.AS_BEFORE, 0.0)


@few
@given(seeds, st.integers(0, TICKS - 1), st.sampled_from([Controls(), Controls(-1.0, 1.0, 1.0), Controls(look=30.0)]))
@pytest.mark.unwatched
def test_a_changed_key_is_found_where_the_snapshots_part(seed: int, index: int, keys: Controls) -> None:
    recording = run_of(seed).copy()
    recording.controls[index] = keys
    first, sim = None, Simulation(arena_world(), player_id=recording.player_id)
    other, played = Simulation(arena_world(), player_id=recording.player_id), run_of(seed)
    one, two = Playback(sim, recording), Playback(other, played)
    for playback in (one, two):
        playback.start()
    while first is None and one.tick < recording.end:
        one.step()
        two.step()
        first = one.tick - 1 if sim.snapshot() != other.snapshot() else None
    for each in (sim, other):
        each.close()
    found = outcome(recording)
    assert found.tick == first
    assert found.verdict is (Verdict.AS_BEFORE if first is None else Verdict.OTHERWISE)


@few
@given(seeds, st.sampled_from([rule for rule in RULE_NAMES if rule not in AGREED_RULES]))
def test_a_changed_rule_is_found_where_the_player_parts(seed: int, rule: str) -> None:
    rules = RuleSet()
    rules.set_form(rule, "ace")
    found = outcome(run_of(seed), Terms(rules=rules))
    assert found.tick == brute_force(run_of(seed), [], SetRule(rule, "ace"))


@few
@given(seeds, st.integers(0, 3))
def test_an_edit_is_found_where_the_player_parts(seed: int, number: int) -> None:
    guest = entity_ids()[0]
    edits: list[Edit] = [
        SetVelocity(entity_ids()[1], 1.0, 2.0, 3.0),
        SetPlayerNumber("step_up", 0.31),
        MoveEntity(guest, arena().cell_id("hall"), 106.0, 108.0, 20.0, 0.0),
        SetRule("edge_slide_order", "ace"),
    ]
    edit = edits[number]
    recording = run_of(seed)
    named = {guest, entity_ids()[1]}
    of_the_walk = [each for made in recording.edits.values() for each in made]
    if any(isinstance(each, SetPlayerNumber) or not named.isdisjoint(vars_of(each)) for each in of_the_walk):
        return  # the edit has the last word there, see below
    assert outcome(recording, Terms(before=(edit,))).tick == brute_force(recording, [edit])


def vars_of(edit: Edit) -> set[object]:
    return {getattr(edit, name) for name in ("entity_id", "thing_id", "number") if hasattr(edit, name)}


@few
@given(st.lists(seeds, min_size=2, max_size=4))
@pytest.mark.unwatched
def test_one_simulation_may_lead_many_walks(many: list[int]) -> None:
    """What one leaves behind is no part of the next."""
    sim = Simulation(arena_world(), player_id=run_of(many[0]).player_id)
    record = current_record(sim, arena().cell_id("hall"))
    record.portals = []
    terms = [Terms(), Terms(rules=rule_set("ace")), Terms(before=(ReplaceCell(cell_record_bytes(record), b""),))]
    for number, seed in enumerate([*many, *many]):
        each = terms[number % 3]
        assert WalkRun(arena_world(), run_of(seed), each, sim=sim).run() == outcome(run_of(seed), each)
    sim.close()


# --- what was made before the walk


def walked(world: World, ticks: int = 60, *, move_crate_at: int | None = None) -> Recording:
    """Northwards through a room with a crate in the way, from (5, 1); the crate may be moved on the way."""
    room = built(furnished).cell_id("room")
    sim = Simulation(world)
    sim.apply_edit(Teleport(room, 5.0, 1.0, 0.0, 0.0))
    recorder = Recorder(sim, "furnished")
    for tick in range(ticks):
        if tick == move_crate_at:
            sim.apply_edit(crate_to(5.0, 5.0, room))
        sim.tick(FORWARD)
    recording = recorder.stop()
    sim.close()
    return recording


def crate_to(x: float, y: float, room: int) -> Edit:
    return PlaceEntity(static_object_id(room, 0), room, x, y, 0.0, 1.0, 0.0, 0.0, 0.0)


def test_a_crate_that_is_moved_lets_a_walk_go_on() -> None:
    with built(furnished).load() as world:
        recording = walked(world)
        away = crate_to(1.5, 1.5, built(furnished).cell_id("room"))
        found = outcome(recording, Terms(before=(away,)), world)
        assert found.verdict is Verdict.OTHERWISE
        assert found.what[0] == "position"
        assert found.tick is not None
        assert 10 < found.tick < 60
        assert found.final == found.widest > 0.5
        assert (
            found.sentence == f"goes otherwise from tick {found.tick}: {', '.join(found.what)}, {found.distance:.2g} m"
        )
        assert outcome(recording, Terms(before=(away,), tolerance=found.widest), world).is_as_before
        later = outcome(recording, Terms(before=(away,), tolerance=0.3), world)
        assert later.tick is not None
        assert later.tick > found.tick
        back = crate_to(5.0, 5.0, built(furnished).cell_id("room"))
        assert outcome(recording, Terms(before=(away, back)), world).is_as_before


def test_an_edit_made_before_has_the_last_word_over_the_walks_own() -> None:
    with built(furnished).load() as world:
        room = built(furnished).cell_id("room")
        recording = walked(world, move_crate_at=3)
        assert outcome(recording, None, world).is_as_before
        assert not outcome(recording, Terms(before=(crate_to(1.5, 1.5, room),)), world).is_as_before
        alone = outcome(recording, Terms(without=(crate_to(5.0, 5.0, room),)), world)
        assert alone.is_as_before, "the crate stood there anyway"


def test_edits_of_a_place_are_no_edits_of_the_world() -> None:
    with built(furnished).load() as world:
        player = Simulation(world).player.id
        room = built(furnished).cell_id("room")
        edits = [
            Teleport(room, 1.0, 1.0, 0.0, 0.0),
            SetVelocity(player, 1.0, 0.0, 0.0),
            SetPlayerNumber("radius", 0.3),
            crate_to(1.0, 1.0, room),
        ]
        assert list(edits_of_world(edits, player)) == edits[2:]


def test_a_walk_arrives_in_a_world_that_has_changed() -> None:
    """The snapshot would bring the crate of the old world along."""
    with built(furnished).load() as world:
        recording = walked(world)
        assert outcome(recording, Terms(arrives=True), world).is_as_before
    with built(furnished_otherwise).load() as world:
        assert outcome(recording, None, world).is_as_before
        assert outcome(recording, Terms(arrives=True), world).verdict is Verdict.OTHERWISE
    with built(house).load() as world:
        found = outcome(recording, Terms(arrives=True), world)
    assert found.verdict is Verdict.CANNOT_BEGIN
    assert found.reason


def furnished_otherwise() -> WorldBuilder:
    """The crate in a corner."""
    world = WorldBuilder()
    room = world.room("room", rect(0, 0, 10, 10), height=6.0)
    room.put(crate(), (2, 2))
    room.put(Mesh.of("low block", box(-0.5, -0.5, 0.0, 1.0, 1.0, 0.5, "stone")), (2, 8))
    room.put(Mesh.of("ledge", box(-1.5, -1.5, 0.0, 3.0, 3.0, 2.5, "stone")), (8, 8))
    return world


def test_an_edit_that_is_refused_is_left_out_and_told() -> None:
    with built(furnished).load() as world:
        found = outcome(walked(world), Terms(before=(MoveEntity(0x7FFF1234, 1, 0.0, 0.0, 0.0, 0.0),)), world)
    assert found.is_as_before
    assert "could not be made there" in found.left_out[0]


def test_the_rules_of_the_recording_are_no_other_rules() -> None:
    """To the bit, with the whole state."""
    recording = run_of(3)
    tampered = recording.copy()
    tampered.hashes[-1] ^= 1
    assert outcome(recording, Terms(rules=RuleSet())).is_as_before
    found = outcome(tampered, Terms(rules=RuleSet()))
    assert (found.tick, found.what) == (recording.end - 1, ("state",))
    assert outcome(tampered, Terms(rules=rule_set("retail"), tolerance=0.0)).is_as_before


# --- the new truth


@few
@given(seeds)
@pytest.mark.unwatched
def test_a_new_truth_goes_as_before_on_the_same_terms(seed: int) -> None:
    rules = rule_set("ace")
    run = WalkRun(arena_world(), run_of(seed), Terms(rules=rules), keep=True)
    run.run()
    assert run.recorded is not None
    assert len(run.recorded) == TICKS
    assert outcome(run.recorded, Terms(rules=rules)).is_as_before
    assert outcome(run.recorded).is_as_before


def test_a_room_that_is_replaced_is_an_edit_like_any_other() -> None:
    sim = Simulation(arena_world())
    record = current_record(sim, arena().cell_id("hall"))
    sim.close()
    record.portals = []
    edit = ReplaceCell(cell_record_bytes(record), b"")
    found = [outcome(run_of(seed), Terms(before=(edit,))) for seed in range(6)]
    assert {each.verdict for each in found} == {Verdict.AS_BEFORE, Verdict.OTHERWISE}


def test_a_run_can_be_left_at_any_step_and_cancelled() -> None:
    run = WalkRun(arena_world(), run_of(1))
    steps = run.steps()
    for _ in range(10):
        next(steps)
    steps.close()
    assert run.outcome is None

    class EnoughError(Exception):
        pass

    def enough() -> None:
        raise EnoughError

    try:
        with cancellable(enough):
            WalkRun(arena_world(), run_of(1)).run()
    except EnoughError:
        return
    raise AssertionError("it was not cancelled")


def test_a_tick_that_cannot_run_ends_the_walk_there() -> None:
    recording = run_of(1).copy()
    recording.keyframes.ticks.clear()
    assert outcome(recording).sentence == "cannot begin: the recording has no snapshot at its start"


def test_a_body_that_no_cell_holds_has_a_distance_too() -> None:
    here = Sample(LAND & 0xFFFF0000 | 1, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), 0.0, 0)
    lost = Sample(0, (1.0, 1.0, 3.0), (0.0, 0.0, 0.0), 0.0, 0)
    assert (distance_of(here, lost), distance_of(lost, here)) == (2.0, 2.0)
