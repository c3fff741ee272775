"""The ground of a landblock as it is drawn: 64 land cells of six vertices, their blended layers, and the textures of
all ground in the world (rendering.md 19).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dat.records import Region, RenderSurface, SurfaceTexture
from engine.render.draws import DetailTexture, TerrainDraw
from engine.render.materials import argb, checker
from engine.world.cells.ids import cell_text
from engine.world.cells.terrain import SQUARES, Terrain, road_code, terrain_type
from engine.world.faults import REGION, SURFACE, TERRAIN, Fault, Severity, WorldError
from engine.world.source import SurfaceImage
from engine.world.terrain_blend import (
    ALL_CORNERS,
    CORNER_UVS,
    ROAD_STRIPS,
    ROAD_TERRAIN,
    BlendMaps,
    CellBlend,
    Mask,
    TerrainOverlay,
    cell_pcode,
    choose_layers,
    choose_overlay_mask,
    choose_road_mask,
    pcode_roads,
    pcode_types,
)
from engine.world.terrain_mesh import corners_left, terrain_mesh
from engine.world.world import World

REGION_ID: Final = 0x13000000

SINK: Final = 0.01
"""Metres that every vertex is drawn lower, so that floors and props win (19.4)."""

NONE: Final = -1
COLUMNS: Final = 12
"""The columns of `TerrainDraw.layers`."""

VERTICES_PER_CELL: Final = 6
LARGEST_TEXTURE: Final = 512
LARGEST_MASK: Final = 256

ROAD_TAN: Final = (0.62, 0.52, 0.38)
ROAD_SHARE: Final = 0.6
"""The colour of roads in the simple fallback (19.3)."""

PLAIN_COLOURS: Final = (
    "8a8378 5c8040 cedee8 467a32 56603c 624c36 34323a 8a7050 7e6e4a 76824a ccb87e aca696 a89674 92806a 827a66 eef0f4 "
    "3a6282 365c76 407a8e 3c7088 203e60 525430 3a6282 466c54 9c6046 4a3a34 60382c a0c8e2 587442 3c5632 5c5260 6e6254"
)
"""The colours of the terrain types 0 to 31 in a world without a region."""


def detail_texture(world: World, region: Region) -> DetailTexture | None:
    """The region's: the first that its terrain descriptions have (dat-format.md 3.12)."""
    for look in region.terrain_textures.descriptions:
        image = world.texture_image(look.detail_texture_id) if look.detail_texture_id else None
        if image is not None and image.pixels is not None:
            return DetailTexture(image.pixels, float(max(look.detail_tiling, 1)))
    return None


