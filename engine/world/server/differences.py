"""What differs between two sources of server data: instances, links, encounters and weenies, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NamedTuple

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.kinds import SERVER_SQL
from engine.files.reading import read_file
from engine.geometry.vec import r24
from engine.world.cells.ids import cell_text
from engine.world.faults import Fault
from engine.world.server import rows
from engine.world.server.model import BlockContent, Encounter, Instance, Place, ServerData, Weenie

Fields = Mapping[str, object]
Names = Callable[[int], str]

CLASS: Final = "weenie_Class_Id"
CELL: Final = "obj_Cell_Id"
LINK_CHILD: Final = "is_Link_Child"
AT_ONCE: Final = 1000
"""Weenies that are read with one query of a database."""


class ValueChange(NamedTuple):
    """One column or property; None where it is not there."""

    field: str
    before: object
    after: object


@dataclass(frozen=True)
class RowDifference:
    """A row that is not the same, or not there, in one of two sources. `where` is the landblock or weenie whose row it
    is."""

    table: str
    where: int
    title: str
    change: str
    """changed, added or removed."""
    fields: tuple[ValueChange, ...]


# --- as fields


def instance_fields(instance: Instance) -> dict[str, object]:
    return {CLASS: instance.wcid, **place_fields(instance.place), LINK_CHILD: instance.is_link_child}


def place_fields(place: Place) -> dict[str, object]:
    numbers = zip(rows.PLACE_COLUMNS[1:], map(r24, (*place.origin, *place.rotation)), strict=True)
    return {CELL: cell_text(place.cell_id), **{name: number + 0.0 for name, number in numbers}}


def weenie_fields(weenie: Weenie) -> dict[str, object]:
    """The properties that are kept, by the ends of their tables' names and their types: `int 93`."""
    found: dict[str, object] = {"class_Name": weenie.class_name, "type": weenie.type}
    for name, properties in asdict(weenie).items():
        if name == "generates":
            found["generator"] = list(weenie.generates) or None
        elif name == "positions":
            for kind, place in weenie.positions.items():
                found |= {f"position {kind} {field}": value for field, value in place_fields(place).items()}
        elif isinstance(properties, dict):
            found |= {f"{name.removesuffix('s')} {kind}": value for kind, value in properties.items()}
    return found


def changes_of(before: Fields | None, after: Fields | None) -> Iterator[ValueChange]:
    """The fields that differ; of a row that is only in one, all."""
    for name in dict.fromkeys([*(before or ()), *(after or ())]):
        old, new = (None if side is None else side.get(name) for side in (before, after))
        if old != new:
            yield ValueChange(name, old, new)


def difference(table: str, where: int, title: str, before: Fields | None, after: Fields | None) -> RowDifference | None:
    """None when both are the same."""
    fields = tuple(changes_of(before, after))
    if not fields and (before is None) == (after is None):
        return None
    change = "added" if before is None else "removed" if after is None else "changed"
    return RowDifference(table, where, title, change, fields)


# --- landblocks


def block_differences(
    block_id: int,
    before: BlockContent,
    after: BlockContent,
    names: Names,
    more: tuple[Mapping[int, Fields], Mapping[int, Fields]] = ({}, {}),
) -> Iterator[RowDifference]:
    """The instances, by their ids, and the links that differ. `names` tells the names of weenies, `more` has further
    fields of each side's instances."""
    old, new = ({each.guid: each for each in side.instances} for side in (before, after))
    for guid in sorted({*old, *new}):
        one, other = (
            None if guid not in side else {**instance_fields(side[guid]), **further.get(guid, {})}
            for side, further in zip((old, new), more, strict=True)
        )
        standing = new.get(guid) or old[guid]
        found = difference(rows.INSTANCE, block_id, f"{cell_text(guid)} {names(standing.wcid)}", one, other)
        if found is not None:
            yield found
    was, now = ({(each.parent, each.child): each for each in side.links} for side in (before, after))
    for parent, child in sorted(was.keys() ^ now.keys()):
        there = (parent, child) in now
        title = f"{cell_text(parent)} to {cell_text(child)}"
        yield RowDifference(rows.LINK, block_id, title, "added" if there else "removed", ())


def encounter_differences(
    block_id: int, before: Iterable[Encounter], after: Iterable[Encounter], names: Names
) -> Iterator[RowDifference]:
    old, new = ([(each.cell_x, each.cell_y, each.wcid) for each in side] for side in (before, after))
    for key in sorted({*old, *new}):
        count = new.count(key) - old.count(key)
        title = f"{names(key[2])} ({key[2]}) in the cell {key[0]}, {key[1]}"
        for _ in range(abs(count)):
            yield RowDifference(rows.ENCOUNTER, block_id, title, "added" if count > 0 else "removed", ())


# --- whole sources


def source_differences(before: ServerData, after: ServerData) -> Iterator[RowDifference | Fault]:
    """Everything that differs, landblock by landblock, then weenie by weenie, and what of that cannot be read. What is
    not kept of weenies is not compared: it concerns nothing that stands somewhere."""

    def names(wcid: int) -> str:
        weenie = after.weenie(wcid) or before.weenie(wcid)
        return "" if weenie is None else weenie.name

    told = len(before.faults), len(after.faults)
    for block_id in sorted({*before.landblocks(), *after.landblocks()}):
        check_cancelled()
        files = {block_id, *before.strays_into(block_id), *after.strays_into(block_id)}
        if not all(_are_same(before.block_file(each), after.block_file(each)) for each in files):
            old, new = before.block(block_id), after.block(block_id)
            yield from block_differences(block_id, old, new, names)
            yield from (*old.faults, *new.faults)
    for block_id in sorted({*before.encounter_blocks(), *after.encounter_blocks()}):
        check_cancelled()
        yield from encounter_differences(block_id, before.encounters(block_id), after.encounters(block_id), names)
    yield from _weenie_differences(before, after)
    yield from (*before.faults[told[0] :], *after.faults[told[1] :])


def _weenie_differences(before: ServerData, after: ServerData) -> Iterator[RowDifference]:
    both = sorted({*before.weenies(), *after.weenies()})
    for first in range(0, len(both), AT_ONCE):
        check_cancelled()
        piece = both[first : first + AT_ONCE]
        piece = [wcid for wcid in piece if not _are_same(before.weenie_file(wcid), after.weenie_file(wcid))]
        before.prepare(piece)
        after.prepare(piece)
        for wcid in piece:
            old, new = before.weenie(wcid), after.weenie(wcid)
            shown = new or old
            if shown is not None:
                sides = (None if each is None else weenie_fields(each) for each in (old, new))
                found = difference(rows.WEENIE, wcid, f"{wcid} {shown.name}", *sides)
                if found is not None:
                    yield found


def _are_same(one: Path | None, other: Path | None) -> bool:
    """Whether two files have the same bytes; one that cannot be read is a fault when its rows are."""
    if one is None or other is None:
        return False
    try:
        return one == other or read_file(one, SERVER_SQL) == read_file(other, SERVER_SQL)
    except FileError:
        return False
