"""A figure for bodies without a model, such as the player: as wide and as high as their collision shapes."""

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
from engine.render.parts import PlacedObject, Shapes, placed_sphere
from engine.world.cells.ids import landblock_id
from engine.world.cells.objects import Setup

SIDES: Final = 16
RINGS: Final = 12
SHADE: Final = (0.75, 1.0)
"""Brightness of its back and of its front, which is +y."""


def figure_part(thing: PlacedObject, shapes: Shapes, version: int) -> PartDraw | None:
    """The figure as the one part of an object; None for one without a body."""
    radius, height = body_size(thing.setup)
    bottom = body_bottom(thing.setup)
    if not (0.0 < radius < math.inf and 0.0 < height < math.inf and abs(bottom) < math.inf):
        return None
    mesh = figure_mesh(radius, height, bottom)
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
        origin=thing.frame.origin,
        version=version,
    )


def has_no_mesh(setup: Setup) -> bool:
    """Whether a model has no polygon at all, for drawing or physics, like the player's and those in scenes."""
    meshes = [part.gfxobj for part in setup.parts if part.gfxobj is not None]
    return not any(mesh.physics_polygons or mesh.polygons for mesh in meshes)


def body_size(setup: Setup) -> tuple[float, float]:
    """Radius and height of a model's cylinders, or else its spheres; zero without any."""
    cylinders = [(shape.radius, shape.low_point[2] + shape.height) for shape in setup.cyl_spheres]
    spheres = [(sphere.radius, sphere.center[2] + sphere.radius) for sphere in setup.spheres]
    sizes = cylinders or spheres
    return max((size[0] for size in sizes), default=0.0), max((size[1] for size in sizes), default=0.0)


def body_bottom(setup: Setup) -> float:
    """How far its shapes reach below its origin, 0 if none do: 5 mm for a human, who stands on that."""
    lows = [shape.low_point[2] for shape in setup.cyl_spheres]
    return min([0.0, *(lows or [sphere.center[2] - sphere.radius for sphere in setup.spheres])])


@cache
def figure_mesh(radius: float, height: float, bottom: float = 0.0) -> Mesh:
    """A capsule from `bottom` up to `height`."""
    rise = np.linspace(-0.5 * math.pi, 0.5 * math.pi, RINGS)
    turn = np.linspace(0.0, 2.0 * math.pi, SIDES, endpoint=False)
    rise, turn = np.repeat(rise, SIDES), np.tile(turn, RINGS)
    normals = np.stack([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)], axis=1)
    low = bottom + radius
    middle = np.where(rise < 0.0, low, max(height - radius, low))
    positions = normals * radius
    positions[:, 2] += middle
    ring, side = np.divmod(np.arange((RINGS - 1) * SIDES), SIDES)
    a, b = ring * SIDES + side, ring * SIDES + (side + 1) % SIDES
    indices = np.stack([a, b, b + SIDES, a, b + SIDES, a + SIDES], axis=1).reshape(-1)
    shade = SHADE[0] + (SHADE[1] - SHADE[0]) * (0.5 + 0.5 * normals[:, 1])
    count = len(indices) // 3
    top = max(height, bottom + 2.0 * radius)
    return Mesh(
        positions.astype(np.float32),
        normals.astype(np.float32),
        np.zeros((len(positions), 2), np.float32),
        indices.astype(np.uint32),
        (Subset(NO_SURFACE, 0, len(indices), False, False),),
        np.zeros(count, np.int32),
        np.full(count, FRONT, np.int8),
        Sphere((0.0, 0.0, (bottom + top) / 2.0), (top - bottom) / 2.0),
        Box((-radius, -radius, bottom), (radius, radius, top)),
        np.repeat(shade[:, None], 3, axis=1).astype(np.float32),
    )
