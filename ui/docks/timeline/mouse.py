"""The mouse and the keys over the Timeline's plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip

from editor.process.plain_text import plain_lines
from ui.docks.timeline.marks import words_of
from ui.docks.timeline.second_run import tip_words

if TYPE_CHECKING:
    from ui.docks.timeline.plot import TimelinePlot

NOTCH: Final = 120.0
ZOOM: Final = 1.25
"""Zoom factor of one notch of the wheel."""
STEP: Final = 0.15
"""Part of the view that one notch with Shift, or an arrow key, pans by."""
CLICK: Final = 4.0
"""Pixels within which a press of the right button is a click."""
PANNING: Final = (Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton)


class PlotMouse(QObject):
    """Watches the view's viewport; pyqtgraph's own mouse is switched off."""

    def __init__(self, plot: TimelinePlot) -> None:
        super().__init__(plot)
        self.plot = plot
        self._scrubs = False
        self._pans_from: QPointF | None = None
        self._moved = 0.0
        self._viewport = plot.view.viewport()
        self._viewport.setMouseTracking(True)
        self._viewport.setCursor(Qt.CursorShape.SizeHorCursor)
        self._viewport.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._viewport.installEventFilter(self)
        plot.view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._press_key(event)
        if watched is not self._viewport:
            return False
        if isinstance(event, QWheelEvent):
            return self._turn_wheel(event)
        if isinstance(event, QMouseEvent):
            return self._use_mouse(event)
        if event.type() == QEvent.Type.Leave:
            self.plot.point_at(None)
        return False

    def _place(self, position: QPointF) -> QPointF:
        """A position in pixels of the view box."""
        return position - self.plot.canvas.box.topLeft()

    def _turn_wheel(self, event: QWheelEvent) -> bool:
        plot, delta = self.plot, event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            plot.scroll_lanes(delta.y())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(delta.x()) > abs(delta.y()):
            plot.pan((delta.x() or delta.y()) / NOTCH * STEP * plot.canvas.box.width())
        else:
            plot.zoom(ZOOM ** (-delta.y() / NOTCH), self._place(event.position()).x())
        plot.point_at(self._place(event.position()))
        event.accept()
        return True

    def _use_mouse(self, event: QMouseEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            self._press(event)
        elif kind == QEvent.Type.MouseMove:
            self._move(event)
        elif kind == QEvent.Type.MouseButtonRelease:
            self._release(event)
        return True

    def _press(self, event: QMouseEvent) -> None:
        plot, place = self.plot, self._place(event.position())
        plot.view.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() in PANNING:
            self._pans_from, self._moved = event.position(), 0.0
        elif event.button() is Qt.MouseButton.LeftButton and len(plot.log):
            found = plot.event_at(place)
            if found is not None:
                plot.event_clicked.emit(found)
                return
            tick = plot.found_at(place)
            if tick is not None:
                plot.scrubbed.emit(tick + 1)
                return
            self._scrubs = True
            plot.scrubbed.emit(plot.tick_near(place.x()))

    def _move(self, event: QMouseEvent) -> None:
        plot, place = self.plot, self._place(event.position())
        if self._pans_from is not None and event.buttons() & (PANNING[0] | PANNING[1]):
            by = event.position().x() - self._pans_from.x()
            self._moved += abs(by)
            self._pans_from = event.position()
            plot.pan(by)
        elif self._scrubs and event.buttons() & Qt.MouseButton.LeftButton:
            plot.scrubbed.emit(plot.tick_near(place.x()))
        plot.point_at(place)
        self._show_tip(event, place)

    def _show_tip(self, event: QMouseEvent, place: QPointF) -> None:
        found = None if event.buttons() else self.plot.event_at(place)
        shape = Qt.CursorShape.SizeHorCursor if found is None else Qt.CursorShape.PointingHandCursor
        self._viewport.setCursor(shape)
        view = None if event.buttons() else self.plot.view_at(place.y())
        words = "" if found is None else words_of(self.plot.events, found.tick)
        if not words and view is not None:
            words = tip_words(self.plot, view.lane, self.plot.cursor_tick)
        if words:
            QToolTip.showText(event.globalPosition().toPoint(), plain_lines(words), self._viewport)
        else:
            QToolTip.hideText()

    def _release(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._scrubs = False
        elif event.button() in PANNING and self._pans_from is not None:
            self._pans_from = None
            if event.button() is Qt.MouseButton.RightButton and self._moved < CLICK:
                view = self.plot.view_at(self._place(event.position()).y())
                lane = None if view is None else view.lane
                self.plot.menu_wanted.emit(event.globalPosition().toPoint(), lane)

    def _press_key(self, event: QKeyEvent) -> bool:
        """Zoom about the shown tick with + and -, fit with 0, pan and scroll with the arrows."""
        plot = self.plot
        width = plot.canvas.box.width()
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            return False
        if event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            plot.zoom(1.0 / ZOOM, plot.span.x_of(plot.now))
        elif event.key() == Qt.Key.Key_Minus:
            plot.zoom(ZOOM, plot.span.x_of(plot.now))
        elif event.key() == Qt.Key.Key_0:
            plot.fit()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            plot.pan((1.0 if event.key() == Qt.Key.Key_Left else -1.0) * STEP * width)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            plot.scroll_lanes(120 if event.key() == Qt.Key.Key_Up else -120)
        else:
            return False
        return True
