"""What is printed into a pipe whose encoding lacks some of its letters, as under an old locale or on Windows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.world.loader.scenes import two_rooms

ROOT = Path(__file__).resolve().parents[2]
NARROW = [
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "cp1252:strict"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
]


def run(folder: Path, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    unwanted = ("DISPLAY", "WAYLAND_DISPLAY", "PYTHONIOENCODING", "PYTHONUTF8", "LC_ALL", "LANG", "CELLAR_DOOR_READY")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return subprocess.run(
        [sys.executable, "-m", "cellar_door", *words],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), "CELLAR_DOOR_CORE": "python", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="ascii",
        check=False,
    )


@pytest.fixture
def scene(tmp_path: Path) -> str:
    name = "Türe ✓ 日本.json"
    (tmp_path / name).write_text(json.dumps(two_rooms()))
    return name


def test_letters_that_the_encoding_lacks_are_written_as_escapes(tmp_path: Path, scene: str) -> None:
    done = run(tmp_path, {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}, "inspect", scene)
    assert (done.returncode, done.stderr) == (0, "")
    assert "T\\xfcre \\u2713 \\u65e5\\u672c" in done.stdout


@pytest.mark.parametrize("environment", NARROW)
@pytest.mark.parametrize(
    "words",
    [
        ("inspect", "demo"),
        ("inspect", "demo", "--json"),
        ("visible", "demo", "--cell", "0x00070102", "--eye", "22,-15,1.5"),
        ("walk", "--help"),
        ("--help",),
    ],
    ids=" ".join,
)
def test_every_command_ends_well_in_every_encoding(
    tmp_path: Path, environment: dict[str, str], words: tuple[str, ...]
) -> None:
    command = [sys.executable, "-m", "cellar_door", *words]
    kept = {name: value for name, value in os.environ.items() if name not in ("LC_ALL", "LANG", "PYTHONUTF8")}
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**kept, "PYTHONPATH": str(ROOT), "CELLAR_DOOR_CORE": "python", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


@pytest.mark.parametrize("environment", NARROW)
def test_a_refusal_names_the_file_in_every_encoding(tmp_path: Path, environment: dict[str, str]) -> None:
    done = run(tmp_path, environment, "inspect", "nirgends/✓.json")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert ".json: there is no such file or folder" in done.stderr
