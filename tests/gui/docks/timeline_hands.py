"""What a user's hands do with the Timeline's plot."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ui.docks.timeline.plot import TimelinePlot
from ui.docks.timeline.timeline_dock import TimelinePanel


def place(plot: TimelinePlot, tick: float, lane: str = "") -> QPoint:
    """Where a tick is on the screen, in the middle of a lane or of the plot."""
    view = next((view for view in plot.views if view.lane.id == lane), None)
    y = plot.plot_height / 2.0 if view is None else view.top + view.height / 2.0
    return QPoint(round(plot.x_of(tick)), round(plot.canvas.box.top() + y))


def turn_wheel(
    plot: TimelinePlot, at: QPoint, notches: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    port, nothing = plot.view.viewport(), Qt.MouseButton.NoButton
    here, phase = QPointF(at), Qt.ScrollPhase.NoScrollPhase
    world = QPointF(port.mapToGlobal(at))
    event = QWheelEvent(here, world, QPoint(), QPoint(0, 120 * notches), nothing, keys, phase, False)
    QApplication.sendEvent(port, event)


def drag(qtbot: QtBot, plot: TimelinePlot, button: Qt.MouseButton, start: QPoint, by: int) -> None:
    port = plot.view.viewport()
    qtbot.mousePress(port, button, pos=start)
    for part in range(1, 6):
        move(plot, start + QPoint(round(by * part / 5), 0), button)
    qtbot.mouseRelease(port, button, pos=start + QPoint(by, 0))


def move(plot: TimelinePlot, at: QPoint, button: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    """As the window system tells of it, with the button that is held."""
    port = plot.view.viewport()
    world = QPointF(port.mapToGlobal(at))
    nothing = Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(at), world, nothing, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(port, event)


def readings(panel: TimelinePanel) -> dict[str, str]:
    """What stands beside each lane."""
    return panel.plot.legend.values()
