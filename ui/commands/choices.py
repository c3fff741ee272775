"""Commands for the entries of a box, for the menus and the palette."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QComboBox

from editor.process.plain_text import plain, plain_lines
from ui.commands.registry import CommandSet


def add_choices(commands: CommandSet, prefix: str, box: QComboBox) -> None:
    """Register a command for each entry of a box; the one of the current entry is checked."""
    group = QActionGroup(box)
    for place in range(box.count()):
        made = commands.add(
            f"{prefix}{place}",
            box.itemText(place),
            partial(_choose, box, place),
            is_checkable=True,
        )
        made.setToolTip(plain_lines(str(box.itemData(place, Qt.ItemDataRole.ToolTipRole) or box.accessibleName())))
        group.addAction(made)

    def follow() -> None:
        for place, made in enumerate(group.actions()):
            made.setText(plain(box.itemText(place)))
            made.setChecked(place == box.currentIndex())

    box.currentIndexChanged.connect(lambda index: follow())
    box.model().dataChanged.connect(lambda *changed: follow())
    follow()


def _choose(box: QComboBox, place: int) -> None:
    """Choose an entry as if in the box itself."""
    box.setCurrentIndex(place)
    box.activated.emit(place)
