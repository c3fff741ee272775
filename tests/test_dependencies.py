"""Every dependency has its line in docs/dependencies.md, and every line a dependency."""

from __future__ import annotations

import re
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def declared(start: str) -> set[str]:
    """The names in the list that begins with `start`. Python 3.10 has no tomllib."""
    text = PYPROJECT.partition(f"\n{start} = [")[2].partition("\n]" if f"\n{start} = [\n" in PYPROJECT else "]")[0]
    return {canonicalize_name(Requirement(word).name) for word in re.findall(r'"([A-Za-z][^"]*)"', strip_groups(text))}


def strip_groups(text: str) -> str:
    """Without comments and lines that include another group."""
    lines = [line for line in text.splitlines() if "include-group" not in line]
    return "\n".join(re.sub(r"\s# .*|^\s*#.*", "", line) for line in lines)


def listed(heading: str) -> set[str]:
    """The names in the first column of the table below a heading."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]*)\|", section, re.M)
    return {canonicalize_name(name) for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_the_page_lists_what_the_program_needs_at_run_time() -> None:
    assert len(declared("dependencies")) >= 6
    assert listed("At run time") == declared("dependencies")


def test_the_page_lists_the_extras() -> None:
    assert listed("Extras") == declared("mysql") | declared("cluster") == {"pymysql", "distributed"}


def test_the_page_lists_what_building_and_checking_need() -> None:
    assert "pytest" in declared("dev")
    assert listed("To build and to check") == declared("dev") | declared("core") | declared("program") | declared(
        "requires"
    )


def test_what_is_made_by_hand_is_where_the_page_says() -> None:
    section = PAGE.partition("\n## Made by hand, on purpose\n")[2]
    paths = re.findall(r"`((?:engine|editor|ui|bootstrap|cellar_door)[^`]*)`", section)
    assert len(paths) > 8
    for path in paths:
        assert (ROOT / path).exists(), path
