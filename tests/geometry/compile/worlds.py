"""Random rooms and things for the tests of the compilers, with the truth about them known from their construction.

A `World` is built upright, then turned and moved by its `frame`; `truth` takes points of the turned world.
"""

from __future__ import annotations

import math
from random import Random

from engine.geometry.constants import FLOOR_Z
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon, PolyHit, WalkProbe
from engine.geometry.quat import Quat
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3

FREE = 0
SOLID = 1
BEYOND = 2  # outside of a room's cell: not free, but nobody is told that his centre is in something solid

Cell3 = tuple[int, int, int]

AXES = (0, 1, 2)


class World:
    """Polygons, with the truth about the space between them."""

    def __init__(self, polygons: list[Polygon], openings: list[Polygon], room: bool, frame: Frame) -> None:
        self.polygons = polygons
        self.openings = openings
        self.room = room
        self.frame = frame

    def upright_truth(self, p: Vec3) -> int:
        raise NotImplementedError

    def truth(self, p: Vec3) -> int:
        return self.upright_truth(self.frame.global_to_local(p))

    def random_point(self, rnd: Random, margin: float = 0.4) -> Vec3:
        """A point in the world's upright bounding box, or slightly outside."""
        corners = [self.frame.global_to_local(v) for polygon in self.polygons for v in polygon.vertices]
        x, y, z = (rnd.uniform(min(c[a] for c in corners) - margin, max(c[a] for c in corners) + margin) for a in AXES)
        return self.frame.local_to_global((x, y, z))


class VoxelWorld(World):
    """Filled and empty boxes between the lines of an uneven grid. Runs of equal faces may be merged into long ones."""

    def __init__(self, rnd: Random, room: bool, *, openings: int = 0, size: int = 4, merge: bool = True) -> None:
        self.lines = [_grid_lines(rnd, rnd.randint(1, size)) for _ in AXES]
        self.counts = [len(lines) - 1 for lines in self.lines]
        everything = [
            (i, j, k) for i in range(self.counts[0]) for j in range(self.counts[1]) for k in range(self.counts[2])
        ]
        density = rnd.choice([0.3, 0.6, 0.8])
        chosen = [cell for cell in everything if rnd.random() < density] or [everything[0]]
        # The faces border the space `inside`: that of a room, or the body of a thing.
        self.inside = set(chosen)
        self.all_cells = everything
        frame = random_frame(rnd)
        faces = self._faces(rnd, merge)
        holes = set(rnd.sample(range(len(faces)), min(openings, len(faces) - 1)))
        turned = [[frame.local_to_global(v) for v in corners] for _, _, corners in faces]
        polygons = [Polygon(i, corners) for i, corners in enumerate(turned) if i not in holes]
        portals = [
            Polygon(i, corners if rnd.random() < 0.5 else corners[::-1])
            for i, corners in enumerate(turned)
            if i in holes
        ]
        self.holes = [faces[i] for i in sorted(holes)]
        self.opened = self._opened_cells()
        self._set_extremes([corner for _, _, corners in faces for corner in corners])
        super().__init__(polygons, portals, room, frame)

    def _set_extremes(self, corners: list[Vec3]) -> None:
        self.low = [min(c[a] for c in corners) for a in AXES]
        self.high = [max(c[a] for c in corners) for a in AXES]

    def _faces(self, rnd: Random, merge: bool) -> list[tuple[list[Cell3], list[Cell3], list[Vec3]]]:
        """The cells inside and outside each face, and its corners, counter-clockwise as seen from the free side."""
        faces = []
        for axis in AXES:
            for step in (1, -1):
                along = (axis + 1) % 3
                done: set[Cell3] = set()
                for cell in sorted(self.inside):
                    if cell in done or self._moved(cell, axis, step) in self.inside:
                        continue
                    run = [cell]
                    while merge and rnd.random() < 0.7:
                        following = self._moved(run[-1], along, 1)
                        if (
                            following not in self.inside
                            or following in done
                            or self._moved(following, axis, step) in self.inside
                        ):
                            break
                        run.append(following)
                    done.update(run)
                    faces.append((run, [self._moved(c, axis, step) for c in run], self._corners(run, axis, step)))
        return faces

    @staticmethod
    def _moved(cell: Cell3, axis: int, step: int) -> Cell3:
        moved = list(cell)
        moved[axis] += step
        return (moved[0], moved[1], moved[2])

    def _corners(self, run: list[Cell3], axis: int, step: int) -> list[Vec3]:
        u = (axis + 1) % 3
        v = (axis + 2) % 3
        at = self.lines[axis][run[0][axis] + (1 if step > 0 else 0)]
        u0, u1 = self.lines[u][run[0][u]], self.lines[u][run[-1][u] + 1]
        v0, v1 = self.lines[v][run[0][v]], self.lines[v][run[0][v] + 1]
        corners = []
        for a, b in ((u0, v0), (u1, v0), (u1, v1), (u0, v1)):
            point = [0.0, 0.0, 0.0]
            point[axis], point[u], point[v] = at, a, b
            corners.append((point[0], point[1], point[2]))
        outward = step > 0
        return corners if outward != self._faces_inward() else corners[::-1]

    def _faces_inward(self) -> bool:
        return False

    def _opened_cells(self) -> set[Cell3]:
        raise NotImplementedError

    def _spread(self, start: set[Cell3], within: set[Cell3]) -> set[Cell3]:
        found = set(start)
        waiting = sorted(start)
        while waiting:
            cell = waiting.pop()
            for axis in AXES:
                for step in (1, -1):
                    following = self._moved(cell, axis, step)
                    if following in within and following not in found:
                        found.add(following)
                        waiting.append(following)
        return found

    def cell_at(self, p: Vec3) -> Cell3 | None:
        found = []
        for axis in AXES:
            lines = self.lines[axis]
            index = sum(1 for line in lines if line <= p[axis]) - 1
            if not 0 <= index < len(lines) - 1:
                return None
            found.append(index)
        return (found[0], found[1], found[2])


