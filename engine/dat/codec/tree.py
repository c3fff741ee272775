"""Trees of tagged nodes (dat-format.md 3.3).

The tag of a node says which fields it has. A field with the codec `CHILD` is a node again; there `Tree` itself goes
down, with one Python frame for each level.
"""

from __future__ import annotations

from typing import Any, Final, cast

from engine.dat.codec.base import Codec, Entries, Scope
from engine.dat.codec.record import Layout, Run
from engine.dat.codec.stream import CodecError, Sink, Source

MAX_DEPTH: Final = 512
"""The deepest tree that is read or written. Ours, not the format's: real trees are some dozen levels deep, and everyone
who walks a tree does so by recursion, which Python ends near 1,000."""

_TAG_SIZE: Final = 4


class Child(Codec):
    """Marks a field that is a node of the same tree."""


CHILD: Final = Child()


class Shape:
    """The fields of the nodes with one tag, and what stands in the attributes that these nodes do not have."""

    def __init__(self, names: list[str], defaults: list[object], entries: Entries) -> None:
        self.layout: Final = Layout(names, entries)
        self.runs: list[Run] = self.layout.runs
        self.is_child: list[bool] = [isinstance(run.fields[0].codec, Child) for run in self.runs]
        described = {"tag"}
        for name, _ in entries:
            described.add(name)
        self.absent: list[int] = [slot for slot, name in enumerate(names) if name not in described]
        self.absent_lists: list[int] = [slot for slot in self.absent if isinstance(defaults[slot], list)]
        self.template: list[object] = self.layout.blank()
        for slot in self.absent:
            self.template[slot] = defaults[slot]

    def blank(self) -> list[object]:
        values = self.template.copy()
        for slot in self.absent_lists:
            values[slot] = []
        return values


class Tree(Codec):
    """The root node of a tree, as an object of a class with an attribute `tag` that alone makes a node without fields.

    Tags without a shape of their own have the shape `other`; those in `refused` are an error, and why.
    """

    def __init__(self, cls: type[Any], shapes: dict[str, Entries], other: Entries, refused: dict[str, str]) -> None:
        super().__init__()
        self.cls: Final = cls
        self.names: list[str] = list(cls.__match_args__)
        self.tag_slot: int = self.names.index("tag")
        fieldless = cls(tag="")
        self.defaults: list[object] = [getattr(fieldless, name) for name in self.names]
        self.shapes: dict[str, Shape] = {tag: Shape(self.names, self.defaults, shapes[tag]) for tag in shapes}
        self.other: Final = Shape(self.names, self.defaults, other)
        self.refused: Final = refused
        self.minimum = _TAG_SIZE

    def shape_of(self, tag: str, offset: int) -> Shape:
        reason = self.refused.get(tag)
        if reason is not None:
            raise CodecError(offset, reason)
        shape = self.shapes.get(tag)
        return self.other if shape is None else shape

    def read(self, source: Source, scope: Scope) -> object:
        return self._read_node(source, scope, 1)

    def _read_node(self, source: Source, scope: Scope, depth: int) -> object:
        start = source.offset
        if depth > MAX_DEPTH:
            raise CodecError(start, f"the tree is more than {MAX_DEPTH} nodes deep")
        # A big-endian character constant, stored little-endian: the characters are reversed (3.3).
        tag = source.take(_TAG_SIZE)[::-1].decode("latin-1")
        shape = self.shape_of(tag, start)
        values = shape.blank()
        values[self.tag_slot] = tag
        inner = Scope(shape.layout.slots, values, scope)
        for at, run in enumerate(shape.runs):
            if not shape.is_child[at]:
                run.read(source, inner)
                continue
            field = run.fields[0]
            try:
                values[field.slot] = self._read_node(source, inner, depth + 1)
            except CodecError as error:
                error.path.append(field.label)
                raise
        if shape.layout.hidden:
            del values[len(self.names) :]
        return cast(object, self.cls(*values))

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        self._write_node(sink, value, scope, 1)

    def _write_node(self, sink: Sink, node: object, scope: Scope, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise CodecError(-1, f"the tree is more than {MAX_DEPTH} nodes deep")
        if not isinstance(node, self.cls):
            raise CodecError(-1, f"a {self.cls.__name__} is needed, not {node!r:.80}")
        shape = self._write_tag(sink, node)
        inner = Scope(shape.layout.slots, shape.layout.gather(node), scope)
        for at, run in enumerate(shape.runs):
            if not shape.is_child[at]:
                run.write(sink, inner)
                continue
            field = run.fields[0]
            try:
                self._write_node(sink, inner.values[field.slot], inner, depth + 1)
            except CodecError as error:
                error.path.append(field.label)
                raise

    def _write_tag(self, sink: Sink, node: object) -> Shape:
        tag = cast(str, getattr(node, self.names[self.tag_slot]))
        characters = tag.encode("latin-1", "replace")
        if len(characters) != _TAG_SIZE or characters.decode("latin-1") != tag:
            error = CodecError(-1, f"a tag has {_TAG_SIZE} characters of one byte, {tag!r} has not")
            error.path.append("tag")
            raise error
        shape = self.shape_of(tag, len(sink.data))
        for slot in shape.absent:
            name = self.names[slot]
            if getattr(node, name) != self.defaults[slot]:
                error = CodecError(-1, f"a {tag} node has none")
                error.path.append(name)
                raise error
        sink.data += characters[::-1]
        return shape

    def describe(self, value: object) -> object:
        tag = cast(str, getattr(value, self.names[self.tag_slot]))
        described: dict[str, object] = {"tag": tag}
        for field in self.shape_of(tag, -1).layout.fields:
            if field.slot >= len(self.names):
                continue
            found = getattr(value, field.name)
            if isinstance(field.codec, Child):
                described[field.name] = self.describe(found)
            else:
                described[field.name] = field.codec.describe(found)
        return described
