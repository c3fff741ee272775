"""Animation, MotionTable and PhysicsScript (dat-format.md 3.8 - 3.10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.dat.codec.base import Bits, Size
from engine.dat.codec.choices import When
from engine.dat.codec.lists import List, list32, map32
from engine.dat.codec.loose import ALIGN4
from engine.dat.codec.numbers import DID, F32, F64, FLAGS8, FLAGS32, I32, U8, U32, VEC3
from engine.dat.codec.record import Record
from engine.dat.records.base import FRAME, DatRecord, RecordFrame, Vec3
from engine.dat.records.hooks import HOOK, Hook

HAS_POSITION_FRAMES: Final = 0x1
"""Flag of an Animation (3.8)."""

HAS_VELOCITY: Final = 0x1
HAS_OMEGA: Final = 0x2
"""Flags of a MotionData (3.10)."""


@dataclass(slots=True)
class AnimationFrame:
    """One frame: where each part is, and what happens there."""

    frames: list[RecordFrame]
    hooks: list[Hook]


@dataclass(slots=True)
class Animation(DatRecord):
    """A movement of the parts of a model; `position_frames` move the whole object (3.8)."""

    id: int
    flags: int
    num_parts: int
    position_frames: list[RecordFrame]
    frames: list[AnimationFrame]


@dataclass(slots=True)
class MotionAnim:
    """A stretch of an animation at a speed; a high frame of -1 is the last, negative speeds play backwards."""

    animation_id: int
    low_frame: int
    high_frame: int
    framerate: float


@dataclass(slots=True)
class MotionData:
    """The animations of a motion (3.10)."""

    bitfield: int
    flags: int
    anims: list[MotionAnim]
    velocity: Vec3 | None = None
    omega: Vec3 | None = None


@dataclass(slots=True)
class MotionTable(DatRecord):
    """Styles, and which animations play in a motion and on the way from one to another (3.10)."""

    id: int
    default_style: int
    style_defaults: dict[int, int]
    cycles: dict[int, MotionData]
    modifiers: dict[int, MotionData]
    links: dict[int, dict[int, MotionData]]


@dataclass(slots=True)
class ScriptEntry:
    """A hook and the time at which it happens."""

    start_time: float
    hook: Hook


@dataclass(slots=True)
class PhysicsScript(DatRecord):
    """Hooks in time, without an animation (3.9)."""

    id: int
    entries: list[ScriptEntry]


ANIMATION_FRAME = Record(
    AnimationFrame, [("frames", List(Size("num_parts", in_outer=True), FRAME)), ("hooks", list32(HOOK))]
)

ANIMATION = Record(
    Animation,
    [
        ("id", DID),
        ("flags", FLAGS32),
        ("num_parts", U32),
        ("#frames", U32),
        ("position_frames", When(Bits("flags", HAS_POSITION_FRAMES), List(Size("frames"), FRAME), or_empty=True)),
        ("frames", List(Size("frames"), ANIMATION_FRAME)),
    ],
)

MOTION_ANIM = Record(MotionAnim, [("animation_id", DID), ("low_frame", I32), ("high_frame", I32), ("framerate", F32)])

MOTION_DATA = Record(
    MotionData,
    [
        ("#anims", U8),
        ("bitfield", FLAGS8),
        ("flags", FLAGS8),
        ("", ALIGN4),
        ("anims", List(Size("anims"), MOTION_ANIM)),
        ("velocity", When(Bits("flags", HAS_VELOCITY), VEC3)),
        ("omega", When(Bits("flags", HAS_OMEGA), VEC3)),
    ],
)

MOTION_TABLE = Record(
    MotionTable,
    [
        ("id", DID),
        ("default_style", DID),
        ("style_defaults", map32(DID, DID)),
        ("cycles", map32(DID, MOTION_DATA)),
        ("modifiers", map32(DID, MOTION_DATA)),
        ("links", map32(DID, map32(DID, MOTION_DATA))),
    ],
)

SCRIPT_ENTRY = Record(ScriptEntry, [("start_time", F64), ("hook", HOOK)])

PHYSICS_SCRIPT = Record(PhysicsScript, [("id", DID), ("entries", list32(SCRIPT_ENTRY))])
