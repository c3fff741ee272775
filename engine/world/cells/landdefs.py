"""The outdoor grid: cell ids to land-cell coordinates ("lcoords", 0..2039 each way) and back, offsets between
landblocks, and the land cell under a point. Spec: physics.md 1.4, dat-format.md 4.5.

Coordinates in metres are always relative to the south-west corner of the landblock named by the id beside them. Nothing
here rounds to single precision: every shift is by a multiple of 192 m, and the callers that keep the sum as a position
round it (physics.md 13.12, "block"). Single-precision coordinates stay inside the block after that rounding.

Where the client's answer is undefined ours is "no cell": a coordinate that is not a number, infinite or beyond any map
is off the map.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import BLOCK_LENGTH, CELL_LENGTH, EPSILON, LAND_LENGTH
from engine.geometry.vec import Vec3
from engine.world.cells.ids import cell_in_range, is_interior

Lcoord = tuple[int, int]

MAP_LENGTH: Final = (
    48960.0  # m, LAND_LENGTH cells of 24 m: a point this far from a block is off the map for every block
)


def blockid_to_lcoord(cell_id: int) -> Lcoord | None:
    """The lcoord of the landblock's south-west land cell; None for column or row 255, which the map does not have."""
    x = ((cell_id >> 24) & 0xFF) * 8
    y = ((cell_id >> 16) & 0xFF) * 8
    if x >= LAND_LENGTH or y >= LAND_LENGTH:
        return None
    return (x, y)


def block_offset(frm: int, to: int) -> Vec3:
    """Metres from the origin of frm's landblock to that of to's; add it to bring a point of `to` into frm's frame."""
    if frm >> 16 == to >> 16:
        return (0.0, 0.0, 0.0)
    columns = ((to >> 24) & 0xFF) - ((frm >> 24) & 0xFF)
    rows = ((to >> 16) & 0xFF) - ((frm >> 16) & 0xFF)
    return (float(columns) * BLOCK_LENGTH, float(rows) * BLOCK_LENGTH, 0.0)


def inbound_valid_cellid(cell_id: int) -> bool:
    """The client's test: the low half names a place and the column is on the map. It does not look at the row."""
    return cell_in_range(cell_id & 0xFFFF) and ((cell_id >> 24) & 0xFF) * 8 < LAND_LENGTH


def gid_to_lcoord(cell_id: int) -> Lcoord | None:
    """The lcoord of a land cell; None for anything else."""
    if not inbound_valid_cellid(cell_id) or is_interior(cell_id):
        return None
    corner = blockid_to_lcoord(cell_id)
    if corner is None:
        return None
    cell = (cell_id & 0xFFFF) - 1
    return (corner[0] + (cell >> 3), corner[1] + (cell & 7))


def lcoord_to_gid(x: int, y: int) -> int:
    """The id of the land cell at an lcoord; 0 off the map."""
    if not (0 <= x < LAND_LENGTH and 0 <= y < LAND_LENGTH):
        return 0
    block = (x >> 3) << 8 | (y >> 3)
    return block << 16 | (1 + ((x & 7) << 3) + (y & 7))


def get_outside_lcoord(cell_id: int, px: float, py: float) -> Lcoord | None:
    """The lcoord under a point. The id may be a land cell, a room or the landblock: only its block is used."""
    if not cell_in_range(cell_id & 0xFFFF):
        return None
    corner = blockid_to_lcoord(cell_id)
    if corner is None:
        return None
    # Also keeps floor() from what has none: not-a-number fails every comparison.
    if not (-MAP_LENGTH < px < MAP_LENGTH and -MAP_LENGTH < py < MAP_LENGTH):
        return None
    x = corner[0] + math.floor(px / CELL_LENGTH)
    y = corner[1] + math.floor(py / CELL_LENGTH)
    if not (0 <= x < LAND_LENGTH and 0 <= y < LAND_LENGTH):
        return None
    return (x, y)


def adjust_to_outside(cell_id: int, loc: Vec3) -> tuple[bool, int, Vec3]:
    """(True, land cell under the point, point in that cell's landblock), or (False, 0, point).

    Works from a room as well as from a land cell. A point a hair outside the block's south or west edge is snapped onto
    it first and so stays in the block.
    """
    if not cell_in_range(cell_id & 0xFFFF):
        return (False, 0, loc)
    x, y, z = loc
    if abs(x) < EPSILON:
        x = 0.0
    if abs(y) < EPSILON:
        y = 0.0
    lcoord = get_outside_lcoord(cell_id, x, y)
    if lcoord is None:
        return (False, 0, (x, y, z))
    x -= float(math.floor(x / BLOCK_LENGTH)) * BLOCK_LENGTH
    y -= float(math.floor(y / BLOCK_LENGTH)) * BLOCK_LENGTH
    return (True, lcoord_to_gid(lcoord[0], lcoord[1]), (x, y, z))


def get_outside_cell_id(cell_id: int, loc: Vec3) -> int:
    """The id of the land cell under a position; 0 when there is none."""
    return adjust_to_outside(cell_id, loc)[1]


def in_block(p: Vec3, radius: float = 0.0) -> bool:
    """Whether the point lies in its landblock, at least `radius` away from every edge."""
    return p[0] >= radius and p[1] >= radius and p[0] < BLOCK_LENGTH - radius and p[1] < BLOCK_LENGTH - radius
