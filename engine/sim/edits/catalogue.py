"""Every edit with its name in recordings, projects and logs. A new edit is a class, a line here, and its test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from engine.physics.errors import PhysicsError
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit, EditValue
from engine.sim.edits.entities import (
    AddEntity,
    MoveEntity,
    RemoveEntity,
    RestoreStatic,
    SetScale,
    SetState,
    SetStateBits,
    SetVelocity,
)
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import FacePlayer, PutPlayerBack, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import OpenLandblock, RestoreSnapshot, SetTimeOfDay

EDITS: Final[dict[str, type[Edit]]] = {
    "open_landblock": OpenLandblock,
    "teleport": Teleport,
    "put_player_back": PutPlayerBack,
    "face": FacePlayer,
    "set_player": SetPlayerNumber,
    "set_velocity": SetVelocity,
    "set_state": SetState,
    "set_state_bits": SetStateBits,
    "move_entity": MoveEntity,
    "place_entity": PlaceEntity,
    "add_entity": AddEntity,
    "remove_entity": RemoveEntity,
    "restore_static": RestoreStatic,
    "set_scale": SetScale,
    "use": UseDoor,
    "open_door": OpenDoor,
    "close_door": CloseDoor,
    "lock_door": LockDoor,
    "set_reset_interval": SetResetInterval,
    "set_door_timer": SetDoorTimer,
    "replace_cell": ReplaceCell,
    "set_rule": SetRule,
    "set_rules": SetRuleSet,
    "set_time_of_day": SetTimeOfDay,
    "put_back": RestoreSnapshot,
}
"""By the name that files have. A name, and the order and types of the fields, stay as they are once files have them."""


def _kind_of(annotation: object) -> str:
    """The name of a field's type: compiled, the annotations are types; interpreted, they are their names."""
    return annotation if isinstance(annotation, str) else str(getattr(annotation, "__name__", annotation))


def _fields_of(edit: type[Edit]) -> list[tuple[str, str]]:
    return [(field.name, _kind_of(field.type)) for field in fields(edit)]  # type: ignore[arg-type]


NAMES: Final = {edit: name for name, edit in EDITS.items()}
FIELDS: Final = {name: _fields_of(edit) for name, edit in EDITS.items()}
"""Of each edit, by its name in files, the names of the fields and of their types."""

_TYPES: Final[dict[str, type]] = {"int": int, "float": float, "str": str, "bool": bool, "bytes": bytes}
_EXACT: Final = {name: [_TYPES[kind] for _, kind in taken] for name, taken in FIELDS.items()}


def name_of(edit: Edit) -> str:
    """The name of an edit in files."""
    return NAMES[type(edit)]


def values_of(edit: Edit) -> tuple[EditValue, ...]:
    """The values of an edit's fields in their order, as `edit_of` takes them."""
    values: list[EditValue] = []
    for name, kind in FIELDS[NAMES[type(edit)]]:
        value = getattr(edit, name)
        values.append(float(value) if kind == "float" else value)  # compiled, such a field has no whole number
    return tuple(values)


def edit_of(name: str, values: Sequence[EditValue]) -> Edit:
    """The edit of a name and values, as files have them; raises a PhysicsError when they do not fit."""
    kind = EDITS.get(name)
    if kind is None:
        raise PhysicsError(f"there is no edit {name[:40]!r}; there are {', '.join(EDITS)}")
    if [type(value) for value in values] == _EXACT.get(name):
        return kind(*values)
    taken = FIELDS[name]
    if len(values) != len(taken):
        raise PhysicsError(f"{name} has {len(values)} values; it takes {len(taken)}")
    return kind(*[_checked(name, pair[1], value) for pair, value in zip(taken, values, strict=True)])


def _checked(name: str, kind: str, value: EditValue) -> EditValue:
    if isinstance(value, bool):
        fits = kind == "bool"
    elif isinstance(value, int):
        fits = kind in ("int", "float")
    else:
        fits = kind == type(value).__name__
    if not fits:
        raise PhysicsError(f"{name} does not take {value!r:.80} for its {kind}")
    return float(value) if kind == "float" and isinstance(value, int) else value
