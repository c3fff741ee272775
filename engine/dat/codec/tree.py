"""Trees of tagged nodes (dat-format.md 3.3).

The tag of a node says which fields it has. A field with the codec `CHILD` is a node again. `Tree` goes down with a list
of the nodes that are open and not by recursion: a tree is as deep as its record has bytes for, and no record may end
the program.
"""

from __future__ import annotations

from typing import Any, Final, cast

from engine.dat.codec.base import Codec, Entries, Scope
from engine.dat.codec.record import Field, Layout, Run
from engine.dat.codec.stream import CodecError, Sink, Source

DESCRIBED_DEPTH: Final = 100
"""Levels of a tree that its readable form has, each within the one above; what reads JSON goes down by recursion. Real
trees are some dozen levels deep."""

NAMED_LEVELS: Final = 16
"""Levels that an error names, from the root and from the place; those between are counted."""

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


class Opened:
    """A node of which some fields are read or written, and the others are not yet."""

    def __init__(self, shape: Shape, scope: Scope, node: object) -> None:
        self.shape: Final = shape
        self.scope: Final = scope
        self.node: Final = node
        self.at: int = 0

    def read_to_child(self, source: Source) -> Field | None:
        """Read the fields up to the next child; None at the end of the node."""
        runs, is_child = self.shape.runs, self.shape.is_child
        while self.at < len(runs):
            run = runs[self.at]
            child = is_child[self.at]
            self.at += 1
            if child:
                return run.fields[0]
            run.read(source, self.scope)
        return None

    def write_to_child(self, sink: Sink) -> Field | None:
        """Write the fields up to the next child; None at the end of the node."""
        runs, is_child = self.shape.runs, self.shape.is_child
        while self.at < len(runs):
            run = runs[self.at]
            child = is_child[self.at]
            self.at += 1
            if child:
                return run.fields[0]
            run.write(sink, self.scope)
        return None

    def put(self, child: object) -> None:
        """The child that the reading stopped for."""
        self.scope.values[self.shape.runs[self.at - 1].fields[0].slot] = child

    def child_name(self) -> str:
        return self.shape.runs[self.at - 1].fields[0].label


class Tree(Codec):
    """The root node of a tree, as an object of a class with an attribute `tag` that alone makes a node without fields.

    Tags without a shape of their own have the shape `other`.
    """

    def __init__(self, cls: type[Any], shapes: dict[str, Entries], other: Entries) -> None:
        super().__init__()
        self.cls: Final = cls
        self.names: list[str] = list(cls.__match_args__)
        self.tag_slot: int = self.names.index("tag")
        fieldless = cls(tag="")
        self.defaults: list[object] = [getattr(fieldless, name) for name in self.names]
        self.shapes: dict[str, Shape] = {tag: Shape(self.names, self.defaults, shapes[tag]) for tag in shapes}
        self.other: Final = Shape(self.names, self.defaults, other)
        self.minimum = _TAG_SIZE

    def shape_of(self, tag: str) -> Shape:
        shape = self.shapes.get(tag)
        return self.other if shape is None else shape

    def read(self, source: Source, scope: Scope) -> object:
        waiting: list[Opened] = []
        try:
            opened = self._open_read(source, scope)
            while True:
                child = opened.read_to_child(source)
                if child is not None:
                    waiting.append(opened)
                    opened = self._open_read(source, opened.scope)
                    continue
                node = self._made(opened)
                if not waiting:
                    return node
                opened = waiting.pop()
                opened.put(node)
        except CodecError as error:
            _name_levels(error, waiting)
            raise

    def _open_read(self, source: Source, scope: Scope) -> Opened:
        # A big-endian character constant, stored little-endian: the characters are reversed (3.3).
        tag = source.take(_TAG_SIZE)[::-1].decode("latin-1")
        shape = self.shape_of(tag)
        values = shape.blank()
        values[self.tag_slot] = tag
        return Opened(shape, Scope(shape.layout.slots, values, scope), None)

    def _made(self, opened: Opened) -> object:
        values = opened.scope.values
        if opened.shape.layout.hidden:
            del values[len(self.names) :]
        return cast(object, self.cls(*values))

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        waiting: list[Opened] = []
        above: set[int] = set()
        try:
            opened = self._open_write(sink, value, scope, above)
            while True:
                child = opened.write_to_child(sink)
                if child is not None:
                    waiting.append(opened)
                    opened = self._open_write(sink, opened.scope.values[child.slot], opened.scope, above)
                    continue
                above.discard(id(opened.node))
                if not waiting:
                    return
                opened = waiting.pop()
        except CodecError as error:
            _name_levels(error, waiting)
            raise

    def _open_write(self, sink: Sink, node: object, scope: Scope, above: set[int]) -> Opened:
        if not isinstance(node, self.cls):
            raise CodecError(-1, f"a {self.cls.__name__} is needed, not {node!r:.80}")
        if id(node) in above:
            raise CodecError(-1, "the node is below itself")
        above.add(id(node))
        shape = self._write_tag(sink, node)
        return Opened(shape, Scope(shape.layout.slots, shape.layout.gather(node), scope), node)

    def _write_tag(self, sink: Sink, node: object) -> Shape:
        tag = cast(str, getattr(node, self.names[self.tag_slot]))
        characters = tag.encode("latin-1", "replace")
        if len(characters) != _TAG_SIZE or characters.decode("latin-1") != tag:
            error = CodecError(-1, f"a tag has {_TAG_SIZE} characters of one byte, {tag!r} has not")
            error.path.append("tag")
            raise error
        shape = self.shape_of(tag)
        for slot in shape.absent:
            name = self.names[slot]
            if getattr(node, name) != self.defaults[slot]:
                error = CodecError(-1, f"a {tag} node has none")
                error.path.append(name)
                raise error
        sink.data += characters[::-1]
        return shape

    def describe(self, value: object) -> object:
        return self._describe(value, DESCRIBED_DEPTH)

    def _describe(self, node: object, levels: int) -> dict[str, object]:
        tag = cast(str, getattr(node, self.names[self.tag_slot]))
        described: dict[str, object] = {"tag": tag}
        fields = self.shape_of(tag).layout.fields
        if levels == 0:
            described["nodes below"] = self._count(node) - 1
            return described
        for field in fields:
            if field.slot >= len(self.names):
                continue
            found = getattr(node, field.name)
            if isinstance(field.codec, Child):
                described[field.name] = self._describe(found, levels - 1)
            else:
                described[field.name] = field.codec.describe(found)
        return described

    def _count(self, root: object) -> int:
        """The nodes of a tree."""
        count = 0
        waiting = [root]
        while waiting:
            node = waiting.pop()
            count += 1
            shape = self.shape_of(cast(str, getattr(node, self.names[self.tag_slot])))
            children = [field.name for field in shape.layout.fields if isinstance(field.codec, Child)]
            waiting.extend([getattr(node, name) for name in children])
        return count


def _name_levels(error: CodecError, waiting: list[Opened]) -> None:
    """Add the fields that lead to a place, the innermost first."""
    last = len(waiting) - 1
    for level in range(last, -1, -1):
        if NAMED_LEVELS <= level <= last - NAMED_LEVELS:
            if level == NAMED_LEVELS:
                error.path.append(f"({last - 2 * NAMED_LEVELS + 1} nodes)")
            continue
        error.path.append(waiting[level].child_name())
