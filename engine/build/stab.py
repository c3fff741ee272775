"""Stab lists: the cells that are visible from anywhere in a cell, through portals (rendering.md 4.3, dat-format.md
2.4).

A cell is visible when some straight line leads to it through a chain of portals. Cells are convex, so a line that
crosses the first portal of a chain comes from within the cell. Along each chain the next portal is cut down to what
lines through the ones before can still reach: planes that separate two of those and touch both bound all such lines. On
plans of upright openings that is exact. The result is never less than what can be seen: rounding errs on the side of
seeing more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import count, pairwise
from operator import or_
from typing import Final

import numpy as np

from engine.geometry.elementary import plain_sum
from engine.geometry.vec import Vec3

OUTSIDE: Final = -1
"""The target of an exit portal."""

SLACK: Final = 1e-3
"""Metres by which openings count as larger than they are."""

PARTING: Final = 1e-7
"""A plane parts two openings when no corner is more than this on the wrong side."""

COPLANAR: Final = 1e-5
"""Corners this near to a portal's plane are in it; portals of turned cells agree to about a tenth of this."""

STEPS: Final = 20_000
"""Portals tried behind one before the rest of what could be reached is simply taken as seen."""

LONGEST: Final = 200
"""Portals in one chain before the same is done: only portals of edited rooms that lead back into each other, all but in
one plane, are passed so often."""

ROWS: Final = 256
"""Ways whose distances from all others' planes are in memory together."""

_Plane = tuple[float, float, float, float]
_Polygon = list[Vec3]


@dataclass
class StabPortal:
    """A portal by its corners, which look into the cell that owns it, and the index of the cell beyond or OUTSIDE."""

    points: Sequence[Vec3]
    to: int


@dataclass
class StabCell:
    """A convex cell as far as seeing goes: its portals, all cells in one common space."""

    portals: list[StabPortal] = field(default_factory=list)


@dataclass
class Seen:
    """The cells visible from one cell by index, ascending, and whether the outdoors is visible."""

    cells: list[int]
    outside: bool


class _Way:
    """A portal in the direction of travel: out of its cell, so that its plane's front is where it leads to."""

    points: _Polygon
    plane: _Plane
    to: int
    number: int
    onwards: bytes
    """By the numbers of ways, whether a line may cross this one and later that one, as far as their planes tell."""
    may_see: int
    """The cells that lines through this portal may lead to, a bit for each, the highest for OUTSIDE. An upper bound,
    until a search through this portal has told which they are."""
    shows: int
    """Those that lines through it are known to lead to."""
    is_searched: bool

    def __init__(self, portal: StabPortal, number: int) -> None:
        self.points = list(reversed(portal.points))
        self.plane = _plane_of(self.points)
        self.to = portal.to
        self.number = number
        self.onwards = b""
        self.may_see = 0
        self.shows = 0
        self.is_searched = False


@dataclass
class Chain:
    """Portals in a row through which lines lead from a cell to another."""

    ways: tuple[tuple[int, int], ...]
    """Each by the index of the cell that it leads out of and its place among that cell's portals."""
    source: Sequence[Vec3]
    """The part of the first portal that the lines cross, or a little more."""
    target: Sequence[Vec3]
    """The part of the last one."""


def stab_lists(cells: Sequence[StabCell]) -> list[Seen]:
    """The cells visible from each cell."""
    return list(seen_from_each(cells))


def seen_from_each(cells: Sequence[StabCell]) -> Iterator[Seen]:
    """The same one by one, for callers that may stop on the way."""
    search = StabSearch(cells)
    for index in range(len(cells)):
        yield search.seen_from(index)


