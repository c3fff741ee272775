"""States and flag words of the sweep, of objects and of bodies (physics.md 0.3, 5.1, 8.7, 11.4)."""

from __future__ import annotations

from typing import Final

# TransitionState (0.3)
INVALID: Final = 0
OK: Final = 1
COLLIDED: Final = 2
ADJUSTED: Final = 3
SLID: Final = 4

STATE_NAMES: Final = ("Invalid", "OK", "Collided", "Adjusted", "Slid")

# SpherePath.insert_type (5.1)
TRANSITION: Final = 0
PLACEMENT: Final = 1
INITIAL_PLACEMENT: Final = 2

# ObjectInfo.state (5.1)
OI_CONTACT: Final = 0x1
OI_ON_WALKABLE: Final = 0x2
OI_IS_VIEWER: Final = 0x4
OI_PATH_CLIPPED: Final = 0x8
OI_FREE_ROTATE: Final = 0x10
OI_PERFECT_CLIP: Final = 0x40
OI_IS_IMPENETRABLE: Final = 0x80
OI_IS_PLAYER: Final = 0x100
OI_EDGE_SLIDE: Final = 0x200
OI_IGNORE_CREATURES: Final = 0x400
OI_IS_PK: Final = 0x800
OI_IS_PKLITE: Final = 0x1000
OI_BYPASS_RESTRICTIONS: Final = 0x2000

# PhysicsState (8.7)
STATIC: Final = 0x1
ETHEREAL: Final = 0x4
REPORT_COLLISIONS: Final = 0x8
IGNORE_COLLISIONS: Final = 0x10
NODRAW: Final = 0x20
MISSILE: Final = 0x40
PUSHABLE: Final = 0x80
ALIGN_PATH: Final = 0x100
PATH_CLIPPED: Final = 0x200
GRAVITY: Final = 0x400
LIGHTING_ON: Final = 0x800
PARTICLE_EMITTER: Final = 0x1000
HIDDEN: Final = 0x4000
SCRIPTED_COLLISION: Final = 0x8000
HAS_PHYSICS_BSP: Final = 0x10000
INELASTIC: Final = 0x20000
HAS_DEFAULT_ANIM: Final = 0x40000
HAS_DEFAULT_SCRIPT: Final = 0x80000
CLOAKED: Final = 0x100000
REPORT_AS_ENVIRONMENT: Final = 0x200000
EDGE_SLIDE: Final = 0x400000
SLEDDING: Final = 0x800000
FROZEN: Final = 0x1000000


def assigned_state(before: int, asked: int) -> int:
    """Apply a SetState: it assigns the bits, whatever stands in the way; only HIDDEN changes other bits with it
    (physics.md #31, #38)."""
    if not (before ^ asked) & HIDDEN:
        return asked
    if asked & HIDDEN:
        return (asked & ~REPORT_COLLISIONS) | IGNORE_COLLISIONS
    return (asked & ~IGNORE_COLLISIONS) | REPORT_COLLISIONS


# Entity flags (8.7)
ENTITY_IS_PLAYER: Final = 0x1
ENTITY_IS_CREATURE: Final = 0x2
ENTITY_IS_PK: Final = 0x4
ENTITY_IS_PKLITE: Final = 0x8
ENTITY_IS_IMPENETRABLE: Final = 0x10
ENTITY_HAS_WEENIE: Final = 0x20
ENTITY_CAN_BYPASS_RESTRICTIONS: Final = 0x40

_MOVER_BITS: Final = (
    (ENTITY_IS_PLAYER, OI_IS_PLAYER),
    (ENTITY_IS_PK, OI_IS_PK),
    (ENTITY_IS_PKLITE, OI_IS_PKLITE),
    (ENTITY_IS_IMPENETRABLE, OI_IS_IMPENETRABLE),
    (ENTITY_CAN_BYPASS_RESTRICTIONS, OI_BYPASS_RESTRICTIONS),
)


def mover_bits(flags: int) -> int:
    """Translate an entity's flags for its own sweeps: the ObjectInfo bits from the weenie (5.3)."""
    bits = 0
    for flag, bit in _MOVER_BITS:
        if flags & flag:
            bits |= bit
    return bits


# Transient bits of a body (11.4)
TS_CONTACT: Final = 0x1
TS_ON_WALKABLE: Final = 0x2
TS_SLIDING: Final = 0x4
TS_WATER_CONTACT: Final = 0x8
TS_STATIONARY_FALL: Final = 0x10
TS_STATIONARY_STOP: Final = 0x20
TS_STATIONARY_STUCK: Final = 0x40
TS_ACTIVE: Final = 0x80
TS_CHECK_ETHEREAL: Final = 0x100
