"""Computes where a camera must be to show something whole: the target, the distance, and the room that the eye must not
leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from editor.models.sweep.watch import StepSelection
from editor.session.session import Kind, Selection
from engine.geometry.box import Box
from engine.geometry.constants import BLOCK_LENGTH
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, distance
from engine.render.draws import PartDraw
from engine.render.overlays.hulls import box_of_struct
from engine.render.overlays.substep import end_of
from engine.render.scene import Scene
from engine.render.viewer.rig import STEEPEST, direction
from engine.sim.trace.tree import STEP
from engine.visibility.camera import Camera, looking
from engine.visibility.free_cell import CROSSED, KEPT, FreeCell
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.graph.graph import CellGraph
from engine.world.landblock import Landblock
from engine.world.world import World

CLOSEST: Final = 0.6
"""The smallest distance of the eye from what it looks at, in metres."""

WALL: Final = 0.3
"""Metres that the eye keeps from the walls of the room it is to stay in."""

HEAD: Final = 1.6
"""Eye height above the floor of a person standing in a room, in metres."""

ENOUGH: Final = 0.6
"""The share of the wanted distance that is good enough."""

BORDER: Final = 0.88
"""The share of half the picture that a dollhouse fills at most."""
LEAST: Final = 0.3
"""The share above or below its middle that it is left where a small picture is covered by words and choices."""

PARTS: Final = (1.0, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)

TURNS: Final = (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 135.0, -135.0, 180.0)
LOOKS: Final = tuple((turn, tilt) for tilt in (0.0, -20.0, 20.0) for turn in TURNS)
"""Turns and tilts to try, in degrees, smaller ones first."""

FROM_ABOVE: Final = -12.0
"""The shallowest pitch, in degrees, for things on the land: from below, the ground hides them."""


BODY_ROOM: Final = 0.5
"""Metres around a body that are framed with it."""


@dataclass(frozen=True)
class Focus:
    """A sphere to look at, in the landblock of `cell_id`; `room` is the room it is in. With `stay`, the eye stays
    inside that room."""

    cell_id: int
    target: Vec3
    radius: float
    room: EnvCell | None = None
    stay: bool = False


def focus_of(selection: Selection, world: World, scene: Scene) -> Focus | None:
    """The focus that shows a selection; None when the selected thing no longer exists."""
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
    scene.parts_in(selection.landblock & 0xFFFF0000 | 0x1)  # loads the parts of the landblock
    parts = scene.parts_of(selection.key)
    return _focus_of_parts(parts, world) if parts else None


def focus_of_substep(chosen: StepSelection, graph: CellGraph, spheres: Sequence[Sphere]) -> Focus | None:
    """The focus on the body of a sweep's step, at the end of its sub-step."""
    step = chosen.step if chosen.step is not None else next(iter(chosen.sweep.find(STEP)), None)
    end = None if step is None else end_of(step)
    if end is None:
        return None
    cell_id, (x, y, z), _ = end
    middle = max((sphere.center[2] + sphere.radius for sphere in spheres), default=0.0) / 2.0
    room = graph.peek(cell_id)
    return Focus(cell_id, (x, y, z + middle), middle + BODY_ROOM, room if isinstance(room, EnvCell) else None)


def focus_of_block(block: Landblock) -> Focus | None:
    """The focus on all houses of a landblock, or on its largest room, or on the land."""
    corners: list[Vec3] = []
    for building in block.buildings:
        if building.shell is not None:
            corners += building.shell.box.to_global(building.frame).corners()
    if not corners and block.env_cells:
        return _focus_of_room(max(block.env_cells, key=_size))
    if not corners and block.terrain is not None:
        low, high = min(block.terrain.z), max(block.terrain.z)
        corners = [(0.0, 0.0, low), (BLOCK_LENGTH, BLOCK_LENGTH, high)]
    return _around(block.id & 0xFFFF0000 | 0x1, corners, None) if corners else None


@dataclass(frozen=True)
class Sight:
    """Where an eye sees all of something: what it looks at, and how far away it is."""

    target: Vec3
    away: float


