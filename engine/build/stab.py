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
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

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
"""Portals tried from one cell before the rest of what could be reached is simply taken as seen."""

LONGEST: Final = 200
"""Portals in one chain before the same is done: only portals of edited rooms that lead back into each other, all but in
one plane, are passed so often."""

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
    may_see: frozenset[int]

    def __init__(self, portal: StabPortal) -> None:
        self.points = list(reversed(portal.points))
        self.plane = _plane_of(self.points)
        self.to = portal.to
        self.may_see = frozenset()


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
    """The search for the cells of one common space."""

    def __init__(self, cells: Sequence[StabCell]) -> None:
        self._ways = [[_Way(portal) for portal in cell.portals] for cell in cells]
        for of_cell in self._ways:
            for way in of_cell:
                way.may_see = _reachable(way, self._ways)

    def may_see(self, start: int) -> frozenset[int]:
        """An upper bound of what is seen from a cell, with OUTSIDE, quickly told."""
        return frozenset().union(*(way.may_see for way in self._ways[start]))

    def seen_from(self, start: int, known: Collection[int] = ()) -> Seen:
        """The cells visible from one. `known` are cells, and OUTSIDE, known to be so: it does not look for them."""
        search = _Search(self._ways)
        search.seen.add(start)
        search.seen.update(known)
        for way in self._ways[start]:
            search.seen.add(way.to)
            if way.to != OUTSIDE and not way.may_see <= search.seen:
                search.through(way, [way.points], way)
        search.seen.discard(start)
        outside = OUTSIDE in search.seen
        search.seen.discard(OUTSIDE)
        return Seen(sorted(search.seen), outside)

    def chains(self, start: int, goal: int) -> Iterator[Chain]:
        """The ways by which lines lead from a cell to another, or to OUTSIDE; nearest portals of the cell first."""
        for number, way in enumerate(self._ways[start]):
            if way.to == goal:
                yield Chain(((start, number),), way.points, way.points)
        for number, way in enumerate(self._ways[start]):
            if way.to != OUTSIDE and goal in way.may_see:
                search = _ChainSearch(self._ways, goal)
                yield from search.through(way, [way.points], way, ((start, number),))


def _reachable(first: _Way, ways: Sequence[Sequence[_Way]]) -> frozenset[int]:
    """The upper bound of the cells visible through a portal: the flood through all portals that face onwards."""
    seen: set[int] = {first.to}
    waiting = [first.to]
    while waiting:
        cell = waiting.pop()
        if cell == OUTSIDE:
            continue
        for way in ways[cell]:
            if way.to not in seen and _faces_onwards(first, way):
                seen.add(way.to)
                waiting.append(way.to)
    return frozenset(seen)


def _faces_onwards(first: _Way, way: _Way) -> bool:
    """Whether a line may cross `first` and, later, `way`, as far as their two planes tell."""
    return (
        max(_dist(first.plane, p) for p in way.points) > COPLANAR
        and min(_dist(way.plane, p) for p in first.points) < -COPLANAR
    )


def _onwards(first: _Way, entry: _Way, way: _Way, chain: Sequence[_Polygon]) -> tuple[_Polygon, _Polygon] | None:
    """The parts of `way`, and of the chain's first portal, that lines through the chain and then `way` cross; None when
    there are none."""
    if not (_faces_onwards(first, way) and _faces_onwards(entry, way)):
        return None
    source, last = chain[0], chain[-1]
    target = _clip(_clip(way.points, first.plane), entry.plane)
    before = _clip(source, _flipped(way.plane))
    if not target or not before:
        return None
    if len(chain) > 1:
        target = _reached(before, last, target)
        for passed in chain[1:-1]:
            target = target and _reached(passed, last, target)
        before = target and _reached(target, last, before)
        if not before:
            return None
    return target, before


class _Search:
    """The walk from one cell through all chains of portals that a line can follow."""

    seen: set[int]

    def __init__(self, ways: Sequence[Sequence[_Way]]) -> None:
        self.seen = set()
        self._ways = ways
        self._steps = 0

    def through(self, first: _Way, chain: list[_Polygon], entry: _Way) -> None:
        """Continue in the cell behind `entry`; lines cross the polygons of the chain, the last one in the entry."""
        for way in self._ways[entry.to]:
            if self._steps >= STEPS or len(chain) > LONGEST:
                self.seen |= entry.may_see
                return
            self._steps += 1
            led = _onwards(first, entry, way, chain)
            if led is None:
                continue
            target, before = led
            self.seen.add(way.to)
            if way.to != OUTSIDE and not way.may_see <= self.seen:
                self.through(first, [before, *chain[1:], target], way)


