"""The sky of a Region: what moves over it and its light through the day (dat-format.md 3.12)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.codec.lists import list32
from engine.dat.codec.loose import TEXT
from engine.dat.codec.numbers import COLOR, DID, F32, F64, U32
from engine.dat.codec.record import Record


@dataclass(slots=True)
class SkyObject:
    """Something that crosses the sky."""

    begin_time: float
    end_time: float
    begin_angle: float
    end_angle: float
    velocity_u: float
    velocity_v: float
    gfxobj_id: int
    script_id: int
    properties: int


@dataclass(slots=True)
class SkyObjectReplace:
    """The look of one sky object at one time."""

    object_index: int
    gfxobj_id: int
    rotate: float
    transparent: float
    luminosity: float
    max_bright: float


@dataclass(slots=True)
class SkyTime:
    """Light and fog at one time of the day; colours are 0xAARRGGBB."""

    begin: float
    direct_brightness: float
    direct_heading: float
    direct_pitch: float
    direct_color: int
    ambient_brightness: float
    ambient_color: int
    fog_min: float
    fog_max: float
    fog_color: int
    fog_mode: int
    replaces: list[SkyObjectReplace]


@dataclass(slots=True)
class DayGroup:
    """A kind of day and how likely it is."""

    chance: float
    name: str
    objects: list[SkyObject]
    times: list[SkyTime]


@dataclass(slots=True)
class Sky:
    """All kinds of day."""

    tick_size: float
    light_tick_size: float
    day_groups: list[DayGroup]


SKY_OBJECT = Record(
    SkyObject,
    [
        ("begin_time", F32),
        ("end_time", F32),
        ("begin_angle", F32),
        ("end_angle", F32),
        ("velocity_u", F32),
        ("velocity_v", F32),
        ("gfxobj_id", DID),
        ("script_id", DID),
        ("properties", U32),
    ],
)

SKY_OBJECT_REPLACE = Record(
    SkyObjectReplace,
    [
        ("object_index", U32),
        ("gfxobj_id", DID),
        ("rotate", F32),
        ("transparent", F32),
        ("luminosity", F32),
        ("max_bright", F32),
    ],
)

SKY_TIME = Record(
    SkyTime,
    [
        ("begin", F32),
        ("direct_brightness", F32),
        ("direct_heading", F32),
        ("direct_pitch", F32),
        ("direct_color", COLOR),
        ("ambient_brightness", F32),
        ("ambient_color", COLOR),
        ("fog_min", F32),
        ("fog_max", F32),
        ("fog_color", COLOR),
        ("fog_mode", U32),
        ("replaces", list32(SKY_OBJECT_REPLACE)),
    ],
)

DAY_GROUP = Record(
    DayGroup,
    [("chance", F32), ("name", TEXT), ("objects", list32(SKY_OBJECT)), ("times", list32(SKY_TIME))],
)

SKY = Record(Sky, [("tick_size", F64), ("light_tick_size", F64), ("day_groups", list32(DAY_GROUP))])
