"""`run`: a user's script, with the library in reach."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cellar_door.main import main
from tests.systems import needs_signals

ROOT = Path(__file__).resolve().parents[3]


def run(tmp_path: Path, code: str, *words: str) -> int:
    (tmp_path / "script.py").write_text(code, encoding="utf-8")
    return main(["run", str(tmp_path / "script.py"), *words])


def test_a_script_gets_its_own_words_and_is_the_main_module(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.argv, sys.path, sys.modules["__main__"]
    code = "import sys\nprint(__name__, sys.argv[1:], __file__ == sys.argv[0], sys.modules['__main__'].__name__)"
    assert run(tmp_path, code, "--eye", "-3,2,1", "-x", "world", "--json") == 0
    said = "__main__ ['--eye', '-3,2,1', '-x', 'world', '--json'] True __main__\n"
    assert capsys.readouterr().out == said
    assert (sys.argv, sys.path, sys.modules["__main__"]) == before


def test_a_script_imports_what_lies_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "beside_the_script.py").write_text("HERE = 7", encoding="utf-8")
    assert run(tmp_path, "import beside_the_script, cellar_door\nprint(beside_the_script.HERE)") == 0
    assert capsys.readouterr().out == "7\n"
    del sys.modules["beside_the_script"]


@pytest.mark.parametrize(("end", "code"), [("sys.exit(3)", 3), ("sys.exit()", 0), ("sys.exit('no')", 1), ("1 / 0", 1)])
def test_the_exit_code_is_the_scripts(tmp_path: Path, end: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, f"import sys\n{end}") == code


def test_an_error_is_told_from_the_script_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "import cellar_door\ncellar_door.open_world('nowhere')") == 1
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "Traceback (most recent call last):"
    assert said[1] == f'  File "{tmp_path / "script.py"}", line 2, in <module>'
    assert said[-1].startswith("cellar_door.OpenError: nowhere: ")


def test_a_script_with_a_mistake_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "print('a')\nprint(") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "line 2" in said.err
    assert "SyntaxError" in said.err


def test_what_is_no_script_is_refused_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    for name in ("none.py", "binary.py", "."):
        assert main(["run", str(tmp_path / name)]) == 2
        said = capsys.readouterr().err
        assert said.startswith("Cellar Door: ")
        assert said.count("\n") == 1


def test_a_script_comes_from_standard_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cellar_door", "run", "-", "a"]
    done = subprocess.run(
        command, cwd=ROOT, input="import sys\nprint(sys.argv)", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "['-', 'a']\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_an_output_that_cannot_be_written_ends_a_script_as_it_ends_commands(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("for number in range(100_000): print(number)", encoding="utf-8")
    command = [sys.executable, "-m", "cellar_door", "run", str(tmp_path / "script.py")]
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@needs_signals
def test_a_script_that_is_terminated_ends_as_commands_do(tmp_path: Path) -> None:
    code = "import os, signal, time\nos.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(60)\nprint('still here')"
    (tmp_path / "script.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "cellar_door", "run", str(tmp_path / "script.py")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (143, "")
