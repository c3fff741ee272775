"""Server data in a running MySQL or MariaDB."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from engine.files.database_server import ASK_S, DatabaseServer
from engine.files.errors import FileError
from engine.files.server_address import AddressError, ServerAddress, read_address
from engine.world.faults import ENTITY, Fault, Severity, WorldError
from engine.world.server import rows
from engine.world.server.model import BlockContent, Encounter, Instance, ServerData, Told
from engine.world.server.sql_file import MAX_WRONG
from engine.world.server.tables import MAX_TEXT, PIECE, TableData, quoted

BLOCK_S: Final = 5.0
"""For all that is asked for a landblock: the window may be waiting."""
QUESTION_S: Final = 2.0
"""For one question of it."""
MAX_OF_BLOCK: Final = 20_000
PAGE: Final = 20_000
"""Rows of one answer while the whole table is listed."""
MAX_PAGES: Final = 250
MAX_COLUMNS: Final = 20_000
BLOCK: Final = "landblock"
"""The column that the server's own tables have an index on; not every copy of them has it."""

WHOLE: Final = frozenset({"tinyint", "smallint", "mediumint", "int", "bigint", "year"})
REAL: Final = frozenset({"float", "double", "decimal"})
TEXT: Final = frozenset({"char", "varchar", "tinytext", "text", "mediumtext", "longtext"})
BITS: Final = "bit"


