"""A project that is open in one window is known to be so in the next."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from editor.project.claim import ProjectClaim
from tests.loaded import HUNG

ROOT = Path(__file__).resolve().parents[3]

CRASH = """
import faulthandler, sys
from pathlib import Path
from editor.project.claim import ProjectClaim

claim = ProjectClaim(Path(sys.argv[1]))
print(claim.take(Path(sys.argv[2])), flush=True)
faulthandler._sigsegv()
"""


def test_the_second_window_of_a_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "house.cellardoor"
    first, second = ProjectClaim(tmp_path / "locks"), ProjectClaim(tmp_path / "locks")
    assert first.take(file)
    assert first.take(file), "it has it already"
    assert not second.take(file)
    assert not second.take(file.parent / "." / file.name), "whatever way it is written"
    assert second.take(tmp_path / "other.cellardoor")
    first.release()
    assert second.take(file)
    assert first.take(tmp_path / "other.cellardoor"), "given back for another one"


def test_no_file_is_no_claim(tmp_path: Path) -> None:
    claim = ProjectClaim(tmp_path / "locks")
    assert claim.take(None)
    assert claim.take(tmp_path / "house.cellardoor")
    assert claim.take(None)
    assert ProjectClaim(tmp_path / "locks").take(tmp_path / "house.cellardoor")


def test_the_claim_of_a_process_that_crashed_counts_no_more(tmp_path: Path) -> None:
    file = tmp_path / "house.cellardoor"
    command = [sys.executable, "-c", CRASH, str(tmp_path / "locks"), str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HUNG)
    assert (done.stdout, done.returncode != 0) == ("True\n", True)
    assert list((tmp_path / "locks").glob("*.lock")), "it was left behind"
    assert ProjectClaim(tmp_path / "locks").take(file)


def test_where_no_lock_can_be_made_nobody_is_told(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("")
    assert ProjectClaim(tmp_path / "locks").take(tmp_path / "house.cellardoor")
