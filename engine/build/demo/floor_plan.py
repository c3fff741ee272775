"""Reads the dungeon's plan: levels of squares, which of them are passages, where those open, and the chambers' extents.

`resources/demo/dungeon.txt` explains its signs itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.build.errors import BuildError

PASSAGE: Final = "#"
NOTHING: Final = "."
SIDES: Final = (("N", 0, -1), ("E", 1, 0), ("S", 0, 1), ("W", -1, 0))
"""Sides by name, in the order of compass headings, with the step to the square beyond."""

Square = tuple[int, int]
"""Column from the west, row from the north."""


@dataclass
class Chamber:
    """A rectangle of squares, and the passages that meet it: (square of the passage, its side towards the chamber)."""

    sign: str
    west: int
    north: int
    east: int
    south: int
    ways: list[tuple[Square, str]] = field(default_factory=list)


@dataclass
class Level:
    """One level: passages with the sides where they are open, in reading order, and chambers by their sign."""

    height: float
    passages: dict[Square, str] = field(default_factory=dict)
    chambers: dict[str, Chamber] = field(default_factory=dict)
    marks: dict[str, Square] = field(default_factory=dict)


def read_plan(text: str) -> list[Level]:
    """The levels of a plan. Text before the first level is explanation."""
    levels: list[Level] = []
    rows: list[str] = []
    for line in [*text.splitlines(), "level"]:
        if line.startswith("level"):
            if levels:
                _fill(levels[-1], rows)
            words = line.split()
            if len(words) == 2:
                levels.append(Level(float(words[1])))
            rows = []
        elif line.strip():
            rows.append(line)
    return levels


def _fill(level: Level, rows: list[str]) -> None:
    signs = {(column, row): sign for row, line in enumerate(rows) for column, sign in enumerate(line)}
    for square, sign in signs.items():
        column, row = square
        if sign == PASSAGE:
            level.passages[square] = "".join(
                side for side, dx, dy in SIDES if signs.get((column + dx, row + dy), NOTHING) != NOTHING
            )
        elif sign.isalpha():
            chamber = level.chambers.setdefault(sign, Chamber(sign, column, row, column, row))
            chamber.east, chamber.south = max(chamber.east, column), max(chamber.south, row)
        elif sign != NOTHING:
            level.marks[sign] = square
    for chamber in level.chambers.values():
        count = (chamber.east - chamber.west + 1) * (chamber.south - chamber.north + 1)
        if sum(sign == chamber.sign for sign in signs.values()) != count:
            raise BuildError(f"chamber {chamber.sign!r}", "its squares do not form a rectangle")
    for (column, row), open_sides in level.passages.items():
        for side, dx, dy in SIDES:
            beyond = signs.get((column + dx, row + dy), NOTHING)
            if side in open_sides and beyond in level.chambers:
                level.chambers[beyond].ways.append(((column, row), side))
