"""Uses the 3D view by mouse and keys, and reads its pixels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.session.session import Session
from engine.geometry.vec import Vec3
from engine.render.viewer.viewer import View, Viewer
from ui.view3d.viewport import Viewport
from ui.window.main_window import MainWindow

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton


def viewport_of(window: MainWindow) -> Viewport:
    assert window.viewport is not None, "this display has no OpenGL"
    return window.viewport


def viewer_of(window: MainWindow) -> Viewer:
    assert window.viewing.viewer is not None
    return window.viewing.viewer


@contextmanager
def view_of(qtbot: QtBot, settings: QSettings, source: Path | str) -> Iterator[MainWindow]:
    """A window with a world open in the 3D view, which has the focus; at the end it checks that OpenGL reported no
    error."""
    settings.setValue("centre", "3d")
    shown = MainWindow(Session(), settings)
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    with qtbot.waitSignal(shown.session.faults_changed, timeout=60_000):
        shown.open(str(source))
    viewport_of(shown).setFocus()
    yield shown
    assert viewport_of(shown).error == ""
    shown.close()


def stand(qtbot: QtBot, window: MainWindow, cell_id: int, eye: Vec3, heading: float, pitch: float = 0.0) -> None:
    """Place the free camera, and wait for the picture."""
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
    """Wait until the camera has arrived and its picture is drawn."""
    qtbot.waitUntil(lambda: not viewport_of(window).is_moving, timeout=20_000)
    redraw(qtbot, window)


def picture(window: MainWindow) -> QImage:
    """The pixels of the picture, without the text over it."""
    return viewport_of(window).grab_picture()


def difference(before: QImage, after: QImage) -> int:
    """Number of differing pixels, in every fourth row and column."""
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
    """Press a button in the middle of the view."""
    viewport, start = viewport_of(window), middle(window)
    qtbot.mousePress(viewport, button, modifier, start)
    for part in (1, 2, 3):
        qtbot.mouseMove(viewport, start + by * part / 3)
    qtbot.mouseRelease(viewport, button, modifier, start + by)


def wheel(window: MainWindow, steps: int, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Turn the wheel over the middle of the view."""
    viewport, at = viewport_of(window), QPointF(middle(window))
    event = QWheelEvent(
        at,
        viewport.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        modifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


def move_to(
    window: MainWindow,
    to: QPoint,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    held: Qt.MouseButton = Qt.MouseButton.NoButton,
) -> None:
    """Move the mouse over the view, with or without buttons and keys held."""
    viewport, at = viewport_of(window), QPointF(to)
    event = QMouseEvent(QEvent.Type.MouseMove, at, viewport.mapToGlobal(at), Qt.MouseButton.NoButton, held, modifier)
    QApplication.sendEvent(viewport, event)


def pull(
    qtbot: QtBot,
    window: MainWindow,
    start: QPoint,
    end: QPoint,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    *,
    let_go: bool = True,
) -> None:
    """Press at one point, move to another in steps, and release there."""
    viewport = viewport_of(window)
    move_to(window, start)
    qtbot.mousePress(viewport, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for part in range(1, 5):
        move_to(window, start + (end - start) * part / 4, modifier, LEFT)
    if let_go:
        qtbot.mouseRelease(viewport, LEFT, modifier, end)


def point_of(window: MainWindow, block_id: int, place: Vec3) -> QPoint:
    """The window pixel at which a point of the world appears."""
    last = window.viewing.last
    assert last is not None
    camera, ratio = last.frame.camera, viewport_of(window).devicePixelRatioF()
    ex, ey, ez = camera.eye_in(block_id)
    seen = camera.project_offset(place[0] - ex, place[1] - ey, place[2] - ez)
    assert seen.w > 0.0
    return QPoint(round(seen.x / seen.w / ratio), round(seen.y / seen.w / ratio))
