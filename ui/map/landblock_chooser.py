"""Combo box that shows the landblock in view and offers others.

In a small world it lists all landblocks, in a large one those visited, and the map of all.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from editor.models.outline import LISTED
from editor.process.plain_text import plain
from engine.world.block_index import BlockIndex
from engine.world.names import Names
from ui.theme.theme import mono_font

MORE: Final = "More…  Ctrl+L"


class BlockChooser(QComboBox):
    """Emits `chosen` for the user's choice; shows the landblock last given to `show_block`."""

    chosen = Signal(object)
    more_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("landblocks")
        self.setAccessibleName("Landblock")
        self.setToolTip("The landblock in view")
        self.setFont(mono_font())
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._ids: list[int] = []
        self._here = -1
        self._names = Names()
        self.activated.connect(self._on_activated)

    def show_world(self, index: BlockIndex, names: Names) -> None:
        """Fill the list for a world just opened."""
        self.clear()
        self._names = names
        self._ids = list(index.ids) if len(index) <= LISTED else []
        self._here = -1
        self.addItems([self._text(block_id) for block_id in self._ids])
        if len(index) > LISTED:
            self.addItem(MORE)

    def show_block(self, block_id: int) -> None:
        """Show the landblock that is now in view."""
        place = bisect_left(self._ids, block_id)
        if place == len(self._ids) or self._ids[place] != block_id:
            self._ids.insert(place, block_id)
            self.insertItem(place, self._text(block_id))
        self._here = place
        self.setCurrentIndex(place)

    @Slot()
    def show_names(self) -> None:
        """Landblocks have other names."""
        for place, block_id in enumerate(self._ids):
            self.setItemText(place, plain(self._names.cell_field(block_id)))

    def _text(self, block_id: int) -> str:
        return plain(self._names.cell_field(block_id))

    @Slot(int)
    def _on_activated(self, place: int) -> None:
        if place < len(self._ids):
            self.chosen.emit(self._ids[place])
            return
        self.setCurrentIndex(self._here)
        self.more_wanted.emit()
