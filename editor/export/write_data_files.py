"""Writes the files of an export: whole databases, or the changed records alone.

Everything is written under hidden names, read back and compared with the world before the first file takes its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from editor.export.data_files import DataFilesPlan, check_version, databases_of
from editor.process.demo_name import DEMO
from editor.process.output_files import output_file
from editor.process.plain_text import counted
from engine.dat.atomic import replaced_file, write_errors, write_whole
from engine.dat.comparison import DatabaseSide, differences
from engine.dat.database import DatDatabase
from engine.dat.datafolder import DatFolder
from engine.dat.errors import DatError
from engine.dat.ids import DatKind, did_text
from engine.dat.writer import copy_database
from engine.files.cancelling import check_cancelled
from engine.files.kinds import NAMES, WORLD_JSON, FileKind
from engine.files.reading import read_file
from engine.sim.data_files.overlaid import OverlaidRecords
from engine.sim.data_files.standing import Standing, differing, standing
from engine.sim.edits.world import OpenLandblock
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.world.faults import WorldError
from engine.world.loader.dat_source import DatSource
from engine.world.loader.entities_file import FILE_NAME as ENTITIES_FILE
from engine.world.loader.names_file import FILE_NAME as NAMES_FILE
from engine.world.loader.record_file import Records
from engine.world.world import World

Told = Callable[[float, str], None]
"""Receives the fraction done and what is being done."""

PIECE: Final = 1 << 20
AT_ONCE: Final = 256
"""Landblocks that are loaded together to be compared; an export of a whole world has thousands."""
BESIDE: Final[dict[str, FileKind]] = {ENTITIES_FILE: WORLD_JSON, NAMES_FILE: NAMES}
"""Files that belong to a data folder and are copied as they are."""
RECORD: Final = FileKind("a record", 1 << 31)
SUFFIX: Final = ".bin"
NOTHING: Final = "has no change that data files could hold; there is nothing to export"
SHOWN: Final = 3


@dataclass(frozen=True)
class Written:
    """What an export has written."""

    folder: Path
    files: tuple[Path, ...]
    records: int

    @property
    def sentence(self) -> str:
        return (
            f"Exported {counted(self.records, 'changed record')} as {counted(len(self.files), 'file')} to {self.folder}"
        )


def write_data_files(
    plan: DataFilesPlan, folder: Path, read: Collection[str | Path], told: Told, *, loose: bool = False
) -> Written:
    """Write an export into a folder, which is made if need be; `read` are files and sources that stay untouched.

    Whole files are a data folder of their own: databases without a change are copied. Raises a SimError, WorldError or
    DatError, and leaves no file of the export, when anything fails or the files do not hold the world of the plan.
    """
    if plan.is_empty:
        raise SimError(NOTHING, plan.world)
    untouched = [plan.folder, *read]
    with ExitStack() as stack:
        source = stack.enter_context(DatFolder(plan.folder))
        for kind, database in databases_of(source):
            check_version(database.blocks, plan.stamps.get(kind, database.blocks.stamp))
        stack.enter_context(made_folder(folder, untouched))
        write = (
            _Loose(plan, source, folder, untouched, told) if loose else _Whole(plan, source, folder, untouched, told)
        )
        files = write.write()
    return Written(folder, tuple(files), len(plan.records))


@contextmanager
def made_folder(folder: Path, untouched: Collection[str | Path] = ()) -> Iterator[None]:
    """The folder, which goes again when writing fails and it is still empty."""
    if any(str(each) != DEMO and _is_same(Path(each), folder) for each in untouched):
        raise WorldError("is the folder of the open world; choose another one", str(folder))
    is_new = not folder.exists()
    if is_new:
        with write_errors(folder):
            folder.mkdir()
    try:
        yield
    except BaseException:
        if is_new:
            with suppress(OSError):
                folder.rmdir()
        raise


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def _check_world(plan: DataFilesPlan, portal: Records, cell: Records, highres: Records | None) -> None:
    """Load the landblocks with changed records from what was written, and compare them with the world of the plan."""
    wrong: list[str] = [*plan.expected]
    with World(DatSource(plan.world, portal, cell, highres)) as world:
        landblocks = plan.changes.landblocks()
        for first in range(0, len(landblocks), AT_ONCE):
            found = _found_in(world, landblocks[first : first + AT_ONCE])
            wrong = differing({what: plan.expected[what] for what in wrong}, found)
    if wrong:
        told = ", ".join(wrong[:SHOWN]) + (f" and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else "")
        raise SimError(f"does not read back as it is shown: {told} would differ; nothing was written", plan.world)


def _found_in(world: World, landblocks: Sequence[int]) -> Standing:
    """What some landblocks hold; they do not stay loaded."""
    sim = Simulation(world)
    try:
        for block_id in landblocks:
            check_cancelled()
            sim.apply_edit(OpenLandblock(block_id))
        return standing(sim, landblocks)
    finally:
        sim.close()
        for block_id in landblocks:
            world.graph.unload_landblock(block_id)


class _Whole:
    """Whole databases, and the files that belong to them."""

    def __init__(
        self, plan: DataFilesPlan, source: DatFolder, folder: Path, untouched: Collection[str | Path], told: Told
    ) -> None:
        self.plan, self.source, self.folder, self.untouched, self.told = plan, source, folder, untouched, told
        self.databases = dict(databases_of(source))
        self.beside = {name: path for name in BESIDE if (path := source.path / name).is_file()}

    def write(self) -> list[Path]:
        self._refuse_strangers()
        targets = {kind: output_file(self.folder / kind.file_name, self.untouched) for kind in self.databases}
        copies = {name: output_file(self.folder / name, self.untouched) for name in self.beside}
        with ExitStack() as stack:
            staged = {kind: stack.enter_context(replaced_file(target)) for kind, target in targets.items()}
            for kind, stream in staged.items():
                self._write_database(kind, stream, targets[kind])
            for name, target in copies.items():
                stream = stack.enter_context(replaced_file(target))
                content = read_file(self.beside[name], BESIDE[name])
                with write_errors(target):
                    stream.write(content)
                    _settle(stream)
            self._check({kind: Path(stream.name) for kind, stream in staged.items()})
            check_cancelled()
        return [*targets.values(), *copies.values()]

    def _refuse_strangers(self) -> None:
        """A data file of another world would become part of the export."""
        known = {*(kind.file_name for kind in self.databases), *self.beside}
        for name in (*(kind.file_name for kind in DatKind), *BESIDE):
            if name not in known and (self.folder / name).exists():
                raise WorldError(f"has a {name}, which is not of this world; choose another folder", str(self.folder))

    def _write_database(self, kind: DatKind, stream: BinaryIO, target: Path) -> None:
        database, changes = self.databases[kind], self.plan.changes.of(kind)
        sentence = f"Writing {target.name} …"
        if changes:
            copy_database(database, stream, str(target), changes, told=lambda fraction: self.told(fraction, sentence))
        else:
            for at, piece in _pieces(database):
                self.told(at / database.blocks.length, sentence)
                with write_errors(target):
                    stream.write(piece)
        with write_errors(target):
            _settle(stream)

    def _check(self, written: dict[DatKind, Path]) -> None:
        with ExitStack() as stack:
            opened = {kind: stack.enter_context(DatDatabase.open(path)) for kind, path in written.items()}
            for kind, database in opened.items():
                self._check_database(kind, database)
            self.told(1.0, "Comparing with the open world …")
            _check_world(self.plan, opened[DatKind.PORTAL], opened[DatKind.CELL], opened.get(DatKind.HIGHRES))

    def _check_database(self, kind: DatKind, written: DatDatabase) -> None:
        sentence = f"Reading {kind.file_name} back …"
        wanted = DatabaseSide(self.databases[kind], self.plan.changes.of(kind))
        for record_id, _, _ in differences(wanted, DatabaseSide(written), lambda done: self.told(done, sentence)):
            reason = "does not read back as it was written; nothing was exported"
            raise DatError(self.folder / kind.file_name, record_id, None, None, reason)


def _settle(stream: BinaryIO) -> None:
    """Have it on the disk, so that a full one shows before any file takes its place."""
    stream.flush()
    os.fsync(stream.fileno())


def _pieces(database: DatDatabase) -> Iterator[tuple[int, bytes]]:
    for at in range(0, database.blocks.length, PIECE):
        check_cancelled()
        yield at, database.blocks.raw(at, PIECE)


class _Loose:
    """The changed records, each as the bytes that a database would hold, in a folder for each database."""

    def __init__(
        self, plan: DataFilesPlan, source: DatFolder, folder: Path, untouched: Collection[str | Path], told: Told
    ) -> None:
        self.plan, self.source, self.folder, self.untouched, self.told = plan, source, folder, untouched, told

    def write(self) -> list[Path]:
        records = self._records()
        self._check({(kind, record_id): data for kind, record_id, data in records})
        written: dict[tuple[DatKind, int], Path] = {}
        made: list[Path] = []
        try:
            for number, (kind, record_id, data) in enumerate(records):
                check_cancelled()
                self.told(number / len(records), f"Writing {did_text(record_id)} …")
                below = self.folder / Path(kind.file_name).stem
                if not below.exists():
                    with write_errors(below):
                        below.mkdir()
                    made.append(below)
                path = output_file(below / f"{did_text(record_id)}{SUFFIX}", self.untouched)
                if not path.exists():
                    made.append(path)
                write_whole(path, data)
                written[kind, record_id] = path
            self._check({key: read_file(path, RECORD) for key, path in written.items()})
        except BaseException:
            for path in reversed(made):
                with suppress(OSError):
                    path.rmdir() if path.is_dir() else path.unlink()
            raise
        return list(written.values())

    def _records(self) -> list[tuple[DatKind, int, bytes]]:
        found: list[tuple[DatKind, int, bytes]] = []
        for kind, _ in databases_of(self.source):
            for record_id, data in sorted(self.plan.changes.of(kind).items()):
                if data is None:
                    reason = "is removed, which a loose record cannot say; export whole files"
                    raise DatError(self.folder, record_id, None, None, reason)
                found.append((kind, record_id, data))
        return found

    def _check(self, records: dict[tuple[DatKind, int], bytes]) -> None:
        overlaid = {
            kind: OverlaidRecords(database, {each: data for (of, each), data in records.items() if of is kind})
            for kind, database in databases_of(self.source)
        }
        _check_world(self.plan, overlaid[DatKind.PORTAL], overlaid[DatKind.CELL], overlaid.get(DatKind.HIGHRES))
