"""The table that all live docks share: dense rows, marks on what has just changed, copying, and a word when empty."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QBrush,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from editor.models.live_table import (
    CHANGED_ROLE,
    DIFFERS,
    DIFFERS_ROLE,
    KEY_ROLE,
    MONO_ROLE,
    SELECTION_ROLE,
    TONE_ROLE,
    LiveTable,
)
from editor.process.plain_text import plain, plain_lines
from editor.session.session import Selection
from ui.commands.registry import OF_A_ROW as OF_A_ROW
from ui.commands.registry import allow
from ui.theme.theme import DARK, EDGE, Colours, mono_font
from ui.widgets.row_hover import HoverDelegate, RowHover

ROW_HEIGHT: Final = 24
CHANGED_ALPHA: Final = 46
"""Opacity of the tint of a changed field, of 255."""

PADDING: Final = 16
SIGN_WIDTH: Final = 14
"""Pixels of the sign of a field that differs."""
ROWS_MEASURED: Final = 32
"""For the width of a column: long tables are alike further down."""
WIDEST: Final = 260
"""Largest automatic width of a column in pixels; the user may drag it wider."""


LEAST_LAST: Final = 60
"""Pixels of a last column that takes what the others leave."""


NO_ROWS: Final = "The list is empty."


class LiveDelegate(HoverDelegate):
    """Tones as colours, numbers and ids monospaced, a tint behind what the last tick changed."""

    def __init__(self, parent: QWidget, hover: RowHover | None = None) -> None:
        super().__init__(hover, parent)
        self.colours = DARK

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        if index.data(MONO_ROLE):
            option.font = mono_font()
        tone = index.data(TONE_ROLE)
        if tone:
            for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
                option.palette.setColor(role, QColor(getattr(self.colours, tone)))
        if index.data(CHANGED_ROLE):
            tint = QColor(self.colours.accent)
            tint.setAlpha(CHANGED_ALPHA)
            option.backgroundBrush = QBrush(tint)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Show elided text in the tooltip, unless the field has another one."""
        is_cut = self.sizeHint(option, index).width() > view.visualRect(index).width()
        if event.type() != QEvent.Type.ToolTip or index.data(Qt.ItemDataRole.ToolTipRole) or not is_cut:
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), plain_lines(str(index.data())), view.viewport())
        return True


class MarkingDelegate(LiveDelegate):
    """Marks the fields that differ in the other of two runs. Python paints each field here, which takes its time, so a
    table has it only while there is something to mark."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if index.data(DIFFERS_ROLE):
            self._paint_differs(painter, option.rect, index)

    def _paint_differs(self, painter: QPainter, box: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        """A sign at the end of the field that its text does not begin at, and an edge in the second run's colour."""
        alignment = index.data(Qt.ItemDataRole.TextAlignmentRole)
        is_right = alignment is not None and bool(int(alignment) & int(Qt.AlignmentFlag.AlignRight))
        chip = QRect(box.left() if is_right else box.right() - SIGN_WIDTH, box.top(), SIGN_WIDTH, box.height())
        painter.save()
        painter.fillRect(chip.adjusted(0, 2, 0, -2), QColor(self.colours.base))
        painter.setPen(QColor(self.colours.second))
        painter.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), DIFFERS)
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), QColor(self.colours.second))
        painter.restore()


def _selection_at(index: QModelIndex | QPersistentModelIndex) -> Selection | None:
    found = index.data(SELECTION_ROLE)
    return found if isinstance(found, Selection) else None