class TerrainLook:
    """The textures and masks of a world's ground: layers of one array each, all of one size.

    Textures are read when ground that needs them is first drawn: `filled` lists the layers in the order of their
    loading, so after uploading n of them, upload `filled[n:]` next. `tiling` is the number of repeats along a land
    cell, by layer. Masks are there from the start; 255 keeps the layer below.
    """

    def __init__(self, world: World, region: Region, faults: list[Fault]) -> None:
        self._world = world
        self._region = region
        self._faults = faults
        looks = region.terrain_textures.descriptions
        self._layer_of: dict[int, int] = {}
        for layer, look in enumerate(looks):
            self._layer_of.setdefault(look.terrain_type, layer)
        self.capacity = len(looks) + 1
        self.size = self._texture_size()
        self.tiling = np.array([max(look.tiling, 1) for look in looks] + [1], np.float32)
        self.averages = np.zeros((self.capacity, 3), np.float32)
        self.textures: list[NDArray[np.uint8] | None] = [None] * self.capacity
        self.filled: list[int] = []
        textures = region.terrain_textures
        lists = (textures.corner_maps, textures.side_maps, textures.road_maps)
        self.masks = self._read_masks([entry.texture_id for maps in lists for entry in maps])
        self.corner_base, self.side_base = 0, len(lists[0])
        self.road_base = len(lists[0]) + len(lists[1])
        self.maps = BlendMaps(
            [entry.code for entry in lists[0]],
            [entry.code for entry in lists[1]],
            [entry.code for entry in lists[2]],
        )
        self._blends: dict[int, CellBlend] = {}

    # --- textures

    def layer(self, kind: int) -> int:
        """The layer of a terrain type's texture, read if need be; the last layer is for a type without one."""
        layer = self._layer_of.get(kind, self.capacity - 1)
        if self.textures[layer] is None:
            self._fill(layer, kind)
        return layer

    def _fill(self, layer: int, kind: int) -> None:
        looks = self._region.terrain_textures.descriptions
        pixels: NDArray[np.uint8] | None = None
        if layer < len(looks):
            texture_id = looks[layer].texture_id
            image = self._world.texture_image(texture_id)
            pixels = None if image is None else image.pixels
            if pixels is None:
                reason = f"texture {cell_text(texture_id)} of terrain type {kind} cannot be had; drawn as a checker"
                self._complain(Fault(texture_id, SURFACE, reason))
        else:
            self._complain(Fault(REGION_ID, REGION, f"terrain type {kind} has no texture; drawn as a checker"))
        made = resized(checker() if pixels is None else pixels, self.size)
        self.textures[layer] = made
        self.averages[layer] = made[:, :, :3].reshape(-1, 3).mean(axis=0) / 255.0
        self.filled.append(layer)

    def _texture_size(self) -> int:
        """The largest side of any of them, by the images' headers alone."""
        sides = [1]
        for look in self._region.terrain_textures.descriptions:
            texture = self._world.record(look.texture_id)
            for image_id in texture.images if isinstance(texture, SurfaceTexture) else []:
                image = self._world.record(image_id)
                if isinstance(image, RenderSurface):
                    sides.append(max(image.width, image.height))
                    break
        return min(max(sides), LARGEST_TEXTURE)

    def _read_masks(self, texture_ids: list[int]) -> NDArray[np.uint8]:
        found: dict[int, NDArray[np.uint8]] = {}
        for texture_id in texture_ids:
            if texture_id not in found:
                found[texture_id] = self._mask(texture_id)
        side = min(max((len(mask) for mask in found.values()), default=1), LARGEST_MASK)
        if not texture_ids:
            return np.zeros((0, side, side), np.uint8)
        return np.stack([resized(found[texture_id], side) for texture_id in texture_ids])

    def _mask(self, texture_id: int) -> NDArray[np.uint8]:
        image = self._world.texture_image(texture_id)
        if image is None or image.pixels is None:
            self._complain(Fault(texture_id, SURFACE, f"the ground's mask {cell_text(texture_id)} cannot be had"))
            return np.full((1, 1), 255, np.uint8)
        return mask_values(image)

    def _complain(self, fault: Fault) -> None:
        if fault not in self._faults:
            self._faults.append(fault)

    # --- layers of a land cell

    def blend(self, pcode: int) -> CellBlend:
        """The layers of all land cells with these corners."""
        known = self._blends.get(pcode)
        if known is None:
            known = self._choose(pcode)
            self._blends[pcode] = known
        return known

    def _choose(self, pcode: int) -> CellBlend:
        """As `blend_cell`, but an overlay that no mask serves is left out and said, and the rest is drawn (19.2)."""
        covered = sum(1 << corner for corner, code in enumerate(pcode_roads(pcode)) if code)
        if covered == ALL_CORNERS:
            return CellBlend(ROAD_TERRAIN, (), ())
        base, layers = choose_layers(pcode_types(pcode))
        overlays: list[TerrainOverlay] = []
        for kind, code in layers:
            try:
                overlays.append(TerrainOverlay(kind, choose_overlay_mask(pcode, code, self.maps)))
            except WorldError as error:
                self._complain(Fault(REGION_ID, TERRAIN, error.reason, Severity.WARNING))
        strips = ROAD_STRIPS.get(covered, (covered,) if covered else ())
        roads = [choose_road_mask(pcode, code, self.maps) for code in strips]
        return CellBlend(base, tuple(overlays), tuple(mask for mask in roads if mask is not None))

    def row(self, pcode: int) -> list[int]:
        """The row of `TerrainDraw.layers` for a land cell."""
        blend = self.blend(pcode)
        textures = [self.layer(overlay.terrain_type) for overlay in blend.overlays]
        masks = [
            _packed(overlay.mask, self.corner_base if overlay.uses_corner_map else self.side_base)
            for overlay in blend.overlays
        ]
        roads = [_packed(mask, self.road_base) for mask in blend.roads]
        road = self.layer(ROAD_TERRAIN) if roads else NONE
        return [self.layer(blend.base), *_filled(textures, 3), *_filled(masks, 3), *_filled(roads, 2), road, 0, 0]


