"""The smallest sphere round a set of points: the bounding spheres of the compiled trees (physics.md 3.1)."""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3

_ROUNDS: Final = 64  # each makes the sphere larger, and a dozen are plenty; the last word has the check of all points
_SLACK: Final = 1e-9  # of the radius: a point no further out is on the sphere


def enclosing_sphere(points: list[Vec3]) -> Sphere:
    """The smallest sphere with every point in it; radius 0 at the origin when there is none.

    It rests on at most four of the points. The farthest point outside joins those, and the smallest sphere around these
    few is found by trial; this repeats until no point is outside.
    """
    if not points:
        return Sphere((0.0, 0.0, 0.0), 0.0)
    support = [points[0]]
    ball = Sphere(points[0], 0.0)
    for _ in range(_ROUNDS):
        far = _farthest(ball.center, points)
        if _distance(ball.center, far) <= ball.radius * (1.0 + _SLACK) + _SLACK:
            break
        support, ball = _smallest_with(support, far)
    ball.radius = max(ball.radius, _distance(ball.center, _farthest(ball.center, points)))
    return ball


def _smallest_with(support: list[Vec3], far: Vec3) -> tuple[list[Vec3], Sphere]:
    """The smallest sphere round `support` and `far`, which lies on it, and the points it rests on."""
    n = len(support)
    chosen = [*support, far]
    best = Sphere(far, math.inf)
    for mask in range(1, 1 << n):
        few = [far]
        few.extend(support[i] for i in range(n) if mask >> i & 1)
        if len(few) > 4:
            continue
        ball = _sphere_on(few)
        if ball is None or ball.radius >= best.radius:
            continue
        reach = ball.radius * (1.0 + _SLACK) + _SLACK
        if _distance(ball.center, _farthest(ball.center, support)) <= reach:
            best = ball
            chosen = few
    if best.radius == math.inf:
        # The few are so close to a line or plane that no sphere passes the trial: one round their middle will do.
        middle = _middle(chosen)
        best = Sphere(middle, _distance(middle, _farthest(middle, chosen)))
        chosen = [far]
    return (chosen, best)


def _sphere_on(points: list[Vec3]) -> Sphere | None:
    """The sphere through two to four points with its centre amid them: solved in the directions from the first one."""
    ox, oy, oz = points[0]
    sides = [(x - ox, y - oy, z - oz) for x, y, z in points[1:]]
    weights = _solve(
        [[2.0 * _dot(a, b) for b in sides] for a in sides],
        [_dot(a, a) for a in sides],
    )
    if not weights:
        return None
    cx = 0.0
    cy = 0.0
    cz = 0.0
    for (x, y, z), weight in zip(sides, weights, strict=True):
        cx += x * weight
        cy += y * weight
        cz += z * weight
    return Sphere((ox + cx, oy + cy, oz + cz), math.sqrt(cx * cx + cy * cy + cz * cz))


def _solve(rows: list[list[float]], right: list[float]) -> list[float]:
    """Up to three linear equations, by elimination with the largest pivot; no solution when they depend."""
    n = len(right)
    size = max(rows[i][i] for i in range(n))
    for i in range(n):
        pivot = i
        for j in range(i + 1, n):
            if abs(rows[j][i]) > abs(rows[pivot][i]):
                pivot = j
        if not abs(rows[pivot][i]) > 1e-12 * size:
            return []
        rows[i], rows[pivot] = rows[pivot], rows[i]
        right[i], right[pivot] = right[pivot], right[i]
        for j in range(n):
            if j != i:
                factor = rows[j][i] / rows[i][i]
                for k in range(i, n):
                    rows[j][k] -= factor * rows[i][k]
                right[j] -= factor * right[i]
    return [right[i] / rows[i][i] for i in range(n)]


def _dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _distance(a: Vec3, b: Vec3) -> float:
    dx = a[0] - b[0]
    dy = a[1] - b[1]
    dz = a[2] - b[2]
    return math.sqrt(dx * dx + dy * dy + dz * dz)


def _farthest(center: Vec3, points: list[Vec3]) -> Vec3:
    cx, cy, cz = center
    best = points[0]
    most = -1.0
    for p in points:
        x, y, z = p
        x -= cx
        y -= cy
        z -= cz
        size = x * x + y * y + z * z
        if size > most:
            most = size
            best = p
    return best


def _middle(points: list[Vec3]) -> Vec3:
    lx, ly, lz = points[0]
    hx, hy, hz = points[0]
    for x, y, z in points:
        lx = min(lx, x)
        ly = min(ly, y)
        lz = min(lz, z)
        hx = max(hx, x)
        hy = max(hy, y)
        hz = max(hz, z)
    return ((lx + hx) * 0.5, (ly + hy) * 0.5, (lz + hz) * 0.5)
