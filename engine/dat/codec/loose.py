"""Values that a file may store in more than one form: alignment, compressed numbers, texts.

dat-format.md 0.4 - 0.7.
"""

from __future__ import annotations

from typing import Final, cast

from engine.dat.codec.base import Codec, Scope
from engine.dat.codec.stream import CodecError, Sink, Source

_LONG_TEXT: Final = 0xFFFF
"""The length word that announces a longer length (0.7)."""


class Align4(Codec):
    """Bytes up to a multiple of 4 from the start of the record; zero unless a file has something else there."""

    def label(self) -> str:
        return "padding"

    def read(self, source: Source, scope: Scope) -> object:
        found = source.take(-source.offset % 4)
        source.note(found, bytes(len(found)))
        return None

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        size = -len(sink.data) % 4
        found = sink.oddity()
        sink.data += found if found is not None and len(found) == size else bytes(size)


class LooseNumber(Codec):
    """A number of which there are a usual form and others."""

    def decode(self, source: Source) -> int:
        raise NotImplementedError

    def encode(self, number: int) -> bytes:
        """The usual form; faults when there is none."""
        raise NotImplementedError

    def read(self, source: Source, scope: Scope) -> object:
        start = source.offset
        number = self.decode(source)
        source.note(source.data[start : source.offset], self.encode(number))
        return number

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if not isinstance(value, int):
            raise CodecError(-1, f"a number is needed, not {value!r}")
        usual = self.encode(value)
        found = sink.oddity()
        sink.data += found if found is not None and self.means(found, value) else usual

    def means(self, found: bytes, number: int) -> bool:
        source = Source(found)
        try:
            return self.decode(source) == number and source.offset == source.end
        except CodecError:
            return False

    def describe(self, value: object) -> object:
        return value


class CompressedUint(LooseNumber):
    """One, two or four bytes for 0 to 0x3FFFFFFF (0.5)."""

    def __init__(self) -> None:
        super().__init__()
        self.minimum = 1

    def decode(self, source: Source) -> int:
        first = source.take(1)[0]
        if not first & 0x80:
            return first
        high = ((first & 0x7F) << 8) | source.take(1)[0]
        if not first & 0x40:
            return high
        return (high & 0x3FFF) << 16 | int.from_bytes(source.take(2), "little")

    def encode(self, number: int) -> bytes:
        if not 0 <= number <= 0x3FFFFFFF:
            raise CodecError(-1, f"{number} is more than a compressed count can say")
        if number <= 0x7F:
            return bytes([number])
        if number <= 0x3FFF:
            return bytes([0x80 | number >> 8, number & 0xFF])
        return bytes([0xC0 | number >> 24, number >> 16 & 0xFF]) + (number & 0xFFFF).to_bytes(2, "little")


class KnownDid(LooseNumber):
    """An id of a known type, stored as the distance from the type's first id (0.6)."""

    def __init__(self, base: int) -> None:
        super().__init__()
        self.base: Final = base
        self.minimum = 2

    def decode(self, source: Source) -> int:
        word = int.from_bytes(source.take(2), "little")
        if not word & 0x8000:
            return self.base + word
        return self.base + ((word & 0x3FFF) << 16 | int.from_bytes(source.take(2), "little"))

    def encode(self, number: int) -> bytes:
        distance = number - self.base
        if not 0 <= distance <= 0x3FFFFFFF:
            raise CodecError(-1, f"0x{number:08X} is not within 0x3FFFFFFF of 0x{self.base:08X}")
        if distance <= 0x3FFF:
            return distance.to_bytes(2, "little")
        return (0x8000 | distance >> 16).to_bytes(2, "little") + (distance & 0xFFFF).to_bytes(2, "little")

    def describe(self, value: object) -> object:
        return f"0x{cast(int, value):08X}"


class TextLength(LooseNumber):
    """16 bits, or 0xFFFF and 32 bits (0.7)."""

    def __init__(self) -> None:
        super().__init__()
        self.minimum = 2

    def decode(self, source: Source) -> int:
        length = int.from_bytes(source.take(2), "little")
        return int.from_bytes(source.take(4), "little") if length == _LONG_TEXT else length

    def encode(self, number: int) -> bytes:
        if number < _LONG_TEXT:
            return number.to_bytes(2, "little")
        return _LONG_TEXT.to_bytes(2, "little") + number.to_bytes(4, "little")


class Text(Codec):
    """A text in Windows-1252, then alignment: `pstr` (0.7)."""

    def __init__(self) -> None:
        super().__init__()
        self.length: Final = TextLength()
        self.padding: Final = Align4()
        self.minimum = self.length.minimum

    def read(self, source: Source, scope: Scope) -> object:
        length = cast(int, self.length.read(source, scope))
        start = source.offset
        data = source.take(length)
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError as error:
            at = error.start
            raise CodecError(start + at, f"0x{data[at]:02X} is not a Windows-1252 character") from None
        self.padding.read(source, scope)
        return text

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if not isinstance(value, str):
            raise CodecError(-1, f"a text is needed, not {value!r:.80}")
        try:
            data = value.encode("cp1252")
        except UnicodeEncodeError as error:
            raise CodecError(-1, f"{value[error.start]!r} is not a Windows-1252 character") from None
        self.length.write(sink, len(data), scope)
        sink.data += data
        self.padding.write(sink, None, scope)

    def describe(self, value: object) -> object:
        return value


class ShortText(Codec):
    """A text in Windows-1252 behind a compressed length, without alignment (0.7)."""

    def __init__(self) -> None:
        super().__init__()
        self.length: Final = CompressedUint()
        self.minimum = self.length.minimum

    def read(self, source: Source, scope: Scope) -> object:
        length = cast(int, self.length.read(source, scope))
        start = source.offset
        data = source.take(length)
        try:
            return data.decode("cp1252")
        except UnicodeDecodeError as error:
            at = error.start
            raise CodecError(start + at, f"0x{data[at]:02X} is no Windows-1252 character") from None

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if not isinstance(value, str):
            raise CodecError(-1, f"a text is needed, not {value!r:.80}")
        try:
            data = value.encode("cp1252")
        except UnicodeEncodeError as error:
            raise CodecError(-1, f"{value[error.start]!r} is no Windows-1252 character") from None
        self.length.write(sink, len(data), scope)
        sink.data += data

    def describe(self, value: object) -> object:
        return value


class WideText(Codec):
    """A text in UTF-16 behind the compressed number of its 16-bit words, without alignment (0.7)."""

    def __init__(self) -> None:
        super().__init__()
        self.length: Final = CompressedUint()
        self.minimum = self.length.minimum

    def read(self, source: Source, scope: Scope) -> object:
        words = cast(int, self.length.read(source, scope))
        # A half of a surrogate pair is kept as it is: the words are the text's, right or wrong.
        return source.take(2 * words).decode("utf-16-le", "surrogatepass")

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if not isinstance(value, str):
            raise CodecError(-1, f"a text is needed, not {value!r:.80}")
        data = value.encode("utf-16-le", "surrogatepass")
        self.length.write(sink, len(data) // 2, scope)
        sink.data += data

    def describe(self, value: object) -> object:
        return value


CUINT: Final = CompressedUint()
TEXT: Final = Text()
SHORT_TEXT: Final = ShortText()
WIDE_TEXT: Final = WideText()
ALIGN4: Final = Align4()
