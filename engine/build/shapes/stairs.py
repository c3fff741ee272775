"""Ways up: straight stairs, ramps and spiral stairs, as faces for a static object or to build into a room.

All start at the origin and rise towards +y; steps are exact multiples of their rise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.build.errors import BuildError
from engine.build.shapes.faces import Face
from engine.build.shapes.floor_plan import rect
from engine.build.shapes.solids import cylinder, prism, union
from engine.geometry.elementary import cos, hypot, sin
from engine.geometry.vec import Vec3

STEP_BODY = 0.2
"""Thickness of the steps of open stairs, measured down from the tread below."""


def stairs(
    width: float,
    steps: int,
    *,
    rise: float = 0.2,
    run: float = 0.3,
    material: str = "wood",
    tread: str | None = None,
    is_open: bool = False,
) -> list[Face]:
    """Straight stairs, `width` wide about x = 0, from y = 0 to y = steps · run; the last tread is at steps · rise.

    Open stairs have space under them, others are solid down to the floor.
    """
    if steps < 1 or rise <= 0.0 or run <= 0.0:
        raise BuildError("stairs", f"{steps} steps of {rise:g} by {run:g} m are not stairs")
    bodies = []
    for i in range(steps):
        bottom = max(0.0, i * rise - STEP_BODY) if is_open else 0.0
        plan = rect(-width / 2.0, i * run, width, run)
        bodies.append(prism(plan, bottom, (i + 1) * rise, material, cap=tread))
    return union(bodies)


def ramp(
    width: float, length: float, rise: float, *, material: str = "wood", thickness: float | None = None
) -> list[Face]:
    """A slope, `width` wide about x = 0, from the floor at y = 0 to `rise` at y = length.

    A thickness makes it a board with space under it; without one it is solid down to the floor.
    """
    if length <= 0.0 or rise <= 0.0:
        raise BuildError("ramp", f"{rise:g} m of rise over {length:g} m is not a ramp")
    if thickness is None:
        side: list[tuple[float, float]] = [(0.0, 0.0), (length, 0.0), (length, rise)]
    else:
        down = thickness * hypot(length, rise) / length
        foot = down / rise * length
        side = [(0.0, 0.0), (foot, 0.0), (length, rise - down), (length, rise)]
    return _along_x(side, width, material)


def _along_x(side: Sequence[tuple[float, float]], width: float, material: str) -> list[Face]:
    """A body with the outline `side` in (y, z), counter-clockwise seen from +x."""
    left: list[Vec3] = [(-width / 2.0, y, z) for y, z in side]
    right: list[Vec3] = [(width / 2.0, y, z) for y, z in side]
    faces = [Face(tuple(right), material), Face(tuple(reversed(left)), material)]
    for i in range(len(side)):
        j = (i + 1) % len(side)
        faces.append(Face((right[i], left[i], left[j], right[j]), material))
    return faces


def spiral_stairs(
    inner: float,
    outer: float,
    steps: int,
    *,
    rise: float = 0.2,
    turn: float = 20.0,
    thickness: float = 0.25,
    material: str = "stone",
    tread: str | None = None,
    clockwise: bool = False,
) -> list[Face]:
    """Steps around a column of radius `inner`, reaching out to `outer`, each `turn` degrees on.

    The first step starts in the direction of +y and ends `rise` above the floor; the column goes up to the last tread.
    """
    if not 0.0 < inner < outer or steps < 1:
        raise BuildError("stairs", f"{steps} steps from radius {inner:g} to {outer:g} m are not spiral stairs")
    way = -1.0 if clockwise else 1.0
    bodies = []
    for i in range(steps):
        a = math.radians(90.0 + way * i * turn)
        b = math.radians(90.0 + way * (i + 1) * turn)
        corners = [_at(inner, a), _at(outer, a), _at(outer, b), _at(inner, b)]
        plan = list(reversed(corners)) if clockwise else corners
        top = (i + 1) * rise
        bodies.append(prism(plan, max(0.0, top - thickness), top, material, cap=tread))
    column = cylinder(0.0, 0.0, 0.0, inner, steps * rise, material, sides=12)
    return [face for body in bodies for face in body] + column


def _at(radius: float, angle: float) -> tuple[float, float]:
    return (radius * cos(angle), radius * sin(angle))
