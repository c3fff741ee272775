"""Small files that would expand to a large size, opened as the window does: refused or opened, in bounded memory and
time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.files.bombs import BOMBS, write_bomb
from tests.loaded import HUNG

ROOT: Final = Path(__file__).resolve().parents[2]
SECONDS: Final = 15.0
"""In seconds of processor time. One to three are usual; thousands of rooms take five, in the interpreted core."""

QUICK: Final = (
    "a recording whose edits unpack to 64 MB",
    "a capture of 120 MB of line ends",
    "60 MB of empty lists",
    "a million empty entities",
    "800,000 empty entities",
    "a reproduction of 299,000 records of no size and 60 MB",
)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as Linux does")


def opened(name: str, folder: Path) -> tuple[str, float, str]:
    path, size = write_bomb(name, folder)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.files.open_bounded", str(path), str(size)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    word, seconds, _, said = done.stdout.splitlines()[-1].split("\t")
    return word, float(seconds), said


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in BOMBS]
)
def test_opening_takes_twelve_times_the_file_or_512_mb_and_a_few_seconds(name: str, tmp_path: Path) -> None:
    word, seconds, said = opened(name, tmp_path)
    assert word in ("opened", "refused"), said
    assert seconds < SECONDS


@pytest.mark.parametrize(("seed", "count"), [(1, 20), pytest.param(2, 300, marks=pytest.mark.slow)])
def test_changed_copies_of_sound_files_are_opened_or_refused_within_512_mb(seed: int, count: int) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.files.mutate_bounded", str(seed), str(count)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    good, refused, _ = map(int, done.stdout.split())
    assert good + refused == 6 * count
    assert min(good, refused) > count // 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a recording whose edits unpack to 64 MB", "unpacks to more than the 33,554,432 bytes that it may have"),
        (
            "a capture of 200 MB of line ends",
            "has 209,716,450 bytes, which is larger than the 128 MB that a capture may",
        ),
        ("200 MB of empty lists", "has 209,715,199 bytes, which is larger than the 64 MB that a JSON file may have"),
    ],
)
def test_a_refusal_over_a_limit_states_the_limit(name: str, reason: str, tmp_path: Path) -> None:
    word, _, said = opened(name, tmp_path)
    assert word == "refused"
    assert reason in said
