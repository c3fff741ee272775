"""A second implementation of cell membership, written from the text of physics.md 6 and 8.5 alone: lists of
half-spaces, a rotation about the vertical, and the pseudo-code line by line."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field

Point = tuple[float, float, float]
HalfSpace = tuple[Point, float]
Corners = list[Point]

EPS = 0.0002
EXIT = 0x4
NOT_PORTAL_SIDE = 0x2
NO_PORTAL = 0xFFFF


def single(x: float) -> float:
    (rounded,) = struct.unpack("f", struct.pack("f", x))
    assert isinstance(rounded, float)
    return rounded


def dist(plane: HalfSpace, p: Point) -> float:
    (a, b, c), d = plane
    return a * p[0] + b * p[1] + c * p[2] + d


@dataclass
class Spot:
    """A frame: an origin, and a rotation about the vertical, anticlockwise."""

    origin: Point
    angle: float = 0.0

    def to_global(self, p: Point) -> Point:
        c, s = math.cos(self.angle), math.sin(self.angle)
        x, y, z = self.origin
        return (x + c * p[0] - s * p[1], y + s * p[0] + c * p[1], z + p[2])

    def to_local(self, p: Point) -> Point:
        c, s = math.cos(self.angle), math.sin(self.angle)
        x, y, z = (p[i] - self.origin[i] for i in range(3))
        return (c * x + s * y, -s * x + c * y, z)


@dataclass
class OPortal:
    flags: int
    plane: HalfSpace
    other: int
    other_portal: int = 0


@dataclass
class ORoom:
    id: int
    spot: Spot
    tree: list[HalfSpace] | None
    portals: list[OPortal]
    stab: list[int]


@dataclass
class OWay:
    """A building's portal."""

    other: int
    other_portal: int


@dataclass
class OPart:
    block: int
    spot: Spot
    sphere: tuple[Point, float] | None
    low: Point
    high: Point
    flat: bool = False

    def corners(self) -> Corners:
        return [
            (x, y, z)
            for x in (self.low[0], self.high[0])
            for y in (self.low[1], self.high[1])
            for z in (self.low[2], self.high[2])
        ]


@dataclass
class OArray:
    ids: list[int] = field(default_factory=list)
    loaded: list[bool] = field(default_factory=list)
    vacated: list[int] = field(default_factory=list)
    added_outside: bool = False
    do_not_load: bool = False

    def add(self, cell_id: int, loaded: bool) -> None:
        if cell_id in self.ids:
            return
        if self.vacated:
            place = self.vacated.pop()
            self.ids[place], self.loaded[place] = cell_id, loaded
        else:
            self.ids.append(cell_id)
            self.loaded.append(loaded)


Ball = tuple[Point, float]


