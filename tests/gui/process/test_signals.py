"""After a signal the window is gone within two seconds, whatever it is doing, and the next start offers the unsaved
edits."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from editor.project.autosave import AbandonedAutosave, find_left
from editor.project.project_file import load_project
from editor.session.background import Job
from editor.session.loading import Arrival, Request, arrive
from tests.loaded import HUNG, how_loaded, quickest
from tests.many_landblocks import huts, write_many
from tests.systems import needs_signals
from ui.window.signal_exit import KEPT

ROOT = Path(__file__).resolve().parents[3]
LONGEST = 2.0
"""Seconds from the signal to the end of the process."""
COLUMNS, ROWS = 70, 100
PLACE = "0x0505"

pytestmark = [pytest.mark.gui, needs_signals]

SIGNALS = [number for number in signal.Signals if number.name in ("SIGINT", "SIGTERM", "SIGHUP")]

PROGRAM = """
import sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox
from cellar_door.main import main
from editor.session import background
from engine.sim.edits.player import FacePlayer
from ui.window import start

make_window, moment = start.make_window, sys.argv[1]

def say(word):
    print(word, flush=True)

def made(application, settings):
    window = make_window(application, settings)
    if moment.startswith("opening"):
        window.session.opening.connect(lambda source: QTimer.singleShot(int(moment[7:]), lambda: say("now")))
    else:
        window.session.faults_changed.connect(lambda: QTimer.singleShot(0, lambda: reached(window)))
    return window

def reached(window):
    if moment == "open":
        return say("now")
    for number in range(13):
        window.document.edit(f"Face {number}", FacePlayer(10.0 * number + 5.0))
    if moment == "edits":
        say("now")
    elif moment == "question":
        window.close()
        say("now" if window.projects.box is not None else "no question")
    elif moment == "file dialog":
        QTimer.singleShot(200, lambda: say("now"))
        QFileDialog.getOpenFileName(window)
    elif moment == "menu":
        QTimer.singleShot(200, lambda: say("now"))
        QMenu("x", window).exec()
    elif moment == "box":
        QTimer.singleShot(200, lambda: say("now"))
        box = QMessageBox(window)
        box.setText("?")
        box.exec()
    elif moment == "calculating":
        say("now")
        until = time.monotonic() + 60
        while time.monotonic() < until:
            pass
    elif moment == "waiting":
        say("now")
        open(sys.argv[3], "rb").read()
    elif moment == "job":
        class Stuck(background.Job):
            def work(self):
                say("now")
                open(sys.argv[3], "rb").read()
        background.start(Stuck())

start.make_window = made
sys.exit(main(sys.argv[2:3] + sys.argv[4:]))
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """20,000 doors over 7,000 landblocks."""
    return write_many(tmp_path_factory.mktemp("many"), COLUMNS, ROWS, 1, 20_000)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Path]:
    """A pipe that never has a writer."""
    made = tmp_path / "pipe"
    os.mkfifo(made)
    yield made
    made.unlink()


def at_home(home: Path) -> dict[str, str]:
    names = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
    return {**os.environ, **{name: str(home) for name in names}}


def end_at(moment: str, source: Path, home: Path, number: signal.Signals, *words: str) -> tuple[int, str, float]:
    """Exit code, messages, and seconds from the signal to the end on an idle machine."""
    return quickest(lambda: _end_at(moment, source, home, number, *words), LONGEST)


