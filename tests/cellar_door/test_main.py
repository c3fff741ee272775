"""The command line, started as users start it."""

from __future__ import annotations

import importlib
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from cellar_door import main
from cellar_door.main import Command
from editor.process.engine_errors import ENGINE_ERRORS
from engine.sim.recording_file import load_recording
from tests.loaded import HUNG
from tests.systems import chooses_display, needs_signals, not_on_windows
from tests.world.loader.scenes import two_rooms

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Without a display, unless the environment names one."""
    unwanted = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "CELLAR_DOOR_CORE")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    command = [sys.executable, "-m", "cellar_door", *words]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**kept, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@chooses_display
def test_the_version_names_everything_that_takes_part() -> None:
    lines = run("--version", CELLAR_DOOR_CORE="python").stdout.splitlines()
    assert lines[0] == f"Cellar Door {engine.__version__}"
    assert [line.split()[0] for line in lines[1:]] == ["Python", "Qt", "core", "OpenGL"]
    assert lines[3:] == ["core python", "OpenGL no display"]


@chooses_display
def test_a_display_that_does_not_answer_is_no_crash() -> None:
    result = run("--version", DISPLAY=":987")
    assert result.returncode == 0
    assert "OpenGL not available" in result.stdout


@pytest.mark.gui
@pytest.mark.display
def test_the_version_names_the_opengl_of_the_display() -> None:
    shown = {name: os.environ[name] for name in ("DISPLAY",) if name in os.environ}
    opengl = run("--version", **shown).stdout.splitlines()[-1]
    assert opengl.startswith("OpenGL ")
    assert float(opengl.split()[1].rpartition(".")[0] or opengl.split()[1]) >= 3


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_a_reader_that_goes_away_is_no_error_of_ours(word: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "cellar_door", word]
    # As a shell starts it: without a buffer argparse meets the closed pipe itself, and says nothing.
    environment = {**os.environ, "PYTHONUNBUFFERED": "", "CELLAR_DOOR_CORE": "python"}
    result = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (result.returncode, result.stderr) == (main.BROKEN_PIPE, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device here is always full")
def test_a_full_disk_behind_the_output_is_one_sentence() -> None:
    command = [sys.executable, "-m", "cellar_door", "inspect", "demo", "--json"]
    environment = {**os.environ, "CELLAR_DOOR_CORE": "python"}
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    reason = "Cellar Door: the output cannot be written: No space left on device\n"
    assert (result.returncode, result.stderr) == (2, reason)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("word", ["--help", "--version"])
def test_an_output_that_can_not_be_written_is_one_sentence(tmp_path: Path, word: str, unbuffered: str) -> None:
    (tmp_path / "read").touch()
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered, "CELLAR_DOOR_CORE": "python"}
    with (tmp_path / "read").open("rb") as output:  # a file that is open for reading takes nothing
        result = subprocess.run(
            [sys.executable, "-m", "cellar_door", word],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    said = "Cellar Door: the output cannot be written: Bad file descriptor\n"
    assert (result.returncode, result.stderr) == (2, said)


@not_on_windows("closes its streams as a shell of POSIX does")
def test_a_closed_output_is_one_sentence_and_a_closed_input_too(tmp_path: Path) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(two_rooms()))
    start = "walk scene.json --start 0x01010101,57,51,20 --script -"
    for command, said in (
        ("inspect scene.json >&-", "the output is closed"),
        (f"{start} <&-", "-: cannot be read: the standard input is closed"),
    ):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "CELLAR_DOOR_CORE": "python"}
        shell = f"{shlex.quote(sys.executable)} -m cellar_door {command}"
        result = subprocess.run(
            shell, shell=True, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True, check=False
        )
        assert (result.returncode, result.stderr) == (2, f"Cellar Door: {said}\n")


def test_what_writes_nothing_needs_no_output(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text("def add_arguments(parser): pass\ndef run(options): return 7\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(main, "COMMANDS", (Command("wait", "is silent", "silent"),))
    monkeypatch.setattr(sys, "stdout", None)
    assert main.main(["wait"]) == 7


@needs_signals
def test_an_interrupt_is_one_line_and_the_walk_so_far_is_kept(tmp_path: Path) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(two_rooms()))
    (tmp_path / "long.walk").write_text("wait 30000t\n")
    words = ["walk", "scene.json", "--start", "0x01010101,57,51,20", "--script", "long.walk", "--record", "kept.cdrec"]
    process = subprocess.Popen(
        [sys.executable, "-m", "cellar_door", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "CELLAR_DOOR_CORE": "python"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=HUNG)
    count = len(load_recording(tmp_path / "kept.cdrec"))
    assert said == f"{count} ticks saved to kept.cdrec\nCellar Door: interrupted\n"
    assert process.returncode == 130


def test_what_the_engine_refuses_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "refusing.py").write_text(
        "from engine.dat.errors import DatError\n"
        "def add_arguments(parser): parser.add_argument('source')\n"
        "def run(options): raise DatError(options.source, None, None, None, 'it is not a database')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(main, "COMMANDS", (Command("refuse", "refuses", "refusing"),))
    assert main.main(["refuse", "client_portal.dat"]) == 2
    assert capsys.readouterr().err == "Cellar Door: client_portal.dat: it is not a database\n"


@pytest.mark.parametrize(("module", "name"), ENGINE_ERRORS)
def test_the_errors_of_the_engine_are_where_the_command_looks_for_them(module: str, name: str) -> None:
    error = getattr(importlib.import_module(module), name)
    assert issubclass(error, Exception)


def test_help_offers_the_commands_that_are_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there, elsewhere = (
        Command("show", "is here", "json.tool"),
        Command("measure", "is elsewhere", "no_such_package.run"),
    )
    monkeypatch.setattr(main, "COMMANDS", (there, elsewhere))
    with pytest.raises(SystemExit):
        main.main(["--help"])
    helped = capsys.readouterr().out
    assert ["show", "is", "here"] in [line.split() for line in helped.splitlines()]
    assert "measure" not in helped


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """A window that only tells where it would open; no display is there."""
    (tmp_path / "telling.py").write_text(
        "import os\n"
        "def run(options):\n"
        "    kind, _, file = os.environ['QT_QPA_PLATFORM'].partition(':configfile=')\n"
        "    print(options.source, options.screenshot, kind, os.path.isfile(file), 'DISPLAY' in os.environ)\n"
        "    return 5\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(main, "WINDOW", Command("", "tells", "telling"))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM"):
        monkeypatch.setenv(name, "")  # whatever the command sets is taken back after the test
    return monkeypatch


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has two ways to OpenGL")
def test_a_way_to_opengl_that_there_is_not_is_refused_in_one_sentence() -> None:
    result = run("inspect", "demo", CELLAR_DOOR_OPENGL="metal")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "Cellar Door: CELLAR_DOOR_OPENGL is 'metal'; it can be egl or glx\n"


@chooses_display
@pytest.mark.usefixtures("window")
def test_the_window_without_a_display_is_refused_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["demo"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "Cellar Door: there is no display to open the window on (DISPLAY is not set).\n"


@chooses_display
@pytest.mark.usefixtures("window")
def test_a_picture_is_taken_in_memory_when_there_is_no_display(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["demo", "--screenshot", "picture.png"]) == 5
    assert capsys.readouterr().out == "demo picture.png offscreen True False\n"


@chooses_display
def test_a_library_that_qt_lacks_for_a_picture_is_named(
    window: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    window.setattr("cellar_door.libraries.missing_drawing_library", lambda: "libEGL.so.1")
    assert main.main(["--screenshot", "picture.png"]) == 2
    assert capsys.readouterr().err == "Cellar Door: the window needs libEGL.so.1, which this system lacks.\n"


def test_a_library_that_the_window_lacks_is_named_instead_of_aborting(
    window: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    window.setattr("cellar_door.libraries.missing_window_library", lambda: "libxcb-cursor.so.0")
    assert main.main(["demo"]) == 2
    assert capsys.readouterr().err == "Cellar Door: the window needs libxcb-cursor.so.0, which this system lacks.\n"
