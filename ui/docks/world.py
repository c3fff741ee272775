"""The tree of the world with a search field above it."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRegularExpression,
    QSortFilterProxyModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from editor.document.document import Document
from editor.models.entities import specs_now
from editor.models.landblock_changes import LandblockChanges, LandblockContents
from editor.models.naming import key_of
from editor.models.outline import MONO_ROLE, SELECTION_ROLE, SEVERITY_ROLE, OutlineModel, row_text, selection_at
from editor.models.text_search import lowered
from editor.places.place_text import read_place, seems_place
from editor.process.plain_text import action_text, plain
from editor.session.session import Kind, Selection
from engine.world.cells.ids import block_text, cell_text, landblock_id, parse_id
from engine.world.faults import Severity, WorldError
from ui.commands.registry import OF_A_ROW, CommandSet
from ui.docks.place_menu import RowPlaces
from ui.theme.theme import DARK, EDGE, GROUP, Colours, mono_font
from ui.widgets.rename_key import RenameKey
from ui.widgets.row_hover import HoverDelegate, RowHover

ABOUT: Final = (
    "What is loaded, as a tree: landblocks with their cells, buildings, entities and static objects. Type an id or a "
    "name to find it; a click selects everywhere, a double click frames it."
)
ID: Final = re.compile(r"0[xX][0-9a-fA-F]{8}")
NO_MATCH: Final = "No row contains this text."
DOTTED: Final = "[iIıİ]"
"""One letter, with and without its dot; see `editor.models.text_search`."""
INDENTATION: Final = 14
LEAST_WIDTH: Final = 300
"""Width at which a cell's row fits, with its portals and signs."""


class _Delegate(HoverDelegate):
    """Ids in the monospaced face, remarks dim, rows with errors in the colour of faults."""

    def __init__(self, hover: RowHover, parent: QWidget) -> None:
        super().__init__(hover, parent)
        self.colours = DARK

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        first = index.sibling(index.row(), 0)
        if index.column() == 0 and index.data(MONO_ROLE):
            option.font = mono_font()
        if first.data(SEVERITY_ROLE) is Severity.ERROR:
            option.palette.setColor(QPalette.ColorRole.Text, QColor(self.colours.fault))
        elif index.column() > 0 or first.data(SELECTION_ROLE) is None:
            option.palette.setColor(QPalette.ColorRole.Text, QColor(self.colours.dim))


