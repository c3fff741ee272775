"""`engine`, `editor` and `ui` are the program's, wherever they lie and whatever else has their names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def python(code: str, *first: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a process whose path begins with these folders and ends with the checkout."""
    code = f"import sys; sys.path[:0] = {[str(path) for path in first]}; sys.path.append({str(ROOT)!r})\n{code}"
    return subprocess.run([sys.executable, "-c", code], cwd="/", capture_output=True, encoding="utf-8", check=False)


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """Somebody's modules."""
    for name in ("engine", "editor", "ui"):
        (tmp_path / f"{name}.py").write_text("THEIRS = True\n", encoding="utf-8")
    return tmp_path


def test_ours_are_found_before_somebody_elses(theirs: Path) -> None:
    done = python("import cellar_door, engine, editor; print(engine.__path__[0], cellar_door.World.__module__)", theirs)
    assert (done.stdout.split(), done.stderr) == ([str(ROOT / "engine"), "editor.scripting.worlds"], "")


def test_a_ui_of_the_scripts_is_its_own_until_the_window_opens(theirs: Path) -> None:
    done = python("import cellar_door, ui; print(ui.THEIRS); cellar_door.own_packages.serve('ui')", theirs)
    assert done.stdout == "True\n"
    assert "cellar_door has a package 'ui', and another module of this name is loaded already" in done.stderr


@pytest.mark.parametrize("name", ["engine", "editor"])
def test_a_module_that_was_there_before_is_named(theirs: Path, name: str) -> None:
    done = python(f"import {name}, cellar_door", theirs)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == (
        f"ImportError: cellar_door has a package {name!r}, and another module of this name is loaded already, from "
        f"{theirs / name}.py: import cellar_door before it, or give it another name"
    )


def test_the_names_below_cellar_door_are_the_same_modules() -> None:
    done = python(
        "import cellar_door.engine.geometry.vec as one, engine.geometry.vec as other, cellar_door.ui.theme\n"
        "from cellar_door.editor import scripting; import editor.scripting\n"
        "print(one is other, scripting is editor.scripting, other.__spec__.name)"
    )
    assert (done.stdout.split(), done.stderr) == (["True", "True", "engine.geometry.vec"], "")


def test_what_is_not_there_is_missed_by_its_own_name() -> None:
    done = python("import cellar_door.engine.nothing")
    assert done.stderr.strip().splitlines()[-1] == "ModuleNotFoundError: No module named 'engine.nothing'"
