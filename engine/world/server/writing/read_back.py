"""A server's data as it will be once changed files are in their places."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

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
        self._instances = [each for content in self._read.values() for each in content.instances]

    def landblocks(self) -> list[int]:
        return sorted({*self._data.landblocks(), *self._read})

    def block(self, block_id: int) -> BlockContent:
        read = self._read.get(block_id)
        content = self._data.block(block_id) if read is None else BlockContent(block_id)
        if read is not None:
            content.links, content.faults = read.links, read.faults
        here = [each for each in self._instances if each.place.cell_id >> 16 == block_id >> 16]
        changed = {each.guid for each in self._instances}
        content.instances = [each for each in content.instances if each.guid not in changed] + here
        return content

    def block_file(self, block_id: int) -> Path | None:
        return self._data.block_file(block_id)

    def weenies(self) -> list[int]:
        return self._data.weenies()

    def encounter_blocks(self) -> list[int]:
        return self._data.encounter_blocks()

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
