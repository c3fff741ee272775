"""The base of all codecs, the fields that are being read or written, and references to them."""

from __future__ import annotations

from typing import Any, Final, cast

from engine.dat.codec.stream import Sink, Source

Entries = list[tuple[str, "Codec"]]
"""A description: field names and codecs in the order of the file."""


class Scope:
    """The values of one record while it is read or written, and the record around it.

    `slots` says where a name's value is; for `#name` that is the count.
    """

    def __init__(self, slots: dict[str, int], values: list[object], outer: Scope | None) -> None:
        self.slots: dict[str, int] = slots
        self.values: list[object] = values
        self.outer: Scope | None = outer


class Codec:
    """The codec of one kind of value.

    `minimum` is the fewest bytes that a value takes, which exposes an absurd count before anything is allocated.
    `format` is the struct format of codecs whose values always take the same bytes, else empty; those are joined into
    one struct call with their neighbours, where they appear as `arity` flat values.
    """

    def __init__(self) -> None:
        self.minimum: int = 0
        self.format: str = ""
        self.arity: int = 0

    def read(self, source: Source, scope: Scope) -> object:
        raise NotImplementedError

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        raise NotImplementedError

    def build(self, flat: tuple[Any, ...], at: int) -> object:
        """The value of the flat values from `at`; only with a `format`."""
        raise NotImplementedError

    def flatten(self, value: object, flat: list[object]) -> None:
        """The reverse of `build`."""
        raise NotImplementedError

    def bind(self, slots: dict[str, int]) -> None:
        """Look up the names of the record's own fields that this codec refers to."""

    def describe(self, value: object) -> object:
        """The value in numbers, texts, lists and dicts only."""
        raise NotImplementedError

    def empty(self) -> object:
        """Represents an absent list or map."""
        raise NotImplementedError

    def label(self) -> str:
        """The name that errors give to a field without one."""
        return ""


def bound(before: int, slot: int, name: str) -> int:
    """A slot that a name was found in. A reference serves one record only, or records that have the same slots."""
    assert before in (-1, slot), f"the reference to {name} is used in two records"
    return slot


class Size:
    """The length of a list, or the value of a number, that was read before: of this record or of the one around it."""

    def __init__(self, name: str, in_outer: bool = False) -> None:
        self.name: Final = name
        self.in_outer: Final = in_outer
        self.slot: int = -1

    def bind(self, slots: dict[str, int]) -> None:
        if not self.in_outer:
            self.slot = bound(self.slot, self.find(slots), self.name)

    def find(self, slots: dict[str, int]) -> int:
        count = slots.get("#" + self.name)
        return slots[self.name] if count is None else count

    def value(self, scope: Scope) -> int:
        if not self.in_outer:
            found = scope.values[self.slot]
        else:
            outer = scope.outer
            assert outer is not None, f"nothing around holds {self.name}"
            found = outer.values[self.find(outer.slots)]
        if isinstance(found, list):
            return len(found)
        return cast(int, found)


def as_number(value: object) -> int:
    """Read a field that selects others; if it is no number, the fault is that of this field."""
    return value if isinstance(value, int) else 0


class Condition:
    """Whether a field is present, decided by fields before it."""

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.slot: int = -1

    def bind(self, slots: dict[str, int]) -> None:
        self.slot = bound(self.slot, slots[self.name], self.name)

    def holds(self, values: list[object]) -> bool:
        raise NotImplementedError

    def text(self) -> str:
        raise NotImplementedError


class Bits(Condition):
    """Any of the bits is set; with `clear`, none is."""

    def __init__(self, name: str, mask: int, clear: bool = False) -> None:
        super().__init__(name)
        self.mask: Final = mask
        self.clear: Final = clear

    def holds(self, values: list[object]) -> bool:
        return (as_number(values[self.slot]) & self.mask == 0) == self.clear

    def text(self) -> str:
        return f"{self.name} {'without' if self.clear else 'with'} 0x{self.mask:X}"


class NotZero(Condition):
    """The number is not 0."""

    def holds(self, values: list[object]) -> bool:
        return as_number(values[self.slot]) != 0

    def text(self) -> str:
        return f"{self.name} not 0"


class OneOf(Condition):
    """The number is one of these."""

    def __init__(self, name: str, numbers: list[int]) -> None:
        super().__init__(name)
        self.numbers: Final = numbers

    def holds(self, values: list[object]) -> bool:
        return as_number(values[self.slot]) in self.numbers

    def text(self) -> str:
        return f"{self.name} of {', '.join([f'0x{number:X}' for number in self.numbers])}"


class Both(Condition):
    """Both hold."""

    def __init__(self, first: Condition, second: Condition) -> None:
        super().__init__(first.name)
        self.first: Final = first
        self.second: Final = second

    def bind(self, slots: dict[str, int]) -> None:
        self.first.bind(slots)
        self.second.bind(slots)

    def holds(self, values: list[object]) -> bool:
        return self.first.holds(values) and self.second.holds(values)

    def text(self) -> str:
        return f"{self.first.text()} and {self.second.text()}"
