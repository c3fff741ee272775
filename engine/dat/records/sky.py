"""The sky of a Region: what moves over it and its light through the day (spec/dat-format.md 3.12)."""

from __future__ import annotations

from dataclasses import dataclass


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
    """How one sky object looks at one time."""

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
