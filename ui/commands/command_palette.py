"""The command palette: a few letters find every command, dock, cell and entity; Enter does it or goes there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSettings,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPalette, QTextLayout
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from editor.models.search_ranking import Match, PaletteEntry, rank, remember
from editor.models.text_search import folded
from editor.process.plain_text import plain, plain_lines
from ui.commands.registry import Command, CommandRegistry
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours, text_font
from ui.theme.theme_state import ThemeState
from ui.widgets.stored_list import stored_list

WIDTH: Final = 640
LINES: Final = 12
LINE_HEIGHT: Final = 28
SETTING: Final = "palette-recent"
HINT: Final = "Search commands, docks, cells, doors and places"
NOTHING: Final = "No matches. Type an id such as 0x00070100, or a place such as 42.1N 33.6E."
TYPED: Final = ("id", "place")
"""The keys of entries that were typed: they are not remembered."""
FOUND_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Thing:
    """Something of the world that the palette leads to."""

    entry: PaletteEntry
    go: Callable[[], object]


class Things(Protocol):
    """The things of the world that is open."""

    def all(self) -> Iterable[Thing]:
        """Everything that has a name or an id."""

    def by_id(self, text: str) -> Thing | None:
        """Return the thing with an id that was typed."""

    def at_place(self, text: str) -> Thing | None:
        """Return the way to a place that was typed or pasted; None for a text that is not meant as one."""


class MatchModel(QAbstractListModel):
    """The matches."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.found: list[Match] = []

    def show(self, found: list[Match]) -> None:
        self.beginResetModel()
        self.found = found
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's default
        return 0 if parent.isValid() else len(self.found)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        found = self.found[index.row()]
        if role == FOUND_ROLE:
            return found
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return found.entry.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_lines(found.entry.why_not)
        return None


class LinePainter(QStyledItemDelegate):
    """Paints a title with its matching letters marked, its place, its key, and the reason if it is off."""

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.colours = colours

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(WIDTH - 2 * GROUP, LINE_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found: Match = index.data(FOUND_ROLE)
        colours, entry, box = self.colours, found.entry, option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(colours.selection))
        left, right = box.left() + EDGE, box.right() - EDGE
        painter.setFont(text_font())
        metrics = QFontMetrics(painter.font())
        keys = metrics.horizontalAdvance(entry.keys)
        painter.setPen(QColor(colours.dim))
        painter.drawText(
            QRectF(right - keys, box.top(), keys + 1, box.height()),
            int(Qt.AlignmentFlag.AlignVCenter),
            plain(entry.keys),
        )
        room = right - keys - EDGE - left
        title = metrics.elidedText(entry.title, Qt.TextElideMode.ElideRight, room)
        self._draw_title(painter, QRectF(left, box.top(), room, box.height()), title, found)
        start = left + metrics.horizontalAdvance(title) + EDGE
        rest = entry.why_not or entry.where
        painter.setPen(QColor(colours.adjusted if entry.why_not else colours.dim))
        shown = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, int(left + room - start))
        painter.drawText(
            QRectF(start, box.top(), left + room - start, box.height()),
            int(Qt.AlignmentFlag.AlignVCenter),
            plain(shown),
        )

    def _draw_title(self, painter: QPainter, box: QRectF, title: str, found: Match) -> None:
        layout = QTextLayout(title, painter.font())
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        marks = []
        for place in found.marks:
            if place < len(title):
                span = QTextLayout.FormatRange()
                span.start, span.length = place, 1
                span.format.setForeground(QColor(self.colours.accent))
                span.format.setFontUnderline(True)
                marks.append(span)
        painter.setPen(QColor(self.colours.dim if found.entry.why_not else self.colours.text))
        layout.draw(painter, box.topLeft() + QRectF(0, (box.height() - line.height()) / 2, 0, 0).topLeft(), marks)


