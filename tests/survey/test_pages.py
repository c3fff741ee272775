"""The pages of checks say what the program does: every check has its section, and every section its check."""

from __future__ import annotations

import re

import pytest

from engine.findings.finding import Check
from engine.findings.registry import CHECKS
from engine.survey.pages import FOLDER, pages

PAGES = pages()
ALL = sorted(CHECKS.values(), key=lambda check: check.id)


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_is_as_the_table_of_checks_makes_it(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name], "run python -m engine.survey.pages"


def test_there_is_no_other_page() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


def test_every_check_has_one_section_and_every_section_a_check() -> None:
    sections = [
        heading
        for path in FOLDER.glob("*.md")
        if path.name != "README.md"
        for heading in re.findall(r"^## (.*)$", path.read_text(encoding="utf-8"), re.M)
    ]
    assert sorted(sections) == sorted(CHECKS)


@pytest.mark.parametrize("check", ALL, ids=[check.id for check in ALL])
def test_a_check_says_what_it_is_in_a_title_and_a_paragraph(check: Check) -> None:

    assert re.fullmatch(r"[a-z-]+\.[a-z-]+", check.id)
    assert check.title[0].isupper()
    assert not check.title.endswith(".")
    assert check.about.endswith(".")
    assert "\n" not in check.about
    assert len(check.about) > 60
