"""What differs between two versions of a record, field by field, in the form of `describe`.

Lists are aligned before they are compared, so that a thing taken out of a list is one change, and not one for each
thing behind it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from engine.dat.errors import DatError
from engine.dat.ids import DatKind
from engine.dat.records.base import UnknownRecord
from engine.dat.records.catalogue import decode, describe

ALIGNED: Final = 2000
"""Lists longer than this are compared by index: aligning takes the square of their length."""
_SINGLE: Final = struct.Struct("<f")
WHOLE: Final = 64
"""A field that is added or removed with more items than this is shown by their number."""


@dataclass(frozen=True)
class FieldChange:
    """One field; `before` or `after` is None where the field, or the entry of a list, is not there."""

    field: str
    before: object
    after: object


def field_changes(record_id: int, before: bytes | None, after: bytes | None, kind: DatKind) -> list[FieldChange]:
    """The fields that differ; for a record that is not there on one side, or cannot be decoded, a line about it."""
    if before is None or after is None:
        return [FieldChange("record", _size(before), _size(after))]
    try:
        old, new = (decode(record_id, data, kind.file_name, kind) for data in (before, after))
    except DatError:
        return [_bytes_change(before, after)]
    if isinstance(old, UnknownRecord) or isinstance(new, UnknownRecord):
        return [_bytes_change(before, after)]
    found = list(_between("", describe(old), describe(new)))
    return found or [_bytes_change(before, after)]


def _size(data: bytes | None) -> str | None:
    return None if data is None else f"{len(data):,} bytes"


def _bytes_change(before: bytes, after: bytes) -> FieldChange:
    shorter = min(len(before), len(after))
    first = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    old, new = (f"{len(data):,} bytes, {data[first : first + 8].hex(' ') or 'end'}" for data in (before, after))
    return FieldChange(f"bytes from 0x{first:X}", old, new)


def _between(path: str, old: object, new: object) -> Iterator[FieldChange]:
    if old == new and type(old) is type(new):
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in dict.fromkeys([*old, *new]):
            below = f"{path}.{name}" if path else str(name)
            yield from _between(below, old.get(name), new.get(name))
    elif isinstance(old, list) and isinstance(new, list) and not _is_vector(old, new):
        yield from _between_lists(path, old, new)
    elif old != new:
        yield FieldChange(path, _shown(old), _shown(new))


def _is_vector(old: list[object], new: list[object]) -> bool:
    """A point, a quaternion or the like: a few numbers that change together."""
    return len(old) == len(new) <= 4 and all(isinstance(value, float) for value in [*old, *new])


def _between_lists(path: str, old: list[object], new: list[object]) -> Iterator[FieldChange]:
    for old_from, old_to, new_from, new_to in _blocks(old, new):
        paired = min(old_to - old_from, new_to - new_from)
        for step in range(paired):
            yield from _between(f"{path}[{old_from + step}]", old[old_from + step], new[new_from + step])
        for index in range(old_from + paired, old_to):
            yield FieldChange(f"{path}[{index}]", _shown(old[index]), None)
        for index in range(new_from + paired, new_to):
            yield FieldChange(f"{path}[{index}]", None, _shown(new[index]))


def _blocks(old: list[object], new: list[object]) -> Iterator[tuple[int, int, int, int]]:
    """The ranges of both lists that do not match."""
    if max(len(old), len(new)) > ALIGNED:
        yield 0, len(old), 0, len(new)
        return
    matcher = SequenceMatcher(None, [_key(item) for item in old], [_key(item) for item in new], autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag != "equal":
            yield old_from, old_to, new_from, new_to


def _key(item: object) -> str:
    return json.dumps(item, sort_keys=True, default=str)


def _shown(value: object) -> object:
    """The value, or the number of its items where there are too many to show."""
    if isinstance(value, list) and len(value) > WHOLE:
        return f"{len(value):,} items"
    return value


def value_text(value: object) -> str:
    """A value in one line, for people."""
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {value_text(inner)}" for name, inner in value.items() if inner not in (None, [], {}))
    if isinstance(value, list):
        return f"({', '.join(value_text(inner) for inner in value)})"
    return _number(value) if isinstance(value, float) else str(value)


def _number(value: float) -> str:
    """As few digits as a number of 32 bits needs to be told from its neighbours, nine at most."""
    texts = (f"{value:.{digits}g}" for digits in range(6, 10))
    return next((text for text in texts if _SINGLE.pack(float(text)) == _SINGLE.pack(value)), f"{value!r}")
