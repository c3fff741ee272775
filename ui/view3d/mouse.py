"""The mouse in the 3D view: camera, picking, gizmo, and adding by pointing (docs/docks/3d-view.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QMouseEvent, QWheelEvent

from engine.render.picking.hits import PickMode
from ui.view3d.camera_input import Drag

if TYPE_CHECKING:
    from ui.view3d.viewport import Viewport

HOVER_MS: Final = 30
"""Milliseconds of rest before the object under the mouse is picked again."""

WHEEL_STEP: Final = 120.0

Button, Modifier = Qt.MouseButton, Qt.KeyboardModifier


class ViewMouse(QObject):
    """Turns mouse events into actions, by the object under the mouse and the active tool."""

    menu_wanted = Signal(QPoint)
    """Position of a right click."""

    def __init__(self, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._view = viewport
        self._viewing = viewport.viewing
        self._handling = viewport.viewing.manipulation
        self._placing = viewport.viewing.placing
        self._cut = viewport.viewing.cut_handle
        self._hover_at: tuple[QPointF, PickMode] | None = None
        self._skips_release = False
        """The button that cancelled a drag does nothing else until it is up."""
        self._chose = False
        """The last left press selected the object under it."""
        self._hovering = QTimer(self)
        self._hovering.setSingleShot(True)
        self._hovering.setInterval(HOVER_MS)
        self._hovering.timeout.connect(self._look_under_mouse)
        self._placing.switched.connect(self._on_tool)

    # --- buttons

    def press(self, event: QMouseEvent) -> None:
        button, at = event.button(), event.position()
        self._skips_release = False
        if self._handling.is_dragging or self._cut.is_dragging:
            if button != Button.LeftButton:
                self.cancel()
                self._skips_release = button == Button.RightButton
        elif button == Button.RightButton:
            self._view.hands.press(Drag.LOOK, at)
            self._view.walking.steer()
        elif button == Button.MiddleButton and self._view.walking.is_on:
            self._view.hands.press(Drag.ORBIT, at)
            self._view.go()
        elif button == Button.MiddleButton:
            self._viewing.camera.grab(*self._view.pixel_of(at))
            self._view.hands.press(Drag.PAN, at)
            self._view.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif button == Button.LeftButton and event.modifiers() & Modifier.AltModifier:
            self._viewing.camera.grab(*self._view.pixel_of(at))
            self._view.hands.press(Drag.ORBIT, at)
        elif button == Button.LeftButton:
            self._left(event)

    def _left(self, event: QMouseEvent) -> None:
        x, y = self._view.pixel_of(event.position())
        self._chose = False
        if self._placing.is_on:
            self._placing.point_at(x, y)
            self._placing.put(again=bool(event.modifiers() & Modifier.ShiftModifier))
        elif self._cut.grab(x, y):
            self._stop_hovering()
            self._view.setCursor(Qt.CursorShape.SizeVerCursor)
        elif self._handling.grab(x, y):
            self._stop_hovering()
            self._view.setCursor(Qt.CursorShape.SizeAllCursor)
        else:
            mode = pick_mode(event.modifiers())
            self._chose = True
            self._viewing.choose(self._viewing.pick(x, y, mode), cell=mode is PickMode.CELL)

    def move(self, event: QMouseEvent) -> None:
        at, held = event.position(), event.modifiers()
        x, y = self._view.pixel_of(at)
        if self._cut.is_dragging:
            self._cut.drag(y, fine=bool(held & Modifier.ShiftModifier))
        elif self._handling.is_dragging:
            self._handling.drag(
                x, y, fine=bool(held & Modifier.ShiftModifier), snap=bool(held & Modifier.ControlModifier)
            )
        elif self._view.hands.drag is not Drag.NONE:
            self._view.hands.move(at, float(self._view.height()))
            self._view.go()
        elif not self._placing.is_on and self._cut.hover(x, y):
            self._stop_hovering()
            self._viewing.session.set_hover(None)
            self._view.setCursor(Qt.CursorShape.SizeVerCursor)
        elif not self._placing.is_on and self._handling.hover(x, y):
            self._stop_hovering()
            self._viewing.session.set_hover(None)
            self._view.setCursor(Qt.CursorShape.SizeAllCursor)
        else:
            if not self._placing.is_on:
                self._view.unsetCursor()
            self._hover_at = (at, pick_mode(held))
            if not self._hovering.isActive():
                self._hovering.start()

    def release(self, event: QMouseEvent) -> None:
        if self._cut.is_dragging and event.button() == Button.LeftButton:
            self._cut.release()
            self._view.unsetCursor()
            return
        if self._handling.is_dragging and event.button() == Button.LeftButton:
            self._handling.let_go()
            self._view.unsetCursor()
            return
        if self._skips_release:
            self._skips_release = False
            return
        looked = self._view.hands.drag is Drag.LOOK
        clicked = self._view.hands.release()
        self._view.walking.steer()
        self._show_cursor()
        if looked and clicked:
            self.menu_wanted.emit(event.position().toPoint())

    def double_click(self, event: QMouseEvent) -> None:
        """Frame the object that the first click selected, even if a handle has come under the second; on a handle that
        was there before, two clicks are two grabs."""
        if event.button() != Button.LeftButton or self._placing.is_on:
            return
        if self._chose:
            self._viewing.camera.frame_selection()
        else:
            self._left(event)

    def wheel(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()  # with Alt the platform reports a horizontal turn
        steps = turned / WHEEL_STEP
        if not steps:
            return
        if self._placing.is_on and event.modifiers() & Modifier.AltModifier:
            self._placing.turn(1 if steps > 0.0 else -1)
            return
        if self._handling.is_dragging or self._cut.is_dragging:
            return
        at = self._view.pixel_of(event.position())
        self._viewing.camera.begin_dolly(*at, looking=self._view.hands.drag is Drag.LOOK)
        self._view.hands.wheel(steps)
        self._view.go()

    def leave(self) -> None:
        self._stop_hovering()
        self._viewing.point_away()
        if self._placing.is_on:
            self._placing.point_away()
        else:
            self._handling.point_away()

    def cancel(self) -> bool:
        """Cancel the drag; false when there is none."""
        cancelled = self._cut.cancel() or self._handling.cancel()
        if cancelled:
            self._show_cursor()
        return cancelled

    # --- hovering

    def _stop_hovering(self) -> None:
        self._hovering.stop()
        self._hover_at = None

    @Slot()
    def _look_under_mouse(self) -> None:
        if self._hover_at is None or self._view.hands.drag is not Drag.NONE:
            return
        at, mode = self._hover_at
        if self._placing.is_on:
            self._placing.point_at(*self._view.pixel_of(at))
        else:
            self._viewing.point_at(*self._view.pixel_of(at), mode)

    @Slot()
    def _on_tool(self) -> None:
        self._viewing.point_away()
        self._show_cursor()

    def _show_cursor(self) -> None:
        if self._placing.is_on:
            self._view.setCursor(Qt.CursorShape.CrossCursor)
        else:
            self._view.unsetCursor()


def pick_mode(modifiers: Qt.KeyboardModifier) -> PickMode:
    """Ctrl picks portals, Shift cells, both together the openings of buildings."""
    control = bool(modifiers & Modifier.ControlModifier)
    shift = bool(modifiers & Modifier.ShiftModifier)
    if control and shift:
        return PickMode.APERTURE
    return PickMode.PORTAL if control else PickMode.CELL if shift else PickMode.NEAREST
