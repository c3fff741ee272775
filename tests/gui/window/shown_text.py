"""Every text in a window, wherever it is: in widgets, tooltips, menus, models and drawings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsItem,
    QGraphicsSimpleTextItem,
    QGraphicsTextItem,
    QGraphicsView,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
    Qt.ItemDataRole.AccessibleTextRole,
)
OURS = "our own HTML"
"""Marks labels that take HTML on purpose: legends, first steps, the reason in PView."""

Shown = tuple[str, str]


def texts() -> Iterator[Shown]:
    """Place and text of everything that the application shows."""
    seen: set[int] = set()
    for widget in QApplication.allWidgets():
        name = f"{type(widget).__name__} {widget.objectName()}"
        yield from ((f"{name} {what}", text) for what, text in _of_widget(widget) if text)
        for action in widget.actions():
            if id(action) not in seen:
                seen.add(id(action))
                yield from ((f"action {action.objectName()} {what}", text) for what, text in _of_action(action) if text)


def _of_widget(widget: QWidget) -> Iterator[Shown]:
    yield "tip", widget.toolTip()
    yield "status tip", widget.statusTip()
    yield "what's this", widget.whatsThis()
    yield "title", widget.windowTitle()
    yield "accessible name", widget.accessibleName()
    yield "accessible description", widget.accessibleDescription()
    if isinstance(widget, QLabel):
        yield OURS if widget.textFormat() is Qt.TextFormat.RichText else "text", widget.text()
    elif isinstance(widget, QAbstractButton | QLineEdit):
        yield "text", widget.text()
    elif isinstance(widget, QGroupBox | QMenu):
        yield "heading", widget.title()
    elif isinstance(widget, QMessageBox):
        yield from (("text", widget.text()), ("more", widget.informativeText()), ("details", widget.detailedText()))
    elif isinstance(widget, QPlainTextEdit | QTextEdit):
        yield "text", widget.toPlainText()
    elif isinstance(widget, QComboBox):
        yield from _of_model(widget.model())
    elif isinstance(widget, QTabBar):
        for place in range(widget.count()):
            yield "tab", widget.tabText(place)
            yield "tab's tip", widget.tabToolTip(place)
    elif isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView) and widget.model() is not None:
        yield from _of_model(widget.model())
    elif isinstance(widget, QGraphicsView):
        for item in widget.scene().items():
            yield from _of_item(item)


def _of_action(action: QAction) -> Iterator[Shown]:
    yield "text", action.text().partition("\t")[0]  # the shortcut follows the tab
    yield "icon text", action.iconText()
    yield "tip", action.toolTip().partition("\t")[0]
    yield "status tip", action.statusTip()
    yield "what's this", action.whatsThis()


def _of_model(model: QAbstractItemModel, parent: QModelIndex | None = None) -> Iterator[Shown]:
    above = QModelIndex() if parent is None else parent
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(above)
    for column in range(columns):
        for role in ROLES:
            heading = model.headerData(column, Qt.Orientation.Horizontal, role)
            if isinstance(heading, str):
                yield f"heading {role.name}", heading
        for row in range(model.rowCount(above)):
            index = model.index(row, column, above)
            for role in ROLES:
                text = index.data(role)
                if isinstance(text, str):
                    yield f"row {row} column {column} {role.name}", text
            if not column and model.rowCount(index):
                yield from _of_model(model, index)


def _of_item(item: QGraphicsItem) -> Iterator[Shown]:
    yield "item's tip", item.toolTip()
    if isinstance(item, QGraphicsTextItem):  # the title of a plot's axis has none
        assert not item.toPlainText(), "it would take its text for HTML"
    if isinstance(item, QGraphicsSimpleTextItem):
        yield "item's text", item.text()


def wrong_ones(found: Iterator[Shown], marker: str) -> list[str]:
    """Texts that would be taken for HTML, or that hide their content."""
    wrong = []
    for where, text in found:
        if where.endswith(OURS):
            if f"<{marker}" in text:
                wrong.append(f"{where}: {text!r} has a name as HTML")
        elif not where.startswith("QPlainTextEdit") and GuiQt.mightBeRichText(text):
            wrong.append(f"{where}: {text!r} is taken for HTML")
        if HIDDEN.search(text):
            wrong.append(f"{where}: {text!r} hides something")
    return wrong
