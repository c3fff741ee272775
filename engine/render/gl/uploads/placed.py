"""Draw objects that were uploaded, and what the cells of rooms and land list of them (rendering.md 13.2)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.constants import CELL_LENGTH
from engine.geometry.vec import Vec3
from engine.render.draws import AS_AUTHORED, LightSource, PartDraw, ParticleDraw, ShellDraw
from engine.render.gl.uploads.tables import world_point
from engine.render.gl.uploads.things import Thing
from engine.visibility.culling import ViewCone
from engine.world.cells.ids import is_interior, land_cell_column, land_cell_row

Draw = PartDraw | ShellDraw | ParticleDraw
Vectors = NDArray[np.float64]

PART_WISE: Final = 25.0
"""Metres over the ground from the eye to an object within which its parts are sorted one by one."""

CELL_WISE: Final = 50.0
"""Metres to a land cell beyond which all in it is as far as the cell."""

NO_LAMPS: Final[tuple[LightSource, ...]] = ()


class Placed:
    """An uploaded draw object. `center` and `sort_center` are relative to the corner of the world."""

    __slots__ = (
        "center",
        "draw",
        "frame",
        "is_inside",
        "lamp_turn",
        "lamps",
        "level",
        "levelled",
        "moving_lamps",
        "object_id",
        "origin",
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
        """The numbers of static and of moving lamps that light it; the moving ones come first."""
        self.lamp_turn = -1
        """The number of the set of moving lamps that was tested last."""
        self.level = 0
        """The level of detail that `thing` is, or would be if that had a mesh."""
        self.levelled = -1
        """In which frame it was chosen."""
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
        """It is in a room, perhaps among other cells, and lit by the lamps there."""
        if isinstance(draw, PartDraw | ParticleDraw):
            self.sort_center = world_point(draw.block_id, draw.sort_center)
        self.origin = world_point(draw.block_id, draw.origin) if isinstance(draw, PartDraw) else self.sort_center
        """The origin of the object that it is a part of."""

    def distance2(self, eye: Vec3) -> float:
        """The square of the distance that it is sorted by: that of its sort centre, or of its whole object when that is
        far away (rendering.md M5)."""
        ox, oy, oz = self.origin
        dx, dy = ox - eye[0], oy - eye[1]
        if dx * dx + dy * dy >= PART_WISE * PART_WISE:
            return dx * dx + dy * dy + (oz - eye[2]) * (oz - eye[2])
        x, y, z = self.sort_center[0] - eye[0], self.sort_center[1] - eye[1], self.sort_center[2] - eye[2]
        return x * x + y * y + z * z


class Contents:
    """The draws of a cell's list, with a ball around all of them. Valid as long as the scene returns the same list."""

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
    """The draws of the lists of all land cells of a landblock, in rows, so that one test covers all of them. Valid as
    long as the scene returns the same lists."""

    __slots__ = ("cells", "centers", "listed", "origins", "radii", "rows", "sort_centers")

    def __init__(self, listed: dict[int, list[PartDraw]], contents: dict[int, Contents]) -> None:
        self.listed = listed
        self.rows = [(cell_id, placed) for cell_id, found in contents.items() for placed in found.parts]
        self.centers = _points([placed.center for _, placed in self.rows])
        self.radii = np.array([placed.radius for _, placed in self.rows])
        self.sort_centers = _points([placed.sort_center for _, placed in self.rows])
        self.origins = _points([placed.origin for _, placed in self.rows])
        self.cells = _points([middle_of(cell_id) for cell_id, _ in self.rows])

    def in_view(self, cones: Sequence[Cone], origin: Vec3, eye: Vec3) -> dict[int, list[Far]]:
        """The draws that one of the views sees, far ones first, by cell. The views are relative to `origin`, a point
        that like the eye is relative to the corner of the world."""
        found: defaultdict[int, list[Far]] = defaultdict(list)
        seen = self._seen(cones, origin) if self.rows else np.zeros(0, np.intp)
        if len(seen):
            distances2 = self._distances2(seen, np.array(eye))
            order = np.argsort(-distances2, kind="stable")
            rows = self.rows
            for row, distance2 in zip(seen[order].tolist(), distances2[order].tolist(), strict=True):
                cell_id, placed = rows[row]
                found[cell_id].append((distance2, placed))
        return found

    def _distances2(self, seen: NDArray[np.intp], eye: Vectors) -> Vectors:
        """The squares of the distances that these rows are sorted by (rendering.md M5)."""
        away = self.sort_centers[seen] - eye
        whole = self.origins[seen] - eye
        flat2 = whole[:, 0] ** 2 + whole[:, 1] ** 2
        away[flat2 >= PART_WISE * PART_WISE] = whole[flat2 >= PART_WISE * PART_WISE]
        distances2: Vectors = np.einsum("ij,ij->i", away, away)
        cells = self.cells[seen][:, :2] - eye[:2]
        cells2 = cells[:, 0] ** 2 + cells[:, 1] ** 2
        return np.where(cells2 > CELL_WISE * CELL_WISE, cells2, distances2)

    def _seen(self, cones: Sequence[Cone], origin: Vec3) -> NDArray[np.intp]:
        """The rows whose balls are before all planes of one of the views (15.1)."""
        centers, reach = self.centers - origin, -self.radii[:, None]
        seen = [(centers @ normals + offsets >= reach).all(axis=1) for normals, offsets in cones]
        return np.flatnonzero(np.logical_or.reduce(seen)) if seen else np.zeros(0, np.intp)


def middle_of(cell_id: int) -> Vec3:
    """The middle of a land cell, told from the corner of the world."""
    x, y = land_cell_column(cell_id) + 0.5, land_cell_row(cell_id) + 0.5
    return world_point(cell_id, (x * CELL_LENGTH, y * CELL_LENGTH, 0.0))


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
