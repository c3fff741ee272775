"""The recipes of docs/scripting.md and the example of the README: each runs, and prints what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from editor.commands import run as run_command

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "scripting.md").read_text(encoding="utf-8")
RECIPES = dict(
    re.findall(r"^### (\d+\. [^\n]+)\n.*?^```python\n(.*?)^```\n", PAGE.partition("## Recipes")[2], re.M | re.S)
)
PRINTED = dict(re.findall(r"^### (\d+\. [^\n]+)\n.*?^```text\n(.*?)^```", PAGE.partition("## Recipes")[2], re.M | re.S))
README = re.findall(r"^```python\n(.*?)^```\n", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
INTRODUCTION = re.findall(r"^```python\n(.*?)^```\n", PAGE.partition("## The vocabulary")[0], re.M | re.S)


def scripts() -> dict[str, str]:
    return {**RECIPES, "readme": README[0], "introduction": INTRODUCTION[0]}


def printed(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a script in a folder of its own."""
    monkeypatch.chdir(folder)
    (folder / "recipe.py").write_text(code, encoding="utf-8")
    assert run_command.run(Namespace(script="recipe.py", words=[])) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_there_are_ten_recipes_and_each_says_what_it_prints() -> None:
    assert [int(title.partition(".")[0]) for title in RECIPES] == list(range(1, 11))
    assert RECIPES.keys() == PRINTED.keys()


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_prints_what_the_page_says(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(RECIPES[title], tmp_path, monkeypatch, capsys) == PRINTED[title]


def test_recipes_write_the_files_that_they_speak_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = {"5": "height.csv", "10": "problems.json"}
    for title, code in RECIPES.items():
        name = wanted.get(title.partition(".")[0])
        if name is not None:
            printed(code, tmp_path, monkeypatch, capsys)
            assert (tmp_path / name).stat().st_size > 100
    heights = (tmp_path / "height.csv").read_text(encoding="utf-8").splitlines()
    assert heights[0] == "seconds,z,on ground"
    assert len(heights) == 91


@pytest.mark.parametrize("example", ["readme", "introduction"])
def test_the_examples_at_the_beginning_run_as_commands(example: str, tmp_path: Path) -> None:
    (tmp_path / "in.py").write_text(scripts()[example], encoding="utf-8")
    command = [sys.executable, "-m", "cellar_door", "run", str(tmp_path / "in.py")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == "0xC95B0101 Parlour"


@pytest.mark.slow
def test_strict_type_checks_of_the_recipes_pass(tmp_path: Path) -> None:
    """As somebody's own scripts, from outside of the checkout."""
    for number, code in enumerate(scripts().values()):
        (tmp_path / f"recipe_{number}.py").write_text(code, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nstrict = True\nmypy_path = {ROOT}\nfollow_imports = silent\n")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(ROOT / ".mypy_cache" / "recipes"), "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
