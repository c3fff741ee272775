"""The client's data folder: the databases that are there, and the missing ones (dat-format.md 1).

with DatFolder("/home/me/ac") as folder:
    room = folder.portal_record(0x0D000123)
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final

from engine.dat.database import DatDatabase
from engine.dat.errors import DatError
from engine.dat.header import FORMATS
from engine.dat.ids import DatKind
from engine.files.errors import why

_SHOWN_NAMES: Final = 8
_KIND_NAMES: Final = {
    DatKind.PORTAL: "portal",
    DatKind.CELL: "cell",
    DatKind.LOCAL: "local (language)",
    DatKind.HIGHRES: "portal",  # the same data set; only the subset differs
}


class DatFolder:
    """The open databases of a folder: portal and cell always, high resolution and local when they are there."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = _folder_of(path)
        self.problems: list[DatError] = []
        """Why an optional database that is there could not be used."""
        files = _find_files(self.path)
        opened: list[DatDatabase] = []
        try:
            self.portal = _open_as(files[DatKind.PORTAL], DatKind.PORTAL)
            opened.append(self.portal)
            self.cell = _open_as(files[DatKind.CELL], DatKind.CELL)
        except DatError:
            _close(opened)
            raise
        self.highres = self._open_optional(files, DatKind.HIGHRES)
        self.local = self._open_optional(files, DatKind.LOCAL)

    def close(self) -> None:
        _close(database for database in (self.portal, self.cell, self.highres, self.local) if database is not None)

    def __enter__(self) -> DatFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def portal_holder(self, record_id: int) -> DatDatabase | None:
        """The database that has a portal record: the portal database or, for large images, the high resolution one."""
        for database in (self.portal, self.highres):
            if database is not None and record_id in database:
                return database
        return None

    def portal_record(self, record_id: int) -> bytes:
        """A record of the portal database or, failing that, of the high resolution one."""
        holder = self.portal_holder(record_id)
        return (self.portal if holder is None else holder).read(record_id)

    def cell_record(self, record_id: int) -> bytes:
        """A record of the cell database."""
        return self.cell.read(record_id)

    def _open_optional(self, files: dict[DatKind, Path], kind: DatKind) -> DatDatabase | None:
        if kind not in files:
            return None
        try:
            return _open_as(files[kind], kind)
        except DatError as error:
            self.problems.append(error)
            return None


def _folder_of(path: str | os.PathLike[str]) -> Path:
    given = Path(path)
    try:
        if given.is_dir():
            return given
        if given.exists():
            return given.parent
    except (OSError, ValueError) as error:
        raise DatError(path, None, None, None, f"cannot be looked at: {why(error)}") from error
    raise DatError(path, None, None, None, "there is no such folder")


def _find_files(folder: Path) -> dict[DatKind, Path]:
    """The databases by kind; a name may be written in any case, as on Windows."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise DatError(folder, None, None, None, f"cannot be listed: {error.strerror}") from error
    files = {}
    for kind in DatKind:
        same = [name for name in names if name.lower() == kind.file_name.lower()]
        if same:
            files[kind] = folder / (kind.file_name if kind.file_name in same else same[0])
    missing = [kind.file_name for kind in (DatKind.PORTAL, DatKind.CELL) if kind not in files]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        reason = f"{' and '.join(missing)} {verb} missing; the folder holds {_told(names)}"
        raise DatError(folder, None, None, None, reason)
    return files


def _told(names: list[str]) -> str:
    """The files that were found instead, data files first."""
    if not names:
        return "nothing"
    ordered = sorted(names, key=lambda name: (not name.lower().endswith(".dat"), name))
    shown = ", ".join(ordered[:_SHOWN_NAMES])
    more = len(ordered) - _SHOWN_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


def _open_as(path: Path, kind: DatKind) -> DatDatabase:
    database = DatDatabase.open(path)
    expected, found = FORMATS[kind].data_set, database.header.data_set
    if found != expected or (kind is DatKind.PORTAL and database.kind is DatKind.HIGHRES):
        database.close()
        what = "high resolution" if found == expected else _KIND_NAMES[database.kind]
        reason = f"this is a {what} database (data set {found}) under the name of a {_KIND_NAMES[kind]} database"
        raise DatError(path, None, 0x14C, "data set", f"{reason} (data set {expected})")
    return database


def _close(databases: Iterable[DatDatabase]) -> None:
    for database in databases:
        database.close()
