"""Running speed and jump height by skill and burden (physics.md 11.7, 11.8)."""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import EPSILON
from engine.physics.rules import RuleSet

MIN_JUMP_HEIGHT: Final = 0.35
JUMP_V_Z_UNKNOWN: Final = 10.0
"""The take-off speed of what has no skills to ask (no weenie)."""

PK_FIGHT: Final = 20.0
"""Seconds after an attack on or by a player killer in which his jumps cost more (physics.md #36)."""

_TWO_G: Final = 19.6
_FULL_RUN_SKILL: Final = 800.0
_FULL_RUN_RATE: Final = 4.5


def load_mod(burden: float) -> float:
    """Return the share of a skill that a burden leaves: all below 1, nothing from 2 on."""
    if burden < 1.0:
        return 1.0
    if burden < 2.0:
        return 2.0 - burden
    return 0.0


def run_rate(burden: float, skill: float, rules: RuleSet, scale: float = 1.0) -> float:
    """Return the run rate, a factor of the speed at rate 1; a skill of exactly 800 is special (rule `run_rate_800`)."""
    if skill == _FULL_RUN_SKILL or (not rules.run_rate_800 and skill > _FULL_RUN_SKILL):
        return _FULL_RUN_RATE
    return ((load_mod(burden) * (skill / (skill + 200.0) * 11.0) + 4.0) / scale) / 4.0


def capacity(strength: float, augmentations: float) -> float:
    """The load at a burden of 1."""
    if strength <= 0.0:
        return 0.0
    return 150.0 * strength + strength * min(max(30.0 * augmentations, 0.0), 150.0)


def jump_height(burden: float, skill: float, power: float, scale: float = 1.0) -> float:
    """Return the height of a jump of that power (0..1)."""
    power = min(max(power, 0.0), 1.0)
    height = load_mod(burden) * (skill / (skill + 1300.0) * 22.2 + 0.05) * power / scale
    return max(height, MIN_JUMP_HEIGHT)


def jump_v_z(burden: float, skill: float, extent: float, scale: float = 1.0) -> float:
    """The upward speed at take-off; no extent, no jump."""
    if extent < EPSILON:
        return 0.0
    return math.sqrt(jump_height(burden, skill, min(extent, 1.0), scale) * _TWO_G)


def jump_stamina_cost(burden: float, power: float, pk_fight: bool = False) -> int:
    """Return the stamina of a jump; it costs more in a player killer fight, for `PK_FIGHT` after an attack."""
    if pk_fight:
        return int((power + 1.0) * 100.0)
    return math.ceil((burden + 0.5) * power * 8.0 + 2.0)


def jump_power(stamina: float, burden: float, pk_fight: bool = False) -> float:
    """The power that so much stamina affords."""
    if pk_fight:
        return stamina / 100.0 - 1.0
    return (stamina - 2.0) / (burden * 8.0 + 4.0)
