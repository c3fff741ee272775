"""Building the compiled core, and which core `import engine` then chooses."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bootstrap.core import CoreBuild, CoreBuildError
from tests.bootstrap.fake_core import PRINT_CORE, needs_compiler, run_python

PYTHON_RUNS = ["python", "py", "3.0"]
COMPILED_RUNS = ["compiled", "so", "3.0"]


def test_without_a_build_the_sources_run_and_nothing_is_said(plain: Path) -> None:
    result = run_python(plain, PRINT_CORE)
    assert (result.stdout.split(), result.stderr) == (PYTHON_RUNS, "")


def test_without_a_build_a_demand_for_the_compiled_core_says_how_to_build_it(plain: Path) -> None:
    result = run_python(plain, PRINT_CORE, core="compiled")
    assert result.returncode == 1
    assert "has not been built for this Python. Build it: python -m bootstrap.core build" in result.stderr


def test_an_unknown_choice_of_core_is_named(plain: Path) -> None:
    assert "'fast'; it can be auto, python or compiled" in run_python(plain, PRINT_CORE, core="fast").stderr


@needs_compiler
def test_a_build_that_fits_is_what_runs(built: Path) -> None:
    result = run_python(built, PRINT_CORE)
    assert (result.stdout.split(), result.stderr) == (COMPILED_RUNS, "")
    assert run_python(built, PRINT_CORE, core="compiled").stdout.split() == COMPILED_RUNS


@needs_compiler
def test_the_sources_run_on_demand_beside_a_build(built: Path) -> None:
    assert run_python(built, PRINT_CORE, core="python").stdout.split() == PYTHON_RUNS


@needs_compiler
def test_nothing_is_built_beside_the_sources(built: Path) -> None:
    assert [file for file in built.rglob("*.so") if "build" not in file.relative_to(built).parts] == []


@needs_compiler
def test_an_edited_source_runs_itself_with_one_warning(built: Path) -> None:
    source = built / "engine" / "geometry" / "vec.py"
    source.write_text(source.read_text().replace("2.0", "4.0"))
    result = run_python(built, PRINT_CORE)
    assert result.stdout.split() == ["python", "py", "6.0"]
    assert result.stderr.count("engine.geometry.vec changed") == 1
    assert "engine.geometry.vec changed" in run_python(built, PRINT_CORE, core="compiled").stderr
    assert run_python(built, PRINT_CORE, core="python").stderr == ""


@needs_compiler
@pytest.mark.parametrize("change", ["added", "removed"])
def test_a_module_more_or_less_makes_the_build_stale(built: Path, change: str) -> None:
    body = built / "engine" / "physics" / "body.py"
    if change == "added":
        (body.parent / "sweep.py").write_text("WIDTH = 1.0\n")
    else:
        body.unlink()
    result = run_python(built, "import engine; print(engine.active_core())")
    assert result.stdout.split() == ["python"]
    assert "changed" in result.stderr


@needs_compiler
def test_a_constant_from_outside_the_core_counts_as_its_source(built: Path) -> None:
    (built / "engine" / "limits.py").write_text("from typing import Final\n\nLIMIT: Final = 1.0\n")
    result = run_python(built, PRINT_CORE)
    assert result.stdout.split() == ["python", "py", "1.0"]
    assert "engine/limits.py changed" in result.stderr
    assert not CoreBuild(built).is_current()


@needs_compiler
def test_an_edit_taken_back_finds_its_build_again(built: Path) -> None:
    source = built / "engine" / "geometry" / "vec.py"
    text = source.read_text()
    source.write_text(text.replace("2.0", "4.0"))
    assert not CoreBuild(built).is_current()
    source.write_text(text)
    assert CoreBuild(built).is_current()
    assert not CoreBuild(built).build()


@needs_compiler
def test_a_library_that_does_not_load_leaves_the_sources_running(built: Path) -> None:
    (library,) = built.glob("build/core/*/*/cellar_door_core__mypyc*")
    library.write_bytes(b"not a library")
    result = run_python(built, PRINT_CORE)
    assert result.stdout.split() == PYTHON_RUNS
    assert "does not load" in result.stderr


@needs_compiler
def test_a_source_that_does_not_compile_is_reported_and_leaves_no_build(plain: Path) -> None:
    source = plain / "engine" / "geometry" / "vec.py"
    source.write_text(source.read_text() + "\nwidth: float = 'wide'\n")
    core = CoreBuild(plain)
    with pytest.raises(
        CoreBuildError, match=r"vec\.py:\d+: error: Incompatible types .* Everything is in .*build\.log"
    ):
        core.build()
    assert sorted(path.name for path in core.place.parent.iterdir()) == ["build.lock", "build.log", "failed"]
    assert core.has_failed()
    source.write_text(source.read_text().replace("'wide'", "1.0"))
    assert not core.has_failed()
    assert run_python(plain, PRINT_CORE).stdout.split() == PYTHON_RUNS


@needs_compiler
def test_a_build_by_an_older_recipe_is_replaced_and_only_the_last_ones_are_kept(built: Path) -> None:
    (first,) = (built / "build" / "core").glob("*/*/")
    for name in ("1", "2", "3"):
        shutil.copytree(first, first.parent / name)
    stamp = first / "stamp.json"
    stamp.write_text(stamp.read_text().replace("-O2", "-O0"))
    core = CoreBuild(built)
    assert not core.is_current()
    assert core.build()
    assert len(list(core.place.iterdir())) == 3
    assert core.is_current()


def test_clean_removes_the_builds_of_this_python(plain: Path) -> None:
    core = CoreBuild(plain)
    core.place.mkdir(parents=True)
    core.clean()
    assert not core.place.exists()
