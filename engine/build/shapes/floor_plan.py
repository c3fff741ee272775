"""Floor plans: polygons in the plane, their checks, and the split of a concave plan into convex parts.

A cell tree describes a convex region (dat-format.md 3.3.3), so every cell needs a convex plan.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.build.errors import BuildError
from engine.geometry.elementary import cos, distance_between, sin

Point2 = tuple[float, float]

SEAM = -1
"""The edge number of a cut made while splitting: an open side towards another part of the same room."""

_TOO_CLOSE = 1e-3  # metres; nearer corners than this are a slip of the author
_ON_LINE = 1e-9
_SNAP = 1e-6


def rect(x: float, y: float, width: float, depth: float) -> list[Point2]:
    """The plan of a rectangular room: its south-west corner, its size eastwards and northwards.

    Edges count from the south wall counter-clockwise: 0 south, 1 east, 2 north, 3 west.
    """
    return [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]


def ngon(x: float, y: float, radius: float, sides: int, turn: float = 0.0) -> list[Point2]:
    """A regular polygon about a centre; `turn` in degrees moves its first corner counter-clockwise from east."""
    start = math.radians(turn)
    step = 2.0 * math.pi / sides
    return [(x + radius * cos(start + i * step), y + radius * sin(start + i * step)) for i in range(sides)]


@dataclass(frozen=True)
class PlanPart:
    """A convex part of a plan. `edges[i]` is the edge of the whole plan that contains points[i] to points[i + 1]."""

    points: tuple[Point2, ...]
    edges: tuple[int, ...]


def plan_area(plan: Sequence[Point2]) -> float:
    """Signed: positive when the corners run counter-clockwise."""
    total = 0.0
    for i, (ax, ay) in enumerate(plan):
        bx, by = plan[(i + 1) % len(plan)]
        total += ax * by - bx * ay
    return total * 0.5


def checked_plan(plan: Sequence[Point2], where: str) -> list[Point2]:
    """The plan with its corners counter-clockwise; raise BuildError if it is not valid."""
    points = [(float(x), float(y)) for x, y in plan]
    if len(points) < 3:
        raise BuildError(where, f"a plan needs three corners, this one has {len(points)}")
    for i, a in enumerate(points):
        if not all(math.isfinite(c) for c in a):
            raise BuildError(where, f"corner {i} of the plan is not a point: {a}")
        b = points[(i + 1) % len(points)]
        if distance_between(a, b) < _TOO_CLOSE:
            raise BuildError(where, f"corners {i} and {(i + 1) % len(points)} of the plan are at the same place {a}")
    crossing = _crossing_edges(points)
    if crossing is not None:
        raise BuildError(where, f"the plan crosses itself: edges {crossing[0]} and {crossing[1]} meet")
    area = plan_area(points)
    if abs(area) < _TOO_CLOSE:
        raise BuildError(where, "the plan has no area")
    return points if area > 0.0 else list(reversed(points))


def is_convex(plan: Sequence[Point2]) -> bool:
    """Whether no corner of a counter-clockwise plan points inwards."""
    return all(_turn(plan, i) >= -_ON_LINE for i in range(len(plan)))


def convex_parts(plan: Sequence[Point2], where: str) -> list[PlanPart]:
    """Split a counter-clockwise plan into convex parts; a convex plan is its own only part.

    Each cut starts at an inward corner and takes away as many inward corners as possible, the shortest first, so that
    an L becomes two rectangles.
    """
    done: list[PlanPart] = []
    waiting = [PlanPart(tuple(plan), tuple(range(len(plan))))]
    while waiting:
        part = waiting.pop()
        if is_convex(part.points):
            done.append(part)
            continue
        first, second = _split(part, where)
        waiting.append(second)
        waiting.append(first)
    return done


def _cross(o: Point2, a: Point2, b: Point2) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _turn(plan: Sequence[Point2], i: int) -> float:
    """The sine of the turn at corner i, positive to the left, whatever the lengths of its edges."""
    a, b, c = plan[i - 1], plan[i], plan[(i + 1) % len(plan)]
    return _cross(a, b, c) / (distance_between(a, b) * distance_between(b, c))


def _crossing_edges(plan: Sequence[Point2]) -> tuple[int, int] | None:
    count = len(plan)
    for i in range(count):
        a, b = plan[i], plan[(i + 1) % count]
        for j in range(i + 1, count):
            c, d = plan[j], plan[(j + 1) % count]
            if j == i + 1 or (i == 0 and j == count - 1):
                shared = b if j == i + 1 else a
                before, after = (a, d) if j == i + 1 else (b, c)
                along = (before[0] - shared[0]) * (after[0] - shared[0]) + (before[1] - shared[1]) * (
                    after[1] - shared[1]
                )
                if abs(_cross(shared, before, after)) < _ON_LINE and along > 0.0:
                    return (i, j)
            elif _touching(a, b, c, d):
                return (i, j)
    return None


def _touching(a: Point2, b: Point2, c: Point2, d: Point2) -> bool:
    """Whether two edges without a common corner share a point."""
    d1, d2 = _cross(a, b, c), _cross(a, b, d)
    d3, d4 = _cross(c, d, a), _cross(c, d, b)
    if max(d1, d2) < -_ON_LINE or min(d1, d2) > _ON_LINE or max(d3, d4) < -_ON_LINE or min(d3, d4) > _ON_LINE:
        return False
    return (
        min(a[0], b[0]) <= max(c[0], d[0])
        and min(c[0], d[0]) <= max(a[0], b[0])
        and min(a[1], b[1]) <= max(c[1], d[1])
        and min(c[1], d[1]) <= max(a[1], b[1])
    )


@dataclass(frozen=True)
class _Chord:
    """A cut from corner `start` to `end`, a corner (`edge` None) or a point within edge number `edge`."""

    start: int
    end: int
    edge: int | None
    point: Point2
    resolved: int
    length: float


def _split(part: PlanPart, where: str) -> tuple[PlanPart, PlanPart]:
    chords: list[_Chord] = []
    for i in range(len(part.points)):
        if _turn(part.points, i) < -_ON_LINE:
            chords += _extensions(part.points, i)
            chords += _diagonals(part.points, i)
    if not chords:
        raise BuildError(where, "the plan cannot be split into convex parts")
    best = min(chords, key=lambda chord: (-chord.resolved, chord.length))
    return _cut(part, best)


def _extensions(plan: Sequence[Point2], i: int) -> list[_Chord]:
    """The cuts that continue one of the two walls meeting in the inward corner i to the opposite side."""
    found = []
    here = plan[i]
    for neighbour in (plan[i - 1], plan[(i + 1) % len(plan)]):
        length = distance_between(neighbour, here)
        direction = ((here[0] - neighbour[0]) / length, (here[1] - neighbour[1]) / length)
        hit = _first_hit(plan, i, direction)
        if hit is None:
            continue
        distance, edge = hit
        point = (here[0] + direction[0] * distance, here[1] + direction[1] * distance)
        corner = next((j for j in (edge, (edge + 1) % len(plan)) if distance_between(point, plan[j]) < _SNAP), None)
        if corner is None:
            found.append(_Chord(i, edge, edge, point, 1, distance))
        elif corner != i:
            found.append(_Chord(i, corner, None, plan[corner], 1 + _resolves(plan, corner, i), distance))
    return found


def _diagonals(plan: Sequence[Point2], i: int) -> list[_Chord]:
    """The cuts to another corner that leave no inward angle at corner i."""
    count = len(plan)
    found = []
    for j in range(count):
        if j in (i, (i + 1) % count, (i - 1) % count) or not _resolves(plan, i, j):
            continue
        length = distance_between(plan[i], plan[j])
        direction = ((plan[j][0] - plan[i][0]) / length, (plan[j][1] - plan[i][1]) / length)
        hit = _first_hit(plan, i, direction)
        if hit is None or hit[0] < length - _SNAP:
            continue
        if not _inside_at(plan, j, plan[i]):
            continue
        found.append(_Chord(i, j, None, plan[j], 1 + _resolves(plan, j, i), length))
    return found


def _inside_at(plan: Sequence[Point2], i: int, target: Point2) -> bool:
    """Whether the line from corner i to the target starts inside the plan."""
    here, before, after = plan[i], plan[i - 1], plan[(i + 1) % len(plan)]
    left_of_next = _cross(here, after, target) > _ON_LINE
    left_of_last = _cross(before, here, target) > _ON_LINE
    return (left_of_next and left_of_last) if _turn(plan, i) >= 0.0 else (left_of_next or left_of_last)


def _resolves(plan: Sequence[Point2], i: int, j: int) -> int:
    """1 when a cut from corner i to corner j leaves no inward angle at i, which is an inward corner."""
    if _turn(plan, i) >= -_ON_LINE:
        return 0
    here, before, after, target = plan[i], plan[i - 1], plan[(i + 1) % len(plan)], plan[j]
    return int(_cross(before, here, target) >= -_ON_LINE and _cross(here, after, target) >= -_ON_LINE)


def _first_hit(plan: Sequence[Point2], i: int, direction: Point2) -> tuple[float, int] | None:
    """Distance and number of the edge, not one of corner i, that a ray from there into the plan meets first."""
    count = len(plan)
    ox, oy = plan[i]
    best: tuple[float, int] | None = None
    for edge in range(count):
        if edge == i or (edge + 1) % count == i:
            continue
        ax, ay = plan[edge]
        bx, by = plan[(edge + 1) % count]
        ex, ey = bx - ax, by - ay
        det = direction[0] * ey - direction[1] * ex
        if abs(det) < _ON_LINE:
            continue
        t = ((ax - ox) * ey - (ay - oy) * ex) / det
        s = ((ax - ox) * direction[1] - (ay - oy) * direction[0]) / det
        if t > _SNAP and -_ON_LINE <= s <= 1.0 + _ON_LINE and (best is None or t < best[0]):
            best = (t, edge)
    return best


def _cut(part: PlanPart, chord: _Chord) -> tuple[PlanPart, PlanPart]:
    points, edges = list(part.points), list(part.edges)
    start, end = chord.start, chord.end
    if chord.edge is not None:
        end = chord.edge + 1
        points.insert(end, chord.point)
        edges.insert(end, edges[chord.edge])
        if start >= end:
            start += 1
    low, high = min(start, end), max(start, end)
    first = PlanPart(tuple(points[low : high + 1]), (*edges[low:high], SEAM))
    second = PlanPart((*points[high:], *points[: low + 1]), (*edges[high:], *edges[:low], SEAM))
    return first, second
