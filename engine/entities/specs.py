"""Entity specifications: what they mean for those who run into the entity, and as text that can be kept
(physics.md 8.7)."""

from __future__ import annotations

import json
from typing import Any, Final

from engine.geometry.frame import Frame
from engine.physics.errors import PhysicsError
from engine.physics.flags import (
    ENTITY_CAN_BYPASS_RESTRICTIONS,
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ENTITY_IS_IMPENETRABLE,
    ENTITY_IS_PK,
    ENTITY_IS_PKLITE,
    ENTITY_IS_PLAYER,
)
from engine.world.cells.objects import Setup
from engine.world.entity_limits import flaw_of, shown_name
from engine.world.entity_spec import EntitySpec

DOOR: Final = "door"
CREATURE: Final = "creature"
PLAYER: Final = "player"
PRESSURE_PLATE: Final = "pressure plate"

STATUSES: Final = {
    "pk": ENTITY_IS_PK,
    "pklite": ENTITY_IS_PKLITE,
    "impenetrable": ENTITY_IS_IMPENETRABLE,
    "bypass": ENTITY_CAN_BYPASS_RESTRICTIONS,
}
"""The flags that an entity may have beside its kind."""

# The public weenie bitfield (8.7)
_PWD_PLAYER: Final = 0x8
_PWD_PLAYER_KILLER: Final = 0x20
_PWD_FREE_PK: Final = 0x200000
_PWD_PK_LITE: Final = 0x2000000
_PWD_BYPASS: Final = 0x100000 | 0x400000

MAX_NUMBER: Final = 1e9


def flags_of(spec: EntitySpec) -> int:
    """Return the flags of an entity that other bodies test (8.7)."""
    flags = ENTITY_HAS_WEENIE
    if spec.kind == CREATURE or truth(spec.extra.get("creature")):
        flags |= ENTITY_IS_CREATURE
    elif spec.kind == PLAYER:
        flags |= ENTITY_IS_CREATURE | ENTITY_IS_PLAYER
    for key, flag in STATUSES.items():
        if truth(spec.extra.get(key)):
            flags |= flag
    return flags | flags_of_weenie_bits(whole(spec.extra.get("weenie_bits"), 0))


def flags_of_weenie_bits(bits: int) -> int:
    """The entity flags that the server's public bits mean (8.7)."""
    flags = 0
    if bits & _PWD_PLAYER:
        flags |= ENTITY_IS_PLAYER
    if bits & _PWD_PLAYER_KILLER:
        flags |= ENTITY_IS_PK
    if bits & _PWD_FREE_PK:
        flags |= ENTITY_IS_IMPENETRABLE
    if bits & _PWD_PK_LITE:
        flags |= ENTITY_IS_PKLITE
    if bits & _PWD_BYPASS == _PWD_BYPASS:
        flags |= ENTITY_CAN_BYPASS_RESTRICTIONS
    return flags


def pack_spec(spec: EntitySpec) -> bytes:
    """A specification as text, the same for the same one."""
    fields = {
        "guid": spec.guid,
        "name": spec.name,
        "kind": spec.kind,
        "setup": spec.setup_id,
        "cell": spec.cell_id,
        "origin": list(spec.frame.origin),
        "rotation": list(spec.frame.rotation),
        "state": spec.state,
        "scale": spec.scale,
        "extra": spec.extra,
    }
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()


def unpack_spec(packed: bytes) -> EntitySpec:
    """The specification of a text; a PhysicsError for a text that is none, and for a place or size that is none."""
    try:
        spec = _spec_of(json.loads(packed))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise PhysicsError(f"an entity cannot be read: {error}") from error
    flaw = flaw_of(spec)
    if flaw:
        raise PhysicsError(f"an entity cannot be read: {shown_name(spec)} {flaw}")
    return spec


def _spec_of(fields: dict[str, Any]) -> EntitySpec:
    x, y, z = fields["origin"]
    qw, qx, qy, qz = fields["rotation"]
    return EntitySpec(
        int(fields["guid"]),
        str(fields["name"]),
        str(fields["kind"]),
        int(fields["setup"]),
        int(fields["cell"]),
        Frame((float(x), float(y), float(z)), (float(qw), float(qx), float(qy), float(qz))),
        int(fields["state"]),
        float(fields["scale"]),
        dict(fields["extra"]),
    )


def table_of(spec: EntitySpec, setup: Setup) -> int:
    """The id of the motion table that an entity moves by, its own or its model's; 0 for none."""
    return whole(spec.extra.get("motion_table"), setup.default_motion_table)


def truth(value: object) -> bool:
    """A yes among the extra values; everything else is a no."""
    return value is True


def whole(value: object, default: int) -> int:
    """A whole number among the extra values."""
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def wholes(value: object) -> list[int]:
    """The whole numbers of a list among the extra values."""
    return [whole(entry, 0) for entry in value] if isinstance(value, list) else []


def number(value: object, default: float) -> float:
    """A number among the extra values, one that can be reckoned with."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    return float(value) if -MAX_NUMBER < value < MAX_NUMBER else default