class VoxelRoom(VoxelWorld):
    """A room: the inside is free. The cell is the box around it, and filled boxes inside are pillars and the like."""

    def __init__(self, rnd: Random, *, openings: int = 0, size: int = 4, merge: bool = True) -> None:
        super().__init__(rnd, True, openings=openings, size=size, merge=merge)

    def _faces_inward(self) -> bool:
        return True

    def _opened_cells(self) -> set[Cell3]:
        """The filled boxes to which an opening leads, and those inside the cell that are connected with them."""
        ranges = [(min(c[a] for c in self.inside), max(c[a] for c in self.inside)) for a in AXES]
        within = {
            c
            for c in self.all_cells
            if c not in self.inside and all(ranges[a][0] <= c[a] <= ranges[a][1] for a in AXES)
        }
        start = {cell for _, outside, _ in self.holes for cell in outside if cell in within}
        return self._spread(start, within)

    def upright_truth(self, p: Vec3) -> int:
        if any(not self.low[a] <= p[a] <= self.high[a] for a in AXES):
            return BEYOND
        cell = self.cell_at(p)
        assert cell is not None
        return FREE if cell in self.inside or cell in self.opened else SOLID


class VoxelThing(VoxelWorld):
    """A thing: the inside is filled. A part with a hole is hollow."""

    def __init__(self, rnd: Random, *, openings: int = 0, size: int = 3, merge: bool = True) -> None:
        super().__init__(rnd, False, openings=openings, size=size, merge=merge)

    def _opened_cells(self) -> set[Cell3]:
        start = {cell for inside, _, _ in self.holes for cell in inside}
        return self._spread(start, self.inside)

    def upright_truth(self, p: Vec3) -> int:
        cell = self.cell_at(p)
        return SOLID if cell is not None and cell in self.inside and cell not in self.opened else FREE


