"""Rows of the server's tables turned into objects of the model. Both SQL files and databases come through here.

A row is a tuple of written values in the order of the columns that were named; `Columns` finds them by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from engine.world.faults import WorldError
from engine.world.server import model
from engine.world.server.model import Encounter, Instance, Link, Place, Weenie
from engine.world.server.sql import (
    ValueProblem,
    is_null,
    real_value,
    text_value,
    truth_value,
    whole_value,
)

INSTANCE: Final = "landblock_instance"
LINK: Final = "landblock_instance_link"
ENCOUNTER: Final = "encounter"
WEENIE: Final = "weenie"
INT: Final = "weenie_properties_int"
BOOL: Final = "weenie_properties_bool"
FLOAT: Final = "weenie_properties_float"
STRING: Final = "weenie_properties_string"
DID: Final = "weenie_properties_d_i_d"
IID: Final = "weenie_properties_i_i_d"
POSITION: Final = "weenie_properties_position"
GENERATOR: Final = "weenie_properties_generator"

PROPERTY_TABLES: Final = (INT, BOOL, FLOAT, STRING, DID, IID, POSITION, GENERATOR)
WEENIE_TABLES: Final = frozenset({WEENIE, *PROPERTY_TABLES})
BLOCK_TABLES: Final = frozenset({INSTANCE, LINK})
ALL_TABLES: Final = frozenset({*WEENIE_TABLES, *BLOCK_TABLES, ENCOUNTER})

PLACE_COLUMNS: Final = (
    "obj_Cell_Id",
    "origin_X",
    "origin_Y",
    "origin_Z",
    "angles_W",
    "angles_X",
    "angles_Y",
    "angles_Z",
)
COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    INSTANCE: ("guid", "weenie_Class_Id", *PLACE_COLUMNS, "is_Link_Child"),
    LINK: ("parent_GUID", "child_GUID"),
    ENCOUNTER: ("landblock", "weenie_Class_Id", "cell_X", "cell_Y"),
    WEENIE: ("class_Id", "class_Name", "type"),
    INT: ("object_Id", "type", "value"),
    BOOL: ("object_Id", "type", "value"),
    FLOAT: ("object_Id", "type", "value"),
    STRING: ("object_Id", "type", "value"),
    DID: ("object_Id", "type", "value"),
    IID: ("object_Id", "type", "value"),
    POSITION: ("object_Id", "position_Type", *PLACE_COLUMNS),
    GENERATOR: ("object_Id", "weenie_Class_Id"),
}
"""The columns of each table that are read, in the order in which the functions below take them."""
KINDS: Final[dict[str, frozenset[int]]] = {
    INT: model.INTS,
    BOOL: model.BOOLS,
    FLOAT: model.FLOATS,
    STRING: model.STRINGS,
    DID: model.DIDS,
    IID: model.IIDS,
    POSITION: model.POSITIONS,
}
"""The types of properties that are kept, in the second column of their tables."""
OPTIONAL: Final = frozenset({"is_Link_Child"})

WORD: Final = 0xFFFFFFFF
MAX_GENERATED: Final = 1000
"""Classes that are kept of one generator."""

T = TypeVar("T")


class Columns:
    """Finds the wanted columns of a table among those that a statement names, in any order and case."""

    def __init__(self, table: str, named: Sequence[str]) -> None:
        places = {name.lower(): index for index, name in enumerate(named)}
        self._places: list[tuple[str, int | None]] = []
        for column in COLUMNS[table]:
            place = places.get(column.lower())
            if place is None and column not in OPTIONAL:
                raise WorldError(f"has rows of {table} without the column {column}")
            self._places.append((column, place))

    def of(self, values: Sequence[str]) -> list[str]:
        """The wanted values of a row; an optional one that is missing is NULL."""
        return ["NULL" if place is None else values[place] for _, place in self._places]


def _read(column: str, convert: Callable[[str], T], written: str) -> T:
    try:
        return convert(written)
    except ValueProblem as problem:
        raise ValueProblem(f"its {column} {problem}") from problem


def _id(column: str, written: str) -> int:
    number = _read(column, whole_value, written)
    if not 0 <= number <= WORD:
        raise ValueProblem(f"its {column} is {written[:40]}; ids have 32 bits")
    return number


def _real(column: str, written: str) -> float:
    number = _read(column, real_value, written)
    if not math.isfinite(number):
        raise ValueProblem(f"its {column} is {written[:40]}, no number")
    return number


def _place(values: Sequence[str]) -> Place:
    numbers = [_real(PLACE_COLUMNS[index], values[index]) for index in range(1, 8)]
    x, y, z, w, i, j, k = numbers
    return Place(_id("obj_Cell_Id", values[0]), (x, y, z), (w, i, j, k))


def instance_of(values: Sequence[str], source: str) -> Instance:
    """A row of landblock_instance; a ValueProblem says what is wrong with it."""
    is_child = not is_null(values[10]) and _read("is_Link_Child", truth_value, values[10])
    guid, wcid = _id("guid", values[0]), _id("weenie_Class_Id", values[1])
    return Instance(guid, wcid, _place(values[2:10]), is_child, source)


def link_of(values: Sequence[str], source: str) -> Link:
    return Link(_id("parent_GUID", values[0]), _id("child_GUID", values[1]), source)


def encounter_of(values: Sequence[str], source: str) -> tuple[int, Encounter]:
    """The landblock's four digits, and what may live in one of its cells."""
    block = _id("landblock", values[0])
    x, y = _read("cell_X", whole_value, values[2]), _read("cell_Y", whole_value, values[3])
    if block > 0xFFFF or not (0 <= x <= 8 and 0 <= y <= 8):
        raise ValueProblem(f"it names the cell {values[2][:12]}, {values[3][:12]} of landblock {values[0][:12]}")
    return block, Encounter(_id("weenie_Class_Id", values[1]), x, y, source)


def weenie_of(values: Sequence[str], source: str) -> Weenie:
    kind = 0 if is_null(values[2]) else _read("type", whole_value, values[2])
    return Weenie(_id("class_Id", values[0]), text_value(values[1])[:200], kind, source)


def owner_of(values: Sequence[str]) -> int:
    """The weenie that a row of its properties belongs to."""
    return _id("object_Id", values[0])


def add_property(weenie: Weenie, table: str, values: Sequence[str]) -> None:
    """Keep a property if anything depends on it."""
    if table == GENERATOR:
        if len(weenie.generates) < MAX_GENERATED:
            weenie.generates.append(_id("weenie_Class_Id", values[1]))
        return
    column = "position_Type" if table == POSITION else "type"
    kind = _read(column, whole_value, values[1])
    if table == POSITION:
        if kind in model.POSITIONS:
            weenie.positions[kind] = _place(values[2:])
        return
    value = values[2]
    if is_null(value):
        return
    if table == INT and kind in model.INTS:
        weenie.ints[kind] = _read("value", whole_value, value)
    elif table == BOOL and kind in model.BOOLS:
        weenie.bools[kind] = _read("value", truth_value, value)
    elif table == FLOAT and kind in model.FLOATS:
        weenie.floats[kind] = _real("value", value)
    elif table == STRING and kind in model.STRINGS:
        weenie.strings[kind] = text_value(value)[:1000]
    elif table == DID and kind in model.DIDS:
        weenie.dids[kind] = _id("value", value)
    elif table == IID and kind in model.IIDS:
        weenie.iids[kind] = _id("value", value)
