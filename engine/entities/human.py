"""The body and motions of a human: the client's human setup, from the data where they have it
(physics.md #2, #4)."""

from __future__ import annotations

import math
from typing import Final

from engine.entities.commands import FALLING, NON_COMBAT, READY, RUN_FORWARD, SIDE_STEP_RIGHT, TURN_RIGHT, WALK_FORWARD
from engine.entities.motion_table import ONLY_FROM_DEFAULT
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, r24, r24v
from engine.world.cells.motion import Motion, MotionTable, motion_key
from engine.world.cells.objects import Setup
from engine.world.world import World

HUMAN_SETUP: Final = 0x02000001
"""The setup that the client's players have. Where a world has something else under this id, the values below hold."""

RADIUS: Final = 0.48
FOOT: Final = 0.475
HEAD: Final = 1.35
"""The radius of the two spheres, and the heights of their centres. A foot that is lower than its radius keeps the
origin of a standing player 5 mm above the ground, as recorded clients have it."""

HEIGHT: Final = HEAD + RADIUS
STEP_UP: Final = 0.6
STEP_DOWN: Final = 1.5

LARGEST: Final = 10.0
"""Metres, of anything about a body that data have for players; a size that is set by hand may be larger."""

WALK_SPEED: Final = 3.12
RUN_SPEED: Final = 4.0
SIDE_STEP_SPEED: Final = 1.25
"""Metres a second: the client's own numbers (11.6), and the velocities of a human's cycles."""

TURN_SPEED: Final = 0.5 * math.pi
"""Radians a second of a human's TurnRight."""

SUNK: Final = RADIUS - FOOT
"""How far a human's foot reaches below his origin."""


def human_spheres(radius: float = RADIUS, height: float = HEIGHT, sunk: float = SUNK) -> list[Sphere]:
    """A foot and, when the height leaves room for it, a head; at any size the foot is sunk as deep as a human's."""
    foot = r24v((0.0, 0.0, radius - sunk))
    head = r24v((0.0, 0.0, height - radius))
    spheres = [Sphere(foot, r24(radius))]
    if head[2] > foot[2]:
        spheres.append(Sphere(head, r24(radius)))
    return spheres


def human_setup(world: World) -> Setup | None:
    """The setup of players where the world's data have it: one with the two spheres of a body and a motion table."""
    setup = world.setup(HUMAN_SETUP)
    if setup is None or setup.default_motion_table == 0:
        return None
    return setup if len(setup.spheres) >= 2 and _is_a_body(setup) else None


def _is_a_body(setup: Setup) -> bool:
    """Nothing that a sweep would take for ever with: a body as wide as the land is in all of its cells."""
    for sphere in setup.spheres[:2]:
        if not (0.0 < sphere.radius <= LARGEST and all(abs(part) <= LARGEST for part in sphere.center)):
            return False
    return 0.0 <= setup.step_up_height <= LARGEST and 0.0 <= setup.step_down_height <= LARGEST


def human_motions() -> MotionTable:
    """A human's speeds without animations, for worlds whose data have none: every tick moves by velocity and time."""
    right = Motion([], (SIDE_STEP_SPEED, 0.0, 0.0), ZERO, ONLY_FROM_DEFAULT)
    turn = Motion([], ZERO, (0.0, 0.0, -TURN_SPEED), ONLY_FROM_DEFAULT)
    cycles = {
        READY: Motion([], ZERO, ZERO, 0),
        WALK_FORWARD: Motion([], (0.0, WALK_SPEED, 0.0), ZERO, 0),
        RUN_FORWARD: Motion([], (0.0, RUN_SPEED, 0.0), ZERO, 0),
        FALLING: Motion([], ZERO, ZERO, 0),
        SIDE_STEP_RIGHT: right,
        TURN_RIGHT: turn,
    }
    return MotionTable(
        0,
        NON_COMBAT,
        {NON_COMBAT: READY},
        {motion_key(NON_COMBAT, command): cycles[command] for command in cycles},
        {motion_key(NON_COMBAT, SIDE_STEP_RIGHT): right, motion_key(NON_COMBAT, TURN_RIGHT): turn},
        {},
    )


def motions_of(world: World, setup: Setup | None) -> MotionTable:
    """The motion table of a setup; a human's speeds without one that can be had and that walks."""
    table = None if setup is None else world.motion_table(setup.default_motion_table)
    if table is None or table.cycle(table.default_style, WALK_FORWARD) is None:
        return human_motions()
    return table


def motions_of_players(table: MotionTable) -> list[Motion]:
    """All motions of a table that the keys can lead to, with the ways between them, in a fixed order."""
    commands = (READY, WALK_FORWARD, RUN_FORWARD, FALLING, SIDE_STEP_RIGHT, TURN_RIGHT)
    style = table.default_style
    found = [table.cycle(style, command) for command in commands]
    for command in commands:
        found += [table.modifiers.get(motion_key(style, command)), table.modifiers.get(motion_key(0, command))]
        found += [table.link(style, command, other) for other in commands]
    return [motion for motion in found if motion is not None]