class WorldPanel(QWidget):
    """Selects things, and follows the selection of the rest of the window."""

    chosen = Signal(object)
    framed = Signal()
    rename_wanted = Signal(object)
    """The key of a cell or model that is to be named."""
    id_activated = Signal(str)
    """An id or a place was typed: go there, in whichever landblock it is."""

    def __init__(self, document: Document, changes: LandblockChanges, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWhatsThis(ABOUT)
        self._document, self._session = document, document.session
        self.commands = CommandSet(self)
        self.model = OutlineModel(self)
        self._filter = QSortFilterProxyModel(self)
        self._filter.setSourceModel(self.model)
        self._filter.setRecursiveFilteringEnabled(True)
        self._filter.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._filter.setFilterKeyColumn(-1)
        self.search = QLineEdit(self)
        self.search.setObjectName("world-search")
        self.search.setPlaceholderText("Search ids, names and places")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the world")
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(self._go)
        self.offer = QPushButton(self)
        self.offer.setObjectName("world-offer")
        self.offer.clicked.connect(self._go)
        self.offer.hide()
        self.why_not = QLabel(self)
        self.why_not.setObjectName("world-why-not")
        self.why_not.setTextFormat(Qt.TextFormat.PlainText)
        self.why_not.setWordWrap(True)
        self.why_not.hide()
        self.tree = QTreeView(self)
        self.tree.setObjectName("world-tree")
        self.tree.setAccessibleName("Landblocks and their contents")
        self.tree.setModel(self._filter)
        self.tree.setUniformRowHeights(True)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(INDENTATION)
        self.tree.setMinimumWidth(LEAST_WIDTH)
        self.hover = RowHover(self.tree, selection_at)
        self._delegate = _Delegate(self.hover, self)
        self.tree.setItemDelegate(self._delegate)
        self.tree.selectionModel().currentChanged.connect(self._current_changed)
        self.tree.doubleClicked.connect(self._double_clicked)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.copy_action = self.commands.add(
            "world-copy",
            "Copy",
            self.copy_rows,
            QKeySequence.StandardKey.Copy,
            owner=self.tree,
            where=self.tree.accessibleName(),
        )
        self.copy_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.places = RowPlaces(self.tree, document, self._current)
        self.tree.selectionModel().currentChanged.connect(self.places.show_row)
        self.rename_action = self.commands.add(
            "world-rename", "Rename…", self.rename, owner=self.tree, where=self.tree.accessibleName()
        )
        self.rename_action.setProperty(OF_A_ROW, True)
        RenameKey(self.tree).pressed.connect(self.rename)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        top = QVBoxLayout()
        top.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        top.setSpacing(GROUP)
        for part in (self.search, self.offer, self.why_not):
            top.addWidget(part)
        box.addLayout(top)
        box.addWidget(self.tree)
        self.find_action = self.commands.add(
            "world-find", "Find in World", self.focus_search, "Ctrl+F", tip="Find an id or a name in the tree"
        )
        self._following = False
        self._follow_session(changes)

    def _follow_session(self, changes: LandblockChanges) -> None:
        session = self._session
        self.chosen.connect(session.select)
        self.hover.hovered.connect(session.set_hover)
        session.hover_changed.connect(self._on_hover)
        session.opened.connect(self._on_opened)
        session.landblock_changed.connect(self._on_landblock)
        self._document.named.connect(self._on_named)
        session.selection_changed.connect(self._on_selection)
        changes.changed.connect(self._on_contents)

    @Slot()
    def _on_opened(self) -> None:
        world = self._session.world
        if world is not None:
            self._following = True  # rows that go make their neighbours current, which nobody chose
            self.model.set_world(world, self._session.index)
            self._following = False
            # A cleared model has forgotten how its columns are laid out.
            self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)

    @Slot()
    def _on_landblock(self) -> None:
        world, sim, block_id = self._session.world, self._session.simulation, self._session.landblock_id
        block = None if world is None or block_id is None else world.landblock(block_id)
        if block is None:
            return
        here = None if sim is None else specs_now(sim, block.id)
        self.model.show_landblock(block, here)
        if here is not None:
            self.model.update_landblock(block, here)  # its rows may be from before an edit
        self.unfold(Selection(Kind.LANDBLOCK, block.id, block.id))
        self._show_offer(self.search.text().strip())

    @Slot()
    def _on_named(self) -> None:
        if self._session.world is not None:
            self.model.show_names(self._session.world.names)

    @Slot(object)
    def _on_contents(self, now: LandblockContents) -> None:
        self.model.update_landblock(now.block, now.entities)

    @Slot()
    def _on_selection(self) -> None:
        self.follow(self._session.selection)

    @Slot()
    def _on_hover(self) -> None:
        self.hover.show(self._session.hover)

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = colours
        self.tree.viewport().update()

    def follow(self, selection: Selection | None) -> None:
        """Show the selection without selecting it again."""
        self._following = True
        if selection is None:
            self.tree.clearSelection()
        else:
            index = self._filter.mapFromSource(self.model.index_of(selection))
            if index.isValid():
                self.tree.setCurrentIndex(index)
                self.tree.scrollTo(index)
        self._following = False

    def unfold(self, selection: Selection, depth: int = 1) -> None:
        """Open a landblock's row and its groups, but for long lists of static objects."""
        index = self._filter.mapFromSource(self.model.index_of(selection))
        self.tree.expand(index)
        for row in range(self._filter.rowCount(index)):
            group = self._filter.index(row, 0, index)
            if depth > 0 and not str(group.data()).startswith("Static"):
                self.tree.expand(group)

    @Slot()
    def copy_rows(self) -> None:
        """The chosen rows, or all that are unfolded, as tab-separated text."""
        chosen = [index for index in self.tree.selectedIndexes() if index.column() == 0]
        rows = sorted(chosen, key=lambda index: self.tree.visualRect(index).top()) or self._unfolded()
        lines = [row_text(self._filter.mapToSource(index)) for index in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _unfolded(self) -> list[QModelIndex]:
        found: list[QModelIndex] = []
        index = self._filter.index(0, 0)
        while index.isValid():
            found.append(index)
            index = self.tree.indexBelow(index)
        return found

    @Slot()
    def rename(self) -> None:
        """Ask for a name of the selected row's cell or model."""
        sim = self._session.simulation
        key = None if sim is None else key_of(sim, self._session.selection)
        if key is not None:
            self.rename_wanted.emit(key)

    @Slot()
    def focus_search(self) -> None:
        """Give the keys to the search field, with its text selected."""
        self.search.setFocus()
        self.search.selectAll()

    def _current(self) -> Selection | None:
        return selection_at(self._filter.mapToSource(self.tree.currentIndex()))

    @Slot(str)
    def _search(self, text: str) -> None:
        letters = "".join(
            DOTTED if lowered(letter) == "i" else QRegularExpression.escape(letter) for letter in text.strip()
        )
        any_case = QRegularExpression.PatternOption.CaseInsensitiveOption
        self._filter.setFilterRegularExpression(QRegularExpression(letters, any_case))
        if text.strip():
            self.tree.expandAll()
        self._show_offer(text.strip())

    def _show_offer(self, text: str) -> None:
        """Offer to go to an id or a place that no row shows; or say why there is no such thing."""
        offer, why_not = "", ""
        if self._session.world is not None and text:
            try:
                offer, why_not = self._offer_for(text)
            except WorldError as error:
                why_not = f"{error}."
        self.offer.setText(action_text(offer))
        self.offer.setVisible(bool(offer))
        self.why_not.setText(plain(why_not))
        self.why_not.setVisible(bool(why_not))

    def _offer_for(self, text: str) -> tuple[str, str]:
        is_place = seems_place(text)
        if not is_place and ID.fullmatch(text) is None:
            return "", "" if self._filter.rowCount() else NO_MATCH
        wanted = read_place(text).cell_id if is_place else parse_id(text)
        if is_place:
            offer = f"Stand at {read_place(text).short}"
        elif self._filter.rowCount():
            return "", ""
        else:
            offer = f"Open Landblock {block_text(wanted)} and Go to {cell_text(wanted)}"
        if landblock_id(wanted) in self._session.index:
            return offer, ""
        return "", f"This world has no landblock {block_text(wanted)}."

    @Slot()
    def _go(self) -> None:
        """Go to the id or place that is typed, or else to the first row that contains the text."""
        text = self.search.text().strip()
        if seems_place(text) or ID.fullmatch(text) is not None:
            self.id_activated.emit(text)
            return
        index = self._filter.index(0, 0)
        while text and index.isValid():
            selection = selection_at(self._filter.mapToSource(index))
            if selection is not None and lowered(text) in lowered(row_text(self._filter.mapToSource(index))):
                self.tree.setCurrentIndex(index)
                self.framed.emit()
                return
            index = self.tree.indexBelow(index)

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        selection = selection_at(self._filter.mapToSource(current))
        if selection is not None and not self._following:
            self.chosen.emit(selection)

    @Slot(QModelIndex)
    def _double_clicked(self, index: QModelIndex) -> None:
        if selection_at(self._filter.mapToSource(index)) is not None:
            self.framed.emit()