class StabSearch:
    """The search for the cells of one common space, portal by portal.

    What a portal shows bounds what it shows to those who look through others before, so the answer of each is kept. A
    search only decides about cells that are within that bound and not yet known to be seen.
    """

    def __init__(self, cells: Sequence[StabCell]) -> None:
        numbers = count()
        self._ways = [[_Way(portal, next(numbers)) for portal in cell.portals] for cell in cells]
        self._outside = 1 << len(cells)
        flat = [way for of_cell in self._ways for way in of_cell]
        for way, row in zip(flat, _facing(flat), strict=True):
            way.onwards = row
        for way in flat:
            way.may_see = self._reachable(way)
        self._bounds = [reduce(or_, (way.may_see for way in of_cell), 0) for of_cell in self._ways]

    def may_see(self, start: int) -> set[int]:
        """An upper bound of what is seen from a cell, with OUTSIDE, told without a search."""
        return self._cells_of(self._bounds[start])

    def seen_from(self, start: int) -> Seen:
        """The cells visible from one."""
        mask = 0
        for way in self._ways[start]:
            mask |= self._seen_through(way)
        seen = self._cells_of(mask & ~(1 << start))
        outside = OUTSIDE in seen
        seen.discard(OUTSIDE)
        return Seen(sorted(seen), outside)

    def know(self, start: int, portal: int, seen: Iterable[int]) -> None:
        """Take cells as seen from a cell through one of its portals: it is quicker not to look for them."""
        way = self._ways[start][portal]
        for cell in seen:
            way.shows |= self._bit(cell)

    def search_all(self) -> None:
        """Search through all portals, those first that may show the least: they bound the others."""
        for way in sorted((way for of_cell in self._ways for way in of_cell), key=lambda way: way.may_see.bit_count()):
            self._seen_through(way)

    def chains(self, start: int, goal: int) -> Iterator[Chain]:
        """The ways by which lines lead from a cell to another, or to OUTSIDE; direct ones first."""
        for number, way in enumerate(self._ways[start]):
            if way.to == goal:
                yield Chain(((start, number),), way.points, way.points)
        for number, way in enumerate(self._ways[start]):
            if way.to != OUTSIDE and way.may_see & self._bit(goal):
                search = _ChainSearch(self._ways, goal, self._bit(goal))
                yield from search.through(way, _Walked([way.points]), way, ((start, number),))

    def _bit(self, cell: int) -> int:
        return self._outside if cell == OUTSIDE else 1 << cell

    def _cells_of(self, mask: int) -> set[int]:
        found = {OUTSIDE} if mask & self._outside else set[int]()
        mask &= ~self._outside
        while mask:
            lowest = mask & -mask
            found.add(lowest.bit_length() - 1)
            mask ^= lowest
        return found

    def _seen_through(self, way: _Way) -> int:
        if not way.is_searched:
            search = _Search(self._ways, self._outside)
            search.seen = self._bit(way.to) | way.shows
            if way.to != OUTSIDE and way.may_see & ~search.seen:
                search.through(way, _Walked([way.points]), way, way.may_see)
            way.may_see = search.seen
            way.is_searched = True
        return way.may_see

    def _reachable(self, first: _Way) -> int:
        """The upper bound of the cells visible through a portal: the flood through all portals that face onwards."""
        mask, faces = self._bit(first.to), first.onwards
        waiting = [first.to]
        while waiting:
            cell = waiting.pop()
            if cell == OUTSIDE:
                continue
            for way in self._ways[cell]:
                if faces[way.number]:
                    bit = self._bit(way.to)
                    if not mask & bit:
                        mask |= bit
                        waiting.append(way.to)
        return mask


def _facing(ways: Sequence[_Way]) -> Iterator[bytes]:
    """For each way, by the numbers of the others, whether a line may cross it and later the other one: part of that
    one is in front of its plane, and part of it behind the plane of that one."""
    if not ways:
        return
    most = max(len(way.points) for way in ways)
    corners = np.array([[*way.points, *[way.points[-1]] * (most - len(way.points))] for way in ways])
    planes = np.array([way.plane for way in ways])
    before = np.empty((len(ways), len(ways)), np.bool_)
    behind = np.empty_like(before)
    for at in range(0, len(ways), ROWS):
        rows = slice(at, at + ROWS)
        a, b, c = (planes[rows, axis, None] for axis in range(3))
        highest = lowest = a * corners[:, 0, 0] + b * corners[:, 0, 1] + c * corners[:, 0, 2]
        for number in range(1, most):
            heights = a * corners[:, number, 0] + b * corners[:, number, 1] + c * corners[:, number, 2]
            highest, lowest = np.maximum(highest, heights), np.minimum(lowest, heights)
        before[rows] = highest > COPLANAR - planes[rows, 3:]
        behind[rows] = lowest < -COPLANAR - planes[rows, 3:]
    before &= behind.T
    for row in before:
        yield row.tobytes()


