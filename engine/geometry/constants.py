"""The client's constants (physics.md 1.1), rounded to single precision as the client holds them (13.12 "load").

The comment beside each is the value of the table; `tests/geometry/test_constants.py` holds the two together. They are
literals because the compiled core folds literals into the code and looks up everything else.
"""

from __future__ import annotations

from typing import Final

EPSILON: Final = 0.00019999999494757503  # 0.0002
GRAVITY: Final = -9.800000190734863  # −9.8 m/s², along z
FLOOR_Z: Final = 0.6641741394996643  # 0.66417414618662751: smallest normal.z that is walkable
LANDING_Z: Final = 0.08715569972991943  # 0.0871557: smallest normal.z that can be landed on
MAX_VELOCITY: Final = 50.0  # m/s
SMALL_VELOCITY: Final = 0.25  # m/s
DEFAULT_FRICTION: Final = 0.949999988079071  # 0.95
DEFAULT_ELASTICITY: Final = 0.05000000074505806  # 0.05
MAX_ELASTICITY: Final = 0.10000000149011612  # 0.1
DEFAULT_MASS: Final = 1.0
DEFAULT_SCALE: Final = 1.0
DEFAULT_TRANSLUCENCY: Final = 0.0
DUMMY_SPHERE_RADIUS: Final = 0.10000000149011612  # 0.1; its centre is (0, 0, radius)
DEFAULT_STEP_HEIGHT: Final = 0.009999999776482582  # 0.01
UNWALKABLE_STEP: Final = 0.03999999910593033  # 0.04
MIN_QUANTUM: Final = 0.03333333507180214  # 1/30 s
MAX_QUANTUM: Final = 0.20000000298023224  # 0.2 s
MAX_QUANTUM_ACE: Final = 0.10000000149011612  # 0.1 s, rule `max_quantum` under `ace`
HUGE_QUANTUM: Final = 2.0  # s
DEFAULT_STATE: Final = 0x400C08  # EdgeSlide, LightingOn, Gravity, ReportCollisions
BLOCK_LENGTH: Final = 192.0  # m
CELL_LENGTH: Final = 24.0  # m
HALF_SQUARE: Final = 12.0  # m
LAND_LENGTH: Final = 2040  # land cells along a world axis
VERTEX_DIM: Final = 9  # terrain vertices per block side
