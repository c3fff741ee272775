"""The view that pans and zooms, base of the landblock map, the block map, the cell graph and PView's small screen.

The wheel, a trackpad or a pinch zooms at the cursor; dragging with any button pans; a click counts on release of the
button. F frames the selection and Home or 0 fits everything, + and - zoom at the middle. Arrow keys move from item to
item where the view supports that and pan otherwise; with Shift they always pan.
"""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QMenu, QWidget

ZOOM_STEP: Final = 1.25
"""Factor of one notch of the wheel, or one press of + or -."""

NOTCH: Final = 120.0
"""Eighths of a degree per notch of the wheel (QWheelEvent.angleDelta)."""

TRACKPAD_NOTCH: Final = 40.0
"""Pixels of a trackpad that equal a notch of the wheel."""

PAN_STEP: Final = 40
"""Pixels that an arrow key pans."""

DRAG_FROM: Final = 4
"""Pixels that the mouse must move to turn a press into a drag."""

EXTENT: Final = 1e5
"""Scene units that the user can pan from the origin: far more than any scene has, yet within an int in pixels."""

ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
ZOOM_KEYS: Final = {
    Qt.Key.Key_Plus: ZOOM_STEP,
    Qt.Key.Key_Equal: ZOOM_STEP,
    Qt.Key.Key_Minus: 1.0 / ZOOM_STEP,
}
FIT_KEYS: Final = (Qt.Key.Key_Home, Qt.Key.Key_0)
FRAME_KEY: Final = Qt.Key.Key_F

_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_KEYPAD: Final = Qt.KeyboardModifier.KeypadModifier


