"""Told to end by a signal, a command in a terminal is gone within two seconds and says by its exit code why."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from editor.process.ending import EndedError, active, watched
from engine.sim.recording_file import load_recording
from tests.loaded import HUNG, quickest
from tests.many_landblocks import write_many
from tests.systems import needs_signals
from tests.world.loader.scenes import two_rooms

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 2.0
SIGNALS = [number for number in signal.Signals if number.name in ("SIGINT", "SIGTERM", "SIGHUP")]

COMMAND = """
import sys, threading
from cellar_door import main
from cellar_door.main import Command

main.COMMANDS = (*main.COMMANDS, Command("test", "does as a test wants", "doing"))
sys.exit(main.main(sys.argv[1:]))
"""

CHECK = (
    """
from editor.commands import inspect
check = inspect._check

def said(world, wanted, as_json):
    print("now", flush=True)
    return check(world, wanted, as_json)

inspect._check = said
"""
    + COMMAND
)
"""Its first line is written when the check begins."""


def ended_by(number: signal.Signals, folder: Path, *words: str, program: str = COMMAND) -> tuple[int, str, float]:
    """Exit code, messages, and the seconds of an idle machine from the signal, sent at the first line, to the end."""
    return quickest(lambda: _ended_by(number, folder, *words, program=program), LONGEST)


def _ended_by(number: signal.Signals, folder: Path, *words: str, program: str) -> tuple[int, str, float]:
    for left in ("kept.cdrec", "pipe"):
        (folder / left).unlink(missing_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "CELLAR_DOOR_CORE": "python"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()
        begun = time.monotonic()
        process.send_signal(number)
        _, said = process.communicate(timeout=HUNG)
        return process.returncode, said, time.monotonic() - begun
    finally:
        process.kill()


def doing(folder: Path, *lines: str) -> Path:
    text = ["import sys, threading, time", "def add_arguments(parser): pass", "def run(options):", "    print('now')"]
    (folder / "doing.py").write_text("\n".join([*text, "    sys.stdout.flush()", *(f"    {line}" for line in lines)]))
    return folder


@needs_signals
@pytest.mark.parametrize("number", SIGNALS)
def test_a_walk_keeps_what_it_has_recorded_whatever_signal_ends_it(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(two_rooms()))
    (tmp_path / "long.walk").write_text("wait 30000t\n")
    words = ["walk", "scene.json", "--start", "0x01010101,57,51,20", "--script", "long.walk", "--record", "kept.cdrec"]
    code, said, took = ended_by(number, tmp_path, *words)
    count = len(load_recording(tmp_path / "kept.cdrec"))
    told = ["Cellar Door: interrupted"] if number == signal.SIGINT else []
    assert (code, said.splitlines()) == (128 + number, [f"{count} ticks saved to kept.cdrec", *told])
    assert took < LONGEST


KEYFRAME = """
import os, signal
from engine.sim import keyframes

def add(self, tick, snapshot, added=keyframes.Keyframes.add):
    self.ticks.append(tick)
    if len(self) == 3:
        print("now", flush=True)
        os.kill(os.getpid(), signal.{name})
    self.ticks.pop()
    added(self, tick, snapshot)

keyframes.Keyframes.add = add
"""
"""Sends itself the signal while a keyframe is half added."""


@needs_signals
@pytest.mark.parametrize("number", SIGNALS)
def test_an_interrupted_recording_ends_with_a_whole_tick(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(two_rooms()))
    (tmp_path / "long.walk").write_text("wait 30000t\n")
    words = ["walk", "scene.json", "--start", "0x01010101,57,51,20", "--script", "long.walk", "--record", "kept.cdrec"]
    done = subprocess.run(
        [sys.executable, "-c", KEYFRAME.format(name=number.name) + COMMAND, *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", "CELLAR_DOOR_CORE": "python"},
        capture_output=True,
        text=True,
        start_new_session=True,
    )
    recording = load_recording(tmp_path / "kept.cdrec")
    told = ["Cellar Door: interrupted"] if number == signal.SIGINT else []
    assert (done.returncode, done.stderr.splitlines()) == (
        128 + number,
        [f"{len(recording)} ticks saved to kept.cdrec", *told],
    )
    assert len(recording) == recording.keyframes.ticks[-1] == 2 * recording.keyframes.ticks[1]


@needs_signals
@pytest.mark.parametrize("number", SIGNALS)
def test_a_check_of_a_large_world_ends(tmp_path: Path, number: signal.Signals) -> None:
    world = write_many(tmp_path / "many", 70, 100, 1, 20_000)
    code, _, took = ended_by(number, tmp_path, "inspect", str(world), "--check", program=CHECK)
    assert code == 128 + number
    assert took < LONGEST


@needs_signals
@pytest.mark.parametrize(
    "lines",
    [
        ["import os; os.mkfifo('pipe'); open('pipe').read()"],
        ["threading.Thread(target=time.sleep, args=(60,)).start()", "time.sleep(60)"],
        ["try:", "    time.sleep(60)", "finally:", "    time.sleep(60)"],
        ["while True:", "    try:", "        time.sleep(60)", "    except BaseException:", "        pass"],
    ],
    ids=["a pipe", "another thread", "a long end", "deaf"],
)
def test_whatever_a_command_is_at_it_ends(tmp_path: Path, lines: list[str]) -> None:
    code, _, took = ended_by(signal.SIGTERM, doing(tmp_path, *lines), "test")
    assert code == 143
    assert took < LONGEST


@needs_signals
def test_what_a_shell_has_ignored_stays_ignored(tmp_path: Path) -> None:
    folder = doing(tmp_path, "import os, signal", "os.kill(os.getpid(), signal.SIGHUP)", "return 7")
    ignoring = COMMAND.replace(
        "import sys", "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); import sys", 1
    )
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "CELLAR_DOOR_CORE": "python"}
    done = subprocess.run([sys.executable, "-c", ignoring, "test"], env=environment, capture_output=True, check=False)
    assert done.returncode == 7


def test_nothing_is_left_of_the_watch_when_nobody_needs_it_any_more() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with watched() as watch, watched() as again:
        assert watch is again is active()
    assert active() is None
    assert [signal.getsignal(number) for number in SIGNALS] == before
    assert issubclass(EndedError, KeyboardInterrupt)
