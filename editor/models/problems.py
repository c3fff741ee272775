"""The problems of the open world as a table, below the kept walks that go otherwise and what a survey has found."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from editor.models.live_table import ACCEPTED, ADJUSTED, DIM, FAULT, MONO_ROLE, TONE_ROLE
from editor.models.survey.rows import STALE, place_of, severity_of, title_of_check
from editor.models.survey.rows import selection_of as selection_of_found
from editor.models.walks.kept import WalkEntry
from editor.process.plain_text import plain, plain_lines
from editor.session.session import Kind, Selection
from editor.validation.checks import Findings
from engine.findings.finding import Found
from engine.sim.walks.outcome import Verdict
from engine.survey.fixes import Fix
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id, low_of
from engine.world.faults import CONTAINER, MODEL, RECORD, REGION, SURFACE, Fault, Severity
from engine.world.names import Names

COLUMNS: Final = ("", "Where", "What", "Fix", "Reason")
WHERE, FIX = 1, 3
SIGNS: Final = {Severity.ERROR: "■ error", Severity.WARNING: "▲ warning", Severity.INFO: "○ note"}
PLACELESS: Final = frozenset({MODEL, RECORD, REGION, SURFACE, CONTAINER})
"""The most cells that a fault of a shared record is listed with."""

WALK: Final = "▲ walk"
"""Stands for the severity of a walk that goes otherwise; one that cannot be run is as bad as an error."""
WALK_ERROR: Final = "■ walk"

TONES: Final = {Severity.ERROR: FAULT, Severity.WARNING: ADJUSTED, Severity.INFO: DIM}

Index = QModelIndex | QPersistentModelIndex


class ProblemsModel(QAbstractTableModel):
    """The faults, worst first, otherwise in the order in which they were found."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.walks: list[WalkEntry] = []
        """Kept walks that do not go as before; the first rows."""
        self._walks_shown: list[object] = []
        self.found: list[Found] = []
        """What a survey has found; the rows after the walks."""
        self._stale: frozenset[str] = frozenset()
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

    def set_walks(self, walks: list[WalkEntry]) -> None:
        """Show these walks; rows stay while the walks do."""
        shown = [(walk.number, walk.sentence, walk.details) for walk in walks]
        if shown == self._walks_shown:
            return
        is_other = [walk.number for walk in walks] != [walk.number for walk in self.walks]
        if is_other:
            self.beginResetModel()
        self.walks, self._walks_shown = walks, list(shown)
        if is_other:
            self.endResetModel()
        else:
            self.dataChanged.emit(self.index(0, 0), self.index(len(walks) - 1, len(COLUMNS) - 1))

    def set_found(self, found: list[Found], stale: frozenset[str]) -> None:
        """Show these findings of a survey, worst first; those with the keys `stale` were made before an edit there."""
        ordered = sorted(found, key=lambda each: -severity_of(each))
        if (ordered, stale) != (self.found, self._stale):
            self.beginResetModel()
            self.found, self._stale = ordered, stale
            self.endResetModel()

    def found_of(self, row: int) -> Found | None:
        """The finding of a survey in a row; None where there is something else."""
        number = row - len(self.walks)
        return self.found[number] if 0 <= number < len(self.found) else None

    def walk_of(self, row: int) -> WalkEntry | None:
        """The walk in a row; None where there is a fault or nothing."""
        return self.walks[row] if 0 <= row < len(self.walks) else None

    def fault_of(self, row: int) -> Fault | None:
        """The fault in a row; None where there is something else or nothing."""
        number = row - len(self.walks) - len(self.found)
        return self.faults[number] if 0 <= number < len(self.faults) else None

    def show_names(self, names: Names) -> None:
        """Say these names with the ids."""
        self._names = names
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(COLUMNS) - 1))

    def fix_of(self, row: int) -> Fix | None:
        """The safe fix of a fault or a finding, if there is one."""
        fault, found = self.fault_of(row), self.found_of(row)
        if found is not None and found.fix is not None:
            return Fix(found.fix.name, found.fix.edits)
        return None if fault is None else self._fixes.get(fault)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self.walks) + len(self.found) + len(self.faults)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        walk, fault = self.walk_of(index.row()), self.fault_of(index.row())
        if walk is not None:
            return self._walk_data(walk, index.column(), role)
        found = self.found_of(index.row())
        if found is not None:
            return self._found_data(found, index.column(), role)
        if fault is None:
            return None
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

    def _walk_data(self, walk: WalkEntry, column: int, role: int) -> Any:
        outcome = walk.outcome
        differs = outcome is not None and outcome.verdict is Verdict.OTHERWISE
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_lines("\n".join([walk.sentence, *walk.details]))
        if role == Qt.ItemDataRole.DisplayRole:
            there = outcome is not None and outcome.cell_id != 0
            where = self._names.in_text(cell_text(outcome.cell_id), behind=True) if there and outcome else "world"
            return (WALK if differs else WALK_ERROR, plain(where), plain(walk.name), "", plain(walk.sentence))[column]
        if role == TONE_ROLE:
            return (ADJUSTED if differs else FAULT, "", "", "", "")[column]
        return column == WHERE if role == MONO_ROLE else None

    def _found_data(self, found: Found, column: int, role: int) -> Any:
        is_stale, severity = found.key in self._stale, severity_of(found)
        where, title = place_of(found), title_of_check(found.check)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_lines("\n".join(filter(None, (title, self._names.in_text(found.sentence)))))
        if role == Qt.ItemDataRole.DisplayRole:
            name = self._names.in_text(cell_text(where), behind=True)
            mend = "" if found.fix is None else "✎ can be fixed"
            sign = STALE if is_stale else SIGNS[severity]
            return (sign, plain(name), plain(title), mend, plain(self._names.in_text(found.sentence)))[column]
        if role == TONE_ROLE:
            return (DIM if is_stale else TONES[severity], "", "", ACCEPTED, "")[column]
        return column == WHERE if role == MONO_ROLE else None

    def selection_of(self, row: int) -> Selection | None:
        """The selection for a fault, or for where a walk goes otherwise: its cell or landblock. A record of the portal
        database has none."""
        walk, fault = self.walk_of(row), self.fault_of(row)
        if walk is not None:
            return self._place(0 if walk.outcome is None else walk.outcome.cell_id)
        found = self.found_of(row)
        if found is not None:
            return selection_of_found(found) if landblock_id(place_of(found)) in self._landblocks else None
        if fault is None:
            return None
        if fault in self._places:
            return self._places[fault]
        return None if fault.what in PLACELESS else self._place(fault.where)

    def _place(self, where: int) -> Selection | None:
        block = landblock_id(where)
        if block not in self._landblocks:
            return None
        if is_env_cell(low_of(where)):
            return Selection(Kind.CELL, block, where)
        return Selection(Kind.LANDBLOCK, block, block)
