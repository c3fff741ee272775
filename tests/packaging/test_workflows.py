"""The files that tell a host of repositories what to check and build: they can be read, and what they start exists."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path
from typing import Any, Final

import pytest

from bootstrap.checks import PARTS
from cellar_door.main import COMMANDS

ROOT: Final = Path(__file__).resolve().parents[2]
FILES: Final = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
WHEELS: Final = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.cibuildwheel]")[2]
PYTHONS: Final = ("3.10", "3.11", "3.12", "3.13", "3.14")

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")


def read(file: Path) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return found


def steps(file: Path) -> list[dict[str, Any]]:
    return [step for job in read(file)["jobs"].values() for step in job["steps"]]


def commands(file: Path) -> list[list[str]]:
    return [shlex.split(line) for step in steps(file) if "run" in step for line in step["run"].splitlines()]


def test_there_is_one_for_checks_and_one_for_releases() -> None:
    assert [file.name for file in FILES] == ["checks.yml", "release.yml"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_job_has_a_system_a_limit_of_time_and_steps(file: Path) -> None:
    for name, job in read(file)["jobs"].items():
        assert job["timeout-minutes"] <= 180, name
        assert "matrix" in job["runs-on"] or re.fullmatch(r"[a-z]+-[\d.]+(-intel)?", job["runs-on"]), name
        assert all(("uses" in step) != ("run" in step) for step in job["steps"]), name
        assert set(job.get("needs", ())) <= set(read(file)["jobs"]), name


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_is_started_of_ours_exists(file: Path) -> None:
    started = {word for words in commands(file) for word in words if word.endswith(".py")}
    modules = {words[2] for words in commands(file) if words[0].startswith("python") and words[1] == "-m"}
    ours = {name for name in modules if (ROOT / name.partition(".")[0]).is_dir()}
    assert started or ours
    assert all((ROOT / name).is_file() for name in started)
    assert all(importlib.util.find_spec(name) is not None for name in ours)


def test_the_checks_are_parts_of_run_tests() -> None:
    named = [words[2:] for words in commands(FILES[0]) if "run_tests.py" in words]
    assert [] in named, "one system runs them all"
    assert {part for parts in named for part in parts} <= set(PARTS)


def test_every_python_is_checked_and_gets_a_wheel() -> None:
    jobs = read(FILES[0])["jobs"]
    asked = {
        step["with"]["python-version"] for job in jobs.values() for step in job["steps"] if "setup-py" in str(step)
    }
    matrix = jobs["pythons"]["strategy"]["matrix"]["python"]
    assert sorted({*asked, *matrix} - {"${{ matrix.python }}"}) == sorted(PYTHONS)
    built = re.search(r'^build = "(.*)"$', WHEELS, re.M)
    assert built is not None
    assert built[1].split() == [f"cp{python.replace('.', '')}-*" for python in PYTHONS]


def test_the_commands_that_a_wheel_is_tried_by_exist() -> None:
    named = re.findall(r'^ +"cellar-door (\S+).*",$', WHEELS, re.M)
    assert len(named) > 3
    assert set(named) <= {"--version", *(command.name for command in COMMANDS)}
    assert 'CELLAR_DOOR_CORE = "compiled"' in WHEELS


def test_a_matrix_builds_the_systems_that_have_wheels() -> None:
    rows = read(FILES[1])["jobs"]["wheels"]["strategy"]["matrix"]["include"]
    assert {row["archs"] for row in rows} == {"x86_64", "AMD64", "arm64"}
    declared = set(re.findall(r'"(x86_64|AMD64|arm64)"', WHEELS))
    assert {row["archs"] for row in rows} == declared