class _Walked:
    """The polygons that lines have crossed, one in each portal of a chain, and the planes that bound those lines."""

    polygons: list[_Polygon]

    def __init__(self, polygons: list[_Polygon]) -> None:
        self.polygons = polygons
        self._of_passed: list[_Plane] | None = None
        self._of_source: list[_Plane] | None = None

    def of_passed(self) -> list[_Plane]:
        """Those of the polygons between the first and the last, with the last."""
        if self._of_passed is None:
            last = self.polygons[-1]
            self._of_passed = [plane for passed in self.polygons[1:-1] for plane in _bounding_planes(passed, last)]
        return self._of_passed

    def of_source(self) -> list[_Plane]:
        """Those of the first polygon with the last."""
        if self._of_source is None:
            self._of_source = _bounding_planes(self.polygons[0], self.polygons[-1])
        return self._of_source

    def onwards(self, first: _Way, entry: _Way, way: _Way) -> tuple[_Polygon, _Polygon] | None:
        """The parts of `way`, and of the chain's first portal, that lines through the chain and then `way` cross; None
        when there are none."""
        if not (first.onwards[way.number] and entry.onwards[way.number]):
            return None
        source, last = self.polygons[0], self.polygons[-1]
        target = _clip(_clip(way.points, first.plane), entry.plane)
        before = _clip(source, _flipped(way.plane))
        if not target or not before:
            return None
        if len(self.polygons) > 1:
            target = _clip_all(target, self.of_source() if before is source else _bounding_planes(before, last))
            target = target and _clip_all(target, self.of_passed())
            before = target and _clip_all(before, _bounding_planes(target, last))
            if not before:
                return None
        return target, before

    def longer(self, before: _Polygon, target: _Polygon) -> _Walked:
        return _Walked([before, *self.polygons[1:], target])


class _Search:
    """The walk through all chains of portals that a line can follow, beginning with one."""

    seen: int

    def __init__(self, ways: Sequence[Sequence[_Way]], outside: int) -> None:
        self.seen = 0
        self._ways = ways
        self._outside = outside
        self._steps = 0

    def through(self, first: _Way, walked: _Walked, entry: _Way, bound: int) -> None:
        """Continue in the cell behind `entry`, the portal that was walked through last; what is seen there is in
        `bound`."""
        for way in self._ways[entry.to]:
            if self._steps >= STEPS or len(walked.polygons) > LONGEST:
                self.seen |= bound
                return
            self._steps += 1
            left = bound & way.may_see
            if not left & ~self.seen:
                continue
            led = walked.onwards(first, entry, way)
            if led is None:
                continue
            target, before = led
            self.seen |= self._outside if way.to == OUTSIDE else 1 << way.to
            if way.to != OUTSIDE and left & ~self.seen:
                self.through(first, walked.longer(before, target), way, left)


class _ChainSearch:
    """The same walk to one cell alone, which tells every chain that leads there."""

    def __init__(self, ways: Sequence[Sequence[_Way]], goal: int, bit: int) -> None:
        self._ways = ways
        self._goal = goal
        self._bit = bit
        self._steps = 0

    def through(
        self, first: _Way, walked: _Walked, entry: _Way, crossed: tuple[tuple[int, int], ...]
    ) -> Iterator[Chain]:
        """Continue in the cell behind `entry`, as `_Search.through` does."""
        for number, way in enumerate(self._ways[entry.to]):
            if self._steps >= STEPS or len(walked.polygons) > LONGEST:
                return
            self._steps += 1
            if not way.may_see & self._bit or (way.to == OUTSIDE and self._goal != OUTSIDE):
                continue
            led = walked.onwards(first, entry, way)
            if led is None:
                continue
            target, before = led
            longer = (*crossed, (entry.to, number))
            if way.to == self._goal:
                yield Chain(longer, before, target)
            else:
                yield from self.through(first, walked.longer(before, target), way, longer)


