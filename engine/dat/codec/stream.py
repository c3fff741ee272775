"""The byte streams of the codecs, and their errors.

Most values have exactly one form in the file. A few have more than one (padding that should be zero, counts that can be
longer than needed): these are the *loose* places. The writer uses the usual form, except where the reader met another
one, which is kept as an *oddity* under the ordinal number of the loose place, so that a record read and written again
has the same bytes. When an edit has changed the value there, the oddity no longer fits and the usual form is written.

Two kinds of oddity have no such place, and keys below 0 instead: signalling NaNs, which are kept by their offset since
no float of Python's can be one, and the form of a whole record where records of one type come in several (`FORM`).
"""

from __future__ import annotations

from typing import Final

FORM: Final = -1
"""The key of an oddity of one byte: which of several forms the record has; without it, it is form 0."""

_FIRST_NAN: Final = -2
"""The key of a signalling NaN is this minus its offset."""

_QUIET: Final = 0x400000
"""The bit that makes a 32-bit NaN a quiet one. Reading one into a float sets it and keeps the others."""


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
        self.form: int = 0
        self.has_forms: bool = False
        """Something has been read that another form of the record has otherwise."""

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

    def keep_signalling(self, offset: int, count: int) -> None:
        """Keep the signalling NaNs among some 32-bit floats."""
        for at in range(offset, offset + 4 * count, 4):
            bits = int.from_bytes(self.data[at : at + 4], "little")
            if bits & 0x7F800000 == 0x7F800000 and 0 < bits & 0x7FFFFF < _QUIET:
                self.oddities[_FIRST_NAN - at] = self.data[at : at + 4]


class Sink:
    """A record being written."""

    def __init__(self, oddities: dict[int, bytes]) -> None:
        self.data: bytearray = bytearray()
        self.loose: int = 0
        self.oddities: dict[int, bytes] = oddities
        form = oddities.get(FORM)
        self.form: int = form[0] if form else 0

    def oddity(self) -> bytes | None:
        """The oddity that the reader met at the loose place that is written now."""
        found = self.oddities.get(self.loose)
        self.loose += 1
        return found

    def restore_signalling(self) -> None:
        """Put the signalling NaNs back where their quiet forms stand; call it when all is written."""
        for key, found in self.oddities.items():
            at = _FIRST_NAN - key
            if key > _FIRST_NAN or at + 4 > len(self.data) or len(found) != 4:
                continue
            quiet = int.from_bytes(found, "little") | _QUIET
            if int.from_bytes(self.data[at : at + 4], "little") == quiet:
                self.data[at : at + 4] = found
