"""Trees, bushes and flowers: crossed pictures of foliage that bodies go through, on trunks that stop them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.build.models import Cylinder, Mesh, Model, Part
from engine.build.shapes.faces import Face
from engine.build.shapes.solids import cylinder, moved, passable
from engine.geometry.elementary import cos, sin
from engine.geometry.vec import Vec3


def _sheet(width: float, bottom: float, top: float, material: str, lean: float = 0.0) -> Face:
    """An upright picture about the z axis, its top leaning out along +y."""
    x = width / 2.0
    points = ((-x, 0.0, bottom), (x, 0.0, bottom), (x, lean, top), (-x, lean, top))
    return Face(points, material, solid=False, fit=True)


def _crown(middle: Vec3, size: float, turns: Sequence[float], material: str) -> list[Face]:
    """Sheets through one point: a ball of leaves from a distance."""
    x, y, z = middle
    faces = [face for turn in turns for face in moved([_sheet(size, -size / 2.0, size / 2.0, material)], x, y, z, turn)]
    r = size / 2.0
    level = ((x - r, y - r, z), (x + r, y - r, z), (x + r, y + r, z), (x - r, y + r, z))
    return [*faces, Face(level, material, solid=False, fit=True)]


def oak_tree(height: float) -> Model:
    """A broad-leaved tree."""
    trunk = cylinder(0.0, 0.0, 0.0, 0.042 * height, 0.5 * height, "bark", sides=6, top_radius=0.024 * height)
    crowns = []
    for i, (turn, reach, up, size) in enumerate(
        ((0.0, 0.0, 0.74, 0.6), (40.0, 0.2, 0.6, 0.46), (160.0, 0.22, 0.64, 0.48), (275.0, 0.2, 0.56, 0.44))
    ):
        a = math.radians(turn)
        middle = (reach * height * sin(a), reach * height * cos(a), up * height)
        turns = (20.0 * i, 65.0 + 20.0 * i, 125.0 + 20.0 * i) if i == 0 else (20.0 * i, 90.0 + 20.0 * i)
        crowns += _crown(middle, size * height, turns, "leaves")
    mesh = Mesh.of(f"oak {height:g}", passable([*trunk, *crowns]))
    stop = Cylinder((0.0, 0.0, 0.0), 0.045 * height, 0.5 * height)
    return Model(f"oak {height:g}", (Part(mesh),), cylinders=(stop,), height=height, radius=0.4 * height)


def conifer(height: float) -> Model:
    """A fir: tiers of drooping twigs."""
    trunk = cylinder(0.0, 0.0, 0.0, 0.024 * height, 0.9 * height, "bark", sides=5, top_radius=0.004 * height)
    faces: list[Face] = []
    for tier in range(4):
        low = height * (0.12 + 0.2 * tier)
        top = low + height * (0.34 if tier < 3 else 0.28)
        reach = height * 0.24 * (1.0 - 0.2 * tier)
        sides = 6
        for i in range(sides):
            a = 2.0 * math.pi * (i + 0.5 * tier) / sides
            b = 2.0 * math.pi * (i + 1 + 0.5 * tier) / sides
            foot_a = (reach * cos(a), reach * sin(a), low)
            foot_b = (reach * cos(b), reach * sin(b), low)
            faces.append(Face((foot_a, foot_b, (0.0, 0.0, top)), "needles", solid=False))
    mesh = Mesh.of(f"conifer {height:g}", passable([*trunk, *faces]))
    stop = Cylinder((0.0, 0.0, 0.0), 0.028 * height, 0.8 * height)
    return Model(f"conifer {height:g}", (Part(mesh),), cylinders=(stop,), height=height, radius=0.24 * height)


def bush() -> Mesh:
    """Leaves close to the ground."""
    faces = [*_crown((0.0, 0.0, 0.55), 1.5, (0.0, 60.0, 120.0), "leaves")]
    return Mesh.of("bush", passable(faces))


def flowers() -> Mesh:
    """A tuft of grass with flowers."""
    faces = [
        face for turn in (0.0, 60.0, 120.0) for face in moved([_sheet(1.1, 0.0, 0.7, "tuft")], 0.0, 0.0, 0.0, turn)
    ]
    return Mesh.of("flowers", passable(faces))
