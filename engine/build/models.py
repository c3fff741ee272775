"""Things that stand in the world: meshes (GfxObj), models put together from them (Setup), and furniture's raw material.

Spec: dat-format.md 3.5, 3.8, 3.10; physics.md 8.3 (which shapes collide), 9.1 (doors).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.build.shapes.faces import Face
from engine.geometry.quat import IDENTITY, Quat
from engine.geometry.vec import ZERO, Vec3


@dataclass(frozen=True)
class Mesh:
    """One GfxObj: faces in its own space, z up, +y its front.

    Solid faces make its physics BSP, drawn ones its picture. A billboard always turns to the viewer and is seen from
    its -y side.
    """

    name: str
    faces: tuple[Face, ...]
    billboard: bool = False

    @staticmethod
    def of(name: str, faces: Sequence[Face]) -> Mesh:
        """A mesh of the given faces."""
        return Mesh(name, tuple(faces))

    @property
    def is_solid(self) -> bool:
        """Whether any face stops bodies."""
        return any(face.solid for face in self.faces)


@dataclass(frozen=True)
class Pose:
    """The position of a part, relative to the object."""

    origin: Vec3 = ZERO
    rotation: Quat = IDENTITY


@dataclass(frozen=True)
class Part:
    """A mesh in a model, with its pose at rest and its scale."""

    mesh: Mesh
    pose: Pose = Pose()
    scale: Vec3 = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Cylinder:
    """A collision cylinder ("cylinder-sphere") of a model."""

    low: Vec3
    radius: float
    height: float


@dataclass(frozen=True)
class Ball:
    """A collision sphere of a model."""

    centre: Vec3
    radius: float


@dataclass(frozen=True)
class Light:
    """A lamp of a model: 0xAARRGGBB colour, strength and reach in metres."""

    origin: Vec3
    colour: int = 0xFFFFD080
    intensity: float = 60.0
    falloff: float = 6.0


@dataclass(frozen=True)
class Emitter:
    """Gives off particles for ever: one of `mesh` every so many seconds, each alive for `life` seconds.

    They start within `spread` metres of the origin, across the velocity, and move as that says, sped up or slowed by
    `acceleration`; `unevenness` is how much each one's velocity differs. Size and transparency go from the first to
    the second number.
    """

    mesh: Mesh
    origin: Vec3 = ZERO
    every: float = 0.3
    life: float = 2.0
    velocity: Vec3 = (0.0, 0.0, 0.5)
    acceleration: Vec3 = ZERO
    spread: float = 0.0
    unevenness: float = 0.2
    size: tuple[float, float] = (1.0, 1.0)
    transparency: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True)
class Model:
    """One Setup. Its parts' physics BSPs collide if any part has one, else its cylinders, else its balls.

    `opening` gives it the states On and Off (a door): the poses of all parts, frame by frame, from closed to open; the
    record gets an Animation and a MotionTable by the door recipe of dat-format.md 3.10.
    """

    name: str
    parts: tuple[Part, ...] = ()
    cylinders: tuple[Cylinder, ...] = ()
    balls: tuple[Ball, ...] = ()
    height: float = 0.0
    radius: float = 0.0
    step_up: float = 0.0
    step_down: float = 0.0
    lights: tuple[Light, ...] = ()
    emitters: tuple[Emitter, ...] = ()
    opening: tuple[tuple[Pose, ...], ...] = ()

    @property
    def has_physics(self) -> bool:
        """Whether a part has a physics BSP."""
        return any(part.mesh.is_solid for part in self.parts)
