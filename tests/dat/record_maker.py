"""Random well-formed records, made from the descriptions themselves: anything that a description allows can appear.

The chooser decides everything, so a seeded one always makes the same records, and hypothesis can pass one that it
shrinks.
"""

from __future__ import annotations

import random
import struct
from typing import Any, cast

from engine.dat.codec.base import Codec, Scope, Size
from engine.dat.codec.choices import Choice, Constant, Repeat, When
from engine.dat.codec.forms import HookEnd, HookPart
from engine.dat.codec.lists import Blob, Fixed, List, Map, Sequence
from engine.dat.codec.loose import Align4, KnownDid, ShortText, Text, WideText
from engine.dat.codec.numbers import Group, Number, Vector
from engine.dat.codec.record import Field, Layout, Record
from engine.dat.codec.tree import Child, Tree
from engine.dat.ids import RecordType
from engine.dat.records import DatRecord
from engine.dat.records.catalogue import DESCRIPTIONS
from engine.dat.records.textures import PixelFormat

RECORD_TYPES = list(DESCRIPTIONS)

COUNTS = {"num_parts"}
"""Fields that state the length of lists without being the count of one."""

LIKELY = {"sides_type": [0, 1, 2], "pixel_format": [int(value) for value in PixelFormat], "has_drawing_bsp": [0, 1]}
"""Values that decide which other fields exist, and that would rarely come up at random."""

ODD_TAGS = ["BpIn", "BPOL", "BPFL", "ZZZZ", "\x00\xff\x80A"]
"""Tags of nodes without children."""

EDGES = [0x00000000, 0x80000000, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFFFFFFFF, 0x00000001, 0x7F7FFFFF]
"""Bit patterns of floats: zeros, one, infinities, quiet NaNs with a payload, the smallest and the largest."""

LETTERS = "abc XYZ '-ß€Ž"
WIDE_LETTERS = "abc é€日\U0001f600"


