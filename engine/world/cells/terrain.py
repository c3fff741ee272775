"""The ground of one landblock: heights, the two triangles of each land cell, water and roads.
Spec: physics.md 10, dat-format.md 2.2, 4, chapter 6 step 6.

Vertex (i, j), i east and j north, is at index 9·i + j of the landblock's lists. Triangles are built when a land cell is
first asked about: most of a loaded landblock's cells never are. All points are in the landblock's frame.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import BLOCK_LENGTH, CELL_LENGTH, HALF_SQUARE, VERTEX_DIM
from engine.geometry.plane import POSITIVE
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.world.cells.ids import block_text, block_x, block_y, cell_text, is_land_cell, land_cell_low, landblock_id
from engine.world.faults import WorldError

NOT_WATER: Final = 0
PARTIALLY_WATER: Final = 1
ENTIRELY_WATER: Final = 2

VERTICES: Final = VERTEX_DIM * VERTEX_DIM
SQUARES: Final = VERTEX_DIM - 1  # land cells along a block side

FIRST_WATER_TYPE: Final = 0x10
LAST_WATER_TYPE: Final = 0x14

# The depth to which feet sink below the surface (physics.md 10.5), in metres.
DEEP_WATER: Final = 0.9  # a land cell with water at all four corners
SHALLOW_WATER: Final = 0.45  # some corners: near one that is water
SHORE: Final = 0.1  # some corners: near one that is not
UNKNOWN_WATER: Final = 0.1  # the block is not loaded

ROAD_WIDTH: Final = 5.0  # m, dat-format.md chapter 6 step 6 (and the region's road width)


# --- terrain words (dat-format.md 2.2)


def road_code(word: int) -> int:
    """Bits 0-1; zero is no road."""
    return word & 3


def terrain_type(word: int) -> int:
    """Bits 2-6."""
    return (word >> 2) & 0x1F


def scenery_index(word: int) -> int:
    """Bits 11-15."""
    return (word >> 11) & 0x1F


def is_water_type(kind: int) -> bool:
    """Whether bodies sink at a vertex of this terrain type."""
    return FIRST_WATER_TYPE <= kind <= LAST_WATER_TYPE


def vertex_index(i: int, j: int) -> int:
    """Return the index of the vertex in column i and row j, 0..8 each."""
    return i * VERTEX_DIM + j


# --- triangles


def split_hash(x: int, y: int) -> int:
    """The 32 bits that decide the cut of the land cell with lcoord (x, y)."""
    return (x * y * 0x0CCAC033 - x * 0x421BE3BD + y * 0x6C1AC587 - 0x519B8F25) & 0xFFFFFFFF


def is_cut_sw_ne(x: int, y: int) -> bool:
    """Whether the diagonal of that land cell runs from south-west to north-east."""
    return split_hash(x, y) >= 0x80000000


def water_type_of_corners(corners: int) -> int:
    """By how many of a land cell's four corners are water."""
    if corners == 0:
        return NOT_WATER
    return ENTIRELY_WATER if corners == 4 else PARTIALLY_WATER


class TerrainSquare:
    """The ground of one land cell: two triangles of which the first one that contains a point is its own."""

    low: int
    cut_sw_ne: bool
    first: Polygon
    second: Polygon

    def __init__(self, low: int, cut_sw_ne: bool, first: Polygon, second: Polygon) -> None:
        self.low = low
        self.cut_sw_ne = cut_sw_ne
        self.first = first
        self.second = second

    def find_terrain_poly(self, p: Vec3) -> Polygon | None:
        """The triangle above or below the point (10.3); the height does not matter. The square's border is inside."""
        if self.first.point_in_poly2d(p, POSITIVE):
            return self.first
        if self.second.point_in_poly2d(p, POSITIVE):
            return self.second
        return None


