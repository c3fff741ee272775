"""The pages for contributors name every package, and nothing that does not exist."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOPS = ("engine", "editor", "ui", "cellar_door", "bootstrap", "benchmarks", "release")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMED = re.compile(rf"`((?:{'|'.join((*TOPS, 'tests', 'docs', 'resources'))})/[\w./-]*)`")


def packages() -> list[str]:
    found = (path.parent for top in TOPS for path in (ROOT / top).rglob("__init__.py"))
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def heading_anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as repository hosts make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("package", packages())
def test_the_architecture_names_every_package(package: str) -> None:
    assert re.search(rf"`{package}/?`", ARCHITECTURE), f"ARCHITECTURE.md does not name {package}"


def test_the_architecture_fits_the_layers_that_are_held() -> None:
    held = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    layers = held.partition('name = "inside the editor"')[2].partition("]")[0]
    names = re.findall(r"\b(\w+)\b", layers.partition("[")[2])
    drawn = ARCHITECTURE.partition("```\nscripting")[2].partition("```")[0]
    assert ["scripting", *re.findall(r"\b\w+\b", drawn)] == names


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    for path in NAMED.findall(page.read_text(encoding="utf-8")):
        assert (ROOT / path).exists(), f"{name_of(page)} names {path}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target, _, anchor in re.findall(r"\]\(([^)#\s]*)(#([^)\s]*))?\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        there = (page.parent / target) if target else page
        assert there.exists(), f"{name_of(page)} links to {target}"
        if anchor and there.suffix == ".md":
            assert anchor in heading_anchors(there), f"{name_of(page)} links to {target}#{anchor}"


def test_every_page_of_a_dock_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in sorted((ROOT / "docs" / "docks").glob("*.md")):
        assert f"(docs/docks/{page.name})" in readme, page.name


def test_no_folder_holds_more_than_two_dozen_modules() -> None:
    modules = Counter(path.parent for top in (*TOPS, "tests") for path in (ROOT / top).rglob("*.py"))
    assert not {name_of(folder): count for folder, count in modules.items() if count > 24}


def test_test_names_are_at_most_75_characters() -> None:
    """The limit of docs/writing.md."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    names = [name for text in texts for name in re.findall(r"^ *def (test_\w+)", text, re.M)]
    assert len(names) > 1000
    assert [name for name in names if len(name) > 75] == []
