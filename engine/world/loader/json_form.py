"""Reads JSON from any author: callers ask for each value by type and range, and a value that does not fit raises
`WorldError` with the file and the key path, like `cells[3].portals[0].poly`.

Fractions are rounded to single precision (physics.md 13.12, "load"), as the client holds them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from engine.files.errors import FileError
from engine.files.json_text import json_value
from engine.files.kinds import WORLD_JSON
from engine.files.reading import read_file
from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3, r24
from engine.world.faults import WorldError

MAX_SINGLE: Final = 3.4028235e38
"""The largest single-precision number as it is written; the text rounds to it."""

_KINDS: Final = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


class JsonNode:
    """One value of a JSON file together with its location."""

    __slots__ = ("file", "key", "value")

    def __init__(self, value: object, file: str, key: str = "") -> None:
        self.value = value
        self.file = file
        self.key = key

    def error(self, reason: str) -> WorldError:
        return WorldError(reason, self.file, self.key or None)

    def _wrong(self, wanted: str) -> WorldError:
        return self.error(f"should be {wanted}, is {_describe(self.value)}")

    def mapping(self) -> Mapping[str, object]:
        if not isinstance(self.value, dict):
            raise self._wrong("an object")
        return self.value

    def has(self, name: str) -> bool:
        return name in self.mapping()

    def field(self, name: str) -> JsonNode:
        found = self.optional(name)
        if found is None:
            raise self.error(f"has no {name!r}")
        return found

    def optional(self, name: str) -> JsonNode | None:
        fields = self.mapping()
        if name not in fields:
            return None
        return JsonNode(fields[name], self.file, f"{self.key}.{name}" if self.key else name)

    def items(self) -> Iterator[JsonNode]:
        if not isinstance(self.value, list):
            raise self._wrong("a list")
        for index, value in enumerate(self.value):
            yield JsonNode(value, self.file, f"{self.key}[{index}]")

    def list_of(self, name: str) -> list[JsonNode]:
        """The entries of an optional list."""
        found = self.optional(name)
        return [] if found is None else list(found.items())

    def exactly(self, count: int) -> list[JsonNode]:
        entries = list(self.items())
        if len(entries) != count:
            raise self.error(f"should have {count} entries, has {len(entries)}")
        return entries

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self._wrong("a text")
        if any("\ud800" <= character <= "\udfff" for character in self.value):
            raise self.error("holds half a character, which cannot be shown")
        return self.value

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self._wrong("true or false")
        return self.value

    def integer(self, low: int, high: int) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self._wrong("a whole number")
        if not low <= self.value <= high:
            raise self.error(f"should be {low} to {high}, is {_describe(self.value)}")
        return self.value

    def number(self, low: float = -MAX_SINGLE, high: float = MAX_SINGLE) -> float:
        """A finite number, as the nearest single-precision one."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self._wrong("a number")
        # Compare before converting: an int may be too large for a float, and NaN compares false.
        if not low <= self.value <= high:
            raise self.error(f"is {_describe(self.value)}, which is out of range")
        return r24(float(self.value))

    def double(self) -> float:
        """A double-precision number, including JSON's extensions: infinities and NaN."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self._wrong("a number")
        try:
            return float(self.value)
        except OverflowError as error:
            raise self.error("is a number of too many digits") from error

    def vec3(self) -> Vec3:
        x, y, z = self.exactly(3)
        return (x.number(), y.number(), z.number())

    def quat(self) -> Quat:
        w, x, y, z = self.exactly(4)
        return (w.number(), x.number(), y.number(), z.number())


def _describe(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool | int | float | str):
        shown = json.dumps(value) if isinstance(value, str) or not _is_huge(value) else "a number of many digits"
        return shown if len(shown) <= 40 else f"{shown[:36]}..."
    return _KINDS.get(type(value), "something else")


def _is_huge(value: float) -> bool:
    return isinstance(value, int) and value.bit_length() > 128


def read_json(path: Path) -> JsonNode:
    """The whole file; a WorldError when it cannot be read or is not JSON."""
    try:
        data = read_file(path, WORLD_JSON)
    except FileError as error:
        raise WorldError(error.reason, str(path)) from error
    return parse_json(data, str(path))


def parse_json(data: bytes, file: str) -> JsonNode:
    try:
        return JsonNode(json_value(data, file), file)
    except FileError as error:
        raise WorldError(error.reason, file) from error
