"""The program without a display, started as users start it: the demo's story as lines, and a picture of the window."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

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


def start(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    unwanted = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "CELLAR_DOOR_READY")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return subprocess.run(
        [sys.executable, "-m", "cellar_door"],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def happenings(output: str) -> list[tuple[float, str, str]]:
    """Seconds, cell and words of the lines that tell of events."""
    found = [LINE.fullmatch(line) for line in output.splitlines()]
    return [(float(match[1]), match[2], match[3]) for match in found if match]


@pytest.mark.gui
def test_without_a_display_the_story_is_told_and_a_picture_is_taken(tmp_path: Path) -> None:
    done = start(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("There is no display to open the window on")
    assert [line for line in lines if line[0] in "✓■"] == CHAPTERS
    assert lines[-1] == f"A picture of the window is in {tmp_path / 'cellar-door.png'}"
    header = (tmp_path / "cellar-door.png").read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", header[16:]) == (1600, 1000)


def test_the_story_tells_every_event_and_says_why_there_is_no_picture(tmp_path: Path) -> None:
    done = start(tmp_path, PATH="")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line for line in lines if line[0] in "✓■"] == CHAPTERS
    assert "Xvfb, which could stand in for one, is not installed" in lines[-1]
    assert not list(tmp_path.iterdir())
    told = happenings(done.stdout)
    assert len(told) == len(lines) - len(CHAPTERS) - 2
    assert [seconds for seconds, _, _ in told] == sorted(seconds for seconds, _, _ in told)
    assert any(cell == CELLAR and words.startswith("enters") for _, cell, words in told)
    blocked = [seconds for seconds, _, words in told if words == "blocked by Front Door 0x7C95B001"]
    used = next(seconds for seconds, _, words in told if words == "Front Door 0x7C95B001 opening")
    closed = next(seconds for seconds, _, words in told if words == "Front Door 0x7C95B001 closed")
    assert blocked[0] < used < closed < blocked[-1]
    assert 30.0 <= closed - used < 31.0
