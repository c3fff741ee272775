"""Pictures of the window from the command line: what they leave behind, and how they are refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.gui


def take(source: Path, picture: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cellar_door", str(source), "--screenshot", str(picture)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


def test_a_picture_leaves_nothing_but_itself(house: Path, tmp_path: Path) -> None:
    (tmp_path / "window.ini").write_text("[General]\ntheme=light\n")
    taken = take(house, tmp_path / "window.png")
    assert (taken.returncode, taken.stdout, taken.stderr) == (0, "", "")
    assert QImage(str(tmp_path / "window.png")).size().toTuple() == (1600, 1000)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["window.ini", "window.png"]
    assert (tmp_path / "window.ini").read_text() == "[General]\ntheme=light\n"


def test_a_picture_in_a_folder_that_is_not_there_is_refused_in_one_sentence(house: Path, tmp_path: Path) -> None:
    picture = tmp_path / "nowhere" / "window.png"
    taken = take(house, picture)
    reason = f"{picture} can not be written: is the folder there, and may you write to it?"
    assert (taken.returncode, taken.stdout, taken.stderr) == (2, "", f"Cellar Door: {reason}\n")
    assert not picture.parent.exists()


def test_a_picture_of_what_can_not_be_opened_says_why(tmp_path: Path) -> None:
    taken = take(tmp_path / "absent", tmp_path / "window.png")
    assert taken.returncode == 2
    assert taken.stderr == "Cellar Door: absent can not be opened: there is no such file or folder\n"
