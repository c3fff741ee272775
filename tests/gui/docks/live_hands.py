"""What a user's hands do with the live docks."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QDockWidget, QDoubleSpinBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from engine.geometry.vec import Vec3
from engine.world.cells.ids import cell_text
from ui.docks.panel import is_seen
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.table import LiveView

TELEPORT_TAB = 1


def raise_dock(qtbot: QtBot, dock: QDockWidget) -> None:
    """Bring a dock's tab to the front."""
    dock.show()
    dock.raise_()
    qtbot.waitUntil(lambda: is_seen(dock.widget()))


def click_row(qtbot: QtBot, view: LiveView, key: Hashable, column: int = 0) -> None:
    index = view.table.index(view.table.row_of(key), column)
    view.scrollTo(index)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())


def double_click_row(qtbot: QtBot, view: LiveView, key: Hashable) -> None:
    index = view.table.index(view.table.row_of(key), 0)
    view.scrollTo(index)
    click_row(qtbot, view, key)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())


def click_check(qtbot: QtBot, view: LiveView, key: Hashable) -> None:
    """Click the check box before a row."""
    index = view.table.index(view.table.row_of(key), 0)
    view.scrollTo(index)
    box = view.visualRect(index)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.left() + 12, box.center().y()))


def click_button(qtbot: QtBot, parent: QWidget, name: str) -> None:
    found = parent.findChild(QAbstractButton, name)
    assert found is not None, name
    assert found.isEnabled(), found.toolTip()
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton, pos=QPoint(8, found.height() // 2))


def type_number(qtbot: QtBot, field: QLineEdit, value: float) -> None:
    field.selectAll()
    qtbot.keyClicks(field, f"{value:.3f}")


def type_in(qtbot: QtBot, box: QDoubleSpinBox, value: float) -> None:
    """A number, and Enter."""
    type_number(qtbot, box.lineEdit(), value)
    qtbot.keyClick(box.lineEdit(), Qt.Key.Key_Return)


def turn_wheel(box: QDoubleSpinBox) -> None:
    """By one notch, up."""
    at = box.rect().center().toPointF()
    keys, nothing = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, box.mapToGlobal(at), QPoint(), QPoint(0, 120), nothing, keys, phase, False)
    QApplication.sendEvent(box, event)


def type_place(qtbot: QtBot, panel: PlayerPanel, cell_id: int, origin: Vec3, heading: float) -> None:
    """Fill in the teleport form, and Enter."""
    panel.tabs.setCurrentIndex(TELEPORT_TAB)
    form = panel.teleport
    form.cell.selectAll()
    qtbot.keyClicks(form.cell, cell_text(cell_id))
    for box, value in zip(form.numbers.values(), origin, strict=True):
        type_number(qtbot, box.lineEdit(), value)
    type_number(qtbot, form.heading.lineEdit(), heading)
    qtbot.keyClick(form.heading.lineEdit(), Qt.Key.Key_Return)
    panel.tabs.setCurrentIndex(0)