def _end_at(moment: str, source: Path, home: Path, number: signal.Signals, *words: str) -> tuple[int, str, float]:
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    command = [sys.executable, "-c", PROGRAM, moment, str(source), str(home.parent / "pipe"), *words]
    process = subprocess.Popen(
        command, cwd=ROOT, env=at_home(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "now\n", process.communicate(timeout=60)[1]
        begun = time.monotonic()
        process.send_signal(number)
        _, said = process.communicate(timeout=HUNG)
        return process.returncode, said, time.monotonic() - begun
    finally:
        process.kill()


def unsaved_in(home: Path) -> list[int]:
    """The number of edits in each project autosaved for the next start."""
    return [load_project(path).unsaved for path in home.rglob("*.cellardoor")]


def said_of(number: signal.Signals, *more: str) -> list[str]:
    """The lines expected on a terminal: only Ctrl-C is reported, since whoever ends a session knows."""
    return [*more, "Cellar Door: interrupted"] if number == signal.SIGINT else []


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_the_window_and_keeps_its_edits(home: Path, many: Path, number: signal.Signals) -> None:
    code, said, took = end_at("edits", many, home, number, "--landblock", PLACE)
    assert (code, said.splitlines()) == (128 + number, said_of(number, KEPT))
    assert unsaved_in(home) == [13]
    assert took < LONGEST


def test_without_edits_nothing_is_autosaved(home: Path, many: Path) -> None:
    code, said, took = end_at("open", many, home, signal.SIGINT, "--landblock", PLACE)
    assert (code, said.splitlines()) == (130, said_of(signal.SIGINT))
    assert unsaved_in(home) == []
    assert took < LONGEST


@pytest.mark.parametrize("moment", ["opening0", "opening150", "opening400", "opening900"])
def test_a_signal_ends_the_window_while_a_large_world_opens(home: Path, many: Path, moment: str) -> None:
    code, _, took = end_at(moment, many, home, signal.SIGTERM, "--landblock", PLACE)
    assert code == 143
    assert took < LONGEST


@pytest.mark.parametrize("moment", ["question", "file dialog", "menu", "box"])
def test_a_signal_ends_the_window_while_a_dialog_waits(home: Path, many: Path, moment: str) -> None:
    code, _, took = end_at(moment, many, home, signal.SIGHUP, "--landblock", PLACE)
    assert code == 129
    assert unsaved_in(home) == [13]
    assert took < LONGEST


@pytest.mark.parametrize("moment", ["calculating", "waiting", "job"])
def test_a_signal_ends_the_window_while_it_is_unresponsive(home: Path, many: Path, pipe: Path, moment: str) -> None:
    code, _, took = end_at(moment, many, home, signal.SIGTERM, "--landblock", PLACE)
    assert code == 143
    assert unsaved_in(home) == [13]
    assert took < LONGEST


@pytest.mark.parametrize("moment", ["edits", "calculating"])
def test_the_next_start_offers_the_edits(home: Path, many: Path, moment: str) -> None:
    """Also the edits that another thread has autosaved."""
    end_at(moment, many, home, signal.SIGTERM, "--landblock", PLACE)
    (kept,) = home.rglob("*.cellardoor")
    (left,) = find_left(kept.parent)
    assert isinstance(left, AbandonedAutosave)
    assert left.sentence.startswith("13 edits of ")
    again = arrive(Request(str(left.path), autosaves=kept.parent), Job())
    assert isinstance(again, Arrival)
    assert again.project is not None
    assert [step.name for step in again.project.steps] == [f"Face {number}" for number in range(13)]
    assert again.sim.player.place_frame().heading() == pytest.approx(125.0)
    again.close()
    left.leave()


def test_the_window_closes_while_it_reads_an_endless_pipe(home: Path, many: Path, pipe: Path) -> None:
    program = PROGRAM.replace(
        'elif moment == "job":', 'elif moment == "job":\n        QTimer.singleShot(300, lambda: QApplication.exit(0))'
    )
    program = program.replace("import QFileDialog,", "import QApplication, QFileDialog,")
    command = [sys.executable, "-c", program, "job", str(many), str(pipe), "--landblock", PLACE]
    home.mkdir()
    before, begun = how_loaded(), time.monotonic()
    ended = subprocess.run(
        command, cwd=ROOT, env=at_home(home), capture_output=True, text=True, check=False, timeout=HUNG
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "now\n", "")
    assert time.monotonic() - begun < 20.0 * max(before, how_loaded())


def test_huts_are_where_the_tests_start() -> None:
    assert int(PLACE, 16) << 16 | 0xFFFF in huts(COLUMNS, ROWS, 1)
