"""Dialog to choose one of many landblocks: a map of them all, a search by id or coordinates, and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from editor.maps.block_map import Picture, contents, coordinates, describe, matching, parse_place
from editor.maps.ground_map import ReadGround
from editor.places.place_text import read_place, seems_place
from editor.process.plain_text import plain, title_text
from editor.session import background
from engine.world.block_index import BlockIndex
from engine.world.cells.ids import block_text, landblock_id
from engine.world.faults import WorldError
from engine.world.source import WorldSource
from ui.commands.registry import CommandSet
from ui.docks.parts import tabs
from ui.map.block_map_view import BlockMapView
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours, mono_font
from ui.widgets.screenshots import ask_for_name, write_png

SIZE: Final = QSize(1080, 740)
LIST_WIDTH: Final = 340
ROW_HEIGHT: Final = 24
WORD_LINES: Final = 2
EMPTY: Final = "No landblock begins with the search text."
COLUMNS: Final = ("Landblock", "Has", "Where")

Index = QModelIndex | QPersistentModelIndex


class BlockList(QAbstractTableModel):
    """Rows of landblocks; made for tens of thousands, it stores only their ids."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.index_of = BlockIndex()
        self.ids: list[int] = []
        self.mono = mono_font()

    def show_ids(self, index: BlockIndex, ids: Sequence[int]) -> None:
        self.beginResetModel()
        self.index_of = index
        self.ids = list(ids)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.ids)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        shown = role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal
        return COLUMNS[section] if shown else None

    def data(self, index: Index, role: int = 0) -> Any:
        block_id = self.ids[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            texts = (block_text, lambda block: contents(self.index_of, block), coordinates)
            return texts[index.column()](block_id)
        if role == Qt.ItemDataRole.FontRole and index.column() == 0:
            return self.mono
        return None

    def as_tsv(self, rows: Sequence[int]) -> str:
        """Titles and rows as tab-separated text; all rows if `rows` is empty."""
        ids = [self.ids[row] for row in rows] or self.ids
        lines = [COLUMNS, *((block_text(each), contents(self.index_of, each), coordinates(each)) for each in ids)]
        return "\n".join("\t".join(line) for line in lines)


class BlockTable(QTableView):
    """Shows the list, or the reason why it is empty."""

    def __init__(self, list_: BlockList, parent: QWidget) -> None:
        super().__init__(parent)
        self.list = list_
        self.setModel(list_)
        copy = QAction("Copy", self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy_rows)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    @Slot()
    def copy_rows(self) -> None:
        """Copy the selected rows, or all of them."""
        rows = [index.row() for index in self.selectionModel().selectedRows()]
        QGuiApplication.clipboard().setText(self.list.as_tsv(rows))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount():
            return
        painter = QPainter(self.viewport())
        painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        box = self.viewport().rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap), EMPTY)


