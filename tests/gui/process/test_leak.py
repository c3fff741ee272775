"""Worlds opened one after another in one window leave nothing behind: no objects, no memory, no OpenGL names."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
import traceback
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.session.sources import DEMO
from engine.render.antialiasing import Antialiasing
from engine.render.gl import api
from engine.sim.edits.doors import LockDoor, OpenDoor
from engine.world.loader.base import collector_paused
from tests.gui.view3d.view_hands import redraw
from tests.loaded import HUNG
from ui.window.main_window import MainWindow
from ui.window.start import make_window

pytestmark = pytest.mark.gui

ROOT = Path(__file__).resolve().parents[3]
ALONE = "CELLAR_DOOR_FIFTY_WORLDS"
"""Set in the process that runs the fifty worlds alone."""
WORLDS = 50
TEN = 10
"""Worlds between two readings of memory; by the first, every lazily made object exists."""
GROWTH_MB = 2.0
"""Growth of the process over ten worlds, measured 0.1 to 0.4; the median of all tens."""
NEW_OBJECTS = 30
"""Per world: the log's lines account for 22."""


class Ledger:
    """Counts the OpenGL names created and deleted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.alive: Counter[str] = Counter()
        make, drop = api.make, api.drop

        def counted_make(maker: Callable[[int, api.Data], None]) -> int:
            self.alive[maker.__name__.removeprefix("glGen")] += 1
            return make(maker)

        def counted_drop(dropper: Callable[[int, api.Data], None], name: int) -> None:
            self.alive[dropper.__name__.removeprefix("glDelete")] -= 1
            drop(dropper, name)

        monkeypatch.setattr(api, "make", counted_make)
        monkeypatch.setattr(api, "drop", counted_drop)


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """The window as the program creates it."""
    made = make_window(qapp, QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.close()
    gc.unfreeze()


def look_at(qtbot: QtBot, window: MainWindow, source: str) -> None:
    """Open a world, see it, run a few ticks, and wait until the background searches are over."""
    watch = window.watch
    with qtbot.waitSignal(watch.changed, timeout=60_000, check_params_cb=lambda: not watch.is_searching):
        with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
            window.open(source)
        qtbot.waitUntil(lambda: bool(window.viewport and window.viewport.picture), timeout=20_000)
        window.clock.step(3)


def owned(window: MainWindow) -> list[weakref.ref[object]]:
    """The largest objects of the open world."""
    assert window.viewport is not None
    history = window.document.history
    great = (window.session.world, window.viewing.scene, window.viewport._renderer, history)
    return [weakref.ref(thing) for thing in great if thing is not None]


def are_gone(things: Sequence[weakref.ref[object]]) -> bool:
    return not any(thing() for thing in things)


def objects_now() -> int:
    """The number of objects that the collector tracks; frozen ones are thawed first, for they hold garbage by
    timing."""
    gc.unfreeze()
    gc.collect()
    count = len(gc.get_objects())
    gc.freeze()
    return count


def memory_mb() -> float:
    """What is in use: what the allocator keeps for later differs by 25 MB from world to world."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


@contextmanager
def great_collections() -> Iterator[list[str]]:
    """The full collections within the block, which make the window wait."""
    noted: list[str] = []

    def note(phase: str, details: dict[str, int]) -> None:
        if phase == "start" and details["generation"] == 2:
            noted.append("".join(traceback.format_stack(limit=4)))

    gc.callbacks.append(note)
    try:
        yield noted
    finally:
        gc.callbacks.remove(note)


def live_in(qtbot: QtBot, window: MainWindow) -> None:
    """Make edits, go back, sweep and draw: everything that may keep a reference to a world."""
    document = window.document
    for dock in window.docks:
        dock.raise_()
        redraw(qtbot, window)
    door = document.sim.population.doors[0]
    document.edit("Open Door", OpenDoor(door.id))
    window.clock.step(40)
    document.undo()
    assert document.history is not None
    document.go_to(document.history.end - 20)
    document.continue_here()
    document.edit("Lock Door", LockDoor(door.id, True))


def test_a_world_is_freed_once_another_one_opens(qtbot: QtBot, window: MainWindow, house: Path) -> None:
    """Reference counting frees it, without a full collection of both worlds."""
    look_at(qtbot, window, str(house))
    live_in(qtbot, window)
    before = owned(window)
    assert len(before) == 4
    assert gc.get_freeze_count() > 100_000, "what stays is set aside"
    window.document.stack.set_clean()
    with collector_paused(), great_collections() as collections:  # a slow opening would reach the timed collection
        look_at(qtbot, window, str(house))
        qtbot.waitUntil(partial(are_gone, before))
    assert not collections


def test_a_world_in_a_reference_cycle_is_freed_two_openings_later(
    qtbot: QtBot, window: MainWindow, house: Path
) -> None:
    with collector_paused():  # in a slow opening the timed collection would find it sooner
        look_at(qtbot, window, str(house))
        held = owned(window)[0]
        circle: list[object] = [held()]
        circle.append(circle)
        del circle
        look_at(qtbot, window, str(house))
        assert held() is not None
        look_at(qtbot, window, str(house))
        qtbot.waitUntil(lambda: held() is None, timeout=20_000)


@pytest.mark.slow
@pytest.mark.skipif(ALONE not in os.environ, reason="the next test runs it, in a process of its own")
def test_fifty_worlds_leave_nothing_behind(
    qtbot: QtBot, window: MainWindow, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert window.viewport is not None
    window.viewport.set_antialiasing(
        Antialiasing.OFF
    )  # else the uploads depend on whether the picture has come to rest
    ledger = Ledger(monkeypatch)
    before: list[weakref.ref[object]] = []
    objects, uploaded, memory = 0, Counter[str](), list[float]()
    for number in range(1, WORLDS + 1):
        look_at(qtbot, window, DEMO if number % 2 else str(house))
        qtbot.waitUntil(partial(are_gone, before))
        before = owned(window)
        if number % TEN == 0:
            memory.append(memory_mb())
        if number == TEN:
            objects, uploaded = objects_now(), +ledger.alive
    assert +ledger.alive == uploaded
    assert median(later - sooner for sooner, later in pairwise(memory)) < GROWTH_MB, memory
    assert objects_now() - objects < NEW_OBJECTS * (WORLDS - TEN)


@pytest.mark.slow
@pytest.mark.skipif(ALONE in os.environ, reason="that is this test")
def test_fifty_worlds_in_a_process_of_their_own_leave_nothing_behind() -> None:
    """Memory that earlier tests freed would be reused, and blur the measurement."""
    test = f"{__file__}::{test_fifty_worlds_leave_nothing_behind.__name__}"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test],
        cwd=ROOT,
        env={**os.environ, ALONE: "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=6 * HUNG,
    )
    assert done.returncode == 0, done.stdout + done.stderr
