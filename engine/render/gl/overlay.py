"""Inspector overlays over a finished picture: lines and triangles in the world, polygons on the screen
(rendering.md 23). Labels are text, which the window writes itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.render.gl import api
from engine.render.gl.programs import Program
from engine.render.gl.uniforms import clip_matrix
from engine.render.gl.uploads.buffers import Stream
from engine.render.overlays.geometry import Lines, OverlayGeometry, ScreenPolygon, Triangles
from engine.visibility.camera import ZFAR, ZNEAR, Camera

VERTEX: Final = np.dtype([("place", np.float32, 4), ("paint", np.uint8, 4)])

NEARER: Final = 0.998
"""A factor on their distance: overlays on a surface are drawn a little in front of it."""

STROKES: Final = 8.0
"""Pixels between the strokes of a hatched polygon."""
DOT: Final = 2.5
"""Half the side of the square that marks a corner, in pixels."""

CASING_OPACITY: Final = 0.8
GAMMA: Final = 2.2
LUMINANCE: Final = np.array([0.2126, 0.7152, 0.0722])
MIDDLE: Final = 0.18
"""The luminance that has the same contrast to black and to white (WCAG 2: 4.6 to 1)."""


class OverlayDrawer:
    """Draws overlays onto the framebuffer, whose depth decides where they are hidden."""

    def __init__(self) -> None:
        self._stream = Stream("overlays")
        self._thin: Program | None = None
        self._wide: Program | None = None
        self._vertex_array = 0

    def draw(self, geometry: OverlayGeometry, camera: Camera) -> None:
        if geometry.is_empty:
            return
        with api.doing("drawing overlays"):
            self._begin()
            matrix = clip_matrix(camera).astype(np.float64)
            for triangles in geometry.triangles:
                vertices = _vertices(_clip_space(triangles, camera, matrix), np.repeat(triangles.colours, 3, axis=0))
                self._in_depth(vertices, api.TRIANGLES, triangles.hidden, camera, 0.0)
            self._lines(geometry.lines, camera, matrix)
            api.disable(api.DEPTH_TEST)
            for polygon in geometry.screen_polygons:
                self._polygon(polygon, camera)
            for mesh in geometry.screen_meshes:
                places = _on_screen(mesh.points.reshape(-1, 2), camera)
                self._call(_vertices(places, mesh.colours.reshape(-1, 4)), api.TRIANGLES, camera, 0.0)
            self._end()

    def _begin(self) -> None:
        if self._thin is None or self._wide is None:
            self._thin = Program(("overlay.vert", "overlay.frag"))
            self._wide = Program(("overlay.vert", "overlay.geom", "overlay.frag"), ("WIDE",))
        if not self._vertex_array:
            self._vertex_array = api.make(api.gen_vertex_arrays)
        api.bind_vertex_array(self._vertex_array)
        api.enable_vertex_attrib_array(0)
        api.enable_vertex_attrib_array(1)
        api.enable(api.BLEND)
        api.blend_func_separate(api.SRC_ALPHA, api.ONE_MINUS_SRC_ALPHA, api.ZERO, api.ONE)
        api.depth_mask(api.FALSE)
        api.disable(api.CULL_FACE)

    @staticmethod
    def _end() -> None:
        api.enable(api.DEPTH_TEST)
        api.depth_func(api.LEQUAL)
        api.enable(api.CULL_FACE)
        api.depth_mask(api.TRUE)
        api.disable(api.BLEND)

    def _lines(self, batches: Sequence[Lines], camera: Camera, matrix: NDArray[np.float64]) -> None:
        """All casings come first: none crosses a line."""
        placed = [(lines, _clip_space(lines, camera, matrix)) for lines in batches]
        for lines, places in placed:
            if lines.casing > 0.0:
                vertices = _vertices(places, np.repeat(casing_colours(lines.colours), 2, axis=0))
                self._in_depth(vertices, api.LINES, lines.hidden, camera, lines.width + 2.0 * lines.casing)
        for lines, places in placed:
            vertices = _vertices(places, np.repeat(lines.colours, 2, axis=0))
            self._in_depth(vertices, api.LINES, lines.hidden, camera, lines.width)

    def _in_depth(self, vertices: NDArray[np.void], mode: int, hidden: float, camera: Camera, width: float) -> None:
        """Draw at full strength where nothing is in front, and fainter elsewhere."""
        if hidden >= 1.0:
            api.disable(api.DEPTH_TEST)
            self._call(vertices, mode, camera, width, 1.0)
            return
        api.enable(api.DEPTH_TEST)
        api.depth_func(api.LEQUAL)
        self._call(vertices, mode, camera, width, 1.0)
        if hidden > 0.0:
            api.depth_func(api.GREATER)
            self._call(vertices, mode, camera, width, hidden)

    def _polygon(self, polygon: ScreenPolygon, camera: Camera) -> None:
        corners = np.array(polygon.points, np.float64)
        if len(corners) < 3:
            return
        places = _on_screen(corners, camera)
        if polygon.fill[3]:
            fan = np.array([[0, i, i + 1] for i in range(1, len(corners) - 1)]).reshape(-1)
            filled = _vertices(places[fan], _repeated(polygon.fill, len(fan)))
            self._call(filled, api.TRIANGLES, camera, 0.0, 1.0, STROKES if polygon.hatched else 0.0)
        if polygon.line[3]:
            ring = np.array([[i, (i + 1) % len(corners)] for i in range(len(corners))]).reshape(-1)
            line = _repeated(polygon.line, len(ring))
            if polygon.casing > 0.0:
                wide = polygon.width + 2.0 * polygon.casing
                self._call(_vertices(places[ring], casing_colours(line)), api.LINES, camera, wide)
            self._call(_vertices(places[ring], line), api.LINES, camera, polygon.width)
            if polygon.vertices:
                square = np.array([(-DOT, -DOT), (DOT, -DOT), (DOT, DOT), (-DOT, -DOT), (DOT, DOT), (-DOT, DOT)])
                dots = (corners[:, None, :] + square[None, :, :]).reshape(-1, 2)
                marked = _vertices(_on_screen(dots, camera), _repeated(polygon.line, len(dots)))
                self._call(marked, api.TRIANGLES, camera, 0.0)

    def _call(
        self,
        vertices: NDArray[np.void],
        mode: int,
        camera: Camera,
        width: float,
        strength: float = 1.0,
        hatching: float = 0.0,
    ) -> None:
        program = self._wide if mode == api.LINES else self._thin
        if program is None or not len(vertices):
            return
        self._stream.send(vertices)
        api.vertex_attrib_pointer(0, 4, api.FLOAT, api.FALSE, VERTEX.itemsize, api.offset(0))
        api.vertex_attrib_pointer(1, 4, api.UNSIGNED_BYTE, api.TRUE, VERTEX.itemsize, api.offset(16))
        program.use()
        api.uniform_1f(program.place("strength"), strength)
        api.uniform_1f(program.place("hatching"), hatching)
        if mode == api.LINES:
            api.uniform_2f(program.place("half_width"), width / camera.width, width / camera.height)
        api.draw_arrays(mode, 0, len(vertices))

    def invalidate(self) -> None:
        """The context is gone."""
        self._thin = self._wide = None
        self._vertex_array = 0
        self._stream.invalidate()

    def close(self) -> None:
        with api.doing("giving overlays back"):
            if self._vertex_array:
                api.drop(api.delete_vertex_arrays, self._vertex_array)
        for program in (self._thin, self._wide):
            if program is not None:
                program.close()
        self._stream.close()
        self.invalidate()


def casing_colours(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Black along bright lines and white along dark ones, nearly as opaque as the lines are."""
    linear = (colours[:, :3] / 255.0) ** GAMMA
    cased = np.where((linear @ LUMINANCE > MIDDLE)[:, None], np.uint8(0), np.uint8(255)).astype(np.uint8)
    opacity = np.rint(colours[:, 3:] * CASING_OPACITY).astype(np.uint8)
    return np.concatenate([np.broadcast_to(cased, (len(colours), 3)), opacity], axis=1)


