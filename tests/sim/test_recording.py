"""Recording and replaying a run: any tick, the same state, and the report if the state differs."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable

import pytest

from engine import active_core
from engine.build import WorldBuilder
from engine.entities.state_io import OLDEST_STATE_VERSION, STATE_VERSION
from engine.physics.rules import RULE_NAMES
from engine.sim import world_identity
from engine.sim.edits.catalogue import name_of
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import CloseDoor, LockDoor, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import MoveEntity, RemoveEntity, SetVelocity
from engine.sim.edits.player import FacePlayer, SetPlayerNumber
from engine.sim.edits.rules import SetRule
from engine.sim.errors import SimError
from engine.sim.keyframes import Keyframes
from engine.sim.playback import Divergence, FieldDifference, Playback, check_world, state_differences, verify
from engine.sim.recording import Recorder, Recording
from engine.sim.recording_file import parse_recording, recording_bytes
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.small_worlds import (
    FORWARD,
    RUN,
    big_hall,
    built,
    furnished,
    hold,
    house,
    open_rooms,
    simulate,
    standing,
    two_rooms,
    with_people,
)
from tests.sim.simulation.test_edits import some_edits
from tests.sim.simulation.test_state import random_controls


def with_door() -> Simulation:
    return standing(built(two_rooms), "hall", (3.0, 2.0), 90.0)


def door_edits(sim: Simulation) -> list[Edit]:
    edits = [FacePlayer(33.0), SetVelocity(sim.player.id, 0.0, 1.0, 4.0)]
    edits += [SetRule("slide_opposing", "ace"), SetPlayerNumber("run_skill", 250.0)]
    for door in sim.population.doors:
        edits += [UseDoor(door.id, 0), LockDoor(door.id, True), CloseDoor(door.id)]
    return edits


def recorded(sim: Simulation, ticks: int = 200, seed: int = 1, spacing: int = 16) -> Recording:
    """Random keys, with an occasional edit."""
    edits = some_edits(sim) if sim.world.entities and not sim.population.doors else door_edits(sim)
    rng = random.Random(seed)
    with Recorder(sim, spacing=spacing) as recorder:
        for keys in random_controls(seed, ticks, sim.population.doors[0].id if sim.population.doors else 0):
            if edits and rng.random() < 0.1:
                sim.apply_edit(edits.pop(0))
            sim.tick(keys)
    return recorder.recording


# --- recording


def test_every_tick_and_edit_is_stored_with_hash_and_player_after_it() -> None:
    sim = with_door()
    recorder = Recorder(sim, "here", spacing=8)
    hold(sim, 0.5, FORWARD)
    sim.apply_edit(FacePlayer(45.0))
    door = sim.population.doors[0].id
    sim.apply_edit(UseDoor(door, 0))
    reports = hold(sim, 0.5, RUN)
    recording = recorder.stop()
    assert (recording.first_tick, len(recording), recording.end) == (0, 30, 30)
    assert recording.controls == [FORWARD] * 15 + [RUN] * 15
    assert recording.edits == {15: [FacePlayer(45.0), UseDoor(door, 0)]}
    assert recording.hash_after(29) == sim.state_hash()
    assert recording.hash_before(0) == recording.start_hash
    assert recording.samples[29].origin == reports[-1].origin == sim.player.origin()
    assert recording.samples[29].cell == reports[-1].cell
    assert recording.keyframes.ticks == [0, 8, 16, 24, 30]
    assert (recording.source, recording.world, recording.core) == ("here", sim.world.name, active_core())


def test_recording_changes_nothing() -> None:
    alone, watched = with_door(), with_door()
    recorder = Recorder(watched, spacing=4)
    for keys in random_controls(3, 100):
        assert alone.tick(keys).origin == watched.tick(keys).origin
    recorder.stop()
    assert alone.state_hash() == watched.state_hash()


def test_a_stopped_recorder_receives_nothing_more() -> None:
    sim = with_door()
    recorder = Recorder(sim)
    hold(sim, 0.1)
    recording = recorder.stop()
    hold(sim, 0.1)
    sim.apply_edit(FacePlayer(10.0))
    assert len(recording) == 3
    assert recording.edits == {}


def test_a_recording_may_begin_at_any_tick() -> None:
    sim = with_door()
    hold(sim, 1.0, FORWARD)
    recording = recorded(sim, 60)
    assert (recording.first_tick, recording.end) == (30, 90)
    assert verify(with_door(), recording) is None


def test_held_keys_are_stored_once() -> None:
    sim = with_door()
    with Recorder(sim) as recorder:
        for _ in range(50):
            sim.tick(Controls(forward=1.0))
    assert len({id(controls) for controls in recorder.recording.controls}) == 1


def test_snapshots_share_unchanged_parts() -> None:
    sim = standing(built(furnished), "room", (3.0, 5.0))
    frames = Keyframes()
    snapshots = []
    for _ in range(20):
        snapshots.append(sim.snapshot())
        frames.add(sim.tick_number, snapshots[-1])
        sim.tick(RUN)
    crate = next(iter(sim.population.statics.things))
    sim.apply_edit(MoveEntity(crate, sim.player.steered.place.cell_id, 8.0, 3.0, 0.0, 0.0))
    snapshots.append(sim.snapshot())
    frames.add(sim.tick_number, snapshots[-1])
    assert [frames.snapshot(number) for number in range(21)] == snapshots
    assert len(frames.tails) == 2
    assert frames.size < sum(map(len, snapshots)) / 3
    assert (frames.at_or_before(7), frames.at_or_after(7), frames.at_or_after(21)) == (7, 7, -1)


# --- replaying


def five_people() -> WorldBuilder:
    return with_people(5)


WORLDS: list[Callable[[], Simulation]] = [
    with_door,
    lambda: standing(built(furnished), "room", (3.0, 5.0), 90.0),
    lambda: standing(built(house), "room", (108.0, 106.0, 20.0), 180.0),
    lambda: standing(built(five_people), "hall", (10.0, 10.0), 0.0),
]


@pytest.mark.parametrize("make", WORLDS, ids=["door", "furniture", "house", "people"])
def test_a_run_replays_the_same_in_every_tick(make: Callable[[], Simulation]) -> None:
    recording = recorded(make())
    assert verify(make(), recording) is None


def test_every_tick_can_be_reached_from_every_other() -> None:
    recording = recorded(with_door())
    playback = Playback(with_door(), recording)
    order = list(range(recording.first_tick, recording.end + 1))
    random.Random(2).shuffle(order)
    for tick in order:
        playback.seek(tick)
        assert playback.tick == tick
        assert playback.sim.state_hash() == recording.hash_before(tick)


def test_stepping_returns_the_reports_of_the_run() -> None:
    sim = with_door()
    with Recorder(sim) as recorder:
        told = [sim.tick(keys).origin for keys in random_controls(5, 60)]
    playback = Playback(with_door(), recorder.recording)
    playback.seek(0)
    assert [playback.step().origin for _ in range(60)] == told
    with pytest.raises(SimError, match="tick 60 was not recorded"):
        playback.step()


@pytest.mark.parametrize("tick", [-1, 201])
def test_a_tick_outside_the_recording_is_refused(tick: int) -> None:
    recording = recorded(with_door())
    with pytest.raises(SimError, match=f"from tick 0 to 200, not to {tick}"):
        Playback(with_door(), recording).seek(tick)
    with pytest.raises(SimError, match=f"from tick 0 to 200, not to {tick}"):
        verify(with_door(), recording, tick)


def test_a_recording_can_branch_from_an_earlier_tick() -> None:
    sim = with_door()
    recorder = Recorder(sim, spacing=16)
    for keys in random_controls(1, 100):
        sim.tick(keys)
    playback = Playback(sim, recorder.recording)
    playback.seek(40)
    past_is_the_end = recorder.is_at_end
    assert not past_is_the_end
    sim.tick(FORWARD)
    assert len(recorder.recording) == 100, "looking back is not recorded"
    playback.branch(40)
    assert recorder.is_at_end
    for keys in random_controls(2, 50):
        sim.tick(keys)
    recording = recorder.stop()
    assert len(recording) == 90
    assert verify(with_door(), recording) is None
    with pytest.raises(SimError, match="has the ticks 0 to 89, not 91"):
        recording.cut(91)


def test_after_a_look_back_recording_continues_at_its_end_with_its_edits() -> None:
    sim = with_door()
    recorder = Recorder(sim, spacing=16)
    for keys in random_controls(1, 50):
        sim.tick(keys)
    sim.apply_edit(FacePlayer(10.0))
    sim.apply_edit(UseDoor(sim.population.doors[0].id, 0))
    there = sim.state_hash()
    playback = Playback(sim, recorder.recording)
    playback.seek(20)
    playback.seek(50)
    assert sim.state_hash() == there
    sim.apply_edit(SetVelocity(sim.player.id, 0.0, 0.0, 3.0))
    assert [name_of(edit) for edit in recorder.recording.edits[50]] == ["face", "use", "set_velocity"]
    report = sim.tick(FORWARD)
    assert [event.what for event in report.events] == ["opening"]
    hold(sim, 1.0, FORWARD)
    recording = recorder.stop()
    assert len(recording) == 81
    assert verify(with_door(), recording) is None


def test_branching_at_the_end_undoes_the_edits_made_there() -> None:
    sim = with_door()
    recorder = Recorder(sim, spacing=16)
    hold(sim, 1.0, FORWARD)
    sim.apply_edit(FacePlayer(10.0))
    Playback(sim, recorder.recording).branch(30)
    hold(sim, 1.0, FORWARD)
    recording = recorder.stop()
    assert recording.edits == {}
    assert verify(with_door(), recording) is None


def test_a_recording_from_a_file_can_continue_from_any_tick() -> None:
    loaded = parse_recording(recording_bytes(recorded(with_door(), 100)), "file")
    sim = with_door()
    with pytest.raises(SimError, match="does not stand where the recording ends"):
        Recorder(sim, recording=loaded)
    Playback(sim, loaded).branch(37)
    with Recorder(sim, recording=loaded, spacing=16):
        hold(sim, 2.0, RUN)
    assert (loaded.first_tick, loaded.end) == (0, 97)
    assert verify(with_door(), loaded) is None
    playback = Playback(with_door(), loaded)
    for tick in (0, 36, 37, 38, 97):
        playback.seek(tick)
        assert playback.sim.state_hash() == loaded.hash_before(tick)


def test_a_recording_stopped_in_the_past_still_knows_its_whole_world() -> None:
    sim = standing(built(house), "room", (108.0, 106.0, 20.0), 180.0)
    recorder = Recorder(sim, spacing=16)
    hold(sim, 0.5)
    begun_with = list(sim.surroundings.joined)
    sim.surroundings.joined = [0x0007FFFF]  # as if he had been elsewhere in between
    hold(sim, 0.5)
    Playback(sim, recorder.recording).seek(3)
    assert sim.surroundings.joined == begun_with
    assert "0x0007FFFF" in recorder.stop().identity


def test_the_check_reports_progress_and_can_be_cancelled() -> None:
    recording = recorded(with_door())
    seen: list[int] = []

    def progress(tick: int) -> bool:
        seen.append(tick)
        return tick < 9

    assert verify(with_door(), recording, progress=progress) is None
    assert seen == list(range(10))


# --- divergence


def test_the_check_finds_the_first_differing_tick_and_the_difference() -> None:
    recording = recorded(standing(built(open_rooms), "hall", (3.0, 2.0), 90.0))
    recording.controls[77] = Controls(forward=-1.0, turn=1.0)
    divergence = verify(simulate(built(open_rooms)), recording)
    assert divergence is not None
    assert (divergence.tick, divergence.reason) == (77, "the state differs after tick 77")
    assert "player.heading" in {difference.path for difference in divergence.player}
    assert divergence.fields_at == 80
    assert {difference.path for difference in divergence.fields} >= {"player.origin", "player.rotation"}
    lines = divergence.lines()
    assert lines[0] == "the state differs after tick 77"
    assert any(line.startswith("  after the tick, player.heading: recorded ") for line in lines)


def test_a_difference_outside_the_player_is_named_by_its_path() -> None:
    def people() -> Simulation:
        return standing(built(five_people), "hall", (10.0, 10.0), 0.0)

    sim = people()
    who = next(entity for entity in sim.population.ordered if entity.body is not None)
    with Recorder(sim, spacing=16) as recorder:
        hold(sim, 1.0, FORWARD)
        sim.apply_edit(SetVelocity(who.id, 1.0, 0.0, 0.0))
        hold(sim, 1.0, FORWARD)
    recording = recorder.recording
    recording.edits[30] = [SetVelocity(who.id, 2.0, 0.0, 0.0)]
    divergence = verify(people(), recording)
    assert divergence is not None
    assert divergence.tick == 30
    assert divergence.player == []
    paths = {difference.path for difference in divergence.fields}
    assert f"0x{who.id:08X} {who.name}.origin" in paths


def test_a_snapshot_other_than_the_recorded_one_is_refused() -> None:
    recording = recorded(with_door())
    recording.start_hash = bytes(16)
    with pytest.raises(SimError, match="the snapshot of tick 0 is not the state that was recorded"):
        verify(with_door(), recording)
    frames = recording.keyframes
    frames.heads[3], frames.tail_numbers[3] = frames.heads[2], frames.tail_numbers[2]
    with pytest.raises(SimError, match="the snapshot of tick 48 is not the state that was recorded"):
        Playback(with_door(), recording).seek(50)


def test_an_edit_that_no_longer_applies_is_a_divergence() -> None:
    recording = recorded(with_door())
    recording.edits[50] = [RemoveEntity(0x12345678)]
    divergence = verify(with_door(), recording)
    assert divergence is not None
    assert divergence.tick == 50
    assert divergence.reason.startswith("the edits for tick 50 cannot be replayed: ")
    with pytest.raises(SimError, match="the edits for tick 50 cannot be replayed: "):
        Playback(with_door(), recording).seek(60)


def test_only_the_first_of_many_differences_are_shown() -> None:
    fields = [FieldDifference(f"thing.{number}", "1", "2") for number in range(100)]
    lines = Divergence(5, "the state differs after tick 5", [], fields, 64).lines()
    assert len(lines) == 43
    assert lines[-2:] == ["    thing.39: recorded 1, ours 2", "    and 60 more"]


def test_states_are_compared_by_path_and_repeated_paths_are_numbered() -> None:
    recorded_state = [("player.sphere", "1"), ("player.sphere", "2"), ("player.gone", "3")]
    ours = [("player.sphere", "1"), ("player.sphere", "4"), ("player.new", "5" * 100)]
    assert [str(difference) for difference in state_differences(recorded_state, ours)] == [
        "player.sphere[1]: recorded 2, ours 4",
        "player.gone: recorded 3, ours -",
        "player.new: recorded and ours differ",
    ]


def test_a_snapshot_of_another_world_is_refused() -> None:
    recording = recorded(with_door())
    with pytest.raises(SimError, match="its state does not fit this world: "):
        Playback(simulate(built(big_hall)), recording).seek(0)


def test_another_player_is_refused() -> None:
    recording = recorded(with_door())
    sim = Simulation(built(two_rooms).load(), player_id=0x50000002)
    with pytest.raises(SimError, match="has the id 0x50000001"):
        Playback(sim, recording)


# --- the world


def moved_wall() -> WorldBuilder:
    world = WorldBuilder()
    hall = world.room("hall", [(0, 0), (6, 0), (6, 4), (0, 4)])
    study = world.room("study", [(6.2, 0), (10.3, 0), (10.3, 4), (6.2, 4)])
    world.door(hall, study, width=1.3, name="door")
    return world


def other_door() -> WorldBuilder:
    return two_rooms(locked=True)


def test_a_recording_recognises_its_world() -> None:
    sim = standing(built(five_people), "hall", (10.0, 10.0))
    recording = recorded(sim, 20)
    assert list(recording.identity) == ["0x0007FFFF", "entities", "player"]
    check_world(built(five_people).load(), recording)
    sim.apply_edit(next(edit for edit in some_edits(sim) if isinstance(edit, ReplaceCell)))
    check_world(sim.world, recording)


@pytest.mark.parametrize(
    ("make", "said"), [(moved_wall, "0x0007FFFF"), (other_door, "entities"), (open_rooms, "entities")]
)
def test_a_recording_detects_a_changed_world(make: Callable[[], WorldBuilder], said: str) -> None:
    recording = recorded(with_door(), 20)
    with pytest.raises(SimError, match=f"is no longer the world of the recording: {said} differ"):
        check_world(make().build().load(), recording)


def test_a_recording_detects_a_missing_landblock() -> None:
    recording = recorded(standing(built(house), "room", (108.0, 106.0, 20.0), 180.0), 20)
    assert "0xC95BFFFF" in world_identity.differing_parts(built(two_rooms).load(), recording.identity)


# --- scale


def test_a_recording_read_from_its_bytes_replays_the_same() -> None:
    recording = parse_recording(recording_bytes(recorded(with_door())), "file")
    assert verify(with_door(), recording) is None


@pytest.mark.slow
def test_seeking_reaches_any_of_100_000_ticks_within_50_ms() -> None:
    """On the compiled core; the interpreted one, a hundred times slower, gets fewer ticks and more time."""
    compiled = active_core() == "compiled"
    ticks, limit = (100_000, 0.05) if compiled else (3_000, 2.0)
    sim = standing(built(five_people), "hall", (10.0, 10.0), 0.0)
    rng = random.Random(1)
    with Recorder(sim) as recorder:
        for keys in itertools.islice(itertools.cycle(random_controls(1, 977)), ticks):
            sim.tick(keys)
    recording = recorder.recording
    assert recording.keyframes.size < 100 * ticks
    playback = Playback(standing(built(five_people), "hall", (10.0, 10.0)), recording)
    for tick in [recording.end, *(rng.randrange(ticks) for _ in range(100))]:
        taken = []
        for _ in range(3):
            began = time.process_time()
            playback.seek(tick)
            taken.append(time.process_time() - began)
        assert playback.sim.state_hash() == recording.hash_before(tick)
        assert min(taken) < limit


# --- older versions


def begun_before(sim: Simulation, version: int) -> Recording:
    """A recording that starts at the simulation's current state, in the form of an older version's states."""
    recording = Recording(sim.tick_number, sim.state_hash(version), sim.player.id, "here", sim.world.name)
    recording.keyframes.add(sim.tick_number, sim.snapshot(version))
    return recording


@pytest.mark.parametrize("version", range(OLDEST_STATE_VERSION, STATE_VERSION))
def test_a_recording_of_an_older_program_replays_with_its_rules(version: int) -> None:
    """States of version 3 lack the rules named since; everything followed what is now their ace form."""
    sim = with_door()
    since = () if version > 3 else RULE_NAMES[36:]
    for rule in since:
        sim.apply_edit(SetRule(rule, "ace"))
    with Recorder(sim, recording=begun_before(sim, version)) as recorder:
        for keys in random_controls(7, 40, sim.population.doors[0].id):
            sim.tick(keys)
    old = parse_recording(recording_bytes(recorder.recording), "old")
    assert old.state_version == version
    again = with_door()
    assert verify(again, old) is None
    assert {rule for rule in RULE_NAMES if again.rules.form(rule) == "ace"} == set(since)


def test_a_continued_older_recording_replays_too() -> None:
    sim = with_door()
    for rule in RULE_NAMES[36:]:
        sim.apply_edit(SetRule(rule, "ace"))
    old = begun_before(sim, 3)
    with Recorder(sim, recording=old):
        hold(sim, 0.5, FORWARD)
        sim.apply_edit(SetRule("steep_ground", "retail"))
        hold(sim, 1.0, RUN)
    again = with_door()
    assert verify(again, parse_recording(recording_bytes(old), "old")) is None
    assert again.rules.form("steep_ground") == "retail"
    Playback(again, old).seek(40)
    assert again.rules.form("steep_ground") == "retail"


def test_a_divergence_of_an_older_run_names_its_version() -> None:
    sim = with_door()
    with Recorder(sim, recording=begun_before(sim, 3)) as recorder:
        hold(sim, 0.5, FORWARD)
    recorder.recording.hashes[-1] ^= 1
    found = verify(with_door(), recorder.recording)
    assert found is not None
    assert found.reason.startswith("the state differs after tick 14: it was recorded with version 3 of the simulation")


def test_a_state_of_a_newer_program_is_refused_with_a_message() -> None:
    sim = with_door()
    newer = bytearray(sim.snapshot())
    newer[20] = STATE_VERSION + 1
    old = Recording(0, sim.state_hash(), sim.player.id, "here", sim.world.name)
    old.keyframes.add(0, bytes(newer))
    with pytest.raises(
        SimError, match=f"is of version {STATE_VERSION + 1} of the simulation; this program knows {STATE_VERSION}"
    ):
        verify(with_door(), old)
