"""Reads databases without raising: an unreadable record counts as absent, and a fault says why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import Final, Protocol, TypeVar

from engine.dat.errors import DatError
from engine.dat.ids import MAX_ID, DatKind
from engine.dat.records import DatRecord, UnknownRecord
from engine.dat.records.catalogue import decode, read_record
from engine.world.faults import CONTAINER, RECORD, Fault

RecordT = TypeVar("RecordT", bound=DatRecord)

_noting: Final[ContextVar[bool]] = ContextVar("noting", default=False)


@contextmanager
def reads_noted() -> Iterator[None]:
    """Let the databases that are opened in the block note which records are read from them, then and later."""
    before = _noting.set(True)
    try:
        yield
    finally:
        _noting.reset(before)


class Records(Protocol):
    """The interface of a database; `DatDatabase` implements it."""

    @property
    def file(self) -> str: ...

    def __contains__(self, record_id: int) -> bool: ...

    def read(self, record_id: int) -> bytes: ...

    def ids(self, low: int = 0, high: int = MAX_ID) -> Iterator[int]: ...


class MemoryRecords:
    """Records in memory, from a builder."""

    def __init__(self, records: Mapping[int, bytes], file: str = "memory") -> None:
        self._records = {record_id: records[record_id] for record_id in sorted(records)}
        self.file = file

    def __contains__(self, record_id: int) -> bool:
        return record_id in self._records

    def read(self, record_id: int) -> bytes:
        if record_id not in self._records:
            raise DatError(self.file, record_id, None, None, "there is no such record")
        return self._records[record_id]

    def ids(self, low: int = 0, high: int = MAX_ID) -> Iterator[int]:
        return (record_id for record_id in self._records if low <= record_id <= high)


class RecordFile:
    """One database of a source. Faults of its directory go to `faults`, and so do those of records unless the caller
    passes another list."""

    def __init__(self, records: Records, kind: DatKind, faults: list[Fault]) -> None:
        self._records = records
        self._faults = faults
        self.kind = kind
        self.file = records.file
        self.read_ids: set[int] | None = set() if _noting.get() else None
        """The records that were read, if that is noted."""

    def has(self, record_id: int) -> bool:
        try:
            return record_id in self._records
        except DatError as error:
            self._complain(Fault(0, CONTAINER, str(error)), self._faults)
            return False

    def ids(self, low: int = 0, high: int = MAX_ID) -> list[int]:
        """The ids from `low` to `high`, ascending, as far as the directory is readable."""
        found: list[int] = []
        try:
            found.extend(self._records.ids(low, high))
        except DatError as error:
            self._complain(Fault(0, CONTAINER, str(error)), self._faults)
        return found

    def id_runs(self, length: int) -> Iterator[list[int]]:
        """All ids, ascending, in batches, as far as the directory is readable."""
        ids = self._records.ids()
        while True:
            run: list[int] = []
            try:
                run.extend(islice(ids, length))
            except DatError as error:
                self._complain(Fault(0, CONTAINER, str(error)), self._faults)
                ids = iter(())
            if not run:
                return
            yield run

    def read(self, record_id: int, cls: type[RecordT], faults: list[Fault] | None = None) -> RecordT | None:
        """A record of a known type; None, without a fault, when it does not exist."""
        if not self.has(record_id):
            return None
        try:
            return read_record(cls, self._read(record_id), file=self.file, record_id=record_id)
        except DatError as error:
            self._complain(Fault(record_id, RECORD, str(error)), self._faults if faults is None else faults)
            return None

    def _read(self, record_id: int) -> bytes:
        if self.read_ids is not None:
            self.read_ids.add(record_id)
        return self._records.read(record_id)

    def raw(self, record_id: int) -> bytes | None:
        """Return the bytes of a record; None when they cannot be read, and a fault says why."""
        try:
            return self._records.read(record_id)
        except (DatError, ValueError):  # ValueError: the file was closed meanwhile
            return None

    def decode(self, record_id: int) -> DatRecord | UnknownRecord | None:
        """A record of the type that its id implies."""
        if not self.has(record_id):
            return None
        try:
            return decode(record_id, self._read(record_id), self.file, self.kind)
        except DatError as error:
            self._complain(Fault(record_id, RECORD, str(error)), self._faults)
            return None

    def _complain(self, fault: Fault, faults: list[Fault]) -> None:
        if fault not in faults:
            faults.append(fault)
