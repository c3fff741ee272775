"""Polygons that were clipped on the screen: the marks of views in the stencil, and punches and seals in the depth
(rendering.md 14.3, 14.4)."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.render.gl import api
from engine.render.gl.programs import Program
from engine.render.gl.uploads.buffers import Stream
from engine.visibility.camera import Camera
from engine.visibility.records import PortalPiece
from engine.visibility.view import ScreenPoint, ViewPoly

FAR_PUNCH: Final = 0.99999899
"""The depth that a punched opening gets (2.4)."""

GROWTH: Final = 1.0
"""Pixels that a view is marked beyond its border: it may be that much smaller than the opening is (14.4)."""
LONGEST_TIP: Final = 4.0
"""Times the growth: how far a sharp corner may be moved."""

COVER: Final = 0x80
"""The bit of the stencil that says that something has been drawn; the others are marks."""
MARKS: Final = 0x7F
LAST_MARK: Final = MARKS
"""The marks are cleared before the next one."""

SEAL_OFFSET: Final = 1.0
"""Factor and units by which a seal between rooms is pushed away from the eye, so that a door's leaf in it stays."""

NO_MARK: Final = 0
"""Not confined at all."""
UNCOVERED: Final = -1
"""The stencil bit of pixels without a cover."""

Corner = tuple[float, float, float]


EVERYTHING: Final[Sequence[Corner]] = ((-1.0, -1.0, 1.0), (1.0, -1.0, 1.0), (1.0, 1.0, 1.0), (-1.0, 1.0, 1.0))
"""The viewport at the far end of depth."""


