"""The rows of Details: plain data with decoded flags, ids with names, and where each row leads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from editor.models.cell import PORTAL_FLAGS
from editor.models.entities import BITS, bit_of
from editor.models.graph.cell_graph import PortalRef
from editor.models.live_table import AXES, vector_text
from editor.reports.inspection_text import dict_text, value_text
from editor.session.session import Kind, Selection
from engine.world.cells.cell import HAS_RESTRICTION, HAS_STATIC_OBJECTS, SEEN_OUTSIDE
from engine.world.cells.ids import WHOLE_BLOCK, cell_in_range, cell_text, landblock_id, low_of
from engine.world.names import Names

CELL_FLAGS: Final = (
    (SEEN_OUTSIDE, "SEEN_OUTSIDE"),
    (HAS_STATIC_OBJECTS, "HAS_STATIC_OBJECTS"),
    (HAS_RESTRICTION, "HAS_RESTRICTION"),
)
"""The bits of an EnvCell's flags (dat-format.md 2.4)."""
STATE_BITS: Final = tuple((bit_of(name), name) for name in BITS)
NAMED_UP_TO: Final = 4
"""A folded row with up to this many parts shows their names."""
_ID: Final = re.compile("0x[0-9A-F]{8}")
_MODELS: Final = (0x01, 0x02)
MODEL_KEYS: Final = frozenset({"model", "setup", "id"})

DOOR: Final = "door"
OPEN_UP_TO: Final = 14
"""Lists of up to this many entries are shown open."""

EMPTY: Final[tuple[object, ...]] = (None, [], {})


@dataclass(frozen=True)
class Link:
    """Where a row leads: an id for the window's navigation, a portal, or a model to be shown in Details."""

    text: str
    portal: PortalRef | None = None
    model_id: int = 0


@dataclass
class Fact:
    """A row: its name, its text, the full value for the clipboard, where it leads, and the rows below it."""

    name: str
    text: str
    full: str = ""
    link: Link | None = None
    tip: str = ""
    facts: list[Fact] = field(default_factory=list)
    is_open: bool = False
    """The rows below it are shown at first."""

    @property
    def copied(self) -> str:
        return self.full or self.text


def decoded(value: int, bits: Sequence[tuple[int, str]]) -> list[tuple[str, int]]:
    """The set bits by name, ascending; a bit without a name is its own number in hex."""
    known = dict(bits)
    found = [1 << place for place in range(value.bit_length()) if value >> place & 1]
    return [(known.get(bit, f"0x{bit:X}"), bit) for bit in found]


def facts_of(data: dict[str, Any], names: Names, owner: Selection | None = None) -> list[Fact]:
    """The rows of `details`; `owner` is the cell or building whose portals they list."""
    return [_fact(name, value, names, data, owner) for name, value in data.items() if value not in EMPTY]


def _fact(name: str, value: Any, names: Names, around: dict[str, Any], owner: Selection | None) -> Fact:
    if name == "state" and isinstance(value, str) and _ID.fullmatch(value):
        return _flags(name, int(value, 16), STATE_BITS, "0x{:08X}")
    if name == "flags" and isinstance(value, int):
        return _flags(name, value, PORTAL_FLAGS if "portal" in around else CELL_FLAGS, "0x{:X}")
    if isinstance(value, list) and value and isinstance(value[0], dict | list | str):
        below = [_fact(str(index), entry, names, {}, owner) for index, entry in enumerate(value)]
        return Fact(name, str(len(value)), facts=below, is_open=len(value) <= OPEN_UP_TO)
    if isinstance(value, dict):
        below = facts_of(value, names, owner)
        short = name.isdecimal() or len(value) > NAMED_UP_TO
        text = _summary(name, value, names) if short else dict_text(value)
        return Fact(name, text, link=_portal_link(value, owner, names), facts=below, is_open=name == DOOR)
    text = _text(value)
    link = _link(name, value, names) if isinstance(value, str) else None
    shown = text if link is None else _named(text, names)
    return Fact(name, shown, _full(value), link, tip="" if link is None else f"Double-click to go to {link.text}")


def _flags(name: str, value: int, bits: Sequence[tuple[int, str]], form: str) -> Fact:
    found = decoded(value, bits)
    text = form.format(value)
    words = ", ".join(bit_name for bit_name, _ in found) or "no bits"
    below = [Fact(bit_name, f"0x{bit:X}") for bit_name, bit in found]
    return Fact(name, f"{text}  {words}", f"{text} {words}", facts=below)


def _named(text: str, names: Names) -> str:
    """An id with its name behind it; what follows the id stays."""
    thing_id = int(text[:10], 16)
    name = names.of_model(thing_id) if thing_id >> 24 in _MODELS else ""
    name = name or names.of_cell(thing_id)
    return f"{text} {name}" if name else text


def _link(name: str, text: str, names: Names) -> Link | None:
    found = _ID.match(text)
    if found is None:
        return None
    thing_id = int(found[0], 16)
    if name in MODEL_KEYS and thing_id >> 24 in _MODELS:
        return Link(names.model(thing_id), model_id=thing_id)
    if name == "guid" or (name != "id" and cell_in_range(low_of(thing_id))) or low_of(thing_id) == WHOLE_BLOCK:
        return Link(found[0])
    return Link(found[0]) if name == "id" and cell_in_range(low_of(thing_id)) else None


def _portal_link(value: dict[str, Any], owner: Selection | None, names: Names) -> Link | None:
    index = value.get("portal")
    if owner is None or not isinstance(index, int) or "leads to" not in value:
        return None
    place = f" of {cell_text(owner.key)}" if owner.kind is Kind.CELL else ""
    text = names.portal(owner.key, index) if owner.kind is Kind.CELL else f"portal {index}"
    return Link(f"{text}{place}", PortalRef(owner, index))


def _summary(name: str, value: dict[str, Any], names: Names) -> str:
    """The first few single values of a dict; with their names unless it is one of a list."""
    parts = {key: part for key, part in value.items() if isinstance(part, str | int | float) and part != ""}
    texts = {key: value_text(part) for key, part in list(parts.items())[:NAMED_UP_TO]}
    if not name.isdecimal():
        return ", ".join(f"{key} {text}" for key, text in texts.items())
    return "  ".join(_named(text, names) if _ID.match(text) else text for text in texts.values())


def _text(value: object) -> str:
    """A place or a direction as all docks show it."""
    is_vector = isinstance(value, list) and len(value) == len(AXES) and all(isinstance(part, float) for part in value)
    return vector_text(value, 0) if isinstance(value, list) and is_vector else value_text(value)


def _full(value: object) -> str:
    if isinstance(value, list):
        return "\t".join(repr(part) if isinstance(part, float) else str(part) for part in value)
    return repr(value) if isinstance(value, float) else str(value)


def each(facts: Sequence[Fact], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Fact]]:
    """All rows from top to bottom, each with the names that lead to it."""
    for fact in facts:
        path = (*above, fact.name)
        yield path, fact
        yield from each(fact.facts, path)


def owner_of_portals(selection: Selection) -> Selection | None:
    """Whose portals the details of a selection list: those of a room or a building."""
    if selection.kind is Kind.CELL:
        return Selection(Kind.CELL, landblock_id(selection.key), selection.key)
    return selection if selection.kind is Kind.BUILDING else None
