"""A figure for bodies without a model, such as the player: as wide and as high as their collision shapes."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.box import Box
from engine.geometry.sphere import Sphere
from engine.render.draws import PartDraw
from engine.render.mesh import Mesh, Subset
from engine.render.mesh_build import FRONT, NO_SURFACE
from engine.render.parts import PlacedObject, Shapes, placed_sphere
from engine.world.cells.ids import landblock_id
from engine.world.cells.objects import Setup

SIDES: Final = 32
RINGS: Final = 20
SHADE: Final = (0.75, 1.0)
"""Brightness of its back and of its front, which is +y."""

MARK_SHADE: Final = 0.3
"""Of the marks of the front: dark on the figure's colour."""
NOSE: Final = 0.45
NOSE_HEIGHT: Final = 0.82
"""The nose stands out so far, in radii, at this part of the height."""
ARROW_GAP: Final = 0.1
ARROW_THICKNESS: Final = 0.12
"""Of the arrow over the head, in radii; from behind and above it points where the figure faces."""


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
    """A capsule from `bottom` up to `height`, with a nose and an arrow over the head that show its front."""
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
    top = max(height, bottom + 2.0 * radius)
    marks = _front_marks(radius, bottom, top)
    indices = np.concatenate([indices, np.arange(len(marks)) + len(positions)])
    positions = np.concatenate([positions, marks])
    normals = np.concatenate([normals, _flat_normals(marks)])
    shade = np.concatenate([shade, np.full(len(marks), MARK_SHADE)])
    count = len(indices) // 3
    reach = radius + NOSE * radius
    top += (ARROW_GAP + ARROW_THICKNESS) * radius
    return Mesh(
        positions.astype(np.float32),
        normals.astype(np.float32),
        np.zeros((len(positions), 2), np.float32),
        indices.astype(np.uint32),
        (Subset(NO_SURFACE, 0, len(indices), False, False),),
        np.zeros(count, np.int32),
        np.full(count, FRONT, np.int8),
        Sphere((0.0, 0.0, (bottom + top) / 2.0), max(reach, (top - bottom) / 2.0)),
        Box((-radius, -radius, bottom), (radius, reach, top)),
        np.repeat(shade[:, None], 3, axis=1).astype(np.float32),
    )


def _front_marks(radius: float, bottom: float, top: float) -> NDArray[np.float64]:
    """Corners of triangles, anticlockwise from outside: a pyramid before the face, and a flat arrow over the head."""
    face = bottom + (top - bottom) * NOSE_HEIGHT
    half = 0.22 * radius
    tip = (0.0, radius * (1.0 + NOSE), face)
    root = [(half, 0.8 * radius, face - half), (half, 0.8 * radius, face + half)]
    root += [(-half, 0.8 * radius, face + half), (-half, 0.8 * radius, face - half)]
    corners = [corner for a, b in zip(root, [*root[1:], root[0]], strict=True) for corner in (a, tip, b)]
    low, high = top + ARROW_GAP * radius, top + (ARROW_GAP + ARROW_THICKNESS) * radius
    outline = [(0.0, 0.9), (-0.5, -0.6), (0.0, -0.3), (0.5, -0.6)]
    above = [(x * radius, y * radius, high) for x, y in outline]
    below = [(x * radius, y * radius, low) for x, y in outline]
    for a, b, c in ((0, 1, 2), (0, 2, 3)):
        corners += [above[a], above[b], above[c], below[a], below[c], below[b]]
    for a in range(4):
        b = (a + 1) % 4
        corners += [above[a], below[a], below[b], above[a], below[b], above[b]]
    return np.array(corners)


def _flat_normals(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The normal of each triangle, for each of its corners."""
    a, b, c = corners[0::3], corners[1::3], corners[2::3]
    across = np.cross(b - a, c - a)
    return np.repeat(across / np.linalg.norm(across, axis=1, keepdims=True), 3, axis=0)
