"""Scene, a group of scenery objects, and Wave, a sound (spec/dat-format.md 3.11, 3.13)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.records.base import DatRecord, RecordFrame


@dataclass(slots=True)
class SceneObject:
    """How one kind of object is strewn over the terrain."""

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
