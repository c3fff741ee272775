"""Convex polygons and everything the sweep asks of one (physics.md 2).

The routines bear the client's names and make exactly its comparisons: a `<` here is a `<` there. Vectors are unpacked
into locals throughout, because these are the innermost loops of the program.

A polygon without area has the zero normal and answers False to every test (2.1); one without any vertex is the
exception that the client makes of it: `hits` says True (2.3).
"""

from __future__ import annotations

import math
from typing import Final

from mypy_extensions import mypyc_attr

from engine.geometry.constants import EPSILON
from engine.geometry.plane import POSITIVE, Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, normalized, r24

LANDBLOCK: Final = 0  # cull modes of `sides_type`: seen and hit by rays from the front only
TWO_SIDED: Final = 1
CLOCKWISE: Final = 2
COUNTER_CLOCKWISE: Final = 3

# A cross product this small beside the edges it comes from is only their rounding errors.
_NO_AREA: Final = 1e-15


@mypyc_attr(free_list_len=1)
class PolyHit:
    """The polygon that a query touched last, and the foot point on the last plane that was in reach.

    `contact` is scratch, written whether the polygon is then hit or not (2.3).
    """

    poly: Polygon | None
    contact: Vec3

    def __init__(self) -> None:
        self.poly = None
        self.contact = (0.0, 0.0, 0.0)


@mypyc_attr(free_list_len=1)
class WalkProbe:
    """The sphere path's `walkable_allowance` and `walk_interp`: the slope limit, and the remaining part of the probe.

    `corners` is how `check_walkable` takes a centre beyond two edges (rule `walkable_corner`).
    """

    allowance: float
    interp: float
    corners: bool

    def __init__(self, allowance: float, interp: float = 1.0, corners: bool = True) -> None:
        self.allowance = allowance
        self.interp = interp
        self.corners = corners


class Edge:
    """One side of a polygon: from `last` along `edge`; `cross` = N × edge points into the polygon."""

    last: Vec3
    edge: Vec3
    cross: Vec3
    edge2: float
    cross2: float

    def __init__(self, last: Vec3, edge: Vec3, normal: Vec3) -> None:
        ex, ey, ez = edge
        nx, ny, nz = normal
        cx = ny * ez - nz * ey
        cy = nz * ex - nx * ez
        cz = nx * ey - ny * ex
        self.last = last
        self.edge = edge
        self.cross = (cx, cy, cz)
        self.edge2 = ex * ex + ey * ey + ez * ez
        self.cross2 = cx * cx + cy * cy + cz * cz


