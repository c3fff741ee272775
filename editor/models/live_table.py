"""Tables of changing values: a refresh marks the fields that differ from the last one and leaves the others alone, so
selections and scroll bars stay where they are."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from editor.process.plain_text import plain, plain_lines, visible_fields
from editor.session.session import Selection
from engine.geometry.vec import Vec3
from engine.world.names import Names

TONE_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
CHANGED_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
FULL_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 3
SELECTION_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 4
KEY_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 5
MONO_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 6
DIFFERS_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 7

DIM: Final = "dim"
CURRENT: Final = "current"
FAULT: Final = "fault"
ACCEPTED: Final = "accepted"
ADJUSTED: Final = "adjusted"
"""Tones: the meaning of a text; the theme has a colour for each."""

DIFFERS: Final = "≠"
"""The sign of a field that differs in the other of two runs."""
NOT_THERE: Final = "not there"
FEW: Final = 2
"""Columns that are always in sight."""

AXES: Final = ("x", "y", "z")
NUMBER_WIDTH: Final = 7
"""Characters of a number in a field that shows a vector."""

Index = QModelIndex | QPersistentModelIndex

LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Value:
    """One field: its displayed text, its copied text (at full precision), and its tone."""

    text: str
    full: str = ""
    tone: str = ""
    tip: str = ""

    @property
    def copied(self) -> str:
        return self.full or self.text


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its key, its fields, and what selecting it selects."""

    key: Hashable
    values: tuple[Value, ...]
    selection: Selection | None = None
    checked: bool | None = None
    """The state of a check box before the first field; None for no check box."""


@dataclass(frozen=True, slots=True)
class Column:
    """A title, and whether its fields are numbers or ids, which are shown in the monospaced face."""

    title: str
    mono: bool = False
    right: bool = False
    tip: str = ""
    sample: str = ""
    """The longest text to expect, so that the column is wide enough from the start."""


def number(value: float, places: int = 3) -> Value:
    """A number, rounded for display and exact for the clipboard."""
    shown = f"{value:.{places}f}"
    return Value("0." + "0" * places if float(shown) == 0.0 else shown, repr(value))


def vector_text(v: Sequence[float], width: int = NUMBER_WIDTH) -> str:
    """A vector in one field: each number with its axis, aligned with the rows above and below."""
    return "  ".join(f"{axis} {number(part).text:>{width}}" for axis, part in zip(AXES, v, strict=True))


def _differ(a: Value, b: Value) -> bool:
    return a is not b and a.copied != b.copied


def _other_text(a: Value, b: Value) -> str:
    """At full precision where both are shown alike."""
    return b.copied if a.text == b.text else b.text


def named_rows(rows: Sequence[Row], names: Names) -> list[Row]:
    """The rows with names behind the ids in their fields; what is copied stays."""
    return [replace(row, values=tuple(_named(value, names) for value in row.values)) for row in rows]


def _named(value: Value, names: Names) -> Value:
    text = names.in_text(value.text, behind=True)
    return value if text == value.text else replace(value, text=text, full=value.copied)


def under_x(text: str) -> str:
    """A single number in a column of vectors, below their x."""
    return f"{text:>{NUMBER_WIDTH + 2}}"


def vector(v: Vec3) -> tuple[Value, Value, Value]:
    return number(v[0]), number(v[1]), number(v[2])


