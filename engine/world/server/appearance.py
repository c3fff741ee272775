"""What a weenie's properties mean for those who meet it: its kind, its PhysicsState, how a door stands."""

from __future__ import annotations

from typing import Final

from engine.geometry.constants import DEFAULT_STATE
from engine.world.entity_spec import ETHEREAL, GRAVITY, HAS_PHYSICS_BSP, REPORT_COLLISIONS
from engine.world.server import model
from engine.world.server.model import Weenie

IGNORE_COLLISIONS: Final = 0x10
NO_DRAW: Final = 0x20

KINDS: Final[dict[int, str]] = {
    model.PORTAL: "portal",
    model.HOUSE_PORTAL: "portal",
    model.CREATURE: "creature",
    model.COW: "creature",
    model.VENDOR: "vendor",
    model.DOOR: "door",
    model.CHEST: "chest",
    model.PRESSURE_PLATE: "pressure plate",
    model.LIFE_STONE: "life stone",
    model.SWITCH: "switch",
    model.HOUSE: "house",
    model.SLUMLORD: "covenant crystal",
    model.HOOK: "hook",
    model.STORAGE: "storage",
}
"""The kinds that types of weenies are called by here; everything else is an object."""
GENERATOR: Final = "generator"
OBJECT: Final = "object"

STATE_BITS: Final = (
    (model.BOOL_ETHEREAL, ETHEREAL),
    (model.BOOL_REPORT_COLLISIONS, REPORT_COLLISIONS),
    (model.BOOL_IGNORE_COLLISIONS, IGNORE_COLLISIONS),
    (model.BOOL_NO_DRAW, NO_DRAW),
    (model.BOOL_GRAVITY, GRAVITY),
)
"""The bits of PhysicsState that properties of their own decide, whatever the state itself says."""

MAX_RESET_INTERVAL: Final = 86400.0


def hidden(weenie: Weenie) -> bool:
    """Whether players are not told of it."""
    return weenie.bools.get(model.BOOL_HIDDEN, False)


def kind_of(weenie: Weenie) -> str:
    kind = KINDS.get(weenie.type, OBJECT)
    return GENERATOR if kind == OBJECT and weenie.generates and hidden(weenie) else kind


def state_of(weenie: Weenie, has_physics_bsp: bool) -> int:
    """Its PhysicsState as a server tells it: the state itself, then the properties for single bits, then what its
    model decides. What players are not told of can neither be seen nor met."""
    state = weenie.ints.get(model.INT_PHYSICS_STATE, DEFAULT_STATE) & 0xFFFFFFFF
    for kind, bit in STATE_BITS:
        value = weenie.bools.get(kind)
        if value is not None:
            state = state | bit if value else state & ~bit
    if weenie.type == model.DOOR and starts_open(weenie):
        state |= ETHEREAL
    if hidden(weenie):
        state |= ETHEREAL | NO_DRAW
    return state | HAS_PHYSICS_BSP if has_physics_bsp else state & ~HAS_PHYSICS_BSP


def starts_open(weenie: Weenie) -> bool:
    return weenie.bools.get(model.BOOL_OPEN, False) or weenie.bools.get(model.BOOL_DEFAULT_OPEN, False)


def door_extra(weenie: Weenie) -> dict[str, object]:
    """How a door stands and what it goes back to."""
    default_locked = weenie.bools.get(model.BOOL_DEFAULT_LOCKED, False)
    extra: dict[str, object] = {
        "open": starts_open(weenie),
        "locked": weenie.bools.get(model.BOOL_LOCKED, default_locked) or default_locked,
        "default_open": weenie.bools.get(model.BOOL_DEFAULT_OPEN, False),
        "default_locked": default_locked,
    }
    seconds = weenie.floats.get(model.FLOAT_RESET_INTERVAL)
    if seconds is not None:
        extra["reset_interval"] = min(max(seconds, 0.0), MAX_RESET_INTERVAL)
    code = weenie.strings.get(model.STRING_LOCK_CODE)
    if code:
        extra["lock_code"] = code
    resistance = weenie.ints.get(model.INT_RESIST_LOCKPICK)
    if resistance is not None:
        extra["resist_lockpick"] = resistance
    return extra
