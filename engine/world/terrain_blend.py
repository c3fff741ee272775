"""Chooses the textures of a land cell from its corners: base, overlays and roads with their masks.
Spec: dat-format.md 5.4, 5.5.

Everything here follows from the 29-bit pcode of the cell and the codes of the region's mask lists, so cells with equal
pcodes look the same. A code is a set of corners: bit k is corner k. Corners: 0 south-west, 1 south-east, 2 north-east,
3 north-west.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.world.cells.terrain import road_code, terrain_type, vertex_index
from engine.world.faults import WorldError

ROAD_TERRAIN: Final = 32
"""The road's place in the region's terrain descriptions."""

SINGLE_CORNERS: Final = (1, 2, 4, 8)
"""Codes that the corner masks serve; the side masks serve the others."""

ALL_CORNERS: Final = 15

# Roads at three corners are drawn as two strips (5.5, table of roads).
ROAD_STRIPS: Final = {14: (6, 12), 13: (9, 12), 11: (9, 3), 7: (3, 6)}

CORNER_UVS: Final = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class BlendMaps:
    """The codes of the region's alpha maps, list by list in the region's order."""

    corner_codes: Sequence[int]
    side_codes: Sequence[int]
    road_codes: Sequence[int]


@dataclass(frozen=True, slots=True)
class Mask:
    """A map of one of the lists, turned by `rotation` quarters so that it covers the corners of `code`."""

    code: int
    map_index: int
    rotation: int


@dataclass(frozen=True, slots=True)
class TerrainOverlay:
    """A terrain type over the base; its mask is a corner map for a single corner, else a side map."""

    terrain_type: int
    mask: Mask

    @property
    def uses_corner_map(self) -> bool:
        return self.mask.code in SINGLE_CORNERS


@dataclass(frozen=True, slots=True)
class CellBlend:
    """The layers of one land cell from bottom to top. `base` is ROAD_TERRAIN where road covers everything."""

    base: int
    overlays: tuple[TerrainOverlay, ...]
    roads: tuple[Mask, ...]


def make_pcode(types: Sequence[int], roads: Sequence[int]) -> int:
    """Return the pcode of the four corners' terrain types and road codes."""
    r0, r1, r2, r3 = roads
    t0, t1, t2, t3 = types
    return 1 << 28 | r0 << 26 | r1 << 24 | r2 << 22 | r3 << 20 | t0 << 15 | t1 << 10 | t2 << 5 | t3


def cell_pcode(words: Sequence[int], cx: int, cy: int, across: int = 1) -> int:
    """Of the land cell in column cx and row cy of a landblock with these 81 terrain words; or of the square of so many
    land cells."""
    corners = [words[vertex_index((cx + i) * across, (cy + j) * across)] for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return make_pcode([terrain_type(word) for word in corners], [road_code(word) for word in corners])


def pcode_types(pcode: int) -> tuple[int, int, int, int]:
    """The corners' terrain types."""
    return (pcode >> 15 & 0x1F, pcode >> 10 & 0x1F, pcode >> 5 & 0x1F, pcode & 0x1F)


def pcode_roads(pcode: int) -> tuple[int, int, int, int]:
    """The corners' road codes."""
    return (pcode >> 26 & 3, pcode >> 24 & 3, pcode >> 22 & 3, pcode >> 20 & 3)


def pick_hash(pcode: int) -> int:
    """The 32 bits that choose among maps."""
    return (0x523AA99E * pcode - 0x51C9E74A) & 0xFFFFFFFF


def pick(pcode: int, count: int) -> int:
    """The index of this cell's map among `count`."""
    return count * pick_hash(pcode) >> 32


def rotate_code(code: int) -> int:
    """The corners after a quarter turn: corner k becomes corner k + 1."""
    code *= 2
    return code - 15 if code >= 16 else code


def mask_uv(corner: int, rotation: int) -> tuple[float, float]:
    """Return the position of a cell's corner in a mask turned by `rotation` quarters (5.4)."""
    return CORNER_UVS[(corner - rotation) % 4]


def choose_layers(types: Sequence[int]) -> tuple[int, list[tuple[int, int]]]:
    """The base type, and up to three overlays as (type, code)."""
    if len(set(types)) == 4:
        return types[0], [(types[corner], 1 << corner) for corner in (1, 2, 3)]
    base = next(kind for corner, kind in enumerate(types) if kind in types[corner + 1 :])
    others = [corner for corner in range(4) if types[corner] != base][:2]
    overlays: list[tuple[int, int]] = []
    for corner in others:
        if overlays and overlays[0] == (types[corner], 1 << (corner - 1)):
            overlays[0] = (types[corner], 1 << (corner - 1) | 1 << corner)
        else:
            overlays.append((types[corner], 1 << corner))
    return base, overlays


def find_rotation(map_code: int, code: int) -> int | None:
    """Quarter turns that bring a map's corners onto `code`; None when no turn does."""
    for rotation in range(4):
        if map_code == code:
            return rotation
        map_code = rotate_code(map_code)
    return None


def choose_overlay_mask(pcode: int, code: int, maps: BlendMaps) -> Mask:
    """The mask that lets an overlay cover the corners of `code`."""
    kind, codes = ("corner", maps.corner_codes) if code in SINGLE_CORNERS else ("side", maps.side_codes)
    if not codes:
        raise WorldError(f"the region has no {kind} alpha map, terrain with pcode 0x{pcode:08X} cannot be blended")
    index = pick(pcode, len(codes))
    rotation = find_rotation(codes[index], code)
    if rotation is None:
        raise WorldError(
            f"the region's {kind} alpha map {index} has code {codes[index]}, which no turn brings to {code}: "
            f"terrain with pcode 0x{pcode:08X} cannot be blended"
        )
    return Mask(code, index, rotation)


def choose_road_mask(pcode: int, code: int, maps: BlendMaps) -> Mask | None:
    """The first road map, from the picked one on, that can be turned onto the corners of `code`."""
    count = len(maps.road_codes)
    start = pick(pcode, count)
    for step in range(count):
        index = (start + step) % count
        rotation = find_rotation(maps.road_codes[index], code)
        if rotation is not None:
            return Mask(code, index, rotation)
    return None


def blend_cell(pcode: int, maps: BlendMaps) -> CellBlend:
    """The layers of a land cell. Raises WorldError when the region's maps cannot serve an overlay."""
    roads = sum(1 << corner for corner, code in enumerate(pcode_roads(pcode)) if code)
    if roads == ALL_CORNERS:
        return CellBlend(ROAD_TERRAIN, (), ())
    base, layers = choose_layers(pcode_types(pcode))
    overlays = tuple(TerrainOverlay(kind, choose_overlay_mask(pcode, code, maps)) for kind, code in layers)
    strips = ROAD_STRIPS.get(roads, (roads,) if roads else ())
    masks = [choose_road_mask(pcode, code, maps) for code in strips]
    return CellBlend(base, overlays, tuple(mask for mask in masks if mask is not None))
