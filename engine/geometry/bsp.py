"""Physics trees and their queries (physics.md 3.1-3.4, and the search of 3.6 that clips a move exactly).

Spheres are given in the tree's own space. A walk down an inner node is a loop where the sphere lies on one side of the
plane and a call for the positive child where it straddles; of trees too deep for that, `deep_bsp` has the upper nodes.
A missing child holds nothing.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import EPSILON
from engine.geometry.errors import GeometryError
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon, PolyHit, WalkProbe
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3

MAX_CALLS: Final = 512
"""Levels that a query may go down by calls; the interpreter ends them at a thousand."""

_CLIP_ROUNDS: Final = 15  # of the search in adjust_to_plane, both halves together
_CLIP_PRECISION: Final = 0.02  # part of the move at which the search is content


class SolidState:
    """The result of `sphere_intersects_solid_poly`: whether the centre is in solid space, and the polygon that was
    touched.

    `positive_first` names the side searched first for a centre that lies exactly in a splitting plane (rule
    `solid_poly_tie`, physics.md #25).
    """

    centre_solid: bool
    poly: Polygon | None
    positive_first: bool

    def __init__(self, positive_first: bool = True) -> None:
        self.centre_solid = False
        self.poly = None
        self.positive_first = positive_first


class RayHit:
    """The nearest polygon on a ray so far, and how many directions away it is."""

    time: float
    poly: Polygon | None

    def __init__(self, limit: float = math.inf) -> None:
        self.time = limit
        self.poly = None


class PhysicsNode:
    """A node of a physics tree; this base class holds nothing."""

    sphere: Sphere
    depth: int

    def __init__(self, sphere: Sphere, depth: int) -> None:
        self.sphere = sphere
        self.depth = depth

    def sphere_intersects_poly(self, sphere: Sphere, move: Vec3, out: PolyHit) -> bool:
        """A polygon is hit against its normal. `out` may name a polygon even when the answer is False."""
        return False

    def sphere_intersects_solid(self, sphere: Sphere, centre_check: bool) -> bool:
        """Whether the sphere touches a polygon, or (with `centre_check`) its centre lies in solid space."""
        return False

    def sphere_intersects_solid_poly(
        self, sphere: Sphere, radius: float, state: SolidState, centre_check: bool
    ) -> bool:
        """The same, telling which: the walk reaches `radius` far, bounds and polygons are tested with the sphere."""
        return False

    def point_intersects_solid(self, p: Vec3) -> bool:
        return False

    def find_walkable(self, probe: WalkProbe, sphere: Sphere, out: PolyHit, move: Vec3, up: Vec3) -> None:
        """Move the sphere back along `move` onto the highest floor it touches; `out.poly` names it, if there is one."""

    def hits_walkable(self, probe: WalkProbe, sphere: Sphere, up: Vec3) -> bool:
        """Whether there is floor that the sphere touches and stands on with at least half its radius."""
        return False

    def nearest_ray_hit(self, origin: Vec3, direction: Vec3, out: RayHit) -> None:
        """Record the polygon that the ray meets first, if it is nearer than `out.time`."""


class PhysicsLeaf(PhysicsNode):
    """A leaf with its polygons. `solid` counts only with polygons: it marks filled space."""

    index: int
    solid: bool
    polygons: list[Polygon]

    def __init__(self, index: int, solid: bool, sphere: Sphere, polygons: list[Polygon]) -> None:
        super().__init__(sphere, 1)
        self.index = index
        self.solid = solid
        self.polygons = polygons

    def sphere_intersects_poly(self, sphere: Sphere, move: Vec3, out: PolyHit) -> bool:
        if not self.sphere.intersects(sphere):
            return False
        return any(poly.pos_hits_sphere(sphere, move, out) for poly in self.polygons)

    def sphere_intersects_solid(self, sphere: Sphere, centre_check: bool) -> bool:
        if not self.polygons:
            return False
        if centre_check and self.solid:
            return True
        if not self.sphere.intersects(sphere):
            return False
        return any(poly.hits(sphere, None) for poly in self.polygons)

    def sphere_intersects_solid_poly(
        self, sphere: Sphere, radius: float, state: SolidState, centre_check: bool
    ) -> bool:
        if not self.polygons:
            return False
        if centre_check and self.solid:
            state.centre_solid = True
        if not self.sphere.intersects(sphere):
            return state.centre_solid
        for poly in self.polygons:
            if poly.hits(sphere, None):
                state.poly = poly
                return True
        return state.centre_solid

    def point_intersects_solid(self, p: Vec3) -> bool:
        return self.solid

    def find_walkable(self, probe: WalkProbe, sphere: Sphere, out: PolyHit, move: Vec3, up: Vec3) -> None:
        if not self.sphere.intersects(sphere):
            return
        for poly in self.polygons:
            if poly.walkable_hits_sphere(probe, sphere, up) and poly.adjust_sphere_to_plane(probe, sphere, move):
                out.poly = poly

    def hits_walkable(self, probe: WalkProbe, sphere: Sphere, up: Vec3) -> bool:
        if not self.sphere.intersects(sphere):
            return False
        for poly in self.polygons:
            if poly.walkable_hits_sphere(probe, sphere, up) and poly.check_walkable(sphere, up, True, probe.corners):
                return True
        return False

    def nearest_ray_hit(self, origin: Vec3, direction: Vec3, out: RayHit) -> None:
        if not ray_reaches(self.sphere, origin, direction, out.time):
            return
        for poly in self.polygons:
            t = poly.polygon_hits_ray(origin, direction)
            if 0.0 <= t < out.time:
                out.time = t
                out.poly = poly


class PhysicsInner(PhysicsNode):
    """A splitting plane and its children; `sphere` encloses everything below."""

    plane: Plane
    pos: PhysicsNode | None
    neg: PhysicsNode | None
    normal: Vec3
    d: float

    def __init__(self, plane: Plane, pos: PhysicsNode | None, neg: PhysicsNode | None, sphere: Sphere) -> None:
        below = max(0 if pos is None else pos.depth, 0 if neg is None else neg.depth)
        if below >= MAX_CALLS and not self.goes_deep():
            raise GeometryError(f"calls go no deeper than {MAX_CALLS} nodes")
        super().__init__(sphere, 1 + below)
        self.plane = plane
        self.pos = pos
        self.neg = neg
        self.normal = plane.normal
        self.d = plane.d

    def goes_deep(self) -> bool:
        """Whether its queries are loops, for which no tree is too deep."""
        return False

    def sphere_intersects_poly(self, sphere: Sphere, move: Vec3, out: PolyHit) -> bool:
        x, y, z = sphere.center
        reach = sphere.radius - EPSILON
        node = self
        while True:
            if not node.sphere.intersects(sphere):
                return False
            nx, ny, nz = node.normal
            t = nx * x + ny * y + nz * z + node.d
            child = node.neg
            if t >= reach:
                child = node.pos
            elif not t <= -reach:
                first = node.pos
                if first is not None and first.sphere_intersects_poly(sphere, move, out):
                    return True
            if child is None:
                return False
            if not isinstance(child, PhysicsInner):
                return child.sphere_intersects_poly(sphere, move, out)
            node = child

    def sphere_intersects_solid(self, sphere: Sphere, centre_check: bool) -> bool:
        x, y, z = sphere.center
        reach = sphere.radius - EPSILON
        node = self
        while True:
            if not node.sphere.intersects(sphere):
                return False
            nx, ny, nz = node.normal
            t = nx * x + ny * y + nz * z + node.d
            child = node.neg
            if t >= reach:
                child = node.pos
            elif not t <= -reach:
                behind = t < 0.0
                first = node.pos
                if first is not None and first.sphere_intersects_solid(sphere, centre_check and not behind):
                    return True
                centre_check = centre_check and behind
            if child is None:
                return False
            if not isinstance(child, PhysicsInner):
                return child.sphere_intersects_solid(sphere, centre_check)
            node = child

    def sphere_intersects_solid_poly(
        self, sphere: Sphere, radius: float, state: SolidState, centre_check: bool
    ) -> bool:
        x, y, z = sphere.center
        reach = radius - EPSILON
        node = self
        while True:
            if not node.sphere.intersects(sphere):
                return False
            nx, ny, nz = node.normal
            t = nx * x + ny * y + nz * z + node.d
            child = node.neg
            if t >= reach:
                child = node.pos
            elif not t <= -reach:
                first = node.pos
                if t < 0.0 or (t == 0.0 and not state.positive_first):
                    child, first = first, child
                if first is not None:
                    first.sphere_intersects_solid_poly(sphere, radius, state, centre_check)
                    if state.poly is not None:
                        return state.centre_solid
                centre_check = False
            if child is None:
                return False
            if not isinstance(child, PhysicsInner):
                return child.sphere_intersects_solid_poly(sphere, radius, state, centre_check)
            node = child

    def point_intersects_solid(self, p: Vec3) -> bool:
        x, y, z = p
        node = self
        while True:
            nx, ny, nz = node.normal
            child = node.pos if nx * x + ny * y + nz * z + node.d > 0.0 else node.neg
            if child is None:
                return False
            if not isinstance(child, PhysicsInner):
                return child.point_intersects_solid(p)
            node = child

    def find_walkable(self, probe: WalkProbe, sphere: Sphere, out: PolyHit, move: Vec3, up: Vec3) -> None:
        node = self
        while True:
            if not node.sphere.intersects(sphere):
                return
            x, y, z = sphere.center  # read at each node: a floor found before has moved it
            reach = sphere.radius - EPSILON
            nx, ny, nz = node.normal
            t = nx * x + ny * y + nz * z + node.d
            child = node.neg
            if t >= reach:
                child = node.pos
            elif not t <= -reach:
                first = node.pos
                if first is not None:
                    first.find_walkable(probe, sphere, out, move, up)
            if child is None:
                return
            if not isinstance(child, PhysicsInner):
                child.find_walkable(probe, sphere, out, move, up)
                return
            node = child

    def hits_walkable(self, probe: WalkProbe, sphere: Sphere, up: Vec3) -> bool:
        x, y, z = sphere.center
        reach = sphere.radius - EPSILON
        node = self
        while True:
            if not node.sphere.intersects(sphere):
                return False
            nx, ny, nz = node.normal
            t = nx * x + ny * y + nz * z + node.d
            child = node.neg
            if t >= reach:
                child = node.pos
            elif not t <= -reach:
                first = node.pos
                if first is not None and first.hits_walkable(probe, sphere, up):
                    return True
            if child is None:
                return False
            if not isinstance(child, PhysicsInner):
                return child.hits_walkable(probe, sphere, up)
            node = child

    def nearest_ray_hit(self, origin: Vec3, direction: Vec3, out: RayHit) -> None:
        """Both sides are searched, the origin's first: a polygon may stick out of its leaf."""
        x, y, z = origin
        node = self
        while True:
            if not ray_reaches(node.sphere, origin, direction, out.time):
                return
            nx, ny, nz = node.normal
            first = node.pos
            child = node.neg
            if nx * x + ny * y + nz * z + node.d < 0.0:
                child, first = first, child
            if first is not None:
                first.nearest_ray_hit(origin, direction, out)
            if child is None:
                return
            if not isinstance(child, PhysicsInner):
                child.nearest_ray_hit(origin, direction, out)
                return
            node = child


class PhysicsTree:
    """A physics tree and the polygons in it."""

    root: PhysicsNode
    polygons: list[Polygon]

    def __init__(self, root: PhysicsNode, polygons: list[Polygon]) -> None:
        self.root = root
        self.polygons = polygons

    def nodes(self) -> list[PhysicsNode]:
        """Every node, parents before children and positive before negative."""
        found: list[PhysicsNode] = []
        waiting: list[PhysicsNode] = [self.root]
        while waiting:
            node = waiting.pop()
            found.append(node)
            if isinstance(node, PhysicsInner):
                if node.neg is not None:
                    waiting.append(node.neg)
                if node.pos is not None:
                    waiting.append(node.pos)
        return found

    def adjust_to_plane(self, sphere: Sphere, current: Vec3, hit: PolyHit) -> bool:
        """Put the sphere at the latest point of its move from `current` at which it touches nothing (3.6)."""
        root = self.root
        cx, cy, cz = current
        x, y, z = sphere.center
        mx = x - cx
        my = y - cy
        mz = z - cz
        move = (mx, my, mz)
        low = 0.0
        high = 1.0
        rounds = 0
        while True:
            poly = hit.poly
            if poly is None:
                return False
            t = poly.adjust_sphere_to_poly(sphere, current, move)
            if t == 1.0:
                break
            sphere.center = (cx + mx * t, cy + my * t, cz + mz * t)
            if not root.sphere_intersects_poly(sphere, move, hit):
                low = t
                break
            high = t
            rounds += 1
            if rounds >= _CLIP_ROUNDS:
                return False
        while rounds < _CLIP_ROUNDS:
            middle = (low + high) / 2.0
            sphere.center = (cx + mx * middle, cy + my * middle, cz + mz * middle)
            if root.sphere_intersects_poly(sphere, move, hit):
                high = middle
            else:
                low = middle
            rounds += 1
            if high - low < _CLIP_PRECISION:
                break
        sphere.center = (cx + mx * low, cy + my * low, cz + mz * low)
        return True


def ray_reaches(bound: Sphere, origin: Vec3, direction: Vec3, limit: float) -> bool:
    """Whether some point of the ray, at most `limit` directions away, lies in the bounding sphere or a hair outside."""
    dx, dy, dz = direction
    x = bound.center[0] - origin[0]
    y = bound.center[1] - origin[1]
    z = bound.center[2] - origin[2]
    along = x * dx + y * dy + z * dz
    size2 = dx * dx + dy * dy + dz * dz
    if along > 0.0 and size2 > 0.0:
        t = along / size2
        if t > limit:
            t = limit
        x -= dx * t
        y -= dy * t
        z -= dz * t
    reach = bound.radius + EPSILON
    return x * x + y * y + z * z <= reach * reach
