"""The command palette: a few letters find every command, dock, cell and entity; Enter does it or goes there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
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

from editor.models.entities import not_open
from editor.models.search_ranking import Entry, Found, rank, remember
from editor.models.text_search import folded
from editor.process.plain_text import plain, plain_lines
from editor.session.session import Kind, Selection
from engine.world.cells.ids import cell_text, landblock_id, parse_id
from engine.world.faults import WorldError
from ui.commands.collected import Command, commands_of
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours, text_font

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

WIDTH: Final = 640
LINES: Final = 12
LINE_HEIGHT: Final = 28
SETTING: Final = "palette-recent"
HINT: Final = "Search commands, docks, cells and doors"
NOTHING: Final = "Nothing fits. An id such as 0x00070100 leads to its cell."
FOUND_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1

Index = QModelIndex | QPersistentModelIndex


class Lines(QAbstractListModel):
    """What fits."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.found: list[Found] = []

    def show(self, found: list[Found]) -> None:
        self.beginResetModel()
        self.found = found
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008  # Qt's name and default
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
    """The title with what was typed set off, where it is, and its key at the right; why not, where it can not be."""

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.colours = colours

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802  # Qt's name
        return QSize(WIDTH - 2 * GROUP, LINE_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found: Found = index.data(FOUND_ROLE)
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

    def _draw_title(self, painter: QPainter, box: QRectF, title: str, found: Found) -> None:
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
    """It was opened."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._doing: dict[str, Callable[[], object]] = {}
        self._entries: list[Entry] = []
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
        self.lines = Lines(self)
        self.view = QListView(self)
        self.view.setObjectName("palette-lines")
        self.view.setAccessibleName("What fits")
        self.view.setModel(self.lines)
        self.painter = LinePainter(window.colours, self)
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
        self.painter.colours = self._window.colours
        shade = self.palette()
        shade.setColor(QPalette.ColorRole.Window, QColor(self._window.colours.raised))
        self.setPalette(shade)
        self.field.clear()
        self._search("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.asked.emit()

    @Slot()
    def leave(self) -> None:
        """Away, and the focus is where it was."""
        self.hide()
        before, self._before = self._before, None
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def place(self) -> None:
        """At the top of the middle, as high as what it holds."""
        count = min(max(len(self.lines.found), 1), LINES)
        self.view.setFixedHeight(count * LINE_HEIGHT + 2)
        self.adjustSize()
        top = self._window.centre.mapTo(self._window, QPoint()).y()
        self.move((self._window.width() - self.width()) // 2, top + EDGE)

    # --- what there is

    def _collect(self) -> None:
        for panel in self._window.live.panels:  # one behind a tab has not been read for a while
            panel.refresh()
            panel.follow(self._window.session.selection)
        self._doing = {}
        self._entries = []
        for command in commands_of(self._window):
            entry = Entry(command.key, plain(command.title), command.where, command.keys, command.why_not)
            self._offer(entry, partial(self._give, command, entry.key))
        for dock in self._window.docks:
            title = dock.toggleViewAction().text()
            self._offer(Entry(f"dock/{title}", f"Show {title}", "Dock"), lambda dock=dock: self._window.bring(dock))  # type: ignore[misc]
        self._collect_things()

    def _offer(self, entry: Entry, do: Callable[[], object]) -> None:
        if entry.key not in self._doing:
            self._entries.append(entry)
            self._doing[entry.key] = do

    def _collect_things(self) -> None:
        """The entities of the world and the cells of the landblock in view, by name and id."""
        session = self._window.session
        world, sim = session.world, session.simulation
        if world is None or sim is None:
            return
        for entity in sim.population.ordered:
            at = Selection(Kind.ENTITY, landblock_id(entity.place_cell()), entity.id)
            where = f"{type(entity).__name__} {cell_text(entity.id)}"
            self._offer_thing(f"entity/{entity.id:08X}", plain(entity.name) or cell_text(entity.id), where, at)
        more = not_open(sim)
        if more:
            chooser = self._window.opening
            self._offer(Entry("not-open", more, "Open one of the landblocks", thing=True), chooser.ask_for_landblock)
        block = None if session.landblock_id is None else world.landblock(session.landblock_id)
        for cell in [] if block is None else block.env_cells:
            at = Selection(Kind.CELL, landblock_id(cell.id), cell.id)
            where = f"Cell · {len(cell.portals)} portals"
            self._offer_thing(f"cell/{cell.id:08X}", cell_text(cell.id), where, at)

    def _offer_thing(self, key: str, title: str, where: str, selection: Selection) -> None:
        self._offer(Entry(key, title, where, thing=True), lambda: self._window.jump(selection))

    def _give(self, command: Command, key: str) -> None:
        """Give a command as its button would; the dock that it works on is shown."""
        if command.dock is not None:
            self._window.bring(command.dock, focus=False)
        if not isValid(command.action):  # its menu has been filled anew since
            now = next((other for other in commands_of(self._window) if other.key == key), None)
            if now is None or not now.action.isEnabled():
                self._window.status.showMessage("■ This is not offered any more.")
                return
            command = now
        command.action.trigger()

    # --- searching

    @Slot(str)
    def _search(self, text: str) -> None:
        found = rank(self._entries, text, self.recent)
        try:
            wanted = parse_id(text.strip())
        except WorldError:
            wanted = 0
        if wanted and not any(folded(entry.entry.title) == folded(text.strip()) for entry in found):
            self._doing["id"] = lambda: self._window.go_to(text.strip())
            found.append(Found(Entry("id", plain(f"Go to {text.strip()}"), "By id", thing=True), 0.0))
        self.lines.show(found)
        self.view.setVisible(bool(found))
        self.nothing.setVisible(not found)
        self._choose(0)
        self.place()

    @property
    def recent(self) -> list[str]:
        stored = self._window.settings.value(SETTING, [])
        return [stored] if isinstance(stored, str) else [str(key) for key in stored or []]  # type: ignore[attr-defined]

    def _choose(self, row: int) -> None:
        count = len(self.lines.found)
        if count:
            self.view.setCurrentIndex(self.lines.index(min(max(row, 0), count - 1)))
            self.view.viewport().update()

    # --- hands

    def run(self, row: int) -> None:
        """Do what a line says; one that can not be done says why and leaves the palette open."""
        if not 0 <= row < len(self.lines.found):
            return
        entry = self.lines.found[row].entry
        if entry.why_not:
            self._window.status.showMessage(f"■ {entry.title}: {entry.why_not}")
            return
        do = self._doing[entry.key]
        if entry.key != "id":
            self._window.settings.setValue(SETTING, remember(self.recent, entry.key))
        self.leave()
        do()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  # Qt's name
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