class Convex:
    """A convex solid: a box cut by random planes. `faces` are counter-clockwise as seen from outside."""

    def __init__(self, rnd: Random, cuts: int, reach: float = 4.0) -> None:
        x, y, z = (rnd.uniform(0.5, reach) for _ in range(3))
        self.planes: list[tuple[Vec3, float]] = []
        corner_loops = _box_loops((-x, -y, -z), (x, y, z))
        self.faces = corner_loops
        for normal, extent in (((1.0, 0.0, 0.0), x), ((0.0, 1.0, 0.0), y), ((0.0, 0.0, 1.0), z)):
            self.planes.append((normal, extent))
            self.planes.append(((-normal[0], -normal[1], -normal[2]), extent))
        for _ in range(cuts):
            self._cut(random_direction(rnd), rnd.uniform(0.2, 0.9) * min(x, y, z))

    def _cut(self, n: Vec3, reach: float) -> None:
        """Keeps what is within `reach` along the direction."""
        faces: list[list[Vec3]] = []
        border: list[Vec3] = []
        for loop in self.faces:
            kept: list[Vec3] = []
            for i, b in enumerate(loop):
                a = loop[i - 1]
                s = reach - _dot(n, a)
                t = reach - _dot(n, b)
                if (s < 0.0) != (t < 0.0):
                    k = s / (s - t)
                    crossing = (a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k, a[2] + (b[2] - a[2]) * k)
                    kept.append(crossing)
                    border.append(crossing)
                if t >= 0.0:
                    kept.append(b)
            if len(kept) >= 3:
                faces.append(kept)
        if len(border) >= 3:
            faces.append(_loop_around(border, n))
        self.faces = faces
        self.planes.append((n, reach))

    def contains(self, p: Vec3) -> bool:
        return all(_dot(n, p) <= reach for n, reach in self.planes)


class ConvexRoom(World):
    """A convex room, whose cell is exactly its inside."""

    def __init__(self, rnd: Random, cuts: int) -> None:
        self.solid = Convex(rnd, cuts)
        frame = random_frame(rnd)
        polygons = [
            Polygon(i, [frame.local_to_global(v) for v in reversed(loop)]) for i, loop in enumerate(self.solid.faces)
        ]
        openings = []
        if len(polygons) > 4 and rnd.random() < 0.5:
            openings = [polygons.pop(rnd.randrange(len(polygons)))]
        super().__init__(polygons, openings, True, frame)

    def upright_truth(self, p: Vec3) -> int:
        return FREE if self.solid.contains(p) else BEYOND


