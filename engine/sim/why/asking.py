"""Entities and values by the names that people write: `"Front Door".is_open`, `player.contact plane`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from engine.entities.entity import Entity
from engine.physics.errors import PhysicsError
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import SIMULATION
from engine.sim.why.kinds import OF_ALL
from engine.sim.why.values import askable
from engine.world.cells.ids import cell_text

OF_SIMULATION: Final = ("rules", "simulation")


def entity_named(sim: Simulation, name: str) -> Entity:
    """An entity by its name or its id, "player" for the player; a SimError that names those that are like it."""
    entities: list[Entity] = [sim.player, *sim.population.ordered]
    wanted = " ".join(name.split()).casefold()
    if wanted in ("player", "the player"):
        return sim.player
    found = [each for each in entities if each.name.casefold() == wanted]
    if not found:
        try:
            found = [sim.population.entity(int(name, 16))]
        except (ValueError, PhysicsError):
            found = []
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(cell_text(each.id) for each in found)
        raise SimError(f"{len(found)} entities are called {name!r}: {ids}")
    raise SimError(f"there is no entity {name!r}{_like(wanted, [each.name for each in entities])}")


def _like(wanted: str, names: list[str]) -> str:
    near = get_close_matches(wanted, [name.casefold() for name in names], 3, 0.5)
    shown = [name for name in names if name.casefold() in near] or names[:8]
    return f"; there is {', '.join(dict.fromkeys(shown))}"


def path_named(sim: Simulation, entity: Entity, written: str) -> str:
    """A value of an entity by its path or its title; a SimError that names those that are like it."""
    values = askable(sim, entity.id)
    wanted = _plain(written)
    for each in values:
        if wanted in (_plain(each.path), _plain(each.title)):
            return each.path
    raise SimError(f"{entity.name} has no value {written!r}{_like(written, [each.path for each in values])}")


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").split()).casefold()


def value_named(sim: Simulation, written: str) -> tuple[int, str]:
    """The entity and the path of `"Front Door".is_open` or of `player.origin.z`; of `rules.walkable_corner` the
    simulation. Names may have points in them, and quotes around them."""
    refused: SimError | None = None
    for at, letter in enumerate(written):
        if letter != ".":
            continue
        name, path = written[:at].strip().strip("\"'"), written[at + 1 :]
        if name in OF_SIMULATION:
            return SIMULATION, _path_of_all(path)
        try:
            entity = entity_named(sim, name)
        except SimError as error:
            refused = refused or error
            continue
        return entity.id, path_named(sim, entity, path)
    raise refused or SimError(f"write ENTITY.VALUE, such as player.cell, not {written!r}")


def _path_of_all(path: str) -> str:
    if path in OF_ALL:
        return path
    raise SimError(f"the simulation has no value {path!r}{_like(path, list(OF_ALL))}")
