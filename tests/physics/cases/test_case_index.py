"""Every numeric case of docs/reference/physics/cases.md has a test with its id, and every id in a test is a case's.

A test has an id in its name (`test_c_adj_8_...`) or in a parameter's id (`"C-ADJ-7"`, with more words behind it where
there are several). Cases tagged M, which come from running the reference's own rules and have no other confirmation,
are marked `tag_m` in a test's name or `tag M` in a parameter's id.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
CASES_PAGE = TESTS.parent / "docs" / "reference" / "physics" / "cases.md"
CASES = 255
CASE = re.compile(r"C-[A-Z]+-\d+b?\Z")
NAMED = re.compile(r"test_c_([a-z]+)_(\d+b?)(?:_|\Z)")
GIVEN = re.compile(r"C-[A-Z]+-\d+b?(?![0-9a-z])")


def cases_in(section: str) -> dict[str, str]:
    """Every case's tag by its id, from the tables of a section."""
    found: dict[str, str] = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and CASE.match(cells[0]):
            assert cells[0] not in found
            found[cells[0]] = cells[-1]
    return found


@cache
def all_cases() -> dict[str, str]:
    return cases_in(CASES_PAGE.read_text(encoding="utf-8"))


def strings_of(tree: ast.AST) -> Iterator[str]:
    """Every string in a module except its docstrings."""
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.value


@cache
def borne() -> dict[str, list[str]]:
    """The texts of the suite that name a case, by case: test names and parameter ids."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        if path == Path(__file__).resolve():
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for text in strings_of(tree):
            for case in GIVEN.findall(text):
                found.setdefault(case, []).append(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and (match := NAMED.match(node.name)):
                case = f"C-{match.group(1).upper()}-{match.group(2)}"
                found.setdefault(case, []).append(node.name)
    return found


def test_every_case_of_the_reference_is_tested_by_its_id() -> None:
    assert len(all_cases()) == CASES
    assert sorted(set(all_cases()) - set(borne())) == []


def test_no_test_has_the_id_of_a_case_that_does_not_exist() -> None:
    assert sorted(set(borne()) - set(all_cases())) == []


def test_the_cases_that_are_our_own_are_marked_as_such() -> None:
    unmarked = [
        case
        for case, tag in all_cases().items()
        if "M" in tag and not any("tag_m" in text or "tag M" in text for text in borne()[case])
    ]
    assert unmarked == []
