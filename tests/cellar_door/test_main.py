"""The command line, started as users start it."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from cellar_door import main
from cellar_door.main import Command

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


def test_the_version_names_everything_that_takes_part() -> None:
    lines = run("--version", CELLAR_DOOR_CORE="python").stdout.splitlines()
    assert lines[0] == f"Cellar Door {engine.__version__}"
    assert [line.split()[0] for line in lines[1:]] == ["Python", "Qt", "core", "OpenGL"]
    assert lines[3:] == ["core python", "OpenGL no display"]


def test_a_display_that_does_not_answer_is_no_crash() -> None:
    result = run("--version", DISPLAY=":987")
    assert result.returncode == 0
    assert "OpenGL not available" in result.stdout


@pytest.mark.gui
def test_the_version_names_the_opengl_of_the_display() -> None:
    opengl = run("--version", DISPLAY=os.environ["DISPLAY"]).stdout.splitlines()[-1]
    assert opengl.startswith("OpenGL ")
    assert float(opengl.split()[1].rpartition(".")[0] or opengl.split()[1]) >= 3


def test_a_reader_that_goes_away_is_no_error_of_ours() -> None:
    command = f"{sys.executable} -m cellar_door --help | true"
    result = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.stderr == ""


def test_what_the_engine_refuses_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "refusing.py").write_text(
        "from engine.dat.errors import DatError\n"
        "def add_arguments(parser): parser.add_argument('source')\n"
        "def run(options): raise DatError(options.source, None, None, None, 'it is no database')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(main, "COMMANDS", (Command("refuse", "refuses", "refusing"),))
    assert main.main(["refuse", "client_portal.dat"]) == 2
    assert capsys.readouterr().err == "Cellar Door: client_portal.dat: it is no database\n"


@pytest.mark.parametrize(("module", "name"), main.ENGINE_ERRORS)
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
    assert "show      is here" in helped
    assert "measure" not in helped