class Terrain:
    """The ground of one landblock. `z` are the 81 vertex heights in metres."""

    cell_id: int
    height_indices: list[int]
    words: list[int]
    z: list[float]
    water_type: int
    _water: list[bool]
    _water_types: list[int]
    _squares: list[TerrainSquare | None]

    def __init__(self, cell_id: int, height_indices: list[int], words: list[int], height_table: list[float]) -> None:
        """`height_indices` and `words` as the landblock's record has them, `height_table` as the region's."""
        if len(height_indices) != VERTICES or len(words) != VERTICES:
            raise WorldError(
                f"landblock {block_text(cell_id)}: {len(height_indices)} heights and {len(words)} terrain words, "
                f"{VERTICES} of each are needed"
            )
        highest = max(height_indices)
        if highest >= len(height_table) or min(height_indices) < 0:
            raise WorldError(
                f"landblock {block_text(cell_id)}: height index {highest} or below 0, "
                f"the height table has {len(height_table)} entries"
            )
        self.cell_id = landblock_id(cell_id)
        self.height_indices = height_indices
        self.words = words
        self.z = [height_table[index] for index in height_indices]
        self._squares = [None] * (SQUARES * SQUARES)
        self._water = [is_water_type(terrain_type(word)) for word in words]
        self._water_types = []
        self._find_water()

    def __repr__(self) -> str:
        return f"Terrain({block_text(self.cell_id)})"

    def _find_water(self) -> None:
        water = self._water
        types = self._water_types
        wet = 0
        full = 0
        for cx in range(SQUARES):
            for cy in range(SQUARES):
                sw = vertex_index(cx, cy)
                se = sw + VERTEX_DIM
                kind = water_type_of_corners(int(water[sw]) + int(water[sw + 1]) + int(water[se]) + int(water[se + 1]))
                types.append(kind)
                if kind != NOT_WATER:
                    wet += 1
                if kind == ENTIRELY_WATER:
                    full += 1
        if full == SQUARES * SQUARES:
            self.water_type = ENTIRELY_WATER
        else:
            self.water_type = NOT_WATER if wet == 0 else PARTIALLY_WATER

    def all_heights_zero(self) -> bool:
        """Whether every height byte is 0, as in a dungeon's landblock (physics.md 15.2)."""
        return max(self.height_indices) == 0

    def vertex(self, i: int, j: int) -> Vec3:
        """The point of vertex (i, j)."""
        return (float(i) * CELL_LENGTH, float(j) * CELL_LENGTH, self.z[vertex_index(i, j)])

    # --- one land cell, by its id or the low half of it

    def square(self, cell_id: int) -> TerrainSquare:
        """The two triangles of a land cell, built on first use."""
        low = cell_id & 0xFFFF
        if not is_land_cell(low):
            raise WorldError(f"{cell_text(cell_id)} is not a land cell")
        square = self._squares[low - 1]
        if square is None:
            square = self._build_square(low)
            self._squares[low - 1] = square
        return square

    def _build_square(self, low: int) -> TerrainSquare:
        cx = (low - 1) >> 3
        cy = (low - 1) & 7
        sw = self.vertex(cx, cy)
        se = self.vertex(cx + 1, cy)
        ne = self.vertex(cx + 1, cy + 1)
        nw = self.vertex(cx, cy + 1)
        first_id = 2 * (low - 1)
        if is_cut_sw_ne(8 * block_x(self.cell_id) + cx, 8 * block_y(self.cell_id) + cy):
            return TerrainSquare(low, True, Polygon(first_id, [sw, se, ne]), Polygon(first_id + 1, [sw, ne, nw]))
        return TerrainSquare(low, False, Polygon(first_id, [sw, se, nw]), Polygon(first_id + 1, [ne, nw, se]))

    def polygons(self, cell_id: int) -> list[Polygon]:
        """The two triangles of a land cell; their ids are 2·(8·cx + cy) and one more."""
        square = self.square(cell_id)
        return [square.first, square.second]

    def find_terrain_poly(self, cell_id: int, p: Vec3) -> Polygon | None:
        """The triangle of this land cell above or below the point; None outside the cell (10.3)."""
        return self.square(cell_id).find_terrain_poly(p)

    def cell_water_type(self, cell_id: int) -> int:
        """NOT_WATER, PARTIALLY_WATER or ENTIRELY_WATER of a land cell."""
        return self._water_types[(cell_id & 0xFFFF) - 1]

    def water_depth(self, cell_id: int, p: Vec3) -> float:
        """How far feet at the point sink below this land cell's surface (10.5)."""
        low = cell_id & 0xFFFF
        kind = self._water_types[low - 1]
        if kind == NOT_WATER:
            return 0.0
        if kind == ENTIRELY_WATER:
            return DEEP_WATER
        i = ((low - 1) >> 3) + far_corner(p[0])
        j = ((low - 1) & 7) + far_corner(p[1])
        return SHALLOW_WATER if self._water[i * VERTEX_DIM + j] else SHORE

    # --- anywhere in the block

    def square_under(self, x: float, y: float) -> TerrainSquare | None:
        """The land cell under a point, the block's far borders included; None outside, and for what is no number."""
        if not (0.0 <= x <= BLOCK_LENGTH and 0.0 <= y <= BLOCK_LENGTH):
            return None
        return self.square(land_cell_low(column_of(x), column_of(y)))

    def polygon_under(self, x: float, y: float) -> Polygon | None:
        """The triangle under a point; None outside the block."""
        square = self.square_under(x, y)
        return None if square is None else square.find_terrain_poly((x, y, 0.0))

    def height_at(self, x: float, y: float) -> float | None:
        """Height of the ground; None outside the block."""
        polygon = self.polygon_under(x, y)
        return None if polygon is None else surface_height(polygon, x, y)

    def on_road(self, x: float, y: float) -> bool:
        """Whether the point lies on a road, for the placing of scenery."""
        if not (0.0 <= x <= BLOCK_LENGTH and 0.0 <= y <= BLOCK_LENGTH):
            return False
        cx = column_of(x)
        cy = column_of(y)
        words = self.words
        sw = vertex_index(cx, cy)
        se = sw + VERTEX_DIM
        return is_on_road(
            road_code(words[sw]) != 0,
            road_code(words[se]) != 0,
            road_code(words[se + 1]) != 0,
            road_code(words[sw + 1]) != 0,
            x - float(cx) * CELL_LENGTH,
            y - float(cy) * CELL_LENGTH,
        )


