"""Whether the names in a condition are names of a world: one that is misspelt would never hold, without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Final

from engine.sim.conditions.meaning import plain_name
from engine.sim.conditions.words import Condition, Leaf, Named, Not, Slot
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.world.names import Named as Kind

DOOR: Final = "door"
"""The `kind` of the entities that are doors."""
COMPARED: Final = 5_000
"""Names among which one that looks alike is sought."""
ALIKE: Final = 0.6
WHAT: Final = {Slot.DOOR: "No door", Slot.THING: "Nothing", Slot.CELL: "No cell"}


@dataclass(frozen=True)
class Unknown:
    """A name that nothing has which a condition could mean, and the one that was perhaps meant."""

    slot: Slot
    name: str
    instead: str = ""
    is_certain: bool = True
    """Nothing that is not loaded yet has it either."""

    @property
    def sentence(self) -> str:
        where = "here" if self.is_certain else "that is loaded"
        meant = f"; did you mean “{self.instead}”?" if self.instead else "."
        return f"{WHAT[self.slot]} {where} is called “{self.name}”{meant}"


def unknown_names(condition: Condition, sim: Simulation, more: Iterable[str] = ()) -> list[Unknown]:
    """The names of a condition that nothing has in a simulation and its world, loaded or not; `more` are known too.

    The names in a server's data are known as its landblocks come in.
    """
    also = list(more)
    is_certain = sim.world.source.by_block is None
    found = {}
    for slot, name in _names_in(condition):
        known = [*also, *_known(sim, slot)]
        wanted = plain_name(name)
        if all(plain_name(each) != wanted for each in known):
            found[slot, wanted] = Unknown(slot, name, _alike(wanted, known), is_certain)
    return list(found.values())


def check_names(condition: Condition, sim: Simulation, option: str, more: Iterable[str] = ()) -> list[str]:
    """For an option of a command: a SimError where a name is nobody's; sentences where somebody who has not come in
    yet may have it."""
    unknown = unknown_names(condition, sim, more)
    for each in unknown:
        if each.is_certain:
            raise SimError(f"{option}: {each.sentence}")
    return [f"{option}: {each.sentence}" for each in unknown]


def _names_in(condition: Condition) -> Iterator[tuple[Slot, str]]:
    if isinstance(condition, Leaf):
        slots = [item for item in condition.primitive.items if isinstance(item, Slot)]
        for slot, value in zip(slots, condition.values, strict=True):
            if isinstance(value, Named):
                yield slot, value.name
    elif isinstance(condition, Not):
        yield from _names_in(condition.part)
    else:
        for part in condition.parts:
            yield from _names_in(part)


def _known(sim: Simulation, slot: Slot) -> Iterator[str]:
    """What the slot may name, the nearest first."""
    population = sim.population
    if slot is Slot.DOOR:
        yield from (door.name for door in population.doors)
        yield from (spec.name for spec in sim.world.entities if spec.kind == DOOR)
        return
    if slot is Slot.THING:
        yield from (entity.name for entity in population.ordered if entity.id != sim.player.id)
    yield from (name for key, name in sim.world.names if key.kind is Kind.CELL)
    if slot is Slot.THING:
        yield from (spec.name for spec in sim.world.entities)


def _alike(wanted: str, known: list[str]) -> str:
    by_name = {plain_name(name): name for name in islice(dict.fromkeys(known), COMPARED)}
    found = get_close_matches(wanted, by_name, 1, ALIKE)
    return by_name[found[0]] if found else ""
