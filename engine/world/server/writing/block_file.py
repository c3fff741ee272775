"""A file with a server's landblocks that is changed row by row; every other character stays as it is.

    file = BlockFile(text, "A9B4.sql")
    file.move(0x7A9B4003, place, "2024-05-26 19:09:10")
    changed = file.text()

A moved row keeps each number that is still right as it is written; its `@teleloc` comment follows it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.world.server import rows as tables
from engine.world.server.model import Instance, Link, Place
from engine.world.server.rows import Columns
from engine.world.server.sql import Row, ValueProblem, is_null, real_value, text_value, value_spans
from engine.world.server.sql_file import BYTE_ORDER_MARK
from engine.world.server.writing import layout
from engine.world.server.writing.layout import InstanceRow, LinkRow
from engine.world.server.writing.statements import (
    Cut,
    Statement,
    comments_behind,
    cut_statement,
    cuts_of_rows,
    statements_of,
    terminator,
    unit_end,
)

_TELELOC: Final = re.compile(r"/\*\s*@teleloc\s+(0[xX][0-9A-Fa-f]{1,8})\s+\[([^\]]*)\]\s+([^*]*?)\s*\*/")
LINK_CHILD: Final = "is_Link_Child"
NEAR: Final = 0.01
"""Metres between a row and the comment that is taken for its own."""


@dataclass(slots=True)
class _Held:
    """An instance or a link as it stands in the file."""

    statement: Statement
    row: Row
    thing: Instance | Link


class BlockFile:
    """Raises a WorldError for a text that is no SQL; rows that mean nothing are left as they are."""

    def __init__(self, text: str, shown: str) -> None:
        self._mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        self._text = text.removeprefix(BYTE_ORDER_MARK)
        self._statements = list(statements_of(self._text, shown))
        self._instances: dict[int, list[_Held]] = {}
        self._links: dict[tuple[int, int], list[_Held]] = {}
        self._of: dict[int, list[_Held]] = {}
        """What a statement holds, by where it begins."""
        self._values: list[Cut] = []
        self._gone: set[int] = set()
        """Where the rows begin that are to go."""
        self._units: list[str] = []
        self._new_links: dict[int, list[LinkRow]] = {}
        for statement in self._statements:
            columns = Columns(statement.table, statement.columns)
            for row in statement.rows:
                self._take(statement, row, columns)

    def _take(self, statement: Statement, row: Row, columns: Columns) -> None:
        try:
            if statement.table == tables.INSTANCE:
                instance = tables.instance_of(columns.of(row.values), "")
                held = _Held(statement, row, instance)
                self._instances.setdefault(instance.guid, []).append(held)
            else:
                link = tables.link_of(columns.of(row.values), "")
                held = _Held(statement, row, link)
                self._links.setdefault((link.parent, link.child), []).append(held)
        except ValueProblem:
            return
        self._of.setdefault(statement.start, []).append(held)

    # --- what is there

    def instances(self) -> list[Instance]:
        """The instances before the changes, in the order of the file; of those with one id the first."""
        return [held.thing for held, *_ in self._instances.values() if isinstance(held.thing, Instance)]

    def links(self) -> list[Link]:
        """The links before the changes."""
        held = (each for statement in self._statements for each in self._of.get(statement.start, []))
        return [each.thing for each in held if isinstance(each.thing, Link)]

    def modified(self, guid: int) -> str:
        """The time in a row; empty without one."""
        held = self._instances[guid][0]
        at = _column(held.statement, layout.MODIFIED)
        return "" if at is None or is_null(held.row.values[at]) else text_value(held.row.values[at])

    # --- changes

    def move(self, guid: int, place: Place, modified: str = "") -> None:
        """Put an instance elsewhere; without a time its row keeps the one that it has."""
        held = self._instances[guid][0]
        before = tables.instance_of(Columns(tables.INSTANCE, held.statement.columns).of(held.row.values), "").place
        pairs = zip(tables.PLACE_COLUMNS, layout.place_texts(before), layout.place_texts(place), strict=True)
        wanted = {column: new for column, old, new in pairs if new != old}
        written = [
            wanted.get(column, held.row.values[_place_of(held.statement, column)]) for column in tables.PLACE_COLUMNS
        ]
        self._set(held, wanted, modified)
        numbers = [real_value(text) for text in written[1:]]
        for begin, end in self._own_comments(held):
            self._values.append((begin, end, layout.teleloc_text(place.cell_id, numbers)))

    def set_link_child(self, guid: int, value: bool, modified: str = "") -> None:
        held = self._instances[guid][0]
        if _column(held.statement, LINK_CHILD) is not None:
            self._set(held, {LINK_CHILD: str(value)}, modified)

    def remove(self, guid: int) -> None:
        """Take out an instance, and others that have its id."""
        self._gone |= {held.row.start for held in self._instances[guid]}

    def remove_link(self, parent: int, child: int) -> None:
        self._gone |= {held.row.start for held in self._links[parent, child]}

    def rename_child(self, parent: int, child: int, new: int, modified: str = "") -> None:
        """Let the links of two things lead to another id."""
        for held in self._links[parent, child]:
            self._set(held, {"child_GUID": layout.id_text(new)}, modified)

    def add(self, row: InstanceRow, links: Sequence[LinkRow] = ()) -> None:
        """A new instance and its links, behind everything else."""
        self._units.append(layout.unit_text(row, links))

    def add_link(self, row: LinkRow) -> None:
        """A new link of an instance that is there, behind its others."""
        self._new_links.setdefault(row.parent, []).append(row)

    def _set(self, held: _Held, wanted: dict[str, str], modified: str) -> None:
        if modified and _column(held.statement, layout.MODIFIED) is not None:
            wanted = {**wanted, layout.MODIFIED: layout.quoted(modified)}
        spans = value_spans(self._text, held.row)
        for column, text in wanted.items():
            begin, end = spans[_place_of(held.statement, column)]
            if column != LINK_CHILD:
                self._values.append((begin, end, text))
                continue
            padded = f", {self._text[begin:end]:>{layout.WIDTH}}"
            if self._text[end - len(padded) : end] == padded:  # as wide as the tools write it
                begin, text = end - len(padded) + 2, f"{text:>{layout.WIDTH}}"
            self._values.append((begin, end, text))

    # --- the result

    def text(self) -> str:
        """The file as it is to be."""
        cuts = [*self._cuts(), *self._additions()]
        cut_out = sorted((begin, end) for begin, end, text in cuts if not text)
        for begin, end, text in self._values:
            before = bisect_right(cut_out, (begin, len(self._text)))
            if before == 0 or end > cut_out[before - 1][1]:
                cuts.append((begin, end, text))
        pieces: list[str] = [self._mark]
        at = 0
        for begin, end, text in sorted(dict.fromkeys(cuts), key=lambda cut: cut[:2]):
            pieces += [self._text[at:begin], text]
            at = max(at, end)
        return "".join([*pieces, self._text[at:]])

    def _cuts(self) -> Iterator[Cut]:
        for statement in self._statements:
            gone = {row.start for row in statement.rows} & self._gone
            if len(gone) == len(statement.rows):
                yield cut_statement(self._text, statement, self._unit_end(statement))
            elif gone:
                yield from cuts_of_rows(self._text, statement, gone)

    def _unit_end(self, statement: Statement) -> int:
        held = self._of.get(statement.start, [])
        return unit_end(self._text, statement, [span for each in held for span in self._own_comments(each)])

    def _own_comments(self, held: _Held) -> list[tuple[int, int]]:
        """The comment that repeats the place of a row."""
        if not isinstance(held.thing, Instance):
            return []
        for begin, end in comments_behind(self._text, held.row):
            found = _TELELOC.fullmatch(self._text, begin, end)
            if found is not None and _is_of(found, held.thing.place):
                return [(begin, end)]
        return []

    def _additions(self) -> Iterator[Cut]:
        units = list(self._units)
        for parent, links in self._new_links.items():
            statement = self._links_of(parent)
            has_time = statement is not None and _column(statement, layout.MODIFIED) is not None
            if statement is None or (has_time and not all(row.modified for row in links)):
                units.append(layout.links_text(links))
                continue
            text = "".join(f"\n     , {layout.link_values(row, has_time=has_time)}" for row in links)
            at = terminator(self._text, statement)
            yield at, at, self._lines(text)
        if units:
            yield self._appended(units)

    def _links_of(self, parent: int) -> Statement | None:
        """The statement that a parent's new links can be added to: one with links of this parent alone that stays."""
        for statement in self._statements:
            if statement.table == tables.LINK and any(row.start not in self._gone for row in statement.rows):
                of = {held.thing.parent for held in self._of.get(statement.start, []) if isinstance(held.thing, Link)}
                known = {name.lower() for name in layout.LINK_COLUMNS} >= set(map(str.lower, statement.columns))
                if of == {parent} and known and _in_order(statement):
                    return statement
        return None

    def _appended(self, units: Iterable[str]) -> Cut:
        """New statements behind the last one about instances and links."""
        text = self._text
        at = self._unit_end(self._statements[-1]) if self._statements else len(text)
        before = text[:at]
        begin = "" if not before or before.endswith("\n") else "\n"
        added = begin + "".join(f"\n{unit}" for unit in units)
        if at == len(text) and begin:
            added = added.removesuffix("\n")  # the file has no end of line at its end
        return at, at, self._lines(added)

    def _lines(self, text: str) -> str:
        """Lines that end as those of the file do."""
        first = self._text.find("\n")
        return text.replace("\n", "\r\n") if first > 0 and self._text[first - 1] == "\r" else text


def _column(statement: Statement, column: str) -> int | None:
    names = [name.lower() for name in statement.columns]
    return names.index(column.lower()) if column.lower() in names else None


def _place_of(statement: Statement, column: str) -> int:
    return [name.lower() for name in statement.columns].index(column.lower())


def _in_order(statement: Statement) -> bool:
    names = [name.lower() for name in statement.columns]
    return names == [name.lower() for name in layout.LINK_COLUMNS[: len(names)]] and len(names) >= 2


def _is_of(found: re.Match[str], place: Place) -> bool:
    try:
        numbers = [float(part) for part in found[2].split()]
    except ValueError:
        return False
    near = all(abs(one - other) <= NEAR for one, other in zip(numbers, place.origin, strict=False))
    return int(found[1], 16) == place.cell_id and len(numbers) == 3 and near
