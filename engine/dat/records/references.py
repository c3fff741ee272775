"""The ids of other records in a record, found by its description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from engine.dat.codec.base import Codec
from engine.dat.codec.choices import Choice, When
from engine.dat.codec.lists import Fixed, List, Map
from engine.dat.codec.loose import KnownDid
from engine.dat.codec.numbers import DID, Group
from engine.dat.codec.record import Record
from engine.dat.ids import MAX_ID
from engine.dat.records.base import DatRecord
from engine.dat.records.catalogue import description_of


class Reference(NamedTuple):
    """An id, and the field that holds it: `bases[0x02000001].parts[3].model_id`."""

    field: str
    id: int


def references(record: DatRecord) -> Iterator[Reference]:
    """Every id in the record but its own, in the order of the file; 0 and 0xFFFFFFFF mean none."""
    for found in _walk(description_of(record), record, ""):
        if found.field != "id" and found.id not in (0, MAX_ID):
            yield found


def _walk(codec: Codec, value: object, field: str) -> Iterator[Reference]:
    if value is None or not _may_refer(codec):
        return
    if codec is DID or isinstance(codec, KnownDid):
        yield Reference(field, cast(int, value))
    elif isinstance(codec, Record):
        for part in codec.layout.fields:
            if part.slot < len(codec.layout.names):
                name = f"{field}.{part.name}" if field else part.name
                yield from _walk(part.codec, getattr(value, part.name), name)
    elif isinstance(codec, When):
        yield from _walk(codec.codec, value, field)
    elif isinstance(codec, Choice):
        yield from _walk(codec.codec_of(value), value, field)
    elif isinstance(codec, Map):
        for key, element in cast(dict[object, object], value).items():
            place = f"{field}[{codec.key.describe(key)}]"
            yield from _walk(codec.key, key, place)
            yield from _walk(codec.value, element, place)
    elif isinstance(codec, List | Fixed):
        for index, element in enumerate(cast(list[object], value)):
            yield from _walk(codec.items.item, element, f"{field}[{index}]")
    elif isinstance(codec, Group):
        for index, inner in enumerate(codec.parts):
            yield from _walk(inner, cast(tuple[object, ...], value)[index], f"{field}[{index}]")


_known: dict[Codec, bool] = {}


def _may_refer(codec: Codec) -> bool:
    """Whether there can be an id in a value at all: lists of colours and of corners need not be walked."""
    known = _known.get(codec)
    if known is None:
        known = _known[codec] = codec is DID or isinstance(codec, KnownDid) or any(map(_may_refer, _inner(codec)))
    return known


def _inner(codec: Codec) -> list[Codec]:
    if isinstance(codec, Record):
        return [field.codec for field in codec.layout.fields]
    if isinstance(codec, When):
        return [codec.codec]
    if isinstance(codec, Choice):
        return list(codec.choices.values())
    if isinstance(codec, Map):
        return [codec.key, codec.value]
    if isinstance(codec, List | Fixed):
        return [codec.items.item]
    return list(codec.parts) if isinstance(codec, Group) else []
