"""Projects received from somebody else: they are saved where the user says, whatever they contain."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from editor.document.undo_stack import Step
from editor.project.project import SUFFIX, Project
from editor.project.project_file import save_project
from engine.sim.edits.world import SetTimeOfDay
from tests.editor.project.test_owned_files import TARGETS
from tests.gui.projects.project_hands import CTRL, is_marked, save_as
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


def mailed(path: Path, target: Path, source: Path) -> Path:
    step = Step("Face $(touch ~/PWNED)", (SetTimeOfDay(0.25),), (SetTimeOfDay(0.5),))
    save_project(Project(str(source), "house", steps=(step,), unsaved=1, file=str(target)), path)
    return path


def test_saving_a_mailed_project_asks_where_and_touches_no_file_that_it_names(
    qtbot: QtBot, asking: MainWindow, opened: MainWindow, house: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    for name in TARGETS:
        target = home / name
        if target.is_relative_to(home) and name != "not there yet":
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(f"what is in {name}\n", encoding="utf-8")
    kept = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for number, name in enumerate(TARGETS):
        path = mailed(tmp_path / f"mailed{number}{SUFFIX}", home / name, house)
        with qtbot.waitSignal(opened.session.opened, timeout=20_000):
            opened.open(str(path))
        assert opened.projects.keeper.path is None
        assert is_marked(opened)
        qtbot.keyClick(opened, Qt.Key.Key_S, CTRL)
        dialog = opened.findChild(QFileDialog)
        assert dialog is not None, name
        assert dialog.isVisible()
        assert home not in Path(dialog.directory().absolutePath()).parents
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda dialog=dialog: not dialog.isVisible())  # type: ignore[misc]
        dialog.deleteLater()
        qtbot.waitUntil(lambda: opened.findChild(QFileDialog) is None)
        opened.document.stack.set_clean()  # the next one opens without a question
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == kept
    qtbot.keyClick(opened, Qt.Key.Key_S, CTRL | Qt.KeyboardModifier.ShiftModifier)
    save_as(qtbot, opened, tmp_path / "mine")
    assert opened.projects.keeper.path == tmp_path / f"mine{SUFFIX}"


def test_a_world_never_opened_before_is_asked_about_and_then_known(
    qtbot: QtBot, window: MainWindow, house: Path, tmp_path: Path
) -> None:
    path = mailed(tmp_path / f"mailed{SUFFIX}", tmp_path / "x", house)
    with qtbot.waitSignal(window.session.asked, timeout=20_000):
        window.open(str(path))
    said = f"mailed{SUFFIX} says that its world is {house}, which has never been opened here."
    assert window.banner.text == said
    assert window.session.world is None
    menu = window.banner.offered.defaultAction().menu()
    assert isinstance(menu, QMenu)
    agree = menu.actions()[0]
    assert agree.text() == "Use the Path in the File"
    with qtbot.waitSignal(window.session.opened, timeout=20_000):
        agree.trigger()
    assert window.session.source == str(house)
    assert not window.banner.isVisible()
    with qtbot.waitSignal(window.session.opened, timeout=20_000):
        window.document.stack.set_clean()
        window.open(str(path))
    assert window.document.stack.count() == 1, "the second time nobody is asked"
