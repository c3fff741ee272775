"""A world of data files with changed records laid over them, to see what they would be without writing whole files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import merge

from engine.dat.database import DatDatabase
from engine.dat.errors import DatError
from engine.dat.ids import MAX_ID


class OverlaidRecords:
    """The records of a database, some of them replaced, added or (None) removed."""

    def __init__(self, database: DatDatabase, changes: Mapping[int, bytes | None]) -> None:
        self._database = database
        self._changes = changes
        self.file = database.file

    def __contains__(self, record_id: int) -> bool:
        if record_id in self._changes:
            return self._changes[record_id] is not None
        return record_id in self._database

    def read(self, record_id: int) -> bytes:
        if record_id not in self._changes:
            return self._database.read(record_id)
        data = self._changes[record_id]
        if data is None:
            raise DatError(self.file, record_id, None, None, "there is no such record")
        return data

    def ids(self, low: int = 0, high: int = MAX_ID) -> Iterator[int]:
        added = (each for each in sorted(self._changes) if low <= each <= high and self._changes[each] is not None)
        kept = (each for each in self._database.ids(low, high) if each not in self._changes)
        return merge(kept, added)
