"""The outcome that Sweep names is what the engine did: over random walks in the demo, and over the golden moves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from editor.reports.contact_wording import contact_text
from editor.reports.sweep_headline import outcome_text
from editor.reports.sweep_outcome import Verdict, outcome_of
from engine.build.demo import SPOTS
from engine.physics.rules import rule_set
from engine.sim.captures.form import read_capture
from engine.sim.captures.replay import replay_capture
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.golden.scene_run import GoldenScene, MoveRun
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.world.loader import open_world
from tests.editor.models.sweep.outcome_checker import OutcomeChecker
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.demo_walks import demo_simulation
from tests.sim.helpers.small_worlds import FORWARD, RUN, open_all

pytestmark = pytest.mark.unwatched

JUMP = Controls(forward=1.0, jump=True)
TICKS = 20
SCENES = SHARED / "goldens" / "scenes"
NAMES = sorted(path.stem for path in SCENES.glob("*.json")) if SCENES.is_dir() else []


@pytest.mark.parametrize("rules", ["retail", "ace"])
def test_every_tick_of_random_walks_has_the_outcome_that_is_named(rules: str) -> None:
    sim = Simulation(demo_simulation().sim.world, rule_set(rules))
    checker, dice = OutcomeChecker(), random.Random(12)
    sim.watch(sim.player.id, checker)
    for spot in SPOTS.values():
        sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
        open_all(sim)
        sim.apply_edit(FacePlayer(dice.random() * 360.0))
        for _ in range(TICKS):
            sim.tick(dice.choice((FORWARD, RUN, RUN, JUMP)))
            checker.clear()
    common = (Verdict.FREE, Verdict.BLOCKED, Verdict.SLID, Verdict.LANDED, Verdict.STEPPED_UP)
    assert all(checker.verdicts[verdict] for verdict in common), checker.verdicts
    assert checker.named > 50


def test_sweep_and_the_events_of_the_timeline_name_the_same_causes() -> None:
    sim = Simulation(demo_simulation().sim.world, rule_set("retail"))
    sim.name_causes()
    recorder, dice = TraceRecorder(), random.Random(3)
    sim.watch(sim.player.id, recorder)
    compared, same = 0, 0
    for spot in SPOTS.values():
        sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
        open_all(sim)
        sim.apply_edit(FacePlayer(dice.random() * 360.0))
        for _ in range(TICKS):
            contacts = sim.tick(dice.choice((FORWARD, RUN, RUN, JUMP))).contacts
            assert contacts is not None
            sweeps = recorder.sweeps
            recorder.clear()
            if contacts.stopped_by:
                assert outcome_of(sweeps).verdict is Verdict.BLOCKED
            causes = contacts.stopped_by or contacts.slid_along
            if causes and outcome_of(sweeps).verdict is not Verdict.LANDED:
                words = outcome_text(sim, sweeps, contacts)
                compared += 1
                same += contact_text(sim, causes[0]) in words
    assert compared > 100
    assert same == compared, f"{same} of {compared}"


@needs_shared
@pytest.mark.conformance
@pytest.mark.parametrize("rules", ["retail", "ace"])
def test_the_golden_moves_have_the_outcome_that_is_named(rules: str) -> None:
    checker = OutcomeChecker()
    for name in NAMES:
        scene = GoldenScene.open(Path(SCENES / f"{name}.json"), rule_set(rules))
        for move in scene.moves[::7]:
            run = MoveRun(scene, move)
            run.body.observer = checker
            for _ in range(min(12, len(move.offsets))):
                run.tick()
                checker.clear()
    assert checker.named > 20
    assert checker.verdicts[Verdict.SLID]


@needs_shared
@pytest.mark.conformance
@pytest.mark.parametrize("rules", ["retail", "ace"])
def test_the_moves_of_real_clients_have_the_outcome_that_is_named(rules: str) -> None:
    fixtures = SHARED / "fixtures"
    world = open_world([fixtures / "flap-doorway", fixtures / "cellar-lip"], ground=94.0)
    records = read_capture(fixtures / "cellar-ascent" / "doorway-threshold-capture.jsonl")
    checker = OutcomeChecker()
    replay_capture(world.graph, rule_set(rules), records, checker)
    assert checker.verdicts.total() == len(records)
    assert checker.verdicts[Verdict.FREE]
    assert checker.changes > 0
