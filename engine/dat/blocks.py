"""A database file as blocks, and the chains of blocks that hold its objects (dat-format.md 1.2).

The reader trusts no number in the file: it validates each offset, size and next pointer before it follows it.

It reads the file by position and does not map it: touching a mapped page that is gone, because another program has
truncated the file, ends the process (SIGBUS), and no check of the size beforehand is early enough. What was read is
valid if the file is as it was when it was opened; the reader checks that after each read.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Final

from engine.dat.errors import DatError
from engine.dat.header import HEADER_SIZE, Header, parse_header
from engine.files.errors import FileError, why
from engine.files.reading import RegularFile, open_regular

FREE_BIT: Final = 0x80000000
"""In a next pointer: this block is free. Never inside a chain."""

_NEXT: Final = struct.Struct("<I")

_AHEAD: Final = 1 << 16
"""The most bytes to read at a time: the blocks of an object usually follow each other."""


class BlockFile:
    """An open database file: its header, and objects read by the offset of their first block."""

    def __init__(self, opened: RegularFile) -> None:
        self.file = opened.file
        self.length = opened.status.st_size
        self.stamp = (opened.status.st_dev, opened.status.st_ino, opened.status.st_mtime_ns, self.length)
        """Tells this version of the file from any other."""
        self._written = opened.status.st_mtime_ns
        self._opened: RegularFile | None = opened
        self.header: Header = parse_header(self.file, self.raw(0, HEADER_SIZE), self.length)
        self.block_size = self.header.block_size
        self.payload = self.block_size - _NEXT.size
        self.first_block = -(-HEADER_SIZE // self.block_size) * self.block_size
        self.block_count = max(0, self.length - self.first_block) // self.block_size
        self.blocks_read = 0
        """Blocks visited since the file was opened: the cost of look-ups and walks, the same on every machine."""

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> BlockFile:
        try:
            opened = open_regular(path)
        except FileError as error:
            raise DatError(path, None, None, None, error.reason.replace("read", "opened", 1)) from error
        length = opened.status.st_size
        if length < HEADER_SIZE:
            reason = "the file is empty" if length == 0 else f"the file has {length} bytes, a header has {HEADER_SIZE}"
            raise DatError(path, None, 0, "header", reason)
        return cls(opened)

    def close(self) -> None:
        self._opened = None

    def chain(self, offset: int, size: int, record_id: int | None, what: str) -> bytes:
        """The `size` bytes of the object whose first block is at `offset`; `what` names the object in errors."""
        head = _NEXT.size
        parts = [block[head:] for _, block in self._chain_blocks(offset, size, record_id, what)]
        parts[-1] = parts[-1][: size - (len(parts) - 1) * self.payload]
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def chain_offsets(self, offset: int, size: int, record_id: int | None, what: str) -> Iterator[int]:
        """The blocks of an object of `size` bytes, each judged before it is given out."""
        return (at for at, _ in self._chain_blocks(offset, size, record_id, what))

    def _chain_blocks(self, offset: int, size: int, record_id: int | None, what: str) -> Iterator[tuple[int, bytes]]:
        """The blocks of an object, each with its offset.

        A chain has exactly as many blocks as the size requires (1.2), so one that ends early or continues is an error.
        """
        count = self._count_for(offset, size, record_id, what)
        block_size = self.block_size
        # Brent's cycle search: remember one block, at distances that double. It needs no memory, so even a chain as
        # long as the file can be followed.
        remembered, remember_at = offset, 1
        ahead, start, served = b"", offset, _AHEAD // block_size
        for index in range(1, count + 1):
            self._check_block(offset, record_id, what)
            at = offset - start
            if not 0 <= at < len(ahead):
                # The number of blocks left, but at most twice the number that the last read yielded.
                wanted = min(count - index + 1, max(2 * served, 1), _AHEAD // block_size)
                ahead, start, at, served = self._read(offset, wanted * block_size, record_id), offset, 0, 0
            served += 1
            block = ahead[at : at + block_size]
            following: int = _NEXT.unpack_from(block)[0]
            if following & FREE_BIT:
                raise DatError(self.file, record_id, offset, what, "the chain runs into a free block")
            yield offset, block
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
            raise DatError(self.file, record_id, offset, what, f"the chain continues after the {count} blocks it needs")

    def _count_for(self, offset: int, size: int, record_id: int | None, what: str) -> int:
        """The number of blocks that `size` bytes take, validated before anything is allocated."""
        count = max(1, -(-size // self.payload))
        if count > self.block_count:
            reason = f"{size} bytes do not fit into a file of {self.length} bytes"
            raise DatError(self.file, record_id, offset, what, reason)
        return count

    def next_of(self, offset: int, record_id: int | None, what: str) -> int:
        """The next pointer of one block."""
        self._check_block(offset, record_id, what)
        following: int = _NEXT.unpack_from(self._read(offset, self.block_size, record_id))[0]
        return following

    def raw(self, offset: int, size: int) -> bytes:
        """Bytes of the file as they are, fewer at its end."""
        return self._read(offset, min(size, max(self.length - offset, 0)), None)

    def _read(self, offset: int, size: int, record_id: int | None) -> bytes:
        """So many bytes, which lie within the file; a DatError unless it is as it was when it was opened."""
        opened = self._opened
        if opened is None:  # closed before, or by another thread at this moment
            raise DatError(self.file, record_id, None, None, "the database has been closed")
        size = min(size, self.length - offset)
        try:
            content = opened.read_at(offset, size)
            status = opened.status_now()
        except OSError as error:
            raise DatError(self.file, record_id, offset, None, f"cannot be read: {why(error)}") from error
        if status.st_mtime_ns != self._written or status.st_size != self.length or len(content) != size:
            raise self._changed(status.st_size, record_id)
        return content

    def _changed(self, length: int, record_id: int | None) -> DatError:
        how = f"shrank from {self.length} to {length} bytes" if length < self.length else "was written to"
        reason = f"the file {how} while it was open; opened again, it is read as it is now"
        return DatError(self.file, record_id, None, None, reason)

    def _check_block(self, offset: int, record_id: int | None, what: str) -> None:
        self.blocks_read += 1
        if offset % self.block_size or offset < self.first_block or offset + self.block_size > self.length:
            self._refuse_block(offset, record_id, what)

    def _refuse_block(self, offset: int, record_id: int | None, what: str) -> None:
        if offset % self.block_size:
            reason = f"no block can start there: the offset is not a multiple of {self.block_size}"
        elif offset < self.first_block:
            reason = "no block can start there: that is inside the header"
        else:
            reason = f"no block can start there: the file has only {self.length} bytes"
        raise DatError(self.file, record_id, offset, what, reason)
