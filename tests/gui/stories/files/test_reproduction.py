"""A walk in the demo world with a locked door is saved as a reproduction, which opens where there is no demo world."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

import engine.build.demo
from editor.export.recordings import last_moves, save_moves
from editor.models.capture import Capture
from editor.session.session import Session
from editor.session.sources import DEMO
from engine.sim.tick.controls import Controls
from tests.gui.projects.project_hands import lock_door
from ui.docks.capture import CapturePanel
from ui.window.actions.reproduction_dialog import SaveReproductionDialog
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

OPENING_MS = 60_000
WALK = Controls(forward=1.0)
NOTE = "the front door lets nobody out"
WidgetT = TypeVar("WidgetT", bound=QWidget)


@pytest.fixture
def walked(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The demo world after a door was locked, and some steps against it."""
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.open(DEMO)
    lock_door(qtbot, window)
    window.document.tick_many(40, WALK)
    return window


@pytest.fixture
def elsewhere(qtbot: QtBot, walked: MainWindow, tmp_path: Path) -> Iterator[MainWindow]:
    """The window of somebody else, who has no demo world and cannot make one from now on."""
    settings = QSettings(str(tmp_path / "other.ini"), QSettings.Format.IniFormat)
    settings.setValue("centre", "map")
    window = MainWindow(Session(), settings)
    qtbot.addWidget(window)
    window.show()
    yield window
    window.close()


def ask(qtbot: QtBot, window: MainWindow) -> SaveReproductionDialog:
    """Choose File > Export > Save Reproduction, and wait for what goes in."""
    export = next(entry for entry in window.menus["File"].actions() if entry.text().replace("&", "") == "Export")
    menu = export.menu()
    assert isinstance(menu, QMenu)
    next(entry for entry in menu.actions() if entry.text().replace("&", "") == "Save Reproduction…").trigger()
    dialog = window.reproductions.dialog
    assert dialog is not None
    wait_for_plan(qtbot, dialog)
    return dialog


def wait_for_plan(qtbot: QtBot, dialog: SaveReproductionDialog) -> None:
    qtbot.waitUntil(lambda: part(dialog, QPushButton, "save").isEnabled(), timeout=OPENING_MS)


def part(dialog: SaveReproductionDialog, kind: type[WidgetT], name: str) -> WidgetT:
    found = dialog.findChild(kind, f"reproduction-{name}")
    assert found is not None
    return found


def content(dialog: SaveReproductionDialog) -> dict[str, str]:
    tree = part(dialog, QTreeWidget, "content")
    items = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    return {item.text(0): item.text(1) for item in items if item is not None}