class _ChainSearch:
    """The same walk to one cell alone, which tells every chain that leads there."""

    def __init__(self, ways: Sequence[Sequence[_Way]], goal: int) -> None:
        self._ways = ways
        self._goal = goal
        self._steps = 0

    def through(
        self, first: _Way, chain: list[_Polygon], entry: _Way, crossed: tuple[tuple[int, int], ...]
    ) -> Iterator[Chain]:
        """Continue in the cell behind `entry`, as `_Search.through` does."""
        for number, way in enumerate(self._ways[entry.to]):
            if self._steps >= STEPS or len(chain) > LONGEST:
                return
            self._steps += 1
            if way.to != self._goal and (way.to == OUTSIDE or self._goal not in way.may_see):
                continue
            led = _onwards(first, entry, way, chain)
            if led is None:
                continue
            target, before = led
            longer = (*crossed, (entry.to, number))
            if way.to == self._goal:
                yield Chain(longer, before, target)
            else:
                yield from self.through(first, [before, *chain[1:], target], way, longer)


def _reached(source: _Polygon, last: _Polygon, target: _Polygon) -> _Polygon:
    """The part of the target that lines through `source` and then `last` can reach, or a little more."""
    for plane in _parting_planes(source, last):
        target = _clip(target, plane)
        if not target:
            return target
    for plane in _parting_planes(last, source):
        target = _clip(target, _flipped(plane))
        if not target:
            return target
    return target


def _parting_planes(edges_of: _Polygon, corners_of: _Polygon) -> list[_Plane]:
    """The planes through an edge of one polygon and a corner of the other that part them, the second in front."""
    planes = []
    for i, a in enumerate(edges_of):
        b = edges_of[(i + 1) % len(edges_of)]
        ex, ey, ez = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        if ex * ex + ey * ey + ez * ez < 1e-12:
            continue
        for c in corners_of:
            vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
            nx, ny, nz = ey * vz - ez * vy, ez * vx - ex * vz, ex * vy - ey * vx
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            if size < 1e-9:
                continue
            nx, ny, nz = nx / size, ny / size, nz / size
            plane = (nx, ny, nz, -(nx * a[0] + ny * a[1] + nz * a[2]))
            side = _side_of_all(plane, edges_of)
            if side == 0.0:
                continue
            if side > 0.0:
                plane = _flipped(plane)
            if _side_of_all(plane, corners_of) > 0.0:
                planes.append(plane)
    return planes


def _side_of_all(plane: _Plane, points: _Polygon) -> float:
    """1 or -1 when all points are on one side (or on the plane) and not all on the plane, else 0."""
    low = high = 0.0
    for p in points:
        d = plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3]
        if d < low:
            low = d
        elif d > high:
            high = d
    if low >= -PARTING:
        return 1.0 if high > PARTING else 0.0
    return -1.0 if high <= PARTING else 0.0


def _plane_of(points: _Polygon) -> _Plane:
    nx = ny = nz = 0.0
    ax, ay, az = points[0]
    for (bx, by, bz), (cx, cy, cz) in pairwise(points[1:]):
        ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
        nx, ny, nz = nx + uy * vz - uz * vy, ny + uz * vx - ux * vz, nz + ux * vy - uy * vx
    size = math.sqrt(nx * nx + ny * ny + nz * nz) or 1.0
    nx, ny, nz = nx / size, ny / size, nz / size
    return (nx, ny, nz, -sum(nx * x + ny * y + nz * z for x, y, z in points) / len(points))


def _flipped(plane: _Plane) -> _Plane:
    return (-plane[0], -plane[1], -plane[2], -plane[3])


def _dist(plane: _Plane, p: Vec3) -> float:
    return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3]


def _clip(points: _Polygon, plane: _Plane) -> _Polygon:
    """The part of a polygon in front of a plane that is moved back by SLACK; the list itself when nothing is cut."""
    sides = [plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3] + SLACK for p in points]
    if min(sides) >= 0.0:
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
