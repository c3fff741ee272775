"""Projects from the user's side: the mark in the title, saving, the question about unsaved edits, recovery."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from editor.project.autosave import find_left
from editor.project.project import SUFFIX
from editor.project.project_file import load_project, save_project
from editor.session.session import Session
from tests.gui.projects.project_hands import CTRL, DOOR, SHIFT, answer, click, is_locked, is_marked, lock_door, save_as
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

# --- the mark


def test_an_edit_marks_the_title_and_undo_removes_the_mark(
    qtbot: QtBot, asking: MainWindow, opened: MainWindow
) -> None:
    assert not is_marked(opened)
    lock_door(qtbot, opened)
    assert is_marked(opened)
    qtbot.keyClick(opened, Qt.Key.Key_Z, CTRL)
    assert not is_marked(opened)
    qtbot.keyClick(opened, Qt.Key.Key_Z, CTRL | SHIFT)
    assert is_marked(opened)


def test_saving_asks_for_a_file_once_and_removes_the_mark(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL)
    save_as(qtbot, edited, tmp_path / "mine")
    path = tmp_path / f"mine{SUFFIX}"
    assert [step.name for step in load_project(path).steps] == [f"Lock {DOOR}"]
    assert not is_marked(edited)
    assert edited.windowTitle() == "mine[*] – Cellar Door"
    assert not edited.projects.save_action.isEnabled()
    assert edited.projects.save_action.toolTip() == "All edits are saved."
    lock_door(qtbot, edited)
    assert is_marked(edited)
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL)
    assert len(load_project(path).steps) == 2
    assert not is_marked(edited)
    qtbot.keyClick(edited, Qt.Key.Key_Z, CTRL)
    assert is_marked(edited)


def test_save_as_writes_another_file_and_continues_with_it(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    edited.projects.keeper.save(tmp_path / f"one{SUFFIX}")
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL | SHIFT)
    save_as(qtbot, edited, tmp_path / f"two{SUFFIX}")
    assert edited.windowTitle() == "two[*] – Cellar Door"
    assert (tmp_path / f"one{SUFFIX}").exists()
    assert (tmp_path / f"two{SUFFIX}").exists()


def test_a_failed_save_reports_its_file_and_reason_and_loses_nothing(
    qtbot: QtBot, edited: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    edited.projects.keeper.save(folder / f"mine{SUFFIX}")
    lock_door(qtbot, edited)
    (folder / f"mine{SUFFIX}").unlink()
    folder.rmdir()
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL)
    assert edited.banner.text == (
        f"mine{SUFFIX} was not saved in ‘folder’: there is no folder {folder}. "
        "Your edits are still here; save them elsewhere."
    )
    assert str(folder) in edited.banner.details.toPlainText()
    assert is_marked(edited)
    assert edited.document.stack.undo_text() == f"Unlock {DOOR}"
    click(qtbot, edited, "banner-offer")
    save_as(qtbot, edited, tmp_path / f"rescued{SUFFIX}")
    assert len(load_project(tmp_path / f"rescued{SUFFIX}").steps) == 2
    assert not is_marked(edited)


# --- files changed by others


@pytest.fixture
def outdated(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> Path:
    """The project's file, saved here, then by another window with one step less; and an edit since."""
    path = tmp_path / f"mine{SUFFIX}"
    keeper = edited.projects.keeper
    keeper.save(path)
    save_project(replace(load_project(path), steps=()), path)
    lock_door(qtbot, edited)
    return path


def test_a_file_saved_elsewhere_is_not_replaced_unasked(qtbot: QtBot, edited: MainWindow, outdated: Path) -> None:
    theirs = outdated.read_bytes()
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL)
    box = edited.projects.box
    assert box is not None
    assert box.text() == "‘mine’ was saved somewhere else since you opened or saved it here."
    answer(qtbot, edited, QMessageBox.StandardButton.Cancel)
    assert outdated.read_bytes() == theirs
    assert is_marked(edited)
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL)
    answer(qtbot, edited, "Replace")
    assert len(load_project(outdated).steps) == 2
    assert not is_marked(edited)
    lock_door(qtbot, edited)
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL)
    assert len(load_project(outdated).steps) == 3


