"""The byte streams of the codecs, and their errors.

Most values have exactly one form in the file. A few have more than one (padding that should be zero, counts that can be
longer than needed): these are the *loose* places. The writer uses the usual form, except where the reader met another
one, which is kept as an *oddity* under the ordinal number of the loose place, so that a record read and written again
has the same bytes. When an edit has changed the value there, the oddity no longer fits and the usual form is written.
"""

from __future__ import annotations


class CodecError(Exception):
    """A place that cannot be read or written. The path is put together, innermost first, while the stack unwinds."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset: int = offset
        self.reason: str = reason
        self.path: list[str] = []

    def field(self) -> str:
        """The path in reading order: `structures[3].structure.physics_bsp.pos.sphere`."""
        text = ""
        for part in reversed(self.path):
            text += part if part.startswith("[") or not text else "." + part
        return text


class Source:
    """A record being read."""

    def __init__(self, data: bytes) -> None:
        self.data: bytes = data
        self.offset: int = 0
        self.end: int = len(data)
        self.loose: int = 0
        self.oddities: dict[int, bytes] = {}

    def need(self, size: int) -> None:
        if size > self.end - self.offset:
            raise CodecError(self.offset, f"{size} more bytes are needed, {self.end - self.offset} are left")

    def take(self, size: int) -> bytes:
        self.need(size)
        start = self.offset
        self.offset = start + size
        return self.data[start : self.offset]

    def note(self, found: bytes, usual: bytes) -> None:
        """A loose place has been read."""
        if found != usual:
            self.oddities[self.loose] = found
        self.loose += 1


class Sink:
    """A record being written."""

    def __init__(self, oddities: dict[int, bytes]) -> None:
        self.data: bytearray = bytearray()
        self.loose: int = 0
        self.oddities: dict[int, bytes] = oddities

    def oddity(self) -> bytes | None:
        """The oddity that the reader met at the loose place that is written now."""
        found = self.oddities.get(self.loose)
        self.loose += 1
        return found
