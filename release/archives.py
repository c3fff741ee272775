"""Archives whose bytes depend on nothing but what they hold: sorted names, one time for all files, no owners."""

from __future__ import annotations

import hashlib
import lzma
import os
import stat
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

SUMS: Final = "SHA256SUMS"
PROGRAM_MODE: Final = 0o755
FILE_MODE: Final = 0o644
FOLDER_MODE: Final = 0o755
LEVEL: Final = 9
PIECE: Final = 1 << 20


def write_zip(folder: Path, target: Path, moment: int) -> None:
    """Pack a folder for Windows; `moment` is the time of all files, in seconds since 1970."""
    time = max(datetime.fromtimestamp(moment, timezone.utc).replace(tzinfo=None), datetime(1980, 1, 1))  # noqa: DTZ001
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for path in _everything(folder):
            if path.is_dir():
                continue
            name = path.relative_to(folder.parent).as_posix()
            entry = zipfile.ZipInfo(name, time.timetuple()[:6])
            entry.create_system = 3  # Unix, on whatever system it is made: it decides what the mode means
            entry.external_attr = (stat.S_IFREG | _mode(path)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            with path.open("rb") as source, archive.open(entry, "w") as sink:
                while piece := source.read(PIECE):
                    sink.write(piece)


def write_tar(folder: Path, target: Path, moment: int) -> None:
    """Pack a folder for systems with links and permissions, compressed by xz."""
    with lzma.open(target, "wb", preset=LEVEL) as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
        for path in (folder, *_everything(folder)):
            entry = archive.gettarinfo(str(path), path.relative_to(folder.parent).as_posix())
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = moment, 0, 0, "", ""
            if entry.islnk():  # a second name of a file is packed as a file of its own
                entry.type, entry.linkname, entry.size = tarfile.REGTYPE, "", path.stat().st_size
            if entry.isreg():
                entry.mode = _mode(path)
                with path.open("rb") as source:
                    archive.addfile(entry, source)
            else:
                entry.mode = FOLDER_MODE
                archive.addfile(entry)


def _everything(folder: Path) -> Iterator[Path]:
    """All below a folder, in the order of their names, which no system's locale changes."""
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from _everything(path)


def _mode(path: Path) -> int:
    is_program = os.access(path, os.X_OK) if os.name == "posix" else path.suffix == ".exe"
    return PROGRAM_MODE if is_program else FILE_MODE


def write_sums(folder: Path, files: Iterable[Path]) -> Path:
    """The checksums of some files of a folder, as `sha256sum --check` reads them."""
    target = folder / SUMS
    lines = (f"{_sum(file)}  {file.name}\n" for file in sorted(files, key=lambda file: file.name))
    target.write_text("".join(lines), encoding="utf-8", newline="\n")
    return target


def _sum(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as source:
        while piece := source.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()