class LiveView(QTableView):
    """Shows a `LiveTable`. Clicks and keys choose, a double click or F frames, Enter acts."""

    chosen = Signal(object)
    framed = Signal(object)
    acted = Signal(object)
    """Enter on a row: its key."""
    key_changed = Signal()
    """Another row is the current one."""
    first_narrows = False
    """The first column is elided, down to the width of an id, before others are cut."""

    def __init__(self, model: LiveTable, name: str, title: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = model
        self._empty = empty
        self._following = False
        self._arriving = False
        self._wanted: Hashable = None
        self._first_width = 0
        self._elides_last = False
        self.hover = RowHover(self, _selection_at)
        self._delegate = LiveDelegate(self, self.hover)
        self._marking = MarkingDelegate(self, self.hover)
        self.setObjectName(name)
        self.setAccessibleName(plain(title))
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.horizontalHeader().setStretchLastSection(not model.columns[-1].right)  # a number stays near its row
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(24)
        self.horizontalHeader().setResizeContentsPrecision(ROWS_MEASURED)
        copy = QAction("Copy", self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy_rows)
        self.copy_action = copy
        self.frame_action = QAction("Frame", self)
        """The action of a double click, also in the context menu of a row that selects something."""
        self.frame_action.setProperty(OF_A_ROW, True)
        self.frame_action.triggered.connect(self._frame)
        self.addActions([self.frame_action, copy])
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.selectionModel().currentRowChanged.connect(self._on_current)
        self.selectionModel().selectionChanged.connect(self._on_selected)
        self.doubleClicked.connect(self._on_double_click)
        model.modelReset.connect(self._on_reset)
        model.marked.connect(self._choose_delegate)
        self.frame_action.setVisible(False)
        self._on_reset()

    @property
    def empty(self) -> str:
        """What is written where there is no row."""
        return self._empty

    @empty.setter
    def empty(self, text: str) -> None:
        if text != self._empty:
            self._empty = text
            self.viewport().update()

    # --- which row

    @property
    def key(self) -> Hashable:
        """The current row's key; None without one."""
        index = self.currentIndex()
        return index.data(KEY_ROLE) if index.isValid() else None

    @property
    def selection(self) -> Selection | None:
        """The selection that the current row stands for, if any."""
        return _selection_at(self.currentIndex())

    def follow(self, key: Hashable) -> None:
        """Make a row current without choosing it; no row when the key is not there."""
        self._wanted = key
        self._following = True
        place = self.table.row_of(key)
        if place < 0:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        elif key != self.key:
            index = self.table.index(place, 0)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, flags)
            self.scrollTo(index)
        self._following = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The current row stays in sight where the table gets lower."""
        super().resizeEvent(event)
        self._narrow_first()
        self._stretch_last()
        if self.currentIndex().isValid() and event.size().height() != event.oldSize().height():
            self.scrollTo(self.currentIndex())

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = self._marking.colours = colours
        self.viewport().update()

    @Slot()
    def _choose_delegate(self) -> None:
        wanted = self._marking if self.table.has_marks else self._delegate
        if self.itemDelegate() is not wanted:  # Qt lays everything out again, also for the same one
            self.setItemDelegate(wanted)

    @Slot()
    def _on_reset(self) -> None:
        """Fit the columns to their contents, and keep the current row."""
        allow(self.copy_action, "" if self.table.rows else NO_ROWS, "Copy the selected rows, or all of them")
        self.resizeColumnsToContents()
        for place, column in enumerate(self.table.columns):
            metrics = QFontMetrics(mono_font()) if column.mono else self.fontMetrics()
            least = metrics.horizontalAdvance(column.sample) + PADDING if column.sample else 0
            self.setColumnWidth(place, min(max(self.columnWidth(place), least), WIDEST))
        self._first_width = self.columnWidth(0)
        self._narrow_first()
        self._stretch_last()
        if self._wanted is not None:
            self.follow(self._wanted)
        self.key_changed.emit()

    def _narrow_first(self) -> None:
        """Leave the others the width that they need; the last one is stretched."""
        if not self.first_narrows:
            return
        last = len(self.table.columns) - 1
        others = sum(map(self.columnWidth, range(1, last)))
        others += max(self.sizeHintForColumn(last), self.horizontalHeader().sectionSizeHint(last))
        least = QFontMetrics(mono_font()).horizontalAdvance("0x00000000") + PADDING
        self.setColumnWidth(0, min(self._first_width, max(self.viewport().width() - others, least)))

    def elide_last(self) -> None:
        """The last column takes what the others leave, however little: it is cut short instead of scrolled."""
        self._elides_last = True
        self.horizontalHeader().setStretchLastSection(False)
        self._stretch_last()

    def _stretch_last(self) -> None:
        if self._elides_last:
            last = len(self.table.columns) - 1
            taken = sum(map(self.columnWidth, range(last)))
            self.setColumnWidth(last, max(self.viewport().width() - taken, LEAST_LAST))

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, previous: QModelIndex) -> None:
        if not current.isValid():
            self.frame_action.setVisible(False)
            self.key_changed.emit()
            return
        self._wanted = current.data(KEY_ROLE)
        self.frame_action.setVisible(self.selection is not None)
        self.key_changed.emit()
        selection = current.data(SELECTION_ROLE)
        if isinstance(selection, Selection) and not self._following:
            self.chosen.emit(selection)

    @Slot()
    def _on_selected(self) -> None:
        self.key_changed.emit()

    @Slot(QModelIndex)
    def _on_double_click(self, index: QModelIndex) -> None:
        self._frame()

    @Slot()
    def _frame(self) -> None:
        if self.selection is not None:
            self.framed.emit(self.selection)

    # --- keys and copying

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Focus alone selects nothing, while Qt would make the first row current."""
        self._arriving = True
        super().focusInEvent(event)
        self._arriving = False

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        return QModelIndex() if self._arriving else super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.key is not None:
            self.acted.emit(self.key)
            return
        super().keyPressEvent(event)

    def toggle_check(self) -> bool:
        """Switch the current row's check box; False when it has none."""
        index = self.currentIndex().siblingAtColumn(0)
        state = index.data(Qt.ItemDataRole.CheckStateRole) if index.isValid() else None
        if state is None:
            return False
        checked = Qt.CheckState(state) is Qt.CheckState.Checked
        wanted = Qt.CheckState.Unchecked if checked else Qt.CheckState.Checked
        return self.table.setData(index, wanted, Qt.ItemDataRole.CheckStateRole)

    @Slot()
    def copy_rows(self) -> None:
        """The chosen rows, or all of them, as tab-separated text with numbers at full precision."""
        rows = sorted({index.row() for index in self.selectedIndexes()})
        QGuiApplication.clipboard().setText(self.table.as_tsv(rows or None))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.table.rows:
            return
        painter = QPainter(self.viewport())
        painter.setPen(QColor(self._delegate.colours.dim))
        box = self.viewport().rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), plain(self.empty))
        painter.end()
