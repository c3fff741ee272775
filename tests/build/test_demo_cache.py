"""The demo world's files: written once, whole or not at all, with the same bytes in every process."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.build.demo import cache, ensure_demo
from engine.build.errors import BuildError
from tests.build.demo_folder import built
from tests.loaded import HUNG
from tests.systems import KILLED

ROOT = Path(__file__).resolve().parents[2]
FILES = {"client_portal.dat", "client_cell_1.dat", "entities.json", "names.json", "spots.json", "contents.json"}

DIGESTS = """
import hashlib, json
from engine.build.demo import demo_world
made = demo_world().build()
digest = hashlib.sha256()
for records in (made.portal, made.cell):
    for key, data in sorted(records.items()):
        digest.update(key.to_bytes(4, "little") + data)
digest.update(repr(made.entities).encode())
print(digest.hexdigest())
"""


def folders(cache: Path) -> list[str]:
    """What is in the cache beside the lock, which stays."""
    return [path.name for path in cache.iterdir() if path.is_dir()]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Replaces the writing of the world by two small files, and lists the folders written to."""
    written: list[Path] = []

    def write(folder: Path) -> None:
        written.append(folder)
        (folder / "client_portal.dat").write_bytes(b"portal" * 100)
        (folder / "client_cell_1.dat").write_bytes(b"cell" * 100)
        digests = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}
        (folder / "contents.json").write_text(json.dumps(digests), encoding="utf-8")

    monkeypatch.setattr(cache, "_write", write)
    return written


def test_the_folder_holds_the_data_files() -> None:
    folder = ensure_demo()
    assert {path.name for path in folder.iterdir()} == FILES
    assert cache.is_whole(folder)


def test_the_second_start_writes_nothing(tmp_path: Path, small: list[Path]) -> None:
    first = ensure_demo(tmp_path)
    assert ensure_demo(tmp_path) == first
    assert len(small) == 1
    assert folders(tmp_path) == [first.name]


@pytest.mark.parametrize("damage", ["change", "shorten", "remove", "add", "contents"])
def test_a_damaged_folder_is_written_again(tmp_path: Path, small: list[Path], damage: str) -> None:
    folder = ensure_demo(tmp_path)
    portal = folder / "client_portal.dat"
    if damage == "change":
        portal.write_bytes(b"x" + portal.read_bytes()[1:])
    elif damage == "shorten":
        portal.write_bytes(portal.read_bytes()[:-1])
    elif damage == "remove":
        portal.unlink()
    elif damage == "add":
        (folder / "stray").write_bytes(b"")
    else:
        (folder / "contents.json").write_text("{", encoding="utf-8")
    assert not cache.is_whole(folder)
    assert ensure_demo(tmp_path) == folder
    assert cache.is_whole(folder)
    assert len(small) == 2
    assert folders(tmp_path) == [folder.name]


def test_a_start_that_loses_the_race_uses_the_files_of_the_other(
    tmp_path: Path, small: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    write = cache._write

    def overtaken(folder: Path) -> None:
        monkeypatch.setattr(cache, "_write", write)
        ensure_demo(tmp_path)
        write(folder)

    monkeypatch.setattr(cache, "_write", overtaken)
    folder = ensure_demo(tmp_path)
    assert len(small) == 2
    assert cache.is_whole(folder)
    assert folders(tmp_path) == [folder.name]


def test_a_start_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: Path) -> None:
        (folder / "client_portal.dat").write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "_write", full)
    with pytest.raises(BuildError, match="No space left on device"):
        ensure_demo(tmp_path)
    assert folders(tmp_path) == []


WRITING = """
import os, sys
from pathlib import Path
from engine.build.demo import cache
from tests.systems import KILL
def write(folder):
    (folder / "client_portal.dat").write_bytes(b"half")
    print("writing", flush=True)
    if sys.argv[2] == "kill":
        os.kill(os.getpid(), KILL)
    sys.stdin.readline()
    (folder / "contents.json").write_text("{}")
cache._write = write
cache.is_whole = lambda folder: (folder / "contents.json").exists()
cache.ensure_demo(Path(sys.argv[1]))
"""


def test_a_start_removes_remains_of_killed_ones_but_not_of_running_ones(tmp_path: Path, small: list[Path]) -> None:
    command = [sys.executable, "-W", "ignore", "-c", WRITING, str(tmp_path)]
    assert subprocess.run([*command, "kill"], cwd=ROOT, capture_output=True, check=False).returncode == KILLED
    (left,) = folders(tmp_path)
    assert left.startswith(".demo-")
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, "wait"], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdout.readline()
        (writing,) = folders(tmp_path)
        assert writing != left, "the next writer removed the remains"
        folder = ensure_demo(tmp_path)
        assert set(folders(tmp_path)) == {folder.name, writing}
        writer.communicate("\n", timeout=HUNG)
        assert writer.returncode == 0
    assert folders(tmp_path) == [folder.name]
    (tmp_path / ".demo-left").mkdir()
    ensure_demo(tmp_path)
    assert folders(tmp_path) == [folder.name], "a start that writes nothing tidies up too"


def test_an_unwritable_folder_is_named_with_the_remedy(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    with pytest.raises(BuildError, match=r"\(.+\); CELLAR_DOOR_CACHE may name another folder"):
        ensure_demo(file / "below")


def test_the_newest_folders_of_other_sources_stay(tmp_path: Path, small: list[Path]) -> None:
    for age in range(6):
        old = tmp_path / f"demo-old{age}"
        old.mkdir()
        os.utime(old, (1000 - age, 1000 - age))
    folder = ensure_demo(tmp_path)
    assert set(folders(tmp_path)) == {folder.name, *(f"demo-old{age}" for age in range(cache.KEPT))}


def test_the_environment_chooses_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CELLAR_DOOR_CACHE", str(tmp_path / "named"))
    assert cache.default_cache() == tmp_path / "named"
    monkeypatch.delenv("CELLAR_DOOR_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.default_cache() == tmp_path / "cellar-door"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("USERPROFILE" if os.name == "nt" else "HOME", str(tmp_path / "home"))
    assert cache.default_cache() == tmp_path / "home" / ".cache" / "cellar-door"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert cache.default_cache() == tmp_path / "cellar-door"


@pytest.mark.slow
def test_another_process_on_the_python_core_makes_the_same_bytes() -> None:
    made = built()
    digest = hashlib.sha256()
    for records in (made.portal, made.cell):
        for key, data in sorted(records.items()):
            digest.update(key.to_bytes(4, "little") + data)
    digest.update(repr(made.entities).encode())
    environment = {**os.environ, "CELLAR_DOOR_CORE": "python", "PYTHONHASHSEED": "12345"}
    run = subprocess.run(
        [sys.executable, "-c", DIGESTS], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == digest.hexdigest()