class MysqlData(TableData):
    """A database of a server. The connection is made again when it was lost, at the next landblock."""

    def __init__(self, address: ServerAddress, told: Told | None = None) -> None:
        super().__init__(address.database, str(address))
        self._types: dict[str, dict[str, str]] = {}
        self._names: dict[str, str] = {}
        """Of the tables, as the server writes them."""
        self._guids: dict[int, array[int]] = {}
        self._blocks: list[int] = []
        if told is not None:
            told(0.0, f"Connecting to {address.host} …")
        self._server: DatabaseServer | None = None
        try:
            self._server = DatabaseServer(address)
            self._look_at_tables()
            indexed = self._indexed()
            self._is_by_block = BLOCK in self._tables[rows.INSTANCE] and (rows.INSTANCE, BLOCK) in indexed
            if self._is_by_block:
                self._list_blocks()
            else:
                self._list_guids(told)
            self._note_slow_tables(indexed)
        except FileError as error:
            self.close()
            raise WorldError(error.reason, self._where) from error
        except BaseException:
            self.close()
            raise

    def _ask(self, columns: int, query: str, seconds: float = ASK_S) -> list[tuple[object, ...]]:
        """Rows with this many values."""
        assert self._server is not None
        found = self._server.ask(query, seconds)
        if any(len(row) != columns for row in found):
            raise FileError(f"cannot be read: it answers with other than {columns} values in a row", self._where)
        return found

    # --- what there is

    def _look_at_tables(self) -> None:
        listed = ", ".join(quoted(table) for table in sorted(rows.ALL_TABLES))
        found = self._ask(
            3,
            "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()"
            f" AND LOWER(TABLE_NAME) IN ({listed}) LIMIT {MAX_COLUMNS}",
        )
        for row in found:
            name, column, kind = map(_as_text, row)
            if name.lower() in rows.ALL_TABLES:
                self._names[name.lower()] = name
                self._types.setdefault(name.lower(), {})[column.lower()] = kind.lower()
        self._take_tables(self._types)

    def _indexed(self) -> set[tuple[str, str]]:
        """Tables and columns, in small letters, by which the server finds rows without looking through them."""
        found = self._ask(
            2,
            "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE()"
            f" AND SEQ_IN_INDEX = 1 LIMIT {MAX_COLUMNS}",
        )
        return {(_as_text(table).lower(), _as_text(column).lower()) for table, column in found}

    def _note_slow_tables(self, indexed: Collection[tuple[str, str]]) -> None:
        for table in self._tables:
            column = rows.COLUMNS[table][0]
            if (table, column.lower()) not in indexed:
                reason = f"{self.name}: {table} has no index on {column}; the server looks through all of it each time"
                self.faults.append(Fault(0, ENTITY, reason, Severity.INFO))

    def _list_blocks(self) -> None:
        found = self._ask(1, f"SELECT DISTINCT {BLOCK} FROM {self._names[rows.INSTANCE]} LIMIT 70000")
        self._blocks = sorted({number for (text,) in found if 0 <= (number := _whole(text)) <= 0xFFFF})
        self._note_left_out(f"{BLOCK} BETWEEN 0 AND {0xFFFF}")

    def _note_left_out(self, condition: str) -> None:
        count = self._count(rows.INSTANCE, f" WHERE NOT COALESCE({condition}, FALSE)")
        if count:
            reason = f"{count:,} rows of landblock_instance have no id or no cell; left out"
            self.faults.append(Fault(0, ENTITY, f"{self.name}: {reason}"))

    def _list_guids(self, told: Told | None) -> None:
        """Find out which instances stand in which landblock, by the way of the ids that they are ordered by."""
        last, count = -1, 0
        known = f"guid BETWEEN 0 AND {rows.WORD} AND obj_Cell_Id BETWEEN 0 AND {rows.WORD}"
        for _ in range(MAX_PAGES):
            found = self._ask(
                2,
                f"SELECT guid, obj_Cell_Id FROM {self._names[rows.INSTANCE]} WHERE guid > {last} AND {known}"
                f" ORDER BY guid LIMIT {PAGE}",
            )
            for guid, cell_id in ((_whole(guid), _whole(cell_id)) for guid, cell_id in found):
                if last < guid <= rows.WORD and 0 <= cell_id <= rows.WORD:
                    self._guids.setdefault(cell_id >> 16, array("q")).append(guid)
                    last = guid
            count += len(found)
            if told is not None:
                told(0.0, f"Looking through {self.name}: {count:,} instances")
            if len(found) < PAGE:
                break
        else:
            raise WorldError(f"has more than {MAX_PAGES * PAGE:,} instances", self._where)
        self._blocks = sorted(self._guids)
        self._note_left_out(known)

    def landblocks(self) -> list[int]:
        return [block << 16 | 0xFFFF for block in self._blocks]

    # --- rows

    def _value(self, table: str, column: str) -> str:
        """A column as a query names it: numbers whole, texts cut, anything else as the text that it has."""
        kind = self._types[table].get(column.lower())
        if kind is None:
            return "NULL"
        name = f"`{column}`"
        if kind in WHOLE:
            return name
        if kind in REAL or kind == BITS:
            return f"{name} + {'0e0' if kind in REAL else '0'}"  # a FLOAT itself comes with six digits
        return f"LEFT({name}, {MAX_TEXT})" if kind in TEXT else f"LEFT(CAST({name} AS CHAR), {MAX_TEXT})"

    def _select(self, table: str, condition: str) -> Iterator[list[str]]:
        columns = rows.COLUMNS[table]
        kinds = [self._types[table].get(column.lower(), "") for column in columns]
        is_number = [kind in WHOLE or kind in REAL or kind == BITS for kind in kinds]
        wanted = ", ".join(self._value(table, column) for column in columns)
        query = f"SELECT {wanted} FROM {self._names[table]} WHERE {condition} LIMIT {MAX_OF_BLOCK}"
        for row in self._ask(len(columns), query, QUESTION_S):
            yield [_written(value, number) for value, number in zip(row, is_number, strict=True)]

    def _rows(self, table: str, column: str, values: Sequence[int]) -> Iterator[list[str]]:
        for first in range(0, len(values) if table in self._tables else 0, PIECE):
            listed = ", ".join(map(str, values[first : first + PIECE]))
            yield from self._select(table, f"`{column}` IN ({listed}){self._kept(table)}")

    def _kept(self, table: str) -> str:
        if table not in rows.KINDS or self._types[table][rows.COLUMNS[table][1].lower()] not in WHOLE:
            return ""
        return f" AND `{rows.COLUMNS[table][1]}` IN ({', '.join(map(str, sorted(rows.KINDS[table])))})"

    def _instances(self, content: BlockContent) -> Iterable[list[str]]:
        block = content.block_id >> 16
        if not self._is_by_block:
            found = self._rows(rows.INSTANCE, "guid", self._guids.get(block, array("q"))[:MAX_OF_BLOCK])
        else:
            found = self._select(rows.INSTANCE, f"{BLOCK} = {block}")
        for number, values in enumerate(found, 1):
            yield values
            if number == MAX_OF_BLOCK:
                reason = f"{self.name}: it has more instances than the {MAX_OF_BLOCK:,} that are read"
                content.faults.append(Fault(content.block_id, ENTITY, reason))
                return

    def _links(self, content: BlockContent) -> Iterable[tuple[int, int]]:
        """Those of the parents that stand here, and those that nobody anywhere is the parent of."""
        if rows.LINK not in self._tables:
            return
        link, first = self._names[rows.LINK], 0x70000000 | content.block_id >> 16 << 12
        parents = [instance.guid for instance in content.instances]
        conditions = [
            f"parent_GUID IN ({', '.join(map(str, parents[start : start + PIECE]))})"
            for start in range(0, len(parents), PIECE)
        ]
        conditions.append(
            f"parent_GUID BETWEEN {first} AND {first + 0xFFF} AND NOT EXISTS"
            f" (SELECT 1 FROM {self._names[rows.INSTANCE]} AS i WHERE i.guid = {link}.parent_GUID)"
        )
        for condition in conditions:
            query = (
                f"SELECT parent_GUID, child_GUID FROM {link} WHERE {condition}"
                f" ORDER BY parent_GUID, child_GUID LIMIT {MAX_OF_BLOCK}"
            )
            for row in self._ask(2, query, QUESTION_S):
                parent, child = map(_whole, row)
                if 0 <= parent <= rows.WORD and 0 <= child <= rows.WORD:
                    yield parent, child

    def _distinct(self, table: str, column: str) -> list[int]:
        query = f"SELECT DISTINCT {column} FROM {self._names[table]} ORDER BY {column} LIMIT {MAX_PAGES * PAGE}"
        return [_whole(value) for (value,) in self._ask(1, query)]

    def _count(self, table: str, condition: str = "") -> int:
        if table not in self._tables:
            return 0
        try:
            return max(_whole(self._ask(1, f"SELECT COUNT(*) FROM {self._names[table]}{condition}")[0][0]), 0)
        except (FileError, IndexError):
            return 0

    # --- a connection that may be lost

    def block(self, block_id: int) -> BlockContent:
        assert self._server is not None
        with self._server.within(BLOCK_S):
            content = super().block(block_id)
            content.instances = [each for each in content.instances if self._stands_in(content, each)]
            self.prepare({instance.wcid for instance in content.instances})
        if self._go_on():
            return content
        reason = f"{self._lost()}; nothing of its data stands in this landblock until Reload reads it again"
        return BlockContent(block_id, faults=[Fault(block_id, ENTITY, f"{self._where}: {reason}")])

    def _stands_in(self, content: BlockContent, instance: Instance) -> bool:
        """Whether the server's column for the landblock is right about an instance."""
        is_here = instance.place.cell_id >> 16 == content.block_id >> 16
        if not is_here and len(content.faults) < MAX_WRONG:
            reason = f"{instance.source}: it is in 0x{instance.place.cell_id:08X}, another landblock; left out"
            content.faults.append(Fault(content.block_id, ENTITY, reason))
        return is_here

    def prepare(self, wcids: Collection[int]) -> None:
        if self._go_on():
            super().prepare(wcids)

    def encounters(self, block_id: int) -> list[Encounter]:
        return super().encounters(block_id) if self._go_on() else []

    def _lost(self) -> str:
        return "" if self._server is None else self._server.lost

    def _go_on(self) -> bool:
        return not self._lost()

    def close(self) -> None:
        if self._server is not None:
            self._server.close()


def open_mysql(url: str, told: Told | None = None) -> ServerData:
    """Open the database that a URL names; raises a WorldError that does not repeat its password."""
    try:
        address, _ = read_address(url)
    except AddressError as error:
        raise WorldError(str(error), "the server data") from error
    return MysqlData(address, told)


def _as_text(value: object) -> str:
    """A text of the server's, which sends some as bytes."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _whole(value: object) -> int:
    """A whole number of the server's; -1 for anything else."""
    text = _as_text(value)
    return int(text) if text.isdecimal() and len(text) < 20 else -1


def _written(value: object, is_number: bool) -> str:
    if value is None:
        return "NULL"
    text = _as_text(value)[:MAX_TEXT]
    return text if is_number else quoted(text)
