"""What a user's hands do with the 3D view, and what he sees of it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.geometry.vec import Vec3
from engine.render.viewer.viewer import View, Viewer
from ui.main_window import MainWindow
from ui.viewport import Viewport

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton


def viewport_of(window: MainWindow) -> Viewport:
    assert window.viewport is not None, "this display has no OpenGL"
    return window.viewport


def viewer_of(window: MainWindow) -> Viewer:
    assert window.viewing.viewer is not None
    return window.viewing.viewer


def stand(qtbot: QtBot, window: MainWindow, cell_id: int, eye: Vec3, heading: float, pitch: float = 0.0) -> None:
    """Put the free camera somewhere, and wait for the picture."""
    viewer = viewer_of(window)
    viewer.switch(View.FREE)
    viewer.free.place(cell_id, eye, heading, pitch)
    redraw(qtbot, window)


def redraw(qtbot: QtBot, window: MainWindow) -> None:
    viewport = viewport_of(window)
    before = viewport.drawn
    viewport.draw_again()
    qtbot.waitUntil(lambda: viewport.drawn > before)


def rest(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the camera has arrived, and is drawn there."""
    qtbot.waitUntil(lambda: not viewport_of(window).is_moving, timeout=20_000)
    redraw(qtbot, window)


def picture(window: MainWindow) -> QImage:
    """The pixels of the picture, without the words over it."""
    return viewport_of(window).grab_picture()


def difference(before: QImage, after: QImage) -> int:
    """How many of the pixels of every fourth row and column differ."""
    assert before.size() == after.size()
    return sum(
        before.pixel(x, y) != after.pixel(x, y)
        for y in range(0, before.height(), 4)
        for x in range(0, before.width(), 4)
    )


def middle(window: MainWindow) -> QPoint:
    return viewport_of(window).rect().center()


def drag(
    qtbot: QtBot,
    window: MainWindow,
    button: Qt.MouseButton,
    by: QPoint,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """From the middle of the view."""
    viewport, start = viewport_of(window), middle(window)
    qtbot.mousePress(viewport, button, modifier, start)
    for part in (1, 2, 3):
        qtbot.mouseMove(viewport, start + by * part / 3)
    qtbot.mouseRelease(viewport, button, modifier, start + by)


def wheel(window: MainWindow, steps: int) -> None:
    """Over the middle of the view."""
    viewport, at = viewport_of(window), QPointF(middle(window))
    event = QWheelEvent(
        at,
        viewport.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)
