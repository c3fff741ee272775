"""Shows a capture that was opened: its moves in Capture, the chosen one in Sweep, the place of it in view."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from editor.models.capture import Capture
from editor.session.loading import CaptureArrival
from ui.context import WindowContext
from ui.docks.capture import CapturePanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.window.dock_layout import Docks


class CaptureView(QObject):
    """Listens to the session. A capture goes with the world that it was replayed in."""

    def __init__(self, context: WindowContext, docks: Docks) -> None:
        super().__init__(context.window)
        self._context = context
        self._docks = docks
        self._panel = docks.panel(CapturePanel)
        context.session.opened.connect(self._on_opened)
        context.session.capture_opened.connect(self._on_capture)

    @property
    def capture(self) -> Capture | None:
        """The opened capture that is shown; one that is followed is kept as a file first."""
        capture = self._panel.capture
        return capture if isinstance(capture, Capture) else None

    @property
    def files(self) -> list[Path]:
        """The file of the capture that is shown."""
        capture = self._panel.capture
        return [] if capture is None else [capture.path]

    @Slot()
    def _on_opened(self) -> None:
        capture = self._panel.capture
        if capture is not None and capture.source != self._context.session.source:
            self._panel.show_capture(None)

    @Slot(object)
    def _on_capture(self, arrival: CaptureArrival) -> None:
        for panel in (SweepPanel, CapturePanel):
            self._docks.bring(self._docks.dock(panel), focus=False)
        capture = Capture(arrival)
        self._panel.show_capture(capture)
        selection = self._panel.view.selection
        if selection is not None:
            self._context.navigation.jump(selection)
        self._context.messages.say(capture.summary())
