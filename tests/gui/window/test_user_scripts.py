"""User scripts as commands of menu and palette; what opens runs no code, and scripts of a world are never offered."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QLineEdit
from pytestqt.qtbot import QtBot

from editor.document.undo_stack import Step
from editor.project.project import SUFFIX, Project
from editor.project.project_file import save_project
from engine.sim.edits.player import FacePlayer
from tests.gui.window.test_command_palette import ask, press
from ui.commands.registry import without_mnemonic
from ui.docks.console.console_dock import ConsolePanel
from ui.docks.panel import is_seen
from ui.window.actions.scripts import FOLDER_KEY
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]


@pytest.fixture
def folder(settings: QSettings, tmp_path: Path) -> Path:
    made = tmp_path / "scripts"
    made.mkdir()
    settings.setValue(FOLDER_KEY, str(made))
    (made / "turn.py").write_text('"""Turn Twice & Lock."""\ndocument.face(20)\ndocument.face(90)\nprint("done")\n')
    return made


def entries(window: MainWindow) -> list[QAction]:
    """The scripts that the menu lists."""
    menu = window.menus["Scripts"]
    menu.aboutToShow.emit()
    return [action for action in menu.actions() if action.objectName().startswith("script/")]


def output_of(window: MainWindow) -> str:
    return window.docks.panel(ConsolePanel).output.toPlainText()


def test_a_script_runs_from_the_menu_by_keys(qtbot: QtBot, folder: Path, opened: MainWindow) -> None:
    before = opened.document.sim.state_hash()
    qtbot.keyClick(opened, Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
    menu = opened.menus["Scripts"]
    qtbot.waitUntil(menu.isVisible)
    qtbot.keyClick(menu, Qt.Key.Key_Up)
    assert menu.activeAction().text() == "Turn Twice && Lock"
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert opened.document.stack.texts() == ["Script: Turn Twice & Lock"]
    qtbot.waitUntil(lambda: is_seen(opened.docks.panel(ConsolePanel)))
    assert output_of(opened).endswith("\ndone\n")
    opened.document.undo()
    assert opened.document.sim.state_hash() == before


def test_a_script_runs_from_the_palette_also_a_new_one(qtbot: QtBot, folder: Path, opened: MainWindow) -> None:
    (folder / "b.py").write_text('"""Measure rooms."""\nprint(len(list(document.cells())))')
    assert ask(qtbot, opened, "measure rooms")[0] == "Measure rooms"
    press(qtbot, opened, Qt.Key.Key_Return)
    assert output_of(opened).endswith("\n5\n")
    (folder / "b.py").unlink()
    assert "Measure rooms" not in ask(qtbot, opened, "measure rooms")
    press(qtbot, opened, Qt.Key.Key_Escape)


def test_a_failing_script_is_told_and_leaves_the_document(qtbot: QtBot, folder: Path, opened: MainWindow) -> None:
    (folder / "turn.py").write_text("document.face(20)\ndocument.tick('W', 30)\nboom")
    before = opened.document.sim.state_hash()
    entries(opened)[0].trigger()
    assert "line 3, in <module>\n    boom" in output_of(opened)
    assert opened.document.sim.state_hash() == before
    assert not opened.document.stack.can_undo()


@pytest.mark.skipif(sys.platform == "win32", reason="links as on Unix")
def test_broken_scripts_are_grey_with_a_reason_or_say_it(folder: Path, opened: MainWindow) -> None:
    (folder / "turn.py").unlink()
    (folder / "a.py").mkdir()
    (folder / "b.py").write_bytes(b"\xff\xff")
    (folder / "c.py").symlink_to("c.py")
    (folder / "d.py").write_text("def (")
    found = {action.objectName(): action for action in entries(opened)}
    assert [found[f"script/{name}.py"].isEnabled() for name in "abcd"] == [False, False, False, True]
    assert "folder" in found["script/a.py"].toolTip()
    found["script/d.py"].trigger()
    assert "SyntaxError" in output_of(opened)


def test_without_scripts_the_menu_says_so(folder: Path, opened: MainWindow) -> None:
    shutil.rmtree(folder)
    assert entries(opened) == []
    assert without_mnemonic(opened.menus["Scripts"].actions()[-1].text()) == "No Scripts Yet"


def test_a_new_script_is_written_and_offered(
    qtbot: QtBot, folder: Path, opened: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    def show(url: QUrl) -> bool:
        shown.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", show)
    made = opened.commands.find("script-new")
    assert made is not None
    made.trigger()
    dialog = opened.scripts.dialog
    assert isinstance(dialog, QInputDialog)
    field = dialog.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "List doors")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert (folder / "list_doors.py").is_file()
    assert shown == [str(folder)]  # never the script itself: some systems run what is opened
    entry = next(action for action in entries(opened) if without_mnemonic(action.text()) == "List doors")
    entry.trigger()
    assert "hall-study door is closed" in output_of(opened)


def test_run_script_takes_a_file_of_any_folder(
    folder: Path, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.py"
    other.write_text("print(6 * 7)")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *rest: (str(other), ""))
    command = opened.commands.find("script-run")
    assert command is not None
    command.trigger()
    assert output_of(opened).endswith("\n42\n")


def test_scripts_of_what_is_open_are_never_offered(
    qtbot: QtBot, settings: QSettings, window: MainWindow, house: Path, tmp_path: Path
) -> None:
    world = tmp_path / "world"
    shutil.copytree(house, world)
    (world / "evil.py").write_text("raise SystemExit")
    settings.setValue(FOLDER_KEY, str(world))
    assert len(entries(window)) == 1
    with qtbot.waitSignal(window.session.faults_changed, timeout=20_000):
        window.open(str(world))
    assert entries(window) == []
    assert "belongs to what is open" in without_mnemonic(window.menus["Scripts"].actions()[-1].text())


def test_opening_a_world_or_project_runs_no_code(
    qtbot: QtBot, folder: Path, window: MainWindow, house: Path, tmp_path: Path
) -> None:
    """Python files beside and in what is opened, named as Python or this program would look for them, stay unread."""
    mark, world = tmp_path / "mark", tmp_path / "world"
    shutil.copytree(house, world)
    evil = f"open({str(mark)!r}, 'w').write('ran')\n"
    names = ("__init__", "sitecustomize", "usercustomize", "conftest", "startup", "document", "cellar_door", "numpy")
    for place in (world, folder):
        for name in (*names, "scripts/a", ".cellardoor"):
            file = place / f"{name}.py"
            file.parent.mkdir(exist_ok=True)
            file.write_text(evil)
    project = world / f"gift{SUFFIX}"
    step = Step("__import__('os')", (FacePlayer(30.0),), (FacePlayer(0.0),))
    save_project(Project(str(world), "house", steps=(step,)), project)
    with qtbot.waitSignal(window.session.faults_changed, timeout=20_000):
        window.open(str(project))
    titles = [without_mnemonic(action.text()) for action in entries(window)]
    window.docks.bring(window.docks.dock(ConsolePanel))
    panel = window.docks.panel(ConsolePanel)
    qtbot.keyClicks(panel.input, "document.steps")
    qtbot.keyClick(panel.input, Qt.Key.Key_Return)
    assert "__import__" in output_of(window)
    assert "Numpy" in titles  # the user's own folder: offered, not run
    assert not mark.exists()
    assert QApplication.focusWidget() is panel.input
