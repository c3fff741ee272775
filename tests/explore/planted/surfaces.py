"""The walls, floors and doorways of the demo's rooms, to choose a place for a defect from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from engine.dat.records import CellStruct, DatPolygon, EnvCell
from engine.geometry.vec import Vec3, cross, dot, length, normalized, sub
from tests.explore.planted.draft import DUNGEON, VILLAGE, Draft, frame_of, openings_of, points_of


@dataclass(frozen=True)
class Surface:
    """One polygon of a room, with its corners in the landblock."""

    room: int
    key: int
    points: tuple[Vec3, ...]
    normal: Vec3
    area: float

    @property
    def middle(self) -> Vec3:
        return middle_of(self.points)

    @property
    def low(self) -> float:
        return min(p[2] for p in self.points)

    @property
    def high(self) -> float:
        return max(p[2] for p in self.points)

    @property
    def width(self) -> float:
        """The longest way across the ground from one corner to another."""
        return max(length((a[0] - b[0], a[1] - b[1], 0.0)) for a in self.points for b in self.points)


@dataclass(frozen=True)
class Doorway:
    """One portal of a room, upright, that one walks through."""

    room: int
    index: int
    other: int
    """The cell that it leads to; of its landblock 0xFFFF for outdoors."""
    points: tuple[Vec3, ...]
    normal: Vec3
    """Into the room."""

    @property
    def threshold(self) -> Vec3:
        """The middle of its lower edge."""
        x, y, _ = middle_of(self.points)
        return (x, y, min(p[2] for p in self.points))

    @property
    def width(self) -> float:
        return max(length((a[0] - b[0], a[1] - b[1], 0.0)) for a in self.points for b in self.points)

    def inside(self, away: float) -> Vec3:
        """A point on its floor so many metres into the room."""
        x, y, z = self.threshold
        return (x + self.normal[0] * away, y + self.normal[1] * away, z)


def middle_of(points: tuple[Vec3, ...]) -> Vec3:
    count = float(len(points))
    return (sum(p[0] for p in points) / count, sum(p[1] for p in points) / count, sum(p[2] for p in points) / count)


def surfaces_of(draft: Draft, room: EnvCell) -> list[Surface]:
    shape = draft.seen_structure(room)
    return [surface(room, shape, polygon) for polygon in shape.physics_polygons]


def surface(room: EnvCell, shape: CellStruct, polygon: DatPolygon) -> Surface:
    frame = frame_of(room)
    points = tuple(frame.local_to_global(p) for p in points_of(shape, polygon))
    total = (0.0, 0.0, 0.0)
    for a, b in pairwise(points[1:]):
        c = cross(sub(a, points[0]), sub(b, points[0]))
        total = (total[0] + c[0], total[1] + c[1], total[2] + c[2])
    return Surface(room.id, polygon.key, points, normalized(total), 0.5 * length(total))


def rooms_of(draft: Draft, block: int = 0) -> list[EnvCell]:
    """The rooms that people walk in, without the cells of doorways, windows and hatches."""
    blocks = (block,) if block else (VILLAGE, DUNGEON)
    return [room for each in blocks for room in draft.rooms(each) if _floor_area(draft, room) > 3.0]


def _floor_area(draft: Draft, room: EnvCell) -> float:
    return sum(each.area for each in surfaces_of(draft, room) if each.normal[2] > 0.7)


def floors(draft: Draft, room: EnvCell) -> list[Surface]:
    return [each for each in surfaces_of(draft, room) if each.normal[2] > 0.7]


def main_floor(draft: Draft, room: EnvCell) -> Surface:
    return max(floors(draft, room), key=lambda each: (each.area, -each.key))


def walls_to_reach(draft: Draft, room: EnvCell) -> list[Surface]:
    """Upright walls from the floor up, wide enough to walk through, with no other room right behind and nothing that
    stands before them."""
    base = main_floor(draft, room)
    things = [stab.frame.origin for stab in room.objects]
    others = [other for other in draft.rooms(room.id | 0xFFFF) if other.id != room.id]
    found = []
    for each in surfaces_of(draft, room):
        if abs(each.normal[2]) > 0.01 or abs(each.low - base.low) > 0.05 or each.high - each.low < 2.2:
            continue
        if each.width < 1.6 or each.area < 3.0:
            continue
        x, y, _ = each.middle
        nx, ny, _ = each.normal
        behind = (x - nx * 0.7, y - ny * 0.7, each.low + 1.0)
        before = (x + nx * 1.0, y + ny * 1.0, each.low)
        if any(_near(before, thing, 1.7) for thing in things):
            continue
        if any(holds(draft, other, behind) for other in others):
            continue
        found.append(each)
    return found


def _near(a: Vec3, b: Vec3, reach: float) -> bool:
    return abs(a[2] - b[2]) < 2.5 and length((a[0] - b[0], a[1] - b[1], 0.0)) < reach


def holds(draft: Draft, room: EnvCell, point: Vec3) -> bool:
    """Whether a point is in a room, by its cell tree."""
    node = draft.seen_structure(room).cell_bsp
    local = frame_of(room).global_to_local(point)
    while node.plane is not None:
        normal, d = node.plane
        if dot(normal, local) + d < 0.0 or node.pos is None:
            return False
        node = node.pos
    return True


def doorways_of(draft: Draft, room: EnvCell) -> list[Doorway]:
    """The upright openings down to the floor, wide and high enough to walk through."""
    frame, found = frame_of(room), []
    shape = draft.seen_structure(room)
    base = main_floor(draft, room).low if floors(draft, room) else None
    for index, (portal, corners) in enumerate(zip(room.portals, openings_of(room, shape), strict=True)):
        points = tuple(frame.local_to_global(p) for p in corners)
        total = cross(sub(points[1], points[0]), sub(points[2], points[0]))
        doorway = Doorway(room.id, index, portal.other_cell_id, points, normalized(total))
        tall = max(p[2] for p in points) - min(p[2] for p in points)
        is_level = base is None or abs(doorway.threshold[2] - base) < 0.3
        if abs(doorway.normal[2]) < 0.01 and tall > 1.9 and doorway.width > 1.2 and is_level:
            found.append(doorway)
    return found


def in_order(random: Random, of: list[EnvCell]) -> Iterator[EnvCell]:
    """All of them, in a random order."""
    yield from random.sample(of, len(of))


def around(room: EnvCell, draft: Draft) -> frozenset[int]:
    """A room and the rooms that its portals lead to."""
    block = room.id & 0xFFFF0000
    return frozenset({room.id, *(block | portal.other_cell_id for portal in room.portals)})
