"""Server data in a folder of SQL files.

Known are a checkout of a world's files with its patches, a server's content folder, and simply folders with the files
of landblocks and weenies: what is in a folder is told by the files in it, not by its name. A file of a landblock is
called by its four digits (A9B4.sql), one of a weenie begins with its number (00412 Door.sql); files with other names
are read to see what they hold. Where two files tell of the same, the one below a folder of patches counts, otherwise
the later one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.kinds import SERVER_SQL
from engine.files.reading import read_file, read_head
from engine.world.faults import ENTITY, Fault, Severity, WorldError
from engine.world.server import rows
from engine.world.server.model import BlockContent, Encounter, Instance, ServerData, Told, Weenie
from engine.world.server.sql_file import SqlContent, read_sql_file

SUFFIX: Final = ".sql"
HEAD: Final = 4096
MAX_DEPTH: Final = 12
MAX_FILES: Final = 1_000_000
"""A whole world with its patches has 113,000."""
MAX_UNNAMED: Final = 20_000
"""Files whose names do not tell, which are read to see what they hold."""
SAMPLES: Final = 3
LAST_BLOCK: Final = 0xFFFF

_STATEMENT: Final = re.compile(
    rb"(?:DELETE\s+FROM|(?:INSERT|REPLACE)\s+(?:IGNORE\s+)?INTO)\s+(?:`?\w+`?\s*\.\s*)?`?(\w+)`?", re.IGNORECASE
)
_CELL: Final = re.compile(
    rb"\(\s*(?:0[xX][0-9A-Fa-f]+|\d+)\s*,\s*\d+\s*,\s*(?:0[xX]0*([0-9A-Fa-f]{1,4})[0-9A-Fa-f]{4}|(\d+))\s*,"
)
"""The cell of a row, behind its guid and weenie; its first digits, or all of it where it is decimal."""
_BLOCK_NAME: Final = re.compile(r"(?:0[xX])?([0-9A-Fa-f]{4})(?:[ ._-].*)?$")
_WEENIE_NAME: Final = re.compile(r"(\d{1,10})(?:[ ._-].*)?$", re.ASCII)

BLOCKS, WEENIES, ENCOUNTERS, OTHER, MIXED = "landblocks", "weenies", "encounters", "other", "mixed"


@dataclass(frozen=True, slots=True)
class SqlFile:
    """A file of the folder: the number of the folder that it is in, and its name there."""

    folder: int
    name: str


class FileList:
    """The files of a folder, by what they are about. Memory goes to names alone."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folders: list[str] = []
        """Below the root, with slashes."""
        self._patches: list[bool] = []
        self.blocks: dict[int, SqlFile] = {}
        self.weenies: dict[int, SqlFile] = {}
        self.encounters: dict[int, SqlFile] = {}
        self.faults: list[Fault] = []
        self.count = 0
        self._replaced: dict[str, tuple[int, str, str]] = {}
        self._unnamed = 0

    def path(self, file: SqlFile) -> Path:
        return self.root / self.folders[file.folder] / file.name

    def shown(self, file: SqlFile) -> str:
        """The file's name below the root, for sentences."""
        folder = self.folders[file.folder]
        return f"{folder}/{file.name}" if folder else file.name

    def take_only(self, name: str) -> None:
        """Take one file of the folder alone."""
        self._take_folder("", [name])

    def read(self, told: Told | None = None) -> None:
        """List the folder and all below; raises a WorldError when it cannot be listed."""
        waiting: list[tuple[str, int]] = [("", 0)]
        while waiting:
            check_cancelled()
            folder, depth = waiting.pop()
            inner, names = self._entries(folder)
            if depth < MAX_DEPTH:
                waiting.extend((f"{folder}/{name}" if folder else name, depth + 1) for name in reversed(inner))
            if names:
                self._take_folder(folder, names)
                if told is not None:
                    told(0.0, f"Listing the files of {self.root.name}: {self.count:,}")
        for what, (count, one, other) in self._replaced.items():
            reason = f"{count:,} {what} are in two files; the later one counts, such as {other} instead of {one}"
            self.faults.append(Fault(0, ENTITY, reason, Severity.INFO))

    def _entries(self, folder: str) -> tuple[list[str], list[str]]:
        inner: list[str] = []
        names: list[str] = []
        try:
            with os.scandir(self.root / folder if folder else self.root) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.name.lower().endswith(SUFFIX):
                        names.append(entry.name)
                    elif entry.is_dir(follow_symlinks=False):
                        inner.append(entry.name)
        except OSError as error:
            if folder:
                self.faults.append(Fault(0, ENTITY, f"{folder}: cannot be listed: {error.strerror or error}"))
                return [], []
            raise WorldError(f"cannot be listed: {error.strerror or error}", str(self.root)) from error
        return sorted(inner), sorted(names)

    def _take_folder(self, folder: str, names: list[str]) -> None:
        self.count += len(names)
        if self.count > MAX_FILES:
            raise WorldError(f"has more than {MAX_FILES:,} SQL files", str(self.root))
        number = len(self.folders)
        self.folders.append(folder)
        self._patches.append("patch" in folder.lower())
        samples = {names[len(names) * index // SAMPLES] for index in range(SAMPLES)} | {names[-1]}
        kinds = {kind_of_file(self.path(SqlFile(number, name))) for name in samples}
        kind = kinds.pop() if len(kinds) == 1 else MIXED
        if kind == OTHER:
            return
        for name in names:
            file = SqlFile(number, name)
            self._take(file, kind_of_file(self.path(file)) if kind == MIXED else kind)

    def _take(self, file: SqlFile, kind: str) -> None:
        if kind == OTHER:
            return
        stem = file.name[: -len(SUFFIX)]
        name = (_WEENIE_NAME if kind == WEENIES else _BLOCK_NAME).match(stem)
        if name is not None:
            self._put(kind, int(name[1]) if kind == WEENIES else int(name[1], 16), file)
            return
        self._unnamed += 1
        if self._unnamed > MAX_UNNAMED:
            raise WorldError(f"has more than {MAX_UNNAMED:,} SQL files whose names do not tell", str(self.root))
        content = read_sql_file(self.path(file), self.shown(file))
        for key in _keys_of(content, kind):
            self._put(kind, key, file)

    def _put(self, kind: str, key: int, file: SqlFile) -> None:
        files = {BLOCKS: self.blocks, WEENIES: self.weenies, ENCOUNTERS: self.encounters}[kind]
        there = files.get(key)
        if there is not None and there != file:
            is_patch, was_patch = self._patches[file.folder], self._patches[there.folder]
            if was_patch and not is_patch:
                return
            if was_patch == is_patch:
                count = self._replaced[kind][0] if kind in self._replaced else 0
                self._replaced[kind] = (count + 1, self.shown(there), self.shown(file))
        files[key] = file


def find_strays(files: FileList) -> dict[int, list[int]]:
    """The landblocks whose files have instances in others, by the digits of those. A server has them where their cells
    say, so all files have to be looked through, by no more than their cells: half a second for a whole world."""
    found: dict[int, list[int]] = {}
    for block, file in sorted(files.blocks.items()):
        check_cancelled()
        if _BLOCK_NAME.match(file.name[: -len(SUFFIX)]) is None:
            continue  # listed by what is in it
        try:
            content = read_file(files.path(file), SERVER_SQL)
        except FileError:
            continue  # reading the landblock says so
        cells = {int(high, 16) if high else int(whole[:10]) >> 16 for high, whole in set(_CELL.findall(content))}
        for other in cells - {block}:
            if other <= LAST_BLOCK:
                found.setdefault(other, []).append(block)
    return found


def kind_of_file(path: Path) -> str:
    """What a file is about, by its first statement about anything that is read."""
    try:
        head = read_head(path, HEAD)
    except FileError:
        return OTHER
    for found in _STATEMENT.finditer(head):
        table = found[1].decode().lower()
        if table in rows.BLOCK_TABLES:
            return BLOCKS
        if table in rows.WEENIE_TABLES:
            return WEENIES
        if table == rows.ENCOUNTER:
            return ENCOUNTERS
    return OTHER


def _keys_of(content: SqlContent, kind: str) -> Iterable[int]:
    """The landblocks' digits or weenies' numbers in a file."""
    if kind == WEENIES:
        return list(content.weenies)
    if kind == ENCOUNTERS:
        return dict.fromkeys(block for block, _ in content.encounters)
    return dict.fromkeys(instance.place.cell_id >> 16 for instance in content.instances)


class FolderData(ServerData):
    """Server data in a folder. Files are read when what is in them is asked for."""

    def __init__(self, files: FileList) -> None:
        super().__init__(files.root.resolve().name)
        self.files = files
        self.faults.extend(files.faults)
        self._weenies: dict[int, Weenie | None] = {}
        self.known: Callable[[int], Weenie | None] | None = None
        """Knows weenies without reading their files (`engine.world.server.index`)."""
        self._found_strays: dict[int, list[int]] | None = None
        self.totals: dict[str, int] = {}
        """What is known of all files, once they have been indexed."""

    @staticmethod
    def open(root: Path, told: Told | None = None) -> FolderData:
        """List a folder, or take a single file; raises a WorldError when it has no server data."""
        if root.is_file():
            return FolderData.open_file(root)
        files = FileList(root)
        files.read(told)
        if not (files.blocks or files.weenies or files.encounters):
            reason = (
                f"holds no server data: none of its {files.count:,} SQL files has landblocks, weenies or encounters"
            )
            raise WorldError(reason if files.count else "holds no server data: it has no SQL files", str(root))
        return FolderData(files)

    @staticmethod
    def open_file(path: Path) -> FolderData:
        files = FileList(path.parent)
        files.take_only(path.name)
        if not (files.blocks or files.weenies or files.encounters):
            raise WorldError("holds no server data: no landblock, weenie or encounter", str(path))
        found = FolderData(files)
        found.name = path.name
        return found

    def landblocks(self) -> list[int]:
        return [block << 16 | 0xFFFF for block in sorted({*self.files.blocks, *self._strays()})]

    def _strays(self) -> dict[int, list[int]]:
        """The landblocks whose files have instances of another, by the digits of that one."""
        if self._found_strays is None:
            self._found_strays = find_strays(self.files)
        return self._found_strays

    def has_block(self, block_id: int) -> bool:
        return block_id >> 16 in self.files.blocks

    def block(self, block_id: int) -> BlockContent:
        content = self.own_block(block_id)
        for instances in self.strays_into(block_id).values():
            content.instances.extend(instances)
        return content

    def strays_into(self, block_id: int) -> dict[int, list[Instance]]:
        found: dict[int, list[Instance]] = {}
        for origin in self._strays().get(block_id >> 16, []):
            file = self.files.blocks[origin]
            read = read_sql_file(self.files.path(file), self.files.shown(file), {rows.INSTANCE})
            found[origin << 16 | 0xFFFF] = [
                instance for instance in read.instances if instance.place.cell_id >> 16 == block_id >> 16
            ]
        return found

    def own_block(self, block_id: int) -> BlockContent:
        content = BlockContent(block_id)
        file = self.files.blocks.get(block_id >> 16)
        if file is None:
            return content
        shown = self.files.shown(file)
        read = read_sql_file(self.files.path(file), shown, rows.BLOCK_TABLES, block_id)
        content.faults.extend(read.faults)
        content.links.extend(read.links)
        named = _BLOCK_NAME.match(file.name[: -len(SUFFIX)]) is not None
        for instance in read.instances:
            if instance.place.cell_id >> 16 == block_id >> 16:
                content.instances.append(instance)
            elif named:
                where = f"0x{instance.place.cell_id:08X}"
                reason = f"{instance.source}: 0x{instance.guid:08X} is in {where}, another landblock; it stands there"
                content.faults.append(Fault(block_id, ENTITY, reason, Severity.WARNING))
        return content

    def weenie(self, wcid: int) -> Weenie | None:
        if wcid not in self._weenies:
            known = None if self.known is None else self.known(wcid)
            self._weenies[wcid] = self._read_weenie(wcid) if known is None else known
        return self._weenies[wcid]

    def _read_weenie(self, wcid: int) -> Weenie | None:
        file = self.files.weenies.get(wcid)
        if file is None:
            return None
        content = read_sql_file(self.files.path(file), self.files.shown(file), rows.WEENIE_TABLES)
        self.faults.extend(content.faults)
        return content.weenies.get(wcid)

    def encounters(self, block_id: int) -> list[Encounter]:
        file = self.files.encounters.get(block_id >> 16)
        if file is None:
            return []
        content = read_sql_file(self.files.path(file), self.files.shown(file), {rows.ENCOUNTER}, block_id)
        self.faults.extend(fault for fault in content.faults if fault not in self.faults)
        return [encounter for block, encounter in content.encounters if block == block_id >> 16]

    def has_encounters(self, block_id: int) -> bool:
        return block_id >> 16 in self.files.encounters

    def counts(self) -> dict[str, int]:
        files = self.files
        return {
            "landblocks": len(files.blocks),
            "weenies": len(files.weenies),
            "landblocks with encounters": len(files.encounters),
            **self.totals,
        }

    def block_file(self, block_id: int) -> Path | None:
        file = self.files.blocks.get(block_id >> 16)
        return None if file is None else self.files.path(file)

    def weenie_file(self, wcid: int) -> Path | None:
        file = self.files.weenies.get(wcid)
        return None if file is None else self.files.path(file)

    def weenies(self) -> list[int]:
        return sorted(self.files.weenies)

    def encounter_blocks(self) -> list[int]:
        return [block << 16 | 0xFFFF for block in sorted(self.files.encounters)]
