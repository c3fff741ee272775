"""Eyes that prove what is seen from a room: each is tried with the flood by which the picture is drawn
(rendering.md 4.3, 7).

Stab lists are what limits that flood, so an eye that proves an entry looks with every list ignored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from engine.build.stab import Chain
from engine.geometry.elementary import atan2, hypot, plain_sum
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, add, dot, length, lerp, scale, sub
from engine.survey.stabs.question import OUTDOORS
from engine.visibility.camera import Camera, focal_of_screen, looking
from engine.visibility.flood import Visibility
from engine.visibility.openings import FARTHEST
from engine.visibility.options import FloodOptions
from engine.visibility.records import EXIT_OPEN, FloodResult
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import CellPortal
from engine.world.graph.graph import CellGraph

SCREENS: Final = ((1280, 800), (3840, 2160))
"""Pixels of the screens on which an eye is tried: a slit that is nothing on the first shows on the second."""
BEFORE: Final = (0.3, 0.05, 1.0)
"""Metres from an eye to the opening that it looks through first."""
SHRUNK: Final = 0.98
"""Where a line aimed at a corner goes through, from the middle to the corner."""
MOST_CHAINS: Final = 24
MOST_LINES: Final = 36
"""What is tried before nobody counts as an eye for a cell: chains of portals, and lines through each."""
PLACES: Final = 4
"""Digits after the point of an eye's coordinates and angles, so that it is the same one where they are read."""

GoneThrough = tuple[int, int]
"""A portal by its cell and number."""


@dataclass(frozen=True)
class Sight:
    """An eye, and what it sees."""

    cell_id: int
    goal: int
    """The cell that is seen, or OUTDOORS."""
    eye: Vec3
    heading: float
    pitch: float
    screen: tuple[int, int]
    chain: tuple[GoneThrough, ...]
    """The portals that it sees it through, the nearest first."""
    look: Vec3
    """The point that it looks at."""

    def camera(self) -> Camera:
        width, height = map(float, self.screen)
        focal = focal_of_screen(width, height)
        return looking(self.cell_id, self.eye, self.heading, self.pitch, width, height, focal)


class Eyes:
    """Tries eyes in the rooms of one graph, with all stab lists ignored. `close` ends its watch of the graph."""

    def __init__(self, graph: CellGraph) -> None:
        self.graph = graph
        self.floods = 0
        self._visibility = Visibility(graph, FloodOptions(ignore_stab_list=True))

    def close(self) -> None:
        self._visibility.close()

    def look(
        self, room: EnvCell, eye: Vec3, at: Vec3, screen: tuple[int, int] = SCREENS[0]
    ) -> tuple[Sight, FloodResult]:
        """One eye, its direction rounded as it will be told, and what the flood draws for it."""
        eye = rounded(eye)
        heading, pitch = direction(eye, at)
        sight = Sight(room.id, room.id, eye, heading, pitch, screen, (), at)
        self.floods += 1
        return sight, self._visibility.flood_interior(room.id, sight.camera())

    def sampled(self, room: EnvCell) -> dict[int, Sight]:
        """The cells, and OUTDOORS, that the room's sampled eyes see: one in its middle, and one close to each of its
        portals, which sees the most through the others; each looks through every portal."""
        seen: dict[int, Sight] = {}
        openings = list(openings_of(room))
        for eye in eyes_in(room, openings):
            for middle, inwards in openings:
                if dot(sub(eye, middle), inwards) > 0.0:
                    sight, flood = self.look(room, eye, middle)
                    add_seen(seen, sight, flood)
        return seen

    def proof(self, room: EnvCell, goal: int, chains: Iterable[Chain]) -> Sight | None:
        """An eye in the room for which the flood draws `goal` through one of the chains, None when none is found."""
        for number, chain in enumerate(chains):
            if number == MOST_CHAINS:
                break
            for screen in SCREENS:
                for eye, at in lines_through(room.point_in_cell, chain):
                    sight, flood = self.look(room, eye, at, screen)
                    seen: dict[int, Sight] = {}
                    add_seen(seen, sight, flood)
                    if goal in seen:
                        return seen[goal]
        return None


def add_seen(seen: dict[int, Sight], sight: Sight, flood: FloodResult) -> None:
    """Put what a flood has drawn beside what was seen before."""
    for visible in flood.cells:
        if visible.cell_id not in seen and visible.cell_id != sight.cell_id:
            seen[visible.cell_id] = seeing(sight, visible.cell_id, chain_to(flood, visible.cell_id))
    if flood.outside and OUTDOORS not in seen:
        for record in flood.portals:
            if record.status == EXIT_OPEN:
                chain = (*chain_to(flood, record.cell_id), (record.cell_id, record.index))
                seen[OUTDOORS] = seeing(sight, OUTDOORS, chain)
                break


