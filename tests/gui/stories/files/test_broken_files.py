"""Story (f): anything that cannot be opened gives a sentence with details, and the open world stays usable."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from editor.session import loading
from editor.session.background import Job
from engine.dat.ids import DatKind
from engine.dat.writer import write_database
from engine.world.world import World
from tests.gui.opening.opening_hands import OPENING_MS, choose_file, drop, refusal
from tests.systems import needs_pipes
from ui.docks.player.player_dock import PlayerPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def usable(qtbot: QtBot, opened: MainWindow) -> Callable[[], None]:
    """Check that the world is still open and responds."""
    world, source = opened.session.world, opened.session.source

    def check() -> None:
        assert opened.session.world is world
        assert opened.session.source == source
        assert world is not None
        before = opened.document.sim.tick_number
        opened.clock.step()
        assert opened.document.sim.tick_number == before + 1
        assert world.landblock_faults(world.landblock_ids()[0]) == []

    return check


def one_sentence(text: str) -> bool:
    return "\n" not in text and "Traceback" not in text and len(text) < 300


def damaged_copy(house: Path, folder: Path, damage: Callable[[str, bytes], bytes]) -> Path:
    folder.mkdir()
    for file in house.iterdir():
        (folder / file.name).write_bytes(damage(file.name, file.read_bytes()))
    return folder


def test_a_folder_without_databases_lists_the_expected_and_found_files(
    qtbot: QtBot, opened: MainWindow, usable: Callable[[], None], tmp_path: Path
) -> None:
    folder = tmp_path / "Fotos von früher"
    folder.mkdir()
    (folder / "strand.jpg").write_bytes(b"\xff\xd8")
    told = refusal(qtbot, opened, folder)
    assert told.startswith("Fotos von früher cannot be opened:")
    assert "client_portal.dat" in told
    assert "client_cell_1.dat" in told
    assert "strand.jpg" in told
    assert one_sentence(told)
    usable()


@pytest.mark.parametrize("kind", [DatKind.PORTAL, DatKind.CELL])
def test_a_missing_database_is_named(
    qtbot: QtBot, opened: MainWindow, usable: Callable[[], None], house: Path, tmp_path: Path, kind: DatKind
) -> None:
    folder = damaged_copy(house, tmp_path / "ac", lambda name, data: data)
    (folder / kind.file_name).unlink()
    told = refusal(qtbot, opened, folder)
    assert f"{kind.file_name} is missing" in told
    usable()


def test_a_broken_database_names_file_and_offset_and_copies_them(
    qtbot: QtBot, opened: MainWindow, usable: Callable[[], None], house: Path, tmp_path: Path
) -> None:
    portal = DatKind.PORTAL.file_name
    folder = damaged_copy(house, tmp_path / "ac", lambda name, data: data[: len(data) // 3] if name == portal else data)
    told = refusal(qtbot, opened, folder)
    assert portal in told
    assert one_sentence(told)
    assert not opened.banner.details.isVisible()
    qtbot.mouseClick(opened.banner.fold, Qt.MouseButton.LeftButton)
    assert opened.banner.details.isVisible()
    assert str(folder / portal) in opened.banner.details.toPlainText()
    qtbot.mouseClick(opened.banner.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().startswith(told)
    usable()


def test_a_dropped_junk_database_is_reported_like_its_folder(
    qtbot: QtBot, opened: MainWindow, usable: Callable[[], None], house: Path, tmp_path: Path
) -> None:
    folder = damaged_copy(house, tmp_path / "ac", lambda name, data: os.urandom(2000) if name[-4:] == ".dat" else data)
    told = refusal(qtbot, opened, folder / DatKind.CELL.file_name)
    assert ".dat" in told
    assert one_sentence(told)
    usable()


@needs_pipes
def test_opening_a_pipe_does_not_wait(
    qtbot: QtBot, opened: MainWindow, usable: Callable[[], None], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    assert refusal(qtbot, opened, pipe) == "pipe.jsonl cannot be opened: it is neither a file nor a folder"
    usable()


def test_a_database_without_landblocks_opens_as_an_empty_world(
    qtbot: QtBot, opened: MainWindow, house: Path, tmp_path: Path
) -> None:
    folder = damaged_copy(house, tmp_path / "ac", lambda name, data: data)
    write_database(folder / DatKind.CELL.file_name, DatKind.CELL, [])
    with qtbot.waitSignal(opened.session.faults_changed, timeout=OPENING_MS):
        assert drop(opened, folder)
    assert opened.session.landblock_id is None
    for dock in opened.docks:
        dock.show()
        dock.raise_()
        qtbot.wait(1)
    opened.clock.step()
    assert not opened.docks.panel(PlayerPanel).teleport.cell.isEnabled()
    assert opened.docks.panel(PlayerPanel).teleport.cell.toolTip() == "This world has no landblock to stand in."


JUNK = {
    "empty.json": (b"", "is empty"),
    "leer und hohl.cdrec": (b"", "is empty"),
    "noise.bin": (bytes(range(256)) * 40, "has an unknown format"),
    "words.txt": (b"What a day.\n", "has an unknown format"),
    "half.json": (b'{"name": "door", "cells": [{"id": 25', "is not JSON"),
    "other.json": (b'{"name": "door"}', "holds no world"),
    "half.jsonl": (b'{"tick":13558,"timestampMs":54680488,"input":{"currentPos":{"x":132.4', "is not JSON"),
    "capture.jsonl": (b'{"tick":1,"timestampMs":2,"input":{}}\n', "has no 'currentPos'"),
    "half.cdrec": (b"CDRECORD\x01\0\0\0", "half.cdrec"),
    "mutated.cdrec": (b"CDRECORD" + bytes(300), "mutated.cdrec"),
}


@pytest.mark.parametrize("name", list(JUNK))
def test_a_broken_or_foreign_file_gives_a_sentence(
    qtbot: QtBot, opened: MainWindow, usable: Callable[[], None], tmp_path: Path, name: str
) -> None:
    data, said = JUNK[name]
    (tmp_path / name).write_bytes(data)
    told = refusal(qtbot, opened, tmp_path / name)
    assert told.startswith(f"{name} cannot be opened:")
    assert said in told
    assert one_sentence(told)
    assert str(tmp_path / name) in opened.banner.details.toPlainText()
    usable()


def test_a_missing_path_suggests_the_nearest_name(
    qtbot: QtBot, opened: MainWindow, usable: Callable[[], None], tmp_path: Path
) -> None:
    (tmp_path / "the house next door").mkdir()
    told = refusal(qtbot, opened, tmp_path / "the house" / "ac")
    assert told == "ac cannot be opened: there is no such file or folder"
    assert str(tmp_path) in opened.banner.details.toPlainText()
    assert "the house next door/" in opened.banner.details.toPlainText()
    usable()


def test_an_unreadable_folder_is_reported(
    qtbot: QtBot,
    opened: MainWindow,
    usable: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "private"
    folder.mkdir()
    folder.chmod(0)
    if os.access(folder, os.R_OK):  # root may read it, so refuse by hand
        listed = Path.iterdir

        def refused(path: Path) -> object:
            if path == folder:
                raise PermissionError(13, "Permission denied", str(path))
            return listed(path)

        monkeypatch.setattr(Path, "iterdir", refused)
    told = refusal(qtbot, opened, folder)
    assert "Permission denied" in told
    assert one_sentence(told)
    usable()
    folder.chmod(0o700)


def test_a_refused_file_warns_until_something_opens(
    qtbot: QtBot, opened: MainWindow, house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "noise.json").write_bytes(b"\0\1\2")
    choose_file(monkeypatch, tmp_path / "noise.json")
    with qtbot.waitSignal(opened.session.open_failed, timeout=OPENING_MS):
        opened.opening.file_action.trigger()
    assert "noise.json cannot be opened" in opened.banner.text
    choose_file(monkeypatch, house)
    with qtbot.waitSignal(opened.session.faults_changed, timeout=OPENING_MS):
        opened.opening.folder_action.trigger()
    assert not opened.banner.isVisible()


def test_cancelled_dialogs_open_nothing(
    opened: MainWindow, usable: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_file(monkeypatch, "")
    for action in (opened.opening.file_action, opened.opening.folder_action):
        action.trigger()
    assert not opened.session.is_opening
    usable()


def test_an_internal_error_is_reported_with_its_details(
    qtbot: QtBot,
    opened: MainWindow,
    usable: Callable[[], None],
    house: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stumble(*asked: object) -> object:
        raise ZeroDivisionError("of a lever by its arm")

    monkeypatch.setattr(loading, "read_index", stumble)
    with qtbot.captureExceptions():  # the exception also reaches the exception hook
        told = refusal(qtbot, opened, house)
    assert "there is an error in this program" in told
    assert "of a lever by its arm" in opened.banner.details.toPlainText()
    usable()


# --- cancelling


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Opening stops at the index of landblocks until released."""
    go_on = Event()
    read = loading.read_index

    def slow(world: World, job: Job) -> object:
        job.progress(0.4, "Looking which landblocks there are …")
        while not go_on.wait(0.01):
            job.check()
        return read(world, job)

    monkeypatch.setattr(loading, "read_index", slow)
    return go_on


def test_opening_shows_progress_and_cancel_keeps_the_open_world(
    qtbot: QtBot, opened: MainWindow, usable: Callable[[], None], house: Path, held: Event
) -> None:
    assert drop(opened, house)
    strip = opened.centre.progress
    qtbot.waitUntil(strip.isVisible)
    qtbot.waitUntil(lambda: "landblocks" in strip.label.text())
    assert strip.bar.value() == 400
    usable()
    with qtbot.waitSignal(opened.session.open_cancelled):
        qtbot.mouseClick(strip.button, Qt.MouseButton.LeftButton)
    assert not strip.isVisible()
    assert not opened.session.is_opening
    assert "cancelled" in opened.status.currentMessage()
    held.set()
    usable()


def test_a_later_opening_replaces_one_still_in_progress(
    qtbot: QtBot, opened: MainWindow, house: Path, held: Event, tmp_path: Path
) -> None:
    assert drop(opened, house)
    assert "is empty" in refusal(qtbot, opened, _empty(tmp_path))
    held.set()
    with qtbot.waitSignal(opened.session.faults_changed, timeout=OPENING_MS):
        assert drop(opened, house)


def _empty(folder: Path) -> Path:
    path = folder / "empty.json"
    path.write_bytes(b"")
    return path
