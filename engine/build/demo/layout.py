"""Small words that the places of the demo world share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engine.build.entities import Entity
from engine.build.shapes.faces import ON_PLANE, Face
from engine.build.shapes.floor_plan import Point2
from engine.geometry.frame import Frame
from engine.world.entity_spec import HAS_PHYSICS_BSP, REPORT_COLLISIONS

SOLID: Final = HAS_PHYSICS_BSP | REPORT_COLLISIONS
"""The state of a thing that collides with its parts' BSPs (physics.md 8.7)."""


def recess(door: Entity, by: float) -> None:
    """Hang a door so many metres further in, behind the face of its wall."""
    door.frame = Frame(door.frame.local_to_global((0.0, -by, 0.0)), door.frame.rotation)


def paved(faces: Iterable[Face], material: str) -> list[Face]:
    """The faces, with another material on those that can be walked on."""
    return [replace(face, material=material) if face.plane[0][2] > 0.5 else face for face in faces]


def free_faces(faces: Iterable[Face], room: Sequence[Point2]) -> list[Face]:
    """The faces that are not flush with a rectangular room's walls or its floor at z = 0."""
    (x0, y0), (x1, y1) = room[0], room[2]
    planes = ((0, x0), (0, x1), (1, y0), (1, y1), (2, 0.0))
    return [
        face
        for face in faces
        if not any(all(abs(p[axis] - at) <= ON_PLANE for p in face.points) for axis, at in planes)
    ]
