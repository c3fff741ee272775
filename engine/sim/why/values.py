"""The values that can be asked about: what they are called, how a simulation is asked for them, and how they read.

First come those that people ask about, such as "cell", "contact_plane" or "is_open"; then every value of the entity in
`Simulation.named_state`, by its name there. Names that come again have a number: "forward_command[1]".
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Final

from engine.entities.body_state import visit_registration
from engine.entities.entity import Entity
from engine.entities.state_io import StateNamer, StateWriter
from engine.physics.rules import RULE_NAMES
from engine.sim.errors import SimError
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import SIMULATION, AskableValue
from engine.sim.why.kinds import CURRENT_CELL, NONE, OF_ALL, cell_name, kinds_of, plain_text
from engine.world.cells.ids import cell_text

Values = Callable[[Simulation], object]
"""Asks a simulation for a value; None when there is none, such as that of an entity that is not there."""

ABSENT: Final = "not there"

_OF_NODES: Final = ("source", "key", "command", "index", "framerate")
"""The parts of an animation, as the state names those of the first one that a body plays."""

KEYS: Final = "keys"
KEY_NAMES: Final = ("forward", "side_step", "turn", "run", "jump", "use", "look")
"""The fields of `Controls`."""


def reader(entity_id: int, path: str, sim: Simulation) -> Values:
    """What asks for a value; a SimError when that entity has none of that name. Keys are no state: see `key_value`."""
    if entity_id == SIMULATION:
        return _reader_of_simulation(path)
    entity = sim.population.find(entity_id)
    if entity is None:
        raise SimError(f"there is no entity {cell_text(entity_id)} at that tick")
    kind = kinds_of(entity).get(path)
    if kind is not None:
        of = kind.of

        def known(sim: Simulation) -> object:
            found = sim.population.find(entity_id)
            return None if found is None else of(found)

        return known
    if path not in named_values(sim, entity):
        raise SimError(f"{entity.name} has no {path!r}")
    return _of_node(entity_id, path) or _Named(entity_id, path)


def _of_node(entity_id: int, path: str) -> Values | None:
    """What asks for a part of the animation that a body plays: to name the whole state of each tick takes too long."""
    if path not in _OF_NODES:
        return None
    part = attrgetter(path)

    def known(sim: Simulation) -> object:
        entity = sim.population.find(entity_id)
        performer = None if entity is None or entity.body is None else entity.body.performer
        if performer is None or not performer.sequence.nodes:
            return None
        return repr(part(performer.sequence.nodes[0]))

    return known


def value_text(sim: Simulation, entity_id: int, path: str, value: object) -> str:
    """A value as people read it."""
    if value is None:
        return ABSENT
    if value == NONE:
        return NONE
    if path in KEY_TITLES:
        return _key_text(sim, value)
    if path == CURRENT_CELL:
        return cell_name(sim, value)
    kind = None
    if entity_id != SIMULATION:
        entity = sim.population.find(entity_id)
        kind = None if entity is None else kinds_of(entity).get(path)
    return plain_text(sim, value) if kind is None else kind.text(sim, value)


def exact_text(value: object) -> str:
    """A value to its last digit, where the text of two is the same."""
    return repr(value)


def title_of(sim: Simulation, entity_id: int, path: str) -> str:
    """Such as "z of the player"."""
    if entity_id == SIMULATION:
        return f"rule {path}" if path in RULE_NAMES else path.replace("_", " ")
    entity = sim.population.find(entity_id)
    name = "the player" if entity_id == sim.player.id else cell_text(entity_id) if entity is None else entity.name
    return f"{_title(entity, path)} of {name}"


def _title(entity: Entity | None, path: str) -> str:
    if path in KEY_TITLES:
        return KEY_TITLES[path]
    kind = None if entity is None else kinds_of(entity).get(path)
    return path.replace("_", " ") if kind is None else kind.title


def askable(sim: Simulation, entity_id: int) -> list[AskableValue]:
    """All values that can be asked about, of an entity or of the simulation itself (`SIMULATION`)."""
    if entity_id == SIMULATION:
        return [_askable_of_all(sim, path) for path in OF_ALL]
    entity = sim.population.find(entity_id)
    if entity is None:
        raise SimError(f"there is no entity {cell_text(entity_id)}")
    found = []
    for path, kind in kinds_of(entity).items():
        value = kind.of(entity)
        text = value_text(sim, entity_id, path, value)
        found.append(AskableValue(path, kind.title, text))
    if entity is sim.player:
        found += [AskableValue(path, title, "") for path, title in KEY_TITLES.items()]
    listed = {each.path for each in found}
    for path, text in named_values(sim, entity).items():
        if path not in listed:
            found.append(AskableValue(path, path.replace("_", " "), text))
    return found


def _askable_of_all(sim: Simulation, path: str) -> AskableValue:
    value = _reader_of_simulation(path)(sim)
    return AskableValue(path, title_of(sim, SIMULATION, path), value_text(sim, SIMULATION, path, value))


# --- the keys


def key_value(controls: Controls, path: str) -> object:
    """Of the keys in a tick, all or one."""
    if path == KEYS:
        return controls.as_tuple()
    return getattr(controls, path.removeprefix(f"{KEYS}."))


def _key_text(sim: Simulation, value: object) -> str:
    if not isinstance(value, tuple):
        return plain_text(sim, value)
    held = [f"{name} {plain_text(sim, each)}" for name, each in zip(KEY_NAMES, value, strict=True) if each]
    return ", ".join(held) or NONE


KEY_TITLES: Final = {KEYS: "keys", **{f"{KEYS}.{name}": f"{name.replace('_', '-')} key" for name in KEY_NAMES}}


# --- of the simulation


def _reader_of_simulation(path: str) -> Values:
    if path in RULE_NAMES:
        return lambda sim: sim.rules.form(path)
    if path == "time_of_day":
        return lambda sim: sim.time_of_day
    if path == CURRENT_CELL:
        return lambda sim: sim.graph.current_id
    raise SimError(f"the simulation has no {path!r}")


# --- all that there is


def named_values(sim: Simulation, entity: Entity) -> dict[str, str]:
    """Every value of an entity's state, by its name there."""
    namer = StateNamer()
    entity.visit(namer)
    registered = namer.flag("registered", entity.id in sim.population.registry.entities)
    if registered:
        visit_registration(namer, sim.population.registry.entity(entity.id))
    found: dict[str, str] = {}
    count: dict[str, int] = {}
    for dotted, text in namer.values:
        name = dotted[1:]  # an entity alone is no section
        count[name] = number = count.get(name, 0) + 1
        found[name if number == 1 else f"{name}[{number - 1}]"] = text
    return found


class _Named:
    """Asks for a value by its name in the state. Names cost more than the state, so they are asked for only when
    that differs."""

    def __init__(self, entity_id: int, path: str) -> None:
        self._id = entity_id
        self._path = path
        self._packed = b""
        self._value: object = None

    def __call__(self, sim: Simulation) -> object:
        entity = sim.population.find(self._id)
        if entity is None:
            self._packed, self._value = b"", None
            return None
        writer = StateWriter()
        entity.visit(writer)
        registry = sim.population.registry
        if writer.flag("registered", self._id in registry.entities):
            visit_registration(writer, registry.entity(self._id))
        packed = writer.packed()
        if packed != self._packed:
            self._packed = packed
            self._value = named_values(sim, entity).get(self._path)
        return self._value
