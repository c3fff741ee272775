"""Whether a body that changed its cell went through the portals between the two, and whether it went through a door."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.entities.door import Door
from engine.geometry.vec import Vec3, cross, dot, length, sub
from engine.sim.passage.doorway import Doorway
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import FIRST_ENV_CELL, low_of
from engine.world.cells.portals import OUTSIDE
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph

BESIDE: Final = 0.15
"""Metres by which the middle of a body may pass beside a portal: a sub-step may turn between two ticks."""

BEFORE: Final = 0.3
"""Metres by which it may stay short of the portal's plane: cells of a thick wall meet within it."""

MOST_PORTALS: Final = 4
"""Portals that a body passes in one tick at most: a thin doorway has two."""

NEAR_LEAF: Final = 0.6
"""Metres between a leaf and the plane of the portal that it closes."""

FLAT: Final = 1e-3
"""A portal whose normal has less than this along the door's is none that the door closes."""

BELOW_LEAF: Final = 0.5
"""Metres by which the soles may be lower than a leaf that still closes the way."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A portal's polygon in the frame of its landblock, and the cell behind it or OUTSIDE."""

    portal: int
    to: int
    points: tuple[Vec3, ...]
    normal: Vec3

    def is_passed(self, before: Vec3, after: Vec3) -> bool:
        """Whether the line comes through the polygon, or as near to it as rounding and sub-steps allow."""
        at = self.points[0]
        first, last = dot(self.normal, sub(before, at)), dot(self.normal, sub(after, at))
        if first * last > 0.0 and min(abs(first), abs(last)) > BEFORE:
            return False
        share = 0.0 if first == last else min(max(first / (first - last), 0.0), 1.0)
        x, y, z = (a + (b - a) * share for a, b in zip(before, after, strict=True))
        return self.margin((x, y, z)) >= -BESIDE

    def margin(self, point: Vec3) -> float:
        """Metres from a point of the plane to the nearest side, negative beyond it."""
        found = float("inf")
        for number, corner in enumerate(self.points):
            side = sub(self.points[(number + 1) % len(self.points)], corner)
            size = length(side)
            if size > 0.0:
                found = min(found, dot(cross(self.normal, side), sub(point, corner)) / size)
        return found


class Openings:
    """The portals of a world, by cell. Cells as they are when they are first asked about."""

    def __init__(self, graph: CellGraph) -> None:
        self._graph = graph
        self._openings: dict[int, tuple[Opening, ...]] = {}
        self._reaches: dict[int, bool] = {}

    def of(self, cell_id: int) -> tuple[Opening, ...]:
        """Those of a room; land has none of its own."""
        if cell_id not in self._openings:
            cell = self._graph.get_visible(cell_id)
            self._openings[cell_id] = tuple(_openings_of(cell)) if isinstance(cell, EnvCell) else ()
        return self._openings[cell_id]

    def leads_outdoors(self, cell_id: int) -> bool:
        """Whether any chain of portals leads from a cell to the land; land itself does."""
        if low_of(cell_id) < FIRST_ENV_CELL:
            return True
        if cell_id not in self._reaches:
            seen, waiting, answer = {cell_id}, [cell_id], False
            while waiting:
                for opening in self.of(waiting.pop()):
                    answer = answer or opening.to == OUTSIDE
                    if opening.to != OUTSIDE and opening.to not in seen:
                        seen.add(opening.to)
                        waiting.append(opening.to)
            for each in seen if not answer else (cell_id,):  # behind a one-way portal it may be otherwise
                self._reaches[each] = answer
        return self._reaches[cell_id]

    def are_passed(self, a: int, b: int, before: Vec3, after: Vec3) -> bool:
        """Whether a chain of portals leads from cell `a` to `b`, all of which the line passes; between land cells there
        are none. Both points are in the landblock frame of `b`."""
        if a == b or (_node(a) == OUTSIDE and _node(b) == OUTSIDE):
            return True
        frame = b
        if _node(a) == OUTSIDE:  # land has no list of the portals into rooms
            a, b = b, a
        if self._chain(a, _node(b), frame, before, after):
            return True
        return _node(b) != OUTSIDE and self._chain(b, a, frame, before, after)

    def _chain(self, start: int, goal: int, frame: int, before: Vec3, after: Vec3) -> bool:
        seen, now = {start}, [start]
        for _ in range(MOST_PORTALS):
            following: list[int] = []
            for cell_id in now:
                one, two = into_block(cell_id, frame, before), into_block(cell_id, frame, after)
                for opening in self.of(cell_id):
                    if opening.to in seen or not opening.is_passed(one, two):
                        continue
                    if opening.to == goal:
                        return True
                    seen.add(opening.to)
                    following.append(opening.to)
            now = following
        return False


