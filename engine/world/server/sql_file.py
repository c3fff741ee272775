"""What one SQL file says about landblocks, weenies and encounters."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

from engine.files.errors import FileError
from engine.files.kinds import SERVER_SQL
from engine.files.reading import read_text
from engine.world.faults import ENTITY, Fault, Severity, WorldError
from engine.world.server import rows
from engine.world.server.model import Encounter, Instance, Link, Weenie
from engine.world.server.rows import Columns
from engine.world.server.sql import Insert, ValueProblem, inserts

BYTE_ORDER_MARK: Final = "\ufeff"
MAX_WRONG: Final = 100
"""Faults that are reported one by one; a file with more was not written with care."""


@dataclass(slots=True)
class SqlContent:
    """The objects of a file in its order. Encounters come with the four digits of their landblock."""

    instances: list[Instance] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    weenies: dict[int, Weenie] = field(default_factory=dict)
    encounters: list[tuple[int, Encounter]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def read_sql_file(path: Path, shown: str, tables: Collection[str] = rows.ALL_TABLES, where: int = 0) -> SqlContent:
    """Read a file. `shown` names it in sentences, `where` is the id that its faults belong to.

    A row that is wrong is left out, and a fault names its line; behind a place that is no SQL nothing is read.
    """
    try:
        text = read_text(path, SERVER_SQL)
    except FileError as error:
        content = SqlContent()
        content.faults.append(Fault(where, ENTITY, f"{shown}: {error.reason}; nothing of it is used"))
        return content
    return parse_sql(text.removeprefix(BYTE_ORDER_MARK), shown, tables, where)


def parse_sql(text: str, shown: str, tables: Collection[str] = rows.ALL_TABLES, where: int = 0) -> SqlContent:
    """The content of a file's text."""
    content = SqlContent()
    try:
        for insert in inserts(text, shown, tables):
            _take(content, insert, shown, where)
            if len(content.faults) > MAX_WRONG:
                del content.faults[MAX_WRONG:]
                reason = f"{shown}: more than {MAX_WRONG} rows are wrong; the rest of the file is not read"
                content.faults.append(Fault(where, ENTITY, reason))
                break
    except WorldError as error:
        content.faults.append(Fault(where, ENTITY, f"{error}; nothing behind it is used"))
    return content


@lru_cache(maxsize=200)
def _columns_of(table: str, columns: tuple[str, ...]) -> Columns:
    return Columns(table, columns)


def _take(content: SqlContent, insert: Insert, shown: str, where: int) -> None:
    try:
        columns = _columns_of(insert.table, tuple(insert.columns))
    except WorldError as error:
        content.faults.append(Fault(where, ENTITY, f"{shown}: line {insert.line}: {error.reason}; left out"))
        return
    for row in insert.rows:
        source = f"{shown}: line {row.line}"
        try:
            flaw = _take_row(content, insert.table, columns.of(row.values), source)
        except ValueProblem as problem:
            flaw = f"in a row of {insert.table} {problem}"
        if flaw:
            content.faults.append(Fault(where, ENTITY, f"{source}: {flaw}; left out"))
            if len(content.faults) > MAX_WRONG:
                return


def _take_row(content: SqlContent, table: str, values: list[str], source: str) -> str:
    """Why a row cannot be used; empty when it was taken."""
    if table == rows.INSTANCE:
        content.instances.append(rows.instance_of(values, source))
    elif table == rows.LINK:
        content.links.append(rows.link_of(values, source))
    elif table == rows.ENCOUNTER:
        content.encounters.append(rows.encounter_of(values, source))
    elif table == rows.WEENIE:
        weenie = rows.weenie_of(values, source)
        content.weenies[weenie.wcid] = weenie
    else:
        owner = content.weenies.get(rows.owner_of(values))
        if owner is None:
            return f"a row of {table} is for weenie {rows.owner_of(values)}, which is not in the file before it"
        rows.add_property(owner, table, values)
    return ""


def notice(where: int, reason: str) -> Fault:
    """A fault that only surprises."""
    return Fault(where, ENTITY, reason, Severity.INFO)
