"""How a condition that is being written may go on: words of the grammar, and names of the open world."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.sim.conditions.reading import fits_in
from engine.sim.conditions.words import Numbered, Slot, Surface, name_text, value_text
from engine.sim.tick.simulation import Simulation
from engine.world.names import Named

MOST: Final = 200
"""Completions; a list is read, not searched."""


@dataclass(frozen=True)
class Completion:
    """`text` takes the place of what begins at `at`."""

    at: int
    text: str


class Vocabulary:
    """The names that stand in slots, as texts. Without a world there are none but the kinds of surroundings."""

    def __init__(self, doors: Sequence[str] = (), things: Sequence[str] = (), cells: Sequence[str] = ()) -> None:
        surfaces = [value_text(surface) for surface in Surface]
        self._of = {Slot.DOOR: list(doors), Slot.THING: [*things, *surfaces], Slot.CELL: list(cells)}

    def of(self, slot: Slot) -> list[str]:
        return self._of.get(slot, [])


def vocabulary_of(sim: Simulation) -> Vocabulary:
    """The doors, entities and named cells of a simulation, each name once; the cell that the player is in by its id."""
    population = sim.population
    doors = _texts(door.name for door in population.doors)
    things = _texts(entity.name for entity in population.ordered if entity.id != sim.player.id)
    cells = _texts(name for key, name in sim.world.names if key.kind is Named.CELL)
    here = sim.player.steered.cell
    return Vocabulary(doors, things, cells if here is None else [*cells, value_text(Numbered(here.id))])


def _texts(names: Iterable[str]) -> list[str]:
    """As they are written in a condition."""
    return [name_text(name) for name in dict.fromkeys(names) if name]


def completions(text: str, words: Vocabulary) -> list[Completion]:
    """What may follow a text, or take the place of its last words, in the order of the grammar."""
    fits, tokens = fits_in(text)
    found: dict[Completion, None] = {}
    for fit in fits:
        at = tokens[fit.begins].at if fit.begins < len(tokens) else len(text)
        if at == len(text) and text[-1:] not in ("", "(") and not text[-1:].isspace():
            continue  # the last word may not be over
        typed = " ".join(text[at:].split()).lower()
        for candidate in [fit.what] if isinstance(fit.what, str) else words.of(fit.what):
            if _goes_on(candidate, typed):
                found.setdefault(Completion(at, candidate))
        if len(found) >= MOST:
            break
    return list(found)


def _goes_on(candidate: str, typed: str) -> bool:
    """Begins with what is typed and has more; quotes need not be typed."""
    shown = candidate.lower()
    return shown != typed and (shown.startswith(typed) or shown.lstrip('"').startswith(typed.lstrip('"')))
