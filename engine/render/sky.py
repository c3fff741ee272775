"""The time of day: sun, ambient light, fog, and the objects in the sky (rendering.md 20.1 - 20.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from engine.dat.records import DayGroup, Region, SkyObject, SkyObjectReplace, SkyTime
from engine.geometry.quat import Quat, from_axis_angle, from_heading, multiply
from engine.geometry.vec import Vec3
from engine.render.draws import Daylight, SkyDraw, SkyObjectDraw
from engine.render.light import FLAT_AMBIENT
from engine.render.materials import argb
from engine.render.parts import Shapes
from engine.world.world import World

NOON: Final = 0.5
"""The default of an inspector."""

AFTER_LANDSCAPE: Final = 0x1
HIDDEN_IN_FOG: Final = 0x2
WEATHER: Final = 0x4
AT_THE_EYE: Final = 0x8
"""Properties of sky objects (20.2)."""

NO_FOG: Final = 0
"""The fog mode of a keyframe without any."""

WEATHER_HEIGHT: Final = -120.0

NO_SUN: Vec3 = (0.5, 0.0, 0.8)
NO_AMBIENT: Final = 0.3
"""The light of a world without keyframes."""

HAZE: Vec3 = (0.56, 0.68, 0.80)
"""The sky of a world without one."""

PERCENT: Final = 100.0


def day_group_index(day: int, count: int) -> int:
    """The day group of the n-th day, n counted from the beginning of time (day + days per year · year)."""
    if count <= 0:
        return 0
    index = count * ((0x6A42FDB2 * day - 0x7541E9AE) & 0xFFFFFFFF) >> 32
    return index if index < count else 0


def day_group(region: Region | None, day: int) -> DayGroup | None:
    """The kind of day; None in a world without a sky."""
    if region is None or region.sky is None or not region.sky.day_groups:
        return None
    groups = region.sky.day_groups
    return groups[day_group_index(day, len(groups))]


def bracket(times: Sequence[SkyTime], time: float) -> tuple[SkyTime, SkyTime, float]:
    """The keyframes before and after a time of day, and how far it is from one to the other; the last wraps round to
    the first."""
    order = sorted(times, key=lambda at: at.begin)
    index = max((i for i, at in enumerate(order) if at.begin <= time), default=-1)
    before, after = order[index], order[(index + 1) % len(order)]
    start, end = before.begin, after.begin
    if index < 0:
        start -= 1.0
    elif index == len(order) - 1:
        end += 1.0
    span = end - start
    return before, after, 0.0 if span <= 0.0 else min(max((time - start) / span, 0.0), 1.0)


def daylight(group: DayGroup | None, time: float) -> Daylight:
    """Sun, ambient light and fog; `time` in [0, 1), noon is 0.5. Keyframes with numbers that are none do not count."""
    times = [] if group is None else [keyframe for keyframe in group.times if _is_sound(keyframe)]
    if not times:
        return Daylight(time, NO_SUN, (1.0, 1.0, 1.0), NO_AMBIENT, (1.0, 1.0, 1.0), None, HAZE)
    a, b, ratio = bracket(times, time)

    def between(first: float, second: float) -> float:
        return first + (second - first) * ratio

    fog, fog_colour = _fog(times, time)
    return Daylight(
        time,
        sun_vector(
            between(a.direct_brightness, b.direct_brightness),
            between(a.direct_heading, b.direct_heading),
            between(a.direct_pitch, b.direct_pitch),
        ),
        _mixed(a.direct_color, b.direct_color, ratio),
        max(FLAT_AMBIENT, between(a.ambient_brightness, b.ambient_brightness)),
        _mixed(a.ambient_color, b.ambient_color, ratio),
        fog if fog[1] > fog[0] else None,
        fog_colour,
    )


def _fog(times: Sequence[SkyTime], time: float) -> tuple[tuple[float, float], Vec3]:
    """Its start, end and colour. It changes only between two keyframes that both have it; after those it keeps its last
    value (rendering.md M9)."""
    a, b, ratio = bracket(times, time)
    order = sorted(times, key=lambda at: at.begin)
    index = order.index(a)
    for _ in order:
        a, b = order[index], order[(index + 1) % len(order)]
        if a.fog_mode != NO_FOG and b.fog_mode != NO_FOG:
            near = a.fog_min + (b.fog_min - a.fog_min) * ratio
            far = a.fog_max + (b.fog_max - a.fog_max) * ratio
            return (near, far), _mixed(a.fog_color, b.fog_color, ratio)
        index, ratio = index - 1, 1.0
    return (0.0, 0.0), _mixed(a.fog_color, b.fog_color, ratio)


def _is_sound(at: SkyTime) -> bool:
    numbers = (at.begin, at.direct_brightness, at.direct_heading, at.direct_pitch, at.ambient_brightness)
    return all(math.isfinite(number) for number in (*numbers, at.fog_min, at.fog_max))


def sun_vector(brightness: float, heading: float, pitch: float) -> Vec3:
    """Towards the sun, as long as it is bright; angles in degrees."""
    turn, rise = math.radians(heading), math.radians(pitch)
    return (
        brightness * math.sin(turn) * math.cos(rise),
        brightness * math.cos(turn) * math.cos(rise),
        brightness * math.sin(rise),
    )


def _mixed(first: int, second: int, ratio: float) -> Vec3:
    a, b = argb(first), argb(second)
    return (
        a[0] + (b[0] - a[0]) * ratio,
        a[1] + (b[1] - a[1]) * ratio,
        a[2] + (b[2] - a[2]) * ratio,
    )


# --- objects in the sky


def shown_at(thing: SkyObject, time: float) -> bool:
    """Whether it is up; begin equal to end means always, and an end before the begin is on the next day."""
    begin, end = thing.begin_time, thing.end_time
    if not all(math.isfinite(value) for value in (begin, end, thing.begin_angle, thing.end_angle)):
        return False
    if begin == end:
        return True
    if begin < end:
        return begin < time < end
    return time > begin or time < end


def turn_at(thing: SkyObject, time: float) -> float:
    """Degrees of its way over the sky."""
    begin, end = thing.begin_time, thing.end_time
    span = end - begin if end >= begin else end - begin + 1.0
    gone = time - begin if time >= begin else time - begin + 1.0
    ratio = 0.0 if span <= 0.0 else min(max(gone / span, 0.0), 1.0)
    return thing.begin_angle + (thing.end_angle - thing.begin_angle) * ratio


def orientation(heading: float, turn: float) -> Quat:
    """First to its heading, then along its way about the world's own +y axis."""
    return multiply(from_axis_angle((0.0, 1.0, 0.0), -math.radians(turn)), from_heading(heading))