class Screen:
    """Draws them. Between its calls colour and depth are written, and the stencil is not."""

    def __init__(self) -> None:
        self._stream = Stream("polygons of the screen")
        self._program: Program | None = None
        self._vertex_array = 0
        self._across = 0.0
        self._down = 0.0
        self._mark = 0
        self._in_gaps = False
        self._query = 0
        self.calls = 0

    def begin(self, camera: Camera) -> None:
        """For a frame; its stencil has been cleared."""
        self._across, self._down = 2.0 / camera.width, 2.0 / camera.height
        self._mark = 0
        self._in_gaps = False
        if self._program is None:
            self._program = Program(("screen.vert", "screen.frag"))

    # --- the stencil

    def mark(self, views: Sequence[ViewPoly]) -> int:
        """Give the pixels of these views a new value in the stencil, and return it."""
        with api.doing("marking views"):
            self._mark += 1
            if self._mark > LAST_MARK:
                api.stencil_mask(MARKS)
                api.clear(api.STENCIL_BUFFER_BIT)
                self._mark = 1
            api.enable(api.STENCIL_TEST)
            if self._in_gaps:
                api.stencil_func(api.EQUAL, self._mark, COVER)  # whose bit no mark has
            else:
                api.stencil_func(api.ALWAYS, self._mark, 0xFF)
            api.stencil_op(api.KEEP, api.KEEP, api.REPLACE)
            api.stencil_mask(MARKS)
            self._fill_stencil([self._grown(view) for view in views])
        return self._mark

    def cover(self, views: Sequence[ViewPoly]) -> None:
        """Note that the pixels of these views are drawn."""
        with api.doing("covering views"):
            self.confine(NO_MARK, covering=True)
            self._fill_stencil([self._corners(view.xs, view.ys) for view in views])

    def _fill_stencil(self, fans: Sequence[Sequence[Corner]]) -> None:
        api.disable(api.DEPTH_TEST)  # and with it depth writes
        self._without_colour(fans)
        api.enable(api.DEPTH_TEST)
        self.confine(NO_MARK)

    def confine(self, mark: int, covering: bool = False) -> None:
        """Confine the following draws to this mark, or to nothing for NO_MARK. `covering` marks the pixels they
        draw."""
        api.stencil_mask(COVER if covering else 0)
        if self._in_gaps and mark == NO_MARK:
            mark = UNCOVERED
        if mark == NO_MARK and not covering:
            api.disable(api.STENCIL_TEST)
            return
        api.enable(api.STENCIL_TEST)
        if mark == NO_MARK:
            api.stencil_func(api.ALWAYS, COVER, 0xFF)
        elif mark == UNCOVERED:
            api.stencil_func(api.EQUAL, 0, COVER)
        elif self._in_gaps:
            api.stencil_func(api.EQUAL, mark, 0xFF)
        else:
            api.stencil_func(api.EQUAL, mark | COVER, MARKS)
        api.stencil_op(api.KEEP, api.KEEP, api.REPLACE if covering else api.KEEP)

    def has_gaps(self) -> bool:
        """Whether there are pixels without a cover. All pending draws must be drawn first."""
        with api.doing("looking for gaps"):
            if not self._query:
                self._query = api.make(api.gen_queries)
            self.confine(UNCOVERED)
            api.disable(api.DEPTH_TEST)
            api.begin_query(api.ANY_SAMPLES_PASSED, self._query)
            self._without_colour([EVERYTHING])
            api.end_query(api.ANY_SAMPLES_PASSED)
            api.enable(api.DEPTH_TEST)
            self.confine(NO_MARK)
            found = (ctypes.c_uint * 1)()
            api.get_query_object(self._query, api.QUERY_RESULT, found)
        return bool(found[0])

    def into_gaps(self, begin: bool) -> None:
        """Confine all following draws, marks included, to pixels without a cover; or stop doing so."""
        self._in_gaps = begin
        self.confine(NO_MARK)

    @property
    def is_in_gaps(self) -> bool:
        return self._in_gaps

    # --- depth

    def clear_depth(self, mark: int) -> None:
        """Set the depth to the farthest where a mark is."""
        self.confine(mark)
        with api.doing("clearing depth"):
            api.depth_func(api.ALWAYS)
            self._without_colour([EVERYTHING])
            api.depth_func(api.LESS)

    def punch(self, pieces: Sequence[PortalPiece]) -> None:
        """Set the depth of openings to the far one, whatever was there."""
        far = 2.0 * FAR_PUNCH - 1.0
        with api.doing("punching openings"):
            api.depth_func(api.ALWAYS)
            self._without_colour([[(*self._place(p), far) for p in piece.points] for piece in pieces])
            api.depth_func(api.LESS)

    def seal(self, pieces: Sequence[PortalPiece]) -> None:
        """Give exits the depth of their own planes; the depth buffer was cleared just before (11.2)."""
        with api.doing("sealing exits"):
            api.depth_func(api.ALWAYS)
            self._clamped(pieces)
            api.depth_func(api.LESS)

    def seal_between(self, pieces: Sequence[PortalPiece]) -> None:
        """The same between two rooms: what stands in the opening and is nearer stays (14.5)."""
        if not pieces:
            return
        with api.doing("sealing a portal"):
            api.depth_func(api.LESS)
            api.enable(api.POLYGON_OFFSET_FILL)
            api.polygon_offset(SEAL_OFFSET, SEAL_OFFSET)
            self._clamped(pieces)
            api.disable(api.POLYGON_OFFSET_FILL)
            api.depth_func(api.LESS)

    def _clamped(self, pieces: Sequence[PortalPiece]) -> None:
        """Geometry nearer than the near plane gets the nearest depth instead of being cut off."""
        api.enable(api.DEPTH_CLAMP)
        self._without_colour([[(*self._place(p), p.z / p.w) for p in piece.points] for piece in pieces])
        api.disable(api.DEPTH_CLAMP)

    # --- drawing

    def fill_everything(self, colour: tuple[float, float, float]) -> None:
        """The whole viewport in one colour at the far end of depth, where nothing has been drawn yet."""
        with api.doing("filling the sky"):
            self._fans([EVERYTHING], (*colour, 1.0))

    def _without_colour(self, fans: Sequence[Sequence[Corner]]) -> None:
        api.color_mask(api.FALSE, api.FALSE, api.FALSE, api.FALSE)
        self._fans(fans, (0.0, 0.0, 0.0, 0.0))
        api.color_mask(api.TRUE, api.TRUE, api.TRUE, api.TRUE)

    def _fans(self, fans: Sequence[Sequence[Corner]], colour: tuple[float, float, float, float]) -> None:
        """Convex polygons in normalised device coordinates, of either winding."""
        if self._program is None or not fans:
            return
        if not self._vertex_array:
            self._vertex_array = api.make(api.gen_vertex_arrays)
        api.bind_vertex_array(self._vertex_array)
        self._stream.send(np.array([corner for fan in fans for corner in fan], np.float32))
        api.enable_vertex_attrib_array(0)
        api.vertex_attrib_pointer(0, 3, api.FLOAT, api.FALSE, 12, api.offset(0))
        self._program.use()
        api.uniform_4f(self._program.place("fill"), *colour)
        api.disable(api.CULL_FACE)
        first = 0
        for fan in fans:
            api.draw_arrays(api.TRIANGLE_FAN, first, len(fan))
            first += len(fan)
        api.enable(api.CULL_FACE)
        self.calls += len(fans)

    def _place(self, point: ScreenPoint) -> tuple[float, float]:
        return (point.x / point.w * self._across - 1.0, 1.0 - point.y / point.w * self._down)

    def _grown(self, view: ViewPoly) -> list[Corner]:
        return self._corners(*zip(*grown(view.xs, view.ys, GROWTH), strict=True))

    def _corners(self, xs: Sequence[float], ys: Sequence[float]) -> list[Corner]:
        across, down = self._across, self._down
        return [(x * across - 1.0, 1.0 - y * down, 0.0) for x, y in zip(xs, ys, strict=True)]

    def invalidate(self) -> None:
        """The context is gone."""
        self._program = None
        self._vertex_array = 0
        self._query = 0
        self._stream.invalidate()

    def close(self) -> None:
        with api.doing("giving polygons of the screen back"):
            if self._vertex_array:
                api.drop(api.delete_vertex_arrays, self._vertex_array)
            if self._query:
                api.drop(api.delete_queries, self._query)
        if self._program is not None:
            self._program.close()
        self._stream.close()
        self.invalidate()


def grown(xs: Sequence[float], ys: Sequence[float], by: float) -> list[tuple[float, float]]:
    """A convex polygon, counter-clockwise as seen with y down, with its edges moved outwards."""
    count = len(xs)
    normals: list[tuple[float, float]] = []
    for i in range(count):
        ex, ey = xs[(i + 1) % count] - xs[i], ys[(i + 1) % count] - ys[i]
        size = math.hypot(ex, ey)
        normals.append((-ey / size, ex / size) if size > 0.0 else (0.0, 0.0))
    corners: list[tuple[float, float]] = []
    for i in range(count):
        (ax, ay), (bx, by_) = normals[i - 1], normals[i]
        # The two moved edges meet along the sum of their normals, farther out the sharper the corner is.
        tip = by / max(1.0 + ax * bx + ay * by_, 2.0 / (LONGEST_TIP * LONGEST_TIP))
        corners.append((xs[i] + (ax + bx) * tip, ys[i] + (ay + by_) * tip))
    return corners