def save(qtbot: QtBot, window: MainWindow, dialog: SaveReproductionDialog, path: Path) -> None:
    field = part(dialog, QLineEdit, "file")
    field.selectAll()
    qtbot.keyClicks(field, str(path))
    qtbot.mouseClick(part(dialog, QPushButton, "save"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: path.name in window.statusBar().currentMessage(), timeout=OPENING_MS)


def open_in(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.open(str(path))


def test_a_walk_is_saved_and_opened_where_its_world_is_not(
    qtbot: QtBot, walked: MainWindow, elsewhere: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = ask(qtbot, walked)
    listed = content(dialog)
    assert (listed["Ticks"], listed["Edits"], listed["Landblocks"]) == ("40", "1", "9")
    assert "game data" in part(dialog, QLabel, "game-data").text()
    qtbot.keyClicks(part(dialog, QPlainTextEdit, "note"), NOTE)
    path = tmp_path / "door.cdrepro"
    save(qtbot, walked, dialog, path)
    text = path.read_bytes().partition(b"\n---")[0].decode()
    assert text.startswith("Cellar Door reproduction 1\n")
    assert f"note        {NOTE}" in text
    assert str(tmp_path) not in text

    def refuse() -> Path:
        raise AssertionError("the demo world is asked for")

    monkeypatch.setattr(engine.build.demo, "ensure_demo", refuse)
    open_in(qtbot, elsewhere, path)
    theirs, ours = walked.document.history, elsewhere.document.history
    assert theirs is not None
    assert ours is not None
    assert ours.recording.hashes == theirs.recording.hashes
    assert ours.now == ours.first
    elsewhere.document.go_to(ours.end)
    assert elsewhere.document.sim.state_hash() == walked.document.sim.state_hash()
    elsewhere.document.tick_many(10, WALK)
    walked.document.tick_many(10, WALK)
    assert elsewhere.document.sim.state_hash() == walked.document.sim.state_hash()
    again = tmp_path / "again.cdrepro"
    save(qtbot, elsewhere, ask(qtbot, elsewhere), again)
    project = tmp_path / "on.cellardoor"
    elsewhere.projects.keeper.save(project)
    assert '"source": "door.cdrepro"' in project.read_text(encoding="utf-8")
    open_in(qtbot, elsewhere, project)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "cellar_door", "replay", str(again)]
    replayed = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert "50 ticks agree" in replayed.stdout, replayed.stderr
    assert not (tmp_path / "cache").exists()


def test_textures_can_stay_out_and_the_size_says_so(qtbot: QtBot, walked: MainWindow, tmp_path: Path) -> None:
    dialog = ask(qtbot, walked)
    box = part(dialog, QCheckBox, "no-textures")
    whole = content(dialog)["Size of the file"]
    assert whole in box.text()
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.rect().center() - box.rect().topRight() / 2)
    box.setFocus()
    if not box.isChecked():
        qtbot.keyClick(box, Qt.Key.Key_Space)
    assert content(dialog)["Textures"] == "left out"
    assert content(dialog)["Size of the file"] != whole
    path = tmp_path / "bare.cdrepro"
    save(qtbot, walked, dialog, path)
    open_in(qtbot, walked, path)
    assert walked.session.run is not None
    assert walked.session.world is not None
    assert [fault for fault in walked.session.world.faults() if "missing" in fault.reason] == []


def test_an_open_capture_is_packed_with_its_cells(qtbot: QtBot, walked: MainWindow, tmp_path: Path) -> None:
    capture = tmp_path / "moves.jsonl"
    save_moves(last_moves(walked.document), capture, [])
    with qtbot.waitSignal(walked.session.capture_opened, timeout=OPENING_MS):
        walked.open(str(capture))
    dialog = ask(qtbot, walked)
    choice = part(dialog, QComboBox, "moves")
    assert [choice.itemText(row) for row in range(choice.count())] == ["The capture moves.jsonl", "The 40 ticks so far"]
    assert "Moves" in content(dialog)
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    wait_for_plan(qtbot, dialog)
    assert "Ticks" in content(dialog)
    qtbot.keyClick(choice, Qt.Key.Key_Up)
    wait_for_plan(qtbot, dialog)
    path = tmp_path / "moves.cdrepro"
    save(qtbot, walked, dialog, path)
    before = walked.docks.panel(CapturePanel).capture
    assert isinstance(before, Capture)
    verdicts = [replay.position for replay in before.replays]
    with qtbot.waitSignal(walked.session.capture_opened, timeout=OPENING_MS):
        walked.open(str(path))
    shown = walked.docks.panel(CapturePanel).capture
    assert isinstance(shown, Capture)
    assert (shown.name, walked.session.source) == ("moves.cdrepro", str(path))
    assert [replay.position for replay in shown.replays] == verdicts


def test_the_dialog_says_what_hinders_it(qtbot: QtBot, walked: MainWindow, tmp_path: Path) -> None:
    dialog = ask(qtbot, walked)
    field, button = part(dialog, QLineEdit, "file"), part(dialog, QPushButton, "save")
    qtbot.keyClicks(field, "")
    field.clear()
    assert (button.isEnabled(), button.toolTip()) == (False, "Choose a file first.")
    there = tmp_path / "there.cdrepro"
    there.write_bytes(b"old")
    field.setText(str(there))
    assert "Replaces" in part(dialog, QLabel, "replaces").text()
    part(dialog, QPlainTextEdit, "note").setPlainText("x" * 5000)
    assert "5,000 characters" in button.toolTip()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: walked.reproductions.dialog is None)
    assert there.read_bytes() == b"old"
