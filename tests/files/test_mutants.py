"""Mutated SQL, SQLite databases, indexes and captures: each is read or refused with a sentence, in bounded time and
memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.loaded import HUNG

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of memory for a process")

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.unwatched
@pytest.mark.parametrize(("seed", "count"), [(13, 4_000), pytest.param(1, 20_000, marks=pytest.mark.slow)])
def test_mutated_server_data_and_captures_end_in_content_or_sentences(seed: int, count: int) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.files.mutants", str(seed), str(count)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    read, faulty, refused, _, _ = done.stdout.split()
    assert int(read) + int(faulty) + int(refused) == count
    assert min(int(read), int(faulty), int(refused)) > count // 20
