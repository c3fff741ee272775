"""Reads the stored bytes of many records, fast where they lie one after the other, as our writer lays them down.

It judges what it reads as `BlockFile.chain` does, and leaves everything unusual to it.
"""

from __future__ import annotations

import struct
from typing import Final

from engine.dat.btree import Entry
from engine.dat.database import DatDatabase

WINDOW: Final = 1 << 18
"""Bytes read at a time. Records that are scattered over the file are read one by one instead."""
_LAST: Final = bytes(4)
"""The next pointer of the last block of a chain."""
_NEXT: Final = struct.Struct("<I")


class StoredReader:
    """Reads records of one database, in any order."""

    def __init__(self, database: DatDatabase) -> None:
        self._database = database
        self._block_size = database.block_size
        self._payload = database.blocks.payload
        self._start = 0
        self._window = b""
        self._expected = 0
        """Where the record begins that would follow the last one."""

    def read(self, entry: Entry) -> bytes:
        """The bytes of a record as they are stored; its size must not be 0."""
        offset, size, block_size = entry.offset, entry.size, self._block_size
        count = 1 if size <= self._payload else -(-size // self._payload)
        length = count * block_size
        follows, self._expected = offset == self._expected, offset + length
        at = offset - self._start
        if at < 0 or at + length > len(self._window):
            if not follows or length > WINDOW or offset < self._database.blocks.first_block or offset % block_size:
                return self._database.read_stored(entry)
            self._window, self._start, at = self._database.blocks.raw(offset, WINDOW), offset, 0
            if length > len(self._window):
                return self._database.read_stored(entry)
        if offset % block_size or offset < self._database.blocks.first_block:
            return self._database.read_stored(entry)
        window = self._window
        if count == 1:
            if window[at : at + 4] != _LAST:
                return self._database.read_stored(entry)
            return window[at + 4 : at + 4 + size]
        parts: list[bytes] = []
        for index in range(count):
            following = offset + (index + 1) * block_size if index + 1 < count else 0
            if _NEXT.unpack_from(window, at)[0] != following:
                return self._database.read_stored(entry)
            parts.append(window[at + 4 : at + block_size])
            at += block_size
        return b"".join(parts)[:size]
