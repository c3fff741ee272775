"""The selected thing in full: names on the left, values on the right, lists folded."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from editor.document.document import Document
from editor.models.details import details
from editor.models.live_table import AXES, vector_text
from editor.process.plain_text import plain, plain_lines, visible
from editor.reports.inspection_text import dict_text, layout, value_text
from ui.commands.registry import CommandSet
from ui.docks.panel import is_seen
from ui.theme.theme import DARK, EDGE, Colours, mono_font

ABOUT: Final = (
    "Everything that is known of the selected thing, as it is now. A double click on an id goes there; Ctrl+C copies "
    "rows with numbers at full precision."
)
WAIT_MS: Final = 200
"""Delay after a change before the details are read again."""

OPEN_UP_TO: Final = 14
"""Lists of up to this many entries are shown open."""

NAMED_UP_TO: Final = 4
"""A folded row with up to this many parts shows their names."""

FULL_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1


class DetailsView(QTreeWidget):
    """A tree of plain values. Copying gives them at full precision."""

    id_activated = Signal(str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = document.session
        self.commands = CommandSet(self)
        self._data: dict[str, Any] = {}
        self.setObjectName("details")
        self.setWhatsThis(ABOUT)
        self.setAccessibleName("Details of the selection")
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.itemActivated.connect(self._activate)
        self._copy = self.commands.add("details-copy", "Copy", self.copy_rows, QKeySequence.StandardKey.Copy)
        self._copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._copy_all = self.commands.add("details-copy-all", "Copy All as Text", self.copy_all)
        self._unfold = self.commands.add("details-expand", "Expand All", self.expandAll)
        self._fold = self.commands.add("details-collapse", "Collapse All", self.collapseAll)
        self._colours = DARK
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self.refresh)
        document.changed.connect(self._soon)
        self._session.selection_changed.connect(self.refresh)

    @Slot()
    def _soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def refresh(self) -> None:
        """Show the selected thing as it is now, unless nobody can see it."""
        if is_seen(self):
            self._read()

    @Slot(bool)
    def turn(self, seen: bool) -> None:
        """The tab of the dock came to the front, or another one did."""
        if seen:
            self._read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._read()

    def _read(self) -> None:
        world, selection = self._session.world, self._session.selection
        if world is None or selection is None:
            self.set_data({})
        else:
            self.set_data(details(world, selection, self._session.simulation))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._data:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(self._colours.dim))
            box = self.viewport().rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(
                box, int(flags), "Select a cell, a building or an entity to read everything about it here."
            )
            painter.end()

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self._fill(self._data)

    def set_data(self, data: dict[str, Any]) -> None:
        """Show other values; the same ones again leave the folds and the scroll bar alone."""
        if data != self._data:
            self._fill(data)

    def _fill(self, data: dict[str, Any]) -> None:
        self._data = data
        self.clear()
        for name, value in data.items():
            if value not in (None, [], {}):
                self._add(None, name, value)

    def text_of_all(self) -> str:
        """The text as the command line prints it."""
        return "\n".join(visible(line) for line in layout(self._data))

    def _add(self, parent: QTreeWidgetItem | None, name: str, value: Any) -> None:
        item = QTreeWidgetItem()
        item.setText(0, plain(name))
        item.setForeground(0, QColor(self._colours.dim))
        item.setFont(1, mono_font())
        if parent is None:
            self.addTopLevelItem(item)
        else:
            parent.addChild(item)
        if isinstance(value, list) and value and isinstance(value[0], dict | list | str):
            item.setText(1, plain(str(len(value))))
            for index, entry in enumerate(value):
                self._add(item, str(index), entry)
            item.setExpanded(len(value) <= OPEN_UP_TO)
        elif isinstance(value, dict):
            item.setText(
                1, plain(_summary(value) if name.isdecimal() or len(value) > NAMED_UP_TO else dict_text(value))
            )
            for key, entry in value.items():
                if entry not in (None, [], {}):
                    self._add(item, key, entry)
        else:
            item.setText(1, plain(_text(value)))
            item.setToolTip(1, plain_lines(_text(value)))
            item.setData(1, FULL_ROLE, _full(value))

    @Slot()
    def copy_rows(self) -> None:
        """The selected rows, or all of them, as tab-separated text, numbers at full precision."""
        every = _below(self.invisibleRootItem())
        rows = [item for item in every if item.isSelected()] or every  # Qt tells the selected ones in no order
        lines = [f"{item.text(0)}\t{item.data(1, FULL_ROLE) or item.text(1)}" for item in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))

    @Slot()
    def copy_all(self) -> None:
        """Copy everything as the command line prints it."""
        QGuiApplication.clipboard().setText(self.text_of_all())

    @Slot(QPoint)
    def _show_menu(self, point: QPoint) -> None:
        menu = QMenu(self)
        menu.addActions([self._copy, self._copy_all])
        menu.addSeparator()
        menu.addActions([self._unfold, self._fold])
        menu.exec(self.viewport().mapToGlobal(point))

    @Slot(QTreeWidgetItem, int)
    def _activate(self, item: QTreeWidgetItem, column: int) -> None:
        """Enter or a double click on a row that names a cell goes there."""
        word = item.text(1).split()[0] if item.text(1) else ""
        if word.startswith("0x"):
            self.id_activated.emit(word.rstrip(","))


def _below(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    """Its rows and theirs, folded ones too, from top to bottom."""
    rows: list[QTreeWidgetItem] = []
    for place in range(item.childCount()):
        child = item.child(place)
        rows += [] if child is None else [child, *_below(child)]
    return rows


def _summary(value: dict[str, Any]) -> str:
    """Summarize a dict in a list by its first few single values."""
    parts = [value_text(part) for part in value.values() if isinstance(part, str | int | float) and part != ""]
    return "  ".join(parts[:4])


def _text(value: object) -> str:
    """A place or a direction as all docks show it."""
    is_vector = isinstance(value, list) and len(value) == len(AXES) and all(isinstance(part, float) for part in value)
    return vector_text(value, 0) if isinstance(value, list) and is_vector else value_text(value)


def _full(value: object) -> str:
    if isinstance(value, list):
        return "\t".join(repr(part) if isinstance(part, float) else visible(str(part)) for part in value)
    return repr(value) if isinstance(value, float) else visible(str(value))
