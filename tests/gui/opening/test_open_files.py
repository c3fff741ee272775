"""Opening more than plain worlds: scenes by name, recordings as the past, captures move by move; and saving the latter
two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from editor.session.loading import WorldQuestion
from engine.geometry.vec import distance
from engine.sim.recording_file import load_recording, save_recording
from tests.gui.docks.live_hands import click_row, raise_dock
from tests.gui.opening.opening_hands import OPENING_MS, choose_file, drop, saved_capture, saved_recording, write_scenes
from ui.docks.capture import CapturePanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.opening.scene_dialog import OpenScene
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def walked(qtbot: QtBot, opened: MainWindow) -> MainWindow:
    """The window after 40 ticks in which the player walked and jumped."""
    clock = opened.clock
    clock.keys.forward = 1.0
    clock.step(10)
    clock.keys.jump = True
    clock.step(1)
    clock.keys.jump = False
    clock.step(29)
    clock.keys.forward = 0.0
    return opened


def open_by_key(qtbot: QtBot, window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl+O, and choose this file in the system's dialog."""
    choose_file(monkeypatch, path)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)


# --- scenes


def test_a_file_of_several_scenes_asks_for_one_by_name(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = write_scenes(tmp_path / "räume und mehr.json", "hall", "two rooms", "tower")
    with qtbot.waitSignal(window.session.asked, timeout=OPENING_MS):
        assert drop(window, path)
    dialog = window.opening.dialog
    assert isinstance(dialog, OpenScene)
    qtbot.keyClicks(dialog.search, "room")
    assert dialog.list.currentItem().text() == "two rooms"
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert window.session.scene == "two rooms"
    assert "two rooms" in window.windowTitle()
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.opening.reload_action.trigger()
    assert window.session.scene == "two rooms"


def test_a_file_of_one_scene_opens_at_once(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_scenes(tmp_path / "hall.scene", "hall")  # the type comes from the content, not the name
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        open_by_key(qtbot, window, path, monkeypatch)
    assert window.opening.dialog is None
    assert window.session.source == str(path)


# --- recordings


def test_a_saved_recording_opens_as_the_past_of_its_world(
    qtbot: QtBot, walked: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_recording(qtbot, walked, tmp_path / "into the wall.cdrec", monkeypatch)
    begin = walked.document.history.recording.samples[0].origin if walked.document.history else None
    there = walked.document.sim.player.steered.place.origin
    old = walked.session.world
    events = list(walked.docks.panel(TimelinePanel).events.events)
    assert "Jumped" in {event.text for event in events}
    assert any(event.text.startswith("Landed on the floor") for event in events)
    with qtbot.waitSignal(walked.session.faults_changed, timeout=OPENING_MS):
        open_by_key(qtbot, walked, path, monkeypatch)
    assert walked.session.world is not old
    document, history = walked.document, walked.document.history
    assert history is not None
    assert (history.first, history.now, history.end) == (0, 0, 40)
    assert begin is not None
    assert distance(document.sim.player.steered.place.origin, begin) < 0.2
    assert walked.windowTitle().startswith("into the wall")
    walked.time_bar.present_action.trigger()
    assert history.now == 40
    assert document.sim.player.steered.place.origin == there
    assert "40 ticks, replayed as recorded" in walked.status.currentMessage()
    raise_dock(qtbot, walked.docks.dock(TimelinePanel))
    assert walked.docks.panel(TimelinePanel).events.events == events
    assert document.go_to(10)
    assert document.in_past
    walked.time_bar.continue_action.trigger()
    assert (history.now, history.end) == (10, 10)
    walked.clock.step()
    assert history.end == 11


def test_a_recording_continues_and_can_be_saved_again(
    qtbot: QtBot, walked: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_recording(qtbot, walked, tmp_path / "a.cdrec", monkeypatch)
    with qtbot.waitSignal(walked.session.faults_changed, timeout=OPENING_MS):
        assert drop(walked, path)
    walked.time_bar.present_action.trigger()
    walked.clock.step(5)
    again = load_recording(saved_recording(qtbot, walked, tmp_path / "b.cdrec", monkeypatch))
    assert again.end == 45
    assert again.identity == load_recording(path).identity


def test_a_recording_without_its_world_lets_the_user_locate_it(
    qtbot: QtBot, walked: MainWindow, house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_recording(qtbot, walked, tmp_path / "a.cdrec", monkeypatch)
    recording = load_recording(path)
    recording.source = str(tmp_path / "moved away")
    save_recording(recording, path)
    with qtbot.waitSignal(walked.session.asked, timeout=OPENING_MS) as asked:
        assert drop(walked, path)
    assert isinstance(asked.args[0], WorldQuestion)
    assert "cannot be opened from there" in walked.banner.text
    assert "moved away" in walked.banner.details.toPlainText()
    menu = walked.banner.offered.defaultAction().menu()
    assert walked.banner.offered.isVisible()
    choose_file(monkeypatch, house)
    with qtbot.waitSignal(walked.session.faults_changed, timeout=OPENING_MS):
        menu.actions()[0].trigger()  # type: ignore[attr-defined]  # a QMenu
    assert walked.session.source == str(house)
    assert walked.document.history is not None
    assert walked.document.history.end == 40
    assert not walked.banner.isVisible()


def test_a_recording_of_another_world_is_reported(
    qtbot: QtBot, walked: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_recording(qtbot, walked, tmp_path / "a.cdrec", monkeypatch)
    recording = load_recording(path)
    recording.identity = {name: "0" * len(digest) for name, digest in recording.identity.items()}
    save_recording(recording, path)
    world = walked.session.world
    with qtbot.waitSignal(walked.session.asked, timeout=OPENING_MS):
        assert drop(walked, path)
    assert "the world is a different one" in walked.banner.text
    assert walked.session.world is world


def test_a_diverging_recording_ends_before_the_divergence(
    qtbot: QtBot, walked: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_recording(qtbot, walked, tmp_path / "a.cdrec", monkeypatch)
    recording = load_recording(path)
    recording.hashes[25 * 16] ^= 1
    save_recording(recording, path)
    with qtbot.waitSignal(walked.session.faults_changed, timeout=OPENING_MS):
        assert drop(walked, path)
    assert "at tick 25" in walked.banner.text
    assert walked.document.history is not None
    assert walked.document.history.end == 25


# --- captures


def test_a_saved_capture_opens_on_the_open_world(
    qtbot: QtBot, walked: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_capture(walked, tmp_path / "last tick.jsonl", monkeypatch)
    assert "Saved" in walked.status.currentMessage()
    world = walked.session.world
    with qtbot.waitSignal(walked.session.capture_opened, timeout=OPENING_MS):
        open_by_key(qtbot, walked, path, monkeypatch)
    panel = walked.docks.panel(CapturePanel)
    assert walked.session.world is world
    assert panel.isVisible()
    assert "replayed as recorded" in panel.summary.text()
    assert walked.docks.panel(SweepPanel).isVisible()
    assert "last tick.jsonl, tick 39" in walked.docks.panel(SweepPanel).summary.text()
    assert walked.docks.panel(SweepPanel).model.rowCount() == 1
    walked.clock.step()
    assert walked.docks.panel(SweepPanel).summary.text().startswith("Tick 40")


def test_a_differing_capture_names_the_difference_and_opens_its_sweep(
    qtbot: QtBot, walked: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_capture(walked, tmp_path / "a.jsonl", monkeypatch)
    line = path.read_text().splitlines()[0]
    told = json.loads(line)
    told["result"]["position"]["x"] += 0.5
    path.write_text(line + "\n" + json.dumps(told) + "\n")
    with qtbot.waitSignal(walked.session.capture_opened, timeout=OPENING_MS):
        assert drop(walked, path)
    panel = walked.docks.panel(CapturePanel)
    assert "■ 1 of 2 moves comes out differently" in panel.summary.text()
    assert panel.number == 1
    assert "position" in panel.detail.toPlainText()
    qtbot.mouseClick(panel.only, Qt.MouseButton.LeftButton)
    assert panel.table.rowCount() == 1
    qtbot.mouseClick(panel.only, Qt.MouseButton.LeftButton)
    click_row(qtbot, panel.view, 0)
    assert "everything agrees" in panel.detail.toPlainText()
    assert "✓ as recorded" in walked.docks.panel(SweepPanel).summary.text()


def test_the_player_can_be_put_where_a_move_begins(
    qtbot: QtBot, walked: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_capture(walked, tmp_path / "a.jsonl", monkeypatch)
    there = walked.document.sim.player.steered.place.origin
    walked.document.go_to(0)
    walked.time_bar.continue_action.trigger()
    with qtbot.waitSignal(walked.session.capture_opened, timeout=OPENING_MS):
        assert drop(walked, path)
    button = walked.docks.panel(CapturePanel).findChild(QAbstractButton, "capture-stand-button")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert walked.document.sim.player.steered.place.origin == pytest.approx(there, abs=0.1)
    walked.time_bar.undo_action.trigger()
    assert walked.document.sim.player.steered.place.origin != pytest.approx(there, abs=0.1)


def test_a_capture_without_a_world_asks_for_it(
    qtbot: QtBot, window: MainWindow, walked: MainWindow, house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_capture(walked, tmp_path / "a.jsonl", monkeypatch)
    scenes = write_scenes(tmp_path / "hall.json", "hall")
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        assert drop(window, scenes)
    with qtbot.waitSignal(window.session.asked, timeout=OPENING_MS):
        assert drop(window, path)
    assert "was not captured in hall: it has no cell" in window.banner.text
    choose_file(monkeypatch, house)
    menu = window.banner.offered.defaultAction().menu()
    with qtbot.waitSignal(window.session.capture_opened, timeout=OPENING_MS):
        menu.actions()[0].trigger()  # type: ignore[attr-defined]  # a QMenu
    assert window.session.source == str(house)
    assert "replayed as recorded" in window.docks.panel(CapturePanel).summary.text()


def test_export_commands_give_a_reason_until_there_is_a_tick(
    opened: MainWindow, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not opened.exports.capture_action.isEnabled()
    assert "tick" in opened.exports.capture_action.toolTip()
    assert opened.exports.recording_action.isEnabled()
    opened.clock.step()
    saved_capture(opened, tmp_path / "nowhere" / "a.jsonl", monkeypatch)
    assert opened.banner.isVisible()
    assert "a.jsonl cannot be saved" in opened.banner.text


def test_an_open_file_is_not_overwritten(
    qtbot: QtBot, walked: MainWindow, house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in house.iterdir()}
    saved_capture(walked, house / "client_portal.dat", monkeypatch)
    assert "client_portal.dat cannot be saved: it is one of the files that are read" in walked.banner.text
    project = tmp_path / "mine.cellardoor"
    walked.projects.keeper.save(project)
    for path in (house / "client_cell_1.dat", project):
        choose_file(monkeypatch, path)
        walked.exports.recording_action.trigger()
        said = f"{path.name} cannot be written: it is one of the files that are read"
        qtbot.waitUntil(lambda said=said: said in walked.banner.text)  # type: ignore[misc]
    assert project.read_bytes().startswith(b"{")
    capture = saved_capture(walked, tmp_path / "one.jsonl", monkeypatch)
    with qtbot.waitSignal(walked.session.capture_opened, timeout=OPENING_MS):
        walked.open(str(capture))
    saved_capture(walked, capture, monkeypatch)
    assert "one.jsonl cannot be saved: it is one of the files that are read" in walked.banner.text
    assert {path: path.read_bytes() for path in house.iterdir()} == before
