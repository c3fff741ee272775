"""Parts of the program start as processes of their own, in a checkout and in a program without a Python."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cellar_door import frozen
from editor.process.own_parts import PART, PARTS, bare_command, is_frozen, part_command


def freeze(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)


def test_with_a_python_a_part_is_a_module() -> None:
    assert not is_frozen()
    assert part_command("cellar_door.graphics") == [sys.executable, "-m", "cellar_door.graphics"]


def test_without_a_python_the_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    freeze(monkeypatch)
    assert part_command("cellar_door.graphics") == [sys.executable, PART, "cellar_door.graphics"]
    assert bare_command("cellar_door.load_library") == [sys.executable, PART, "cellar_door.load_library"]


def test_a_module_that_is_no_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=r"json\.tool is no part"):
        part_command("json.tool")
    assert frozen.run_part(["json.tool"]) == 2
    assert frozen.run_part([]) == 2
    assert "is for the program itself" in capsys.readouterr().err


def test_a_bare_part_needs_no_path_to_the_program() -> None:
    command = bare_command("cellar_door.load_library")
    assert command[:3] == [sys.executable, "-I", "-S"]
    done = subprocess.run([*command, "no-such-library.so"], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert "no-such-library.so" in done.stderr


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_a_module_that_runs_as_a_program(part: str) -> None:
    __import__(part)
    source = sys.modules[part].__loader__.get_source(part)  # type: ignore[union-attr]  # a module from a file
    assert 'if __name__ == "__main__":' in source


def test_a_part_runs_with_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["cellar-door", PART, "cellar_door.load_library", "no-such-library.so"])
    monkeypatch.delitem(sys.modules, "cellar_door.load_library", raising=False)
    with pytest.raises(SystemExit, match="no-such-library"):
        frozen.run_part(sys.argv[2:])


def test_other_programs_get_the_libraries_of_the_system_back() -> None:
    environment = {"LD_LIBRARY_PATH": "/ours", "LD_LIBRARY_PATH_ORIG": "/theirs", "HOME": "/home"}
    frozen.forget_own_libraries(environment)
    assert environment == {"LD_LIBRARY_PATH": "/theirs", "HOME": "/home", frozen.START_AFRESH: "1"}
    environment = {"LD_LIBRARY_PATH": "/ours"}
    frozen.forget_own_libraries(environment)
    assert "LD_LIBRARY_PATH" not in environment
