"""Setup: a model put together from GfxObjs (spec/dat-format.md 3.5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.dat.records.base import DatRecord, RecordFrame, SphereTuple, Vec3
from engine.dat.records.hooks import Hook

HAS_PARENTS: Final = 0x1
HAS_SCALES: Final = 0x2
ALLOW_FREE_HEADING: Final = 0x4
HAS_PHYSICS_BSP: Final = 0x8
"""Flags of a Setup."""

NO_PARENT: Final = 0xFFFFFFFF


@dataclass(slots=True)
class Location:
    """Where something is held or joined: a part and a frame on it."""

    part: int
    frame: RecordFrame


@dataclass(slots=True)
class PlacementFrame:
    """A standing pose: one frame per part, relative to the object."""

    key: int
    frames: list[RecordFrame]
    hooks: list[Hook]


@dataclass(slots=True)
class DatCylSphere:
    """A cylinder-sphere of the collision shape."""

    low_point: Vec3
    radius: float
    height: float


@dataclass(slots=True)
class Light:
    """A light on the model."""

    frame: RecordFrame
    color: int
    intensity: float
    falloff: float
    cone_angle: float


@dataclass(slots=True)
class Setup(DatRecord):
    """A model: parts, poses, collision shapes and the tables it is animated by."""

    id: int
    flags: int
    parts: list[int]
    parent_indices: list[int] | None
    default_scales: list[Vec3] | None
    holding_locations: dict[int, Location]
    connection_points: dict[int, Location]
    placement_frames: list[PlacementFrame]
    cyl_spheres: list[DatCylSphere]
    spheres: list[SphereTuple]
    height: float
    radius: float
    step_up_height: float
    step_down_height: float
    sorting_sphere: SphereTuple
    selection_sphere: SphereTuple
    lights: dict[int, Light]
    default_animation: int = 0
    default_script: int = 0
    default_motion_table: int = 0
    default_sound_table: int = 0
    default_script_table: int = 0
