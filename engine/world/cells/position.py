"""Positions: a cell id and a frame in that cell's landblock, and the ways between two of them. Spec: physics.md 1.5.

Where a block offset is added the sum is rounded to single precision, as the client holds it (13.12, "block"); within
one landblock nothing is added and nothing rounded.
"""

from __future__ import annotations

import math

from engine.geometry.frame import Frame, heading_of
from engine.geometry.vec import Vec3, add, length, normalize_check_small, r24v, sub
from engine.world.cells.ids import cell_text
from engine.world.cells.landdefs import adjust_to_outside, block_offset, get_outside_cell_id


class Position:
    """A place: `frame` is relative to the south-west corner of the landblock that `objcell_id` names."""

    objcell_id: int
    frame: Frame

    def __init__(self, objcell_id: int, frame: Frame) -> None:
        self.objcell_id = objcell_id
        self.frame = frame

    def __repr__(self) -> str:
        return f"Position({cell_text(self.objcell_id)}, {self.frame!r})"

    def copy(self) -> Position:
        return Position(self.objcell_id, self.frame)

    def equals(self, other: Position) -> bool:
        """The same cell, and frames equal within EPSILON."""
        return self.objcell_id == other.objcell_id and self.frame.equals(other.frame)

    def adjust_to_outside(self) -> bool:
        """Re-label with the land cell under the origin and re-base the frame; False (and id 0) when there is none."""
        ok, cell_id, origin = adjust_to_outside(self.objcell_id, self.frame.origin)
        if ok:
            crossed = cell_id >> 16 != self.objcell_id >> 16
            self.frame = self.frame.with_origin(r24v(origin) if crossed else origin)
        self.objcell_id = cell_id
        return ok

    def get_outside_cell_id(self) -> int:
        """The id of the land cell under the origin; 0 when there is none."""
        return get_outside_cell_id(self.objcell_id, self.frame.origin)


def into_block(to: int, frm: int, p: Vec3) -> Vec3:
    """A point of frm's landblock in the landblock frame of `to`."""
    if to >> 16 == frm >> 16:
        return p
    return r24v(add(block_offset(to, frm), p))


def get_offset(a: Position, b: Position) -> Vec3:
    """From the origin of `a` to that of `b`."""
    return sub(into_block(a.objcell_id, b.objcell_id, b.frame.origin), a.frame.origin)


def local_to_global(to: Position, frm: Position, p: Vec3) -> Vec3:
    """Point `p` of frm's local space in the landblock frame of `to`."""
    return into_block(to.objcell_id, frm.objcell_id, frm.frame.local_to_global(p))


def local_to_local(to: Position, frm: Position, p: Vec3) -> Vec3:
    """Point `p` of frm's local space in the local space of `to`."""
    return to.frame.global_to_local(local_to_global(to, frm, p))


def distance(a: Position, b: Position) -> float:
    """Between the two origins, in metres."""
    return length(get_offset(a, b))


def heading_to(a: Position, b: Position) -> float:
    """Compass heading in degrees from `a` to `b`; 0 when they are above one another."""
    offset = get_offset(a, b)
    small, direction = normalize_check_small((offset[0], offset[1], 0.0))
    if small:
        return 0.0
    return heading_of(direction)


def cylinder_distance(
    a: Position, a_radius: float, a_height: float, b: Position, b_radius: float, b_height: float
) -> float:
    """Between two upright bodies, for ranges of use and targeting; negative when they overlap."""
    offset = get_offset(a, b)
    reach = length(offset) - (a_radius + b_radius)
    rise = offset[2]
    gap = max(rise - a_height, -rise - b_height)
    if reach > 0.0 and gap > 0.0:
        return math.sqrt(reach * reach + gap * gap)
    if reach < 0.0 and gap < 0.0:
        return -math.sqrt(reach * reach + gap * gap)
    return reach
