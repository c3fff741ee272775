"""The records in which two databases differ, by their bytes; fields are compared in `engine.dat.field_changes`.

A side of the comparison is a database, or one with changes that have not been written yet. Records are compared one at
a time in the order of their ids, so memory stays small however large the files are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.dat.btree import Entry
from engine.dat.database import DatDatabase
from engine.dat.ids import MAX_ID
from engine.dat.stored_reader import StoredReader
from engine.files.cancelling import check_cancelled

TOLD_EVERY: Final = 512
"""Records between two reports of progress, and between two checks for cancellation."""

Told = Callable[[float], None]
"""Receives the fraction done."""


class RecordDifference(NamedTuple):
    """A record that is not the same on both sides; None stands for one that is not there."""

    record_id: int
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True)
class DatabaseSide:
    """A database with changes: bytes to be added or to replace a record, None for a record to be removed."""

    database: DatDatabase
    changes: Mapping[int, bytes | None] = field(default_factory=dict)

    def record(self, record_id: int) -> bytes | None:
        if record_id in self.changes:
            return self.changes[record_id]
        return self.database.read(record_id) if record_id in self.database else None


def differences(before: DatabaseSide, after: DatabaseSide, told: Told | None = None) -> Iterator[RecordDifference]:
    """All records that differ, ascending by id. The dates and iterations of directory entries do not count."""
    if before.database is after.database:
        yield from _changed_only(before, after)
        return
    left, right = _Walk(before), _Walk(after)
    count = 0
    while left.record_id <= MAX_ID or right.record_id <= MAX_ID:
        count += 1
        record_id = min(left.record_id, right.record_id)
        if count % TOLD_EVERY == 0:
            check_cancelled()
            if told is not None:
                told(record_id / MAX_ID)
        if left.record_id == right.record_id:
            if not left.is_same(right):
                yield RecordDifference(record_id, left.content(), right.content())
            left.advance()
            right.advance()
        elif left.record_id < right.record_id:
            yield RecordDifference(record_id, left.content(), None)
            left.advance()
        else:
            yield RecordDifference(record_id, None, right.content())
            right.advance()


def _changed_only(before: DatabaseSide, after: DatabaseSide) -> Iterator[RecordDifference]:
    """The differences of two sides of the same file."""
    for record_id in sorted({*before.changes, *after.changes}):
        check_cancelled()
        old, new = before.record(record_id), after.record(record_id)
        if old != new:
            yield RecordDifference(record_id, old, new)


class _Walk:
    """The records of one side in order; `record_id` is beyond all ids at the end."""

    def __init__(self, side: DatabaseSide) -> None:
        self._database = side.database
        self._reader = StoredReader(side.database)
        self._items = _merged(side)
        self.record_id = 0
        self._item: Entry | bytes = b""
        self.advance()

    def advance(self) -> None:
        self.record_id, self._item = next(self._items, (MAX_ID + 1, b""))

    def is_same(self, other: _Walk) -> bool:
        ours, theirs = self._item, other._item
        if isinstance(ours, Entry) and isinstance(theirs, Entry) and ours.compressed == theirs.compressed:
            if not ours.compressed:
                return ours.size == theirs.size and self._reader.read(ours) == other._reader.read(theirs)
            if ours.size == theirs.size and self._reader.read(ours) == other._reader.read(theirs):
                return True
        return self.content() == other.content()

    def content(self) -> bytes:
        item = self._item
        if isinstance(item, Entry):
            return self._database.read(item.record_id) if item.compressed else self._reader.read(item)
        return item


def _merged(side: DatabaseSide) -> Iterator[tuple[int, Entry | bytes]]:
    """Directory entries of records that are there, and changes in their places."""
    changes = side.changes
    waiting = iter(sorted(changes))
    change = next(waiting, None)
    for entry in side.database.entries():
        while change is not None and change < entry.record_id:
            yield from _added(change, changes[change])
            change = next(waiting, None)
        if entry.record_id == change:
            yield from _added(change, changes[change])
            change = next(waiting, None)
        elif entry.size:
            yield entry.record_id, entry
    while change is not None:
        yield from _added(change, changes[change])
        change = next(waiting, None)


def _added(record_id: int, content: bytes | None) -> Iterator[tuple[int, Entry | bytes]]:
    if content is not None:
        yield record_id, content
