"""Terrain in OpenGL: one buffer for all landblocks, the ground's textures and masks in an array each (rendering.md
19).

A land cell is drawn by the program for its number of layers: sampling dominates a picture's cost, and a program for
five layers samples eleven times even where only one shows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.render.draws import TerrainDraw
from engine.render.gl import api
from engine.render.gl.programs import MASKS_UNIT, PICTURES_UNIT, PLACES_UNIT, SAMPLERS, Program
from engine.render.gl.uploads.buffers import Mirror, Space
from engine.render.gl.uploads.tables import Table, place_row
from engine.render.gl.uploads.textures import PictureArray
from engine.render.gl.uploads.things import eight_bits
from engine.visibility.events import LandCellVisit

VERTEX: Final = np.dtype(
    [
        ("position", np.float32, 3),
        ("normal", np.float32, 3),
        ("uv", np.float32, 2),
        ("place", np.int32),
        ("base", np.int32),
        ("pictures", np.int16, 4),
        ("masks", np.int16, 4),
        ("last", np.int16, 2),
        ("paint", np.uint8, 4),
    ]
)
PER_CELL: Final = 6
OVERLAYS: Final = 3
ROADS: Final = 2
MOST_LAYERS: Final = OVERLAYS + ROADS
PLAIN: Final = -1
"""In place of a number of layers: there are no textures, vertices have colours."""


class Look(Protocol):
    """The part of `engine.render.terrain.TerrainLook` that uploads need."""

    textures: list[NDArray[np.uint8] | None]
    filled: list[int]
    tiling: NDArray[np.float32]
    masks: NDArray[np.uint8]
    size: int
    capacity: int


class Plot:
    """A landblock's terrain in the buffer; `layers` has a number for each of its 64 cells, or of fewer squares."""

    __slots__ = ("draw", "first", "layers", "place")

    def __init__(self, draw: TerrainDraw, place: int, first: int, layers: list[int]) -> None:
        self.draw = draw
        self.place = place
        self.first = first
        self.layers = layers


