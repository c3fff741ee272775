"""Doorways: the openings that a door can stand in, which of them are empty, and how a door fits into one (physics.md
9.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.entities.commands import NON_COMBAT, OFF
from engine.entities.motion_player import MotionPlayer
from engine.entities.specs import table_of
from engine.geometry.elementary import hypot
from engine.geometry.frame import Frame, heading_of
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3, add, dot, scale, sub
from engine.sim.tick.simulation import Simulation
from engine.survey.door_fit import NEAR, UPRIGHT, Extent, slab_of
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import block_of
from engine.world.cells.objects import Setup
from engine.world.cells.portals import CellPortal
from engine.world.entity_spec import EntitySpec
from engine.world.graph.graph import CellGraph

LEVEL: Final = 0.3
"""The largest vertical part of an opening's normal: a hatch is not a doorway."""

PARALLEL: Final = 0.99

LEAST: Final = (0.4, 1.0)
"""The smallest width and height of a doorway, in metres."""

TOO_LARGE: Final = 0.25
"""Metres by which a door may be larger than its opening."""


@dataclass(frozen=True)
class Doorway:
    """An opening, halfway through its wall where that is thin: the cell that a door in it belongs to, the middle of its
    sill, and the level direction through it, in that cell's landblock."""

    cell_id: int
    sill: Vec3
    through: Vec3
    width: float
    height: float

    @property
    def across(self) -> Vec3:
        return (self.through[1], -self.through[0], 0.0)

    def corners(self) -> list[Vec3]:
        """The corners of the opening as a rectangle."""
        side, up = scale(self.across, self.width / 2.0), (0.0, 0.0, self.height)
        low, high = sub(self.sill, side), add(self.sill, side)
        return [low, high, add(high, up), add(low, up)]

    def holds(self, cell_id: int, origin: Vec3) -> bool:
        """Something stands in it."""
        away = sub(origin, self.sill)
        return (
            block_of(cell_id) == block_of(self.cell_id)
            and abs(dot(away, self.through)) <= NEAR
            and abs(dot(away, self.across)) <= self.width / 2.0
            and -UPRIGHT <= away[2] < self.height
        )


def doorway_at(graph: CellGraph, cell_id: int, index: int) -> Doorway | None:
    """The doorway that a room's portal is a side of; None for small windows, hatches, and portals that are not
    loaded."""
    cell = graph.peek(cell_id)
    if not isinstance(cell, EnvCell) or not 0 <= index < len(cell.portals):
        return None
    portal = cell.portals[index]
    own = _opening(cell, portal)
    if own is None:
        return None
    behind = graph.peek(portal.other_cell_id)
    wall = cell if _other_side(cell, portal) is not None else behind
    if isinstance(wall, EnvCell):
        near = portal if wall is cell else _portal(wall, portal.other_portal_id)
        far = None if near is None else _other_side(wall, near)
        if far is not None:
            other = _opening(wall, far)
            if other is not None:
                middle = scale(add(own.sill, other.sill), 0.5)
                return Doorway(wall.id, middle, own.through, min(own.width, other.width), min(own.height, other.height))
    return own


def _portal(cell: EnvCell, index: int) -> CellPortal | None:
    return cell.portals[index] if 0 <= index < len(cell.portals) else None


def _other_side(cell: EnvCell, portal: CellPortal) -> CellPortal | None:
    """The portal on the far side of a wall, where a cell is only as thick as the wall."""
    own = _opening(cell, portal)
    best: tuple[float, CellPortal] | None = None
    for other in cell.portals:
        across = None if other is portal or own is None else _opening(cell, other)
        if own is None or across is None or abs(dot(own.through, across.through)) < PARALLEL:
            continue
        away = sub(across.sill, own.sill)
        depth, beside = abs(dot(away, own.through)), abs(dot(away, own.across))
        if depth <= NEAR and beside <= LEAST[0] and (best is None or depth < best[0]):
            best = (depth, other)
    return None if best is None else best[1]


def _opening(cell: EnvCell, portal: CellPortal) -> Doorway | None:
    """One portal as an upright rectangle."""
    polygon = portal.polygon
    if polygon is None:
        return None
    nx, ny, nz = cell.frame.local_to_global_vec(polygon.plane.normal)
    size = hypot(nx, ny)
    if abs(nz) > LEVEL or size == 0.0:
        return None
    through = (nx / size, ny / size, 0.0)
    across = (through[1], -through[0], 0.0)
    corners = [cell.frame.local_to_global(corner) for corner in polygon.vertices]
    sides = [dot(corner, across) for corner in corners]
    low, high = min(p[2] for p in corners), max(p[2] for p in corners)
    width = max(sides) - min(sides)
    if width < LEAST[0] or high - low < LEAST[1]:
        return None
    middle = add(scale(across, (max(sides) + min(sides)) / 2.0), scale(through, dot(corners[0], through)))
    return Doorway(cell.id, (middle[0], middle[1], low), through, width, high - low)


def is_empty(sim: Simulation, doorway: Doorway) -> bool:
    """No door stands in it."""
    return not any(doorway.holds(door.place_cell(), door.place_frame().origin) for door in sim.population.doors)


def closed_slab(sim: Simulation, spec: EntitySpec, setup: Setup) -> Extent | None:
    """The extent of a closed door in its own space."""
    table_id = table_of(spec, setup)
    table = sim.world.motion_table(table_id) if table_id else None
    pose = None if table is None else MotionPlayer(table, NON_COMBAT).rest_pose(OFF)
    return slab_of(setup, pose or [], spec.scale)


def fits(slab: Extent, doorway: Doorway) -> bool:
    """Whether a door is small enough for a doorway."""
    return slab.right - slab.left <= doorway.width + TOO_LARGE and slab.high - slab.low <= doorway.height + TOO_LARGE


def fitted(slab: Extent, doorway: Doorway, front: Vec3) -> Frame:
    """The frame in which a door fills a doorway: halfway through it, on its sill, its front (+y) to the side of
    `front`."""
    way = doorway.through if dot(doorway.through, front) >= 0.0 else scale(doorway.through, -1.0)
    turned = Frame((0.0, 0.0, 0.0), from_heading(heading_of(way)))
    middle = ((slab.left + slab.right) / 2.0, (slab.near + slab.far) / 2.0, slab.low)
    return Frame(sub(doorway.sill, turned.local_to_global_vec(middle)), turned.rotation)
