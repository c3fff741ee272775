"""No unsaved edit is lost unasked, however another world comes in and whenever the edit was made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from editor.export.recordings import recording_of
from editor.project.autosave import AbandonedAutosave
from editor.project.project import SUFFIX, Project
from editor.project.project_file import load_project
from editor.session.loading import BlockQuestion, WorldQuestion
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.recording_file import load_recording, recording_bytes, save_recording
from engine.world.cells.ids import cell_text
from tests.gui.opening.opening_hands import (
    OPENING_MS,
    choose_file,
    drop,
    picker,
    saved_capture,
    saved_recording,
    write_scenes,
)
from tests.gui.projects.project_hands import DOOR, answer, is_locked, is_marked, lock_door, save_as
from tests.many_landblocks import huts, write_many
from ui.docks.capture import CapturePanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

SAVE = QMessageBox.StandardButton.Save
DISCARD = QMessageBox.StandardButton.Discard
CANCEL = QMessageBox.StandardButton.Cancel


def names(window: MainWindow) -> list[str]:
    return [step.name for step in window.document.done_steps()]


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """Another world."""
    return write_scenes(tmp_path / "other.json", "other")


@pytest.fixture
def overtaken(qtbot: QtBot, asking: MainWindow, opened: MainWindow, scene: Path) -> MainWindow:
    """The house, edited while another world was opening, which now waits for an answer."""
    with qtbot.waitSignal(opened.session.held_back, timeout=OPENING_MS):
        opened.open(str(scene))
        assert opened.projects.box is None, "there was nothing to ask about yet"
        lock_door(qtbot, opened)
    return opened


def test_the_window_asks_about_an_edit_made_while_a_world_opens(qtbot: QtBot, overtaken: MainWindow) -> None:
    box = overtaken.projects.box
    assert box is not None
    assert box.text() == "Your last edit of ‘house0’ is not saved."
    assert box.informativeText() == "other.json is ready to be opened. Discarded edits cannot be recovered."
    held = overtaken.session.held
    world = overtaken.session.world
    answer(qtbot, overtaken, CANCEL)
    qtbot.waitUntil(lambda: overtaken.session.held is None)
    assert held is not None
    assert overtaken.status.currentMessage() == "Opening was cancelled; house0 stays open."
    assert overtaken.session.world is world
    assert names(overtaken) == [f"Lock {DOOR}"]
    assert is_locked(overtaken)
    assert is_marked(overtaken)


def test_the_held_world_opens_once_the_edit_is_discarded(qtbot: QtBot, overtaken: MainWindow, scene: Path) -> None:
    with qtbot.waitSignal(overtaken.session.opened, timeout=OPENING_MS):
        answer(qtbot, overtaken, DISCARD)
    assert overtaken.session.source == str(scene)
    assert not is_marked(overtaken)
    assert overtaken.projects.box is None


def test_the_held_world_opens_once_the_edit_is_saved(
    qtbot: QtBot, overtaken: MainWindow, scene: Path, tmp_path: Path
) -> None:
    answer(qtbot, overtaken, SAVE)
    with qtbot.waitSignal(overtaken.session.opened, timeout=OPENING_MS):
        save_as(qtbot, overtaken, tmp_path / "mine")
    assert overtaken.session.source == str(scene)
    assert [step.name for step in load_project(tmp_path / f"mine{SUFFIX}").steps] == [f"Lock {DOOR}"]
    assert not is_marked(overtaken)


def test_the_held_world_is_dropped_when_the_edit_cannot_be_saved(
    qtbot: QtBot, overtaken: MainWindow, tmp_path: Path
) -> None:
    overtaken.projects.keeper.path = tmp_path / "gone" / f"mine{SUFFIX}"
    with qtbot.waitSignal(overtaken.session.open_cancelled, timeout=OPENING_MS):
        answer(qtbot, overtaken, SAVE)
    assert "was not saved" in overtaken.banner.text
    assert names(overtaken) == [f"Lock {DOOR}"]
    assert overtaken.projects.box is None


def test_the_held_world_is_dropped_when_no_file_is_chosen(qtbot: QtBot, overtaken: MainWindow) -> None:
    answer(qtbot, overtaken, SAVE)
    dialog = overtaken.findChild(QFileDialog)
    assert dialog is not None
    with qtbot.waitSignal(overtaken.session.open_cancelled, timeout=OPENING_MS):
        dialog.reject()
    assert is_locked(overtaken)
    assert is_marked(overtaken)


def test_the_autosave_survives_until_the_held_world_is_answered(
    qtbot: QtBot, asking: MainWindow, opened: MainWindow, scene: Path
) -> None:
    saver = opened.projects.autosaver
    saver.timer.setInterval(0)
    with qtbot.waitSignals([opened.session.held_back, saver.saved], timeout=OPENING_MS):
        opened.open(str(scene))
        lock_door(qtbot, opened)
    assert [load_project(path).unsaved for path in saver.folder.glob(f"*{SUFFIX}")] == [1]
    answer(qtbot, opened, CANCEL)
    qtbot.waitUntil(lambda: opened.session.held is None)
    assert len(list(saver.folder.glob(f"*{SUFFIX}"))) == 1
    with qtbot.waitSignal(opened.session.held_back, timeout=OPENING_MS):
        opened.opening.session.open(str(scene))
    with qtbot.waitSignal(opened.session.opened, timeout=OPENING_MS):
        answer(qtbot, opened, DISCARD)
    assert list(saver.folder.glob(f"*{SUFFIX}")) == []


def test_discarded_edits_are_not_asked_about_again_but_later_ones_are(
    qtbot: QtBot, edited: MainWindow, scene: Path
) -> None:
    edited.open(str(scene))
    with qtbot.waitSignal(edited.session.held_back, timeout=OPENING_MS):
        answer(qtbot, edited, DISCARD)
        lock_door(qtbot, edited)
    assert edited.projects.box is not None
    assert edited.projects.box.text() == "Your last 2 edits of ‘house0’ are not saved."
    answer(qtbot, edited, CANCEL)
    qtbot.waitUntil(lambda: edited.session.held is None)
    edited.open(str(scene))
    with qtbot.waitSignal(edited.session.opened, timeout=OPENING_MS):
        answer(qtbot, edited, DISCARD)
    assert not is_marked(edited)


def test_edits_discarded_for_one_opening_are_kept_for_another(
    qtbot: QtBot, edited: MainWindow, tmp_path: Path, scene: Path
) -> None:
    edited.open(str(tmp_path / "gone"))
    with qtbot.waitSignal(edited.session.open_failed, timeout=OPENING_MS):
        answer(qtbot, edited, DISCARD)
    edited.open(str(scene))
    assert edited.projects.box is not None
    answer(qtbot, edited, CANCEL)
    edited.close()
    assert edited.isVisible()
    assert edited.projects.box is not None


def test_a_second_held_world_replaces_the_first(qtbot: QtBot, overtaken: MainWindow, tmp_path: Path) -> None:
    second = write_scenes(tmp_path / "second.json", "second")
    answer(qtbot, overtaken, CANCEL)
    assert overtaken.session.held is not None, "it is sent away in a moment"
    overtaken.open(str(second))
    assert overtaken.projects.box is not None
    with qtbot.waitSignal(overtaken.session.opened, timeout=OPENING_MS):
        answer(qtbot, overtaken, DISCARD)
    assert overtaken.session.source == str(second)


def test_a_world_that_opens_during_another_question_waits_for_the_answer(
    qtbot: QtBot, edited: MainWindow, scene: Path
) -> None:
    with qtbot.waitSignal(edited.session.held_back, timeout=OPENING_MS):
        edited.open(str(scene))
        answer(qtbot, edited, DISCARD)
        lock_door(qtbot, edited)
        edited.close()
    closing = edited.projects.box
    assert closing is not None
    assert edited.isVisible()
    answer(qtbot, edited, CANCEL)
    qtbot.waitUntil(lambda: edited.projects.box not in (None, closing))
    with qtbot.waitSignal(edited.session.opened, timeout=OPENING_MS):
        answer(qtbot, edited, DISCARD)


def test_closing_the_window_drops_the_held_world(qtbot: QtBot, edited: MainWindow, scene: Path) -> None:
    with qtbot.waitSignal(edited.session.held_back, timeout=OPENING_MS):
        edited.open(str(scene))
        answer(qtbot, edited, DISCARD)
        lock_door(qtbot, edited)
        edited.close()
    answer(qtbot, edited, DISCARD)
    qtbot.waitUntil(lambda: not edited.isVisible())
    assert edited.session.held is None
    assert edited.projects.box is None


def test_no_world_opens_under_the_dialog_that_asks_where_to_save(
    qtbot: QtBot, edited: MainWindow, scene: Path, tmp_path: Path
) -> None:
    """Otherwise the new world would be saved under the old one's name."""
    with qtbot.waitSignal(edited.session.held_back, timeout=OPENING_MS):
        edited.open(str(scene))
        answer(qtbot, edited, DISCARD)
        edited.projects.save_action.trigger()
    with qtbot.waitSignal(edited.session.opened, timeout=OPENING_MS):
        save_as(qtbot, edited, tmp_path / "mine")
    assert [step.name for step in load_project(tmp_path / f"mine{SUFFIX}").steps] == [f"Lock {DOOR}"]
    assert edited.session.source == str(scene)


