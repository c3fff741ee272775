"""Where a camera has to look to show something whole: the target, the distance, and the room not to back out of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from editor.session import Kind, Selection
from engine.geometry.box import Box
from engine.geometry.constants import BLOCK_LENGTH
from engine.geometry.vec import Vec3, distance
from engine.render.draws import PartDraw
from engine.render.overlays.hulls import box_of_struct
from engine.render.scene import Scene
from engine.world.cells.cell import EnvCell
from engine.world.landblock import Landblock
from engine.world.world import World

CLOSEST: Final = 0.6
"""Metres that the eye stays away from what it looks at, however small that is."""

WALL: Final = 0.3
"""Metres that the eye keeps from the walls of the room it is to stay in."""

STEPS: Final = 64


@dataclass(frozen=True)
class Focus:
    """A sphere to look at, in the landblock of `cell_id`; `room` is where to look from, if it is in a room."""

    cell_id: int
    target: Vec3
    radius: float
    room: EnvCell | None = None


def focus_of(selection: Selection, world: World, scene: Scene) -> Focus | None:
    """What shows a selection; None when it is not there any more."""
    block = world.landblock(selection.landblock)
    if block is None:
        return None
    if selection.kind is Kind.CELL:
        cell = world.graph.get_visible(selection.key)
        return _focus_of_room(cell) if isinstance(cell, EnvCell) else None
    if selection.kind is Kind.BUILDING:
        return _focus_of_building(block, selection.key)
    if selection.kind is Kind.LANDBLOCK:
        return focus_of_block(block)
    scene.parts_in(selection.landblock & 0xFFFF0000 | 0x1)  # has the landblock gone through
    parts = scene.parts_of(selection.key)
    return _focus_of_parts(parts, world) if parts else None


def focus_of_block(block: Landblock) -> Focus | None:
    """All houses of a landblock, or all rooms, or the land."""
    corners: list[Vec3] = []
    for building in block.buildings:
        if building.shell is not None:
            corners += building.shell.box.to_global(building.frame).corners()
    if not corners:
        for cell in block.env_cells:
            corners += _room_corners(cell)
    if not corners and block.terrain is not None:
        low, high = min(block.terrain.z), max(block.terrain.z)
        corners = [(0.0, 0.0, low), (BLOCK_LENGTH, BLOCK_LENGTH, high)]
    return _around(block.id & 0xFFFF0000 | 0x1, corners, None) if corners else None


def _focus_of_room(cell: EnvCell) -> Focus | None:
    corners = _room_corners(cell)
    return _around(cell.id, corners, cell) if corners else None


def _room_corners(cell: EnvCell) -> list[Vec3]:
    box = box_of_struct(cell.structure)
    return [] if box is None else [cell.frame.local_to_global(corner) for corner in box.corners()]


def _focus_of_building(block: Landblock, number: int) -> Focus | None:
    building = block.buildings[number] if number < len(block.buildings) else None
    if building is None or building.shell is None:
        return None
    return _around(building.cell_id, building.shell.box.to_global(building.frame).corners(), None)


def _focus_of_parts(parts: Sequence[PartDraw], world: World) -> Focus | None:
    corners: list[Vec3] = []
    for part in parts:
        x, y, z = part.sphere.center
        r = part.sphere.radius
        corners += [(x - r, y - r, z - r), (x + r, y + r, z + r)]
    home = world.graph.get_visible(parts[0].home)
    return _around(parts[0].home, corners, home if isinstance(home, EnvCell) else None)


def _around(cell_id: int, corners: Sequence[Vec3], room: EnvCell | None) -> Focus:
    box = Box.of_points(list(corners))
    center = box.center()
    return Focus(cell_id, center, max(distance(center, box.maximum), 0.1), room)


def distance_for(focus: Focus, look: Vec3, half_view: float) -> float:
    """How far back along the look the eye goes to have the sphere in view; `half_view` is the sine of half the field of
    view. Within a room no farther than its walls are, for from outside it would not be seen at all."""
    wished = max(focus.radius / half_view, CLOSEST)
    if focus.room is None:
        return wished
    return max(min(wished, _room_behind(focus.room, focus.target, look) - WALL), min(wished, CLOSEST))


def _room_behind(room: EnvCell, target: Vec3, look: Vec3) -> float:
    """Metres from the target, against the look, to the wall of the room."""
    size = box_of_struct(room.structure)
    reach = 0.0 if size is None else distance(size.minimum, size.maximum)
    x, y, z = target
    free = 0.0
    for step in range(1, STEPS + 1):
        away = reach * step / STEPS
        if not room.point_in_cell((x - look[0] * away, y - look[1] * away, z - look[2] * away)):
            break
        free = away
    return free
