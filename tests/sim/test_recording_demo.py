"""Recordings of runs through the demo world with random changes: sought, saved, and replayed on the other core."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from editor.session.sources import open_source
from engine import active_core
from engine.physics.errors import PhysicsError
from engine.sim.edits.rules import SetRuleSet
from engine.sim.playback import Playback, verify
from engine.sim.recording import Recorder, Recording
from engine.sim.recording_file import load_recording, save_recording
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.demo_walks import Demo, demo_simulation
from tests.sim.simulation.test_random_edits import EDIT_CHANCE, Editor
from tests.sim.simulation.test_soak import Keys

ROOT = Path(__file__).resolve().parents[2]
OTHER = {"compiled": "python", "python": "compiled"}


@pytest.fixture(scope="module")
def demo() -> Demo:
    return demo_simulation()


def random_run(demo: Demo, seed: int, ticks: int, rules: str) -> Recording:
    demo.begin()
    sim, rng = demo.sim, random.Random(seed)
    keys, editor = Keys(rng, [door.id for door in sim.population.doors]), Editor(demo, rng)
    with Recorder(sim, "demo") as recorder:
        sim.apply_edit(SetRuleSet(rules))
        for _ in range(ticks):
            if rng.random() < EDIT_CHANCE:
                try:
                    sim.apply_edit(editor.next())
                except PhysicsError:
                    continue  # what is refused is not recorded
            sim.tick(keys.next())
    return recorder.recording


def test_seeking_reaches_any_tick_of_a_run_with_random_changes(demo: Demo, tmp_path: Path) -> None:
    save_recording(random_run(demo, 7, 500, "retail"), tmp_path / "run.cdrec")
    recording = load_recording(tmp_path / "run.cdrec")
    assert len(recording.edits) > 5
    playback = Playback(demo.sim, recording)
    rng = random.Random(1)
    for _ in range(20):
        tick = rng.randrange(recording.first_tick, recording.end)
        playback.seek(tick)
        assert demo.sim.state_hash() == recording.hash_before(tick)
    assert verify(demo.sim, recording) is None


def test_a_run_replays_the_same_in_a_barely_loaded_world(demo: Demo) -> None:
    recording = random_run(demo, 11, 60, "retail")
    with open_source("demo") as world:
        assert verify(Simulation(world), recording) is None


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["retail", "ace"])
def test_a_run_with_random_changes_replays_the_same_on_the_other_core(demo: Demo, tmp_path: Path, rules: str) -> None:
    path = tmp_path / "run.cdrec"
    save_recording(random_run(demo, 11, 2_000, rules), path)
    other = OTHER[active_core()]
    done = subprocess.run(
        [sys.executable, "-m", "cellar_door", "replay", str(path)],
        cwd=ROOT,
        env={**os.environ, "CELLAR_DOOR_CORE": other},
        capture_output=True,
        text=True,
        check=False,
    )
    if "compiled core cannot be used" in done.stderr:
        pytest.skip("no compiled core matches the sources")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ticks agree" in done.stdout
    assert f"replayed on the {other} one" in done.stdout
