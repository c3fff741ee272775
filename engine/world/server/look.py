"""Tells quickly whether a path leads to server data, without opening it: for those who open it as a world."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from engine.files.errors import FileError
from engine.files.reading import read_head
from engine.world.server.folder import OTHER, SUFFIX, kind_of_file

SQLITE: Final = b"SQLite format 3\0"
MOST_FOLDERS: Final = 300
MOST_FILES: Final = 20
"""SQL files that are looked into; a checkout has some about other things before those of landblocks."""


def server_look(path: Path) -> str:
    """What kind of server data a path leads to, with its article; empty for anything else."""
    try:
        if path.is_dir():
            return "a folder of a server's SQL files" if _has_server_files(path) else ""
        if path.suffix.lower() == SUFFIX:
            return "an SQL file of a server" if kind_of_file(path) != OTHER else ""
        return "an SQLite database" if read_head(path, len(SQLITE)) == SQLITE else ""
    except (OSError, ValueError, FileError):
        return ""


def _has_server_files(root: Path) -> bool:
    waiting = [root]
    looked = folders = 0
    while waiting and folders < MOST_FOLDERS:
        folder = waiting.pop(0)
        folders += 1
        files: list[Path] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.name.lower().endswith(SUFFIX):
                        files.append(Path(entry.path))
                    elif entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
        except OSError:
            continue
        if files:
            looked += 1
            if kind_of_file(min(files)) != OTHER:
                return True
        if looked >= MOST_FILES:
            return False
    return False
