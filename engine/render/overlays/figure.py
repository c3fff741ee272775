"""A body as a figure of one colour, for overlays: one that is not in the simulation that is drawn."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import Vec3
from engine.render.figure import figure_mesh
from engine.render.overlays.geometry import Colour, Triangles
from engine.visibility.camera import Camera

SIZES: Final = (0.01, 20.0)
"""Metres between which radius and height of a body that is drawn are held."""


def size_of(radius: float, height: float) -> tuple[float, float]:
    """Radius and height that can be drawn."""
    radius = min(max(radius, SIZES[0]), SIZES[1])
    return radius, min(max(height, 2.0 * radius), SIZES[1])


@lru_cache(maxsize=16)
def _corners(
    size: tuple[float, float], bottom: float, colour: Colour
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]:
    """The triangles of a figure, their normals, and their colours."""
    mesh = figure_mesh(*size, bottom)
    corners = mesh.positions[mesh.indices.reshape(-1, 3)].astype(np.float64)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(normals, axis=1)
    corners, normals = corners[sizes > 0.0], normals[sizes > 0.0] / sizes[sizes > 0.0, None]
    light = 0.72 + 0.2 * normals[:, 2] + 0.08 * normals[:, 1]
    colours = np.empty((len(corners), 4), np.uint8)
    colours[:, :3] = np.clip(np.outer(light, colour[:3]), 0.0, 255.0)
    colours[:, 3] = colour[3]
    return corners, normals, colours


def figure_at(
    block_id: int,
    origin: Vec3,
    heading: float,
    size: tuple[float, float],
    colour: Colour,
    camera: Camera,
    hidden: float,
    bottom: float = 0.0,
) -> list[Triangles]:
    """The sides of a figure that the eye sees: overlays hide each other by nothing but their order.

    `bottom` is how high above its origin it begins.
    """
    corners, normals, colours = _corners(size, bottom, colour)
    turn = math.radians(heading)
    cos, sin = math.cos(turn), math.sin(turn)
    turned = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    placed = corners @ turned + np.array(origin)
    away = np.array(camera.eye_in(block_id)) - placed[:, 0]
    seen = np.einsum("ij,ij->i", normals @ turned, away) > 0.0
    far = np.argsort(-np.linalg.norm(away[seen], axis=1))
    return [Triangles(block_id, placed[seen][far], colours[seen][far], hidden)]
