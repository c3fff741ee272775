"""Only the door opens files for reading: the test searches the sources for calls that would."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("engine", "editor", "ui", "cellar_door")

READERS: Final = (
    "read_text",
    "read_bytes",
    "mmap",
    "fromfile",
    "memmap",
    "loadtxt",
    "genfromtxt",
    "open_code",
    "fdopen",
)
"""Methods and functions that read files, whatever they belong to."""
LIBRARIES: Final = (
    "mmap",
    "io.open",
    "codecs",
    "gzip",
    "bz2",
    "lzma",
    "zipfile",
    "tarfile",
    "configparser",
    "shelve",
    "sqlite3",
    "pymysql",
    "dbm",
)
QT: Final = ("QFile", "QImageReader", "QFileSystemWatcher", "QDataStream", "QTextStream")

ALLOWED: Final = {
    ("engine/files/reading.py", "os.open"): "the door",
    ("engine/files/appending.py", "os.open"): "opens to append; what is there is read by the door",
    ("engine/files/databases.py", "sqlite3"): "after the door has looked at the file",
    ("engine/files/database_server.py", "pymysql"): "a server, with no option that reads a file",
    ("engine/_core.py", "read_bytes"): "the program's own sources, before any of it is imported",
    ("engine/_core.py", "read_text"): "the stamp of the program's own build, before any of it is imported",
    ("engine/build/demo/cache.py", "os.open"): "an empty file, to lock it",
    ("engine/dat/atomic.py", "open"): "opens to write",
    ("engine/dat/atomic.py", "os.open"): "a folder, to make a rename last; what a killed writer left, to lock it",
    ("editor/process/problem_reports.py", "os.open"): "opens to write, and to lock what a crashed program left",
    ("editor/process/memory.py", "read_text"): "what the system says of this process",
    ("cellar_door/virtual_display.py", "fdopen"): "the pipe on which Xvfb tells its number",
    ("cellar_door/main.py", "os.open"): "the null device, to write",
}


def _calls(file: Path) -> Iterator[str]:
    """Calls and imports in a module that open files."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            for name in (f"{module}.{alias.name}".strip(".") for alias in node.names):
                if any(name == each or name.startswith(f"{each}.") for each in LIBRARIES) or name.split(".")[-1] in QT:
                    yield name
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id == "open":
            yield "open"
        elif isinstance(called, ast.Attribute):
            owner = called.value.id if isinstance(called.value, ast.Name) else ""
            if called.attr == "open" and (owner in ("os", "io") or _is_mode(node)):
                yield f"{owner or 'path'}.open" if owner in ("os", "io") else "path.open"
            elif called.attr in READERS and owner not in ("reading",):
                yield called.attr
            elif called.attr == "load" and owner in ("np", "numpy", "json", "pickle", "tomllib"):
                yield f"{owner}.load"


def _is_mode(call: ast.Call) -> bool:
    """`path.open("rb")`: no other method called open takes a mode first."""
    first = call.args[0] if call.args else None
    return isinstance(first, ast.Constant) and isinstance(first.value, str) and set(first.value) <= set("rwxab+t")


def _all_calls() -> set[tuple[str, str]]:
    return {
        (file.relative_to(ROOT).as_posix(), call)
        for package in PACKAGES
        for file in sorted((ROOT / package).rglob("*.py"))
        if "_compiled" not in file.parts
        for call in _calls(file)
    }


def test_only_the_door_opens_files_for_reading() -> None:
    found = _all_calls()
    assert found == set(ALLOWED)


@pytest.mark.parametrize(
    "line",
    [
        "open(name)",
        "Path(name).read_text()",
        "path.read_bytes()",
        "path.open('rb')",
        "os.open(name, os.O_RDONLY)",
        "import mmap",
        "from mmap import mmap",
        "np.load(name)",
        "from PySide6.QtCore import QFile",
        "json.load(stream)",
    ],
)
def test_the_search_finds_the_usual_ways_to_read_a_file(tmp_path: Path, line: str) -> None:
    (tmp_path / "module.py").write_text(f"import os\n{line}\n", encoding="utf-8")
    assert list(_calls(tmp_path / "module.py"))