class LiveTable(QAbstractTableModel):
    """Rows that are refreshed. A field counts as changed until the next refresh that asks for marks."""

    marked = Signal()
    """Other fields differ in the other run."""

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: list[Row] = []
        self._changed: set[tuple[Hashable, int]] = set()
        self.on_check: Callable[[Row, bool], None] | None = None
        self._other: dict[tuple[Hashable, int], str] = {}
        """What the other run has in the fields that differ."""
        self._other_name = ""

    def compare(self, rows: Sequence[Row] | None, name: str = "") -> None:
        """Mark the fields that differ from those of the other run, which has that name; None marks nothing."""
        other = {} if rows is None else self._differing(rows)
        if (other, name) != (self._other, self._other_name):
            self._other, self._other_name = other, name
            self.marked.emit()
            if self.rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def _differing(self, rows: Sequence[Row]) -> dict[tuple[Hashable, int], str]:
        theirs = {row.key: row.values for row in rows}
        found = {}
        for row in self.rows:
            values = theirs.get(row.key)
            if values is None:
                found[(row.key, 0)] = NOT_THERE
                continue
            unlike = [column for column, (a, b) in enumerate(zip(row.values, values, strict=True)) if _differ(a, b)]
            found |= {(row.key, column): _other_text(row.values[column], values[column]) for column in unlike}
            if unlike and len(self.columns) > FEW:  # the columns that differ may be out of sight
                found[(row.key, 0)] = ", ".join(f"{self.columns[at].title} {values[at].text}" for at in unlike)
        return found

    @property
    def has_marks(self) -> bool:
        """Whether any field differs in the other run."""
        return bool(self._other)

    def other_text(self, key: Hashable, column: int) -> str | None:
        """What the other run has in a field; None where it has the same."""
        return self._other.get((key, column))

    def show(self, rows: Sequence[Row], *, mark: bool = True) -> None:
        """Show new rows. With `mark` False they are about another subject, and no field counts as changed."""
        old = self.rows
        if [row.key for row in rows] != [row.key for row in old]:
            self._start_again(rows, mark=mark)
            return
        before, self._changed, self.rows = self._changed, set(), list(rows)
        touched: list[int] = []
        for number_, (was, now) in enumerate(zip(old, rows, strict=True)):
            for column, (a, b) in enumerate(zip(was.values, now.values, strict=True)):
                if mark and a.copied != b.copied:
                    self._changed.add((now.key, column))
            marks = any((now.key, column) in before or (now.key, column) in self._changed for column in self._places())
            if was != now or marks:
                touched.append(number_)
        if touched:
            self.dataChanged.emit(self.index(touched[0], 0), self.index(touched[-1], len(self.columns) - 1))

    def change_columns(self, columns: Sequence[Column]) -> None:
        """Other columns, and no rows yet."""
        if tuple(columns) != self.columns:
            self.beginResetModel()
            self.columns, self.rows, self._changed = tuple(columns), [], set()
            self.endResetModel()

    def _start_again(self, rows: Sequence[Row], *, mark: bool) -> None:
        known = {row.key: row for row in self.rows}
        self.beginResetModel()
        self._changed = set()
        self.rows = list(rows)
        for row in rows:
            was = known.get(row.key)
            if was is not None and mark:
                self._changed |= {
                    (row.key, column)
                    for column, (a, b) in enumerate(zip(was.values, row.values, strict=False))
                    if a.copied != b.copied
                }
        self.endResetModel()

    def _places(self) -> range:
        return range(len(self.columns))

    def row_of(self, key: Hashable) -> int:
        """The number of the row with a key; −1 when there is none."""
        return next((number_ for number_, row in enumerate(self.rows) if row.key == key), -1)

    def is_changed(self, key: Hashable, column: int) -> bool:
        return (key, column) in self._changed

    def text(self, key: Hashable, column: int) -> str:
        """The displayed text of a field; empty when there is none."""
        place = self.row_of(key)
        return "" if place < 0 else self.rows[place].values[column].text

    def as_tsv(self, rows: Sequence[int] | None = None) -> str:
        """Titles and rows as tab-separated text, numbers at full precision; all rows unless some are given. Check boxes
        have a column of their own."""
        chosen = [self.rows[place] for place in (range(len(self.rows)) if rows is None else rows)]
        lines = [
            [column.title for column in self.columns],
            *([visible_fields(value.copied) for value in row.values] for row in chosen),
        ]
        if any(row.checked is not None for row in chosen):
            marks = ["" if row.checked is None else "yes" if row.checked else "no" for row in chosen]
            for line, mark in zip(lines, ["On", *marks], strict=True):
                line.append(mark)
        return "\n".join("\t".join(line) for line in lines)

    # --- Qt's interface

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's default
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's default
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip or None
        return (RIGHT if column.right else LEFT) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.isValid() and index.column() == 0 and self.rows[index.row()].checked is not None:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row, column = self.rows[index.row()], index.column()
        value, kind = row.values[column], self.columns[column]
        if role == Qt.ItemDataRole.DisplayRole:
            return plain(value.text)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_lines(self._tip(row, column)) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if kind.right else LEFT
        if role == Qt.ItemDataRole.CheckStateRole:
            if column or row.checked is None:
                return None
            return Qt.CheckState.Checked if row.checked else Qt.CheckState.Unchecked
        if role in (CHANGED_ROLE, DIFFERS_ROLE):
            marked: Container[tuple[Hashable, int]] = self._changed if role == CHANGED_ROLE else self._other
            return bool(marked) and (row.key, column) in marked
        return {
            TONE_ROLE: value.tone,
            FULL_ROLE: value.copied,
            SELECTION_ROLE: row.selection,
            KEY_ROLE: row.key,
            MONO_ROLE: kind.mono,
        }.get(role)

    def _tip(self, row: Row, column: int) -> str:
        tip, other = row.values[column].tip or self.columns[column].tip, self._other.get((row.key, column))
        return tip if other is None else "\n".join(filter(None, (f"{DIFFERS} {self._other_name}: {other}", tip)))

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Report a click on a check box: the view makes the edit, and the next refresh shows it."""
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid() or self.on_check is None:
            return False
        self.on_check(self.rows[index.row()], Qt.CheckState(value) is Qt.CheckState.Checked)
        return True
