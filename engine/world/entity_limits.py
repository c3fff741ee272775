"""The limits of an entity, stated once. The reader of `entities.json`, scenes, forms, edits, projects and
recordings all check here, so that each accepts what another has written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.world.cells.ids import cell_in_range, cell_text, low_of
from engine.world.entity_spec import EntitySpec
from engine.world.faults import ENTITY, Fault

PLAYER_ID: Final = 0x50000001
"""The player of the workbench; no entity has his id."""

WORD: Final = 0xFFFFFFFF

LEAST_SCALE: Final = 0.001
MAX_SCALE: Final = 1000.0
"""Both may be."""

MAX_DISTANCE: Final = 100_000.0
"""Metres from the corner of its landblock, twice the client's map: nothing is farther away, and single precision still
tells centimetres there."""

MAX_TEXT: Final = 10_000
"""Characters of a name or kind: every recording keeps them once in half a second."""

MAX_EXTRA: Final = 10_000
"""Values, and characters of a text, among those that only the entity's kind understands."""

MAX_DEPTH: Final = 20
"""Lists and objects in each other there."""

MAX_WHOLE: Final = 1 << 63

_SURROGATES: Final = ("\ud800", "\udfff")


def flaw_of(spec: EntitySpec) -> str:
    """Why there can be no such entity, as the rest of a sentence about it; empty when there can."""
    if not 0 < spec.guid <= WORD:
        return f"has the id {_whole_text(spec.guid)}; ids are 0x00000001 to 0xFFFFFFFF"
    if spec.guid == PLAYER_ID:
        return f"has the id {cell_text(spec.guid)}, which is the player's"
    for what, text in (("name", spec.name), ("kind", spec.kind)):
        flaw = _text_flaw(text)
        if flaw:
            return f"has a {what} that {flaw}"
    if not 0 <= spec.setup_id <= WORD:
        return f"has the model {_whole_text(spec.setup_id)}; ids have 32 bits"
    if not 0 <= spec.state <= WORD:
        return f"has the state {_whole_text(spec.state)}, of more than 32 bits"
    if not (0 <= spec.cell_id <= WORD and cell_in_range(low_of(spec.cell_id))):
        return f"is in {_whole_text(spec.cell_id)}, which names no cell"
    if not LEAST_SCALE <= spec.scale <= MAX_SCALE:
        return f"has the scale {spec.scale}; it is {LEAST_SCALE:g} to {MAX_SCALE:g}"
    for part in spec.frame.origin:
        if not -MAX_DISTANCE <= part <= MAX_DISTANCE:  # a not-a-number compares false
            return f"stands at {spec.frame.origin}, which is farther than {MAX_DISTANCE:g} m from its landblock"
    if not spec.frame.is_valid():
        return f"is turned by {spec.frame.rotation}, which is not of length 1"
    return _extra_flaw(spec.extra)


def admitted(specs: Iterable[EntitySpec]) -> tuple[list[EntitySpec], list[Fault]]:
    """Return the valid entities of a list, each id once, and a fault for each of the others."""
    found: list[EntitySpec] = []
    faults: list[Fault] = []
    seen: set[int] = set()
    for index, spec in enumerate(specs):
        flaw = flaw_of(spec)
        if not flaw and spec.guid in seen:
            flaw = f"has the id {cell_text(spec.guid)} of another entity before it"
        if flaw:
            faults.append(Fault(0, ENTITY, f"{shown_name(spec)} {flaw}; left out", index=index))
            continue
        seen.add(spec.guid)
        found.append(spec)
    return found, faults


def shown_name(spec: EntitySpec) -> str:
    """Return its name, shortened and without characters that cannot be shown."""
    name = spec.name.encode(errors="replace").decode()
    return (name if len(name) <= 80 else f"{name[:77]}...") or spec.kind[:80] or "an entity"


def _text_flaw(text: str) -> str:
    if len(text) > MAX_TEXT:
        return f"is {len(text):,} characters long; {MAX_TEXT:,} is the most"
    if not text.isascii() and any(_SURROGATES[0] <= character <= _SURROGATES[1] for character in text):
        return "holds half a character, which cannot be shown"
    return ""


def _extra_flaw(extra: dict[str, object]) -> str:
    """Plain JSON, not too deep and not too much of it."""
    waiting: list[tuple[object, int]] = [(extra, 0)]
    count = 0
    while waiting:
        value, depth = waiting.pop()
        count += 1
        if count > MAX_EXTRA:
            return f"has more than {MAX_EXTRA:,} extra values"
        if depth > MAX_DEPTH:
            return f"has extra values more than {MAX_DEPTH} deep"
        if isinstance(value, str):
            flaw = _text_flaw(value)
            if flaw:
                return f"has an extra value that {flaw}"
        elif isinstance(value, dict):
            waiting.extend((key, depth + 1) for key in value)
            waiting.extend((inner, depth + 1) for inner in value.values())
        elif isinstance(value, list):
            waiting.extend((inner, depth + 1) for inner in value)
        elif isinstance(value, int) and not -MAX_WHOLE <= value < MAX_WHOLE:
            return "has an extra number of more than 64 bits"
        elif value is not None and not isinstance(value, int | float):
            return f"has an extra value of the kind {type(value).__name__}"
    return ""


def _whole_text(value: int) -> str:
    return cell_text(value) if 0 <= value <= WORD else "a number that is negative or of more than 32 bits"
