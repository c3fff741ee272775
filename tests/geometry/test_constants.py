"""The constants of physics.md 1.1 are the table's values in single precision."""

from __future__ import annotations

import struct

import pytest

from engine.geometry import constants
from engine.geometry.vec import r24

TABLE = {
    "EPSILON": 0.0002,
    "GRAVITY": -9.8,
    "FLOOR_Z": 0.66417414618662751,
    "LANDING_Z": 0.0871557,
    "MAX_VELOCITY": 50.0,
    "SMALL_VELOCITY": 0.25,
    "DEFAULT_FRICTION": 0.95,
    "DEFAULT_ELASTICITY": 0.05,
    "MAX_ELASTICITY": 0.1,
    "DEFAULT_MASS": 1.0,
    "DEFAULT_SCALE": 1.0,
    "DEFAULT_TRANSLUCENCY": 0.0,
    "DUMMY_SPHERE_RADIUS": 0.1,
    "DEFAULT_STEP_HEIGHT": 0.01,
    "UNWALKABLE_STEP": 0.04,
    "MIN_QUANTUM": 1.0 / 30.0,
    "MAX_QUANTUM": 0.2,
    "MAX_QUANTUM_ACE": 0.1,
    "HUGE_QUANTUM": 2.0,
    "BLOCK_LENGTH": 192.0,
    "CELL_LENGTH": 24.0,
    "HALF_SQUARE": 12.0,
}


@pytest.mark.parametrize("name", TABLE)
def test_constant_is_the_single_precision_form_of_the_table(name: str) -> None:
    value = getattr(constants, name)
    assert value == r24(TABLE[name])
    assert value == struct.unpack("f", struct.pack("f", TABLE[name]))[0]


def test_whole_numbers_are_as_given() -> None:
    assert (constants.DEFAULT_STATE, constants.LAND_LENGTH, constants.VERTEX_DIM) == (0x400C08, 2040, 9)
