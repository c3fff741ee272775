"""Every rule that a run can show is named for an open recording of that run, with a second run beside it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from editor.commands.walk import parse_rules
from editor.document.document import Document
from editor.models.compare.watch import CompareWatch
from editor.session.recording_check import Rerun
from editor.session.session import Session
from engine.sim.compare.causes import RULES
from engine.sim.playback import Playback
from engine.sim.recording import Recording
from engine.sim.tick.simulation import Simulation
from engine.world.world import World
from tests.sim.compare.test_rules import RUNS


def document_of(world: World, recording: Recording) -> Document:
    """A recording as the window opens it: replayed, and shown at its end."""
    session = Session()
    document = Document(session)
    sim = Simulation(world, player_id=recording.player_id)
    playback = Playback(sim, recording)
    playback.start()
    while playback.tick < recording.end:
        playback.step()
    session.world, session.simulation, session.run = sim.world, sim, Rerun(recording)
    session.landblock_id = sim.world.landblock_ids()[0]
    session.opened.emit()
    return document


@pytest.mark.parametrize("rule", RUNS)
def test_the_rule_of_a_run_is_named_beside_the_window(qtbot: QtBot, rule: str) -> None:
    shown = RUNS[rule]
    place, recording = shown.run(parse_rules(shown.rules))
    watch = CompareWatch(document_of(place.world, recording))
    assert watch.compare_rule(rule), watch.problem
    qtbot.waitUntil(lambda: not watch.is_working, timeout=60_000)
    assert watch.compared == len(recording)
    assert watch.first is not None
    explained = watch.hidden or watch.shown
    assert explained is not None
    cause = explained.cause
    assert cause is not None
    assert (cause.kind, cause.names, cause.alone) == (RULES, (rule,), (rule,))
    assert explained.sweeps is not None
    watch.stop()
