"""The world as a tree: landblocks, and in them cells, buildings, static objects and entities.

A landblock's contents are added when it is first loaded, so a world of thousands of landblocks is listed at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from editor.process.plain_text import counted, plain
from editor.session.session import Kind, Selection
from engine.world.block_index import BlockIndex
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.entity_spec import EntitySpec
from engine.world.faults import Severity, worst
from engine.world.landblock import Landblock
from engine.world.names import Names
from engine.world.world import World

SELECTION_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
SEVERITY_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
MONO_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 3

ID_LENGTH: Final = len("0x00000000")

LISTED: Final = 512
"""The most landblocks listed at once. A client's map has 65,025, too many for a list."""

Index = QModelIndex | QPersistentModelIndex


class OutlineModel(QStandardItemModel):
    """Rows of two columns: the thing, and a remark."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._world: World | None = None
        self._blocks: dict[int, QStandardItem] = {}
        self._order: list[int] = []
        self._items: dict[Selection, QStandardItem] = {}

    def set_world(self, world: World | None, index: BlockIndex | None = None) -> None:
        """List all landblocks, or in a large world those with entities; the others are added when they are loaded."""
        self.clear()
        self.setHorizontalHeaderLabels(["World", ""])
        self._world = world
        self._blocks = {}
        self._order = []
        self._items = {}
        if world is None or index is None:
            return
        few = len(index) <= LISTED
        furnished = [block_id for block_id in world.entity_index.landblocks() if block_id in index]
        for block_id in index.ids if few else sorted(furnished):
            self._add_block(block_id)
        if not few:
            rest, note = QStandardItem(f"{len(index):,} landblocks in all"), QStandardItem("Ctrl+L")
            for item in (rest, note):
                item.setEditable(False)
                item.setSelectable(False)
            self.appendRow([rest, note])

    @property
    def _names(self) -> Names:
        return Names() if self._world is None else self._world.names

    def show_names(self, names: Names) -> None:
        """Write the ids of all rows with the names that they have now."""
        for selection, item in self._items.items():
            text = ""
            if selection.kind in (Kind.CELL, Kind.LANDBLOCK):
                text = names.cell_field(selection.key)
            elif selection.kind in (Kind.BUILDING, Kind.STATIC):
                model_id = int(item.text()[:ID_LENGTH], 16)
                text = names.model_field(model_id)
            if text and plain(text) != item.text():
                item.setText(plain(text))

    def _add_block(self, block_id: int) -> QStandardItem:
        """The row of a landblock, added in its order if needed."""
        chosen = Selection(Kind.LANDBLOCK, block_id, block_id)
        item, note = _row(self._names.cell_field(block_id), "", chosen, mono=True)
        place = bisect_left(self._order, block_id)
        self._order.insert(place, block_id)
        self._blocks[block_id] = item
        self._items[chosen] = item
        self.insertRow(place, [item, note])
        return item

    def show_landblock(self, block: Landblock, entities: Sequence[EntitySpec] | None = None) -> None:
        """Add the contents of a loaded landblock once; entities as they are now, or else as they begin."""
        world = self._world
        if world is None:
            return
        parent = self._blocks.get(block.id) or self._add_block(block.id)
        if parent.hasChildren():
            return
        row = parent.row()
        note = self.item(row, 1)
        if note is not None:
            note.setText(plain(_block_note(block)))
        parent.setData(worst(world.landblock_faults(block.id)), SEVERITY_ROLE)
        self._add_group(parent, "Cells", (_cell_row(block, cell, self._names) for cell in block.env_cells))
        self._add_group(
            parent,
            "Buildings",
            (
                _row(
                    self._names.model_field(building.model_id),
                    counted(len(building.portals), "portal"),
                    Selection(Kind.BUILDING, block.id, i),
                )
                for i, building in enumerate(block.buildings)
            ),
        )
        here = world.entities_of(block.id) if entities is None else entities
        self._add_group(parent, "Entities", (_entity_row(block, entity) for entity in here))
        statics = [*block.statics, *(static for cell in block.env_cells for static in cell.static_objects)]
        self._add_group(
            parent,
            "Static objects",
            (
                _row(self._names.model_field(static.model_id), "", Selection(Kind.STATIC, block.id, static.id))
                for static in statics
            ),
        )

    def update_landblock(self, block: Landblock, entities: Sequence[EntitySpec]) -> None:
        """Refresh entities and the remarks of rooms after an edit. Unchanged rows stay in place."""
        parent = self._blocks.get(block.id)
        if parent is None or not parent.hasChildren():
            return
        for cell in block.env_cells:
            item = self._items.get(Selection(Kind.CELL, block.id, cell.id))
            new = _cell_row(block, cell, self._names)
            note = None if item is None or item.parent() is None else item.parent().child(item.row(), 1)
            if note is not None and note.text() != new[1].text():
                note.setText(plain(new[1].text()))
        shown = {row for row in self._items if row.kind is Kind.ENTITY and row.landblock == block.id}
        if shown != {Selection(Kind.ENTITY, block.id, entity.guid) for entity in entities}:
            self._replace_entities(parent, block, entities)

    def _replace_entities(self, parent: QStandardItem, block: Landblock, entities: Sequence[EntitySpec]) -> None:
        for row in [row for row in self._items if row.kind is Kind.ENTITY and row.landblock == block.id]:
            del self._items[row]
        place = next((n for n in range(parent.rowCount()) if parent.child(n).text().startswith("Entities")), -1)
        if place < 0:
            self._add_group(parent, "Entities", (_entity_row(block, entity) for entity in entities))
            return
        group = parent.child(place)
        group.removeRows(0, group.rowCount())
        group.setText(f"Entities ({len(entities)})")
        for entity in entities:
            row_items = _entity_row(block, entity)
            group.appendRow(row_items)
            self._items[row_items[0].data(SELECTION_ROLE)] = row_items[0]

    def index_of(self, selection: Selection) -> QModelIndex:
        """The index of a selection in the tree; invalid when it has none."""
        item = self._items.get(selection)
        return QModelIndex() if item is None else item.index()

    def _add_group(self, parent: QStandardItem, title: str, rows: Iterable[list[QStandardItem]]) -> None:
        listed = list(rows)
        if not listed:
            return
        group = QStandardItem(plain(f"{title} ({len(listed)})"))
        group.setEditable(False)
        group.setSelectable(False)
        for row in listed:
            group.appendRow(row)
            self._items[row[0].data(SELECTION_ROLE)] = row[0]
        parent.appendRow([group, QStandardItem()])


def selection_at(index: Index) -> Selection | None:
    """The selection of a row, in any of its columns; None for the title of a group."""
    found = index.sibling(index.row(), 0).data(SELECTION_ROLE) if index.isValid() else None
    return found if isinstance(found, Selection) else None


def row_text(index: Index) -> str:
    """The copied text of a row: kind, id, name and remark, tab-separated."""
    selection = selection_at(index)
    title, note = (str(index.sibling(index.row(), column).data() or "") for column in (0, 1))
    if selection is None:
        return f"{title}\t{note}"
    name = cell_text(selection.key & 0xFFFFFFFF)
    if selection.kind is Kind.BUILDING:
        name = f"{cell_text(selection.landblock)} #{selection.key}"
    elif selection.kind is Kind.STATIC:  # static_object_id: the owner and the index in its list
        name = f"{cell_text((selection.key >> 16) & 0xFFFFFFFF)} #{selection.key & 0xFFFF}"
    return "\t".join([selection.kind.value, name, title, note])


def _row(text: str, note: str, selection: Selection, *, mono: bool = True) -> list[QStandardItem]:
    item = QStandardItem(plain(text))
    item.setEditable(False)
    item.setData(selection, SELECTION_ROLE)
    item.setData(mono, MONO_ROLE)
    remark = QStandardItem(plain(note))
    remark.setEditable(False)
    return [item, remark]


def _entity_row(block: Landblock, entity: EntitySpec) -> list[QStandardItem]:
    return _row(entity.name, entity.kind, Selection(Kind.ENTITY, block.id, entity.guid), mono=False)


def _cell_row(block: Landblock, cell: EnvCell, names: Names) -> list[QStandardItem]:
    exits = sum(portal.leads_outside for portal in cell.portals)
    words = [counted(len(cell.portals), "portal")]
    if exits:
        words.append("exit")
    if cell.seen_outside:
        words.append("☀")
    row = _row(names.cell_field(cell.id), "  ".join(words), Selection(Kind.CELL, block.id, cell.id))
    severity = worst(cell.faults)
    row[0].setData(severity, SEVERITY_ROLE)
    if severity is Severity.ERROR:
        row[1].setText(plain(f"{row[1].text()}  ■ fault"))
    return row


def _block_note(block: Landblock) -> str:
    if block.is_dungeon:
        return "dungeon"
    if block.terrain is None:
        return "rooms without land"
    return "land and rooms" if block.env_cells else "land"
