"""Background work ends before the program does, whichever code started it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

from editor.session import background
from tests.loaded import HUNG

ROOT = Path(__file__).resolve().parents[3]

ENDING = """
from PySide6.QtCore import QCoreApplication
from editor.session import background

class Long(background.Job):
    def work(self):
        while not background.is_ending():
            pass
        print("stopped")

application = QCoreApplication([])
background.start(Long())
"""


def test_the_program_exits_cleanly_while_a_search_is_running() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDING], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "stopped\n"), ended.stderr


class Counting(background.Job):
    """Counts until it is cancelled, or up to `upto`."""

    def __init__(self, upto: int) -> None:
        super().__init__()
        self.upto = upto
        self.counted = 0
        self.begun = Event()

    def work(self) -> None:
        while self.counted < self.upto:
            self.check()
            self.counted += 1
            self.progress(self.counted / self.upto, "Counting")
            self.begun.set()


def test_a_job_reports_progress_at_a_limited_rate() -> None:
    job = Counting(20_000)
    told: list[tuple[float, str]] = []
    over: list[bool] = []
    job.reports.progressed.connect(lambda fraction, sentence: told.append((fraction, sentence)))
    job.reports.ended.connect(lambda: over.append(job.is_done))
    job.run()
    assert told[0] == (1 / 20_000, "Counting")
    assert len(told) < 1000
    assert over == [True]


def test_cancelling_a_job_is_reported_at_once_and_stops_it() -> None:
    job = Counting(1 << 62)
    heard: list[str] = []
    job.reports.cancelled.connect(lambda: heard.append("cancelled"))
    thread = Thread(target=job.run)
    thread.start()
    job.begun.wait()
    job.cancel()
    job.cancel()
    assert heard == ["cancelled"]
    thread.join(timeout=HUNG)
    assert job.is_done
