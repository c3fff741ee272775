"""An open database: records by id, ids in order (dat-format.md 1).

    with DatDatabase.open("client_portal.dat") as portal:
        data = portal.read(0x0D000123)

The file is mapped, not loaded, and opening it reads nothing but the header. Several threads may read at once.
"""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Iterator
from types import TracebackType
from typing import Final

from engine.dat.blocks import BlockFile
from engine.dat.btree import Directory, Entry
from engine.dat.errors import DatError
from engine.dat.header import Header
from engine.dat.ids import ITERATION_ID, MAX_ID, DatKind, RecordType, id_type, type_ranges

INFLATE_LIMIT: Final = 6
"""A compressed record may not grow beyond this many times the file: with the copies that takes, reading one stays
below ten times the file, whatever size the record claims."""

_INFLATE_STEP: Final = 1 << 16
_PACKED_SIZE: Final = struct.Struct("<I")
_ITERATION: Final = struct.Struct("<3i")


class DatDatabase:
    """A database of the client, open for reading."""

    def __init__(self, blocks: BlockFile, kind: DatKind) -> None:
        self.kind = kind
        self.blocks = blocks
        self.directory = Directory(blocks)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> DatDatabase:
        blocks = BlockFile.open(path)
        kind = blocks.header.kind
        assert kind is not None  # parse_header refuses a data set without one
        return cls(blocks, kind)

    def close(self) -> None:
        self.blocks.close()

    def __enter__(self) -> DatDatabase:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def file(self) -> str:
        """The path as it was given, for errors."""
        return self.blocks.file

    @property
    def header(self) -> Header:
        return self.blocks.header

    @property
    def block_size(self) -> int:
        return self.blocks.block_size

    @property
    def blocks_read(self) -> int:
        """Blocks visited since opening."""
        return self.blocks.blocks_read

    def entry(self, record_id: int) -> Entry | None:
        """The directory entry of a record; None when there is none or it is empty, which means the same (1.4)."""
        found = self.directory.find(record_id)
        return found if found is not None and found.size else None

    def __contains__(self, record_id: int) -> bool:
        return self.entry(record_id) is not None

    def read(self, record_id: int) -> bytes:
        """The bytes of a record, decompressed if need be."""
        entry = self.entry(record_id)
        if entry is None:
            raise DatError(self.file, record_id, None, None, "there is no such record")
        stored = self.read_stored(entry)
        return self._inflate(entry, stored) if entry.compressed else stored

    def read_stored(self, entry: Entry) -> bytes:
        """The bytes of a record as they are stored."""
        return self.blocks.chain(entry.offset, entry.size, entry.record_id, "data")

    def ids(self, low: int = 0, high: int = MAX_ID) -> Iterator[int]:
        """The ids from `low` to `high` of all records, the iteration record included, ascending."""
        for node, start, end in self.directory.runs(low, high):
            sizes = node.sizes()
            for index in range(start, end):
                if sizes[index]:
                    yield node.ids[index]

    def ids_of(self, record_type: RecordType) -> Iterator[int]:
        """The ids of all records of one type, ascending."""
        for low, high in type_ranges(record_type, self.kind):
            for record_id in self.ids(low, high):
                if id_type(record_id, self.kind) is record_type:
                    yield record_id

    def entries(self, low: int = 0, high: int = MAX_ID) -> Iterator[Entry]:
        """All directory entries from `low` to `high` as they are, empty ones too, ascending by id."""
        for node, start, end in self.directory.runs(low, high):
            for index in range(start, end):
                yield node.entry(index)

    def iteration(self) -> int:
        """The database's version: how many iterations have been applied (1.8)."""
        data = self.read(ITERATION_ID)
        if len(data) < _ITERATION.size:
            reason = f"the record has {len(data)} bytes, at least {_ITERATION.size} are needed"
            raise DatError(self.file, ITERATION_ID, 0, "iteration", reason, in_record=True)
        total: int = _ITERATION.unpack_from(data)[0]
        if total < 1:
            raise DatError(self.file, ITERATION_ID, 0, "iteration", f"{total} is not a version", in_record=True)
        return total

    def _inflate(self, entry: Entry, stored: bytes) -> bytes:
        """Undo the compression of 1.9 in small steps, so that a lie about the size costs no memory."""
        if len(stored) < _PACKED_SIZE.size:
            raise self._bad_zlib(entry, f"{len(stored)} bytes cannot hold a compressed record")
        size: int = _PACKED_SIZE.unpack_from(stored)[0]
        limit = INFLATE_LIMIT * self.blocks.length
        if size > limit:
            raise self._bad_zlib(entry, f"{size} bytes uncompressed is beyond the {limit} a file of this size may hold")
        engine = zlib.decompressobj()
        out = io.BytesIO()
        position = _PACKED_SIZE.size
        piece = b""
        try:
            while not engine.eof and out.tell() <= size:
                if not piece:
                    piece = stored[position : position + _INFLATE_STEP]
                    position += len(piece)
                grown = engine.decompress(piece, _INFLATE_STEP)
                if not piece and not grown:
                    raise self._bad_zlib(entry, "the compressed data end too early")
                out.write(grown)
                piece = engine.unconsumed_tail
        except zlib.error as error:
            raise self._bad_zlib(entry, f"the compressed data are damaged ({error})") from error
        if out.tell() != size:
            found = "more" if out.tell() > size else str(out.tell())
            raise self._bad_zlib(entry, f"{size} bytes uncompressed are announced, {found} come out")
        return out.getvalue()

    def _bad_zlib(self, entry: Entry, reason: str) -> DatError:
        return DatError(self.file, entry.record_id, entry.offset, "compressed data", reason)