class RecordMaker:
    """Makes records; lists have up to `longest` entries, trees up to `deepest` levels."""

    def __init__(self, chooser: random.Random, longest: int = 3, deepest: int = 4) -> None:
        self.chooser = chooser
        self.longest = longest
        self.deepest = deepest

    def make(self, record_type: RecordType) -> DatRecord:
        record = self.record(DESCRIPTIONS[record_type], None)
        assert isinstance(record, DatRecord)
        return record

    def record(self, codec: Record, outer: Scope | None) -> object:
        values = self._fields(codec.layout, outer, codec.layout.blank())
        return codec.cls(*values[: len(codec.layout.names)])

    def _fields(self, layout: Layout, outer: Scope | None, values: list[Any]) -> list[Any]:
        scope = Scope(layout.slots, values, outer)
        for field in layout.fields:
            values[field.slot] = self._field(field, scope)
        return values

    def _field(self, field: Field, scope: Scope) -> object:
        if field.name.startswith("#") or field.name in COUNTS:
            absent = isinstance(field.codec, When) and not field.codec.condition.holds(scope.values)
            return None if absent else self.chooser.randint(0, self.longest)
        if field.name in LIKELY and self.chooser.random() < 0.8:
            return self.chooser.choice(LIKELY[field.name])
        return self.value(field.codec, scope)

    def value(self, codec: Codec, scope: Scope) -> object:
        """A value of any codec; `scope` holds the values of the preceding fields."""
        if isinstance(codec, Number):
            return self.number(codec.format)
        if isinstance(codec, Vector):
            return tuple(self.number(codec.kind) for _ in range(codec.arity))
        if isinstance(codec, Group):
            return tuple(self.value(part, scope) for part in codec.parts)
        if isinstance(codec, Record):
            return self.record(codec, scope)
        if isinstance(codec, When):
            if codec.condition.holds(scope.values):
                return self.value(codec.codec, scope)
            return codec.codec.empty() if codec.or_empty else None
        if isinstance(codec, (Constant, Repeat, Align4, HookEnd)):
            return None
        if isinstance(codec, Tree):
            return self.node(codec, scope, 1)
        if isinstance(codec, Choice):
            return self.value(self.chooser.choice(list(codec.choices.values())), scope)
        if isinstance(codec, HookPart):
            return self.chooser.choice([0, 1, 255])
        if isinstance(codec, KnownDid):
            return codec.base + self.chooser.choice([0, 0x3FFF, 0x4000, 0x12345, 0x3FFFFFFF])
        if isinstance(codec, WideText):
            return "".join(self.chooser.choice(WIDE_LETTERS) for _ in range(self.chooser.randint(0, 6)))
        if isinstance(codec, (Text, ShortText)):
            return "".join(self.chooser.choice(LETTERS) for _ in range(self.chooser.randint(0, 6)))
        return self._several(codec, scope)

    def _several(self, codec: Codec, scope: Scope) -> object:
        if isinstance(codec, Fixed):
            return [self.value(codec.items.item, scope) for _ in range(codec.count)]
        assert isinstance(codec, Sequence), f"no way to make a {type(codec).__name__}"
        count = self._count(codec.size, scope)
        if isinstance(codec, Map):
            pairs = ((self.value(codec.key, scope), self.value(codec.value, scope)) for _ in range(count))
            return self._dictionary(dict(pairs), count, codec, scope)
        if isinstance(codec, List):
            return [self.value(codec.items.item, scope) for _ in range(count)]
        assert isinstance(codec, Blob)
        return self.chooser.getrandbits(8 * count).to_bytes(count, "little") if count else b""

    def _count(self, size: Size | None, scope: Scope) -> int:
        return self.chooser.randint(0, self.longest) if size is None else size.value(scope)

    def _dictionary(self, found: dict[object, object], count: int, codec: Map, scope: Scope) -> dict[object, object]:
        """A map of the requested size, all keys different."""
        while codec.size is not None and len(found) < count:
            found[1000 + len(found)] = self.value(codec.value, scope)
        return found

    def node(self, codec: Tree, scope: Scope, depth: int) -> object:
        with_children = [tag for tag, shape in codec.shapes.items() if any(shape.is_child)]
        if depth < self.deepest and self.chooser.random() < 0.7:
            tag = self.chooser.choice(with_children)
        else:
            tag = self.chooser.choice(["LEAF", "LEAF", *ODD_TAGS])
        shape = codec.shape_of(tag)
        values = shape.blank()
        values[codec.tag_slot] = tag
        inner = Scope(shape.layout.slots, values, scope)
        for field in shape.layout.fields:
            child = isinstance(field.codec, Child)
            values[field.slot] = self.node(codec, inner, depth + 1) if child else self._field(field, inner)
        return cast(object, codec.cls(*values[: len(codec.names)]))

    def number(self, kind: str) -> int | float:
        if kind in "fd":
            return self._float(kind)
        bits = 8 * struct.calcsize("<" + kind)
        low, high = (0, (1 << bits) - 1) if kind.isupper() else (-(1 << bits - 1), (1 << bits - 1) - 1)
        if self.chooser.random() < 0.3:
            return self.chooser.choice([0, 1, low, high])
        return self.chooser.randint(low, high)

    def _float(self, kind: str) -> float:
        if kind == "d":
            return self.chooser.choice([0.0, -0.0, 1.5, 1e300, float("inf"), float("nan"), self.chooser.random()])
        bits = self.chooser.choice(EDGES) if self.chooser.random() < 0.3 else self.chooser.getrandbits(32)
        if bits & 0x7F800000 == 0x7F800000 and bits & 0x7FFFFF:
            bits |= 0x400000  # no float of Python's is a signalling NaN
        return cast(float, struct.unpack("<f", struct.pack("<I", bits))[0])


def id_of(record: DatRecord) -> int:
    """The id under which to read the record again; a Surface does not store its own."""
    return cast(int, getattr(record, "id", 0x08000001))
