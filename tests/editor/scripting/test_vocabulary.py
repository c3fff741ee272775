"""The library as a package: what its page says of it, what importing it costs, and what it loads."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cellar_door
from engine.sim.edits.catalogue import FIELDS

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "scripting.md").read_text(encoding="utf-8")
VOCABULARY = PAGE.partition("## The vocabulary")[2].partition("### A stage")[0]
PROSE = re.sub(r"^```.*?^```", "", PAGE, flags=re.M | re.S)
WORDS = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", PROSE))))
CLASSES = ("Stage", "World", "Run", "Recording", "Capture", "Door")


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_page_has_a_row_for_every_name_of_the_library() -> None:
    assert sorted(re.findall(r"^\| `(\w+)` \|", VOCABULARY, re.M)) == sorted(cellar_door.__all__)


@pytest.mark.parametrize("name", CLASSES)
def test_the_page_names_whatever_a_class_offers(name: str) -> None:
    offered = {word for word in dir(getattr(cellar_door, name)) if not word.startswith("_")}
    assert offered - WORDS == set()


def test_the_page_lists_every_edit_with_what_it_takes() -> None:
    listed = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE.partition("### Edits")[2].partition("###")[0], re.M))
    takes = {name: ", ".join(f"`{field}` {kind}" for field, kind in fields) for name, fields in FIELDS.items()}
    assert listed == {name: text or "nothing" for name, text in takes.items()}


@pytest.mark.parametrize("name", cellar_door.__all__)
def test_every_name_is_there_and_says_what_it_is(name: str) -> None:
    found = getattr(cellar_door, name)
    assert inspect.getdoc(found)
    assert name in dir(cellar_door)


def test_a_name_that_the_library_lacks_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'open_wrld'"):
        getattr(cellar_door, "open_" + "wrld")


def test_importing_the_library_imports_nothing_else_of_the_program() -> None:
    code = "import cellar_door, sys; print([m for m in sys.modules if m.partition('.')[0] in "
    assert python(code + "('engine', 'editor', 'ui', 'numpy', 'PySide6')])") == "[]"


def test_importing_the_library_takes_less_than_50_ms() -> None:
    """Of the processor, the best of several."""
    code = "import time; a = time.process_time(); import cellar_door; print(time.process_time() - a)"
    assert min(float(python(code)) for _ in range(5)) < 0.05


def test_opening_a_world_and_walking_in_it_load_neither_qt_nor_opengl() -> None:
    code = """
import sys, cellar_door
with cellar_door.open_world("demo") as world:
    run = world.simulation()
    run.doors["Front Door"].use()
    run.walk("forward 1s")
    run.until("blocked", "W", seconds=1)
    run.trace()
    cellar_door.compare(run, rules="ace")
print(sorted(m for m in sys.modules if m.partition('.')[0] in ('PySide6', 'OpenGL', 'ui')))
"""
    assert python(code) == "[]"


def test_type_checkers_are_told_that_the_packages_are_typed() -> None:
    """Those that the library's annotations come from, so in the wheel too."""
    assert '[tool.setuptools.package-data]\n"*" = ["py.typed"]' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for package in ("cellar_door", "editor", "engine"):
        assert (ROOT / package / "py.typed").is_file()
