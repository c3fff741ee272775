"""The values that people ask about by names of their own, of entities, of bodies, of the player and of doors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3
from engine.physics.flags import ETHEREAL, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE, TS_SLIDING, TS_WATER_CONTACT
from engine.physics.rules import RULE_NAMES
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import number_text, vec_text
from engine.world.cells.ids import cell_text

Texts = Callable[[Simulation, object], str]

NONE: Final = "none"
"""A value that an entity has not now, such as a contact plane in the air."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: its name among its entity's, and how it is asked for."""

    path: str
    title: str
    of: Callable[[Entity], object]
    text: Texts


# --- how values read


def plain_text(sim: Simulation, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, tuple) and value and all(isinstance(each, float) for each in value):
        return f"({', '.join(number_text(each) for each in value)})"
    return str(value)


def _plane(sim: Simulation, value: object) -> str:
    if not isinstance(value, tuple) or len(value) != 4:
        return str(value)
    return f"N{vec_text(value[:3])} d {number_text(value[3])}"


def cell_name(sim: Simulation, value: object) -> str:
    return sim.world.names.cell(value) if isinstance(value, int) and value else "no cell"


def _cells(sim: Simulation, value: object) -> str:
    return ", ".join(cell_text(each) for each in value) if isinstance(value, tuple) and value else NONE


def _hexadecimal(sim: Simulation, value: object) -> str:
    return f"0x{value:X}" if isinstance(value, int) else str(value)


def _tick(sim: Simulation, value: object) -> str:
    return "never" if value == -1 else str(value)


def _degrees(sim: Simulation, value: object) -> str:
    return f"{value:.2f}°" if isinstance(value, float) else str(value)


# --- of every entity


def _plane_values(plane: Plane) -> tuple[float, float, float, float]:
    return (*plane.normal, plane.d)


def _place(entity: Entity) -> Vec3:
    return entity.origin()


def _in_cell(entity: Entity) -> int:
    """The cell that holds it, 0 for none."""
    body = entity.body
    if body is None:
        return entity.cell_id
    return 0 if body.cell is None else body.cell.id


def _bit(bit: int) -> Callable[[Entity], object]:
    return lambda entity: None if entity.body is None else (entity.body.transient & bit) != 0


def _contact_plane(entity: Entity) -> object:
    body = entity.body
    return _plane_values(body.contact_plane) if body is not None and body.transient & TS_CONTACT else NONE


def _contact_plane_cell(entity: Entity) -> object:
    body = entity.body
    return body.contact_plane_cell_id if body is not None and body.transient & TS_CONTACT else NONE


def _sliding_normal(entity: Entity) -> object:
    body = entity.body
    return body.sliding_normal if body is not None and body.transient & TS_SLIDING else NONE


def _body(path: str) -> Callable[[Entity], object]:
    return attrgetter(f"body.{path}")


def _one(of: Callable[[Entity], object], index: int) -> Callable[[Entity], object]:
    def part(entity: Entity) -> object:
        whole = of(entity)
        return whole[index] if isinstance(whole, tuple) else None

    return part


def _vector(path: str, title: str, of: Callable[[Entity], object], text: Texts = plain_text) -> list[Kind]:
    parts = [
        Kind(f"{path}.{axis}", axis if path == "origin" else f"{title} {axis}", _one(of, index), text)
        for index, axis in enumerate("xyz")
    ]
    return [Kind(path, title, of, text), *parts]


def _sphere(index: int, name: str) -> Callable[[Entity], object]:
    """The first two have a part in the sweep of a player."""

    def found(entity: Entity) -> object:
        spheres = [] if entity.body is None else entity.body.spheres
        return getattr(spheres[index], name) if index < len(spheres) else NONE

    return found


OF_ENTITIES: Final = (
    Kind("cell", "cell", _in_cell, cell_name),
    *_vector("origin", "position", _place),
    Kind("heading", "heading", lambda entity: entity.place_frame().heading(), _degrees),
)

