"""A database file as memory map of blocks, and the chains of blocks that hold its objects (spec/dat-format.md 1.2).

Nothing here trusts a number in the file: each offset, size and next pointer is judged before it is followed.
"""

from __future__ import annotations

import mmap
import os
import stat
import struct
from collections.abc import Iterator
from typing import Final

from engine.dat.errors import DatError, why
from engine.dat.header import HEADER_SIZE, Header, parse_header

FREE_BIT: Final = 0x80000000
"""In a next pointer: this block is free. Never inside a chain."""

_NEXT: Final = struct.Struct("<I")

_FAULT_AROUND: Final = 1 << 16
"""What one touch of a mapped file usually brings into the process, on Linux; of a file just written, up to 2 MB."""
_MAX_TOUCHES: Final = 24
"""After so many the pages are handed back, so that the process never grows by more than some 40 MB of mapped file.
They stay in the system's cache, so that coming back costs microseconds."""
_RELEASE: Final[int | None] = getattr(mmap, "MADV_DONTNEED", None)
"""The advice that hands mapped pages back; Windows has none."""


class BlockFile:
    """An open database file: its header, and objects read by the offset of their first block."""

    def __init__(self, file: str, data: mmap.mmap) -> None:
        self.file = file
        self.length = len(data)
        self.header: Header = parse_header(file, data[:HEADER_SIZE], self.length)
        self.block_size = self.header.block_size
        self.payload = self.block_size - _NEXT.size
        self.first_block = -(-HEADER_SIZE // self.block_size) * self.block_size
        self.block_count = max(0, self.length - self.first_block) // self.block_size
        self.blocks_read = 0
        """Blocks looked at since the file was opened: what look-ups and walks cost, the same on every machine."""
        self._data = data
        self._touches = 0

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> BlockFile:
        file = os.fspath(path)
        try:
            data = _map(file)
        except (OSError, ValueError) as error:
            raise DatError(file, None, None, None, f"can not be opened: {why(error)}") from error
        try:
            return cls(file, data)
        except DatError:
            data.close()
            raise

    def close(self) -> None:
        self._data.close()

    def chain(self, offset: int, size: int, record_id: int | None, what: str) -> bytes:
        """The `size` bytes of the object whose first block is at `offset`; `what` names the object in errors."""
        data, head, block_size = self._data, _NEXT.size, self.block_size
        parts = [data[at + head : at + block_size] for at in self.chain_offsets(offset, size, record_id, what)]
        parts[-1] = parts[-1][: size - (len(parts) - 1) * self.payload]
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def chain_offsets(self, offset: int, size: int, record_id: int | None, what: str) -> Iterator[int]:
        """The blocks of an object of `size` bytes, each judged before it is given out.

        A chain has exactly as many blocks as the size requires (1.2), so one that ends early or goes on is an error.
        """
        count = self._count_for(offset, size, record_id, what)
        self._check_still_whole(record_id)
        self._touch(count)
        data = self._data
        # Brent's cycle search: remember one block, at distances that double. It needs no memory, so even a chain as
        # long as the file can be followed.
        remembered, remember_at = offset, 1
        for index in range(1, count + 1):
            self._check_block(offset, record_id, what)
            following: int = _NEXT.unpack_from(data, offset)[0]
            if following & FREE_BIT:
                raise DatError(self.file, record_id, offset, what, "the chain runs into a free block")
            yield offset
            if index == count:
                break
            if following == 0:
                reason = f"the chain ends after {index} blocks, {count} are needed"
                raise DatError(self.file, record_id, offset, what, reason)
            if following == remembered:
                raise DatError(self.file, record_id, offset, what, f"the chain comes back to block 0x{following:X}")
            if index == remember_at:
                remembered, remember_at = following, remember_at * 2
            offset = following
        if following != 0:
            raise DatError(self.file, record_id, offset, what, f"the chain goes on after the {count} blocks it needs")

    def _count_for(self, offset: int, size: int, record_id: int | None, what: str) -> int:
        """How many blocks `size` bytes take, judged before anything is allocated."""
        count = max(1, -(-size // self.payload))
        if count > self.block_count:
            reason = f"{size} bytes do not fit into a file of {self.length} bytes"
            raise DatError(self.file, record_id, offset, what, reason)
        return count

    def next_of(self, offset: int, record_id: int | None, what: str) -> int:
        """The next pointer of one block."""
        self._check_still_whole(record_id)
        self._touch(1)
        self._check_block(offset, record_id, what)
        following: int = _NEXT.unpack_from(self._data, offset)[0]
        return following

    def raw(self, offset: int, size: int) -> bytes:
        """Bytes of the file as they are, fewer at its end."""
        self._check_still_whole(None)
        return self._data[offset : offset + size]

    def _touch(self, count: int) -> None:
        """Keep a long walk through a large file from growing the process to the size of the file."""
        self._touches += 1 + count * self.block_size // _FAULT_AROUND
        if self._touches > _MAX_TOUCHES and _RELEASE is not None:
            self._touches = 0
            self._data.madvise(_RELEASE)

    def _check_block(self, offset: int, record_id: int | None, what: str) -> None:
        self.blocks_read += 1
        if offset % self.block_size or offset < self.first_block or offset + self.block_size > self.length:
            self._refuse_block(offset, record_id, what)

    def _refuse_block(self, offset: int, record_id: int | None, what: str) -> None:
        if offset % self.block_size:
            reason = f"no block can start there: the offset is no multiple of {self.block_size}"
        elif offset < self.first_block:
            reason = "no block can start there: that is inside the header"
        else:
            reason = f"no block can start there: the file has only {self.length} bytes"
        raise DatError(self.file, record_id, offset, what, reason)

    def _check_still_whole(self, record_id: int | None) -> None:
        """A file that shrank would kill the process at the first touch of a page that is gone (SIGBUS)."""
        try:
            length = self._data.size()
        except (OSError, ValueError) as error:  # closed before, or by another thread at this moment
            raise DatError(self.file, record_id, None, None, "the database has been closed") from error
        if length < self.length:
            reason = f"the file shrank from {self.length} to {length} bytes while it was open"
            raise DatError(self.file, record_id, None, None, reason)


def _map(file: str) -> mmap.mmap:
    # Asked before opening: opening a pipe would wait for its other end.
    status = os.stat(file)
    if stat.S_ISDIR(status.st_mode):
        raise DatError(file, None, None, None, "this is a folder, not a database file")
    if not stat.S_ISREG(status.st_mode):
        raise DatError(file, None, None, None, "this is no regular file")
    with open(file, "rb") as stream:
        length = os.fstat(stream.fileno()).st_size
        if length < HEADER_SIZE:
            reason = "the file is empty" if length == 0 else f"the file has {length} bytes, a header has {HEADER_SIZE}"
            raise DatError(file, None, 0, "header", reason)
        return mmap.mmap(stream.fileno(), length, access=mmap.ACCESS_READ)
