"""The demo world as data files: written once for each state of the sources, then found again.

A folder in the cache is named by a digest of everything that determines it, and appears whole or not at all: it is
written under another name first. Starts at the same time may each write one; the first wins, and all are equal.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple
from pathlib import Path
from typing import Final

import numpy as np

from engine.build.errors import BuildError
from engine.dat.atomic import PAUSES
from engine.dat.errors import DatError
from engine.files.errors import FileError, why
from engine.files.json_text import json_value
from engine.files.kinds import OWN
from engine.files.locking import lock
from engine.files.reading import read_file
from engine.world.loader.names_file import FILE_NAME as NAMES_FILE
from engine.world.loader.names_file import write_names

CACHE_VARIABLE: Final = "CELLAR_DOOR_CACHE"
CONTENTS: Final = "contents.json"
"""Names the files of the folder with their digests; a folder that disagrees with it is damaged."""

SPOTS_FILE: Final = "spots.json"
"""Cell, point and heading of the named places."""

KEPT: Final = 4
"""Folders of other sources that stay, the newest ones: several checkouts may be in use."""

_PREFIX: Final = "demo-"
_LOCK: Final = ".writing"
_ROOT: Final = Path(__file__).resolve().parents[3]
_SOURCES: Final = ("engine/build", "engine/dat", "engine/geometry", "engine/world", "resources/demo")


def ensure_demo(cache_dir: Path | None = None) -> Path:
    """The folder with the demo world's data files, written now if it is not there or damaged.

    Below `cache_dir`, or what CELLAR_DOOR_CACHE names, or the user's cache folder.
    """
    root = cache_dir or default_cache()
    folder = root / f"{_PREFIX}{sources_digest()}"
    _remove_left_over(root)
    if is_whole(folder):
        return folder
    try:
        root.mkdir(parents=True, exist_ok=True)
        with _locked(root, shared=True):
            _write_in_place(root, folder)
    except (OSError, DatError, FileError) as error:
        raise _unwritable(root, why(error) if isinstance(error, OSError) else str(error)) from error
    _tidy(root, folder)
    return folder


def _write_in_place(root: Path, folder: Path) -> None:
    fresh = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}", dir=root))
    try:
        _write(fresh)
        _put_in_place(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _unwritable(root: Path, reason: str) -> BuildError:
    return BuildError(
        "demo world", f"it cannot be written to {root} ({reason}); {CACHE_VARIABLE} may name another folder"
    )


def default_cache() -> Path:
    """The folder for files that can be built again."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    home = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    return (Path(home) if home and Path(home).is_absolute() else Path.home() / ".cache") / "cellar-door"


def sources_digest() -> str:
    """A digest of all that determines the demo world's bytes."""
    digest = hashlib.sha256(f"numpy {np.__version__}\n".encode())
    for source in _SOURCES:
        for path in sorted((_ROOT / source).rglob("*")):
            if path.suffix in (".py", ".txt"):
                digest.update(f"{path.relative_to(_ROOT).as_posix()}\n".encode())
                digest.update(hashlib.sha256(read_file(path, OWN)).digest())
    return digest.hexdigest()[:20]


def is_whole(folder: Path) -> bool:
    """Whether a folder holds exactly what was once written there."""
    try:
        contents = json_value(read_file(folder / CONTENTS, OWN), str(folder / CONTENTS))
        return isinstance(contents, dict) and len(contents) > 0 and contents == _digests(folder)
    except (OSError, FileError):
        return False


def _digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(read_file(path, OWN)).hexdigest()
        for path in sorted(folder.iterdir())
        if path.name != CONTENTS
    }


def _write(folder: Path) -> None:
    from engine.build.demo.names import demo_names  # what builds the world is only loaded to build it
    from engine.build.demo.places import demo_world
    from engine.build.demo.spot_plan import spots_of

    world = demo_world()
    built = world.build()
    built.write(folder)
    write_names(folder / NAMES_FILE, "demo", demo_names(built.described))
    spots = {name: astuple(spot) for name, spot in spots_of(world).items()}
    (folder / SPOTS_FILE).write_text(json.dumps(spots, indent=1) + "\n", encoding="utf-8", newline="\n")
    (folder / CONTENTS).write_text(json.dumps(_digests(folder), indent=1) + "\n", encoding="utf-8", newline="\n")


def _put_in_place(fresh: Path, folder: Path) -> None:
    """Give the finished folder its name, unless another start was first; a damaged one of that name has to go."""
    pauses = list(PAUSES if sys.platform == "win32" else ())  # a scanner may have one of the new files open
    while True:
        try:
            fresh.rename(folder)
        except OSError:
            if is_whole(folder):
                return
            if not folder.exists():
                if not pauses:
                    raise
                time.sleep(pauses.pop())
                continue
            aside = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}", dir=folder.parent))
            with suppress(FileNotFoundError):  # another start may just have done so
                folder.rename(aside / "damaged")
            shutil.rmtree(aside, ignore_errors=True)
        else:
            return


def _remove_left_over(root: Path) -> None:
    """Remove half-written folders of starts that were killed, unless another process is writing at this moment."""
    with suppress(OSError):  # there is no such folder, somebody writes, or nothing may be removed
        left = [path for path in root.iterdir() if path.name.startswith(f".{_PREFIX}")]
        if left:
            with _locked(root, shared=False):
                for path in left:
                    shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _locked(root: Path, *, shared: bool) -> Iterator[None]:
    """Writers share the lock, so that nobody takes their folders for leftovers; alone, raise BlockingIOError instead of
    waiting. The system takes it back when a process dies."""
    handle = os.open(root / _LOCK, os.O_RDONLY | os.O_CREAT, 0o666)  # another user's can be read
    try:
        lock(handle, shared=shared, wait=shared)
        yield
    finally:
        os.close(handle)


def _tidy(root: Path, current: Path) -> None:
    """Remove the oldest folders of other sources."""
    with suppress(OSError):  # of another user, or another start tidies at the same time
        others = [path for path in root.iterdir() if path.name.startswith(_PREFIX) and path != current]
        others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for path in others[KEPT:]:
            shutil.rmtree(path, ignore_errors=True)
