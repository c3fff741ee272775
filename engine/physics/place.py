"""A cell id, an origin and a rotation while a sweep moves them about (physics.md 1.5, 5.2).

A `Frame` never changes; a sweep shifts its candidate many times and hardly ever turns it. So the rotation is kept as a
frame at the origin, shared until it changes, and the origin beside it.
"""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame
from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3, r24v
from engine.world.cells.ids import FIRST_ENV_CELL
from engine.world.cells.landdefs import adjust_to_outside
from engine.world.cells.position import Position


@mypyc_attr(free_list_len=1)
class Place:
    """A position that can be moved in place."""

    cell_id: int
    origin: Vec3
    turn: Frame

    def __init__(self, cell_id: int, origin: Vec3, turn: Frame) -> None:
        self.cell_id = cell_id
        self.origin = origin
        self.turn = turn

    def __repr__(self) -> str:
        return f"Place(0x{self.cell_id:08X}, {self.origin!r}, {self.turn.rotation!r})"

    def copy(self) -> Place:
        return Place(self.cell_id, self.origin, self.turn)

    def set_to(self, other: Place) -> None:
        self.cell_id = other.cell_id
        self.origin = other.origin
        self.turn = other.turn

    def frame(self) -> Frame:
        return Frame(self.origin, self.turn.rotation)

    def position(self) -> Position:
        return Position(self.cell_id, self.frame())

    def local_to_global(self, p: Vec3) -> Vec3:
        ox, oy, oz = self.origin
        x, y, z = self.turn.local_to_global_vec(p)
        return (ox + x, oy + y, oz + z)

    def origin_equals(self, other: Place) -> bool:
        ax, ay, az = self.origin
        bx, by, bz = other.origin
        return abs(ax - bx) <= EPSILON and abs(ay - by) <= EPSILON and abs(az - bz) <= EPSILON

    def turn_equals(self, other: Place) -> bool:
        if self.turn is other.turn:
            return True
        return rotation_equals(self.turn.rotation, other.turn.rotation)


def rotation_equals(a: Quat, b: Quat) -> bool:
    """Every component, as it is stored, differs by less than EPSILON (physics.md #41): a quaternion and its
    negation turn alike and differ. Origins may differ by EPSILON itself."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return abs(aw - bw) < EPSILON and abs(ax - bx) < EPSILON and abs(ay - by) < EPSILON and abs(az - bz) < EPSILON


def bring_outdoors(place: Place) -> None:
    """Give an outdoor place the land cell and the landblock that it is in; a room's is left as it is. Changes it."""
    if place.cell_id & 0xFFFF < FIRST_ENV_CELL:
        ok, cell_id, origin = adjust_to_outside(place.cell_id, place.origin)
        if ok:
            place.cell_id = cell_id
            place.origin = r24v(origin)


def place_of(position: Position) -> Place:
    return Place(position.objcell_id, position.frame.origin, Frame((0.0, 0.0, 0.0), position.frame.rotation))
