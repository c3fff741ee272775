"""The pages of docs/reference/checks, made of the table of checks.

    python -m engine.survey.pages

writes them anew.
"""

from __future__ import annotations

import importlib
import pkgutil
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import engine
from engine.findings.finding import Check, Family
from engine.findings.registry import checks
from engine.world.faults import Severity

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "reference" / "checks"
PACKAGES: Final = ("engine.survey.", "engine.explore.findings.")
"""The packages whose modules register checks."""

WIDTH: Final = 120
FAMILIES: Final = {
    Family.GEOMETRY: "Openings, rooms, buildings, borders: shapes that do not fit together.",
    Family.PHYSICS: "What bodies collide with and stand on.",
    Family.VISIBILITY: "What is seen from where: stab lists, flags, sides of openings.",
    Family.ENTITIES: "What a server places: where it stands and what it leads to.",
    Family.DOORS: "Doors and their doorways.",
    Family.EXPLORE: "What a search by walking finds.",
    Family.RULES: "Where rule sets part.",
    Family.RENDER: "What is drawn.",
}
_WORDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def page_of(family: Family) -> str:
    """The page of a family, with every check of it that is registered."""
    parts = [f"# Checks: {family}", FAMILIES[family], *map(_section, checks([family]))]
    return "\n\n".join(parts) + "\n"


def _section(check: Check) -> str:
    paragraph = textwrap.fill(check.about, WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"## {check.id}\n\n**{check.title}** ({_WORDS[check.severity]})\n\n{paragraph}"


def index_page(families: Sequence[Family]) -> str:
    """The page that lists all checks."""
    rows = [f"| [{family}]({family}.md) | {FAMILIES[family]} |" for family in families]
    listed = [
        f"| [{check.id}]({family}.md#{check.id.replace('.', '')}) | {check.title} | {_WORDS[check.severity]} |"
        for family in families
        for check in checks([family])
    ]
    tables = ["| family | about |", "|---|---|", *rows, "", "| check | finds | severity |", "|---|---|---|", *listed]
    return "\n".join([_HEAD, "", *tables, ""])


_HEAD: Final = """# Checks

What a survey of landblocks finds (`cellar-door survey`), by ids. Checks are switched on and off by id, by family
(`physics`) or by pattern (`portals.*`). A baseline takes known findings away: a text file with the key of one on each
line, and behind `  # ` what it is.

A finding has a key that stays the same from run to run, a place, figures that prove it, and a fix where one is safe.
These pages are made of the table of checks: `python -m engine.survey.pages` writes them, and a test compares them."""


def register_all() -> None:
    """Import every module that registers checks."""
    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        if module.name.startswith(PACKAGES):
            importlib.import_module(module.name)


def pages() -> dict[str, str]:
    """All pages by the names of their files; a family without checks has none."""
    register_all()
    families = [family for family in Family if checks([family])]
    return {"README.md": index_page(families), **{f"{family}.md": page_of(family) for family in families}}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
