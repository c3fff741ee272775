"""Doors: setups without cylinders, one tiny sphere, and parts with BSPs of which one fills the opening.

Spec: physics.md 9.1 (anatomy), 8.3 (closed pose), dat-format.md 3.10 (motion by the door recipe: style NonCombat, On =
open, Off = closed, fifteen frames that turn the leaf a quarter about its hinge).
"""

from __future__ import annotations

import math

from engine.build.errors import BuildError
from engine.build.models import Ball, Mesh, Model, Part, Pose
from engine.build.shapes.solids import box
from engine.geometry.quat import Quat, from_axis_angle, rotate
from engine.geometry.vec import UP, Vec3, add

FRAMES = 15
"""Frames of the opening animation (dat-format.md 3.10)."""

SMALL_SPHERE = Ball((0.0, 0.0, 0.018), 0.1)
STEP = 0.09
"""The reference door's only sphere and its step heights (physics.md 9.1)."""

HANDLE_HEIGHT = 1.05
CLEARANCE = 0.005


def door_model(
    width: float,
    height: float,
    *,
    thickness: float = 0.08,
    leaves: int = 1,
    material: str = "wood",
    metal: str = "iron",
    hinge: str = "left",
) -> Model:
    """A door for an opening `width` by `height`; its origin is the middle of the sill, its front looks along +y.

    The hinge side is given as seen from behind the door, looking along +y. Leaves turn away from +y.
    """
    if leaves not in (1, 2):
        raise BuildError("door", f"a door has one or two leaves, not {leaves}")
    if hinge not in ("left", "right"):
        raise BuildError("door", f"the hinge is 'left' or 'right', not {hinge!r}")
    leaf_width = (width - 2.0 * CLEARANCE) / leaves
    parts: list[tuple[Mesh, Vec3, Vec3, float]] = []  # mesh, place in the closed pose, hinge, sense of turning
    for leaf in range(leaves):
        left = hinge == "left" if leaves == 1 else leaf == 0
        parts += _leaf(width, leaf_width, height - CLEARANCE, thickness, material, metal, left=left)
    opening = tuple(
        tuple(_turned(place, pivot, sense * 0.5 * math.pi * frame / (FRAMES - 1)) for _, place, pivot, sense in parts)
        for frame in range(FRAMES)
    )
    return Model(
        name=f"door {width:g} x {height:g}{' double' if leaves == 2 else ''} {hinge} {material}",
        parts=tuple(Part(mesh, opening[0][i]) for i, (mesh, _, _, _) in enumerate(parts)),
        balls=(SMALL_SPHERE,),
        height=0.2,
        radius=0.141,
        step_up=STEP,
        step_down=STEP,
        opening=opening,
    )


def _leaf(
    width: float, leaf_width: float, height: float, thickness: float, material: str, metal: str, *, left: bool
) -> list[tuple[Mesh, Vec3, Vec3, float]]:
    """The slab, its origin at the hinge, and a handle on either side of it."""
    hinge_x = -width / 2.0 + CLEARANCE if left else width / 2.0 - CLEARANCE
    outward = 1.0 if left else -1.0
    low_x = 0.0 if left else -leaf_width
    slab = Mesh.of(
        f"door slab {leaf_width:g} x {height:g} x {thickness:g}{'' if left else ' right'} {material}",
        box(low_x, -thickness / 2.0, 0.0, leaf_width, thickness, height, material),
    )
    handle = Mesh.of(f"door handle {metal}", box(-0.03, 0.0, -0.09, 0.06, 0.05, 0.18, metal))
    hinge = (hinge_x, 0.0, 0.0)
    grip = hinge_x + outward * (leaf_width - 0.14)
    height_of_grip = min(HANDLE_HEIGHT, height * 0.5)
    sense = 1.0 if left else -1.0
    back = (grip, -thickness / 2.0 - 0.05, height_of_grip)
    return [
        (slab, hinge, hinge, -sense),
        (handle, (grip, thickness / 2.0, height_of_grip), hinge, -sense),
        (handle, back, hinge, -sense),
    ]


def _turned(place: Vec3, hinge: Vec3, angle: float) -> Pose:
    turn: Quat = from_axis_angle(UP, angle)
    arm = (place[0] - hinge[0], place[1] - hinge[1], place[2] - hinge[2])
    return Pose(add(hinge, rotate(turn, arm)), turn)
