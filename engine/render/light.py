"""Light on drawn things: sun and ambient by pass, lamps baked into shells, lamps near an object (rendering.md
19.5, 20.4, 20.5). Plain 8-bit arithmetic: nothing is linearised."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3, length
from engine.render.draws import Daylight, LightSource
from engine.render.mesh import Mesh
from engine.world.cells.landdefs import block_offset

FLAT_AMBIENT: Final = 0.2
"""White ambient light of interiors that do not see outside, and the least outdoors."""

SUN_SHARE: Final = 0.2
"""The share of the sun's length that is added to the ambient level of everything but terrain."""

BAKED_REACH: Final = 1.3
"""Times its falloff: how far a lamp reaches that is baked into vertices."""

OBJECT_REACH: Final = 1.5
"""Times its falloff: how far it reaches when it lights an object."""

MOST_LIGHTS: Final = 8
"""On one object."""

MOST_STATIC: Final = 40
"""The number of static lamps that count; the client has 40 at its start, and 20 to 60 by the frame rate
(rendering.md C5)."""

VIEWER_FALLOFF: Final = 10.0
VIEWER_INTENSITY: Final = 2.25
VIEWER_HEIGHT: Final = 2.0
"""The height of the viewer's light above the player."""


def terrain_light(normals: NDArray[np.float32], daylight: Daylight) -> NDArray[np.float32]:
    """(n, 3): what the ground receives; no lamp reaches it (19.5)."""
    shine = np.maximum(normals.astype(np.float64) @ np.array(daylight.sun), 0.0)
    light = np.array(terrain_ambient(daylight)) + shine[:, None] * np.array(daylight.sun_colour)
    clamped: NDArray[np.float32] = np.clip(light, 0.0, 1.0).astype(np.float32)
    return clamped


def terrain_ambient(daylight: Daylight) -> Vec3:
    return _times(daylight.ambient_colour, daylight.ambient_level)


def object_ambient(daylight: Daylight) -> Vec3:
    """The light of building shells and of everything outdoors."""
    return _times(daylight.ambient_colour, daylight.ambient_level + SUN_SHARE * length(daylight.sun))


def interior_ambient(daylight: Daylight, sees_outside: bool) -> Vec3:
    """The light of all rooms of a frame and the things in them. `sees_outside`: the player's cell is outdoors, or a
    room from which the outdoors is seen; the position of the drawn room does not matter."""
    return object_ambient(daylight) if sees_outside else (FLAT_AMBIENT, FLAT_AMBIENT, FLAT_AMBIENT)


def _times(v: Vec3, s: float) -> Vec3:
    return (v[0] * s, v[1] * s, v[2] * s)


# --- lamps


def bake(mesh: Mesh, frame: Frame, lights: Sequence[LightSource]) -> NDArray[np.float32]:
    """(n, 3): what the lamps give to the vertices of a shell that stands at `frame`, clamped to 1 (20.5).

    Half-Lambert: light falls a little round corners; walls stop none of it. A lamp of another landblock counts where
    its numbers are in the shell's own (rendering.md C5).
    """
    points, facing = mesh.positions.astype(np.float64), mesh.normals.astype(np.float64)
    total = np.zeros_like(points)
    for light in lights:
        at = frame.global_to_local(light.position)
        total += _given(points, facing, np.array(at), light)
    return np.clip(total, 0.0, 1.0).astype(np.float32)


def _given(
    points: NDArray[np.float64], facing: NDArray[np.float64], at: NDArray[np.float64], light: LightSource
) -> NDArray[np.float64]:
    """The light of one lamp on each vertex, no channel more than its own colour."""
    way = at - points
    d2 = np.einsum("ij,ij->i", way, way)
    d = np.sqrt(d2)
    reach = BAKED_REACH * light.falloff
    w = (np.einsum("ij,ij->i", facing, way) + 0.5 * d) / 1.5
    lit = (d < reach) & (w > 0.0)
    fall = np.where(d2 <= 1.0, d, d2 * d)
    strength = np.zeros_like(d)
    np.divide(light.intensity * (1.0 - d / max(reach, 1e-9)) * w, fall, out=strength, where=lit & (fall > 0.0))
    colour = np.array(light.colour)
    given: NDArray[np.float64] = np.minimum(strength[:, None] * colour, colour)
    return given


def bakes_on(light: LightSource, center: Vec3, radius: float) -> bool:
    """Whether a lamp's baked light reaches a ball."""
    return math.dist(light.position, center) < BAKED_REACH * light.falloff + radius


def counts_on(light: LightSource, block_id: int, center: Vec3, radius: float) -> bool:
    """Whether a lamp is one of those that light an object. Each of those shades farther than that."""
    return away(light, block_id, center) < light.falloff + radius


def away(light: LightSource, block_id: int, center: Vec3) -> float:
    return math.dist(_seen_from(light, block_id), center)


def _seen_from(light: LightSource, block_id: int) -> Vec3:
    """Its place in the coordinates of a landblock."""
    dx, dy, _ = block_offset(block_id, light.block_id)
    x, y, z = light.position
    return (x + dx, y + dy, z)


def lights_near(
    lights: Iterable[LightSource], block_id: int, center: Vec3, radius: float, most: int = MOST_LIGHTS
) -> list[LightSource]:
    """The lamps that light an object in a room: the first in the order of the list, which is not the nearest to the
    object (rendering.md C5)."""
    return list(islice((light for light in lights if counts_on(light, block_id, center, radius)), max(most, 0)))


def nearest(lights: Iterable[LightSource], block_id: int, origin: Vec3) -> list[LightSource]:
    """Sorted by their distance from a point."""
    return sorted(lights, key=lambda light: (away(light, block_id, origin), light.object_id, light.index))


def viewer_light(block_id: int, feet: Vec3) -> LightSource:
    """The light that the viewer carries over the player's feet."""
    x, y, z = feet
    at = (x, y, z + VIEWER_HEIGHT)
    return LightSource(0, 0, block_id, (), at, (1.0, 1.0, 1.0), VIEWER_INTENSITY, VIEWER_FALLOFF, True)
