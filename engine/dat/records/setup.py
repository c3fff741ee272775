"""Setup: a model put together from GfxObjs (dat-format.md 3.5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.dat.codec.base import Bits, Size
from engine.dat.codec.choices import When
from engine.dat.codec.lists import List, list32, map32
from engine.dat.codec.numbers import COLOR, DID, F32, FLAGS32, I32, SPHERE, U32, VEC3
from engine.dat.codec.record import Record
from engine.dat.records.base import FRAME, DatRecord, RecordFrame, SphereTuple, Vec3
from engine.dat.records.hooks import HOOK, Hook

HAS_PARENTS: Final = 0x1
HAS_SCALES: Final = 0x2
ALLOW_FREE_HEADING: Final = 0x4
HAS_PHYSICS_BSP: Final = 0x8
"""Flags of a Setup."""

NO_PARENT: Final = 0xFFFFFFFF


@dataclass(slots=True)
class Location:
    """An attachment point: a part and a frame on it."""

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
    """A light on the model. `light_type` is 0, a lamp shining to all sides, wherever retail has one."""

    light_type: int
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
    lights: list[Light]
    default_animation: int = 0
    default_script: int = 0
    default_motion_table: int = 0
    default_sound_table: int = 0
    default_script_table: int = 0


LOCATION = Record(Location, [("part", I32), ("frame", FRAME)])

PLACEMENT_FRAME = Record(
    PlacementFrame,
    [("key", I32), ("frames", List(Size("parts", in_outer=True), FRAME)), ("hooks", list32(HOOK))],
)

CYL_SPHERE = Record(DatCylSphere, [("low_point", VEC3), ("radius", F32), ("height", F32)])

LIGHT = Record(
    Light,
    [
        ("light_type", I32),
        ("frame", FRAME),
        ("color", COLOR),
        ("intensity", F32),
        ("falloff", F32),
        ("cone_angle", F32),
    ],
)

SETUP = Record(
    Setup,
    [
        ("id", DID),
        ("flags", FLAGS32),
        ("#parts", U32),
        ("parts", List(Size("parts"), DID)),
        ("parent_indices", When(Bits("flags", HAS_PARENTS), List(Size("parts"), U32))),
        ("default_scales", When(Bits("flags", HAS_SCALES), List(Size("parts"), VEC3))),
        ("holding_locations", map32(I32, LOCATION)),
        ("connection_points", map32(I32, LOCATION)),
        ("placement_frames", list32(PLACEMENT_FRAME)),
        ("cyl_spheres", list32(CYL_SPHERE)),
        ("spheres", list32(SPHERE)),
        ("height", F32),
        ("radius", F32),
        ("step_up_height", F32),
        ("step_down_height", F32),
        ("sorting_sphere", SPHERE),
        ("selection_sphere", SPHERE),
        ("lights", list32(LIGHT)),
        ("default_animation", DID),
        ("default_script", DID),
        ("default_motion_table", DID),
        ("default_sound_table", DID),
        ("default_script_table", DID),
    ],
)
