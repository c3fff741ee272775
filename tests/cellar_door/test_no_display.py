"""The program without a display, started as users start it: the demo's story as lines, and a picture of the window."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from engine.build import WorldBuilder, rect
from tests.loaded import HUNG
from tests.systems import chooses_display

pytestmark = chooses_display

ROOT = Path(__file__).resolve().parents[2]
LINE = re.compile(r"tick +[\d,]+ +(\d+\.\d\d) s +(0x[0-9A-F]{8})  (.+)")
CHAPTERS = [
    "✓ The closed door blocks.",
    "✓ The used door lets through.",
    "✓ The way leads down into the cellar.",
    "✓ The way leads back to the door.",
    "✓ Half a minute after it was used the door is closed and blocks again.",
]
CELLAR = "0xC95B0110"
IN_THE_VIEW = (500, 200, 1150, 600)
"""Left, top, right, bottom of a piece of the 3D view in the picture of the window."""


def pixels_of(picture: QImage) -> NDArray[np.uint8]:
    shown = picture.convertToFormat(QImage.Format.Format_RGBX8888)
    return np.array(shown.constBits(), np.uint8).reshape(shown.height(), shown.width(), 4)[:, :, :3]


def colours_of(picture: QImage, left: int, top: int, right: int, bottom: int) -> set[bytes]:
    part = pixels_of(picture)[top:bottom, left:right].reshape(-1, 3)
    return {bytes(colour) for colour in part}


def start(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    unwanted = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "CELLAR_DOOR_READY")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return subprocess.run(
        [sys.executable, "-m", "cellar_door", *words],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=HUNG,
    )


def happenings(output: str) -> list[tuple[float, str, str]]:
    """Seconds, cell and words of the lines that tell of events."""
    found = [LINE.fullmatch(line) for line in output.splitlines()]
    return [(float(match[1]), match[2], match[3]) for match in found if match]


def test_without_a_display_the_story_is_told_and_a_picture_is_taken(tmp_path: Path) -> None:
    done = start(tmp_path, PATH="")  # with no other program
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("There is no display to open the window on")
    assert [line for line in lines if line[0] in "✓■"] == CHAPTERS
    assert lines[-1] == f"A picture of the window is in {tmp_path / 'cellar-door.png'}"
    picture = QImage(str(tmp_path / "cellar-door.png"))
    assert (picture.width(), picture.height()) == (1600, 1000)
    middle = colours_of(picture, *IN_THE_VIEW)
    assert len(middle) > 1000, "the world is drawn, not the map nor a sentence"
    told = happenings(done.stdout)
    assert len(told) == len(lines) - len(CHAPTERS) - 2
    assert [seconds for seconds, _, _ in told] == sorted(seconds for seconds, _, _ in told)
    assert any(cell == CELLAR and words.startswith("enters") for _, cell, words in told)
    blocked = [seconds for seconds, _, words in told if words == "blocked by Front Door 0x7C95B001"]
    used = next(seconds for seconds, _, words in told if words == "Front Door 0x7C95B001 opening")
    closed = next(seconds for seconds, _, words in told if words == "Front Door 0x7C95B001 closed")
    assert blocked[0] < used < closed < blocked[-1]
    assert 30.0 <= closed - used < 31.0


@pytest.mark.gui
@pytest.mark.display
def test_a_screenshot_without_a_display_shows_what_one_on_a_display_does(tmp_path: Path) -> None:
    house = WorldBuilder()
    hall = house.room("hall", rect(0, 0, 6, 4), height=2.8)
    house.door(hall, house.room("study", rect(6.2, 0, 4, 4), height=2.8))
    house.build().write(tmp_path / "house")
    words = ("house", "--cell", "0x00070100", "--screenshot")
    pictures = []
    for name, environment in (("with.png", {"DISPLAY": os.environ["DISPLAY"]}), ("without.png", {"PATH": ""})):
        done = start(tmp_path, *words, name, **environment)
        assert (done.returncode, done.stderr) == (0, "")
        pictures.append(pixels_of(QImage(str(tmp_path / name))))
    same = (pictures[0] == pictures[1]).all(axis=2)
    assert same.mean() > 0.98, "but for figures of time"
    left, top, right, bottom = IN_THE_VIEW
    assert same[top:bottom, left:right].all()


def test_a_screenshot_of_what_can_not_be_opened_says_why(tmp_path: Path) -> None:
    done = start(tmp_path, "absent", "--screenshot", "x.png", PATH="")
    assert (done.returncode, done.stderr) == (
        2,
        "Cellar Door: absent cannot be opened: there is no such file or folder\n",
    )