def _packed(mask: Mask, base: int) -> int:
    return 4 * (base + mask.map_index) + mask.rotation


def _filled(values: list[int], count: int) -> list[int]:
    return (values + [NONE] * count)[:count]


def mask_values(image: SurfaceImage) -> NDArray[np.uint8]:
    """The share of the layer below that a mask keeps: its alpha, or its red where the format has no useful alpha."""
    pixels = image.pixels
    assert pixels is not None
    alpha = pixels[:, :, 3]
    return np.ascontiguousarray(pixels[:, :, 0] if alpha.min() == 255 else alpha)


def resized(pixels: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """A picture as a square of this side: the nearest pixels, which is exact for powers of two that are enlarged."""
    rows = np.arange(side) * pixels.shape[0] // side
    columns = np.arange(side) * pixels.shape[1] // side
    if pixels.shape[:2] == (side, side):
        return pixels
    return np.ascontiguousarray(pixels[rows][:, columns])


# --- one landblock


def terrain_draw(terrain: Terrain, look: TerrainLook | None, version: int, across: int = 1) -> TerrainDraw:
    """The ground of a landblock; without a look in plain colours. Its squares are `across` land cells wide."""
    mesh = terrain_mesh(terrain, across)
    order = mesh.triangles.reshape(-1)
    positions = mesh.positions[order].copy()
    positions[:, 2] -= SINK
    return TerrainDraw(
        terrain.cell_id,
        positions,
        mesh.normals[order],
        _corner_uvs(order, SQUARES // across),
        None if look is None else _layers(terrain, look, across),
        _colours(terrain, look)[corners_left(across)[order]],
        min(terrain.z) - SINK,
        max(terrain.z) - SINK,
        version,
        across,
    )


def _corner_uvs(order: NDArray[np.uint16], squares: int) -> NDArray[np.float32]:
    """The position of each of the 384 vertices, or of fewer, in its square; v runs southwards."""
    columns, rows = np.divmod(order.astype(np.int32), squares + 1)
    cell = np.repeat(np.arange(squares * squares), VERTICES_PER_CELL)
    east, north = columns - cell // squares, rows - cell % squares
    corner = np.where(north == 0, east, 3 - east)
    uvs: NDArray[np.float32] = np.array(CORNER_UVS, np.float32)[corner]
    return uvs


def _layers(terrain: Terrain, look: TerrainLook, across: int) -> NDArray[np.int16]:
    squares = range(SQUARES // across)
    rows = [look.row(cell_pcode(terrain.words, cx, cy, across)) for cx in squares for cy in squares]
    return np.repeat(np.array(rows, np.int16), VERTICES_PER_CELL, axis=0)


def _colours(terrain: Terrain, look: TerrainLook | None) -> NDArray[np.float32]:
    """The colours of the 81 samples: the average of the type's texture, or a plain colour, with tan along roads."""
    kinds = [terrain_type(word) for word in terrain.words]
    if look is None:
        table = plain_colours()
        colours = table[kinds]
    else:
        colours = np.stack([look.averages[look.layer(kind)] for kind in kinds])
    roads = np.array([road_code(word) != 0 for word in terrain.words])
    mixed = colours * (1.0 - ROAD_SHARE) + np.array(ROAD_TAN) * ROAD_SHARE
    return np.where(roads[:, None], mixed, colours).astype(np.float32)


def plain_colours() -> NDArray[np.float32]:
    """(32, 3)."""
    return np.array([argb(int(text, 16))[:3] for text in PLAIN_COLOURS.split()], np.float32)


def first_vertex(low: int) -> int:
    """The vertices of a land cell by the low half of its id: its six vertices follow each other."""
    return VERTICES_PER_CELL * (low - 1)


def cell_of_vertex(vertex: int) -> tuple[int, int]:
    """Column and row of the land cell that a vertex belongs to."""
    return divmod(vertex // VERTICES_PER_CELL, SQUARES)


def terrain_look(world: World, faults: list[Fault]) -> TerrainLook | None:
    """The look of a world's ground; None where no region describes it."""
    region = world.record(REGION_ID)
    return TerrainLook(world, region, faults) if isinstance(region, Region) else None
