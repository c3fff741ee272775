"""A figure for the player where the world has no model of him: as wide and as high as what he sweeps with."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import numpy as np

from engine.geometry.box import Box
from engine.geometry.sphere import Sphere
from engine.render.draws import PartDraw
from engine.render.mesh import Mesh, Subset
from engine.render.mesh_build import FRONT, NO_SURFACE
from engine.render.parts import Shapes, Standing, placed_sphere
from engine.world.cells.ids import landblock_id

SIDES: Final = 16
RINGS: Final = 12
SHADE: Final = (0.75, 1.0)
"""Brightness of its back and of its front, which is +y."""


def figure_part(thing: Standing, shapes: Shapes, version: int) -> PartDraw:
    """The figure as the one part of an object."""
    mesh = figure_mesh(thing.setup.radius or 0.48, thing.setup.height or 1.8)
    scale = (thing.scale, thing.scale, thing.scale)
    sphere = placed_sphere(mesh.sphere, thing.frame, scale)
    return PartDraw(
        key=(thing.object_id, 0),
        object_id=thing.object_id,
        part=0,
        model_id=thing.setup.id,
        gfxobj_id=0,
        owner=thing.owner,
        home=thing.home,
        cells=(),
        block_id=landblock_id(thing.home),
        mesh=mesh,
        materials=(shapes.materials.flat(thing.object_id),),
        frame=thing.frame,
        scale=scale,
        sphere=sphere,
        sort_center=sphere.center,
        version=version,
    )


@cache
def figure_mesh(radius: float, height: float) -> Mesh:
    """A capsule that stands on the origin."""
    rise = np.linspace(-0.5 * math.pi, 0.5 * math.pi, RINGS)
    turn = np.linspace(0.0, 2.0 * math.pi, SIDES, endpoint=False)
    rise, turn = np.repeat(rise, SIDES), np.tile(turn, RINGS)
    normals = np.stack([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)], axis=1)
    middle = np.where(rise < 0.0, radius, max(height - radius, radius))
    positions = normals * radius
    positions[:, 2] += middle
    ring, side = np.divmod(np.arange((RINGS - 1) * SIDES), SIDES)
    a, b = ring * SIDES + side, ring * SIDES + (side + 1) % SIDES
    indices = np.stack([a, b, b + SIDES, a, b + SIDES, a + SIDES], axis=1).reshape(-1)
    shade = SHADE[0] + (SHADE[1] - SHADE[0]) * (0.5 + 0.5 * normals[:, 1])
    count = len(indices) // 3
    top = max(height, 2.0 * radius)
    return Mesh(
        positions.astype(np.float32),
        normals.astype(np.float32),
        np.zeros((len(positions), 2), np.float32),
        indices.astype(np.uint32),
        (Subset(NO_SURFACE, 0, len(indices), False, False),),
        np.zeros(count, np.int32),
        np.full(count, FRONT, np.int8),
        Sphere((0.0, 0.0, top / 2.0), top / 2.0),
        Box((-radius, -radius, 0.0), (radius, radius, top)),
        np.repeat(shade[:, None], 3, axis=1).astype(np.float32),
    )
