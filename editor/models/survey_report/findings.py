"""The findings of a survey's report as rows: filtered, sorted, and with what has become of their landblocks since.

Made for a hundred thousand: a row's texts are made when they are shown or searched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from editor.models.live_table import ADJUSTED, DIM, FAULT, MONO_ROLE, TONE_ROLE
from editor.models.survey_report.map import BlockFindings
from editor.process.plain_text import plain, plain_lines, visible, visible_fields
from editor.survey.report_form import Report
from editor.survey.reports.wording import check_of, place_text
from engine.findings.finding import Check, Found
from engine.world.cells.ids import block_of, block_text, cell_text
from engine.world.faults import Severity

COLUMNS: Final = ("Severity", "Check", "Where", "What It Is", "Now")
SEVERITY, CHECK, WHERE, SENTENCE, NOW = range(len(COLUMNS))
SIGNS: Final = {
    Severity.ERROR: ("■ error", FAULT),
    Severity.WARNING: ("▲ warning", ADJUSTED),
    Severity.INFO: ("● info", DIM),
}
AS_SURVEYED: Final = ""
EDITED: Final = "edited since"
DIFFERS: Final = "differs since"
NOT_HERE: Final = "not in this world"

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class FindingFilter:
    """What is shown; empty texts and None let everything pass."""

    text: str = ""
    family: str = ""
    severity: Severity | None = None
    check: str = ""
    block: int = 0


class ReportFindings(QAbstractTableModel):
    """The rows that pass the filter, in their order."""

    filtered = Signal()
    """Other rows are shown, or landblocks have other counts."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.report = Report("")
        self.filter = FindingFilter()
        self.by_block: dict[int, BlockFindings] = {}
        """The counts of the map: of the findings that pass everything but the choice of a landblock."""
        self._shown: list[int] = []
        self._checks: dict[str, Check] = {}
        self._texts: dict[int, str] = {}
        self._edited: frozenset[int] = frozenset()
        self._differing: frozenset[int] = frozenset()
        self._here: Collection[int] | None = None
        self._order = (SEVERITY, Qt.SortOrder.DescendingOrder)

    # --- content

    def show_report(self, report: Report) -> None:
        self.report = report
        self._checks = {check_id: check_of(report, check_id) for check_id in {each.check for each in report.found}}
        self._texts = {}
        self.set_filter(FindingFilter())

    def set_filter(self, wanted: FindingFilter) -> None:
        self.beginResetModel()
        self.filter = wanted
        by_block: dict[int, BlockFindings] = {}
        shown: list[int] = []
        for number, found in enumerate(self.report.found):
            if not self._passes(number, found):
                continue
            block = block_of(found.block)
            severity, here = self._checks[found.check].severity, by_block.get(block)
            by_block[block] = BlockFindings(1, severity) if here is None else here.with_one(severity)
            if not wanted.block or block == block_of(wanted.block):
                shown.append(number)
        self.by_block, self._shown = by_block, shown
        self._sort()
        self.endResetModel()
        self.filtered.emit()

    def _passes(self, number: int, found: Found) -> bool:
        """Everything but the landblock."""
        wanted, check = self.filter, self._checks[found.check]
        if wanted.check and found.check != wanted.check:
            return False
        if wanted.family and check.family.value != wanted.family:
            return False
        if wanted.severity is not None and check.severity is not wanted.severity:
            return False
        return not wanted.text or wanted.text.lower() in self._text(number, found)

    def _text(self, number: int, found: Found) -> str:
        """What a search looks through."""
        made = self._texts.get(number)
        if made is None:
            parts = [found.sentence, found.check, self._checks[found.check].title, cell_text(found.cell or found.block)]
            parts.append(cell_text(found.entity) if found.entity else "")
            made = self._texts[number] = "\n".join(parts).lower()
        return made

    def checks(self) -> list[Check]:
        """The checks that found something, by title."""
        return sorted(self._checks.values(), key=lambda check: (check.title, check.id))

    def set_state(self, edited: Collection[int], differing: Collection[int], here: Collection[int] | None) -> None:
        """Landblocks that were edited, those of other content than was surveyed, and those of the open world; None:
        there is none."""
        now = (frozenset(edited), frozenset(differing), here)
        if now == (self._edited, self._differing, self._here):
            return
        self._edited, self._differing, self._here = now
        if self._shown:
            self.dataChanged.emit(self.index(0, NOW), self.index(len(self._shown) - 1, NOW))

    @property
    def has_world(self) -> bool:
        return self._here is not None

    @property
    def has_states(self) -> bool:
        """Whether there is something to tell of the landblocks of any finding."""
        return any(self.state_of(found) for found in self.report.found)

    def state_of(self, found: Found) -> str:
        """What has become of a finding's landblock."""
        block_id = found.block | 0xFFFF
        if self._here is not None and block_id not in self._here:
            return NOT_HERE
        if block_id in self._edited:
            return EDITED
        return DIFFERS if block_id in self._differing else AS_SURVEYED

    # --- rows

    def found_at(self, row: int) -> Found | None:
        return self.report.found[self._shown[row]] if 0 <= row < len(self._shown) else None

    def details(self, found: Found) -> list[str]:
        """All there is to tell of a finding, in lines."""
        check = self._checks[found.check]
        told = [found.sentence, "", check.about, ""] if check.about else [found.sentence, ""]
        pairs = [
            ("check", f"{check.id} ({check.family.value})"),
            ("place", place_text(found.place)),
            ("eye", place_text(found.eye)),
            ("entity", cell_text(found.entity) if found.entity else ""),
            ("portal", str(found.portal) if found.portal >= 0 else ""),
            ("polygon", str(found.polygon) if found.polygon >= 0 else ""),
            *((name, f"{value:.6g}") for name, value in found.figures),
            ("fix", found.fix.name if found.fix else ""),
            ("key", found.key),
        ]
        return told + [f"{name}: {value}" for name, value in pairs if value]

    def as_tsv(self, rows: Iterable[int]) -> str:
        """Rows as a clipboard takes them; all of them when none is named."""
        wanted = list(rows) or range(len(self._shown))
        return "\n".join("\t".join(visible_fields(self._field(row, c)) for c in range(len(COLUMNS))) for row in wanted)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        found = self.found_at(index.row())
        if found is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return plain(self._field(index.row(), index.column()))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_lines(f"{found.sentence}\n{found.check}")
        if role == TONE_ROLE:
            return self._tone(found, index.column())
        return index.column() == WHERE if role == MONO_ROLE else None

    def _field(self, row: int, column: int) -> str:
        found = self.report.found[self._shown[row]]
        if column == SEVERITY:
            return SIGNS[self._checks[found.check].severity][0]
        if column == CHECK:
            return visible(self._checks[found.check].title)
        if column == WHERE:
            return cell_text(found.cell) if found.cell else block_text(found.block)
        return visible(found.sentence) if column == SENTENCE else self.state_of(found)

    def _tone(self, found: Found, column: int) -> str:
        if column == SEVERITY:
            return SIGNS[self._checks[found.check].severity][1]
        if column == NOW:
            return ADJUSTED if self.state_of(found) in (EDITED, DIFFERS) else DIM
        return ""

    # --- order

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._order = (column, order)
        self.layoutAboutToBeChanged.emit()
        before = [self.found_at(index.row()) for index in self.persistentIndexList()]
        old = self.persistentIndexList()
        self._sort()
        places = {id(self.report.found[number]): row for row, number in enumerate(self._shown)} if old else {}
        new = [self.index(places.get(id(found), -1), index.column()) for found, index in zip(before, old, strict=True)]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()

    def _sort(self) -> None:
        """Equal ones stay in the report's order: by landblock, severity and key."""
        column, order = self._order
        found = self.report.found
        values: dict[int, Callable[[int], Any]] = {
            SEVERITY: lambda number: self._checks[found[number].check].severity,
            CHECK: lambda number: self._checks[found[number].check].title,
            WHERE: lambda number: found[number].cell or found[number].block,
            SENTENCE: lambda number: found[number].sentence,
            NOW: lambda number: self.state_of(found[number]),
        }
        self._shown.sort()
        self._shown.sort(key=values[column], reverse=order is Qt.SortOrder.DescendingOrder)
