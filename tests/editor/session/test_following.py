"""Following on a worker thread, without a window: what the list and the status line say of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from editor.models.following import live_capture
from editor.models.following.live_capture import LiveCapture
from editor.session.following import Following
from engine.sim.captures.form import CaptureRecord
from tests.sim.live.captures import append, ended_elsewhere, lines, rooms


@pytest.fixture
def records() -> list[CaptureRecord]:
    return rooms()[1]


@pytest.fixture
def live(qtbot: QtBot, tmp_path: Path) -> Iterator[LiveCapture]:
    """A following of a file that does not exist yet."""
    rooms()[0].write(tmp_path / "world")
    made = LiveCapture(Following(tmp_path / "live.jsonl", str(tmp_path / "world"), None, None, pauses=False))
    job = made.following.job
    assert made.summary() == "live.jsonl: opening the world that it is followed in …"
    made.following.start()
    qtbot.waitUntil(lambda: made.following.news.is_open)
    yield made
    made.close()
    qtbot.waitUntil(lambda: job.is_done)


def test_a_file_that_does_not_exist_is_waited_for(
    qtbot: QtBot, live: LiveCapture, records: list[CaptureRecord]
) -> None:
    qtbot.waitUntil(lambda: live.status() == "Following live.jsonl: it does not exist yet")
    assert "waiting: the file does not exist yet" in live.summary()
    live.path.write_bytes(lines(records[:1]))
    qtbot.waitUntil(lambda: live.count == 1)
    assert live.status().startswith("Following live.jsonl · 1 record · ✓ none differs · last 0.")


def test_rows_tell_both_rule_sets_and_are_bounded_while_moves_come(
    qtbot: QtBot, live: LiveCapture, records: list[CaptureRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_capture, "LISTED", 5)
    live.path.write_bytes(lines([ended_elsewhere(records[0]), *records[1:]]))
    qtbot.waitUntil(lambda: live.count == 30)
    rows = live.rows(all_of_them=True)
    assert [row.key for row in rows] == [0, 25, 26, 27, 28, 29]
    assert [value.text for value in rows[0].values[1:3]] == ["■ differs", "■ differs"]
    assert rows[0].values[4].text == "position"
    assert [row.key for row in live.rows(all_of_them=False)] == live.differing == [0]
    live.following.stop()
    qtbot.waitUntil(lambda: live.following.job.is_done)
    assert len(live.rows(all_of_them=True)) == 30
    assert live.summary().startswith("live.jsonl: no longer followed. 30 records; ■ 1 differs (retail), 1 (ACE).")
    assert "  recorded" in live.text_of(0)
    assert [sweep.kind for sweep in live.take_apart(0)] == ["sweep"]
    assert live.start_of(3)[0] == records[3].input.cell_id


def test_it_pauses_at_a_difference_and_catches_up_afterwards(
    qtbot: QtBot, live: LiveCapture, records: list[CaptureRecord]
) -> None:
    with live.following.lock:  # so that no turn is under way that does not know of it
        live.following.pauses = True
    live.path.write_bytes(lines([*records[:3], ended_elsewhere(records[3])]))
    qtbot.waitUntil(lambda: live.following.is_paused)
    append(live.path, lines(records[4:]))
    assert live.following.paused_at == 3
    assert live.status().startswith("Paused live.jsonl · 4 records · ■ 1 differs (retail), 1 (ACE)")
    live.following.go_on()
    qtbot.waitUntil(lambda: live.count == 30)


def test_a_world_that_cannot_be_opened_ends_it_with_the_reason(qtbot: QtBot, tmp_path: Path) -> None:
    following = Following(tmp_path / "live.jsonl", str(tmp_path / "nowhere"), None, None, pauses=False)
    with qtbot.waitSignal(following.ended) as ended:
        following.start()
    assert "there is no such file" in ended.args[0]
    live = LiveCapture(following)
    assert live.rows(all_of_them=True) == []
    assert live.summary() == f"live.jsonl cannot be followed: {ended.args[0]}"
    following.close()


def test_a_following_that_is_closed_while_its_world_opens_ends(qtbot: QtBot, live: LiveCapture) -> None:
    source = live.source
    other = Following(live.path, source, None, None, pauses=False)
    job = other.job
    other.start()
    other.close()
    qtbot.waitUntil(lambda: job.is_done)
