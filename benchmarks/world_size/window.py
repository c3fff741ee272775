"""The window in a world of the client's size: the picker with its map, and a landblock's first picture.

`python -m benchmarks.world_size.window window WORLD OUT` prints the figures as one line of JSON. Needs a display.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEventLoop, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from benchmarks.watchdog import Watchdog
from editor.process.memory import peak_megabytes
from engine.world.cells.ids import block_text
from ui.map.block_map_view import BlockMapView
from ui.opening.landblock_dialog import OpenLandblock
from ui.window.application import create_application
from ui.window.main_window import MainWindow
from ui.window.start import make_window

TOO_LATE: Final = 120.0
"""Seconds until something that does not happen ends the measurement."""
NOTCH: Final = 120
"""The angle of one step of a mouse wheel."""
STEPS: Final = 12
PAN: Final = 40
"""Pixels of one step of a drag."""


class WholeWorld:
    """The window, and what is waited for in it."""

    def __init__(self, application: QApplication, window: MainWindow) -> None:
        self.application = application
        self.window = window
        self.found: dict[str, float] = {}
        self._dragged = 0
        """Pixels that the map has been dragged by."""

    def until(self, is_so: Callable[[], bool]) -> float:
        """The seconds until something is so."""
        start = time.perf_counter()
        while not is_so():
            self.application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 20)
            if time.perf_counter() - start > TOO_LATE:
                raise TimeoutError
        return time.perf_counter() - start

    def picker(self) -> OpenLandblock:
        dialog = self.window.opening.dialog
        assert isinstance(dialog, OpenLandblock)
        return dialog

    def open_picker(self, world: Path) -> None:
        self.window.open(str(world))
        self.found["picker, first map"] = self.until(lambda: self.window.opening.dialog is not None)
        self.found["picker, ground of all landblocks"] = self.until(lambda: self.picker().index.drawn is not None)

    def zoom_and_pan(self) -> None:
        """Zoom in under the mouse, then drag; each step is over when the map is painted. What counts is the thread's
        processor time, as for a digit of a search: other programs hardly change it."""
        view = self.picker().map
        middle = view.viewport().rect().center()
        zoomed = [self._painted(view, lambda: self._wheel(view, middle)) for _ in range(STEPS)]
        QTest.mousePress(view.viewport(), Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier, middle)
        panned = [self._painted(view, lambda: self._drag(view, middle)) for _ in range(STEPS)]
        QTest.mouseRelease(view.viewport(), Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier, middle)
        self.found["picker, longest zoom step, at work"] = max(zoomed) * 1e3
        self.found["picker, longest pan step, at work"] = max(panned) * 1e3

    def _painted(self, view: BlockMapView, act: Callable[[], None]) -> float:
        start = time.thread_time()
        act()
        view.viewport().repaint()
        return time.thread_time() - start

    def _drag(self, view: BlockMapView, start: QPoint) -> None:
        self._dragged += PAN
        QTest.mouseMove(view.viewport(), start + QPoint(self._dragged, 0))

    def _wheel(self, view: BlockMapView, at: QPoint) -> None:
        place = QPointF(at)
        event = QWheelEvent(
            place,
            view.viewport().mapToGlobal(place),
            QPoint(),
            QPoint(0, NOTCH),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,  # Qt's signature
        )
        QApplication.sendEvent(view.viewport(), event)

    def search(self, text: str) -> None:
        """Type an id, digit by digit; a digit is over when the lists and the map are painted."""
        dialog = self.picker()
        taken: list[float] = []
        for sign in text:
            start = time.thread_time()
            QTest.keyClicks(dialog.search, sign)
            dialog.repaint()
            self.application.processEvents()
            taken.append(time.thread_time() - start)
        self.found["picker, longest digit of a search, at work"] = max(taken) * 1e3

    def enter(self) -> None:
        """Open the chosen landblock, until its picture is on the screen."""
        QTest.keyClick(self.picker().search, Qt.Key.Key_Return)
        self.found["landblock to first picture"] = self.until(
            lambda: self.window.viewport is not None and self.window.viewport.picture is not None
        )


def window(world: Path) -> dict[str, float]:
    application = create_application(["bench"])
    with tempfile.TemporaryDirectory() as scratch:
        settings = QSettings(f"{scratch}/settings.ini", QSettings.Format.IniFormat)
        seen = WholeWorld(application, make_window(application, settings))
        seen.window.show()
        seen.until(seen.window.isVisible)
        with Watchdog() as dog:
            dog.begin("picker")
            seen.open_picker(world)
            dog.begin("")
            with_rooms = seen.picker().index.with_rooms
            middle = with_rooms[len(with_rooms) // 2]
            seen.zoom_and_pan()
            seen.search(block_text(middle).removeprefix("0x"))
            dog.begin("landblock")
            seen.enter()
            dog.begin("")
        seen.found["longest stall with the picker"] = dog.longest["picker"] * 1e3
        seen.found["longest stall with the picker, at work"] = dog.busiest["picker"] * 1e3
        seen.found["longest stall with the landblock"] = dog.longest["landblock"] * 1e3
        seen.found["longest stall with the landblock, at work"] = dog.busiest["landblock"] * 1e3
        for stall in dog.stalls[:4]:
            print(f"stalled {stall}", file=sys.stderr)
    return seen.found


if __name__ == "__main__":
    print(json.dumps({**window(Path(sys.argv[2])), "peak of memory": peak_megabytes()}))
    sys.stdout.flush()
    os._exit(0)  # the measurement is over; skip taking the window down
