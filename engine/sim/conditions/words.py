"""What a condition is: primitives, joined by and, or, not and brackets; and the one text of each.

    condition_text(And((BLOCKED, Not(IN_WATER))))      # "blocked and not in water"

`engine/sim/conditions/reading.py` reads that text back to an equal condition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

LONGEST: Final = 500
"""Characters of a condition."""
DEEPEST: Final = 16
"""Brackets and nots within each other."""
LARGEST_NUMBER: Final = 1_000_000.0
DECIMALS: Final = 6


class Need(IntEnum):
    """What has to be known of a tick for a primitive to have an answer, the cheapest first."""

    SAMPLES = 0
    """Where the player was before and after it and how he stood: every recording has that."""
    TICK = 1
    """The report with its causes and the doors: the tick has to run."""
    RULES = 2
    """How the tick ends under the other rule set: it has to run again."""


class Slot(Enum):
    """What stands for itself in a primitive; the values are what people are told."""

    THING = "a name or an id"
    DOOR = "the name or the id of a door"
    CELL = "the name or the id of a cell"
    NUMBER = "a number"


class Surface(Enum):
    """Surroundings by their kind."""

    WALLS = "walls"
    LAND = "land"
    BUILDINGS = "buildings"


@dataclass(frozen=True)
class Named:
    """Whatever has this name; capitals do not matter."""

    name: str


@dataclass(frozen=True)
class Numbered:
    """The one with this id."""

    id: int


Value = Named | Numbered | Surface | float

Item = str | Slot | tuple[str, ...]
"""Words, a slot, or words that may be left out."""


@dataclass(frozen=True)
class Primitive:
    """A form of words with one meaning. `meaning` completes "It holds for a tick ..."."""

    id: str
    items: tuple[Item, ...]
    need: Need
    meaning: str

    @property
    def form(self) -> str:
        """As people are shown it."""
        return " ".join(_item_text(item) for item in self.items)


def _item_text(item: Item) -> str:
    if isinstance(item, Slot):
        return {Slot.THING: "X", Slot.DOOR: "X", Slot.CELL: "X", Slot.NUMBER: "N"}[item]
    return item if isinstance(item, str) else " ".join(item)


@dataclass(frozen=True)
class Leaf:
    """A primitive with its values."""

    primitive: Primitive
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Not:
    part: Condition


@dataclass(frozen=True)
class And:
    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Or:
    parts: tuple[Condition, ...]


Condition = Leaf | Not | And | Or

AND: Final = "and"
OR: Final = "or"
NOT: Final = "not"


def need_of(condition: Condition) -> Need:
    """The most that any of its primitives needs."""
    if isinstance(condition, Leaf):
        return condition.primitive.need
    if isinstance(condition, Not):
        return need_of(condition.part)
    return max(need_of(part) for part in condition.parts)


# --- text

_ID: Final = re.compile("0[xX][0-9A-Fa-f]{1,16}")
_PLAIN: Final = re.compile(r'[^\s()"]+(?: [^\s()"]+)*')
RESERVED: Final = frozenset((AND, OR, NOT, "opens", "closes", "is", "changes", "moves"))
"""Words that end a name, or could; a name with one of them stands in quotes."""


def is_id(word: str) -> bool:
    return _ID.fullmatch(word) is not None


def condition_text(condition: Condition) -> str:
    """The text of a condition, which is read back to an equal one."""
    if isinstance(condition, Leaf):
        return leaf_text(condition)
    if isinstance(condition, Not):
        return f"{NOT} {_in_brackets(condition.part, And, Or)}"
    if isinstance(condition, And):
        return f" {AND} ".join(_in_brackets(part, And, Or) for part in condition.parts)
    return f" {OR} ".join(_in_brackets(part, Or) for part in condition.parts)


def _in_brackets(part: Condition, *kinds: type) -> str:
    text = condition_text(part)
    return f"({text})" if isinstance(part, kinds) else text


def leaf_text(leaf: Leaf) -> str:
    values = iter(leaf.values)
    items = leaf.primitive.items
    return " ".join(value_text(next(values)) if isinstance(item, Slot) else _item_text(item) for item in items)


def value_text(value: Value) -> str:
    if isinstance(value, Surface):
        return value.value
    if isinstance(value, Numbered):
        return f"0x{value.id:08X}"
    if isinstance(value, Named):
        return name_text(value.name)
    return f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")


def name_text(name: str) -> str:
    """A name, in quotes where it would not be read as one without them."""
    words = name.lower().split(" ")
    is_plain = _PLAIN.fullmatch(name) and not is_id(name) and RESERVED.isdisjoint(words)
    if is_plain and name.lower() not in [surface.value for surface in Surface]:
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
