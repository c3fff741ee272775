"""The light of room lamps on the things in the room: colour · intensity · max(0, N·L) / d within 1.5 · falloff
(rendering.md 20.5).

For static lamps it is computed here once, when the thing is uploaded, and not in each frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.render.draws import LightSource
from engine.render.light import OBJECT_REACH
from engine.render.mesh import Mesh
from engine.world.cells.landdefs import block_offset


def lamp_light(
    mesh: Mesh, frame: Frame, scale: Vec3, block_id: int, lights: Sequence[LightSource]
) -> NDArray[np.float32] | None:
    """(n, 3) for the vertices of a mesh that stands at a frame of a landblock; None without lamps."""
    if not lights:
        return None
    places = np.empty((len(lights), 3))
    for number, light in enumerate(lights):
        dx, dy, dz = block_offset(block_id, light.block_id)
        x, y, z = light.position
        places[number] = frame.global_to_local((x + dx, y + dy, z + dz))
    stretch = np.array(scale)
    points = mesh.positions * stretch
    normals = mesh.normals / np.where(stretch == 0.0, 1.0, stretch)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    way = places[:, None, :] - points[None, :, :]
    distance = np.maximum(np.linalg.norm(way, axis=2), 1e-6)
    facing = np.maximum(np.einsum("lnk,nk->ln", way, normals), 0.0)
    reach = np.array([OBJECT_REACH * light.falloff for light in lights])
    strength = np.array([light.intensity for light in lights])[:, None] * facing / (distance * distance)
    strength[distance >= reach[:, None]] = 0.0
    colours = np.array([light.colour for light in lights])
    given: NDArray[np.float64] = np.einsum("ln,lk->nk", strength, colours)
    return np.clip(given, 0.0, 1.0).astype(np.float32)