class Polygon:
    """An immutable convex polygon, counter-clockwise seen from its front: an edited polygon is a new one."""

    id: int
    vertices: list[Vec3]
    sides_type: int
    plane: Plane
    normal: Vec3
    d: float
    degenerate: bool
    edges: list[Edge]

    def __init__(self, id: int, vertices: list[Vec3], sides_type: int = LANDBLOCK) -> None:  # noqa: A002  # its name in the data
        self.id = id
        self.vertices = vertices
        self.sides_type = sides_type
        plane = make_plane(vertices)
        self.plane = plane
        self.normal = plane.normal
        self.d = plane.d
        self.degenerate = len(vertices) > 0 and plane.normal == (0.0, 0.0, 0.0)
        self.edges = make_edges(vertices, plane.normal)

    def __repr__(self) -> str:
        return f"Polygon({self.id!r}, {self.vertices!r}, {self.sides_type!r})"

    # --- points (2.2)

    def point_in_polygon(self, p: Vec3) -> bool:
        """A point of the plane is inside, or on the border."""
        if self.degenerate:
            return False
        px, py, pz = p
        for e in self.edges:
            lx, ly, lz = e.last
            cx, cy, cz = e.cross
            if (px - lx) * cx + (py - ly) * cy + (pz - lz) * cz < 0.0:
                return False
        return True

    def point_in_poly2d(self, p: Vec3, side: int) -> bool:
        """The same seen from above, z left out. A border point is inside, so the first of two neighbours takes it."""
        if self.degenerate:
            return False
        edges = self.edges  # they hold the corners unboxed: edge i comes from corner i−1
        n = len(edges)
        if n == 0:
            return True
        px = p[0]
        py = p[1]
        first = edges[1 if n > 1 else 0].last
        qx = first[0]
        qy = first[1]
        for i in range(n, 0, -1):
            corner = edges[i if i < n else 0].last
            cx = corner[0]
            cy = corner[1]
            ex = cx - qx
            ey = cy - qy
            t = ey * cx - ex * cy + ex * py - ey * px
            if side != POSITIVE:
                if t < 0.0:
                    return False
            elif t > 0.0:
                return False
            qx = cx
            qy = cy
        return True

    # --- spheres (2.3)

    def hits(self, sphere: Sphere, out: PolyHit | None) -> bool:
        """`polygon_hits_sphere_slow_but_sure`, in two passes. The radius is shrunk by EPSILON: tangent is no hit."""
        if self.degenerate:
            return False
        edges = self.edges
        if len(edges) == 0:
            return True
        x, y, z = sphere.center
        nx, ny, nz = self.normal
        t = nx * x + ny * y + nz * z + self.d
        rad = sphere.radius - EPSILON
        if abs(t) > rad:
            return False
        diff = rad * rad - t * t
        x -= nx * t
        y -= ny * t
        z -= nz * t
        if out is not None:
            out.contact = (x, y, z)
        inside = True
        for e in edges:
            lx, ly, lz = e.last
            cx, cy, cz = e.cross
            if not (x - lx) * cx + (y - ly) * cy + (z - lz) * cz >= 0.0:
                inside = False
                break
        if inside:
            return True
        for e in edges:
            lx, ly, lz = e.last
            cx, cy, cz = e.cross
            dx = x - lx
            dy = y - ly
            dz = z - lz
            s = dx * cx + dy * cy + dz * cz
            if s < 0.0:
                if e.cross2 * diff < s * s:
                    return False
                ex, ey, ez = e.edge
                along = dx * ex + dy * ey + dz * ez
                if 0.0 <= along <= e.edge2:
                    return True
            if dx * dx + dy * dy + dz * dz <= diff:
                return True
        return False

    def hits_sphere(self, sphere: Sphere) -> bool:
        return self.hits(sphere, None)

    def pos_hits_sphere(self, sphere: Sphere, move: Vec3, out: PolyHit) -> bool:
        """Hit while moving against the normal. The polygon is recorded even when the body moves away from it."""
        hit = self.hits(sphere, out)
        if hit:
            out.poly = self
        nx, ny, nz = self.normal
        if move[0] * nx + move[1] * ny + move[2] * nz >= 0.0:
            return False
        return hit

    def walkable_hits_sphere(self, probe: WalkProbe, sphere: Sphere, up: Vec3) -> bool:
        nx, ny, nz = self.normal
        if up[0] * nx + up[1] * ny + up[2] * nz <= probe.allowance:
            return False
        return self.hits(sphere, None)

    # --- moving a sphere onto the polygon (2.4)

    def adjust_sphere_to_plane(self, probe: WalkProbe, sphere: Sphere, move: Vec3) -> bool:
        """Take the sphere back along `move` until it touches the plane, if that is higher than the earlier result.

        Rounded to single precision step by step: on every regular stair two heights meet exactly here (13.12 "plane").
        """
        if self.degenerate:
            return False
        x, y, z = sphere.center
        mx, my, mz = move
        nx, ny, nz = self.normal
        dp = r24(nx * x + ny * y + nz * z + self.d)
        dm = r24(mx * nx + my * ny + mz * nz)
        if dm <= EPSILON:
            if dm >= -EPSILON:
                return False
            t = r24(dp - sphere.radius)
        else:
            t = r24(-sphere.radius - dp)
        t = r24(t / dm)
        interp = r24(r24(1.0 - t) * probe.interp)
        if interp >= probe.interp or interp < -0.5:
            return False
        sphere.center = (x - mx * t, y - my * t, z - mz * t)
        probe.interp = interp
        return True

    def adjust_sphere_to_poly(self, sphere: Sphere, current: Vec3, move: Vec3) -> float:
        """The part of `move` after which a sphere starting at `current` touches the plane; 1 when it already does."""
        if self.degenerate:
            return 0.0
        nx, ny, nz = self.normal
        dp = nx * current[0] + ny * current[1] + nz * current[2] + self.d
        if abs(dp) < sphere.radius:
            return 1.0
        dm = move[0] * nx + move[1] * ny + move[2] * nz
        if abs(dm) < EPSILON:
            return 0.0
        radius = sphere.radius
        if dp < 0.0:
            radius = -radius
        return (radius - dp) / dm

    def adjust_to_placement_poly(
        self,
        hit: Sphere,
        other: Sphere | None,
        radius: float,
        centre_solid: bool,
        solid_check: bool,
        exclusive: bool = True,
    ) -> None:
        """Push both spheres along the normal until `hit` rests on the plane.

        `exclusive` (rule `placement_side`): a centre that is in solid space in front of the plane, or free behind it,
        goes behind; solid behind comes out in front (physics.md #15). Otherwise one of the two is enough.
        """
        nx, ny, nz = self.normal
        x, y, z = hit.center
        dp = nx * x + ny * y + nz * z + self.d
        behind = dp <= 0.0
        if solid_check and (centre_solid != behind if exclusive else centre_solid or behind):
            radius = -radius
        shift = radius - dp
        hit.center = (x + nx * shift, y + ny * shift, z + nz * shift)
        if other is not None:
            x, y, z = other.center
            other.center = (x + nx * shift, y + ny * shift, z + nz * shift)

    # --- standing on the polygon (2.5)

    def check_walkable(self, sphere: Sphere, up: Vec3, small: bool = False, corners: bool = True) -> bool:
        """Whether the centre, dropped along `up`, is on the polygon or within the radius (`small`: half) of its edge.

        `corners` (rule `walkable_corner`): beyond the ends of an edge the later ones decide, and so does each edge's
        start (physics.md #3). Otherwise the first edge that the centre lies beyond decides.
        """
        x, y, z = sphere.center
        ux, uy, uz = up
        nx, ny, nz = self.normal
        a = nx * ux + ny * uy + nz * uz
        if a < EPSILON and not (corners and a <= -EPSILON):
            return False
        drop = (nx * x + ny * y + nz * z + self.d) / a
        x -= ux * drop
        y -= uy * drop
        z -= uz * drop
        inside = True
        radius2 = sphere.radius * sphere.radius
        if small:
            radius2 *= 0.25
        for e in self.edges:
            lx, ly, lz = e.last
            cx, cy, cz = e.cross
            dx = x - lx
            dy = y - ly
            dz = z - lz
            t = dx * cx + dy * cy + dz * cz
            if t < 0.0:
                if e.cross2 * radius2 < t * t:
                    return False
                ex, ey, ez = e.edge
                along = dx * ex + dy * ey + dz * ez
                if 0.0 <= along <= e.edge2:
                    return True
                if not corners:
                    return False
                inside = False
            if dx * dx + dy * dy + dz * dz <= radius2:
                return True
        return inside

    def check_small_walkable(self, sphere: Sphere, up: Vec3, corners: bool = True) -> bool:
        return self.check_walkable(sphere, up, True, corners)

    def find_crossed_edge(self, sphere: Sphere, up: Vec3) -> Vec3 | None:
        """The inward normal of the first edge that the centre, dropped along `up`, lies beyond."""
        x, y, z = sphere.center
        ux, uy, uz = up
        nx, ny, nz = self.normal
        a = nx * ux + ny * uy + nz * uz
        if abs(a) < EPSILON:
            return None
        drop = (nx * x + ny * y + nz * z + self.d) / a
        x -= ux * drop
        y -= uy * drop
        z -= uz * drop
        for e in self.edges:
            lx, ly, lz = e.last
            cx, cy, cz = e.cross
            if (x - lx) * cx + (y - ly) * cy + (z - lz) * cz < 0.0:
                return normalized(e.cross)
        return None

    # --- rays (2.6)

    def polygon_hits_ray(self, origin: Vec3, direction: Vec3) -> float:
        """The distance to the polygon in multiples of `direction`, or −1 when the ray misses it."""
        if self.degenerate or len(self.edges) == 0:
            return -1.0
        ox, oy, oz = origin
        dx, dy, dz = direction
        nx, ny, nz = self.normal
        a = dx * nx + dy * ny + dz * nz
        if self.sides_type == LANDBLOCK and a > 0.0:
            return -1.0
        if abs(a) < EPSILON:
            return -1.0
        t = -(nx * ox + ny * oy + nz * oz + self.d) / a
        if t >= 0.0 and self.point_in_polygon((ox + dx * t, oy + dy * t, oz + dz * t)):
            return t
        return -1.0


