"""Indexes the files of server data once, in the background, and keeps the index in the user's cache folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from editor.session.background import Job
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.files.cancelling import cancellable
from engine.files.errors import FileError
from engine.files.kinds import SERVER_INDEX
from engine.files.reading import read_file
from engine.world.server.entities import ServerEntities
from engine.world.server.folder import FolderData
from engine.world.server.index import ServerIndex, index_bytes, index_name, parse_index
from engine.world.server.layers import LayeredData
from engine.world.server.model import Told
from engine.world.world import World

WORTH_IT: Final = 200
"""From this many files on an index is kept; fewer are read as quickly."""
KEPT: Final = 4
"""Indexes of folders that stay in the cache."""


def folders_of(world: World | None) -> list[FolderData]:
    """The folders of SQL files that a world's server data is read from."""
    by_block = None if world is None else world.source.by_block
    if not isinstance(by_block, ServerEntities):
        return []
    data = by_block.data
    layers = data.layers.values() if isinstance(data, LayeredData) else [data]
    return [layer for layer in layers if isinstance(layer, FolderData)]


def is_large(data: FolderData) -> bool:
    """Whether an index of it is kept."""
    return data.files.count >= WORTH_IT


def use_indexes(world: World, cache: Path) -> None:
    """Bring up to date, and use, the indexes that take little time: those that are kept, and those of small folders."""
    for data in folders_of(world):
        if not is_large(data) or (cache / index_name(data.files.root)).is_file():
            bring_up_to_date(data, cache, keep=is_large(data))


def bring_up_to_date(data: FolderData, cache: Path, told: Told | None = None, *, keep: bool = True) -> ServerIndex:
    """Read the index of a folder, bring it up to date, write it if that changed it, and let the data use it.

    An index that cannot be read is made afresh; one that cannot be written is used all the same.
    """
    root = data.files.root
    file = cache / index_name(root)
    index = ServerIndex(root)
    with suppress(FileError):
        index = parse_index(read_file(file, SERVER_INDEX), root)
    if index.update(data.files, told) and keep:
        with suppress(OSError, DatError):
            cache.mkdir(parents=True, exist_ok=True)
            write_whole(file, index_bytes(index), private=True)
            _drop_old(cache)
    index.install(data)
    return index


def _drop_old(cache: Path) -> None:
    """Keep the indexes that were written last; each is a few megabytes."""
    found = sorted(cache.glob("server-*.index"), key=lambda file: file.stat().st_mtime_ns)
    for file in found[:-KEPT]:
        file.unlink()


class IndexJob(Job):
    """Brings the indexes of folders up to date."""

    def __init__(self, folders: Sequence[FolderData], cache: Path | None = None) -> None:
        super().__init__()
        self._folders = folders
        self.has_found_damage = False
        """Whether files have faults that were not known before."""
        self._cache = cache

    def work(self) -> None:
        from engine.build.demo.cache import default_cache  # the demo's parts load with it

        def told(fraction: float, sentence: str) -> None:
            self.check()
            self.progress(fraction, sentence)

        with cancellable(self.check):
            for data in self._folders:
                known = len(data.faults)
                bring_up_to_date(data, self._cache or default_cache(), told, keep=is_large(data))
                self.has_found_damage |= len(data.faults) > known
