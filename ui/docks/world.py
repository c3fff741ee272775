"""The tree of the world with a search field above it."""

from __future__ import annotations

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
    QLineEdit,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from editor.document.document import Document
from editor.models.entities import specs_now
from editor.models.landblock_changes import LandblockChanges, LandblockContents
from editor.models.outline import MONO_ROLE, SELECTION_ROLE, SEVERITY_ROLE, OutlineModel, row_text, selection_at
from editor.models.text_search import lowered
from editor.session.session import Kind, Selection
from engine.world.faults import Severity
from ui.commands.registry import CommandSet
from ui.theme.theme import DARK, EDGE, GROUP, Colours, mono_font
from ui.widgets.row_hover import HoverDelegate, RowHover

ABOUT: Final = (
    "What is loaded, as a tree: landblocks with their cells, buildings, entities and static objects. Type an id or a "
    "name to find it; a click selects everywhere, a double click frames it."
)
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

    def __init__(self, document: Document, changes: LandblockChanges, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWhatsThis(ABOUT)
        self._session = document.session
        self.commands = CommandSet(self)
        self.model = OutlineModel(self)
        self._filter = QSortFilterProxyModel(self)
        self._filter.setSourceModel(self.model)
        self._filter.setRecursiveFilteringEnabled(True)
        self._filter.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._filter.setFilterKeyColumn(-1)
        self.search = QLineEdit(self)
        self.search.setObjectName("world-search")
        self.search.setPlaceholderText("Search ids and names")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the world")
        self.search.textChanged.connect(self._search)
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
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        top = QVBoxLayout()
        top.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        top.addWidget(self.search)
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
        session.selection_changed.connect(self._on_selection)
        changes.changed.connect(self._on_contents)

    @Slot()
    def _on_opened(self) -> None:
        world = self._session.world
        if world is not None:
            self.model.set_world(world, self._session.index)
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
    def focus_search(self) -> None:
        """Give the keys to the search field, with its text selected."""
        self.search.setFocus()
        self.search.selectAll()

    @Slot(str)
    def _search(self, text: str) -> None:
        letters = "".join(
            DOTTED if lowered(letter) == "i" else QRegularExpression.escape(letter) for letter in text.strip()
        )
        any_case = QRegularExpression.PatternOption.CaseInsensitiveOption
        self._filter.setFilterRegularExpression(QRegularExpression(letters, any_case))
        if text.strip():
            self.tree.expandAll()

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        selection = selection_at(self._filter.mapToSource(current))
        if selection is not None and not self._following:
            self.chosen.emit(selection)

    @Slot(QModelIndex)
    def _double_clicked(self, index: QModelIndex) -> None:
        if selection_at(self._filter.mapToSource(index)) is not None:
            self.framed.emit()