def make_plane(vertices: list[Vec3]) -> Plane:
    """The fan's summed cross products, normalised, through the mean of the vertices; the zero plane without area."""
    n = len(vertices)
    if n < 3:
        return Plane((0.0, 0.0, 0.0), 0.0)
    ox, oy, oz = vertices[0]
    sx = sy = sz = extent = 0.0
    for i in range(1, n - 1):
        px, py, pz = vertices[i]
        qx, qy, qz = vertices[i + 1]
        px -= ox
        py -= oy
        pz -= oz
        qx -= ox
        qy -= oy
        qz -= oz
        sx += py * qz - pz * qy
        sy += pz * qx - px * qz
        sz += px * qy - py * qx
        extent += px * px + py * py + pz * pz + qx * qx + qy * qy + qz * qz
    size = math.sqrt(sx * sx + sy * sy + sz * sz)
    if not _NO_AREA * extent < size < math.inf:
        return Plane((0.0, 0.0, 0.0), 0.0)
    nx = sx / size
    ny = sy / size
    nz = sz / size
    total = 0.0
    for x, y, z in vertices:
        total += nx * x + ny * y + nz * z
    return Plane((nx, ny, nz), -(total / n))


def make_edges(vertices: list[Vec3], normal: Vec3) -> list[Edge]:
    """The edge convention of 2.1: edge i runs from vertex i−1 to vertex i, so the first one closes the polygon."""
    edges: list[Edge] = []
    if vertices:
        lx, ly, lz = vertices[-1]
        for x, y, z in vertices:
            edges.append(Edge((lx, ly, lz), (x - lx, y - ly, z - lz), normal))
            lx = x
            ly = y
            lz = z
    return edges


def find_time_of_collision(move: Vec3, rel: Vec3, radsum: float) -> float:
    """The time at which a point at `rel`, moving by `move`, meets the sphere of `radsum` around the origin; −1 if never
    (2.6)."""
    mx, my, mz = move
    rx, ry, rz = rel
    m2 = mx * mx + my * my + mz * mz
    if m2 < EPSILON:
        return -1.0
    k = rx * rx + ry * ry + rz * rz - radsum * radsum
    if k < EPSILON:
        return -1.0
    b = -(rx * mx + ry * my + rz * mz)
    disc = b * b - k * m2
    if disc < 0.0:
        return -1.0
    c = math.sqrt(disc)
    if b - c >= 0.0:
        return (b - c) / m2
    return (b + c) / m2
