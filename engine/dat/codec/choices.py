"""Values that may be absent, that are always the same, or whose class decides the layout."""

from __future__ import annotations

from typing import Any, Final, cast

from engine.dat.codec.base import Codec, Condition, Scope, bound
from engine.dat.codec.stream import CodecError, Sink, Source


class When(Codec):
    """A field that is there only under a condition; otherwise None, or with `or_empty` an empty list or map."""

    def __init__(self, condition: Condition, codec: Codec, or_empty: bool = False) -> None:
        super().__init__()
        self.condition: Final = condition
        self.codec: Final = codec
        self.or_empty: Final = or_empty

    def bind(self, slots: dict[str, int]) -> None:
        self.condition.bind(slots)
        self.codec.bind(slots)

    def read(self, source: Source, scope: Scope) -> object:
        if self.condition.holds(scope.values):
            return self.codec.read(source, scope)
        return self.codec.empty() if self.or_empty else None

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        if self.condition.holds(scope.values):
            if value is None:
                raise CodecError(-1, f"it must be there: {self.condition.text()}")
            self.codec.write(sink, value, scope)
        elif value is not None and not (self.or_empty and value == self.codec.empty()):
            raise CodecError(-1, f"it cannot be there: this takes {self.condition.text()}")

    def describe(self, value: object) -> object:
        return self.codec.describe(value)


class Constant(Codec):
    """A number that is always the same; nothing is known of records in which it is not."""

    def __init__(self, codec: Codec, value: int, name: str) -> None:
        super().__init__()
        self.codec: Final = codec
        self.value: Final = value
        self.name: Final = name
        self.minimum = codec.minimum

    def label(self) -> str:
        return self.name

    def read(self, source: Source, scope: Scope) -> object:
        start = source.offset
        found = self.codec.read(source, scope)
        if found != self.value:
            raise CodecError(start, f"{found} where only {self.value} is known")
        return None

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        self.codec.write(sink, self.value, scope)


class Repeat(Codec):
    """A field of the same record once more."""

    def __init__(self, codec: Codec, name: str) -> None:
        super().__init__()
        self.codec: Final = codec
        self.name: Final = name
        self.slot: int = -1
        self.minimum = codec.minimum

    def label(self) -> str:
        return f"{self.name} again"

    def bind(self, slots: dict[str, int]) -> None:
        self.slot = bound(self.slot, slots[self.name], self.name)

    def read(self, source: Source, scope: Scope) -> object:
        start = source.offset
        found = self.codec.read(source, scope)
        first = scope.values[self.slot]
        if found != first:
            said, repeated = self.codec.describe(first), self.codec.describe(found)
            raise CodecError(start, f"{repeated}, but {self.name} is {said}")
        return None

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        self.codec.write(sink, scope.values[self.slot], scope)


class Choice(Codec):
    """One of several classes; a number in front says which."""

    def __init__(self, number: Codec, name: str, choices: dict[int, Codec], classes: dict[int, type[Any]]) -> None:
        super().__init__()
        self.number: Final = number
        self.name: Final = name
        self.choices: Final = choices
        self.numbers: Final[dict[type[Any], int]] = {cls: key for key, cls in classes.items()}
        self.minimum = number.minimum + min([codec.minimum for codec in choices.values()])

    def read(self, source: Source, scope: Scope) -> object:
        start = source.offset
        number = cast(int, self.number.read(source, scope))
        codec = self.choices.get(number)
        if codec is None:
            raise CodecError(start, f"{self.name} {number} is not known")
        return codec.read(source, scope)

    def write(self, sink: Sink, value: object, scope: Scope) -> None:
        number = self._number(value)
        self.number.write(sink, number, scope)
        self.choices[number].write(sink, value, scope)

    def _number(self, value: object) -> int:
        number = self.numbers.get(type(value))
        if number is None:
            raise CodecError(-1, f"{value!r:.80} has no {self.name}")
        return number

    def codec_of(self, value: object) -> Codec:
        """The codec of a value's class."""
        return self.choices[self._number(value)]

    def describe(self, value: object) -> object:
        number = self._number(value)
        described: dict[str, object] = {self.name: number, "class": type(value).__name__}
        described.update(cast(dict[str, object], self.choices[number].describe(value)))
        return described
