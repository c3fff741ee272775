"""Lists, maps and runs of bytes (dat-format.md 0.3)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Any, Final, cast

from engine.dat.codec.base import Codec, Scope, Size
from engine.dat.codec.numbers import DID, U32, Group, Number, Vector, is_suspect
from engine.dat.codec.stream import CodecError, Sink, Source

_KEPT_STRUCTS: Final = 256
"""Lists up to this length keep their struct; the longer ones are rare."""


class Items:
    """Any number of values of one kind, one after the other."""

    def __init__(self, item: Codec) -> None:
        assert item.minimum > 0, "a list of nothing could have any length"
        self.item: Final = item
        self.kept: dict[int, Callable[[bytes, int], tuple[Any, ...]]] = {}
        self.each: Final = struct.Struct("<" + item.format)
        self.has_floats: Final = "f" in item.format
        self.is_number: Final = isinstance(item, Number)
        self.is_vector: Final = isinstance(item, Vector)

    def check(self, source: Source, count: int) -> None:
        """Before anything is allocated."""
        if count < 0:
            raise CodecError(source.offset, f"{count} is not a number of entries")
        left = source.end - source.offset
        if count * self.item.minimum > left:
            least = count * self.item.minimum
            raise CodecError(source.offset, f"{count} entries take at least {least} bytes, {left} are left")

    def read(self, source: Source, scope: Scope, count: int) -> list[object]:
        self.check(source, count)
        if self.item.format and count:
            start = source.offset
            items = self._read_numbers(source, count) if self.is_number else self._read_groups(source, count)
            if items is not None:
                source.offset = start + count * self.item.minimum
                return items
        return self._read_each(source, scope, count)

    def _read_numbers(self, source: Source, count: int) -> list[object] | None:
        """Read the numbers by one struct call; None if there may be NaNs among them."""
        if self.item.minimum == 1 and self.item.format == "B":
            return list(source.data[source.offset : source.offset + count])
        unpack = self.kept.get(count)
        if unpack is None:
            unpack = struct.Struct(f"<{count}{self.item.format}").unpack_from
            if count <= _KEPT_STRUCTS:
                self.kept[count] = unpack
        flat = unpack(source.data, source.offset)
        if self.has_floats and is_suspect(flat):
            return None
        return list(flat)

    def _read_groups(self, source: Source, count: int) -> list[object] | None:
        """Read each item by one struct call; None if there may be NaNs among them."""
        item = self.item
        data = source.data[source.offset : source.offset + count * item.minimum]
        items: list[object] = []
        for flat in self.each.iter_unpack(data):
            if self.has_floats and is_suspect(flat):
                return None
            items.append(flat if self.is_vector else item.build(flat, 0))
        return items

    def _read_each(self, source: Source, scope: Scope, count: int) -> list[object]:
        item = self.item
        items: list[object] = []
        try:
            for _ in range(count):
                items.append(item.read(source, scope))  # noqa: PERF401 - the length so far is the place of a fault
        except CodecError as error:
            error.path.append(f"[{len(items)}]")
            raise
        return items

    def write(self, sink: Sink, scope: Scope, items: list[object]) -> None:
        done = 0
        try:
            for item in items:
                self.item.write(sink, item, scope)
                done += 1
        except CodecError as error:
            error.path.append(f"[{done}]")
            raise

    def describe(self, items: list[object]) -> list[object]:
        return [self.item.describe(item) for item in items]


class Sequence(Codec):
    """The count that a list, a map and a run of bytes share.

    It stands directly in front (`prefix`), or was given before as a field or by the length of another list (`size`).
    """

    def __init__(self, count: Codec | Size) -> None:
        super().__init__()
        self.prefix: Codec | None = None
        self.size: Size | None = None
        if isinstance(count, Size):
            self.size = count
        else:
            self.prefix = count
            self.minimum = count.minimum

    def bind(self, slots: dict[str, int]) -> None:
        if self.size is not None:
            self.size.bind(slots)
        self.bind_items(slots)

    def bind_items(self, slots: dict[str, int]) -> None:
        """For the names that the items refer to."""

    def read_count(self, source: Source, scope: Scope) -> int:
        if self.prefix is not None:
            return cast(int, self.prefix.read(source, scope))
        assert self.size is not None
        return self.size.value(scope)

    def write_count(self, sink: Sink, scope: Scope, count: int) -> None:
        if self.prefix is not None:
            self.prefix.write(sink, count, scope)
            return
        assert self.size is not None
        asked = self.size.value(scope)
        if asked != count:
            raise CodecError(-1, f"{count} entries, but {self.size.name} asks for {asked}")


class List(Sequence):
    """A list of values of one kind."""

    def __init__(self, count: Codec | Size, item: Codec) -> None:
        super().__init__(count)
        self.items: Final = Items(item)

    def bind_items(self, slots: dict[str, int]) -> None:
        self.items.item.bind(slots)

    def read(self, source: Source, scope: Scope) -> object:
        return self.items.read(source, scope, self.read_count(source, scope))

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if not isinstance(value, list):
            raise CodecError(-1, f"a list is needed, not {value!r:.80}")
        self.write_count(sink, scope, len(value))
        self.items.write(sink, scope, value)

    def describe(self, value: object) -> object:
        return self.items.describe(cast(list[object], value))

    def empty(self) -> object:
        return []


class Fixed(Codec):
    """A list that always has the same length."""

    def __init__(self, count: int, item: Codec) -> None:
        super().__init__()
        self.count: Final = count
        self.items: Final = Items(item)
        self.minimum = count * item.minimum

    def read(self, source: Source, scope: Scope) -> object:
        return self.items.read(source, scope, self.count)

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if not isinstance(value, list) or len(value) != self.count:
            raise CodecError(-1, f"a list of {self.count} is needed, not {value!r:.80}")
        self.items.write(sink, scope, value)

    def describe(self, value: object) -> object:
        return self.items.describe(cast(list[object], value))


class Pair(Codec):
    """A key and its value, as an entry of a map."""

    def __init__(self, key: Number, value: Codec) -> None:
        super().__init__()
        self.key: Final = key
        self.value: Final = value
        self.minimum = key.minimum + value.minimum

    def read(self, source: Source, scope: Scope) -> object:
        key = self.key.read(source, scope)
        return key, self.value.read(source, scope)

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        key, element = cast(tuple[object, object], value)
        self.key.write(sink, key, scope)
        self.value.write(sink, element, scope)


class Map(Sequence):
    """A dictionary, in the order of the file. The same key twice is a fault: one of the two would be lost."""

    def __init__(self, count: Codec | Size, key: Number, value: Codec) -> None:
        super().__init__(count)
        self.key: Final = key
        self.value: Final = value
        self.items: Final = Items(Group([key, value]) if value.format else Pair(key, value))

    def bind_items(self, slots: dict[str, int]) -> None:
        self.value.bind(slots)

    def read(self, source: Source, scope: Scope) -> object:
        count = self.read_count(source, scope)
        start = source.offset
        found: dict[object, object] = {}
        for entry in self.items.read(source, scope, count):
            key, value = cast(tuple[object, object], entry)
            if key in found:
                raise CodecError(start, f"the key {self.key.describe(key)} twice")
            found[key] = value
        return found

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if not isinstance(value, dict):
            raise CodecError(-1, f"a dictionary is needed, not {value!r:.80}")
        self.write_count(sink, scope, len(value))
        self.items.write(sink, scope, list(value.items()))

    def describe(self, value: object) -> object:
        described: dict[str, object] = {}
        for key, element in cast(dict[object, object], value).items():
            described[str(self.key.describe(key))] = self.value.describe(element)
        return described

    def empty(self) -> object:
        return {}


class Blob(Sequence):
    """Bytes as they are."""

    def read(self, source: Source, scope: Scope) -> object:
        count = self.read_count(source, scope)
        if count < 0:
            raise CodecError(source.offset, f"{count} is not a number of bytes")
        return source.take(count)

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if not isinstance(value, bytes):
            raise CodecError(-1, f"bytes are needed, not {value!r:.80}")
        self.write_count(sink, scope, len(value))
        sink.data += value

    def describe(self, value: object) -> object:
        data = cast(bytes, value)
        return {"bytes": len(data), "crc32": f"0x{zlib.crc32(data):08X}"}


def list32(item: Codec) -> List:
    return List(U32, item)


def map32(key: Number, value: Codec) -> Map:
    return Map(U32, key, value)


def ids32() -> List:
    return List(U32, DID)
