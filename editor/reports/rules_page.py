"""The table of docs/reference/rules.md: the named rules with both forms of each."""

from __future__ import annotations

from engine.physics.rule_table import RULES, Rule

CHAPTERS = {
    "1": "01-frames",
    "2": "02-polygons",
    "3": "03-bsp",
    "4": "04-objects",
    "5": "05-transition",
    "6": "06-cells",
    "7": "07-placing",
    "8": "08-shadows",
    "9": "09-doors",
    "10": "10-terrain",
    "11": "11-body",
}
"""Pages in docs/reference/physics, by the number before the point of a section."""


def rules_table() -> list[str]:
    """The table line by line."""
    heads = ("rule", "title", "`retail`", "`ace`", "example", "section", "`ace` known from")
    return [_line(heads), "|---" * len(heads) + "|", *(_line(_fields(rule)) for rule in RULES)]


def _fields(rule: Rule) -> tuple[str, ...]:
    ace = "The same." if rule.is_agreed else rule.ace
    sections = ", ".join(_linked(section) for section in rule.section.split(", "))
    return (f"`{rule.name}`", rule.title, rule.retail, ace, rule.shows, sections, rule.known)


def _linked(section: str) -> str:
    if section.startswith("#"):
        return f"[{section}](physics/corrections.md)"
    return f"[{section}](physics/{CHAPTERS[section.partition('.')[0]]}.md)"


def _line(fields: tuple[str, ...]) -> str:
    return f"| {' | '.join(fields)} |"
