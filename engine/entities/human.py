"""What a human's body is: the client's human setup, from the data where they have it (spec/physics-client.md #2)."""

from __future__ import annotations

from typing import Final

from engine.geometry.sphere import Sphere
from engine.geometry.vec import r24, r24v
from engine.world.cells.objects import Setup
from engine.world.world import World

HUMAN_SETUP: Final = 0x02000001
"""The setup that the client's players have. Where a world has something else under this id, the values below hold."""

RADIUS: Final = 0.48
FOOT: Final = 0.475
HEAD: Final = 1.35
"""Of the two spheres: their radius, and how high their centres are. A foot that is lower than its radius keeps the
origin of whoever stands 5 mm above the ground, as recorded clients have it."""

HEIGHT: Final = HEAD + RADIUS
STEP_UP: Final = 0.6
STEP_DOWN: Final = 1.5

_SUNK: Final = RADIUS - FOOT


def human_spheres(radius: float = RADIUS, height: float = HEIGHT) -> list[Sphere]:
    """A foot and, when the height leaves room for it, a head; at any size the foot is sunk as deep as a human's."""
    foot = r24v((0.0, 0.0, radius - _SUNK))
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
    if len(setup.spheres) < 2 or min(sphere.radius for sphere in setup.spheres[:2]) <= 0.0:
        return None
    return setup
