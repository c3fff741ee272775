"""Opens the program's window on the demo and prints, as JSON, the milliseconds from BEGUN (`time.monotonic()` of
whoever started this process, by `ui_launch`) to each station on the way to a usable window.

It is the program as it is started without arguments; only its last step, running the event loop, is done here.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QEventLoop, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from cellar_door.main import main as start_program

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

TOO_LATE_MS = 60_000
LOOK_MS = 1


class Probe:
    """Notes when the window was shown, when it showed the world, and when it answered a hand."""

    def __init__(self, begun: float) -> None:
        self.begun = begun
        self.stations: dict[str, float] = {}

    def note(self, station: str) -> None:
        self.stations.setdefault(station, (time.monotonic() - self.begun) * 1000.0)

    def run_loop(self) -> int:
        """In place of the application's own loop."""
        from ui.window.main_window import MainWindow  # the program loads it, as it does without a probe

        self.note("window made")
        window = next(top for top in QApplication.topLevelWidgets() if isinstance(top, MainWindow))
        loop = QEventLoop()
        looking = QTimer()
        looking.setInterval(LOOK_MS)
        looking.timeout.connect(lambda: self._look(window, loop))
        looking.start()
        QTimer.singleShot(TOO_LATE_MS, lambda: loop.exit(1))
        return loop.exec()

    def _look(self, window: MainWindow, loop: QEventLoop) -> None:
        viewport = window.viewport
        if viewport is None or viewport.picture is None:
            return
        if "world drawn" not in self.stations:
            self.note("world drawn")
            self.pictures = viewport.drawn
            size = viewport.size()
            wall = QPointF(size.width() * 0.75, size.height() * 0.35)  # beside the handles of the selected front door
            for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
                held = Qt.MouseButton.LeftButton if kind is QEvent.Type.MouseButtonPress else Qt.MouseButton.NoButton
                place = viewport.mapToGlobal(wall)
                button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
                QApplication.postEvent(viewport, QMouseEvent(kind, wall, place, button, held, none))
            self.before = window.session.selection
        elif viewport.drawn > self.pictures and window.session.selection != self.before:
            self.note("a click answered and drawn")
            loop.quit()


def measure(begun: float) -> int:
    probe = Probe(begun)
    probe.note("modules of the probe loaded")
    QApplication.exec = staticmethod(probe.run_loop)  # type: ignore[method-assign]
    code = start_program([])
    print(json.dumps(probe.stations))
    return code
