"""Server data in an SQLite database with the server's own tables."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from engine.files.databases import Database
from engine.files.errors import FileError
from engine.files.kinds import SERVER_DATABASE
from engine.world.faults import ENTITY, Fault, WorldError
from engine.world.server import rows
from engine.world.server.model import BlockContent, Told
from engine.world.server.row_places import RowPlaces
from engine.world.server.tables import MAX_OF_BLOCK, MAX_TEXT, PIECE, TableData, quoted

MAX_ROWS: Final = 5_000_000
"""Of one table; a whole world has 365,183 instances."""
ROW_IDS: Final = ("rowid", "oid", "_rowid_")
"""SQLite's names for the id of a row, each hidden by a column of that name."""


class DatabaseData(TableData):
    """An open database. Which instances stand in which landblock is found out once, and where the rows of a table are
    that has no index; the rest is read when asked for."""

    def __init__(self, path: Path, told: Told | None = None) -> None:
        super().__init__(path.resolve().name, str(path))
        self._places: dict[str, tuple[str, RowPlaces]] = {}
        try:
            self._database = Database(path, SERVER_DATABASE)
            self._take_tables(self._database.tables())
            self._select = {table: self._selected(table) for table in self._tables}
            if told is not None:
                told(0.0, f"Looking through {self.name} …")
            self._guids = self._guids_by_block()
            self._parents = self._links_by_block()
            for number, table in enumerate(self._tables):
                if told is not None:
                    told(number / len(self._tables), f"Looking through {self.name} …")
                self._find_places(table)
        except FileError as error:
            raise WorldError(error.reason, self._where) from error

    def _selected(self, table: str) -> str:
        """The wanted columns as a query names them; texts are cut, so that one value cannot fill the memory."""
        parts: list[str] = []
        for column in rows.COLUMNS[table]:
            if column.lower() not in self._tables[table]:
                parts.append("NULL")
            else:
                parts.append(
                    f'CASE typeof("{column}") WHEN \'text\' THEN substr("{column}", 1, {MAX_TEXT})'
                    f" WHEN 'blob' THEN 'a blob' ELSE \"{column}\" END"
                )
        return ", ".join(parts)

    def _guids_by_block(self) -> dict[int, array[int]]:
        found: dict[int, array[int]] = {}
        query = (
            "SELECT obj_Cell_Id, guid FROM landblock_instance WHERE typeof(obj_Cell_Id) = 'integer'"
            " AND typeof(guid) = 'integer' AND obj_Cell_Id BETWEEN 0 AND 4294967295"
            f" AND guid BETWEEN 0 AND 4294967295 ORDER BY guid LIMIT {MAX_ROWS + 1}"
        )
        count = 0
        for cell_id, guid in self._database.ask(query):
            found.setdefault(cell_id >> 16, array("q")).append(guid)
            count += 1
        if count > MAX_ROWS:
            raise WorldError(f"has more than {MAX_ROWS:,} instances", self._where)
        (whole,) = next(self._database.ask("SELECT count(*) FROM landblock_instance"), (0,))
        if whole > count:
            reason = f"{whole - count:,} rows of landblock_instance have no id or no cell; left out"
            self.faults.append(Fault(0, ENTITY, f"{self.name}: {reason}"))
        return found

    def _links_by_block(self) -> dict[int, array[int]]:
        """Parent and child of the links by turns, under the landblock that the parent's id names."""
        found: dict[int, array[int]] = {}
        if rows.LINK not in self._tables:
            return found
        block_of = {guid: block for block, guids in self._guids.items() for guid in guids}
        query = (
            "SELECT parent_GUID, child_GUID FROM landblock_instance_link WHERE typeof(parent_GUID) = 'integer'"
            f" AND typeof(child_GUID) = 'integer' LIMIT {MAX_ROWS}"
        )
        for parent, child in self._database.ask(query):
            if 0 <= parent <= rows.WORD and 0 <= child <= rows.WORD:
                block = block_of.get(parent, parent >> 12 & 0xFFFF)
                found.setdefault(block, array("q")).extend((parent, child))
        return found

    def _find_places(self, table: str) -> None:
        """Find out where the rows of a table are by the column that they are looked up by, unless it has an index."""
        column = rows.COLUMNS[table][0]
        row_id = next((name for name in ROW_IDS if name not in self._tables[table]), "")
        if table == rows.LINK or not row_id or self._database.has_index(table, column):
            return
        query = (
            f'SELECT "{column}", {row_id} FROM "{table}" WHERE typeof("{column}") = \'integer\'{_kept(table)}'
            f" LIMIT {MAX_ROWS + 1}"
        )
        try:
            places = RowPlaces(self._database.ask(query))
            if len(places) <= MAX_ROWS:
                self._places[table] = (row_id, places)
        except FileError:  # a table without row ids, which has a key; or a damaged one, which is said when it is read
            return

    def _rows(self, table: str, column: str, values: Sequence[int]) -> Iterator[list[str]]:
        if table not in self._tables:
            return
        named = f'"{column}"'
        if table in self._places:
            named, places = self._places[table]
            values = places.of(values)
        for first in range(0, len(values), PIECE):
            piece = values[first : first + PIECE]
            marks = ",".join("?" * len(piece))
            query = (
                f'SELECT {self._select[table]} FROM "{table}" WHERE {named} IN ({marks}){_kept(table)}'
                f" LIMIT {MAX_OF_BLOCK}"
            )
            for row in self._database.ask(query, list(piece)):
                yield [_written(value) for value in row]

    def _instances(self, content: BlockContent) -> Iterable[list[str]]:
        guids = self._guids.get(content.block_id >> 16, array("q"))
        if len(guids) > MAX_OF_BLOCK:
            reason = f"{self.name}: it has {len(guids):,} instances; {MAX_OF_BLOCK:,} are read"
            content.faults.append(Fault(content.block_id, ENTITY, reason))
            guids = guids[:MAX_OF_BLOCK]
        return self._rows(rows.INSTANCE, "guid", guids)

    def _links(self, content: BlockContent) -> Iterable[tuple[int, int]]:
        pairs = self._parents.get(content.block_id >> 16, array("q"))
        return zip(pairs[::2], pairs[1::2], strict=True)

    def landblocks(self) -> list[int]:
        return [block << 16 | 0xFFFF for block in sorted(self._guids)]

    def _distinct(self, table: str, column: str) -> list[int]:
        found = self._database.ask(f'SELECT DISTINCT "{column}" FROM "{table}" ORDER BY 1 LIMIT {MAX_ROWS}')
        return [number for (number,) in found if isinstance(number, int)]

    def counts(self) -> dict[str, int]:
        return {**super().counts(), "instances": sum(map(len, self._guids.values()))}

    def _count(self, table: str) -> int:
        if table not in self._tables:
            return 0
        try:
            return int(next(self._database.ask(f'SELECT count(*) FROM "{table}"'), (0,))[0])
        except FileError:
            return 0

    def close(self) -> None:
        self._database.close()


def _kept(table: str) -> str:
    """A condition for the rows of properties that are kept, and for those whose types are wrong."""
    if table not in rows.KINDS:
        return ""
    column = rows.COLUMNS[table][1]
    kinds = ", ".join(map(str, sorted(rows.KINDS[table])))
    return f' AND (typeof("{column}") <> \'integer\' OR "{column}" IN ({kinds}))'


def _written(value: object) -> str:
    """A value of SQLite's as SQL writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return quoted(value)
    return repr(value)
