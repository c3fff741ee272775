"""Motion commands and styles, as motion tables and controls name them (physics.md 11.6)."""

from __future__ import annotations

from typing import Final

READY: Final = 0x41000003
WALK_FORWARD: Final = 0x45000005
WALK_BACKWARD: Final = 0x45000006
RUN_FORWARD: Final = 0x44000007
FALLEN: Final = 0x40000008
ON: Final = 0x4000000B
OFF: Final = 0x4000000C
DEAD: Final = 0x40000011
CROUCH: Final = 0x41000012
SITTING: Final = 0x41000013
SLEEPING: Final = 0x41000014
FALLING: Final = 0x40000015
JUMP_CHARGING: Final = 0x4000001D
JUMP: Final = 0x2500003B
JUMP_UP: Final = 0x1000004B
TURN_RIGHT: Final = 0x6500000D
TURN_LEFT: Final = 0x6500000E
SIDE_STEP_RIGHT: Final = 0x6500000F
SIDE_STEP_LEFT: Final = 0x65000010

NON_COMBAT: Final = 0x8000003D
"""The style (stance) in which doors and peaceful people are."""
