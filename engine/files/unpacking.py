"""Unpacks compressed data within limits, whatever size the packed bytes claim."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.kinds import MB

PIECE: Final = 1 << 20
FEED: Final = 1 << 16
SMALL: Final = 5 * MB
SMALL_TOTAL: Final = 160 * MB
GROWTH: Final = 8
"""The limit on unpacked and kept data as a multiple of the file's size, for files that are not small."""


SEEN_SMALL: Final = 128 * MB
SEEN_GROWTH: Final = 32
"""The same for data that is scanned but stays packed: snapshots, which pack to an eighth."""


def allowance(size: int) -> int:
    """The number of bytes that a file of this size may unpack to and keep."""
    return SMALL_TOTAL if size < SMALL else GROWTH * size


class Unpacking:
    """Unpacks the parts of one file within one limit set by its size."""

    def __init__(self, file: str, size: int) -> None:
        self.file = file
        self.left = allowance(size)
        self.unseen = max(SEEN_SMALL, SEEN_GROWTH * size)

    def keep(self, what: str, packed: bytes | memoryview, most: int) -> bytes:
        """Unpack at most this many bytes."""
        pieces = list(self._pieces(what, packed, most, self.left))
        content = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        self.left -= len(content)
        return content

    def pieces(self, what: str, packed: bytes | memoryview, most: int) -> Iterator[bytes]:
        """Unpack piece by piece, for callers that keep the data in another form."""
        for piece in self._pieces(what, packed, most, self.left):
            self.left -= len(piece)
            yield piece

    def look_through(self, what: str, packed: bytes | memoryview, most: int) -> None:
        """Check that the data unpacks completely, without keeping it."""
        for piece in self._pieces(what, packed, most, self.unseen):
            self.unseen -= len(piece)

    def _pieces(self, what: str, packed: bytes | memoryview, most: int, left: int) -> Iterator[bytes]:
        engine = zlib.decompressobj()
        room, at = min(most, left), 0
        waiting: bytes | memoryview = b""
        while not engine.eof:
            check_cancelled()
            if not waiting:  # small pieces, because each call copies the rest
                waiting = packed[at : at + FEED]
                at += len(waiting)
            is_last = not waiting
            try:
                piece = engine.decompress(waiting, min(PIECE, room + 1))
            except zlib.error as error:
                raise FileError(f"{what} cannot be unpacked: {error}", self.file) from error
            waiting = engine.unconsumed_tail
            if is_last and not piece and not engine.eof:
                raise FileError(f"{what} is not a whole packed section", self.file)
            if len(piece) > room:
                limit = (
                    f"{most:,} bytes that it may have"
                    if most <= left
                    else f"{left:,} bytes left for a file of this size"
                )
                reason = f"it unpacks to more than the {limit}"
                raise FileError(f"{what} is not a whole packed section: {reason}", self.file)
            room -= len(piece)
            if piece:
                yield piece
        if engine.unused_data or at < len(packed):
            raise FileError(f"{what} is not a whole packed section", self.file)