class OpenLandblock(QDialog):
    """Asks for a landblock; `chosen` carries the id of a landblock or a cell. Closing the dialog chooses nothing."""

    chosen = Signal(object)
    written = Signal(object)
    """In place of `chosen`, a `WrittenPlace`: the player is to stand there."""

    def __init__(self, index: BlockIndex, source: WorldSource, title: str, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("open-landblock")
        self.setWindowTitle(title_text(f"Open Landblock – {title}"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(SIZE)
        self.index = index
        self.place = 0
        """The id of the landblock or cell to open."""
        self._recent: list[int] = []
        self._colours = colours
        self.commands = CommandSet(self)
        self.map = BlockMapView(colours, self)
        self.save_action = self.commands.add("block-map-save", "Save Map as PNG…", self.ask_to_save, owner=self.map)
        self.search = QLineEdit(self)
        self.search.setObjectName("landblock-search")
        self.search.setAccessibleName("Search for a landblock")
        self.search.setPlaceholderText("A9B4, 0xA9B40143 or 42.1N 33.6E")
        self.search.setClearButtonEnabled(True)
        self.word = QLabel(self)
        self.word.setObjectName("landblock-word")
        self.word.setWordWrap(True)
        self.word.setTextFormat(Qt.TextFormat.PlainText)
        self.word.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.word.setFixedHeight(WORD_LINES * self.word.fontMetrics().lineSpacing() + GROUP)
        self.lists = tabs(self, "landblock-lists")
        self.with_rooms = self._list("With Rooms", "landblocks-with-rooms")
        self.recent = self._list("Recent", "recent-landblocks")
        self.all = self._list("All", "all-landblocks")
        self.legend = QLabel(self)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.open_button = QPushButton("Open", self)
        self.open_button.setObjectName("landblock-open")
        self.open_button.setDefault(True)
        self.buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self._side = QVBoxLayout()
        self._lay_out()
        self._connect()
        self.map.show_index(index)
        self._tell_legend()
        self._filter("")
        self._choose(0)
        self.search.setFocus()
        self._reading = ReadGround(source, index, self.map.paint)
        kept = index.drawn
        if kept is not None and kept[0] == colours.sheet:
            self.map.show_picture(kept[1])
        else:
            self._reading.signals.drawn.connect(self._show_ground)
            background.start(self._reading)
        for over in (self.accepted, self.rejected):  # before receivers that then close the world
            over.connect(self._reading.cancel)

    @Slot(object, bool)
    def _show_ground(self, made: Picture, is_all: bool) -> None:
        """Show the ground read so far; keep it once it is complete."""
        self.map.show_picture(made)
        if is_all:
            self.index.drawn = (self._colours.sheet, made)

    def _list(self, title: str, name: str) -> QTableView:
        view = BlockTable(BlockList(self), self)
        view.setObjectName(name)
        view.setAccessibleName(plain(title))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        view.horizontalHeader().setStretchLastSection(True)
        view.horizontalHeader().setHighlightSections(False)
        view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        view.setColumnWidth(0, 90)
        view.setColumnWidth(1, 122)
        view.selectionModel().currentRowChanged.connect(lambda current: self._row_chosen(view, current.row()))
        view.doubleClicked.connect(self.accept)
        view.activated.connect(self.accept)
        self.lists.addTab(view, title)
        return view

    def _lay_out(self) -> None:
        side = self._side
        side.setSpacing(BETWEEN)
        side.addWidget(self.search)
        side.addWidget(self.word)
        side.addWidget(self.lists, 1)
        side_widget = QWidget(self)
        side_widget.setLayout(side)
        side.setContentsMargins(0, 0, 0, 0)
        side_widget.setFixedWidth(LIST_WIDTH)
        row = QHBoxLayout()
        row.setSpacing(EDGE)
        row.addWidget(self.map, 1)
        row.addWidget(side_widget)
        foot = QHBoxLayout()
        foot.addWidget(self.legend, 1)
        foot.addWidget(self.buttons)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(GROUP + BETWEEN)
        box.addLayout(row, 1)
        box.addLayout(foot)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._on_search)
        self.map.hovered.connect(self._on_hover)
        self.map.picked.connect(self._choose)
        self.map.opened.connect(self._open)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def add_row(self, row: QWidget) -> None:
        """Show something else to choose below the lists."""
        self._side.addWidget(row)

    # --- contents

    def remember(self, recent: Sequence[int], here: int = 0) -> None:
        """List the landblocks opened before, the latest first, and mark the one in view; start with that or the
        latest."""
        self._recent = [block_id for block_id in recent if block_id in self.index]
        self.map.marked = self._recent
        self.map.here = here
        self._filter(self.search.text())
        self._tell_legend()
        begin = here or next(iter(self._recent), 0)
        if begin:
            self._choose(begin)

    def _tell_legend(self) -> None:
        colours = self._colours
        parts = [
            (colours.neither, "■", "land"),
            (colours.visible, "■", "rooms; brighter where there are more"),
        ]
        parts += [(colours.adjusted, "□", "opened before")] if self._recent else []
        parts += [(colours.current, "□", "in view")] if self.map.here else []
        entries = (
            f'<span style="color:{colour}">{sign}</span> <span style="color:{colours.dim}">{word}</span>'
            for colour, sign, word in parts
        )
        self.legend.setText("&nbsp;&nbsp; ".join(f"<nobr>{entry}</nobr>" for entry in entries))

    # --- searching

    @Slot(str)
    def _on_search(self, text: str) -> None:
        self._filter(text)
        if not text.strip():
            self._say(self._description())
            return
        try:
            place = parse_place(text)
        except WorldError as error:
            found = self._rows(self.lists.currentWidget())
            if matching(self.index.ids, text) != self.index.ids and found:
                self._say(f"{len(found):,} matches")
            else:
                self._say(error.reason, wrong=True)
            self._choose(0, say=False)
            return
        if place not in self.index:
            self._choose(0, say=False)
            self._say(f"There is no landblock {block_text(place)} here.", wrong=True)
            return
        self._choose(place, show=True)

    def _filter(self, text: str) -> None:
        every = self.index.ids
        for view, ids in ((self.with_rooms, self.index.with_rooms), (self.recent, self._recent), (self.all, every)):
            model = view.model()
            if isinstance(model, BlockList):
                model.show_ids(self.index, matching(ids, text))
        for place, (name, ids) in enumerate(
            (("With Rooms", self.index.with_rooms), ("Recent", self._recent), ("All", every))
        ):
            self.lists.setTabText(place, plain(f"{name} ({len(ids):,})"))

    @staticmethod
    def _rows(view: QWidget | None) -> list[int]:
        model = view.model() if isinstance(view, QTableView) else None
        return model.ids if isinstance(model, BlockList) else []

    # --- choosing

    def _row_chosen(self, view: QTableView, row: int) -> None:
        ids = self._rows(view)
        if 0 <= row < len(ids) and view.hasFocus():
            self._choose(ids[row], show=True)

    @Slot(object)
    def _choose(self, place: int, *, show: bool = False, say: bool = True) -> None:
        self.place = place
        self.map.choose(landblock_id(place) if place else 0, show=show)
        self.open_button.setEnabled(bool(place))
        if say:
            self._say(self._description())

    def _description(self) -> str:
        if self.place:
            return describe(self.index, self.place)
        count = len(self.index)
        return f"{count:,} landblocks, {len(self.index.with_rooms):,} with rooms. Click one, or search by id."

    @Slot(object)
    def _on_hover(self, block_id: int) -> None:
        self._say(describe(self.index, block_id) if block_id else self._description())

    def _say(self, text: str, *, wrong: bool = False) -> None:
        palette = self.word.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(self._colours.fault if wrong else self._colours.dim))
        self.word.setPalette(palette)
        self.word.setText(plain(f"■ {text}" if wrong else text))

    def ask_to_save(self) -> None:
        """The map as painted."""
        name = ask_for_name(self, "the Map", "landblocks.png")
        if name:
            problem = write_png(self.map.grab(), name, ())
            self._say(problem or f"Saved {name}", wrong=bool(problem))

    @Slot(object)
    def _open(self, block_id: int) -> None:
        self._choose(block_id)
        self.accept()

    @Slot()
    def accept(self) -> None:
        """On Enter in the search field, choose the only landblock that begins with the text."""
        found = self._rows(self.lists.currentWidget())
        if not self.place and self.search.text().strip() and len(found) == 1:
            self._choose(found[0])
        if not self.place:
            return
        text = self.search.text()
        at = read_place(text) if seems_place(text) and parse_place(text) == self.place else None
        if at is None or at.z is None:
            self.chosen.emit(self.place)
        else:
            self.written.emit(at)
        super().accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On Down in the search field, move to the list."""
        if event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            view = self.lists.currentWidget()
            if isinstance(view, QTableView) and self._rows(view):
                view.setFocus()
                view.selectRow(0)
                return
        super().keyPressEvent(event)
