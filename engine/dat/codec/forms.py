"""The replace-object hook, of which records come in two forms (dat-format.md 3.9).

Its part takes two bytes in the files that are known; the client's code reads one, and then skips to a multiple of 4. A
record is read in the first form, and only if that does not give all of it and the record has such a hook, in the other.
The form that was read is kept among the oddities, so that the same bytes are written.
"""

from __future__ import annotations

from typing import Final, cast

from engine.dat.codec.base import Codec, Scope
from engine.dat.codec.numbers import U8, U16
from engine.dat.codec.stream import CodecError, Sink, Source

TWO_BYTES: Final = 0
"""What the known files have. The client knows one byte, so no part above 255 can be meant."""

ONE_BYTE: Final = 1
"""What the client's code reads: one byte, and zeros up to a multiple of 4 behind the id."""

ANY_PART: Final = 2
"""Two bytes, whatever stands in them; for records that neither of the others explains."""

FORMS: Final = (TWO_BYTES, ONE_BYTE, ANY_PART)

_LAST_PART: Final = 0xFF


class HookPart(Codec):
    """The number of a part in a hook."""

    def __init__(self) -> None:
        super().__init__()
        self.minimum = 1

    def read(self, source: Source, scope: Scope) -> object:
        source.has_forms = True
        if source.form == ONE_BYTE:
            return U8.read(source, scope)
        start = source.offset
        part = cast(int, U16.read(source, scope))
        if part > _LAST_PART and source.form != ANY_PART:
            raise CodecError(start, f"part {part}, and none is above {_LAST_PART}")
        return part

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if sink.form == ONE_BYTE:
            U8.write(sink, value, scope)
            return
        if isinstance(value, int) and value > _LAST_PART and sink.form != ANY_PART:
            raise CodecError(-1, f"part {value}, and none is above {_LAST_PART}")
        U16.write(sink, value, scope)

    def describe(self, value: object) -> object:
        return value


class HookEnd(Codec):
    """The end of a hook: in the form of one byte, zeros up to a multiple of 4 from the start of the record."""

    def label(self) -> str:
        return "padding"

    def read(self, source: Source, scope: Scope) -> object:
        if source.form == ONE_BYTE:
            start = source.offset
            found = source.take(-start % 4)
            if any(found):
                raise CodecError(start, "the padding is not zero")
        return None

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if sink.form == ONE_BYTE:
            sink.data += bytes(-len(sink.data) % 4)


HOOK_PART: Final = HookPart()
HOOK_END: Final = HookEnd()
