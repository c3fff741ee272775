"""Meshes and materials in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.geometry.box import Box
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add, cross, normalized, scale, sub
from engine.render.materials import Colour, Factor, Material, Pixels, SubsetKind, flat_material
from engine.render.mesh import Mesh, Subset

Corners = Sequence[Vec3]


def mesh_of(*subsets: Sequence[Corners], wraps: bool = False) -> Mesh:
    """A mesh with one list of convex polygons per subset, each seen from the side on which its corners run
    counter-clockwise. A surface's picture covers each quad from corner to corner, with row 0 between its last two."""
    positions: list[Vec3] = []
    normals: list[Vec3] = []
    uvs: list[tuple[float, float]] = []
    indices: list[int] = []
    ranges: list[Subset] = []
    for slot, polygons in enumerate(subsets):
        first = len(indices)
        for corners in polygons:
            start = len(positions)
            normal = normalized(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])))
            positions += corners
            normals += [normal] * len(corners)
            uvs += [((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))[i % 4] for i in range(len(corners))]
            for i in range(1, len(corners) - 1):
                indices += [start, start + i, start + i + 1]
        ranges.append(Subset(slot, first, len(indices) - first, wraps, wraps))
    points = np.array(positions, np.float32).reshape(-1, 3)
    box = Box.of_points([(float(x), float(y), float(z)) for x, y, z in points])
    middle = box.center()
    radius = float(np.linalg.norm(points - np.array(middle), axis=1).max())
    count = len(indices) // 3
    return Mesh(
        points,
        np.array(normals, np.float32).reshape(-1, 3),
        np.array(uvs, np.float32).reshape(-1, 2),
        np.array(indices, np.uint32),
        tuple(ranges),
        np.zeros(count, np.int32),
        np.zeros(count, np.int8),
        Sphere(middle, radius),
        box,
    )


def square(center: Vec3, right: Vec3, up: Vec3) -> Corners:
    """A rectangle by the vectors from its centre to two of its sides."""
    low, high = sub(center, up), add(center, up)
    return [sub(low, right), add(low, right), add(high, right), sub(high, right)]


def wall_at(distance: float, size: float = 100.0) -> Corners:
    """A wall that faces an eye at the origin looking north."""
    return square((0.0, distance, 0.0), scale((1.0, 0.0, 0.0), size), scale((0.0, 0.0, 1.0), size))


def painted(red: int, green: int, blue: int) -> Material:
    """A colour of 0 to 255 that no light changes."""
    colour: Colour = (red / 255.0, green / 255.0, blue / 255.0, 1.0)
    return replace(flat_material(0), colour=colour)


def pictured(pixels: Pixels) -> Material:
    """A picture that no light changes."""
    return replace(flat_material(0), pixels=pixels, colour=(1.0, 1.0, 1.0, 1.0))


def blended(material: Material, source: Factor, target: Factor, alpha: float = 1.0) -> Material:
    return replace(material, kind=SubsetKind.BLENDED, blend=(source, target), depth_write=False, alpha=alpha)
