"""Server data in an SQLite database with the server's own tables."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from engine.files.databases import Database
from engine.files.errors import FileError
from engine.files.kinds import SERVER_DATABASE
from engine.world.faults import ENTITY, Fault, WorldError
from engine.world.server import rows
from engine.world.server.model import BlockContent, Encounter, ServerData, Told, Weenie
from engine.world.server.sql import ValueProblem
from engine.world.server.sql_file import MAX_WRONG

MAX_ROWS: Final = 5_000_000
"""Of one table; a whole world has 365,183 instances."""
MAX_OF_BLOCK: Final = 100_000
MAX_TEXT: Final = 1000
PIECE: Final = 500
"""Values in one list of a query; SQLite takes 999."""
NEEDED: Final = (rows.INSTANCE, rows.WEENIE)


class DatabaseData(ServerData):
    """An open database. Which instances stand in which landblock is found out once; the rest is read when asked for."""

    def __init__(self, path: Path, told: Told | None = None) -> None:
        super().__init__(path.resolve().name)
        self._file = str(path)
        self._weenies: dict[int, Weenie | None] = {}
        try:
            self._database = Database(path, SERVER_DATABASE)
            self._columns = self._database.tables()
            for table in NEEDED:
                if table not in self._columns:
                    raise WorldError(f"holds no server data: it has no table {table}", self._file)
            self._tables = {table: names for table, names in self._columns.items() if table in rows.ALL_TABLES}
            self._select = {table: self._selected(table) for table in self._tables}
            if told is not None:
                told(0.0, f"Looking through {self.name} …")
            self._guids = self._guids_by_block()
            self._parents = self._links_by_block()
        except FileError as error:
            raise WorldError(error.reason, self._file) from error

    def _selected(self, table: str) -> str:
        """The wanted columns as a query names them; texts are cut, so that one value cannot fill the memory."""
        there = {name.lower() for name in self._columns[table]}
        parts: list[str] = []
        for column in rows.COLUMNS[table]:
            if column.lower() not in there:
                if column not in rows.OPTIONAL:
                    raise WorldError(f"has a table {table} without the column {column}", self._file)
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
            raise WorldError(f"has more than {MAX_ROWS:,} instances", self._file)
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

    def _rows(self, table: str, column: str, values: Sequence[int]) -> Iterator[list[str]]:
        """The rows with one of these values, as they would be written in SQL."""
        if table not in self._tables:
            return
        for first in range(0, len(values), PIECE):
            piece = values[first : first + PIECE]
            marks = ",".join("?" * len(piece))
            query = f'SELECT {self._select[table]} FROM "{table}" WHERE "{column}" IN ({marks}) LIMIT {MAX_OF_BLOCK}'
            for row in self._database.ask(query, list(piece)):
                yield [_written(value) for value in row]

    def landblocks(self) -> list[int]:
        return [block << 16 | 0xFFFF for block in sorted(self._guids)]

    def block(self, block_id: int) -> BlockContent:
        content = BlockContent(block_id)
        guids = self._guids.get(block_id >> 16, array("q"))
        if len(guids) > MAX_OF_BLOCK:
            reason = f"{self.name}: it has {len(guids):,} instances; {MAX_OF_BLOCK:,} are read"
            content.faults.append(Fault(block_id, ENTITY, reason))
            guids = guids[:MAX_OF_BLOCK]
        try:
            for values in self._rows(rows.INSTANCE, "guid", guids):
                source = f"{self.name}: {rows.INSTANCE} {_guid_text(values[0])}"
                try:
                    content.instances.append(rows.instance_of(values, source))
                except ValueProblem as problem:
                    if len(content.faults) < MAX_WRONG:
                        content.faults.append(Fault(block_id, ENTITY, f"{source}: {problem}; left out"))
        except FileError as error:
            content.faults.append(Fault(block_id, ENTITY, f"{error}; nothing behind it is used"))
        content.instances.sort(key=lambda instance: instance.guid)
        pairs = self._parents.get(block_id >> 16, array("q"))
        for parent, child in zip(pairs[::2], pairs[1::2], strict=True):
            source = f"{self.name}: {rows.LINK} 0x{parent:08X}, 0x{child:08X}"
            content.links.append(rows.link_of((str(parent), str(child)), source))
        return content

    def weenie(self, wcid: int) -> Weenie | None:
        if wcid not in self._weenies:
            self.prepare([wcid])
        return self._weenies[wcid]

    def prepare(self, wcids: Collection[int]) -> None:
        """One query for each table: a database without an index has to be looked through for each."""
        wanted = sorted({wcid for wcid in wcids if wcid not in self._weenies})
        found: dict[int, Weenie] = {}
        for table in (rows.WEENIE, *rows.PROPERTY_TABLES):
            column = "class_Id" if table == rows.WEENIE else "object_Id"
            try:
                for values in self._rows(table, column, wanted):
                    self._take(found, table, values)
            except FileError as error:
                self.faults.append(Fault(0, ENTITY, f"{error}; not all of {table} is used"))
        self._weenies |= {wcid: found.get(wcid) for wcid in wanted}

    def _take(self, found: dict[int, Weenie], table: str, values: list[str]) -> None:
        """Take a row of a weenie, or of its properties."""
        try:
            if table == rows.WEENIE:
                weenie = rows.weenie_of(values, f"{self.name}: weenie {values[0]}")
                found[weenie.wcid] = weenie
                return
            owner = found.get(rows.owner_of(values))
            if owner is not None:
                rows.add_property(owner, table, values)
        except ValueProblem as problem:
            if len(self.faults) < MAX_WRONG:
                reason = f"{self.name}: {table} of {values[0][:20]}: {problem}; left out"
                self.faults.append(Fault(0, ENTITY, reason))

    def encounters(self, block_id: int) -> list[Encounter]:
        found: list[Encounter] = []
        source = f"{self.name}: {rows.ENCOUNTER} 0x{block_id >> 16:04X}"
        try:
            found.extend(
                rows.encounter_of(values, source)[1]
                for values in self._rows(rows.ENCOUNTER, "landblock", [block_id >> 16])
            )
        except (FileError, ValueProblem) as error:
            self.faults.append(Fault(block_id, ENTITY, f"{source}: {error}; not all of it is used"))
        return found

    def counts(self) -> dict[str, int]:
        return {
            "landblocks": len(self._guids),
            "instances": sum(map(len, self._guids.values())),
            "weenies": self._count(rows.WEENIE),
            "encounters": self._count(rows.ENCOUNTER),
        }

    def _count(self, table: str) -> int:
        if table not in self._tables:
            return 0
        try:
            return int(next(self._database.ask(f'SELECT count(*) FROM "{table}"'), (0,))[0])
        except FileError:
            return 0

    def close(self) -> None:
        self._database.close()


def _written(value: object) -> str:
    """A value of SQLite's as SQL writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return _quoted(value)
    return repr(value)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _guid_text(written: str) -> str:
    return f"0x{int(written):08X}" if written.isdecimal() else written