class Oracle:
    """A world of rooms, land and buildings, and the queries on it, in `retail` form or not."""

    def __init__(self, rooms: list[ORoom], blocks: list[int], ways: dict[int, list[OWay]], retail: bool) -> None:
        self.rooms = {room.id: room for room in rooms}
        self.blocks = blocks
        self.ways = ways
        self.retail = retail

    # --- 1.4, 6.11

    def is_loaded(self, cell_id: int) -> bool:
        low = cell_id & 0xFFFF
        return cell_id in self.rooms or (1 <= low <= 64 and cell_id >> 16 in self.blocks)

    @staticmethod
    def into(block: int, frm: int, p: Point) -> Point:
        if block >> 16 == frm >> 16:
            return p
        dx = ((frm >> 24) - (block >> 24)) * 192.0
        dy = (((frm >> 16) & 0xFF) - ((block >> 16) & 0xFF)) * 192.0
        return (single(p[0] + dx), single(p[1] + dy), single(p[2]))

    @staticmethod
    def under(cell_id: int, p: Point) -> tuple[int, int] | None:
        """The land cell under a point, computed over the whole map."""
        x, y = (0.0 if abs(p[0]) < EPS else p[0]), (0.0 if abs(p[1]) < EPS else p[1])
        column = (cell_id >> 24) * 8 + math.floor(x / 24.0)
        row = ((cell_id >> 16) & 0xFF) * 8 + math.floor(y / 24.0)
        return (column, row) if 0 <= column < 2040 and 0 <= row < 2040 else None

    @staticmethod
    def land_id(column: int, row: int) -> int:
        return ((column >> 3) << 24) | ((row >> 3) << 16) | (1 + (column & 7) * 8 + (row & 7))

    def add_land(self, column: int, row: int, ca: OArray) -> None:
        if 0 <= column < 2040 and 0 <= row < 2040 and self.is_loaded(self.land_id(column, row)):
            ca.add(self.land_id(column, row), True)

    # --- 3.8, 6.3

    def point_in_cell(self, cell_id: int, p: Point) -> bool:
        room = self.rooms.get(cell_id)
        if room is None:
            column, row = ((cell_id & 0xFFFF) - 1) >> 3, ((cell_id & 0xFFFF) - 1) & 7
            return math.floor(p[0] / 24.0) == column and math.floor(p[1] / 24.0) == row
        if room.tree is None or (self.retail and not room.portals):
            return False
        local = room.spot.to_local(p)
        return all(dist(plane, local) >= -EPS for plane in room.tree)

    @staticmethod
    def reached(room: ORoom, balls: list[Ball]) -> bool:
        """Without any block offset (#12)."""
        if room.tree is None:
            return False
        return any(
            all(dist(plane, room.spot.to_local(center)) > -(radius + 0.01) for plane in room.tree)
            for center, radius in balls
        )

    # --- 6.4

    def find_cell_list(self, pos: int, balls: list[Ball], ca: OArray, want: bool) -> int:
        if self.retail:
            ca.ids, ca.loaded, ca.vacated = [], [], []
        ca.added_outside = False
        interior = pos & 0xFFFF >= 0x100
        if interior:
            ca.add(pos, self.is_loaded(pos))
        else:
            self.all_outside(pos, balls, ca)
        if not self.is_loaded(pos) or not balls:
            return 0
        place = 0
        while place < len(ca.ids):
            if ca.loaded[place]:
                self.transit(ca.ids[place], pos, balls, ca)
            place += 1
        result = 0
        if want:
            for place, cell_id in enumerate(ca.ids):
                if ca.loaded[place] and self.point_in_cell(cell_id, self.into(cell_id, pos, balls[0][0])):
                    result = cell_id
                    if cell_id & 0xFFFF >= 0x100:
                        if not self.retail:
                            return result
                        break
        if ca.do_not_load and interior:
            self.prune(pos, ca)
        return result

    def prune(self, pos: int, ca: OArray) -> None:
        keep = [pos, *self.rooms[pos].stab]
        if self.retail:
            place = 0
            while place < len(ca.ids):
                if ca.ids[place] in keep:
                    place += 1
                else:
                    last, last_loaded = ca.ids.pop(), ca.loaded.pop()
                    if place < len(ca.ids):
                        ca.ids[place], ca.loaded[place] = last, last_loaded
            return
        for place, cell_id in enumerate(ca.ids):
            if ca.loaded[place] and cell_id not in keep:
                ca.ids[place], ca.loaded[place] = 0, False
                ca.vacated.append(place)

    # --- 6.6, 6.8

    def neighbour(self, room: ORoom, portal: OPortal) -> int:
        """The id of the loaded cell behind a portal; 0 when it counts as not loaded."""
        seen = self.retail or portal.other in room.stab
        return portal.other if seen and self.is_loaded(portal.other) else 0

    def hint(self, portal: OPortal, ca: OArray) -> None:
        ca.add(portal.other if self.retail else portal.other & 0xFFFF, False)

    def transit(self, cell_id: int, pos: int, balls: list[Ball], ca: OArray) -> None:
        room = self.rooms.get(cell_id)
        if room is None:
            self.all_outside(pos, balls, ca)
            for way in self.ways.get(cell_id, []):
                beyond = self.rooms.get(way.other)
                if beyond is not None and way.other_portal != NO_PORTAL and self.reached(beyond, balls):
                    ca.add(beyond.id, True)
            return
        outside = False
        for portal in room.portals:
            distances = [(dist(portal.plane, room.spot.to_local(center)), radius + EPS) for center, radius in balls]
            if portal.flags & EXIT or portal.other & 0xFFFF == 0xFFFF:
                outside = outside or any(abs(t) < rad for t, rad in distances)
            elif self.neighbour(room, portal):
                if self.reached(self.rooms[portal.other], balls):
                    ca.add(portal.other, True)
            elif any(t > -rad if not portal.flags & NOT_PORTAL_SIDE else t < rad for t, rad in distances):
                self.hint(portal, ca)
        if outside:
            self.all_outside(pos, balls, ca)

    def all_outside(self, pos: int, balls: list[Ball], ca: OArray) -> None:
        if ca.added_outside:
            return
        ca.added_outside = True
        for (px, py, _), r in balls:
            there = self.under(pos, (px, py, 0.0))
            if there is None:
                break
            cx, cy = there
            x, y = px - math.floor(px / 24.0) * 24.0, py - math.floor(py / 24.0) * 24.0
            east, west, north, south = x > 24.0 - r, x < r, y > 24.0 - r, y < r
            wanted = [
                (0, 0, True), (1, 0, east), (1, 1, east and north), (1, -1, east and south), (-1, 0, west),
                (-1, 1, west and north), (-1, -1, west and south), (0, 1, north), (0, -1, south),
            ]  # fmt: skip
            for dx, dy, there_too in wanted:
                if there_too:
                    self.add_land(cx + dx, cy + dy, ca)

    # --- 6.7, 6.8: parts

    def find_bbox_cell_list(self, seed: int, parts: list[OPart], ca: OArray) -> None:
        ca.added_outside = False
        ca.add(seed, self.is_loaded(seed))
        place = 0
        while place < len(ca.ids):
            if ca.loaded[place]:
                self.transit_of_parts(ca.ids[place], parts, ca)
            place += 1

    def transit_of_parts(self, cell_id: int, parts: list[OPart], ca: OArray) -> None:
        room = self.rooms.get(cell_id)
        if room is not None:
            self.room_transit_of_parts(room, parts, ca)
            return
        self.outside_of_parts(cell_id, parts, ca)
        for way in self.ways.get(cell_id, []):
            beyond = self.rooms.get(way.other)
            if beyond is not None and way.other_portal < len(beyond.portals):
                self.building_transit_of_parts(beyond, beyond.portals[way.other_portal], parts, ca)

    def corners_in(self, room: ORoom, part: OPart) -> Corners:
        return [room.spot.to_local(self.into(room.id, part.block, part.spot.to_global(p))) for p in part.corners()]

    @staticmethod
    def around(corners: Corners) -> Corners:
        """The corners of the box around some points, the minimum first."""
        low = [min(p[i] for p in corners) for i in range(3)]
        high = [max(p[i] for p in corners) for i in range(3)]
        return [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]

    @staticmethod
    def side(plane: HalfSpace, box: Corners) -> int:
        """1 before, -1 behind, 0 across."""
        t = dist(plane, box[0])
        if abs(t) <= EPS:
            return 0
        answer = 1 if t > 0 else -1
        for p in box:
            u = dist(plane, p) + EPS
            if (1 if u > EPS else -1 if u < -EPS else 0) != answer:
                return 0
        return answer

    def center_in(self, room: ORoom, part: OPart) -> tuple[Point, float] | None:
        if part.sphere is None:
            return None
        center, radius = part.sphere
        return room.spot.to_local(self.into(room.id, part.block, part.spot.to_global(center))), radius + EPS

    def box_reaches(self, room: ORoom, box: Corners) -> bool:
        return room.tree is not None and all(any(dist(plane, p) >= -EPS for p in box) for plane in room.tree)

    def room_transit_of_parts(self, room: ORoom, parts: list[OPart], ca: OArray) -> None:
        outside = False
        for portal in room.portals:
            portal_side = not portal.flags & NOT_PORTAL_SIDE
            for part in parts:
                ball = self.center_in(room, part)
                if ball is None:
                    continue
                t = dist(portal.plane, ball[0])
                if t < -ball[1] if portal_side else t > ball[1]:
                    continue
                side = self.side(portal.plane, self.around(self.corners_in(room, part)))
                if (side > 0 and not portal_side) or (side < 0 and portal_side):
                    continue
                if portal.flags & EXIT or portal.other & 0xFFFF == 0xFFFF:
                    outside = True
                    break
                if not self.neighbour(room, portal):
                    self.hint(portal, ca)
                    break
                other = self.rooms[portal.other]
                if self.box_reaches(other, self.around(self.corners_in(other, part))):
                    ca.add(other.id, True)
                    break
        if outside:
            self.outside_of_parts(room.id, parts, ca)

    def building_transit_of_parts(self, room: ORoom, portal: OPortal, parts: list[OPart], ca: OArray) -> None:
        portal_side = not portal.flags & NOT_PORTAL_SIDE
        for part in parts:
            ball = self.center_in(room, part)
            if ball is None:
                continue
            t = dist(portal.plane, ball[0])
            if t > ball[1] if portal_side else t < -ball[1]:
                continue
            box = self.around(self.corners_in(room, part))
            want = -1 if portal_side else 1
            if not self.retail:
                want = -want
            if self.side(portal.plane, box) in (0, want) and self.box_reaches(room, box):
                ca.add(room.id, True)
                self.room_transit_of_parts(room, parts, ca)
                return

    def outside_of_parts(self, expanded: int, parts: list[OPart], ca: OArray) -> None:
        if ca.added_outside:
            return
        ca.added_outside = True
        spans = [0, 0, 0, 0]
        for base in parts[:1] if self.retail else parts:
            there = self.under(base.block, base.spot.origin)
            if there is None:
                continue
            loc = self.land_id(*there)
            if self.retail and not self.is_loaded(loc):
                return
            lx, ly = there[0] & 7, there[1] & 7
            for part in parts:
                if part.flat and self.retail:
                    x, y, _ = part.spot.origin
                    r = 0.0 if part.sphere is None else part.sphere[1]
                    box = [(x - r, y - r, 0.0), (x + r, y + r, 0.0)]
                else:
                    box = [self.into(loc, part.block, part.spot.to_global(p)) for p in part.corners()]
                columns = [math.floor(p[0] / 24.0) - lx for p in box]
                rows = [math.floor(p[1] / 24.0) - ly for p in box]
                spans = [
                    min([spans[0], *columns]), min([spans[1], *rows]), max([spans[2], *columns]), max([spans[3], *rows])
                ]  # fmt: skip
            for x in range(there[0] + spans[0], there[0] + spans[2] + 1):
                for y in range(there[1] + spans[1], there[1] + spans[3] + 1):
                    if self.retail or self.land_id(x, y) >> 16 == expanded >> 16:
                        self.add_land(x, y, ca)

    # --- 8.5 with #19, #44

    def occupancy(
        self, seed: int, spot: Spot, is_static: bool, by_parts: bool,
        cylinders: list[Ball], sorting: Ball, parts: list[OPart],
    ) -> list[int]:  # fmt: skip
        ca = OArray(do_not_load=is_static)
        if cylinders and not by_parts:
            balls = [(spot.to_global(low), radius) for low, radius in cylinders[:10]]
            self.find_cell_list(seed, balls, ca, False)
        elif by_parts or is_static:
            self.find_bbox_cell_list(seed, parts, ca)
        else:
            self.find_cell_list(seed, [(spot.to_global(sorting[0]), sorting[1])], ca, False)
        return [cell_id for cell_id, loaded in zip(ca.ids, ca.loaded, strict=True) if loaded]