def seeing(sight: Sight, goal: int, chain: tuple[GoneThrough, ...]) -> Sight:
    return Sight(sight.cell_id, goal, sight.eye, sight.heading, sight.pitch, sight.screen, chain, sight.look)


def chain_to(flood: FloodResult, cell_id: int) -> tuple[GoneThrough, ...]:
    """The portals through which the flood first came to a cell."""
    chain: list[GoneThrough] = []
    while cell_id != flood.root_id and len(chain) < len(flood.cells):
        visible = flood.by_id[cell_id]
        chain.append((visible.parent_id, visible.parent_portal))
        cell_id = visible.parent_id
    return tuple(reversed(chain))


# --- where eyes are


def openings_of(room: EnvCell) -> Iterator[tuple[Vec3, Vec3]]:
    """The middle of each portal that has an area, and the direction from it into the room."""
    for portal in room.portals:
        if portal.polygon is not None:
            opening = opening_of(room, portal, portal.polygon)
            if opening is not None:
                yield opening


def opening_of(room: EnvCell, portal: CellPortal, polygon: Polygon) -> tuple[Vec3, Vec3] | None:
    corners = polygon.vertices
    if len(corners) < 3 or polygon.degenerate:
        return None
    middle = room.frame.local_to_global(mean(corners))
    normal = room.frame.local_to_global_vec(polygon.normal)
    if not (is_place(middle) and is_place(normal)):
        return None
    return middle, scale(normal, -1.0) if portal.portal_side else normal


def eyes_in(room: EnvCell, openings: Sequence[tuple[Vec3, Vec3]]) -> list[Vec3]:
    """Eyes that are in the room: no other can stand there."""
    tried = [add(middle, scale(inwards, BEFORE[0])) for middle, inwards in openings]
    middle = middle_of(room)
    if middle is not None:
        tried.insert(0, middle)
    return [eye for eye in tried if is_place(eye) and room.point_in_cell(eye)]


def middle_of(room: EnvCell) -> Vec3 | None:
    """The middle of a room's corners; a damaged one may have none, or all of them nowhere."""
    corners = [corner for corner in map(room.frame.local_to_global, room.structure.vertices) if is_place(corner)]
    return mean(corners) if corners else None


def is_place(point: Vec3) -> bool:
    """Whether a point is somewhere in the world."""
    return all(abs(each) < FARTHEST for each in point)


def lines_through(stands: Callable[[Vec3], bool], chain: Chain) -> Iterator[tuple[Vec3, Vec3]]:
    """Eyes where one stands, and what they look at, each on a line through a chain's first and last portal."""
    number = 0
    for start, end in product(_aims(chain.source), _aims(chain.target)):
        along = sub(end, start)
        far = length(along)
        if far < 1e-6:  # one portal alone
            normal = _normal(chain.source)
            along, far = normal, 1.0
            end = add(start, normal)
        for before in BEFORE:
            eye = sub(start, scale(along, before / far))
            if is_place(eye) and stands(eye):
                yield eye, end
                number += 1
                break
        if number == MOST_LINES:
            return


def _aims(corners: Sequence[Vec3]) -> list[Vec3]:
    middle = mean(corners)
    return [middle, *(lerp(middle, corner, SHRUNK) for corner in corners)]


def _normal(corners: Sequence[Vec3]) -> Vec3:
    """The direction of travel through a portal whose corners are in the order of travel."""
    return Polygon(0, list(corners)).normal


def mean(corners: Sequence[Vec3]) -> Vec3:
    count = float(len(corners))
    return (
        plain_sum(c[0] for c in corners) / count,
        plain_sum(c[1] for c in corners) / count,
        plain_sum(c[2] for c in corners) / count,
    )


def rounded(point: Vec3) -> Vec3:
    x, y, z = point
    return (round(x, PLACES), round(y, PLACES), round(z, PLACES))


def direction(eye: Vec3, at: Vec3) -> tuple[float, float]:
    """Heading and pitch in degrees."""
    dx, dy, dz = sub(at, eye)
    heading = math.degrees(atan2(dx, dy)) % 360.0
    pitch = math.degrees(atan2(dz, hypot(dx, dy)))
    return round(heading, PLACES), round(pitch, PLACES)
