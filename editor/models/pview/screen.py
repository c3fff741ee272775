"""The small screen of a frame: the polygons through which each cell is seen, and the chosen portal (rendering.md 5,
23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from editor.models.pview.frame_rows import Considered, numbers_of
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.visibility.camera import ZNEAR, Camera
from engine.visibility.frame import FrameResult
from engine.visibility.view import ScreenPoint, ViewPoly
from engine.world.cells.cell import EnvCell
from engine.world.cells.landdefs import block_offset
from engine.world.graph.graph import CellGraph

Points = tuple[tuple[float, float], ...]

SLACK: Final = 1e-9
"""Square pixels by which rounding may put a point outside of a polygon."""


class Role(Enum):
    """The kind of a shape on the small screen."""

    CELL = "cell"
    """A view polygon of a cell."""
    OUTSIDE = "outside"
    """A view of the landscape."""
    PIECE = "piece"
    """The part of the chosen portal that its cell's views leave."""
    OPENING = "opening"
    """The chosen portal as if nothing were in front of it."""


@dataclass(frozen=True, slots=True)
class ScreenShape:
    """A convex polygon in pixels of the picture. Cells have a number, `depth` and their index among the floods."""

    role: Role
    points: Points
    cell_id: int = 0
    number: int = 0
    depth: int = 0
    tone: str = ""
    solid: bool = True

    @property
    def area(self) -> float:
        return abs(_twice_area(self.points)) / 2.0

    @property
    def middle(self) -> tuple[float, float]:
        n = len(self.points)
        return (sum(x for x, _ in self.points) / n, sum(y for _, y in self.points) / n)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height."""
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return (max(xs) - min(xs), max(ys) - min(ys))

    def contains(self, x: float, y: float) -> bool:
        """Whether a point is inside, for either winding of the polygon."""
        turns = [
            (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            for (ax, ay), (bx, by) in zip(self.points, [*self.points[1:], self.points[0]], strict=True)
        ]
        return all(turn >= -SLACK for turn in turns) or all(turn <= SLACK for turn in turns)


def _twice_area(points: Points) -> float:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True))


@dataclass(frozen=True, slots=True)
class ScreenPicture:
    """All shapes of a frame, from the bottom to the top."""

    width: float
    height: float
    shapes: tuple[ScreenShape, ...] = ()

    def cell_at(self, x: float, y: float) -> int:
        """The cell seen at a pixel, that with the smallest view around it; 0 for none."""
        under = [shape for shape in self.shapes if shape.role is Role.CELL and shape.contains(x, y)]
        return min(under, key=lambda shape: shape.area).cell_id if under else 0

    def of_cell(self, cell_id: int) -> list[ScreenShape]:
        return [shape for shape in self.shapes if shape.role is Role.CELL and shape.cell_id == cell_id]


def screen_picture(frame: FrameResult, chosen: Considered | None, graph: CellGraph) -> ScreenPicture:
    """The views of all cells, of the landscape, and the chosen portal."""
    camera, numbers = frame.camera, numbers_of(frame)
    shapes: list[ScreenShape] = []
    for flood in frame.floods():
        for visible in flood.cells:
            for view in visible.views:
                points = _points(view)
                shapes.append(ScreenShape(Role.CELL, points, visible.cell_id, numbers[visible.cell_id], visible.depth))
    if frame.flood is not None:
        shapes += [ScreenShape(Role.OUTSIDE, _points(view)) for view in frame.flood.outside]
    if chosen is not None:
        shapes += _portal_shapes(chosen, camera, graph)
    return ScreenPicture(camera.width, camera.height, tuple(shapes))


def _points(view: ViewPoly) -> Points:
    return tuple(zip(view.xs, view.ys, strict=True))


def _portal_shapes(chosen: Considered, camera: Camera, graph: CellGraph) -> list[ScreenShape]:
    tone = chosen.sign.tone
    found: list[ScreenShape] = []
    whole = opening_on_screen(chosen, camera, graph)
    if whole:
        found.append(ScreenShape(Role.OPENING, whole, tone=tone, solid=False))
    for piece in chosen.pieces:
        if len(piece.points) >= 3 and all(point.w > 0.0 for point in piece.points):
            points = tuple((point.x / point.w, point.y / point.w) for point in piece.points)
            found.append(ScreenShape(Role.PIECE, points, tone=tone, solid=piece.view is not None))
    return found


def opening_on_screen(portal: Considered, camera: Camera, graph: CellGraph) -> Points:
    """A portal's whole polygon in pixels, also outside of the screen; empty when all of it is behind the eye."""
    polygon, frame = _polygon_of(portal, graph)
    if polygon is None:
        return ()
    dx, dy, dz = block_offset(camera.block_id, portal.owner)
    corners = [frame.local_to_global(corner) for corner in polygon.vertices]
    seen = [camera.project((x + dx, y + dy, z + dz)) for x, y, z in corners]
    return tuple((point.x / point.w, point.y / point.w) for point in _before_eye(seen))


def _polygon_of(portal: Considered, graph: CellGraph) -> tuple[Polygon | None, Frame]:
    building = portal.building
    if building is not None:
        return building.portals[portal.index].polygon, building.frame
    cell = graph.peek(portal.owner)
    if not isinstance(cell, EnvCell) or not 0 <= portal.index < len(cell.portals):
        return None, Frame()
    return cell.portals[portal.index].polygon, cell.frame


def _before_eye(points: Sequence[ScreenPoint]) -> list[ScreenPoint]:
    """The part of a polygon beyond the near plane."""
    kept: list[ScreenPoint] = []
    for a, b in zip(points, [*points[1:], *points[:1]], strict=True):
        if a.w >= ZNEAR:
            kept.append(a)
        if (a.w >= ZNEAR) != (b.w >= ZNEAR):
            t = (ZNEAR - a.w) / (b.w - a.w)
            kept.append(
                ScreenPoint(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, a.w + (b.w - a.w) * t)
            )
    return kept if len(kept) >= 3 else []