class PanZoomView(QGraphicsView):
    """A subclass defines its content (`content`, `limits`) and its response to mouse and keys (the methods below `# ---
    for subclasses`)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_fitted = True
        """Everything is in view, and stays so on resizing, until the user pans or zooms."""
        self._pressed: QPointF | None = None
        self._pressed_scroll = QPoint()
        self._is_dragging = False
        self.setScene(QGraphicsScene(self))
        self.setSceneRect(-EXTENT, -EXTENT, 2.0 * EXTENT, 2.0 * EXTENT)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # a mirrored scroll bar would mirror the panning
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAcceptDrops(False)  # the window takes files dropped here
        self.viewport().setAcceptDrops(False)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    # --- for subclasses

    def content(self) -> QRectF:
        """The part of the scene that `fit` shows."""
        return self.scene().itemsBoundingRect()

    def limits(self) -> tuple[float, float]:
        """Least and most pixels per scene unit."""
        raise NotImplementedError

    def refit(self) -> None:
        """Show all of `content`; a view that reserves room for something else overrides this."""
        self.show_box(self.content())

    def frame_selection(self) -> None:
        """Show the selection as large as fits; everything when nothing is selected."""
        self.fit()

    def view_changed(self) -> None:
        """The visible part of the scene or its scale has changed."""

    def drag_changed(self, dragging: bool) -> None:
        """A drag has begun or ended."""
        if dragging:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        else:
            self.unsetCursor()

    def click_at(self, at: QPointF) -> None:
        """The left button was clicked."""

    def activate_at(self, at: QPointF) -> bool:
        """The left button was double-clicked; false if it hit empty space, which fits the view."""
        return False

    def hover_at(self, at: QPointF | None) -> None:
        """The mouse moved without a button down; None when it left."""

    def walk(self, dx: int, dy: int) -> bool:
        """An arrow key was pressed; false if this view has no items to move between, so that it pans."""
        return False

    def menu_at(self, at: QPoint, by_key: bool) -> None:
        """The right button was clicked, or the menu key pressed: open the context menu."""
        if self.actions():
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addActions(self.actions())
            menu.popup(self.viewport().mapToGlobal(at))

    # --- viewport

    def pixels_per_unit(self) -> float:
        return self.transform().m11()

    def to_scene(self, at: QPointF) -> QPointF:
        """The point of the scene under a point of the viewport, with fractions."""
        inverted, _ = self.viewportTransform().inverted()
        return inverted.map(at)

    def to_viewport(self, place: QPointF) -> QPointF:
        return self.viewportTransform().map(place)

    def middle(self) -> QPointF:
        """The middle of the viewport."""
        return QPointF(self.viewport().width() / 2.0, self.viewport().height() / 2.0)

    def show_at(self, place: QPointF, at: QPointF, scale: float) -> None:
        """Show the scene at a scale, with `place` of the scene at the point `at` of the viewport.

        Scroll bars move by whole pixels, so that Qt can shift what it has painted; the transform holds the fraction, so
        that many small zooms do not drift away from the cursor.
        """
        corner = place * scale - at
        across, down = math.floor(corner.x()), math.floor(corner.y())
        self.setTransform(QTransform(scale, 0.0, 0.0, scale, across - corner.x(), down - corner.y()))
        self.horizontalScrollBar().setValue(across)
        self.verticalScrollBar().setValue(down)

    def fit(self) -> None:
        """Show everything."""
        self.is_fitted = True
        self.refit()
        self.view_changed()

    def show_box(self, box: QRectF) -> None:
        """Show a part of the scene as large as fits."""
        view = self.viewport().rect()
        if box.isEmpty() or view.isEmpty():
            return
        scale = min(view.width() / box.width(), view.height() / box.height(), self.limits()[1])
        self.show_at(box.center(), self.middle(), scale)

    def frame(self, box: QRectF) -> None:
        """Move the view to a part of the scene."""
        self.wander()
        self.show_box(box)
        self.view_changed()

    def wander(self) -> None:
        """Note that the user has moved the view: resizing now keeps the middle in place."""
        self.is_fitted = False

    def zoom_about(self, at: QPointF, factor: float) -> None:
        """Zoom in or out within the limits, keeping the point under `at` in place."""
        now = self.pixels_per_unit()
        least, most = self.limits()
        scale = min(max(now * factor, min(least, now)), max(most, now))
        if scale != now:
            self.wander()
            self.show_at(self.to_scene(at), at, scale)
            self.view_changed()

    def pan(self, dx: int, dy: int) -> None:
        """Move the scene by some pixels."""
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        self._scroll_to(QPoint(across.value() - dx, down.value() - dy))

    def _scroll_to(self, scroll: QPoint) -> None:
        self.wander()
        self.horizontalScrollBar().setValue(scroll.x())
        self.verticalScrollBar().setValue(scroll.y())
        self.view_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        old = event.oldSize()
        if self.is_fitted:
            self.refit()
        elif old.isValid():
            before = QPointF(old.width() / 2.0, old.height() / 2.0)
            self.show_at(self.to_scene(before), self.middle(), self.pixels_per_unit())
        self.view_changed()

    # --- mouse

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Some trackpads send only pixels; devices that send both mean the same by them."""
        notches = event.angleDelta().y() / NOTCH or event.pixelDelta().y() / TRACKPAD_NOTCH
        if notches:
            self.zoom_about(event.position(), ZOOM_STEP**notches)
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_about(event.position(), 1.0 + event.value())
            event.accept()
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position()
        self._pressed_scroll = QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        event.accept()
        if self._pressed is None or event.buttons() == Qt.MouseButton.NoButton:
            self._end_drag()
            self.hover_at(at)
            return
        moved = (at - self._pressed).toPoint()
        if not self._is_dragging and moved.manhattanLength() >= DRAG_FROM:
            self._is_dragging = True
            self.drag_changed(True)
        if self._is_dragging:
            self._scroll_to(self._pressed_scroll - moved)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_click = self._pressed is not None and not self._is_dragging
        self._end_drag()
        event.accept()
        if is_click and event.button() == Qt.MouseButton.LeftButton:
            self.click_at(event.position())
        elif is_click and event.button() == Qt.MouseButton.RightButton:
            self.menu_at(event.position().toPoint(), by_key=False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self.activate_at(event.position()):
            self.fit()
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu for the menu key only: the right button pans too, so its menu waits for the release."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menu_at(self.middle().toPoint(), by_key=True)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.hover_at(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._end_drag()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._end_drag()
        super().hideEvent(event)

    def _end_drag(self) -> None:
        self._pressed = None
        if self._is_dragging:
            self._is_dragging = False
            self.drag_changed(False)

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Take the view's keys before the window's shortcuts: F and Home are for the view with the focus."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_ours(event):
            event.accept()
            return True
        return super().event(event)

    @staticmethod
    def _is_ours(event: QKeyEvent) -> bool:
        key, held = event.key(), event.modifiers() & ~_KEYPAD
        if key in ARROWS or key in ZOOM_KEYS:
            return not held & ~_SHIFT
        return not held and (key in FIT_KEYS or key == FRAME_KEY)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if not self._is_ours(event):
            event.ignore()
        elif key in ARROWS:
            dx, dy = ARROWS[Qt.Key(key)]
            if event.modifiers() & _SHIFT or not self.walk(dx, dy):
                self.pan(-dx * PAN_STEP, -dy * PAN_STEP)
        elif key in ZOOM_KEYS:
            self.zoom_about(self.middle(), ZOOM_KEYS[Qt.Key(key)])
        elif key == FRAME_KEY:
            self.frame_selection()
        else:
            self.fit()
