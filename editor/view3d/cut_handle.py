"""The plane that cuts a dollhouse, in the picture: its outline, and the handle that drags it up and down."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, Signal

from editor.view3d.dollhouse import Bounds, DollhouseModel
from engine.geometry.vec import Vec3
from engine.render.overlays.geometry import Colour, OverlayGeometry, ScreenMesh, ScreenPolygon
from engine.render.overlays.palette import ACCENT, SELECTED, faint
from engine.render.overlays.sketch import Sketch
from engine.visibility.camera import Camera

SIZE: Final = 11.0
"""Window pixels from the middle of the handle to its tips."""
WIDTH: Final = 8.0
GRAB: Final = 16.0
"""Window pixels from its middle within which a click takes it."""
FINE: Final = 0.1
"""The share of the mouse's way that counts while Shift is held."""
OUT: Final = 0.6
"""Metres that the plane is wider than what it cuts."""


class CutHandle(QObject):
    """Drags the plane of a dollhouse. Pixels are those of the picture."""

    changed = Signal()

    def __init__(self, model: DollhouseModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._bounds: Bounds | None = None
        self._camera: Camera | None = None
        self._ratio = 1.0
        self._is_hovered = False
        self._drag: tuple[float, float] | None = None
        """While dragging, the mouse's height on the screen, and the height that the plane has without rounding."""
        self._before: float | None = None

    @property
    def is_dragging(self) -> bool:
        return self._drag is not None

    def show(self, bounds: Bounds | None, camera: Camera, ratio: float) -> OverlayGeometry:
        """The plane and its handle in a picture; `ratio` of its pixels make one of the window."""
        self._bounds, self._camera, self._ratio = bounds, camera, ratio
        found = OverlayGeometry()
        at = self._place()
        if bounds is None or at is None:
            return found
        if self._model.cut is not None:
            sketch = Sketch(self._block_id())
            corners = _corners(bounds, self._model.cut)
            sketch.loop(corners, faint(ACCENT, 0.9), 1.5, 0.35)
            if self.is_dragging:
                sketch.fill(corners, faint(ACCENT, 0.08), 0.0)
            found.add(sketch.geometry())
        found.screen_polygons.append(_disc(at, (SIZE + 4.0) * ratio))
        found.screen_meshes.append(_arrows(at, ratio, SELECTED if self._is_hovered or self.is_dragging else ACCENT))
        return found

    def hide(self) -> None:
        self._bounds = self._camera = self._drag = None
        self._is_hovered = False

    # --- the mouse

    def hover(self, x: float, y: float) -> bool:
        """Whether the handle is under the mouse."""
        hovered = self._is_at(x, y)
        if hovered != self._is_hovered:
            self._is_hovered = hovered
            self.changed.emit()
        return hovered

    def grab(self, x: float, y: float) -> bool:
        """Take the handle, if it is there."""
        if self._bounds is None or not self._is_at(x, y):
            return False
        self._before = self._model.cut
        self._drag = (y, self._height(self._bounds))
        self.changed.emit()
        return True

    def drag(self, y: float, fine: bool) -> None:
        """Move the plane as far as the mouse moved along the vertical."""
        if self._drag is None or self._bounds is None:
            return
        last, height = self._drag
        metres = (last - y) * self._metres_per_pixel() * (FINE if fine else 1.0)
        height = min(max(height + metres, self._bounds[0][2]), self._bounds[1][2] + 1.0)
        self._drag = (y, height)
        self._model.cut_at(self._model.clamped(height, self._bounds))

    def release(self) -> None:
        self._drag = None
        self.changed.emit()

    def cancel(self) -> bool:
        """Put the plane back; false when it is not dragged."""
        if self._drag is None:
            return False
        self._drag = None
        self._model.cut_at(self._before)
        self.changed.emit()
        return True

    def place(self) -> tuple[float, float] | None:
        """The middle of the handle in the picture; None while it is not shown."""
        return self._place()

    # --- where

    def _block_id(self) -> int:
        return self._model.session.landblock_id or 0

    def _height(self, bounds: Bounds) -> float:
        return bounds[1][2] if self._model.cut is None else min(self._model.cut, bounds[1][2])

    def _anchor(self, bounds: Bounds, height: float) -> Vec3 | None:
        """The corner of the plane that is farthest to the right in the picture."""
        placed = [(self._pixel(corner), corner) for corner in _corners(bounds, height)]
        seen = [(pixel[0], corner) for pixel, corner in placed if pixel is not None]
        return max(seen)[1] if seen else None

    def _place(self) -> tuple[float, float] | None:
        """On the corner, or at the edge of the picture nearest to it."""
        bounds, camera = self._bounds, self._camera
        anchor = None if bounds is None else self._anchor(bounds, self._height(bounds))
        pixel = None if anchor is None else self._pixel(anchor)
        if pixel is None or camera is None:
            return None
        edge = 3.0 * SIZE * self._ratio
        return (
            min(max(pixel[0], edge), camera.width - edge),
            min(max(pixel[1], 2.0 * edge), camera.height - 2.0 * edge),
        )

    def _pixel(self, point: Vec3) -> tuple[float, float] | None:
        camera = self._camera
        if camera is None:
            return None
        ex, ey, ez = camera.eye_in(self._block_id())
        seen = camera.project_offset(point[0] - ex, point[1] - ey, point[2] - ez)
        return None if seen.w <= 0.0 else (seen.x / seen.w, seen.y / seen.w)

    def _metres_per_pixel(self) -> float:
        """Metres up for each pixel up, at the handle; from straight above as if from aside."""
        bounds, camera = self._bounds, self._camera
        if bounds is None or camera is None:
            return 0.0
        anchor = self._anchor(bounds, self._height(bounds))
        if anchor is None:
            return 0.0
        distance = math.dist(anchor, camera.eye_in(self._block_id()))
        level = max(math.sqrt(max(1.0 - camera.forward[2] ** 2, 0.0)), 0.35)
        return distance / camera.focal / level

    def _is_at(self, x: float, y: float) -> bool:
        at = self._place()
        return at is not None and math.dist(at, (x, y)) <= GRAB * self._ratio


def _corners(bounds: Bounds, height: float) -> list[Vec3]:
    (x0, y0, _), (x1, y1, _) = bounds
    return [
        (x0 - OUT, y0 - OUT, height),
        (x1 + OUT, y0 - OUT, height),
        (x1 + OUT, y1 + OUT, height),
        (x0 - OUT, y1 + OUT, height),
    ]


def _disc(at: tuple[float, float], radius: float) -> ScreenPolygon:
    turns = [math.tau * part / 24 for part in range(24)]
    points = tuple((at[0] + math.cos(turn) * radius, at[1] + math.sin(turn) * radius) for turn in turns)
    return ScreenPolygon(points, (0, 0, 0, 0), (18, 20, 23, 205))


def _arrows(at: tuple[float, float], ratio: float, colour: Colour) -> ScreenMesh:
    """A triangle up and one down."""
    x, y = at
    tip, side, gap = SIZE * ratio, WIDTH * ratio, 2.5 * ratio
    points = [
        [(x, y - tip), (x - side, y - gap), (x + side, y - gap)],
        [(x, y + tip), (x + side, y + gap), (x - side, y + gap)],
    ]
    return ScreenMesh(np.array(points, np.float64), np.full((2, 3, 4), colour, np.uint8))
