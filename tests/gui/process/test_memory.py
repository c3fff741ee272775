"""The collector runs in the window's thread, and reaches the old generation as well."""

from __future__ import annotations

import gc
import weakref
from threading import Thread, current_thread, main_thread

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from editor.session import memory

pytestmark = pytest.mark.gui


class Circle(QObject):
    """Only the collector frees it; `freed_in` then names the thread."""

    def __init__(self, freed_in: list[Thread]) -> None:
        super().__init__()
        self.itself = self
        weakref.finalize(self, lambda: freed_in.append(current_thread()))


def test_qt_objects_are_freed_by_the_window_thread(qtbot: QtBot) -> None:
    freed_in: list[Thread] = []
    made: list[list[int]] = []
    Circle(freed_in)
    worker = Thread(target=lambda: made.extend([] for _ in range(100_000)))
    worker.start()
    worker.join()
    assert not freed_in
    qtbot.waitUntil(lambda: bool(freed_in))
    assert freed_in == [main_thread()]


def test_the_old_generation_is_collected_after_many_allocations(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    freed_in: list[Thread] = []
    circle = Circle(freed_in)
    for _ in range(gc.get_threshold()[2] + 1):
        gc.collect(1)  # still referenced, it moves to an older generation
    del circle
    gc.collect(1)
    assert not freed_in
    monkeypatch.setattr(memory, "GROWTH", 0.5)
    qtbot.waitUntil(lambda: bool(freed_in))
