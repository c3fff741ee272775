"""The sky over the demo world: a fair day and a clear night (rendering.md 20.1, 20.2).

The dome and the clouds glow by themselves by day; the keyframes of the night take that from them, those of twilight bit
by bit, because the client passes from one keyframe's look of a thing to the next without anything between. The colours
of sunrise and sunset fade in and out likewise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.build.demo import things
from engine.build.region import DEFAULT_LIGHT, InTheSky, LightOfDay, SkyPlan
from engine.build.shapes.faces import Face
from engine.build.shapes.floor_plan import ngon, rect
from engine.build.textures.curves import along
from engine.build.textures.fields import seeded
from engine.geometry.elementary import cos, sin

SKY_RADIUS: Final = 8000.0
STARS: Final = 700
NIGHT: Final = 0.004
"""The glow of the night sky: next to nothing, but above 0, which would mean as by day."""

STEP: Final = 0.005
"""Seven minutes between two looks of the twilight sky; the client passes from one to the next without any between."""

BRIGHT: Final = (
    (0.18, 0.0),
    (0.225, 0.14),
    (0.26, 0.45),
    (0.31, 1.0),
    (0.68, 1.0),
    (0.75, 0.3),
    (0.79, 0.06),
    (0.84, 0.0),
)
"""The share of its daylight that the sky has by the time of day; the light of the hour adds to it."""

DAWN_WINDOW, DUSK_WINDOW = (0.18, 0.31), (0.675, 0.85)
DAWN_COLOURS: Final = ((0.18, 0.0), (0.215, 0.7), (0.235, 1.0), (0.26, 0.85), (0.31, 0.0))
DUSK_COLOURS: Final = ((0.675, 0.0), (0.73, 0.6), (0.755, 0.95), (0.785, 1.0), (0.815, 0.5), (0.85, 0.0))
"""How much of the colours of sunrise and sunset there is."""

SUNRISE, SUNSET = 0.23, 0.8
HALF_TURN: Final = 180.0

_NOON = DEFAULT_LIGHT[2]
_EVENING = LightOfDay(0.75, 0.8, 270.0, 20.0, 0xFFFFB080, 0.4, 0xFFA098A0, (100.0, 1200.0), 0xFFD0A080)
LIGHT: Final = (
    LightOfDay(0.0, 0.16, 180.0, 65.0, 0xFF8090C0, 0.25, 0xFF6070A0, (100.0, 900.0), 0xFF202838),
    LightOfDay(0.19, 0.12, 265.0, 25.0, 0xFF8090C0, 0.27, 0xFF6474A4, (100.0, 900.0), 0xFF2C3448),
    LightOfDay(0.225, 0.15, 90.0, 2.0, 0xFFFF9868, 0.48, 0xFF8C88A4, (100.0, 1000.0), 0xFF8C7C88),
    LightOfDay(0.25, 0.75, 92.0, 12.0, 0xFFFFC090, 0.64, 0xFFB8ACA8, (100.0, 1200.0), 0xFFD8B094),
    LightOfDay(0.31, 0.95, 125.0, 36.0, 0xFFFFE8C8, 0.48, 0xFFB4B4BC, (130.0, 1500.0), 0xFFB8C4D4),
    _NOON,
    _NOON.towards(_EVENING, 0.65),
    LightOfDay(0.72, 0.85, 262.0, 22.0, 0xFFFFC090, 0.58, 0xFFB0A4A4, (100.0, 1250.0), 0xFFCCA88C),
    LightOfDay(0.75, 0.8, 268.0, 16.0, 0xFFFFB080, 0.68, 0xFFB8A4A0, (100.0, 1200.0), 0xFFD8A47C),
    LightOfDay(0.79, 0.35, 272.0, 5.0, 0xFFFF8858, 0.58, 0xFF98889C, (100.0, 1100.0), 0xFFB08478),
    LightOfDay(0.82, 0.1, 275.0, 1.0, 0xFF9078A0, 0.36, 0xFF787CA8, (100.0, 1000.0), 0xFF544C68),
    LightOfDay(0.85, 0.14, 95.0, 25.0, 0xFF8090C0, 0.26, 0xFF6070A0, (100.0, 900.0), 0xFF262C3E),
)
"""Night, dawn, noon, dusk, night. The lower the sun, the more of the ground's light comes from the whole sky, so that
the ground is not black under a bright sky."""

SIDES: Final = 16
DOWN: Final = (0.0, 0.0, -1.0)
"""The normal of what surrounds the world: the sun does not shine on one side of it."""

DOME, DAWN_BAND, DUSK_BAND, DAWN_GLOW, DUSK_GLOW, CLOUDS = 0, 1, 2, 4, 5, 8
"""Places in the list of things in the sky."""


def sky() -> SkyPlan:
    """A fair day and a clear night: the dome, the colours of twilight, clouds that drift, and the sun and the moon from
    east to west."""
    peak = (0.0, 0.0, SKY_RADIUS)
    rim = _circle(SKY_RADIUS, -0.12 * SKY_RADIUS)
    dome = [Face((rim[(i + 1) % SIDES], rim[i], peak), "sky", fit=True, normals=(DOWN,) * 3) for i in range(SIDES)]
    band = things.seen_only("twilight", _band())
    glow = things.seen_only("low sun", [_disc("low sun", 2600.0, 1500.0)])
    cloud_square = [(x, y, 900.0) for x, y in reversed(rect(-6000.0, -6000.0, 12000.0, 12000.0))]
    clouds = Face(tuple(cloud_square), "sky clouds")
    return SkyPlan(
        _light_of_sky(),
        (
            InTheSky(things.seen_only("sky dome", dome)),
            InTheSky(band, *DAWN_WINDOW),
            InTheSky(band, *DUSK_WINDOW),
            InTheSky(things.seen_only("stars", _stars()), begin=0.82, end=0.21, angles=(0.0, 50.0)),
            InTheSky(glow, *DAWN_WINDOW, angles=(_sun_turn(DAWN_WINDOW[0]), _sun_turn(DAWN_WINDOW[1]))),
            InTheSky(glow, *DUSK_WINDOW, angles=(_sun_turn(DUSK_WINDOW[0]), _sun_turn(DUSK_WINDOW[1]))),
            InTheSky(things.seen_only("sun", [_disc("sun", 420.0)]), SUNRISE, SUNSET, angles=(0.0, HALF_TURN)),
            InTheSky(things.seen_only("moon", [_disc("moon", 260.0)]), begin=0.81, end=0.22, angles=(15.0, 165.0)),
            InTheSky(things.seen_only("clouds", [clouds]), drift=(0.0012, 0.0005)),
        ),
    )


def _circle(radius: float, z: float) -> list[tuple[float, float, float]]:
    return [(x, y, z) for x, y in ngon(0.0, 0.0, radius, SIDES)]


def _band() -> list[Face]:
    """A ring before the dome, from below the horizon to 35 degrees above it, seen from the middle."""
    low, high = _circle(0.8 * SKY_RADIUS, -0.07 * SKY_RADIUS), _circle(0.62 * SKY_RADIUS, 0.43 * SKY_RADIUS)
    return [
        Face((low[(i + 1) % SIDES], low[i], high[i], high[(i + 1) % SIDES]), "twilight", fit=True, normals=(DOWN,) * 4)
        for i in range(SIDES)
    ]


def _sun_turn(time: float) -> float:
    """Degrees of the sun's way over the sky, below 0 and above 180 under the horizon."""
    return (time - SUNRISE) / (SUNSET - SUNRISE) * HALF_TURN