# --- every way in


@pytest.mark.parametrize(
    "way",
    [
        lambda window, scene: window.open(str(scene)),
        lambda window, scene: drop(window, scene),
        lambda window, scene: window.opening.demo_action.trigger(),
        lambda window, scene: window.opening.reload_action.trigger(),
        lambda window, scene: window.opening.recent_menu.actions()[0].trigger(),
        lambda window, scene: window.opening.file_action.trigger(),
        lambda window, scene: window.opening.folder_action.trigger(),
        lambda window, scene: window.projects.strip.recover(),
    ],
    ids=["window", "drop", "demo", "reload", "recent", "file", "folder", "recovery"],
)
def test_every_way_to_open_asks_before_discarding_an_edit(
    way: Callable[[MainWindow, Path], object],
    edited: MainWindow,
    scene: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choose_file(monkeypatch, scene)
    edited.projects.strip._waiting = [
        AbandonedAutosave(scene, QLockFile(f"{scene}.lock"), Project(str(scene), "other", unsaved=1))
    ]
    way(edited, scene)
    assert edited.projects.box is not None
    assert not edited.session.is_opening


@pytest.fixture
def lost(qtbot: QtBot, edited: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The edited house, while an opened recording asks for its world."""
    edited.clock.step(5)
    path = saved_recording(qtbot, edited, tmp_path / "a.cdrec", monkeypatch)
    recording = load_recording(path)
    recording.source = str(tmp_path / "moved away")
    save_recording(recording, path)
    edited.document.undo()
    with qtbot.waitSignal(edited.session.asked, timeout=OPENING_MS) as asked:
        edited.open(str(path))
    assert isinstance(asked.args[0], WorldQuestion)
    return edited


def point_to_world(window: MainWindow) -> None:
    menu = window.banner.offered.defaultAction().menu()
    menu.actions()[0].trigger()  # type: ignore[attr-defined]  # a QMenu


def test_an_edit_made_while_a_recording_asks_for_its_world_is_asked_about(
    qtbot: QtBot, lost: MainWindow, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock_door(qtbot, lost)
    choose_file(monkeypatch, house)
    point_to_world(lost)
    assert not lost.session.is_opening
    answer(qtbot, lost, CANCEL)
    assert is_marked(lost)
    point_to_world(lost)
    with qtbot.waitSignal(lost.session.opened, timeout=OPENING_MS):
        answer(qtbot, lost, DISCARD)
    assert lost.session.run is not None
    assert not is_marked(lost)


def test_edits_discarded_for_a_recording_are_not_asked_about_for_its_world(
    qtbot: QtBot, lost: MainWindow, house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock_door(qtbot, lost)
    lost.open(str(tmp_path / "a.cdrec"))
    with qtbot.waitSignal(lost.session.asked, timeout=OPENING_MS):
        answer(qtbot, lost, DISCARD)
    choose_file(monkeypatch, house)
    with qtbot.waitSignal(lost.session.opened, timeout=OPENING_MS):
        point_to_world(lost)
    assert lost.projects.box is None


def test_an_edit_made_before_a_landblock_was_chosen_is_asked_about(
    qtbot: QtBot, asking: MainWindow, opened: MainWindow, tmp_path: Path
) -> None:
    many = write_many(tmp_path / "many", 6, 6, 5)
    with qtbot.waitSignal(opened.session.asked, timeout=OPENING_MS) as asked:
        opened.open(str(many))
        lock_door(qtbot, opened)
    assert isinstance(asked.args[0], BlockQuestion)
    with qtbot.waitSignal(opened.session.held_back, timeout=OPENING_MS):
        qtbot.keyClicks(picker(opened).search, cell_text(huts(6, 6, 5)[1]))
        qtbot.keyClick(picker(opened).search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.projects.box is not None)
    with qtbot.waitSignal(opened.session.opened, timeout=OPENING_MS):
        answer(qtbot, opened, DISCARD)
    assert opened.session.landblock_id == huts(6, 6, 5)[1]


def test_a_capture_with_its_own_world_asks_before_that_opens(
    qtbot: QtBot,
    asking: MainWindow,
    opened: MainWindow,
    house: Path,
    scene: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened.clock.keys.forward = 1.0
    opened.clock.step(20)
    opened.clock.keys.forward = 0.0
    path = saved_capture(opened, tmp_path / "a.jsonl", monkeypatch)
    with qtbot.waitSignal(opened.session.opened, timeout=OPENING_MS):
        opened.open(str(scene))
    document = opened.document
    assert document.edit("Smaller", SetPlayerNumber("height", 1.2))
    with qtbot.waitSignal(opened.session.asked, timeout=OPENING_MS) as asked:
        opened.open(str(path))
    assert isinstance(asked.args[0], WorldQuestion)
    choose_file(monkeypatch, house)
    with qtbot.waitSignal(opened.session.held_back, timeout=OPENING_MS):
        point_to_world(opened)
    world = opened.session.world
    answer(qtbot, opened, CANCEL)
    qtbot.waitUntil(lambda: opened.session.held is None)
    assert opened.session.world is world
    assert opened.docks.panel(CapturePanel).capture is None
    with qtbot.waitSignal(opened.session.asked, timeout=OPENING_MS):
        opened.open(str(path))
    with qtbot.waitSignal(opened.session.held_back, timeout=OPENING_MS):
        point_to_world(opened)
    with qtbot.waitSignal(opened.session.capture_opened, timeout=OPENING_MS):
        answer(qtbot, opened, DISCARD)
    assert opened.session.source == str(house)


def test_walks_that_are_kept_since_the_last_save_are_asked_about(
    qtbot: QtBot, asking: MainWindow, opened: MainWindow, tmp_path: Path
) -> None:
    opened.projects.keeper.save(tmp_path / "saved.cellardoor")
    assert not is_marked(opened)
    for name in ("first", "second"):
        opened.document.tick_many(5)
        recording, _ = recording_of(opened.document)
        assert opened.walks.kept.add(name, recording_bytes(recording), opened.document.done_steps()) == ""
        assert is_marked(opened)
    opened.close()
    assert opened.projects.box is not None
    assert opened.projects.box.text() == "Your last edit of ‘saved’ is not saved."
    answer(qtbot, opened, CANCEL)
    opened.projects.autosaver.save_now()
    (kept,) = opened.projects.autosaver.folder.glob(f"*{SUFFIX}")
    assert [walk.name for walk in load_project(kept).walks] == ["first", "second"]
    opened.close()
    answer(qtbot, opened, SAVE)
    qtbot.waitUntil(lambda: not opened.isVisible())
    assert [walk.name for walk in load_project(tmp_path / "saved.cellardoor").walks] == ["first", "second"]
