"""Opens server data: a folder of SQL files, an SQLite database, or a database of a running server."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.files.errors import FileError, why
from engine.files.reading import read_head
from engine.files.server_address import is_address
from engine.world.faults import WorldError
from engine.world.server.folder import SUFFIX, FolderData
from engine.world.server.model import ServerData, Told

SIGNS: Final = (
    "a folder of SQL files (landblocks, weenies, encounters), one such file or an SQLite database of a server's world"
)
PATTERNS: Final = ("*.db", "*.sqlite", "*.sqlite3")


def open_server_data(path: str | Path, told: Told | None = None) -> ServerData:
    """Open server data; raises a WorldError that says what was found instead."""
    if str(path) == "":
        raise WorldError("the name of the server data is empty")
    if is_address(str(path)):
        from engine.world.server.mysql import open_mysql  # threads and sockets for those who have a server

        return open_mysql(str(path), told)
    found = Path(path)
    try:
        is_folder, exists = found.is_dir(), found.exists()
    except (OSError, ValueError) as error:
        raise WorldError(f"cannot be looked for: {why(error)}", repr(str(path))) from error
    if not exists:
        raise WorldError("there is no such file or folder", str(found))
    if is_folder or found.suffix.lower() == SUFFIX:
        return FolderData.open(found, told)
    from engine.files.databases import MAGIC  # SQLite loads for those who have a database
    from engine.world.server.database import DatabaseData

    try:
        head = read_head(found, len(MAGIC))
    except FileError as error:
        raise WorldError(error.reason, str(found)) from error
    if head != MAGIC:
        raise WorldError(f"is no server data, which is {SIGNS}", str(found))
    return DatabaseData(found, told)
