"""The sky over the demo world: a fair day and a clear night (rendering.md 20.1, 20.2).

The dome and the clouds glow by themselves by day; the keyframes of the night take that from them, those of twilight bit
by bit, because the client passes from one keyframe's look of a thing to the next without anything between.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from engine.build.demo import things
from engine.build.region import DEFAULT_LIGHT, InTheSky, LightOfDay, SkyPlan
from engine.build.shapes.faces import Face
from engine.build.shapes.floor_plan import ngon, rect
from engine.build.textures.fields import seeded

SKY_RADIUS: Final = 8000.0
STARS: Final = 700
DAWN, DUSK = (0.19, 0.25), (0.77, 0.84)
"""Between which times of day the sky gets bright, and dark."""
TWILIGHT: Final = 12
"""Keyframes of each; the client goes from one look of the sky to the next without any between."""
NIGHT: Final = 0.004
"""The glow of the night sky: next to nothing, but above 0, which would mean as by day."""


def sky() -> SkyPlan:
    """A fair day and a clear night: the dome, clouds that drift, and the sun and the moon from east to west."""
    peak = (0.0, 0.0, SKY_RADIUS)
    rim = [(x, y, -0.12 * SKY_RADIUS) for x, y in ngon(0.0, 0.0, SKY_RADIUS, 16)]
    dome = [Face((rim[(i + 1) % 16], rim[i], peak), "sky", fit=True) for i in range(16)]
    cloud_square = [(x, y, 900.0) for x, y in reversed(rect(-6000.0, -6000.0, 12000.0, 12000.0))]
    clouds = Face(tuple(cloud_square), "sky clouds")
    return SkyPlan(
        _light_of_sky(glowing=(0, 4)),
        (
            InTheSky(things.seen_only("sky dome", dome)),
            InTheSky(things.seen_only("stars", _stars()), begin=0.82, end=0.21, angles=(0.0, 50.0)),
            InTheSky(things.seen_only("sun", [_disc("sun", 420.0)]), begin=0.23, end=0.8, angles=(0.0, 180.0)),
            InTheSky(things.seen_only("moon", [_disc("moon", 260.0)]), begin=0.81, end=0.22, angles=(15.0, 165.0)),
            InTheSky(things.seen_only("clouds", [clouds]), drift=(0.0012, 0.0005)),
        ),
    )


def _disc(material: str, half: float) -> Face:
    """A square far in the east, seen from the middle."""
    far = 6000.0
    return Face(((far, half, -half), (far, -half, -half), (far, -half, half), (far, half, half)), material, fit=True)


def _stars() -> list[Face]:
    """Small squares strewn all around, the same at every build; a few are much larger than the others."""
    random = seeded("stars")
    far = 0.9 * SKY_RADIUS
    faces: list[Face] = []
    for _ in range(STARS):
        turn, z, size = (float(number) for number in random.random(3))
        turn, z, half = 2.0 * math.pi * turn, 1.8 * z - 0.9, 7.0 + 20.0 * size**6
        level = math.sqrt(1.0 - z * z)
        x, y = level * math.cos(turn), level * math.sin(turn)
        right = (y / level * half, -x / level * half, 0.0)
        up = (-x * z / level * half, -y * z / level * half, level * half)
        corners = tuple(
            (far * x + a * right[0] + b * up[0], far * y + a * right[1] + b * up[1], far * z + b * up[2])
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )
        faces.append(Face(corners, "star"))
    return faces


def _light_of_sky(glowing: tuple[int, ...]) -> tuple[LightOfDay, ...]:
    """The light of a day, in which sky objects with these indices glow by day and not by night."""
    times = {light.begin: light for light in DEFAULT_LIGHT}
    for first, last in (DAWN, DUSK):
        for step in range(TWILIGHT + 1):
            begin = round(first + (last - first) * step / TWILIGHT, 4)
            before = max((light for light in DEFAULT_LIGHT if light.begin <= begin), key=lambda light: light.begin)
            after = min((light for light in DEFAULT_LIGHT if light.begin > begin), key=lambda light: light.begin)
            times.setdefault(begin, before.towards(after, begin))
    found: list[LightOfDay] = []
    for begin in sorted(times):
        day = _day(begin)
        glow = tuple((index, max(day, NIGHT)) for index in glowing) if day < 1.0 else ()
        found.append(replace(times[begin], glow=glow))
    return tuple(found)


def _day(time: float) -> float:
    """The share of its daylight that the sky has: 0 by night."""
    (dawn, morning), (dusk, night) = DAWN, DUSK
    return max(0.0, min(1.0, (time - dawn) / (morning - dawn), (night - time) / (night - dusk)))
