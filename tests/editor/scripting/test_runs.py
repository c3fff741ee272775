"""Runs: the same bits as the engine driven by hand, keys, conditions, snapshots, traces, recordings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cellar_door
from engine.physics.rules import rule_set
from engine.sim.edits.doors import UseDoor
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.recording_file import load_recording
from engine.sim.script import parse_script
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.editor.scripting.conftest import HALL, START, STUDY
from tests.sim.helpers.small_worlds import built, two_rooms

SCRIPT = "forward 1s\nuse door\nforward 1s run\nturn right 40\nback 0.5s"


def by_hand(world: cellar_door.World, rules: str = "retail", radius: float | None = None) -> Simulation:
    sim = Simulation(world.loaded, rule_set(rules))
    if radius is not None:
        sim.apply_edit(SetPlayerNumber("radius", radius))
    sim.apply_edit(Teleport(HALL, 4.6, 2.0, 0.0, 90.0))
    return sim


@pytest.mark.parametrize(("rules", "radius"), [("retail", None), ("ace", None), ("retail", 0.3)])
def test_a_walk_ends_in_the_state_of_the_engine_by_hand(
    world: cellar_door.World, rules: str, radius: float | None
) -> None:
    sim = by_hand(world, rules, radius)
    for _ in parse_script(SCRIPT).run(sim):
        pass
    run = world.simulation(START, rules=rules, body=None if radius is None else {"radius": radius})
    run.walk(SCRIPT)
    assert run.engine.state_hash() == sim.state_hash()
    sim.close()


def test_keys_are_those_of_the_engine(world: cellar_door.World) -> None:
    pairs = [
        ("", Controls()),
        ("W", Controls(forward=1.0)),
        ("S run", Controls(forward=-1.0, run=True)),
        ("WD", Controls(forward=1.0, turn=1.0)),
        ("A", Controls(turn=-1.0)),
        ("Z", Controls(side_step=-1.0)),
        ("forward right jump", Controls(forward=1.0, side_step=1.0, jump=True)),
        ("WS", Controls()),
    ]
    sim, run = by_hand(world), world.simulation(START)
    for keys, controls in pairs:
        report, tick = sim.tick(controls), run.tick(keys)
        assert run.engine.state_hash() == sim.state_hash(), keys
        assert (tick.position, tick.cell, tick.heading) == (report.origin, report.cell, report.heading)
    sim.tick(Controls(look=12.0, use=run.id_of("door")))
    run.tick(look=12.0, use="door")
    for _ in range(5):
        report = sim.tick(Controls(forward=1.0))
    assert run.tick("W", 5).position == report.origin
    assert run.engine.state_hash() == sim.state_hash()
    sim.close()


def test_the_speed_of_a_tick_is_that_of_the_condition(world: cellar_door.World) -> None:
    with world.simulation(START) as run:
        ticks = run.walk("forward 1s run")
        fast = run.find("speed over 4 m/s")
    assert fast == [tick.number for tick in ticks if tick.speed > 4.0]
    assert fast


@pytest.mark.parametrize("wrong", [5, None, 1.5, ("W",)])
def test_what_is_of_another_type_is_a_type_error(world: cellar_door.World, wrong: object) -> None:
    with world.simulation(START) as run, pytest.raises(TypeError):
        run.tick(wrong)  # type: ignore[arg-type]
    if wrong not in (5, None):
        with pytest.raises(TypeError):
            world.simulation(wrong)  # type: ignore[arg-type]


def test_a_key_that_there_is_not_is_refused(world: cellar_door.World) -> None:
    run = world.simulation(START)
    with pytest.raises(cellar_door.RefusedError, match="'Wx' is no key"):
        run.tick("Wx")
    with pytest.raises(cellar_door.RefusedError, match="0 is not a number of ticks"):
        run.tick("W", 0)
    assert run.tick_number == 0


def test_a_walk_that_is_refused_keeps_the_ticks_that_it_has_run(world: cellar_door.World) -> None:
    run = world.simulation(START)
    with pytest.raises(cellar_door.RefusedError, match="line 2") as refused:
        run.walk("forward 5t\nuse nobody")
    assert refused.value.file == "script"
    assert run.tick_number == 5


def test_until_stops_at_the_tick_and_says_why(world: cellar_door.World) -> None:
    run = world.simulation(START)
    stopped = run.until("blocked by door", "W", seconds=5)
    assert stopped is not None
    assert stopped.blocked
    assert stopped.because == "blocked by door"
    assert stopped.number == run.tick_number - 1 == run.find("blocked by door")[0]
    with pytest.raises(cellar_door.RefusedError, match="did you mean “door”"):
        run.until("blocked by dor", "W")
    assert run.until("cell changes", "W", seconds=1) is None
    assert run.tick_number == stopped.number + 31


def test_until_follows_a_script(world: cellar_door.World) -> None:
    run = world.simulation(START)
    stopped = run.until("cell changes", walk="use door\nforward 5s")
    assert stopped is not None
    assert (stopped.cell_before, stopped.cell_changed) == (HALL, True)


def test_a_snapshot_brings_everything_back_with_the_recording(world: cellar_door.World, tmp_path: Path) -> None:
    run = world.simulation(START)
    run.walk("forward 10t")
    run.doors["door"].open()
    before, kept = run.engine.state_hash(), run.snapshot()
    run.walk("forward 1s")
    run.doors["door"].lock()
    run.restore(kept)
    assert run.engine.state_hash() == before
    assert run.steps == ("Open door",)
    run.walk("back 10t")
    run.save(tmp_path / "a.cdrec")
    with cellar_door.open_recording(tmp_path / "a.cdrec", world) as recording:
        assert len(recording) == 20
        assert recording.check() == ""


@given(st.lists(st.sampled_from(["W", "S", "WD", "save", "back", "open", "close"]), max_size=24))
def test_after_any_going_back_and_forth_the_recording_replays(moves: list[str]) -> None:
    with built_world() as world:
        run = world.simulation(START)
        kept = [run.snapshot()]
        for move in moves:
            if move == "save":
                kept.append(run.snapshot())
            elif move == "back":
                run.restore(kept[len(kept) // 2])
            elif move == "open":
                run.doors["door"].open()
            elif move == "close":
                run.doors["door"].close()
            else:
                run.tick(move)
        recording = run.recording
        assert len(recording) == run.tick_number
        assert recording.check() == ""


def built_world() -> cellar_door.World:
    from contextlib import ExitStack

    stack = ExitStack()
    sim = Simulation(stack.enter_context(built(two_rooms).load()))
    stack.callback(sim.close)
    return cellar_door.World(stack, sim, "two rooms", None, None, None, ())


def test_a_snapshot_of_another_run_is_refused(world: cellar_door.World) -> None:
    with pytest.raises(cellar_door.RefusedError, match="another run's"):
        world.simulation(START).restore(world.simulation(START).snapshot())


def test_a_trace_tells_of_any_tick_and_changes_nothing(world: cellar_door.World) -> None:
    run = world.simulation(START)
    stopped = run.until("blocked by door", "W", seconds=5)
    assert stopped is not None
    run.walk("back 10t")
    before = run.engine.state_hash()
    trace = run.trace(stopped.number)
    assert "door" in trace.outcome
    assert trace.find("polygon")
    assert {sweep.kind for sweep in trace.sweeps} == {"sweep"}
    assert trace.text.splitlines()[0] == trace.sweeps[0].line
    assert run.engine.state_hash() == before
    with pytest.raises(cellar_door.RefusedError, match="not 900"):
        run.trace(900)


def test_the_next_tick_is_traced_without_running_it(world: cellar_door.World) -> None:
    run = world.simulation(START)
    for _ in range(30):
        before = run.engine.state_hash()
        ahead = run.trace_next("W")
        assert run.engine.state_hash() == before
        run.tick("W")
        assert ahead == run.trace()


def test_without_recording_a_run_has_the_same_bits_and_nothing_to_save(world: cellar_door.World) -> None:
    recorded, plain = world.simulation(START), world.simulation(START, record=False)
    recorded.walk(SCRIPT)
    plain.walk(SCRIPT)
    assert plain.engine.state_hash() == recorded.engine.state_hash()
    with pytest.raises(cellar_door.RefusedError, match="record=False"):
        plain.trace()


def test_a_run_tells_its_listeners_until_they_leave(world: cellar_door.World) -> None:
    run = world.simulation(START)
    heard: list[cellar_door.Tick] = []
    leave = run.on_tick(heard.append)
    ticks = run.walk("forward 3t")
    leave()
    run.tick()
    assert heard == ticks


def test_runs_of_a_world_do_not_see_each_other(world: cellar_door.World) -> None:
    one, two = world.simulation(START), world.simulation(START)
    one.doors["door"].open()
    one.set_rules(edge_slide_order="ace")
    assert not two.doors["door"].is_open
    assert two.rules["edge_slide_order"] == "retail"
    assert not world.doors["door"].is_open


def test_the_player_stands_where_he_is_put(world: cellar_door.World) -> None:
    run = world.simulation(cellar_door.Place(HALL, (2.0, 2.0, 0.0), 45.0))
    player = run.player
    assert (player.cell, player.place.position[:2], round(player.heading)) == (HALL, (2.0, 2.0), 45)
    assert player.on_ground == run.tick().on_ground
    run.place(STUDY)
    assert run.player.cell == STUDY
    run.place_before("door", behind=True)
    assert run.player.cell == HALL
    run.face(10.0)
    run.push("player", (0.0, 0.0, 3.0))
    assert run.tick().position[2] > 0.05
    run.set_body(radius=0.3, run_skill=300)
    assert run.player.body["radius"] == pytest.approx(0.3)


@pytest.mark.parametrize("at", [0x00070155, "nowhere", "0x00070100,1,2", cellar_door.Place(0x99990100, (0, 0, 0))])
def test_a_place_that_there_is_not_is_refused(world: cellar_door.World, at: str | int | cellar_door.Place) -> None:
    with pytest.raises(cellar_door.RefusedError):
        world.simulation(at)
    run = world.simulation(START)
    before = run.engine.state_hash()
    with pytest.raises(cellar_door.RefusedError):
        run.place(at)
    assert run.engine.state_hash() == before


def test_a_saved_run_is_a_recording_like_any_other(world: cellar_door.World, folder: Path, tmp_path: Path) -> None:
    run = world.simulation(START)
    run.walk(SCRIPT)
    run.save(tmp_path / "a.cdrec")
    saved = load_recording(tmp_path / "a.cdrec")
    assert saved.source == str(folder)
    assert saved.hashes == run.recording.engine.hashes
    assert [type(edit) for edit in saved.edits[30]] == [UseDoor]
    with pytest.raises(cellar_door.RefusedError, match="one of the files that are read"):
        run.save(folder / "client_portal.dat")