def _node(cell_id: int) -> int:
    return OUTSIDE if low_of(cell_id) < FIRST_ENV_CELL else cell_id


def _openings_of(cell: EnvCell) -> list[Opening]:
    found = []
    for number, portal in enumerate(cell.portals):
        if portal.polygon is None:
            continue
        points = tuple(cell.frame.local_to_global(point) for point in portal.polygon.vertices)
        normal = cell.frame.local_to_global_vec(portal.polygon.normal)
        found.append(Opening(number, portal.other_cell_id, points, normal))
    return found


class ClosedDoor:
    """Where a door that stands closed must not be passed: its leaves, and the portals that it closes, in its own
    space."""

    def __init__(self, sim: Simulation, door: Door, openings: Openings) -> None:
        self.door = door
        self.doorway = Doorway(sim, door)
        low, high = self.doorway.low, self.doorway.high
        self.leaf = (low, high)
        self.middle = 0.5 * (low[1] + high[1])
        self._openings = [each for each in self._near(sim, openings) if self._is_closed_by_it(each)]

    def _near(self, sim: Simulation, openings: Openings) -> list[Opening]:
        """The portals of the rooms of its landblock, in the door's space."""
        frame = self.door.place_frame()
        return [
            Opening(
                opening.portal,
                opening.to,
                tuple(frame.global_to_local(point) for point in opening.points),
                frame.global_to_local_vec(opening.normal),
            )
            for cell in sim.graph.cells_of(self.doorway.cell_id)
            if cell.is_interior
            for opening in openings.of(cell.id)
        ]

    def _is_closed_by_it(self, opening: Opening) -> bool:
        low, high = self.leaf
        xs = [x for x, _, _ in opening.points]
        ys = [y for _, y, _ in opening.points]
        zs = [z for _, _, z in opening.points]
        return (
            max(abs(y - self.middle) for y in ys) <= NEAR_LEAF
            and min(xs) < high[0]
            and max(xs) > low[0]
            and min(zs) < high[2]
            and max(zs) > low[2]
        )

    @property
    def is_closed(self) -> bool:
        return not self.door.is_open

    def crossing(self, home: int, before: Vec3, after: Vec3) -> Vec3 | None:
        """Where a way of the body's origin passes the closed door, through its leaf or through what it leaves free of
        its portal, in the door's space; None when it does not. The points are in the landblock of `home`."""
        one = self.doorway.local_of(home, before)
        two = self.doorway.local_of(home, after)
        first, last = one[1] - self.middle, two[1] - self.middle
        if first * last > 0.0 or first == last:
            return None
        share = first / (first - last)
        x, y, z = (a + (b - a) * share for a, b in zip(one, two, strict=True))
        low, high = self.leaf
        if low[0] <= x <= high[0] and low[2] - BELOW_LEAF <= z < high[2]:
            return x, y, z
        if any(_holds(opening, (x, z)) for opening in self._openings):
            return x, y, z
        return None


def _holds(opening: Opening, at: tuple[float, float]) -> bool:
    """Whether an upright portal holds a point of the door's plane."""
    x, z = at
    nx, ny, nz = opening.normal
    if abs(ny) < FLAT:
        return False
    y = (dot(opening.normal, opening.points[0]) - nx * x - nz * z) / ny
    return opening.margin((x, y, z)) >= 0.0
