"""Writes the files of an export of server data: all of them or none."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from editor.export.server_data import ServerPlan
from editor.export.write_data_files import Told, made_folder
from editor.process.output_files import output_file
from editor.process.plain_text import counted
from engine.dat.atomic import replaced_file, write_errors
from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.kinds import SERVER_SQL
from engine.files.reading import read_text
from engine.sim.errors import SimError
from engine.world.faults import WorldError
from engine.world.server.writing.changes import ChangedFile

NOTHING: Final = "has no change that server data could hold; there is nothing to export"


def _check(file: ChangedFile, written: Path) -> None:
    """Refuse a file that does not read back as the world in the window has it."""
    try:
        text = read_text(written, SERVER_SQL)
    except FileError as error:
        raise WorldError(f"cannot be read back: {error.reason}; nothing was exported", file.name) from error
    flaw = file.flaw(text) if text == file.after else "its text differs"
    if flaw:
        raise WorldError(f"does not read back as it was written: {flaw}; nothing was exported", file.name)


@dataclass(frozen=True)
class WrittenServerData:
    """What an export has written."""

    folder: Path
    files: tuple[Path, ...]
    rows: int

    @property
    def sentence(self) -> str:
        return f"Exported {counted(self.rows, 'changed row')} as {counted(len(self.files), 'file')} to {self.folder}"


def write_server_data(plan: ServerPlan, folder: Path, read: Collection[str | Path], told: Told) -> WrittenServerData:
    """Write the changed files into a folder, which is made if need be; `read` are files and sources that stay
    untouched. Every file is read back under a hidden name before the first one takes its place.

    Raises a SimError, WorldError or DatError, and leaves no file of the export, when anything fails.
    """
    if plan.is_empty:
        raise SimError(NOTHING, plan.world)
    with ExitStack() as stack:
        stack.enter_context(made_folder(folder))
        targets = [output_file(folder / file.name, read) for file in plan.files]
        for number, (file, target) in enumerate(zip(plan.files, targets, strict=True)):
            check_cancelled()
            told(number / len(targets), f"Writing {file.name} …")
            stream = stack.enter_context(replaced_file(target))
            with write_errors(target):
                stream.write(file.after.encode())
                stream.flush()
                os.fsync(stream.fileno())
            _check(file, Path(stream.name))
        check_cancelled()
    return WrittenServerData(folder, tuple(targets), len(plan.rows))