OF_BODIES: Final = (
    *_vector("velocity", "velocity", _body("velocity")),
    Kind("contact", "in contact", _bit(TS_CONTACT), plain_text),
    Kind("on_walkable", "on walkable ground", _bit(TS_ON_WALKABLE), plain_text),
    Kind("contact_plane", "contact plane", _contact_plane, _plane),
    Kind("contact_plane_cell", "cell of the contact plane", _contact_plane_cell, cell_name),
    Kind("in_water", "in water", _bit(TS_WATER_CONTACT), plain_text),
    Kind("sliding", "sliding", _bit(TS_SLIDING), plain_text),
    Kind("sliding_normal", "sliding normal", _sliding_normal, plain_text),
    Kind("rotation", "rotation", _body("place.turn.rotation"), plain_text),
    Kind("in_cell", "in a cell", lambda entity: entity.body is not None and entity.body.cell is not None, plain_text),
    Kind(
        "held", "held by a place", lambda entity: entity.body is not None and entity.body.held is not None, plain_text
    ),
    Kind("spheres", "spheres", lambda entity: _count(_body("spheres")(entity)), plain_text),
    *(
        Kind(
            f"sphere[{2 * index + at}]" if index or at else "sphere",
            f"{('centre', 'radius')[at]} of the {('foot', 'head')[index]} sphere",
            _sphere(index, ("center", "radius")[at]),
            plain_text,
        )
        for index in range(2)
        for at in range(2)
    ),
    Kind("lost", "in no cell", lambda entity: entity.body is not None and entity.body.is_lost, plain_text),
    Kind("active", "active", _bit(TS_ACTIVE), plain_text),
    Kind("transient", "transient state", _body("transient"), _hexadecimal),
    Kind("state", "physics state", _body("state"), _hexadecimal),
    *_vector("acceleration", "acceleration", _body("acceleration")),
    *_vector("omega", "turning velocity", _body("omega")),
    *_vector("cached_velocity", "velocity made", _body("cached_velocity")),
    Kind("scale", "scale", _body("scale"), plain_text),
    Kind("step_up_height", "step up height", _body("step_up_height"), plain_text),
    Kind("step_down_height", "step down height", _body("step_down_height"), plain_text),
    Kind("info_flags", "mover flags", _body("info_flags"), _hexadecimal),
    Kind("target", "target", _body("target_id"), _hexadecimal),
    Kind("elasticity", "elasticity", _body("elasticity"), plain_text),
    Kind("friction", "friction", _body("friction"), plain_text),
    Kind(
        "colliding_with_environment", "colliding with the environment", _body("colliding_with_environment"), plain_text
    ),
)

_MOTION: Final = "steered.interp"
_STATES: Final = (
    "forward_command",
    "forward_speed",
    "side_step_command",
    "side_step_speed",
    "turn_command",
    "turn_speed",
)


def _attribute(path: str, title: str, attribute: str, text: Texts = plain_text) -> Kind:
    return Kind(path, title, attrgetter(attribute), text)


OF_PLAYER: Final = (
    *_vector("soles", "soles", lambda entity: entity.soles()),  # type: ignore[attr-defined]  # of the player alone
    _attribute("charging", "charging a jump", "steered.charging"),
    _attribute("charge", "charge of the jump", "steered.charge"),
    _attribute("jump_extent", "extent of the jump", f"{_MOTION}.jump_extent"),
    _attribute("standing_long_jump", "standing long jump", f"{_MOTION}.standing_long_jump"),
    _attribute("flags", "flags", "flags", _hexadecimal),
    _attribute("radius", "radius", "radius"),
    _attribute("height", "height", "height"),
    *(_attribute(name, f"{name.replace('_', ' ')} of the keys", f"{_MOTION}.raw.{name}") for name in _STATES),
    *(_attribute(f"{name}[1]", name.replace("_", " "), f"{_MOTION}.interpreted.{name}") for name in _STATES),
    _attribute("hold_key", "hold key", f"{_MOTION}.hold_key"),
    _attribute("my_run_rate", "own run rate", f"{_MOTION}.my_run_rate"),
    *(
        _attribute(name, name.replace("_", " "), f"{_MOTION}.weenie.{name}")
        for name in ("run_skill", "jump_skill", "burden", "stamina", "player_killer", "pk_fight")
    ),
)


def _performer(path: str) -> Callable[[Entity], object]:
    of = attrgetter(path)
    return lambda entity: None if entity.body is None or entity.body.performer is None else of(entity.body.performer)


OF_PERFORMERS: Final = (
    Kind("style", "style of motion", _performer("style"), _hexadecimal),
    Kind("substate", "motion", _performer("substate"), _hexadecimal),
    Kind("substate_speed", "speed of the motion", _performer("speed"), plain_text),
    Kind("modifiers", "motions beside it", lambda entity: _count(_performer("modifiers")(entity)), plain_text),
    Kind("nodes", "animations", lambda entity: _count(_performer("sequence.nodes")(entity)), plain_text),
    Kind("current", "animation that plays", _performer("sequence.current"), plain_text),
    Kind("first_cyclic", "first cyclic animation", _performer("sequence.first_cyclic"), plain_text),
    Kind("frame", "frame of the animation", _performer("sequence.frame"), plain_text),
    Kind("motion_velocity", "velocity of the motion", _performer("sequence.velocity"), plain_text),
    Kind("motion_omega", "turning velocity of the motion", _performer("sequence.omega"), plain_text),
)


