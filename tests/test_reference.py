"""Every reference to a section of docs/reference, in code, tests and pages, is to a heading that is there.

Code names a document and a section: `physics.md 5.13`, `physics.md 5.4, 5.6-5.8, #13`, `rendering.md C5`. A document's
name stands for one or two folders of pages; each section is one heading on one page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.physics.rule_table import RULES, Rule

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "reference"
DOCUMENTS = {
    "physics.md": ("physics",),
    "rendering.md": ("visibility", "picture"),
    "dat-format.md": ("dat-format",),
}
PLACES = ("engine", "editor", "ui", "cellar_door", "resources", "tests", "docs", "benchmarks")
TEXT = (".py", ".md", ".toml", ".json", ".vert", ".frag", ".glsl", ".svg", ".txt")

SECTION = r"(?:#\d+|[CM]\d+|[A-D]\.\d+|\d+(?:\.\d+)*)"
BREAK = r"(?:(?:\s|\n[ \t]*#[ \t])+)"  # a reference may go on in the next line of a comment
BETWEEN = rf"(?:,{BREAK}(?:and{BREAK})?|{BREAK}and{BREAK}|{BREAK}to{BREAK}|{BREAK}?[-–]{BREAK}?)"
REFERENCES = re.compile(
    rf"(?<![\w/-])({'|'.join(map(re.escape, DOCUMENTS))}){BREAK}({SECTION}(?!\w)(?:{BETWEEN}{SECTION}(?!\w))*)"
)
HEADING = re.compile(rf"^#{{1,4}} ({SECTION})[.:,]?(?=\s|$)", re.MULTILINE)
CORRECTION_ROW = re.compile(r"^\| \**([CM]\d+)\** \|", re.MULTILINE)
NOT_HERE = ("spec" + "/", "physics" + "-client.md", "rendering" + "-client.md")


class Reference(NamedTuple):
    """A section that a file names; `document` is as it is written there."""

    file: Path
    line: int
    document: str
    section: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}: {self.document} {self.section}"


def texts() -> Iterator[tuple[Path, str]]:
    """Every file that a person reads, with its text."""
    files = [path for place in PLACES for path in (ROOT / place).rglob("*")]
    for path in sorted((*files, *ROOT.glob("*"))):
        if path.is_file() and path.suffix in TEXT and "__pycache__" not in path.parts:
            yield path, path.read_text(encoding="utf-8")


def references_in(path: Path, text: str) -> Iterator[Reference]:
    for match in REFERENCES.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        for section in re.findall(SECTION, match.group(2)):
            yield Reference(path, line, match.group(1), section)


def outside_code_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


@cache
def headings(folder: str) -> Counter[str]:
    """How often each section is a heading on the pages of a folder."""
    found: Counter[str] = Counter()
    for page in sorted((REFERENCE / folder).rglob("*.md")):
        text = outside_code_blocks(page.read_text(encoding="utf-8"))
        found.update(HEADING.findall(text))
        if page.name == "corrections.md":
            found.update(CORRECTION_ROW.findall(text))
    return found


def sections(document: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for folder in DOCUMENTS[document]:
        found.update(headings(folder))
    return found


@cache
def all_references() -> list[Reference]:
    return [reference for path, text in texts() for reference in references_in(path, text)]


def test_every_reference_in_code_tests_and_pages_is_to_a_heading() -> None:
    missing = [str(named) for named in all_references() if named.section not in sections(named.document)]
    assert missing == []


def test_the_references_are_found() -> None:
    """Or the test above would hold of nothing."""
    named = {(reference.document, reference.section) for reference in all_references()}
    assert {("physics.md", "5.13"), ("physics.md", "#8"), ("rendering.md", "7.5"), ("dat-format.md", "2.5")} <= named
    assert len(all_references()) > 500


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_section_is_one_heading(document: str) -> None:
    """A chapter may be told in two places; a section is told in one."""
    assert [section for section, count in sections(document).items() if count > 1 and not section.isdecimal()] == []


def test_nothing_leans_on_documents_that_are_not_in_the_repository() -> None:
    leaning = [f"{path.relative_to(ROOT)}: {word}" for path, text in texts() for word in NOT_HERE if word in text]
    assert leaning == []


def test_every_page_of_the_reference_is_linked_from_its_contents() -> None:
    for contents in sorted(REFERENCE.rglob("README.md")):
        text = contents.read_text(encoding="utf-8")
        here = [path for path in contents.parent.glob("*.md") if path != contents]
        below = [path / "README.md" for path in contents.parent.iterdir() if (path / "README.md").exists()]
        unlinked = [path for path in (*here, *below) if f"({path.relative_to(contents.parent).as_posix()})" not in text]
        assert unlinked == []


def test_sections_that_the_physics_chapters_name_are_there() -> None:
    """The chapters name each other's sections in brackets."""
    for page in sorted((REFERENCE / "physics").glob("[01]*.md")):
        named = re.findall(r"\((\d+\.\d+(?:\.\d+)?)\)", page.read_text(encoding="utf-8"))
        assert [section for section in named if section not in sections("physics.md")] == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("(physics.md 5.13)", [("physics.md", "5.13")]),
        ("physics.md 5.3, 5.6-5.8, #13 and 14.", [("physics.md", s) for s in ("5.3", "5.6", "5.8", "#13", "14")]),
        ("# (rendering.md 7.5,\n    # 23).", [("rendering.md", "7.5"), ("rendering.md", "23")]),
        ("physics.md 8.3, dat-format.md A.3", [("physics.md", "8.3"), ("dat-format.md", "A.3")]),
        ("rendering.md C5, and goldens.md", [("rendering.md", "C5")]),
        ("physics.md, and 5 others", []),
    ],
)
def test_a_reference_is_read(text: str, named: list[tuple[str, str]]) -> None:
    assert [(found.document, found.section) for found in references_in(ROOT, text)] == named


def texts_of_section(section: str) -> Iterator[str]:
    for page in sorted((REFERENCE / "physics").glob("*.md")):
        for part in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
            if part.startswith(f"{section} "):
                yield part


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_a_rule_is_described_in_the_sections_that_are_named_for_it(rule: Rule) -> None:
    named = rule.section.split(", ")
    assert [section for section in named if section not in sections("physics.md")] == []
    assert any(f"`{rule.name}`" in text for section in named for text in texts_of_section(section))


def test_our_names_for_the_routines_of_the_client_are_those_of_the_code() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "engine").rglob("*.py")))
    defined = set(re.findall(r"^\s*(?:def|class) (\w+)", code, re.MULTILINE))
    rows = re.findall(r"^\| `.*\| (.*) \|$", (REFERENCE / "physics" / "names.md").read_text(encoding="utf-8"), re.M)
    named = {part for row in rows for name in re.findall(r"`([\w.]+)`", row) for part in name.split(".")}
    assert len(named) > 30
    assert sorted(named - defined) == []