class Palette(QFrame):
    """A sheet over the window. Arrows choose, Enter does, Esc or a click elsewhere closes."""

    asked = Signal()
    """The palette was opened."""
    refused = Signal(str)
    """Why a command is not given."""

    def __init__(
        self, commands: CommandRegistry, things: Things, settings: QSettings, theme: ThemeState, middle: QWidget
    ) -> None:
        """`middle` is the part of the window at whose top the palette opens."""
        super().__init__(middle.window())
        self._commands = commands
        self._things = things
        self._settings = settings
        self._theme = theme
        self._middle = middle
        self._doing: dict[str, Callable[[], object]] = {}
        self._entries: list[PaletteEntry] = []
        self._before: QWidget | None = None
        self.setObjectName("palette")
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.Box)
        self.setFixedWidth(WIDTH)
        self.field = QLineEdit(self)
        self.field.setObjectName("palette-field")
        self.field.setAccessibleName(HINT)
        self.field.setPlaceholderText(HINT)
        self.field.setFont(QFont(text_font(15)))
        self.lines = MatchModel(self)
        self.view = QListView(self)
        self.view.setObjectName("palette-lines")
        self.view.setAccessibleName("Matches")
        self.view.setModel(self.lines)
        self.painter = LinePainter(theme.colours, self)
        self.view.setItemDelegate(self.painter)
        self.view.setUniformItemSizes(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.nothing = QLabel(NOTHING, self)
        self.nothing.setContentsMargins(EDGE, BETWEEN, EDGE, BETWEEN)
        box = QVBoxLayout(self)
        box.setContentsMargins(GROUP, GROUP, GROUP, GROUP)
        box.setSpacing(GROUP)
        for part in (self.field, self.view, self.nothing):
            box.addWidget(part)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._search)
        self.view.clicked.connect(lambda index: self.run(index.row()))
        self.hide()

    # --- opening and closing

    @Slot()
    def ask(self) -> None:
        """Open it, or close it when it is open."""
        if self.isVisible():
            self.leave()
            return
        self._before = QApplication.focusWidget()
        self._collect()
        self.painter.colours = self._theme.colours
        shade = self.palette()
        shade.setColor(QPalette.ColorRole.Window, QColor(self._theme.colours.raised))
        self.setPalette(shade)
        self.field.clear()
        self._search("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.asked.emit()

    @Slot()
    def leave(self) -> None:
        """Close, and return the focus to where it was."""
        self.hide()
        before, self._before = self._before, None
        if before is not None and isValid(before) and before.isVisible():  # a question's button may have gone
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def place(self) -> None:
        """Place it at the top of the middle, as high as its lines."""
        count = min(max(len(self.lines.found), 1), LINES)
        self.view.setFixedHeight(count * LINE_HEIGHT + 2)
        self.adjustSize()
        window = self._middle.window()
        top = self._middle.mapTo(window, QPoint()).y()
        self.move((window.width() - self.width()) // 2, top + EDGE)

    # --- contents

    def _collect(self) -> None:
        self._commands.prepare()
        self._doing = {}
        self._entries = []
        for command in self._commands.commands():
            entry = PaletteEntry(command.id, plain(command.title), command.where, command.keys, command.why_not)
            self._offer(entry, partial(self._give, command))
        for thing in self._things.all():
            self._offer(thing.entry, thing.go)

    @property
    def entries(self) -> list[PaletteEntry]:
        """Everything that is offered while nothing is typed, and more than fits."""
        return list(self._entries)

    def _offer(self, entry: PaletteEntry, do: Callable[[], object]) -> None:
        if entry.key not in self._doing:
            self._entries.append(entry)
            self._doing[entry.key] = do

    def _give(self, command: Command) -> None:
        if not self._commands.give(command):
            self.refused.emit("This is no longer available.")

    # --- searching

    @Slot(str)
    def _search(self, text: str) -> None:
        found = rank(self._entries, text, self.recent)
        wanted = self._things.by_id(text.strip())
        if wanted is not None and not any(folded(entry.entry.title) == folded(text.strip()) for entry in found):
            self._doing[wanted.entry.key] = wanted.go
            found.append(Match(wanted.entry, 0.0))
        place = self._things.at_place(text)
        if place is not None:
            self._doing[place.entry.key] = place.go
            found.insert(0, Match(place.entry, 0.0))
        self.lines.show(found)
        self.view.setVisible(bool(found))
        self.nothing.setVisible(not found)
        self._choose(0)
        self.place()

    @property
    def recent(self) -> list[str]:
        return stored_list(self._settings, SETTING)

    def _choose(self, row: int) -> None:
        count = len(self.lines.found)
        if count:
            self.view.setCurrentIndex(self.lines.index(min(max(row, 0), count - 1)))
            self.view.viewport().update()

    # --- mouse and keys

    def run(self, row: int) -> None:
        """Give the command of a line; if it is off, show the reason and leave the palette open."""
        if not 0 <= row < len(self.lines.found):
            return
        entry = self.lines.found[row].entry
        if entry.why_not:
            self.refused.emit(f"{entry.title}: {entry.why_not}")
            return
        do = self._doing[entry.key]
        if entry.key not in TYPED:
            self._settings.setValue(SETTING, remember(self.recent, entry.key))
        self.leave()
        do()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.field:
            return False
        kind = event.type()
        if kind == QEvent.Type.FocusOut and self.isVisible() and QApplication.activePopupWidget() is None:
            self.hide()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(event.key())
        return False

    def _on_key(self, key: int) -> bool:
        row = self.view.currentIndex().row()
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: LINES,
            Qt.Key.Key_PageUp: -LINES,
        }
        if key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.run(row)
        elif key in steps:
            step = steps[Qt.Key(key)]
            last = len(self.lines.found) - 1
            around = last if row == 0 and step == -1 else 0 if row == last and step == 1 else row + step
            self._choose(around)
        else:
            return False
        return True