def _count(found: object) -> object:
    return len(found) if isinstance(found, list) else None


OF_DOORS: Final = (
    Kind("is_open", "open", attrgetter("is_open"), plain_text),
    Kind("passable", "passable", lambda entity: _passable(entity), plain_text),
    Kind("locked", "locked", attrgetter("locked"), plain_text),
    Kind("busy_until", "in motion until tick", attrgetter("busy_until"), _tick),
    Kind("reset_at", "goes back to its default in tick", attrgetter("reset_at"), _tick),
    Kind("use_stamp", "used last in tick", attrgetter("use_stamp"), _tick),
    Kind("held", "held open by a body", attrgetter("held"), plain_text),
    Kind("retry_at", "tries to close again in tick", attrgetter("retry_at"), _tick),
    Kind("reset_interval", "seconds until it goes back to its default", attrgetter("reset_interval"), plain_text),
    Kind("default_open", "open by default", attrgetter("default_open"), plain_text),
    Kind("default_locked", "locked by default", attrgetter("default_locked"), plain_text),
)
DOOR_PATHS: Final = frozenset(kind.path for kind in OF_DOORS)

CURRENT_CELL: Final = "current_cell"
OF_ALL: Final = ("time_of_day", *RULE_NAMES, CURRENT_CELL)


def _passable(entity: Entity) -> object:
    """The registered state decides: an open door is ethereal, a closing one until its leaves are home."""
    if not isinstance(entity, Door) or entity.id not in entity.registry.entities:
        return None
    return (entity.registry.entity(entity.id).obj.state & ETHEREAL) != 0


def _registered(path: str) -> Callable[[Entity], object]:
    """Of a body in the list of what others collide with."""
    of = attrgetter(path)

    def found(entity: Entity) -> object:
        body = entity.body
        registry = None if body is None else body.registry
        if registry is None or entity.id not in registry.entities:
            return None
        value = of(registry.entity(entity.id))
        return tuple(value) if isinstance(value, list) else value

    return found


def _of_registrations(is_player: bool) -> list[Kind]:
    """Their names in the state; those of the body's own values come first there."""
    return [
        Kind("registered", "met by others", lambda entity: _registered("cell_id")(entity) is not None, plain_text),
        Kind("state[1]", "physics state met", _registered("obj.state"), _hexadecimal),
        Kind("flags[1]" if is_player else "flags", "flags met", _registered("obj.flags"), _hexadecimal),
        Kind("parent", "parent", _registered("obj.parent_id"), _hexadecimal),
        Kind("target[1]", "target met", _registered("obj.target_id"), _hexadecimal),
        Kind("rows_cell", "cell of its shapes", _registered("cell_id"), cell_name),
        Kind("rows_origin", "position of its shapes", _registered("frame.origin"), plain_text),
        Kind("rows_rotation", "rotation of its shapes", _registered("frame.rotation"), plain_text),
        Kind("suspended", "shapes taken out", _registered("suspended"), plain_text),
        Kind("cells", "cells that list it", _registered("cell_ids"), _cells),
        Kind("cell_array", "cell array", _registered("ca.ids"), _cells),
        Kind("cell_array_gaps", "gaps of the cell array", _registered("ca.gaps"), plain_text),
    ]


_TABLES: Final[dict[tuple[bool, bool, bool], dict[str, Kind]]] = {}


def kinds_of(entity: Entity) -> dict[str, Kind]:
    """The kinds of values that an entity has, by their paths."""
    is_door, has_body, is_player = isinstance(entity, Door), entity.body is not None, hasattr(entity, "steered")
    found = _TABLES.get((is_door, has_body, is_player))
    if found is None:
        kinds = [*OF_ENTITIES, *(OF_DOORS if is_door else ()), *(OF_BODIES if has_body else ())]
        kinds += [*OF_PERFORMERS, *_of_registrations(is_player)] if has_body else []
        found = {kind.path: kind for kind in [*kinds, *(OF_PLAYER if is_player else ())]}
        _TABLES[is_door, has_body, is_player] = found
    return found
