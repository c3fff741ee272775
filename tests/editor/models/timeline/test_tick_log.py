"""The columns of a session: what they read from the recording, what is noted, and what a branch leaves of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from editor.document.document import Document
from editor.models.timeline import tick_log
from editor.models.timeline.events import EventLog
from editor.models.timeline.lanes import added_lanes, lane_text, standard_lanes
from editor.models.timeline.plots import Plots
from editor.models.timeline.tick_log import FORWARD as FORWARD_KEY
from editor.models.timeline.tick_log import ON_WALKABLE, RUN, TURN_RIGHT, TickLog, key_words, keys_of
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def noting(document: Document) -> TickLog:
    """A log that hears of every tick, as the dock's does."""
    log = TickLog()
    assert document.history is not None
    log.begin(document.history.recording)
    document.ticked.connect(lambda report: log.note(report, document.tick_cost, 4.0))
    return log


def read(document: Document, log: TickLog) -> None:
    assert document.history is not None
    assert log.read(document.history)


def test_columns_follow_the_recording_and_its_branches(document: Document) -> None:
    log, history = noting(document), document.history
    assert history is not None
    document.tick_many(10, FORWARD)
    read(document, log)
    assert len(log) == log.end == 10
    assert np.nanmax(log.speed.values) == pytest.approx(3.12, abs=0.2)
    document.tick_many(80, FORWARD)
    read(document, log)
    assert log.speed.values[-1] == 0.0, "the door is in the way"
    document.go_to(5)
    document.continue_here()
    log.cut(history.end)
    document.tick_many(100, Controls(forward=-1.0))
    read(document, log)
    assert len(log) == 105
    assert log.height.values.tolist() == [history.recording.samples[n].origin[2] for n in range(105)]
    assert log.keys.all_values().tolist() == [1] * 5 + [2] * 100


def test_a_long_recording_is_read_in_pieces(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    document.tick_many(60, FORWARD)
    document.tick_many(60, Controls(turn=1.0))
    document.tick_many(60, Controls(forward=1.0, run=True))
    assert document.history is not None
    whole, parts = TickLog(), TickLog()
    assert whole.read(document.history)
    monkeypatch.setattr(tick_log, "AT_ONCE", 70)
    assert [parts.read(document.history) for _ in range(4)] == [False, False, True, True]
    for a, b in ((whole.height, parts.height), (whole.speed, parts.speed), (whole.heading, parts.heading)):
        np.testing.assert_array_equal(a.values, b.values)
        assert a.breaks.tolist() == b.breaks.tolist()
    for name in ("cells", "contact", "keys"):
        assert getattr(whole, name).all_values().tolist() == getattr(parts, name).all_values().tolist()


def test_a_teleport_breaks_the_curves_and_is_no_speed(document: Document) -> None:
    log = noting(document)
    document.tick_many(20, FORWARD)
    cell = document.sim.player.steered.place.cell_id
    document.edit("Go", Teleport(cell, 1.0, 2.0, 0.0, 90.0))
    document.tick_many(20, FORWARD)
    read(document, log)
    assert log.height.breaks.tolist() == [20]
    assert math.isnan(log.speed.values[20])
    assert np.nanmax(log.speed.values) < 4.0


def test_the_heading_breaks_where_north_is_passed(document: Document) -> None:
    log = noting(document)
    document.tick_many(120, Controls(turn=1.0))
    read(document, log)
    wraps = log.heading.breaks.tolist()
    assert wraps
    assert all(log.heading.values[at - 1] > 300.0 and log.heading.values[at] < 60.0 for at in wraps)


def test_contact_and_blocked_ticks_are_known(document: Document) -> None:
    log = noting(document)
    document.tick_many(90, FORWARD)
    document.tick_many(10)
    read(document, log)
    assert log.contact.value(50) == ON_WALKABLE
    assert log.blocked.value(2) == 0
    assert log.blocked.value(89) == 1
    assert log.blocked.value(99) == 0


def test_every_tick_has_a_cost_and_a_replayed_one_keeps_its_own(document: Document) -> None:
    log = noting(document)
    document.tick_many(5, FORWARD)
    costs = log.tick_cost.values.tolist()
    assert len(costs) == 5
    assert all(0.0 < cost < 5000.0 for cost in costs)
    assert log.frame_cost.values.tolist() == [4.0] * 5
    document.go_to(2)
    document.tick_many(2)
    assert log.tick_cost.values.tolist() == costs


def test_keys_are_words() -> None:
    keys = keys_of(Controls(forward=1.0, turn=0.5, run=True))
    assert keys == FORWARD_KEY | TURN_RIGHT | RUN
    assert key_words(keys) == "run forward turn right"
    assert key_words(keys_of(Controls())) == ""
    assert key_words(keys_of(Controls(forward=-1.0, side_step=-1.0, turn=-1.0, jump=True, use=5))) == (
        "back turn left step left jump use"
    )


def test_every_lane_has_words_for_a_tick(document: Document) -> None:
    log, events, plots = noting(document), EventLog(document), Plots(document, ["player:velocity"])
    document.started.emit()
    document.tick_many(60, FORWARD)
    read(document, log)
    texts = {lane.id: lane_text(lane, log, events, 59) for lane in [*standard_lanes(log), *added_lanes(plots)]}
    assert texts["cell"] == "0x00070100"
    assert texts["height"].endswith(" m")
    assert texts["speed"] == "0.00 m/s"
    assert texts["heading"] == "90.0°"
    assert texts["contact"] == "on walkable, blocked"
    assert texts["keys"] == "forward"
    assert texts["tick-cost"].endswith(" ms")
    assert texts["player:velocity"].endswith(" m/s")
    hit = events.events[0]
    events_lane = next(lane for lane in standard_lanes(log) if lane.id == "events")
    assert lane_text(events_lane, log, events, hit.tick) == "Blocked by door, part 1, polygon 0"
    assert {lane_text(lane, log, events, 999) for lane in standard_lanes(log)} == {"–"}