def _clip_all(polygon: _Polygon, planes: Sequence[_Plane]) -> _Polygon:
    for plane in planes:
        polygon = _clip(polygon, plane)
        if not polygon:
            break
    return polygon


def _bounding_planes(source: _Polygon, last: _Polygon) -> list[_Plane]:
    """The planes behind which no line comes that crosses `source` and then `last`."""
    return [*_parting_planes(source, last), *map(_flipped, _parting_planes(last, source))]


def _parting_planes(edges_of: _Polygon, corners_of: _Polygon) -> list[_Plane]:
    """The planes through an edge of one polygon and a corner of the other that part them, the second in front."""
    planes: list[_Plane] = []
    a = edges_of[-1]
    for b in edges_of:
        ax, ay, az = a
        ex, ey, ez = b[0] - ax, b[1] - ay, b[2] - az
        a = b
        if ex * ex + ey * ey + ez * ez < 1e-12:
            continue
        for cx, cy, cz in corners_of:
            vx, vy, vz = cx - ax, cy - ay, cz - az
            nx, ny, nz = ey * vz - ez * vy, ez * vx - ex * vz, ex * vy - ey * vx
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            if size < 1e-9:
                continue
            nx, ny, nz = nx / size, ny / size, nz / size
            d = -(nx * ax + ny * ay + nz * az)
            low = high = 0.0
            for px, py, pz in corners_of:
                h = nx * px + ny * py + nz * pz + d
                if h < low:
                    low = h
                elif h > high:
                    high = h
                if low < -PARTING and high > PARTING:
                    break
            else:
                if low < -PARTING:
                    nx, ny, nz, d = -nx, -ny, -nz, -d
                elif high <= PARTING:
                    continue  # all of it lies in the plane
                if _is_behind(nx, ny, nz, d, edges_of):
                    planes.append((nx, ny, nz, d))
    return planes


def _is_behind(nx: float, ny: float, nz: float, d: float, points: _Polygon) -> bool:
    """Whether all points are behind a plane or on it, and not all on it."""
    low = 0.0
    for px, py, pz in points:
        h = nx * px + ny * py + nz * pz + d
        if h > PARTING:
            return False
        if h < low:
            low = h
    return low < -PARTING


def _plane_of(points: _Polygon) -> _Plane:
    nx = ny = nz = 0.0
    ax, ay, az = points[0]
    for (bx, by, bz), (cx, cy, cz) in pairwise(points[1:]):
        ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
        nx, ny, nz = nx + uy * vz - uz * vy, ny + uz * vx - ux * vz, nz + ux * vy - uy * vx
    size = math.sqrt(nx * nx + ny * ny + nz * nz) or 1.0
    nx, ny, nz = nx / size, ny / size, nz / size
    return (nx, ny, nz, -plain_sum(nx * x + ny * y + nz * z for x, y, z in points) / len(points))


def _flipped(plane: _Plane) -> _Plane:
    return (-plane[0], -plane[1], -plane[2], -plane[3])


def _dist(plane: _Plane, p: Vec3) -> float:
    return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3]


def _clip(points: _Polygon, plane: _Plane) -> _Polygon:
    """The part of a polygon in front of a plane that is moved back by SLACK; the list itself when nothing is cut."""
    sides = [plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3] + SLACK for p in points]
    if min(sides, default=0.0) >= 0.0:
        return points
    if max(sides) <= 0.0:
        return []
    kept: _Polygon = []
    for i, p in enumerate(points):
        here, there = sides[i], sides[(i + 1) % len(points)]
        if here >= 0.0:
            kept.append(p)
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            q = points[(i + 1) % len(points)]
            t = here / (here - there)
            kept.append((p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t, p[2] + (q[2] - p[2]) * t))
    return kept