class UnionThing(World):
    """Convex solids, each with its own position and rotation, which may overlap."""

    def __init__(self, rnd: Random, parts: int, cuts: int) -> None:
        self.parts: list[tuple[Convex, Frame]] = []
        polygons: list[Polygon] = []
        for _ in range(parts):
            part = Convex(rnd, rnd.randint(0, cuts), 2.0)
            frame = random_frame(rnd, 2.0)
            self.parts.append((part, frame))
            for loop in part.faces:
                polygons.append(Polygon(len(polygons), [frame.local_to_global(v) for v in loop]))
        super().__init__(polygons, [], False, Frame((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))

    def upright_truth(self, p: Vec3) -> int:
        return SOLID if any(part.contains(frame.global_to_local(p)) for part, frame in self.parts) else FREE


def random_direction(rnd: Random) -> Vec3:
    while True:
        x, y, z = (rnd.uniform(-1.0, 1.0) for _ in range(3))
        size = math.sqrt(x * x + y * y + z * z)
        if 0.1 < size <= 1.0:
            return (x / size, y / size, z / size)


def random_frame(rnd: Random, spread: float = 20.0) -> Frame:
    """Upright, turned about the vertical, or turned freely."""
    origin = (rnd.uniform(-spread, spread), rnd.uniform(-spread, spread), rnd.uniform(-spread, spread))
    kind = rnd.randrange(3)
    turn: Quat = (1.0, 0.0, 0.0, 0.0)
    if kind == 1:
        half = rnd.uniform(0.0, math.pi)
        turn = (math.cos(half), 0.0, 0.0, math.sin(half))
    elif kind == 2:
        x, y, z = random_direction(rnd)
        half = rnd.uniform(0.0, math.pi)
        turn = (math.cos(half), x * math.sin(half), y * math.sin(half), z * math.sin(half))
    return Frame(origin, turn)


def random_point_on(rnd: Random, polygon: Polygon) -> Vec3:
    """A point of the polygon, often on its border."""
    weights = [rnd.random() if rnd.random() < 0.7 else 0.0 for _ in polygon.vertices]
    if sum(weights) == 0.0:
        weights[0] = 1.0
    total = sum(weights)
    x, y, z = (sum(w * v[a] for w, v in zip(weights, polygon.vertices, strict=True)) / total for a in AXES)
    return (x, y, z)


def near_surface(polygons: list[Polygon], p: Vec3, limit: float) -> bool:
    """Whether some polygon is within `limit` of the point."""
    probe = Sphere(p, limit)
    return any(polygon.hits_sphere(probe) for polygon in polygons)


def brute_hit(polygons: list[Polygon], sphere: Sphere, move: Vec3) -> tuple[bool, bool]:
    """Whether the sphere hits a polygon against its normal, and whether it touches one at all."""
    hit = touched = False
    for polygon in polygons:
        out = PolyHit()
        hit = polygon.pos_hits_sphere(sphere, move, out) or hit
        touched = touched or out.poly is not None
    return hit, touched


def brute_walkable(polygons: list[Polygon], sphere: Sphere, move: Vec3, up: Vec3) -> Sphere:
    """Where `find_walkable` leaves the sphere after asking all polygons one after the other."""
    probe = WalkProbe(FLOOR_Z)
    moved = sphere.copy()
    for polygon in polygons:
        if polygon.walkable_hits_sphere(probe, moved, up):
            polygon.adjust_sphere_to_plane(probe, moved, move)
    return moved


def brute_ray(polygons: list[Polygon], origin: Vec3, direction: Vec3) -> float:
    """How many lengths of the direction away the nearest polygon on the ray is."""
    times = [polygon.polygon_hits_ray(origin, direction) for polygon in polygons]
    return min((t for t in times if t >= 0.0), default=math.inf)


def box_polygons(low: Vec3, high: Vec3, first_id: int = 0, *, inward: bool = False) -> list[Polygon]:
    """West, east, south, north, underside and top of a box."""
    loops = _box_loops(low, high)
    return [Polygon(first_id + i, loop[::-1] if inward else loop) for i, loop in enumerate(loops)]


def quad(polygon_id: int, *corners: Vec3) -> Polygon:
    return Polygon(polygon_id, list(corners))


def _grid_lines(rnd: Random, count: int) -> list[float]:
    lines = [0.0]
    for _ in range(count):
        lines.append(lines[-1] + rnd.choice([0.2, 1.0, 1.0, 2.0, rnd.uniform(0.1, 3.0)]))
    return lines


def _box_loops(low: Vec3, high: Vec3) -> list[list[Vec3]]:
    (lx, ly, lz), (hx, hy, hz) = low, high
    return [
        [(lx, ly, lz), (lx, ly, hz), (lx, hy, hz), (lx, hy, lz)],
        [(hx, ly, lz), (hx, hy, lz), (hx, hy, hz), (hx, ly, hz)],
        [(lx, ly, lz), (hx, ly, lz), (hx, ly, hz), (lx, ly, hz)],
        [(lx, hy, lz), (lx, hy, hz), (hx, hy, hz), (hx, hy, lz)],
        [(lx, ly, lz), (lx, hy, lz), (hx, hy, lz), (hx, ly, lz)],
        [(lx, ly, hz), (hx, ly, hz), (hx, hy, hz), (lx, hy, hz)],
    ]


def _loop_around(points: list[Vec3], n: Vec3) -> list[Vec3]:
    """The corners of a convex outline, counter-clockwise as seen against the normal, each once."""
    middle = [sum(p[a] for p in points) / len(points) for a in AXES]
    helper = (1.0, 0.0, 0.0) if abs(n[0]) < 0.7 else (0.0, 1.0, 0.0)
    u = _cross(n, helper)
    v = _cross(n, u)

    def angle(p: Vec3) -> float:
        r = (p[0] - middle[0], p[1] - middle[1], p[2] - middle[2])
        return math.atan2(_dot(r, v), _dot(r, u))

    loop: list[Vec3] = []
    for p in sorted(points, key=angle):
        if not loop or math.dist(p, loop[-1]) > 1e-9:
            loop.append(p)
    if len(loop) > 1 and math.dist(loop[0], loop[-1]) <= 1e-9:
        loop.pop()
    return loop


def _dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Vec3, b: Vec3) -> Vec3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
