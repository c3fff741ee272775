"""Autosaves on disk: of living processes, of dead ones, and damaged files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from editor.document.undo_stack import Step
from editor.project.autosave import ASIDE, AbandonedAutosave, DamagedAutosave, find_left, when_text
from editor.project.project import SUFFIX, Project
from editor.project.project_file import save_project
from engine.sim.edits.player import FacePlayer
from tests.systems import KILL, KILLED

STEPS = tuple(Step(f"Turn {number}", (FacePlayer(float(number)),)) for number in range(3))

HOLD = """
import sys
from PySide6.QtCore import QLockFile
lock = QLockFile(sys.argv[1] + ".lock")
lock.setStaleLockTime(0)
print(lock.tryLock(0), flush=True)
sys.stdin.read()
"""


def autosave(folder: Path, name: str, **fields: object) -> Path:
    path = folder / f"{name}{SUFFIX}"
    save_project(Project("demo", "demo", steps=STEPS, unsaved=3, saved="2026-11-18T14:02:11+00:00", **fields), path)  # type: ignore[arg-type]
    return path


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has an autosave called "held"."""
    path = autosave(tmp_path, "held")
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "True\n"
    yield process
    process.kill()
    process.communicate()


def test_an_autosave_of_a_living_process_is_left_alone(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    autosave(tmp_path, "left")
    found = list(find_left(tmp_path))
    assert [left.path.name for left in found] == [f"left{SUFFIX}"]
    assert (tmp_path / f"held{SUFFIX}").exists()


def test_an_autosave_of_a_killed_process_is_found(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    holder.kill()
    holder.wait()
    (found,) = find_left(tmp_path)
    assert isinstance(found, AbandonedAutosave)
    assert found.project.steps == STEPS
    found.discard()
    assert list(tmp_path.iterdir()) == []


def test_one_window_alone_is_offered_what_was_left(tmp_path: Path) -> None:
    autosave(tmp_path, "left")
    first = list(find_left(tmp_path))
    assert len(first) == 1
    assert list(find_left(tmp_path)) == []
    assert isinstance(first[0], AbandonedAutosave)
    first[0].leave()
    assert len(list(find_left(tmp_path))) == 1


def test_a_damaged_autosave_is_put_aside_and_told_once(tmp_path: Path) -> None:
    path = autosave(tmp_path, "left")
    path.write_bytes(path.read_bytes()[:-40])
    (found,) = find_left(tmp_path)
    assert isinstance(found, DamagedAutosave)
    assert found.sentence == (
        "Unsaved edits of an earlier session cannot be recovered: their file is cut off: its last line is missing."
    )
    assert str(found.path) in found.details
    assert found.path.name == f"left{SUFFIX}{ASIDE}"
    assert list(find_left(tmp_path)) == []


def test_the_latest_comes_first(tmp_path: Path) -> None:
    for number, name in enumerate(("first", "third", "second")):
        os.utime(autosave(tmp_path, name), (number, number))
    found = list(find_left(tmp_path))
    assert [left.path.stem for left in found] == ["second", "third", "first"]


def test_a_lock_of_somebody_who_died_before_he_saved_is_cleaned_up(tmp_path: Path) -> None:
    process = subprocess.run(
        [
            sys.executable,
            "-c",
            HOLD + f"\nimport os\nos.kill(os.getpid(), {int(KILL)})",
            str(tmp_path / f"x{SUFFIX}"),
        ],
        input="",
        text=True,
        capture_output=True,
        check=False,
    )
    assert process.returncode == KILLED
    assert [path.name for path in tmp_path.iterdir()] == [f"x{SUFFIX}.lock"]
    assert list(find_left(tmp_path)) == []
    assert list(tmp_path.iterdir()) == []


def test_half_a_file_is_cleaned_up_once_nobody_writes_it(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    halves = [tmp_path / f".{name}{SUFFIX}.77-0.tmp" for name in ("held", "gone")]
    for half in halves:
        half.write_bytes(b"{")
    assert list(find_left(tmp_path)) == []
    assert [half.exists() for half in halves] == [True, False]


def test_nothing_is_left_where_there_is_no_folder(tmp_path: Path) -> None:
    assert list(find_left(tmp_path / "nowhere")) == []


def test_the_sentence_names_how_many_edits_of_what_and_when(tmp_path: Path) -> None:
    autosave(tmp_path, "left", file=str(tmp_path / "My House.cellardoor"))
    (found,) = find_left(tmp_path)
    assert isinstance(found, AbandonedAutosave)
    assert found.sentence.startswith("3 edits of ‘My House’ from ")
    assert found.sentence.endswith(" were not saved.")


def test_a_time_of_today_is_the_hour_and_another_day_is_named() -> None:
    now = datetime.now().astimezone()
    assert when_text(now.isoformat()) == f"{now:%H:%M}"
    before = now - timedelta(days=40)
    assert when_text(before.isoformat()) == f"{before.day} {before:%B, %H:%M}"
    assert when_text("gibberish") == "an earlier session"
