"""Finding the rooms around a point, from nothing but the point.

Only the free camera's fallbacks and a root that is lost ask this (rendering.md 21.3, 21.5): a cell that is carried
through portals never does. `searches` counts, so that a test can hold that a walk makes none.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.cell_bsp import ENTIRELY
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.visibility.world_view import BlockView, WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.landdefs import block_offset
from engine.world.graph.graph import CellGraph
from engine.world.landblock import neighbour_ids

_FAR_AWAY: Final = 1 << 30


class PointLocator:
    """Searches the loaded landblocks for rooms that contain a point."""

    world_view: WorldView
    graph: CellGraph
    searches: int

    def __init__(self, world_view: WorldView) -> None:
        self.world_view = world_view
        self.graph = world_view.graph
        self.searches = 0

    def first_of(self, cell_ids: list[int], p: Vec3) -> EnvCell | None:
        """The first of some rooms of one landblock that contains a point of it."""
        self.searches += 1
        for cell_id in cell_ids:
            cell = self.graph.peek(cell_id)
            if isinstance(cell, EnvCell) and cell.point_in_cell(p):
                return cell
        return None

    def rooms_at(self, block_id: int, p: Vec3) -> list[EnvCell]:
        """All rooms of a landblock and those around it that contain a point, ascending by id."""
        self.searches += 1
        found: list[EnvCell] = []
        for near_id in [block_id, *neighbour_ids(block_id)]:
            block = self.world_view.block(near_id)
            if block is not None:
                found.extend(_rooms_of(block, _shifted(block_id, block.block_id, p)))
        return found

    def room_around(self, block_id: int, p: Vec3, radius: float) -> EnvCell | None:
        """The first room of a landblock that holds the whole sphere."""
        self.searches += 1
        block = self.world_view.block(block_id)
        if block is None:
            return None
        for room in _rooms_of(block, p):
            local = Sphere(room.frame.global_to_local(p), radius)
            if room.sphere_intersects_cell(local) == ENTIRELY:
                return room
        return None

    def nearest(self, rooms: list[EnvCell], start_ids: list[int]) -> EnvCell:
        """The room that the fewest portals lie before, counted from the start cells; the lowest id of equal ones."""
        hops = self._portals_between(start_ids)
        best = rooms[0]
        for room in rooms:
            if hops.get(room.id, _FAR_AWAY) < hops.get(best.id, _FAR_AWAY):
                best = room
        return best

    def _portals_between(self, start_ids: list[int]) -> dict[int, int]:
        hops: dict[int, int] = {}
        waiting: list[int] = []
        for cell_id in start_ids:
            if cell_id not in hops:
                hops[cell_id] = 0
                waiting.append(cell_id)
        done = 0
        while done < len(waiting):
            cell_id = waiting[done]
            done += 1
            cell = self.graph.peek(cell_id)
            if isinstance(cell, EnvCell):
                for portal in cell.portals:
                    other_id = portal.other_cell_id
                    if other_id not in hops:
                        hops[other_id] = hops[cell_id] + 1
                        waiting.append(other_id)
        return hops


def _rooms_of(block: BlockView, p: Vec3) -> list[EnvCell]:
    return [room for room in block.rooms_around(p) if room.point_in_cell(p)]


def _shifted(frm: int, to: int, p: Vec3) -> Vec3:
    """A point of one landblock in the coordinates of another, unrounded."""
    dx, dy, dz = block_offset(to, frm)
    return (p[0] + dx, p[1] + dy, p[2] + dz)
