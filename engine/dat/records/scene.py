"""Scene, a group of scenery objects, and Wave, a sound (dat-format.md 3.11, 3.13)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.codec.base import Size
from engine.dat.codec.lists import Blob, list32
from engine.dat.codec.numbers import DID, F32, I32, U32
from engine.dat.codec.record import Record
from engine.dat.records.base import FRAME, DatRecord, RecordFrame


@dataclass(slots=True)
class SceneObject:
    """The distribution of one kind of object over the terrain."""

    model_id: int
    frame: RecordFrame
    frequency: float
    displace_x: float
    displace_y: float
    min_scale: float
    max_scale: float
    max_rotation: float
    min_slope: float
    max_slope: float
    align: int
    orient: int
    weenie: int


@dataclass(slots=True)
class Scene(DatRecord):
    """A group of scenery objects (3.11)."""

    id: int
    objects: list[SceneObject]


@dataclass(slots=True)
class Wave(DatRecord):
    """A sound: a header like WAVEFORMATEX and the audio data (3.13)."""

    id: int
    header: bytes
    data: bytes


SCENE_OBJECT = Record(
    SceneObject,
    [
        ("model_id", DID),
        ("frame", FRAME),
        ("frequency", F32),
        ("displace_x", F32),
        ("displace_y", F32),
        ("min_scale", F32),
        ("max_scale", F32),
        ("max_rotation", F32),
        ("min_slope", F32),
        ("max_slope", F32),
        ("align", U32),
        ("orient", U32),
        ("weenie", U32),
    ],
)

SCENE = Record(Scene, [("id", DID), ("objects", list32(SCENE_OBJECT))])

WAVE = Record(
    Wave,
    [("id", DID), ("#header", I32), ("#data", I32), ("header", Blob(Size("header"))), ("data", Blob(Size("data")))],
)