def _vertices(places: NDArray[np.float64], colours: NDArray[np.uint8]) -> NDArray[np.void]:
    vertices = np.zeros(len(places), VERTEX)
    vertices["place"] = places
    vertices["paint"] = colours
    return vertices


def _repeated(colour: tuple[int, int, int, int], count: int) -> NDArray[np.uint8]:
    return np.tile(np.array(colour, np.uint8), (count, 1))


def _clip_space(batch: Lines | Triangles, camera: Camera, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The batch's points, a little nearer in depth."""
    relative = batch.points.reshape(-1, 3) - np.array(camera.eye_in(batch.block_id))
    places: NDArray[np.float64] = relative @ matrix[:3] + matrix[3]
    w = places[:, 3]
    near = np.where(w > 0.0, w * NEARER, w)
    scale, shift = (ZFAR + ZNEAR) / (ZFAR - ZNEAR), 2.0 * ZFAR * ZNEAR / (ZFAR - ZNEAR)
    places[:, 2] = np.where(w > 0.0, (scale * near - shift) / NEARER, places[:, 2])
    return places


def _on_screen(points: NDArray[np.float64], camera: Camera) -> NDArray[np.float64]:
    """Pixels in clip space."""
    places = np.zeros((len(points), 4))
    places[:, 0] = points[:, 0] * 2.0 / camera.width - 1.0
    places[:, 1] = 1.0 - points[:, 1] * 2.0 / camera.height
    places[:, 3] = 1.0
    return places