def surface_height(polygon: Polygon, x: float, y: float) -> float:
    """z of the triangle's plane at a point (10.3); a terrain triangle that contains a point is never upright."""
    nx, ny, nz = polygon.normal
    return -(x * nx + y * ny + polygon.d) / nz


def column_of(coordinate: float) -> int:
    """Land cell column (or row) 0..7 of a coordinate within the block; 192 counts as the last one."""
    column = math.floor(coordinate / CELL_LENGTH)
    return column if column < SQUARES else SQUARES - 1


def far_corner(coordinate: float) -> int:
    """1 if the coordinate is in the eastern (northern) half of its land cell, else 0, also for what is no number."""
    if not -1e9 < coordinate < 1e9:
        return 0
    return 1 if coordinate - float(math.floor(coordinate / CELL_LENGTH)) * CELL_LENGTH >= HALF_SQUARE else 0


def is_on_road(sw: bool, se: bool, ne: bool, nw: bool, dx: float, dy: float) -> bool:
    """Whether a point, in metres from the land cell's south-west corner, lies on the road that joins these corners.

    Two neighbouring corners give a strip along their side, two opposite ones a band along the diagonal, a single one a
    cut-off corner, all four the whole cell.
    """
    if sw and se and ne and nw:
        return True
    if (sw and se) or (se and ne) or (ne and nw) or (nw and sw):
        return (
            (sw and se and dy < ROAD_WIDTH)
            or (nw and ne and dy > CELL_LENGTH - ROAD_WIDTH)
            or (sw and nw and dx < ROAD_WIDTH)
            or (se and ne and dx > CELL_LENGTH - ROAD_WIDTH)
        )
    if sw and ne:
        return abs(dx - dy) < ROAD_WIDTH
    if nw and se:
        return abs(dx + dy - CELL_LENGTH) < ROAD_WIDTH
    return (
        (sw and dx + dy < ROAD_WIDTH)
        or (ne and 2.0 * CELL_LENGTH - dx - dy < ROAD_WIDTH)
        or (se and CELL_LENGTH - dx + dy < ROAD_WIDTH)
        or (nw and CELL_LENGTH + dx - dy < ROAD_WIDTH)
    )
