"""Draw objects that were uploaded, and what the cells of rooms and land list of them (spec/rendering.md 13.2)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import Vec3
from engine.render.draws import AS_AUTHORED, LightSource, PartDraw, ParticleDraw, ShellDraw
from engine.render.gl.tables import world_point
from engine.render.gl.things import Thing
from engine.visibility.culling import ViewCone
from engine.world.cells.ids import is_interior

Draw = PartDraw | ShellDraw | ParticleDraw
Vectors = NDArray[np.float64]

NO_LAMPS: Final[tuple[LightSource, ...]] = ()


class Placed:
    """A draw object that was uploaded. `center` and `sort_center` are told from the corner of the world."""

    __slots__ = (
        "center",
        "draw",
        "frame",
        "is_inside",
        "lamps",
        "moving_lamps",
        "object_id",
        "radius",
        "seen",
        "sort_center",
        "static_lamps",
        "thing",
        "turns",
    )

    def __init__(self, draw: Draw, thing: Thing) -> None:
        self.thing = thing
        self.frame = 0
        """In which frame it was asked for last."""
        self.seen = -1
        """In which frame stamp it was drawn last."""
        self.lamps: tuple[LightSource, ...] = NO_LAMPS
        self.static_lamps = self.moving_lamps = 0
        """How many of the lamps that never move would light it, and of the others, which come first."""
        self.stand(draw)

    def stand(self, draw: Draw) -> None:
        self.draw: Draw = draw
        self.object_id = draw.key if isinstance(draw, ShellDraw) else draw.object_id
        self.center: Vec3 = world_point(draw.block_id, draw.sphere.center)
        self.radius = draw.sphere.radius
        self.sort_center: Vec3 = self.center
        self.turns = isinstance(draw, PartDraw) and draw.billboard != AS_AUTHORED
        """It is turned to the eye."""
        self.is_inside = isinstance(draw, PartDraw) and any(is_interior(cell_id) for cell_id in draw.cells)
        """It is in a room, perhaps among other cells, and lit by its lamps there."""
        if isinstance(draw, PartDraw | ParticleDraw):
            self.sort_center = world_point(draw.block_id, draw.sort_center)


class Contents:
    """What is drawn of a cell's list, with a ball round all of it. Good as long as the scene gives the same list."""

    __slots__ = ("center", "listed", "parts", "radius")

    def __init__(self, listed: list[PartDraw], parts: list[Placed]) -> None:
        self.listed = listed
        self.parts = parts
        self.center, self.radius = ball_round(parts)


Cone = tuple[Vectors, Vectors]
"""A `ViewCone` as arrays: (3, n) normals of its planes, and their (n) offsets."""

Far = tuple[float, Placed]
"""Something in view, with the square of its distance."""


class Lot:
    """What is drawn of the lists of all land cells of a landblock, in rows, so that it is tested against views at once.
    Good as long as the scene gives the same lists."""

    __slots__ = ("centers", "listed", "radii", "rows", "sort_centers")

    def __init__(self, listed: dict[int, list[PartDraw]], contents: dict[int, Contents]) -> None:
        self.listed = listed
        self.rows = [(cell_id, placed) for cell_id, found in contents.items() for placed in found.parts]
        self.centers = _points([placed.center for _, placed in self.rows])
        self.radii = np.array([placed.radius for _, placed in self.rows])
        self.sort_centers = _points([placed.sort_center for _, placed in self.rows])

    def in_view(self, cones: Sequence[Cone], origin: Vec3, eye: Vec3) -> dict[int, list[Far]]:
        """What one of the views sees something of, far ones first, by its cells. The views are told from `origin`, a
        point that like the eye is told from the corner of the world."""
        found: defaultdict[int, list[Far]] = defaultdict(list)
        seen = self._seen(cones, origin) if self.rows else ()
        if len(seen):
            away = self.sort_centers[seen] - eye
            distances2 = np.einsum("ij,ij->i", away, away)
            order = np.argsort(-distances2, kind="stable")
            rows = self.rows
            for row, distance2 in zip(seen[order].tolist(), distances2[order].tolist(), strict=True):
                cell_id, placed = rows[row]
                found[cell_id].append((distance2, placed))
        return found

    def _seen(self, cones: Sequence[Cone], origin: Vec3) -> NDArray[np.intp]:
        """The rows whose balls are before all planes of one of the views (15.1)."""
        centers, reach = self.centers - origin, -self.radii[:, None]
        seen = [(centers @ normals + offsets >= reach).all(axis=1) for normals, offsets in cones]
        return np.flatnonzero(np.logical_or.reduce(seen)) if seen else np.zeros(0, np.intp)


def cone_arrays(cones: Sequence[ViewCone]) -> list[Cone]:
    return [
        (np.array([plane.normal for plane in cone.planes]).T, np.array([plane.d for plane in cone.planes]))
        for cone in cones
    ]


def ball_round(parts: list[Placed]) -> tuple[Vec3, float]:
    """A ball that holds the balls of all of them; its radius is negative for none."""
    if not parts:
        return (0.0, 0.0, 0.0), -1.0
    count = float(len(parts))
    center = (
        sum(placed.center[0] for placed in parts) / count,
        sum(placed.center[1] for placed in parts) / count,
        sum(placed.center[2] for placed in parts) / count,
    )
    return center, max(math.dist(placed.center, center) + placed.radius for placed in parts)


def _points(points: list[Vec3]) -> Vectors:
    return np.array(points, np.float64).reshape(-1, 3)
