"""Names from data are shown literally: nothing in them is taken for HTML, acts as a control character, or hides."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile, QPoint
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from editor.authoring.cell_edits import set_stab_list
from editor.project.autosave import AbandonedAutosave
from editor.project.project import Project
from editor.session.background import Job
from editor.session.session import Kind, Selection
from engine.build import WorldBuilder, rect
from engine.sim.edits.doors import LockDoor
from tests.gui.opening.opening_hands import OPENING_MS, choose_file, saved_capture, write_scenes
from tests.gui.window.shown_text import texts, wrong_ones
from ui.opening.scene_dialog import OpenScene
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

MARKER = "img"
STEERING = "\x1b[31m\x07\x00\x85\x9b\u061c\u200f\u202e\u2066\u2069\u2028&copy;&lt;b&gt;[*] & so"
LONG = "x" * 6000
FILE_STEERING = "\x1b[2J\n\t\u202e&lt;[*]"
"""The characters that a file system accepts."""


class Opened:
    """Detects whether anything opens a file."""

    def __init__(self, file: Path) -> None:
        self._library = ctypes.CDLL(None, use_errno=True)
        self._watch = self._library.inotify_init1(os.O_NONBLOCK)
        in_open = 0x20
        assert self._watch >= 0
        assert self._library.inotify_add_watch(self._watch, os.fsencode(file), in_open) >= 0

    def __call__(self) -> bool:
        try:
            return bool(os.read(self._watch, 4096))
        except BlockingIOError:
            return False

    def close(self) -> None:
        os.close(self._watch)


@pytest.fixture
def picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """The file that the names refer to, also by its bare name."""
    file = tmp_path / "p.png"
    file.write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    watch = Opened(file)
    yield watch
    watch.close()


@pytest.fixture
def names(tmp_path: Path) -> list[str]:
    tag = f"<img src='{tmp_path / 'p.png'}'>"
    return [f"{tag}{STEERING}", f"  {tag}", f"Door\n{tag}\ttab", f"<b>{tag}</b>", f"{tag}{LONG}", f"a &lt;b {tag}"]


@pytest.fixture
def folder(tmp_path: Path, names: list[str]) -> Path:
    """A world with an object for each of the names, in a folder with such a name."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = world.room("study", rect(6.2, 0, 4, 4), height=2.8)
    world.door(hall, study)
    place = tmp_path / f"<img src='p.png'>{FILE_STEERING}"
    place.mkdir()
    world.build().write(place)
    file = place / "entities.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    door = document["entities"][0]
    document["entities"] = [
        {**door, "guid": f"0x{0x70007001 + number:08X}", "name": name} for number, name in enumerate(names)
    ]
    file.write_text(json.dumps(document), encoding="utf-8")
    return place


@pytest.fixture
def shown(qtbot: QtBot, window: MainWindow, folder: Path) -> MainWindow:
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.open(str(folder))
    return window


def check(picture: Opened) -> None:
    """Fill and read everything that the application shows, with each tooltip as the mouse would show it."""
    for menu in [widget for widget in QApplication.allWidgets() if isinstance(widget, QMenu)]:
        menu.aboutToShow.emit()
    QApplication.processEvents()
    found = list(texts())
    assert sum("src=" in text for _, text in found) > 5, "the names are there"
    assert wrong_ones(iter(found), MARKER) == []
    for where, text in found:
        if "tip" in where.lower() and "src=" in text:
            QToolTip.showText(QPoint(10, 10), text)
            QApplication.processEvents()
    QToolTip.hideText()
    assert not picture(), "no name was taken for a picture to be loaded"


def test_all_docks_of_a_world_with_such_names(
    qtbot: QtBot, shown: MainWindow, picture: Opened, names: list[str]
) -> None:
    document = shown.document
    for dock in shown.docks:
        dock.show()
    for number, entity in enumerate(document.sim.population.doors):
        assert entity.name == names[number]
        shown.session.select(Selection(Kind.ENTITY, 0x0007FFFF, entity.id))
        document.edit(f"Lock {entity.name}", LockDoor(entity.id, True))
    document.edit("Empty Stab List", *set_stab_list(document.sim, 0x00070100, [0x00070101]))
    shown.clock.keys.forward = 1.0
    shown.clock.step(45)
    shown.clock.keys.forward = 0.0
    document.undo()
    for dock in shown.docks:
        dock.raise_()
        qtbot.wait(1)
        check(picture)
    assert any("src=" in text for where, text in texts() if where.startswith("action") and text.startswith("Undo"))


def test_the_palette_and_the_banner(qtbot: QtBot, shown: MainWindow, picture: Opened, names: list[str]) -> None:
    shown.palette_sheet.ask()
    qtbot.keyClicks(shown.palette_sheet.field, "img")
    check(picture)
    shown.palette_sheet.hide()
    for name in names:
        shown.banner.warn(f"{name} cannot be opened", f"{name}\nmore")
        shown.status.showMessage(name)
        check(picture)


def test_the_recovery_strip_the_progress_and_the_question(
    qtbot: QtBot, shown: MainWindow, asking: MainWindow, picture: Opened, names: list[str], tmp_path: Path
) -> None:
    job = Job()
    for name in names:
        project = Project(str(tmp_path / name.replace("/", "")), name, unsaved=1)
        shown.projects.strip._waiting = [AbandonedAutosave(tmp_path, QLockFile(str(tmp_path / "lock")), project)]
        shown.projects.strip._show_first()
        shown.centre.progress.follow(job, f"Reading {name}")
        box = shown.projects._question(f"Save {name}?", f"{name} has edits", f"In {name}\nthey are")
        assert box is not None
        box.show()
        check(picture)
        box.reject()
        QApplication.processEvents()


def test_scenes_recent_files_and_the_title(
    qtbot: QtBot, window: MainWindow, picture: Opened, names: list[str], tmp_path: Path
) -> None:
    path = write_scenes(tmp_path / f"<img src='p.png'>{FILE_STEERING}.json", *names)
    with qtbot.waitSignal(window.session.asked, timeout=OPENING_MS):
        window.open(str(path))
    dialog = window.opening.dialog
    assert isinstance(dialog, OpenScene)
    check(picture)
    dialog.list.setCurrentRow(2)
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        dialog.accept()
    assert window.session.scene == names[2], "the scene has the name that the file gives it"
    window.opening.recent_menu.refresh()
    check(picture)
    assert "p.png" in window.windowTitle()


def test_a_recording_and_a_capture_of_such_a_world(
    qtbot: QtBot, shown: MainWindow, picture: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown.clock.step(10)
    capture = saved_capture(shown, tmp_path / "<img src='p.png'>.jsonl", monkeypatch)
    recording = tmp_path / "<img src='p.png'>.cdrec"
    choose_file(monkeypatch, recording)
    shown.exports.recording_action.trigger()
    qtbot.waitUntil(recording.exists, timeout=OPENING_MS)
    for path in (capture, recording):
        shown.open(str(path))
        qtbot.waitUntil(lambda: not shown.session.is_opening, timeout=OPENING_MS)
        qtbot.wait(50)
        check(picture)
