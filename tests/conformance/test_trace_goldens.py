"""Observation changes nothing: the golden moves, traced and untraced, give the same bits."""

from __future__ import annotations

import json

import pytest

from engine.physics.rules import rule_set
from engine.physics.sweep.trace import SweepObserver
from engine.sim.golden.form import Move
from engine.sim.golden.scene_run import GoldenScene, MoveRun
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import STEP, SWEEP
from tests.shared import SHARED, needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]

SCENES = ["wall", "stairs_ramp", "portal", "door", "ledge", "objects", "terrain", "building", "crowd", "pillars"]


def answers(scene: GoldenScene, move: Move, ticks: int, observer: SweepObserver | None) -> str:
    """Text with every digit, so that equal text means equal bits."""
    run = MoveRun(scene, move)
    run.body.observer = observer
    told = []
    for _ in range(min(ticks, len(move.offsets))):
        told.append(run.tick())
        if isinstance(observer, TraceRecorder):
            for sweep in observer.sweeps:
                assert sweep.kind == SWEEP, "an event came outside a sweep"
                assert sweep.after is not None, "a sweep was left open"
                for step in sweep.find(STEP):
                    assert step.answer, "a sub-step without an end"
            observer.clear()
    return json.dumps(told)


def compare(name: str, rules: str, every: int, ticks: int) -> None:
    scene = GoldenScene.open(SHARED / "goldens" / "scenes" / f"{name}.json", rule_set(rules))
    for move in scene.moves[::every]:
        alone = answers(scene, move, ticks, None)
        assert answers(scene, move, ticks, SweepObserver()) == alone
        assert answers(scene, move, ticks, TraceRecorder()) == alone


@pytest.mark.parametrize("rules", ["ace", "retail"])
@pytest.mark.parametrize("name", SCENES)
def test_some_golden_moves_give_the_same_bits_traced_and_untraced(name: str, rules: str) -> None:
    compare(name, rules, 11, 12)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_every_golden_move_gives_the_same_bits_traced_and_untraced(name: str) -> None:
    compare(name, "ace", 1, 1000)