def replacement(group: DayGroup, index: int, time: float) -> SkyObjectReplace | None:
    """The look of an object in the current keyframe, which names the object by its index field, not by its place."""
    times = [keyframe for keyframe in group.times if _is_sound(keyframe)]
    if not times:
        return None
    before, _, _ = bracket(times, time)
    return next((record for record in before.replaces if record.object_index == index), None)


def share(value: float) -> float:
    """A transparency or luminosity in 0..1; the records also hold per cents."""
    return min(max(value / PERCENT if value > 1.0 else value, 0.0), 1.0) if math.isfinite(value) else 0.0


def sky_draw(world: World, shapes: Shapes, group: DayGroup | None, now: Daylight, seconds: float) -> SkyDraw:
    """Everything that is up, in the order of the records; `seconds` let textures drift."""
    found: list[SkyObjectDraw] = []
    for index, thing in enumerate([] if group is None else group.objects):
        if group is not None and shown_at(thing, now.time):
            made = _in_the_sky(world, shapes, thing, index, replacement(group, index, now.time), now.time, seconds)
            if made is not None:
                found.append(made)
    return SkyDraw(tuple(found), now.fog_colour)


def _in_the_sky(
    world: World,
    shapes: Shapes,
    thing: SkyObject,
    index: int,
    other: SkyObjectReplace | None,
    time: float,
    seconds: float,
) -> SkyObjectDraw | None:
    gfxobj_id = other.gfxobj_id if other is not None and other.gfxobj_id else thing.gfxobj_id
    gfxobj = world.gfxobj(gfxobj_id) if gfxobj_id else None
    shown = None if gfxobj is None else shapes.shown(gfxobj)
    if shown is None:
        return None
    weather = bool(thing.properties & WEATHER)
    return SkyObjectDraw(
        index,
        shown.mesh,
        shown.materials,
        orientation(other.rotate if other is not None and math.isfinite(other.rotate) else 0.0, turn_at(thing, time)),
        (_drifted(thing.velocity_u, seconds), _drifted(thing.velocity_v, seconds)),
        1.0 if other is None else 1.0 - share(other.transparent),
        None if other is None or other.luminosity <= 0.0 else share(other.luminosity),
        bool(thing.properties & AFTER_LANDSCAPE),
        weather,
        WEATHER_HEIGHT if weather and not thing.properties & AT_THE_EYE else None,
    )


def _drifted(velocity: float, seconds: float) -> float:
    """The offset of a moving texture, in repeats."""
    way = velocity * seconds
    return math.fmod(way, 1.0) if math.isfinite(way) else 0.0
