"""A server's data as it will be once changed files are in their places."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.world.server import rows
from engine.world.server.model import BlockContent, Encounter, ServerData, Weenie
from engine.world.server.sql_file import BYTE_ORDER_MARK, SqlContent, parse_sql
from engine.world.server.writing.changes import ChangedFile


class ReadBack(ServerData):
    """The landblocks of changed files are read from their texts, everything else from the source itself."""

    def __init__(self, data: ServerData, files: Iterable[ChangedFile]) -> None:
        super().__init__(data.name)
        self._data = data
        self._read = {file.block_id: _content(file) for file in files}

    def landblocks(self) -> list[int]:
        return sorted({*self._data.landblocks(), *self._read})

    def block(self, block_id: int) -> BlockContent:
        read = self._read.get(block_id)
        if read is None:
            return self._data.block(block_id)
        instances = [each for each in read.instances if each.place.cell_id >> 16 == block_id >> 16]
        return BlockContent(block_id, instances, read.links, read.faults)

    def weenie(self, wcid: int) -> Weenie | None:
        return self._data.weenie(wcid)

    def prepare(self, wcids: Collection[int]) -> None:
        self._data.prepare(wcids)

    def encounters(self, block_id: int) -> list[Encounter]:
        return self._data.encounters(block_id)

    def counts(self) -> dict[str, int]:
        return self._data.counts()


def _content(file: ChangedFile) -> SqlContent:
    return parse_sql(file.after.removeprefix(BYTE_ORDER_MARK), file.name, rows.BLOCK_TABLES, file.block_id)
