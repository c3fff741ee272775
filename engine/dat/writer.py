"""Writing whole databases: new ones and changed copies (dat-format.md 1, 7.1).

Records are laid down in the order they come, then the directory, built bottom-up from the sorted entries, then a run of
free blocks. Equal input gives equal bytes: the date of entries is an argument, never the clock.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.dat.atomic import replaced_file, write_errors
from engine.dat.blocks import FREE_BIT
from engine.dat.btree import BRANCHES, ENTRY, ENTRY_SIZE, ITERATION_VERSION, MIN_ENTRIES, NODE_SIZE, RECORD_VERSION
from engine.dat.database import DatDatabase
from engine.dat.errors import DatError
from engine.dat.header import DATA_START, FORMATS, MAX_FILE_SIZE, Header
from engine.dat.ids import ITERATION_ID, MAX_ID, DatKind
from engine.dat.stored_reader import StoredReader
from engine.files.cancelling import check_cancelled

DEFAULT_DATE: Final = 1_500_000_000
"""The date of every entry unless the caller gives one: that of the worked example (1.11), 2017-07-14."""
FREE_BLOCKS: Final = 8
"""Plenty (1.7)."""
TOLD_EVERY: Final = 512
"""Records between two reports of progress, and between two checks for cancellation."""

_ID_COLUMN: Final = 1
"""Interpret the entry as six 32-bit words."""
_EntryTable = npt.NDArray[np.uint32]


class _Stored(NamedTuple):
    """A record ready to be laid down, and what its entry will say."""

    record_id: int
    data: bytes
    flags: int
    version: int
    date: int
    iteration: int


def write_database(
    path: str | os.PathLike[str],
    kind: DatKind,
    records: Iterable[tuple[int, bytes]],
    iteration: int = 1,
    *,
    date: int = DEFAULT_DATE,
    free_blocks: int = FREE_BLOCKS,
) -> None:
    """Write a database of (id, bytes) records, in any order, and put it in the place of `path` in one step.

    The records are taken one at a time and not kept. The iteration record is made here, from `iteration`.
    """
    file = os.fspath(path)
    form = FORMATS[kind]
    header = Header(form.block_size, 0, form.data_set, form.data_subset, 0, 0, 0, 0, engine_version=form.engine_version)
    stored = (_Stored(record_id, data, 0, RECORD_VERSION, date, iteration) for record_id, data in records)
    _check_numbers(file, iteration, date)
    with replaced_file(file) as stream:
        _write(file, stream, header, stored, _iteration_record(iteration, date), free_blocks)


def rewrite_database(
    source_path: str | os.PathLike[str],
    target_path: str | os.PathLike[str],
    changes: Mapping[int, bytes | None],
    *,
    iteration: int | None = None,
    date: int = DEFAULT_DATE,
) -> None:
    """Write a copy of a database with records added or replaced (bytes) and deleted (None).

    Everything else keeps its stored bytes, version, date and iteration, and the header its versions; changed records
    get `iteration` (by default the source's) and `date`. Deleting a missing record is no error. Source and target may
    be the same path: the old file stays whole until the new one is complete.
    """
    file = os.fspath(target_path)
    _check_changes(file, changes)
    # The source is closed first: Windows replaces no file that is open.
    with replaced_file(file) as stream, DatDatabase.open(source_path) as source:
        copy_database(source, stream, file, changes, iteration=iteration, date=date)


def copy_database(
    source: DatDatabase,
    stream: BinaryIO,
    file: str,
    changes: Mapping[int, bytes | None],
    *,
    iteration: int | None = None,
    date: int = DEFAULT_DATE,
    told: Callable[[float], None] | None = None,
) -> None:
    """Write a copy of an open database with these changes into a new, empty file; see `rewrite_database`.

    Memory stays at 24 bytes a record. `told` is called with the fraction done, now and then; `file` is for errors.
    Without a new `iteration` the record of iterations is the source's, which may have more than one run.
    """
    _check_changes(file, changes)
    number = source.iteration() if iteration is None else iteration
    _check_numbers(file, number, date)
    header = replace(source.header, free_count=0)
    kept = None if iteration is not None else source.entry(ITERATION_ID)
    last = _iteration_record(number, date)
    if kept is not None and not kept.compressed:
        last = last._replace(data=source.read(ITERATION_ID))
    records = _changed(source, changes, number, date)
    _write(file, stream, header, records if told is None else _telling(records, source, told), last, FREE_BLOCKS)


def _check_changes(file: str, changes: Mapping[int, bytes | None]) -> None:
    if ITERATION_ID in changes:
        raise _iteration_given(file)


def _check_numbers(file: str, iteration: int, date: int) -> None:
    if not 1 <= iteration <= MAX_FILE_SIZE:
        raise DatError(file, ITERATION_ID, None, "iteration", f"{iteration} is not a version: at least 1 is needed")
    if not 0 <= date <= 0xFFFFFFFF:
        raise DatError(file, None, None, "date", f"{date} seconds since 1970 do not fit into 32 bits")


def _iteration_record(iteration: int, date: int) -> _Stored:
    run = struct.pack("<3i", iteration, -iteration, 1)
    return _Stored(ITERATION_ID, run, 0, ITERATION_VERSION, date, iteration)


def _changed(source: DatDatabase, changes: Mapping[int, bytes | None], iteration: int, date: int) -> Iterator[_Stored]:
    reader = StoredReader(source)
    for entry in source.entries():
        if entry.record_id not in changes and entry.record_id != ITERATION_ID:
            data = reader.read(entry) if entry.size else b""  # an absent record need not have a block
            changed_in = min(entry.iteration, iteration)
            yield _Stored(entry.record_id, data, entry.flags, entry.version, entry.date, changed_in)
    for record_id in sorted(changes):
        data_or_none = changes[record_id]
        if data_or_none is not None:
            yield _Stored(record_id, data_or_none, 0, RECORD_VERSION, date, iteration)


def _telling(records: Iterable[_Stored], source: DatDatabase, told: Callable[[float], None]) -> Iterator[_Stored]:
    """Report by the blocks that the records fill of those of the source."""
    done, total, payload = 0, max(source.blocks.block_count, 1), source.blocks.payload
    for count, record in enumerate(records):
        if count % TOLD_EVERY == 0:
            told(min(done / total, 1.0))
        done += max(1, -(-len(record.data) // payload))
        yield record


def _write(
    file: str, stream: BinaryIO, header: Header, records: Iterable[_Stored], iteration: _Stored, free_blocks: int
) -> None:
    layout = _Layout(file, stream, header.block_size)
    entries = bytearray()
    for count, record in enumerate(records):
        if count % TOLD_EVERY == 0:
            check_cancelled()
        entries += layout.record(record)
    entries += layout.record(iteration)
    root = _write_directory(layout, _sorted_table(file, entries))
    first_free, last_free = layout.free_run(free_blocks)
    layout.header(replace(header, root=root, first_free=first_free, last_free=last_free, free_count=free_blocks))


class _Layout:
    """The growing file: where the next object goes."""

    def __init__(self, file: str, stream: BinaryIO, block_size: int) -> None:
        self.file = file
        self.end = 0
        self._stream = stream
        self._block_size = block_size
        self._payload = block_size - 4
        self._put(bytes(DATA_START), None)  # the header's place

    def record(self, record: _Stored) -> bytes:
        """Lay a record down; the answer is its entry."""
        record_id = record.record_id
        if not 0 <= record_id <= MAX_ID:
            raise DatError(self.file, None, None, "id", f"{record_id:#x} is not a 32-bit id")
        if record_id == ITERATION_ID and record.version != ITERATION_VERSION:
            raise _iteration_given(self.file)
        offset = self.chain(record.data, record_id)
        return ENTRY.pack(
            record.flags, record.version, record_id, offset, len(record.data), record.date, record.iteration
        )

    def chain(self, data: bytes, record_id: int | None = None) -> int:
        """Lay an object down as adjacent blocks, the last one padded with zeros; the answer is where it starts."""
        offset, payload = self.end, self._payload
        if len(data) <= payload:
            self._put(bytes(4) + data.ljust(payload, b"\0"), record_id)
            return offset
        count = -(-len(data) // payload)
        blocks = []
        for index in range(count):
            following = offset + (index + 1) * self._block_size if index + 1 < count else 0
            part = data[index * payload : (index + 1) * payload]
            blocks.append(following.to_bytes(4, "little") + part.ljust(payload, b"\0"))
        self._put(b"".join(blocks), record_id)
        return offset

    def free_run(self, count: int) -> tuple[int, int]:
        """Append a contiguous chain of free blocks; the answer is the first and the last one (1.7)."""
        first = self.end
        for index in range(count):
            following = self.end + self._block_size if index + 1 < count else 0
            self._put((FREE_BIT | following).to_bytes(4, "little") + bytes(self._payload), None)
        return (first, self.end - self._block_size) if count else (0, 0)

    def header(self, header: Header) -> None:
        with write_errors(self.file):
            self._stream.seek(0)
            self._stream.write(replace(header, file_size=self.end).pack())

    def _put(self, data: bytes, record_id: int | None) -> None:
        self.end += len(data)
        if self.end > MAX_FILE_SIZE:
            raise DatError(self.file, record_id, None, "file size", "a database must stay below 2 GiB")
        try:
            self._stream.write(data)
        except OSError as error:
            raise DatError(self.file, record_id, None, None, f"cannot be written: {error.strerror}") from error


def _iteration_given(file: str) -> DatError:
    reason = "the iteration record is made by the writer: give its number as `iteration`"
    return DatError(file, ITERATION_ID, None, "id", reason)


def _sorted_table(file: str, entries: bytearray) -> _EntryTable:
    """The entries as rows in the order of their ids."""
    table = np.frombuffer(entries, dtype="<u4").reshape(-1, ENTRY_SIZE // 4)
    ids = table[:, _ID_COLUMN]
    if not bool(np.all(ids[:-1] < ids[1:])):
        table = table[np.argsort(ids, kind="stable")]
        ids = table[:, _ID_COLUMN]
        same = np.flatnonzero(ids[:-1] == ids[1:])
        if len(same):
            raise DatError(file, int(ids[same[0]]), None, "id", "there are two records with this id")
    return table


def _write_directory(layout: _Layout, table: _EntryTable) -> int:
    """Build the tree bottom-up, as low as it can be; the answer is the root's offset."""
    height = 0
    while BRANCHES ** (height + 1) - 1 < len(table):
        height += 1
    return _write_subtree(layout, table, height, least_children=2)


def _write_subtree(layout: _Layout, table: _EntryTable, height: int, least_children: int) -> int:
    """Write the nodes below and then the node itself (children must be placed first), for the entries of `table`.

    With m entries there are m + 1 gaps between and around them. A tree of height h fits iff its gaps number 31 to 62
    to the power of h + 1; sharing the gaps evenly among the children keeps each child within its own bounds.
    """
    if height == 0:
        return _write_node(layout, [], table)
    gaps = len(table) + 1
    count = max(least_children, -(-gaps // BRANCHES**height))
    cuts = [gaps * index // count for index in range(count + 1)]
    branches = [
        _write_subtree(layout, table[cuts[index] : cuts[index + 1] - 1], height - 1, MIN_ENTRIES + 1)
        for index in range(count)
    ]
    return _write_node(layout, branches, table[[cut - 1 for cut in cuts[1:-1]]])


def _write_node(layout: _Layout, branches: list[int], entries: _EntryTable) -> int:
    offsets = b"".join(branch.to_bytes(4, "little") for branch in branches).ljust(BRANCHES * 4, b"\0")
    node = offsets + len(entries).to_bytes(4, "little") + entries.tobytes()
    return layout.chain(node.ljust(NODE_SIZE, b"\0"))