def _disc(material: str, half: float, high: float | None = None) -> Face:
    """A rectangle far in the east, seen from the middle: a square, or `high` metres from its middle to its top."""
    far, up = 6000.0, half if high is None else high
    return Face(((far, half, -up), (far, -half, -up), (far, -half, up), (far, half, up)), material, fit=True)


def _stars() -> list[Face]:
    """Small squares strewn all around, the same at every build; a few are much larger than the others."""
    random = seeded("stars")
    far = 0.9 * SKY_RADIUS
    faces: list[Face] = []
    for _ in range(STARS):
        turn, z, size = (float(number) for number in random.random(3))
        turn, z, half = 2.0 * math.pi * turn, 1.8 * z - 0.9, 7.0 + 20.0 * (size * size * size) * (size * size * size)
        level = math.sqrt(1.0 - z * z)
        x, y = level * cos(turn), level * sin(turn)
        right = (y / level * half, -x / level * half, 0.0)
        up = (-x * z / level * half, -y * z / level * half, level * half)
        corners = tuple(
            (far * x + a * right[0] + b * up[0], far * y + a * right[1] + b * up[1], far * z + b * up[2])
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )
        faces.append(Face(corners, "star"))
    return faces


def _light_of_sky() -> tuple[LightOfDay, ...]:
    """The light of a day, with more keyframes in the twilight for what the sky looks like then."""
    times = {light.begin: light for light in LIGHT}
    for first, last in (DAWN_WINDOW, DUSK_WINDOW):
        for step in range(round((last - first) / STEP) + 1):
            begin = round(first + step * STEP, 4)
            before = max((light for light in LIGHT if light.begin <= begin), key=lambda light: light.begin)
            after = min((light for light in LIGHT if light.begin > begin), key=_begin, default=None)
            times.setdefault(begin, before if after is None else before.towards(after, begin))
    return tuple(_with_sky(times[begin]) for begin in sorted(times))


def _begin(light: LightOfDay) -> float:
    return light.begin


def _with_sky(light: LightOfDay) -> LightOfDay:
    """With the looks of the sky that go with its hour."""
    day = _along(BRIGHT, light.begin)
    glow = tuple((index, max(day, NIGHT)) for index in (DOME, CLOUDS)) if day < 1.0 else ()
    fade = [
        (index, round(1.0 - _along(colours, light.begin), 4))
        for colours, pair in ((DAWN_COLOURS, (DAWN_BAND, DAWN_GLOW)), (DUSK_COLOURS, (DUSK_BAND, DUSK_GLOW)))
        for index in pair
    ]
    return replace(light, glow=glow, fade=tuple((index, part) for index, part in fade if part > 0.0))


def _along(stops: Sequence[tuple[float, float]], time: float) -> float:
    return float(along(np.array(time), [at for at, _ in stops], [value for _, value in stops]))
