"""Where a survey's reach is shown, and what its colours tell."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QObject, Signal


class Where(Enum):
    """The views that can show it; the values are their names."""

    PICTURE = "3D view"
    MAP = "map"
    GRAPH = "cell graph"


class ReachShown(QObject):
    """The user's choice; with nothing searched there is nothing to show."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.where = set(Where)
        self.by_time = False
        """Coloured by how soon, not by how."""

    def show(self, where: Where, *, on: bool) -> None:
        if (where in self.where) != on:
            self.where ^= {where}
            self.changed.emit()

    def colour_by_time(self, by_time: bool) -> None:
        if by_time != self.by_time:
            self.by_time = by_time
            self.changed.emit()
