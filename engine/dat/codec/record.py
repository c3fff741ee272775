"""Records: named fields in the order of the file, joined into as few struct calls as their kinds allow."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final, cast

from engine.dat.codec.base import Codec, Entries, Scope
from engine.dat.codec.choices import When
from engine.dat.codec.numbers import is_suspect
from engine.dat.codec.stream import CodecError, Sink, Source


class Field:
    """One entry of a description: where its value is kept and what it is called in errors."""

    def __init__(self, name: str, codec: Codec, slot: int) -> None:
        self.name: Final = name
        self.codec: Final = codec
        self.slot: Final = slot
        self.label: Final = name.lstrip("#") or codec.label()
        self.at: int = 0

    def read(self, source: Source, scope: Scope) -> None:
        try:
            scope.values[self.slot] = self.codec.read(source, scope)
        except CodecError as error:
            error.path.append(self.label)
            raise

    def write(self, sink: Sink, scope: Scope) -> None:
        try:
            self.codec.write(sink, scope.values[self.slot], scope)
        except CodecError as error:
            error.path.append(self.label)
            raise


class Run:
    """Neighbouring fields: either all of fixed size, in one struct, or a single one that is not."""

    def __init__(self, fields: list[Field]) -> None:
        self.fields: Final = fields
        self.fixed: Final = fields[0].codec.format != ""
        packer = struct.Struct("<" + "".join([field.codec.format for field in fields]))
        self.size: Final = packer.size
        self.has_floats: Final = "f" in packer.format
        self.packer: Final = packer
        self.unpack: Callable[[bytes, int], tuple[Any, ...]] = packer.unpack_from
        at = 0
        for field in fields:
            field.at = at
            at += field.codec.arity

    def read(self, source: Source, scope: Scope) -> None:
        if not self.fixed:
            self.fields[0].read(source, scope)
            return
        if self.size <= source.end - source.offset:
            flat = self.unpack(source.data, source.offset)
            if not self.has_floats or not is_suspect(flat):
                source.offset += self.size
                values = scope.values
                for field in self.fields:
                    values[field.slot] = field.codec.build(flat, field.at)
                return
        # Something may be wrong, or a NaN among them, and one by one they say what.
        for field in self.fields:
            field.read(source, scope)

    def write(self, sink: Sink, scope: Scope) -> None:
        if not self.fixed:
            self.fields[0].write(sink, scope)
            return
        flat: list[object] = []
        try:
            for field in self.fields:
                field.codec.flatten(scope.values[field.slot], flat)
            sink.data += self.packer.pack(*flat)
        except (CodecError, struct.error, OverflowError, TypeError):
            for field in self.fields:
                field.write(sink, scope)


class Layout:
    """A description made ready: which attribute each field is, and which fields stand together.

    `names` are the attributes of the record class in the order of its constructor; a description may have them in
    another order, and counts, padding and constants besides.
    """

    def __init__(self, names: list[str], entries: Entries) -> None:
        self.names: Final = names
        self.entries: Final = entries
        self.fields: list[Field] = []
        self.hidden: list[Field] = []
        self.slots: dict[str, int] = {name: slot for slot, name in enumerate(names)}
        self.minimum: int = 0
        for name, codec in entries:
            self._add(name, codec)
        for field in self.fields:
            field.codec.bind(self.slots)
        self.runs: list[Run] = self._join()

    def _add(self, name: str, codec: Codec) -> None:
        if name and not name.startswith("#"):
            field = Field(name, codec, self.slots[name])
        else:
            field = Field(name, codec, len(self.names) + len(self.hidden))
            self.hidden.append(field)
            if name:
                self.slots[name] = field.slot
        self.fields.append(field)
        self.minimum += codec.minimum

    def _join(self) -> list[Run]:
        groups: list[list[Field]] = []
        for field in self.fields:
            if field.codec.format and groups and groups[-1][0].codec.format:
                groups[-1].append(field)
            else:
                groups.append([field])
        return [Run(group) for group in groups]

    def is_fixed(self) -> bool:
        return len(self.runs) == 1 and self.runs[0].fixed and not self.hidden

    def blank(self) -> list[object]:
        return [None] * (len(self.names) + len(self.hidden))

    def read(self, source: Source, scope: Scope) -> None:
        for run in self.runs:
            run.read(source, scope)

    def write(self, sink: Sink, scope: Scope) -> None:
        for run in self.runs:
            run.write(sink, scope)

    def gather(self, record: object) -> list[object]:
        """The values of a record's attributes, and the counts of its lists."""
        values: list[object] = [getattr(record, name) for name in self.names]
        for field in self.hidden:
            values.append(self._count(field, values))
        return values

    def _count(self, field: Field, values: list[object]) -> object:
        if not field.name:
            return None
        counted = values[self.slots[field.label]]
        count = len(counted) if isinstance(counted, (list, dict, bytes)) else 0
        if count == 0 and isinstance(field.codec, When) and not field.codec.condition.holds(values):
            return None
        return count

    def describe(self, record: object) -> dict[str, object]:
        found: dict[str, object] = {}
        for field in self.fields:
            if field.slot < len(self.names):
                value = getattr(record, field.name)
                found[field.name] = None if value is None else field.codec.describe(value)
        return found


class Record(Codec):
    """An object of a class with these fields."""

    def __init__(self, cls: type[Any], entries: Entries) -> None:
        super().__init__()
        self.cls: Final = cls
        # The positional fields of a dataclass.
        self.layout: Final = Layout(list(cls.__match_args__), entries)
        self.minimum = self.layout.minimum
        described = {name for name, _ in entries}
        forgotten = [name for name in self.layout.names if name not in described]
        assert not forgotten, f"{cls.__name__}: {forgotten} not described"
        if self.layout.is_fixed():
            for field in self.layout.fields:
                self.format += field.codec.format
                self.arity += field.codec.arity

    def read(self, source: Source, scope: Scope | None) -> object:
        layout = self.layout
        values = layout.blank()
        layout.read(source, Scope(layout.slots, values, scope))
        if layout.hidden:
            del values[len(layout.names) :]
        return cast(object, self.cls(*values))

    def write(self, sink: Sink, value: object, scope: Scope | None) -> None:
        layout = self.layout
        layout.write(sink, Scope(layout.slots, layout.gather(self.checked(value)), scope))

    def checked(self, value: object) -> object:
        if not isinstance(value, self.cls):
            raise CodecError(-1, f"a {self.cls.__name__} is needed, not {value!r:.80}")
        return value

    def build(self, flat: tuple[Any, ...], at: int) -> object:
        layout = self.layout
        values = layout.blank()
        for field in layout.fields:
            values[field.slot] = field.codec.build(flat, at + field.at)
        return cast(object, self.cls(*values))

    def flatten(self, value: object, flat: list[object]) -> None:
        self.checked(value)
        for field in self.layout.fields:
            field.codec.flatten(getattr(value, field.name), flat)

    def describe(self, value: object) -> object:
        return self.layout.describe(value)