class TerrainUploads:
    """All terrain that was uploaded, by landblock."""

    def __init__(self, places: Table, look: Look | None) -> None:
        self.plots: dict[int, Plot] = {}
        self.vertices = Mirror("terrain", api.ARRAY_BUFFER, VERTEX)
        self.pictures: PictureArray | None = None
        self.masks: PictureArray | None = None
        self._places = places
        self._look = look
        self._space = Space()
        self._programs: dict[tuple[int, bool], Program] = {}
        self._tiled: set[tuple[int, bool]] = set()
        """The programs that know how often all pictures repeat."""
        self._vertex_array = 0
        if look is not None and len(look.masks):
            self.pictures = PictureArray(look.size, look.size)
            self.masks = PictureArray(look.masks.shape[2], look.masks.shape[1], channels=1)
            for mask in look.masks:
                self.masks.add(mask)
        self._layer_of: dict[int, int] = {}

    # --- adding and removing

    def set(self, block_id: int, draw: TerrainDraw | None) -> None:
        """The terrain of a landblock is now this one, or none."""
        old = self.plots.get(block_id)
        if old is not None and old.draw is draw:
            return
        if draw is None:
            if old is not None:
                del self.plots[block_id]
                self._places.give(old.place)
                self._space.give(old.first, len(old.draw.positions))
            return
        self._add_pictures()
        place = self._places.take() if old is None else old.place
        first = self._room(old, len(draw.positions))
        self._places.write(place, place_row(draw.block_id, Frame()))
        vertices, layers = self._vertices(draw, place)
        self.vertices.write(first, vertices)
        self.plots[block_id] = Plot(draw, place, first, layers)

    def _room(self, old: Plot | None, count: int) -> int:
        """Allocate space for this many vertices in place of the old ones."""
        if old is not None and len(old.draw.positions) == count:
            return old.first
        if old is not None:
            self._space.give(old.first, len(old.draw.positions))
        return self._space.take(count)

    def keep(self, wanted: Callable[[int], bool]) -> None:
        """Release landblocks that are no longer wanted."""
        for block_id in [block_id for block_id in self.plots if not wanted(block_id)]:
            self.set(block_id, None)

    def _add_pictures(self) -> None:
        """Textures that the look has read since the last time."""
        if self._look is not None and self.pictures is not None:
            for layer in self._look.filled[len(self._layer_of) :]:
                pixels = self._look.textures[layer]
                assert pixels is not None
                self._layer_of[layer] = self.pictures.add(pixels)
                self._tiled.clear()

    def _vertices(self, draw: TerrainDraw, place: int) -> tuple[NDArray[np.void], list[int]]:
        count = len(draw.positions)
        vertices = np.zeros(count, VERTEX)
        vertices["position"] = draw.positions
        vertices["normal"] = draw.normals
        vertices["uv"] = draw.uvs
        vertices["place"] = place
        vertices["paint"][:, :3] = eight_bits(draw.colours)
        if draw.layers is None or self.pictures is None:
            return vertices, [PLAIN] * (count // PER_CELL)
        counts: list[int] = []
        for start in range(0, count, PER_CELL):
            base, over = self._layers(draw.layers[start])
            own = vertices[start : start + PER_CELL]
            counts.append(len(over))
            over = (over + [(0, 0)] * MOST_LAYERS)[:MOST_LAYERS]
            own["base"] = base
            own["pictures"] = [picture for picture, _ in over[:4]]
            own["masks"] = [mask for _, mask in over[:4]]
            own["last"] = over[4]
        return vertices, counts

    def _layers(self, row: NDArray[np.int16]) -> tuple[int, list[tuple[int, int]]]:
        """The layers in a row of `TerrainDraw.layers`: the base and, from bottom to top, picture and mask of each
        overlay."""
        base, *rest = (int(value) for value in row)
        over = [(rest[i], rest[OVERLAYS + i]) for i in range(OVERLAYS)]
        over += [(rest[8], rest[6 + i]) for i in range(ROADS)]
        own = self._layer_of
        return own[base], [(own[picture], mask) for picture, mask in over if picture >= 0 and mask >= 0]

    # --- drawing

    def _bind(self) -> None:
        """Send what changed and draw from it."""
        if self.pictures is not None and self.masks is not None:
            self.pictures.upload()
            self.masks.upload()
        self._places.bind(PLACES_UNIT)
        renewed = self.vertices.upload()
        if not self._vertex_array:
            self._vertex_array = api.make(api.gen_vertex_arrays)
            renewed = True
        api.bind_vertex_array(self._vertex_array)
        if renewed:
            self._point()

    def _point(self) -> None:
        api.bind_buffer(api.ARRAY_BUFFER, self.vertices.buffer)
        size = VERTEX.itemsize
        fields = VERTEX.fields
        assert fields is not None
        for number, (name, count) in enumerate((("position", 3), ("normal", 3), ("uv", 2))):
            api.enable_vertex_attrib_array(number)
            at = api.offset(fields[name][1])
            api.vertex_attrib_pointer(number, count, api.FLOAT, api.FALSE, size, at)
        whole = ((3, "place", 2, api.INT), (4, "pictures", 4, api.SHORT), (5, "masks", 4, api.SHORT))
        for number, name, count, kind in (*whole, (6, "last", 2, api.SHORT)):
            api.enable_vertex_attrib_array(number)
            api.vertex_attrib_i_pointer(number, count, kind, size, api.offset(fields[name][1]))
        api.enable_vertex_attrib_array(7)
        at = api.offset(fields["paint"][1])
        api.vertex_attrib_pointer(7, 3, api.UNSIGNED_BYTE, api.TRUE, size, at)

    def draw(self, cells: Iterable[LandCellVisit], heights: tuple[float, float] | None = None) -> None:
        """The terrain of land cells, in the given order among cells of equally many layers; that between two
        `heights` from the eye alone, for whose planes the caller enables clipping."""
        firsts: defaultdict[int, list[int]] = defaultdict(list)
        plots = self.plots
        for cell in cells:
            plot = plots.get(cell.block_id)
            if plot is not None:
                number = cell.number
                firsts[plot.layers[number]].append(plot.first + PER_CELL * number)
        if not firsts:
            return
        with api.doing("drawing terrain"):
            self._bind()
            for layers, starts in firsts.items():
                program = self._use(layers, heights is not None)
                if heights is not None:
                    api.uniform_2f(program.place("heights"), *heights)
                count = len(starts)
                sizes = np.full(count, PER_CELL, np.int32)
                api.multi_draw_arrays(api.TRIANGLES, np.array(starts, np.int32), sizes, count)

    def _use(self, layers: int, is_cut: bool) -> Program:
        key = (layers, is_cut)
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = self._make_program(layers, is_cut)
        program.use()
        if self._look is None or self.pictures is None or self.masks is None:
            return program
        if key not in self._tiled:
            self._tiled.add(key)
            tilings = np.ones(self._look.capacity, np.float32)
            for layer, own in self._layer_of.items():
                tilings[own] = self._look.tiling[layer]
            api.uniform_1fv(program.place("tilings"), len(tilings), tilings)
        api.active_texture(api.TEXTURE0 + PICTURES_UNIT)
        api.bind_texture(api.TEXTURE_2D_ARRAY, self.pictures.texture)
        api.active_texture(api.TEXTURE0 + MASKS_UNIT)
        api.bind_texture(api.TEXTURE_2D_ARRAY, self.masks.texture)
        return program

    def _make_program(self, layers: int, is_cut: bool) -> Program:
        files = ("view.glsl", "ground.vert", "ground.frag")
        cut = ("CUT",) if is_cut else ()
        if layers == PLAIN or self._look is None:
            return Program(files, ("PLAIN", *cut), SAMPLERS)
        return Program(files, (f"LAYERS {layers}", f"TILINGS {self._look.capacity}", *cut), SAMPLERS)

    def invalidate(self) -> None:
        """The context is gone; everything is sent again at the next `bind`."""
        self._vertex_array = 0
        self._programs.clear()
        self._tiled.clear()
        self.vertices.invalidate()
        for array in (self.pictures, self.masks):
            if array is not None:
                array.invalidate()

    def close(self) -> None:
        with api.doing("giving terrain back"):
            for program in self._programs.values():
                program.close()
            if self._vertex_array:
                api.drop(api.delete_vertex_arrays, self._vertex_array)
        self.vertices.close()
        for array in (self.pictures, self.masks):
            if array is not None:
                array.close()
        self._vertex_array = 0