def test_a_file_saved_elsewhere_can_be_kept_by_saving_to_another(
    qtbot: QtBot, edited: MainWindow, outdated: Path, tmp_path: Path
) -> None:
    theirs = outdated.read_bytes()
    edited.close()
    answer(qtbot, edited, QMessageBox.StandardButton.Save)
    answer(qtbot, edited, "Save As…")
    save_as(qtbot, edited, tmp_path / "ours")
    qtbot.waitUntil(lambda: not edited.isVisible())
    assert outdated.read_bytes() == theirs
    assert len(load_project(tmp_path / f"ours{SUFFIX}").steps) == 2


def test_a_file_removed_elsewhere_is_written_again(qtbot: QtBot, edited: MainWindow, outdated: Path) -> None:
    outdated.unlink()
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL)
    assert len(load_project(outdated).steps) == 2


# --- leaving


def test_a_folder_in_place_of_the_file_is_reported_as_a_folder(
    qtbot: QtBot, edited: MainWindow, outdated: Path
) -> None:
    outdated.unlink()
    outdated.mkdir()
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL)
    assert edited.projects.box is None
    assert "it is a folder. Your edits are still here" in edited.banner.text
    assert is_marked(edited)


def test_closing_with_unsaved_edits_asks_and_cancel_stays(qtbot: QtBot, edited: MainWindow) -> None:
    edited.close()
    box = edited.projects.box
    assert box is not None
    assert edited.isVisible()
    assert box.text() == "Your last edit of ‘house0’ is not saved."
    answer(qtbot, edited, QMessageBox.StandardButton.Cancel)
    assert edited.isVisible()
    assert is_marked(edited)


def test_closing_can_discard_the_edits(qtbot: QtBot, edited: MainWindow) -> None:
    edited.close()
    answer(qtbot, edited, QMessageBox.StandardButton.Discard)
    qtbot.waitUntil(lambda: not edited.isVisible())
    assert list(find_left(edited.projects.autosaver.folder)) == []


