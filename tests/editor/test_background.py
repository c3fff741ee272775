"""Work on other threads ends before the program does, whoever wanted it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ENDING = """
from PySide6.QtCore import QCoreApplication
from editor import background

class Long(background.Job):
    def work(self):
        while not background.is_ending():
            pass
        print("stopped")

application = QCoreApplication([])
background.start(Long())
"""


def test_a_program_ends_in_order_while_a_search_is_still_running() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDING], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "stopped\n"), ended.stderr
