"""Server data in a database with the server's own tables, whichever kind of database it is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from engine.files.errors import FileError
from engine.world.faults import ENTITY, Fault, WorldError
from engine.world.server import rows
from engine.world.server.model import BlockContent, Encounter, ServerData, Weenie
from engine.world.server.sql import ValueProblem
from engine.world.server.sql_file import MAX_WRONG

MAX_OF_BLOCK: Final = 100_000
MAX_TEXT: Final = 1000
PIECE: Final = 500
"""Values in one list of a query; SQLite takes 999."""
NEEDED: Final = (rows.INSTANCE, rows.WEENIE)
MAX_DIGITS: Final = 20
MADE: Final = 50
"""Classes that a generator makes and that are read with it: no more of them are ever named."""


class TableData(ServerData):
    """An open database. What stands in a landblock is read when it is asked for, a weenie once."""

    def __init__(self, name: str, where: str) -> None:
        """`where` names the database in errors."""
        super().__init__(name)
        self._where = where
        self._weenies: dict[int, Weenie | None] = {}
        self._tables: dict[str, list[str]] = {}
        """The columns of the tables that are read, in small letters."""

    def _take_tables(self, columns: Mapping[str, Collection[str]]) -> None:
        """Keep the tables that are read; raises a WorldError when one that is needed is not as the server has it."""
        for table in NEEDED:
            if table not in columns:
                raise WorldError(f"holds no server data: it has no table {table}", self._where)
        for table in sorted(rows.ALL_TABLES & set(columns)):
            self._tables[table] = [name.lower() for name in columns[table]]
            for column in rows.COLUMNS[table]:
                if column.lower() not in self._tables[table] and column not in rows.OPTIONAL:
                    raise WorldError(f"has a table {table} without the column {column}", self._where)

    # --- what the kinds of databases do in their own ways

    @abstractmethod
    def _rows(self, table: str, column: str, values: Sequence[int]) -> Iterator[list[str]]:
        """The rows with one of these values, as they would be written in SQL; of properties those that are kept."""

    @abstractmethod
    def _instances(self, content: BlockContent) -> Iterable[list[str]]:
        """The rows of a landblock's instances."""

    @abstractmethod
    def _links(self, content: BlockContent) -> Iterable[tuple[int, int]]:
        """Parent and child of the links of a landblock whose instances were read."""

    @abstractmethod
    def _count(self, table: str) -> int:
        """The rows of a table; 0 when it cannot be asked."""

    @abstractmethod
    def _distinct(self, table: str, column: str) -> list[int]:
        """The whole numbers in a column, ascending."""

    # --- what is the same in all

    def block_file(self, block_id: int) -> Path | None:
        return None

    def weenies(self) -> list[int]:
        return self._numbers(rows.WEENIE, "class_Id")

    def encounter_blocks(self) -> list[int]:
        return [block << 16 | 0xFFFF for block in self._numbers(rows.ENCOUNTER, "landblock") if block <= 0xFFFF]

    def _numbers(self, table: str, column: str) -> list[int]:
        if table not in self._tables:
            return []
        try:
            return [number for number in self._distinct(table, column) if 0 <= number <= rows.WORD]
        except FileError as error:
            self.faults.append(Fault(0, ENTITY, f"{error}; not all of {table} is listed"))
            return []

    def block(self, block_id: int) -> BlockContent:
        content = BlockContent(block_id)
        try:
            for values in self._instances(content):
                source = f"{self.name}: {rows.INSTANCE} {_guid_text(values[0])}"
                try:
                    content.instances.append(rows.instance_of(values, source))
                except ValueProblem as problem:
                    if len(content.faults) < MAX_WRONG:
                        content.faults.append(Fault(block_id, ENTITY, f"{source}: {problem}; left out"))
            content.instances.sort(key=lambda instance: instance.guid)
            for parent, child in self._links(content):
                source = f"{self.name}: {rows.LINK} 0x{parent:08X}, 0x{child:08X}"
                content.links.append(rows.link_of((str(parent), str(child)), source))
        except FileError as error:
            content.instances.sort(key=lambda instance: instance.guid)
            content.faults.append(Fault(block_id, ENTITY, f"{error}; nothing behind it is used"))
        return content

    def weenie(self, wcid: int) -> Weenie | None:
        if wcid not in self._weenies:
            self.prepare([wcid])
        return self._weenies.get(wcid)

    def prepare(self, wcids: Collection[int]) -> None:
        """Read weenies, and what their generators make, with one query for each table: a database may be far away, or
        have to be looked through for each."""
        read = self._read_weenies(wcids)
        self._read_weenies({wcid for weenie in read for wcid in weenie.generates[:MADE]})

    def _read_weenies(self, wcids: Collection[int]) -> list[Weenie]:
        wanted = sorted({wcid for wcid in wcids if wcid not in self._weenies})
        found: dict[int, Weenie] = {}
        for table in (rows.WEENIE, *rows.PROPERTY_TABLES) if wanted else ():
            try:
                for values in self._rows(table, rows.COLUMNS[table][0], wanted):
                    self._take(found, table, values)
            except FileError as error:
                if not self._go_on():
                    return []
                self.faults.append(Fault(0, ENTITY, f"{error}; not all of {table} is used"))
        self._weenies |= {wcid: found.get(wcid) for wcid in wanted}
        return list(found.values())

    def _go_on(self) -> bool:
        """Whether the database can still be asked after a question failed."""
        return True

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
            "landblocks": len(self.landblocks()),
            "instances": self._count(rows.INSTANCE),
            "weenies": self._count(rows.WEENIE),
            "encounters": self._count(rows.ENCOUNTER),
        }


def quoted(text: str) -> str:
    """A text as SQL writes it."""
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _guid_text(written: str) -> str:
    return f"0x{int(written):08X}" if written.isdecimal() and len(written) < MAX_DIGITS else written[:MAX_DIGITS]
