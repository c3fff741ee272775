"""`python -m benchmarks.following.window SESSION`: the window follows a second process that writes 30 records a second.
Prints the figures as one line of JSON. Needs a display.

A record is in the picture when the first picture with it is painted: the clock runs from the moment before its line was
written. Both processes read the system's monotonic clock.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from PySide6.QtCore import QEventLoop, QSettings, QTimer

from benchmarks.figures import Figure
from editor.session.sources import DEMO
from ui.window.application import create_application
from ui.window.main_window import MainWindow
from ui.window.start import make_window

SECONDS: Final = float(os.environ.get("FOLLOW_SECONDS", "180"))
PER_SECOND: Final = 30
LATENCY_LIMIT: Final = 100.0
GROWTH_LIMIT: Final = 8.0
WARM: Final = 0.25
"""The part of the run after which memory is compared."""
LAST: Final = 0.2
"""The part of the run at its end with the map in front."""

STAMP: Final = re.compile(rb'"timestampMs":[0-9.]+')


def write(session: str, target: str, seconds: float) -> None:
    """The client: a record every thirtieth of a second, flushed."""
    lines = Path(session).read_bytes().splitlines(keepends=True)
    begun = time.monotonic()
    with open(target, "wb", buffering=0) as stream:
        for number in range(round(seconds * PER_SECOND)):
            time.sleep(max(begun + number / PER_SECOND - time.monotonic(), 0.0))
            now = round(time.monotonic() * 1000.0)
            stream.write(STAMP.sub(b'"timestampMs":%d' % now, lines[number % len(lines)], count=1))


class Watch:
    """Notes how old a record is when it is first in the picture."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._last = -1
        self.ages: list[float] = []
        self.skipped = 0
        assert window.viewport is not None
        window.viewport.painted.connect(self._on_painted)

    def _on_painted(self, milliseconds: float) -> None:
        shown = self._window.viewing.client.shown
        if shown is None or shown.number == self._last:
            return
        self.skipped += shown.number - self._last - 1
        self._last = shown.number
        self.ages.append(time.monotonic() * 1000.0 - shown.record.timestamp_ms)


def main(session: str) -> int:
    application = create_application(["bench"])
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        settings.setValue("centre", "3d")
        window = make_window(application, settings)
        window.resize(1280, 800)
        window.show()
        loop = QEventLoop()
        window.session.faults_changed.connect(loop.quit)
        window.open(DEMO)
        loop.exec()
        _wait(3.0)
        found = _follow(window, session, f"{folder}/live.jsonl")
        window.close()
    print(json.dumps([asdict(figure) for figure in found]))
    return 0


def _follow(window: MainWindow, session: str, target: str) -> list[Figure]:
    window.following.follow(Path(target))
    live = window.following.live
    assert live is not None
    while not live.following.news.is_open:
        _wait(0.1)
    idle = _share(5.0)
    watch = Watch(window)
    client = subprocess.Popen([sys.executable, "-m", "benchmarks.following.window", session, target, str(SECONDS)])
    _wait(1.0)
    window.following.camera_action.trigger()
    with_picture = _share(SECONDS * WARM)
    before = _resident()
    _wait(SECONDS * (1.0 - WARM - LAST))
    after = _resident()
    window.own_commands["show-map"].trigger()
    with_map = _share(SECONDS * LAST * 0.75)
    client.wait()
    _wait(1.0)
    count = live.count
    window.following.stop()
    name = f"{SECONDS:g} s"
    limit = LATENCY_LIMIT
    return [
        Figure("line written to picture, median", median(watch.ages), "ms", limit, limit),
        Figure("line written to picture, 95 of 100", quantiles(watch.ages, n=20)[-1], "ms", limit, limit),
        Figure("line written to picture, longest", max(watch.ages), "ms"),
        Figure("pictures with a new record", len(watch.ages) / (SECONDS * (1.0 - LAST)), "/s"),
        Figure(f"records followed in {name}", float(count), ""),
        Figure("share of a core, waiting for a first record", idle, "%"),
        Figure("share of a core, the camera behind the client, drawn in software", with_picture, "%"),
        Figure("share of a core, the map in front", with_map, "%"),
        Figure(f"growth of memory after a quarter of {name}", after - before, "MB", GROWTH_LIMIT, GROWTH_LIMIT),
    ]


def _share(seconds: float) -> float:
    """Processor time of the whole process, of one core, in %."""
    began, worked = time.monotonic(), time.process_time()
    _wait(seconds)
    return (time.process_time() - worked) / (time.monotonic() - began) * 100.0


def _wait(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000.0), loop.quit)
    loop.exec()


def _resident() -> float:
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return float(text.partition("VmRSS:")[2].split()[0]) / 1024.0


if __name__ == "__main__":
    if len(sys.argv) > 2:
        write(sys.argv[1], sys.argv[2], float(sys.argv[3]))
    else:
        sys.exit(main(sys.argv[1]))
