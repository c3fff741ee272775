"""Numbers and fixed groups of numbers (dat-format.md 0.3)."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any, Final, cast

from engine.dat.codec.base import Codec, Scope
from engine.dat.codec.stream import CodecError, Sink, Source

_KINDS: Final = {
    "B": "an unsigned 8-bit number",
    "b": "a signed 8-bit number",
    "H": "an unsigned 16-bit number",
    "h": "a signed 16-bit number",
    "I": "an unsigned 32-bit number",
    "i": "a signed 32-bit number",
    "f": "a 32-bit float",
    "d": "a 64-bit float",
}


def is_suspect(flat: tuple[Any, ...]) -> bool:
    """Whether there may be a NaN among the numbers: any NaN makes the sum one (and so do opposite infinities)."""
    total = cast(float, sum(flat))
    return total != total


def describe_number(value: object, digits: int) -> object:
    if isinstance(value, float):
        # JSON has no infinities and no NaN.
        return value if math.isfinite(value) else str(value)
    return f"0x{cast(int, value):0{digits}X}" if digits else value


class Number(Codec):
    """One number; `digits` of hexadecimal when it is an id or a set of flags, 0 when it is a plain number."""

    def __init__(self, kind: str, digits: int = 0) -> None:
        super().__init__()
        packer = struct.Struct("<" + kind)
        self.minimum = packer.size
        self.format = kind
        self.arity = 1
        self.digits: Final = digits
        self.unpack: Callable[[bytes, int], tuple[Any, ...]] = packer.unpack_from
        self.pack: Callable[[object], bytes] = packer.pack

    def read(self, source: Source, scope: Scope) -> object:
        source.need(self.minimum)
        value = self.unpack(source.data, source.offset)[0]
        if self.format == "f" and value != value:
            source.keep_signalling(source.offset, 1)
        source.offset += self.minimum
        return cast(object, value)

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        try:
            sink.data += self.pack(value)
        except (struct.error, OverflowError, TypeError):
            raise CodecError(len(sink.data), f"{value!r} is not {_KINDS[self.format]}") from None

    def build(self, flat: tuple[Any, ...], at: int) -> object:
        return cast(object, flat[at])

    def flatten(self, value: object, flat: list[object]) -> None:
        flat.append(value)

    def describe(self, value: object) -> object:
        return describe_number(value, self.digits)


class Vector(Codec):
    """A tuple of numbers of the same kind."""

    def __init__(self, kind: str, arity: int, digits: int = 0) -> None:
        super().__init__()
        packer = struct.Struct(f"<{arity}{kind}")
        self.minimum = packer.size
        self.format = kind * arity
        self.arity = arity
        self.kind: Final = kind
        self.digits: Final = digits
        self.unpack: Callable[[bytes, int], tuple[Any, ...]] = packer.unpack_from
        self.packer: struct.Struct = packer

    def read(self, source: Source, scope: Scope) -> object:
        source.need(self.minimum)
        flat = self.unpack(source.data, source.offset)
        if self.kind == "f" and is_suspect(flat):
            source.keep_signalling(source.offset, self.arity)
        source.offset += self.minimum
        return flat

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        flat: list[object] = []
        self.flatten(value, flat)
        try:
            sink.data += self.packer.pack(*flat)
        except (struct.error, OverflowError, TypeError):
            raise CodecError(len(sink.data), f"one of {value!r} is not {_KINDS[self.kind]}") from None

    def build(self, flat: tuple[Any, ...], at: int) -> object:
        return flat[at : at + self.arity]

    def flatten(self, value: object, flat: list[object]) -> None:
        if not isinstance(value, (tuple, list)) or len(value) != self.arity:
            raise CodecError(-1, f"{self.arity} numbers are needed, not {value!r}")
        flat.extend(value)

    def describe(self, value: object) -> object:
        return [describe_number(number, self.digits) for number in cast(tuple[object, ...], value)]


class Group(Codec):
    """A tuple of values of different kinds, all of fixed size."""

    def __init__(self, parts: list[Codec]) -> None:
        super().__init__()
        self.parts: Final = parts
        for part in parts:
            assert part.format, "only values of fixed size can stand in a group"
            self.minimum += part.minimum
            self.format += part.format
            self.arity += part.arity

    def read(self, source: Source, scope: Scope) -> object:
        elements: list[object] = [part.read(source, scope) for part in self.parts]
        return tuple(elements)

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        elements = self.checked(value)
        for at, part in enumerate(self.parts):
            part.write(sink, elements[at], scope)

    def build(self, flat: tuple[Any, ...], at: int) -> object:
        values: list[object] = []
        for part in self.parts:
            values.append(part.build(flat, at))
            at += part.arity
        return tuple(values)

    def flatten(self, value: object, flat: list[object]) -> None:
        elements = self.checked(value)
        for at, part in enumerate(self.parts):
            part.flatten(elements[at], flat)

    def checked(self, value: object) -> list[object]:
        if not isinstance(value, (tuple, list)) or len(value) != len(self.parts):
            raise CodecError(-1, f"{len(self.parts)} values are needed, not {value!r}")
        return list(value)

    def describe(self, value: object) -> object:
        elements = self.checked(value)
        return [part.describe(elements[at]) for at, part in enumerate(self.parts)]


U8: Final = Number("B")
U16: Final = Number("H")
U32: Final = Number("I")
I16: Final = Number("h")
I32: Final = Number("i")
F32: Final = Number("f")
F64: Final = Number("d")

DID: Final = Number("I", 8)
"""A record or cell id."""

FLAGS8: Final = Number("B", 2)
FLAGS16: Final = Number("H", 4)
FLAGS32: Final = Number("I", 8)

WORD_ID: Final = Number("H", 4)
"""The low word of an id."""

COLOR: Final = Number("I", 8)
"""0xAARRGGBB."""

VEC3: Final = Vector("f", 3)
QUAT: Final = Vector("f", 4)
UV: Final = Vector("f", 2)
PLANE: Final = Group([VEC3, F32])
SPHERE: Final = Group([VEC3, F32])