def sight_of(
    points: NDArray[np.float64], heading: float, pitch: float, camera: Camera, above: float = 0.0, below: float = 0.0
) -> Sight:
    """The nearest eye that looks that way and sees all points, (n, 3), on a screen like the camera's, clear of its
    borders and of so many pixels `above` and `below`, which something covers."""
    look = looking(camera.block_id, (0.0, 0.0, 0.0), heading, pitch, camera.width, camera.height, camera.focal)
    axes = np.array([look.right, look.up, look.forward])
    aside, rising, ahead = axes @ points.T
    half_width, half_height = camera.width / 2.0 / camera.focal, camera.height / 2.0 / camera.focal
    x, depth_x = _between(aside, ahead, BORDER * half_width, BORDER * half_width)
    over, under = (max(BORDER - 2.0 * covered / camera.height, LEAST) * half_height for covered in (above, below))
    y, depth_y = _between(rising, ahead, over, under)
    depth = min(depth_x, depth_y, float(ahead.min()) - CLOSEST)
    away = max(float(ahead.mean()) - depth, CLOSEST)
    place = axes.T @ np.array([x(depth), y(depth), depth + away])
    return Sight((float(place[0]), float(place[1]), float(place[2])), away)


def _between(
    places: NDArray[np.float64], ahead: NDArray[np.float64], more: float, less: float
) -> tuple[Callable[[float], float], float]:
    """Where along an axis of the screen the eye is for its place along the look, and the farthest such place from
    which all points are within `more` and `less` of the middle, for each metre ahead."""
    lowest, highest = float((places - more * ahead).max()), float((places + less * ahead).min())

    def middle(depth: float) -> float:
        return (lowest + more * depth + highest - less * depth) / 2.0

    return middle, (highest - lowest) / (more + less)


def _focus_of_room(cell: EnvCell) -> Focus | None:
    corners = _room_corners(cell)
    return replace(_around(cell.id, corners, cell), stay=True) if corners else None


def _size(cell: EnvCell) -> float:
    box = box_of_struct(cell.structure)
    return 0.0 if box is None else distance(box.minimum, box.maximum)


def _room_corners(cell: EnvCell) -> list[Vec3]:
    box = box_of_struct(cell.structure)
    return [] if box is None else [cell.frame.local_to_global(corner) for corner in box.corners()]


def eye_in_room(cell: EnvCell) -> Vec3:
    """The middle of a room, but no higher above its floor than a head; the origin of a room without walls."""
    corners = _room_corners(cell)
    if not corners:
        return cell.frame.origin
    box = Box.of_points(corners)
    x, y, z = box.center()
    return (x, y, min(z, box.minimum[2] + HEAD))


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


@dataclass(frozen=True)
class ViewOffset:
    """Where to look at a focus from: degrees turned from the present direction, and the distance."""

    turn: float
    tilt: float
    away: float


def best_sight(focus: Focus, world_view: WorldView, heading: float, pitch: float, half_view: float) -> ViewOffset:
    """The direction nearest to the present one with enough space for the eye; `half_view` is the sine of half the field
    of view.

    In a room the eye backs out only through portals: from behind a wall it would see nothing.
    """
    wished = max(focus.radius / half_view, CLOSEST)
    if focus.room is None:
        return ViewOffset(0.0, min(FROM_ABOVE - pitch, 0.0), wished)
    best = ViewOffset(0.0, 0.0, 0.0)
    for turn, tilt in LOOKS[:1] if focus.stay else LOOKS:
        look = direction(heading + turn, max(-STEEPEST, min(STEEPEST, pitch + tilt)))
        away = _room_behind(focus, world_view, look, wished)
        if away >= wished * ENOUGH:
            return ViewOffset(turn, tilt, away)
        if away > best.away * 1.2:
            best = ViewOffset(turn, tilt, away)
    return ViewOffset(best.turn, best.tilt, max(best.away, min(wished, CLOSEST)))


def _room_behind(focus: Focus, world_view: WorldView, look: Vec3, wished: float) -> float:
    """Metres that the eye can back away from the target without passing through a wall."""
    x, y, z = focus.target
    for part in PARTS:
        away = wished * part
        reach = away + WALL
        latch = FreeCell(world_view)
        latch.place(focus.cell_id, focus.target)
        latch.update_free_cell((x - look[0] * reach, y - look[1] * reach, z - look[2] * reach))
        if latch.how == KEPT or (latch.how == CROSSED and not focus.stay):
            return away
    return 0.0