def test_closing_can_save_first(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    edited.close()
    answer(qtbot, edited, QMessageBox.StandardButton.Save)
    save_as(qtbot, edited, tmp_path / "mine")
    qtbot.waitUntil(lambda: not edited.isVisible())
    assert (tmp_path / f"mine{SUFFIX}").exists()


def test_a_window_stays_when_saving_before_closing_fails(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    edited.projects.keeper.save(tmp_path / f"mine{SUFFIX}")
    lock_door(qtbot, edited)
    edited.projects.keeper.path = tmp_path / "gone" / f"mine{SUFFIX}"
    edited.close()
    answer(qtbot, edited, QMessageBox.StandardButton.Save)
    assert edited.isVisible()
    assert is_marked(edited)
    assert "was not saved" in edited.banner.text


def test_opening_something_else_asks_first(qtbot: QtBot, edited: MainWindow, house: Path) -> None:
    world = edited.session.world
    edited.open(str(house))
    answer(qtbot, edited, QMessageBox.StandardButton.Cancel)
    assert edited.session.world is world
    assert not edited.session.is_opening
    edited.open(str(house))
    with qtbot.waitSignal(edited.session.opened, timeout=20_000):
        answer(qtbot, edited, QMessageBox.StandardButton.Discard)
    assert not is_marked(edited)


def test_a_window_without_unsaved_edits_closes_at_once(asking: MainWindow, opened: MainWindow) -> None:
    opened.close()
    assert not opened.isVisible()


def test_a_capture_discards_nothing_and_asks_nothing(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "moves.jsonl").write_text('{"timestampMs": 1}\n')
    with qtbot.waitSignal(edited.session.open_failed, timeout=20_000):
        edited.open(str(tmp_path / "moves.jsonl"))
    assert edited.projects.box is None
    assert is_marked(edited)


# --- opening


def test_a_dropped_project_opens_with_its_edits(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / f"mine{SUFFIX}"
    edited.projects.keeper.save(path)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    with qtbot.waitSignal(edited.session.opened, timeout=20_000):
        edited.dropEvent(QDropEvent(QPointF(9, 9), actions, mime, buttons, Qt.KeyboardModifier.NoModifier))
    assert edited.document.stack.undo_text() == f"Lock {DOOR}"
    assert is_locked(edited)
    assert not is_marked(edited)
    qtbot.keyClick(edited, Qt.Key.Key_Z, CTRL)
    assert not is_locked(edited)
    assert is_marked(edited)


def test_a_damaged_project_gives_a_sentence_and_the_open_world_stays(
    qtbot: QtBot, edited: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / f"mine{SUFFIX}"
    edited.projects.keeper.save(path)
    path.write_bytes(path.read_bytes().replace(b"Lock", b"Luck"))
    world = edited.session.world
    with qtbot.waitSignal(edited.session.open_failed, timeout=20_000):
        edited.open(str(path))
    assert edited.banner.text == f"mine{SUFFIX} cannot be opened: it is damaged: its checksum does not fit"
    assert edited.session.world is world


def test_a_project_whose_world_has_changed_is_reported(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / f"mine{SUFFIX}"
    edited.projects.keeper._identity = {"0x0007FFFF": "00", "entities": "00"}
    edited.projects.keeper.save(path)
    with qtbot.waitSignal(edited.session.faults_changed, timeout=20_000):
        edited.open(str(path))
    assert edited.banner.isVisible()
    assert edited.banner.text.startswith(f"The world of mine{SUFFIX} has changed since it was saved")


def test_recent_files_include_projects_and_mark_missing_ones(
    qtbot: QtBot, edited: MainWindow, tmp_path: Path, house: Path
) -> None:
    path = tmp_path / f"mine{SUFFIX}"
    qtbot.keyClick(edited, Qt.Key.Key_S, CTRL)
    save_as(qtbot, edited, path)
    menu = edited.opening.recent_menu
    assert [action.toolTip() for action in menu.actions()[:2]] == [str(path), str(house)]
    path.unlink()
    menu.refresh()
    gone = menu.actions()[0]
    assert gone.text() == f"mine{SUFFIX}  (gone)"
    gone.trigger()
    assert "no longer exists" in edited.banner.text
    assert [action.toolTip() for action in menu.actions()[:1]] == [str(house)]
    next(action for action in menu.actions() if action.text() == "Clear").trigger()
    assert menu.isEmpty()
    assert not menu.menuAction().isEnabled()


# --- autosave and recovery


def test_edits_are_autosaved_until_they_are_saved_or_undone(qtbot: QtBot, edited: MainWindow) -> None:
    saver = edited.projects.autosaver
    saver.timer.setInterval(0)
    lock_door(qtbot, edited)

    def kept() -> list[int]:
        return [load_project(path).unsaved for path in saver.folder.glob(f"*{SUFFIX}")]

    qtbot.waitUntil(lambda: kept() == [2], timeout=10_000)
    qtbot.keyClick(edited, Qt.Key.Key_Z, CTRL)
    qtbot.keyClick(edited, Qt.Key.Key_Z, CTRL)
    assert list(saver.folder.iterdir()) == []


def test_a_failing_autosave_is_reported_once(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    saver = edited.projects.autosaver
    (tmp_path / "file").write_text("no folder")
    saver.folder = tmp_path / "file" / "autosave"
    saver.save()
    qtbot.waitUntil(lambda: edited.banner.text.startswith("Autosave failed in "))
    edited.banner.hide()
    saver.save()
    assert not edited.banner.isVisible()


@pytest.fixture
def left(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> Path:
    """The autosave of a killed window, for a window with other settings."""
    with qtbot.waitSignal(edited.projects.autosaver.saved, timeout=10_000):
        edited.projects.autosaver.save()
    (path,) = edited.projects.autosaver.folder.glob(f"*{SUFFIX}")
    folder = tmp_path / "again" / "autosave"
    folder.mkdir(parents=True)
    (folder / path.name).write_bytes(path.read_bytes())
    return folder / path.name


@pytest.fixture
def restarted(qtbot: QtBot, left: Path, house: Path) -> Iterator[MainWindow]:
    settings = QSettings(str(left.parent.parent / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("centre", "map")
    again = MainWindow(Session(), settings)
    qtbot.addWidget(again)
    with qtbot.waitActive(again):
        again.show()
        again.activateWindow()
    with qtbot.waitSignal(again.session.faults_changed, timeout=20_000):
        again.open(str(house))
    yield again
    again.document.stack.set_clean()
    again.close()


def test_the_autosave_of_a_killed_window_is_offered_and_recovered(
    qtbot: QtBot, restarted: MainWindow, left: Path, tmp_path: Path
) -> None:
    strip = restarted.projects.strip
    assert strip.isVisible()
    assert strip.label.text().startswith("1 edit of ‘house0’ from ")
    with qtbot.waitSignal(restarted.session.faults_changed, timeout=20_000):
        click(qtbot, restarted, "recovery-recover")
    assert not strip.isVisible()
    assert restarted.document.stack.undo_text() == f"Lock {DOOR}"
    assert is_locked(restarted)
    assert is_marked(restarted)
    assert left.exists()
    qtbot.keyClick(restarted, Qt.Key.Key_S, CTRL)
    save_as(qtbot, restarted, tmp_path / "mine")
    assert list(left.parent.iterdir()) == []
    assert str(left) not in restarted.opening.recent_menu.sources


def test_the_autosave_of_a_killed_window_can_be_discarded(qtbot: QtBot, restarted: MainWindow, left: Path) -> None:
    click(qtbot, restarted, "recovery-discard")
    assert not restarted.projects.strip.isVisible()
    assert list(left.parent.iterdir()) == []


def test_a_closed_strip_leaves_the_edits_for_the_next_start(qtbot: QtBot, restarted: MainWindow, left: Path) -> None:
    click(qtbot, restarted, "recovery-close")
    assert not restarted.projects.strip.isVisible()
    assert [path.name for path in left.parent.iterdir()] == [left.name]


def test_a_damaged_autosave_is_reported_at_the_start(qtbot: QtBot, asking: MainWindow, house: Path) -> None:
    folder = asking.projects.autosaver.folder
    folder.mkdir(parents=True)
    (folder / f"x{SUFFIX}").write_bytes(b"{")
    with qtbot.waitSignal(asking.session.faults_changed, timeout=20_000):
        asking.open(str(house))
    assert asking.banner.text == (
        "Unsaved edits of an earlier session cannot be recovered: their file is not a project file."
    )
    assert not asking.projects.strip.isVisible()


def test_a_project_that_is_open_in_another_window_is_told_and_opens(
    qtbot: QtBot, edited: MainWindow, settings: QSettings, tmp_path: Path
) -> None:
    file = tmp_path / "shared.cellardoor"
    edited.projects._save_to(file, None)
    assert not edited.banner.isVisible()
    other = MainWindow(Session(), settings)
    qtbot.addWidget(other)
    other.show()
    with qtbot.waitSignal(other.session.faults_changed):
        other.open(str(file))
    assert other.banner.text.startswith("‘shared’ is open in another window of Cellar Door, too.")
    assert other.banner.offered.defaultAction() is other.projects.save_as_action
    other.projects._save_to(tmp_path / "mine.cellardoor", None)
    other.banner.hide()
    edited.projects.claim.release()  # as the other window does when it closes
    with qtbot.waitSignal(other.session.faults_changed):
        other.open(str(file))
    assert not other.banner.isVisible()
    other.close()
