"""The problems of the open world as a table."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from editor.models.live_table import ACCEPTED, ADJUSTED, DIM, FAULT, MONO_ROLE, TONE_ROLE
from editor.process.plain_text import plain
from editor.session.session import Kind, Selection
from editor.validation.checks import Findings
from editor.validation.fixes import Fix
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id, low_of
from engine.world.faults import CONTAINER, MODEL, RECORD, REGION, SURFACE, Fault, Severity
from engine.world.names import Names

COLUMNS: Final = ("", "Where", "What", "Fix", "Reason")
WHERE, FIX = 1, 3
SIGNS: Final = {Severity.ERROR: "■ error", Severity.WARNING: "▲ warning", Severity.INFO: "○ note"}
PLACELESS: Final = frozenset({MODEL, RECORD, REGION, SURFACE, CONTAINER})
"""The most cells that a fault of a shared record is listed with."""

TONES: Final = {Severity.ERROR: FAULT, Severity.WARNING: ADJUSTED, Severity.INFO: DIM}

Index = QModelIndex | QPersistentModelIndex


class ProblemsModel(QAbstractTableModel):
    """The faults, worst first, otherwise in the order in which they were found."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.faults: list[Fault] = []
        self._landblocks: frozenset[int] = frozenset()
        self._places: dict[Fault, Selection] = {}
        self._fixes: dict[Fault, Fix] = {}
        self._names = Names()

    def set_faults(self, faults: list[Fault], landblocks: frozenset[int], findings: Findings | None = None) -> None:
        """Show the faults of loaded data and of the landblock in view; unchanged faults keep their rows."""
        findings = findings or Findings()
        ordered = sorted(dict.fromkeys([*faults, *findings.faults]), key=lambda fault: -fault.severity)
        self._places = findings.places
        fixes_before, self._fixes = self._fixes.keys(), findings.fixes
        if ordered == self.faults and fixes_before == findings.fixes.keys() and self._landblocks is landblocks:
            return
        self.beginResetModel()
        self._landblocks = landblocks
        self.faults = ordered
        self.endResetModel()

    def show_names(self, names: Names) -> None:
        """Say these names with the ids."""
        self._names = names
        if self.faults:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.faults) - 1, len(COLUMNS) - 1))

    def fix_of(self, row: int) -> Fix | None:
        """The safe fix of a fault, if there is one."""
        return self._fixes.get(self.faults[row]) if 0 <= row < len(self.faults) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.faults)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        fault = self.faults[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            number = f" {fault.index}" if fault.index >= 0 else ""
            where = self._names.in_text(cell_text(fault.where), behind=True) if fault.where else "world"
            fix = self._fixes.get(fault)
            if role == Qt.ItemDataRole.ToolTipRole and index.column() == FIX:
                return (
                    plain(self._names.in_text(f"{fix.name}  (Ctrl+Return)"))
                    if fix is not None
                    else "There is no safe fix"
                )
            mend = "✎ can be fixed" if fix is not None else ""
            reason = self._names.in_text(fault.reason)
            return (SIGNS[fault.severity], plain(where), plain(f"{fault.what}{number}"), mend, plain(reason))[
                index.column()
            ]
        if role == TONE_ROLE:
            return (TONES[fault.severity], "", "", ACCEPTED, "")[index.column()]
        if role == MONO_ROLE:
            return index.column() == WHERE
        return None

    def selection_of(self, row: int) -> Selection | None:
        """The selection for a fault: its cell or landblock. A record of the portal database has none."""
        fault = self.faults[row]
        if fault in self._places:
            return self._places[fault]
        block = landblock_id(fault.where)
        if fault.what in PLACELESS or block not in self._landblocks:
            return None
        if is_env_cell(low_of(fault.where)):
            return Selection(Kind.CELL, block, fault.where)
        return Selection(Kind.LANDBLOCK, block, block)
