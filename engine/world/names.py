"""The names that people give to cells, portals and models.

The client's data have none. Only texts depend on them: no simulation reads a name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.world.cells.ids import cell_text

LONGEST_NAME: Final = 60
"""Characters of a name; longer ones push everything else out of a table."""
MOST_NAMES: Final = 50_000
"""Names of one world: every room of fifty crowded landblocks has one."""

MOST_MARKS: Final = 3
"""Marks on one letter; more are piled over the rows above."""
EMPTY: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0")
"""Letters and marks that show nothing."""

_ID: Final = re.compile("(?<![0-9A-Fa-fx])0x[0-9A-F]{8}(?![0-9A-Fa-f])")


class Named(Enum):
    """What a name is given to; the values are the keys of a names file."""

    CELL = "cell"
    PORTAL = "portal"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class NameKey:
    """The owner of a name: a cell or landblock, a portal by its cell and number, a Setup or GfxObj."""

    kind: Named
    id: int
    index: int = -1
    """The number of the portal; −1 for cells and models."""

    @staticmethod
    def cell(cell_id: int) -> NameKey:
        return NameKey(Named.CELL, cell_id)

    @staticmethod
    def portal(cell_id: int, index: int) -> NameKey:
        return NameKey(Named.PORTAL, cell_id, index)

    @staticmethod
    def model(model_id: int) -> NameKey:
        return NameKey(Named.MODEL, model_id)

    @property
    def order(self) -> tuple[str, int, int]:
        """Cells, then models, then portals, each by id."""
        return (self.kind.value, self.id, self.index)

    @property
    def text(self) -> str:
        """What it is without its name: `portal 2 of 0xC95B0104`."""
        if self.kind is Named.PORTAL:
            return f"portal {self.index} of {cell_text(self.id)}"
        return f"{self.kind.value} {cell_text(self.id)}"


@dataclass(frozen=True, slots=True)
class NameChange:
    """A name that was given, changed or (`after` empty) taken away."""

    key: NameKey
    before: str
    after: str


def clean_name(text: str) -> str:
    """A name as it is kept: one line without control, direction or empty characters, single blanks, at most
    LONGEST_NAME."""
    shown: list[str] = []
    marks = MOST_MARKS
    """Marks on the last letter; there is none yet."""
    for character in " ".join("".join(map(_blank_for, text)).split()):
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if character == " ":
            marks = MOST_MARKS
        if marks <= MOST_MARKS:
            shown.append(character)
    return "".join(shown)[:LONGEST_NAME].rstrip()


def _blank_for(character: str) -> str:
    """A blank for controls and separators, nothing for invisible marks, else the character (Unicode categories)."""
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    return "" if category in ("Cf", "Cs", "Co", "Cn") or character in EMPTY else character


class Names:
    """The names of one world, and the texts in which ids stand with their names.

    `given` are those that come with the world: the demo's builder names its rooms, a folder may have `names.json`.
    """

    def __init__(self, given: Mapping[NameKey, str] | None = None) -> None:
        self._given = dict(given or {})
        self._all = dict(self._given)

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[tuple[NameKey, str]]:
        """All names, in the order of their keys."""
        return iter(sorted(self._all.items(), key=lambda entry: entry[0].order))

    def get(self, key: NameKey) -> str:
        """The name; empty without one."""
        return self._all.get(key, "")

    def given(self, key: NameKey) -> str:
        """The name that comes with the world; empty without one."""
        return self._given.get(key, "")

    # --- texts

    def of_cell(self, cell_id: int) -> str:
        """The bare name of a cell; empty without one."""
        return self._all.get(NameKey.cell(cell_id), "") if self._all else ""

    def of_portal(self, cell_id: int, index: int) -> str:
        return self._all.get(NameKey.portal(cell_id, index), "") if self._all else ""

    def of_model(self, model_id: int) -> str:
        return self._all.get(NameKey.model(model_id), "") if self._all else ""

    def cell(self, cell_id: int) -> str:
        """For sentences: `Cellar 0xC95B0104`, or the id alone."""
        return _before(self.of_cell(cell_id), cell_id)

    def model(self, model_id: int) -> str:
        """For sentences: `Barrel 0x02000012`, or the id alone."""
        return _before(self.of_model(model_id), model_id)

    def portal(self, cell_id: int, index: int) -> str:
        """For sentences: `portal 2 (Trap Door)`, or without a name `portal 2`."""
        name = self.of_portal(cell_id, index)
        return f"portal {index} ({name})" if name else f"portal {index}"

    def cell_field(self, cell_id: int) -> str:
        """For columns, where ids stand below each other: `0xC95B0104 Cellar`."""
        return _behind(self.of_cell(cell_id), cell_id)

    def model_field(self, model_id: int) -> str:
        """For columns: `0x02000012 Barrel`."""
        return _behind(self.of_model(model_id), model_id)

    def in_text(self, text: str, *, behind: bool = False) -> str:
        """A text with the names of its ids before them, or behind them as in columns; a name that is there already is
        not said twice."""
        if not self._all or "0x" not in text:
            return text

        def named(found: re.Match[str]) -> str:
            thing_id = int(found[0], 16)
            name = self.of_cell(thing_id) or self.of_model(thing_id)
            there = text[: found.start()].endswith(f"{name} ") or text[found.end() :].startswith(f" {name}")
            if not name or there:
                return found[0]
            return f"{found[0]} {name}" if behind else f"{name} {found[0]}"

        return _ID.sub(named, text)

    # --- changes

    def changes(self, wanted: Mapping[NameKey, str]) -> tuple[NameChange, ...]:
        """The changes that give these names, without those that are so already; an empty name takes one away."""
        found = ((key, self.get(key), clean_name(name)) for key, name in wanted.items())
        made = (NameChange(key, before, after) for key, before, after in found if before != after)
        return tuple(sorted(made, key=lambda change: change.key.order))

    def apply(self, changes: Iterable[NameChange]) -> None:
        for change in changes:
            self._set(change.key, change.after)

    def revert(self, changes: Iterable[NameChange]) -> None:
        for change in changes:
            self._set(change.key, change.before)

    def _set(self, key: NameKey, name: str) -> None:
        if name:
            self._all[key] = name
        else:
            self._all.pop(key, None)

    def departures(self) -> dict[NameKey, str]:
        """The names that differ from those that came with the world; empty where one was taken away."""
        keys = sorted({*self._all, *self._given}, key=lambda key: key.order)
        return {key: self.get(key) for key in keys if self.get(key) != self.given(key)}


def _before(name: str, thing_id: int) -> str:
    return f"{name} {cell_text(thing_id)}" if name else cell_text(thing_id)


def _behind(name: str, thing_id: int) -> str:
    return f"{cell_text(thing_id)} {name}" if name else cell_text(thing_id)
