"""Shapes for the geometry tests: hand-made ones, and strategies for random ones of everyday size."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode, PhysicsTree
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.quat import normalize
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, distance

UNIT_SQUARE: list[Vec3] = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]


def unit_square() -> Polygon:
    """The square of the cases of physics.md 13.2, facing up."""
    return Polygon(0, list(UNIT_SQUARE))


def floor(polygon_id: int, z: float, half: float = 5.0, sides_type: int = 0) -> Polygon:
    return Polygon(polygon_id, [(-half, -half, z), (half, -half, z), (half, half, z), (-half, half, z)], sides_type)


def slope(polygon_id: int, degrees: float, half: float = 5.0) -> Polygon:
    """A floor through the origin that falls towards +x."""
    rise = half * math.tan(math.radians(degrees))
    return Polygon(polygon_id, [(-half, -half, rise), (half, -half, -rise), (half, half, -rise), (-half, half, rise)])


def bounding_sphere(polygons: list[Polygon]) -> Sphere:
    points = [v for p in polygons for v in p.vertices]
    if not points:
        return Sphere((0.0, 0.0, 0.0), 0.0)
    x, y, z = (sum(p[i] for p in points) / len(points) for i in range(3))
    center = (x, y, z)
    return Sphere(center, max(distance(center, p) for p in points) + 0.01)


def leaf(polygons: list[Polygon], solid: bool = False, index: int = 0) -> PhysicsLeaf:
    return PhysicsLeaf(index, solid, bounding_sphere(polygons), polygons)


def split_tree(polygons: list[Polygon], planes: list[Plane]) -> PhysicsTree:
    """A full tree that splits by each plane in turn; every leaf lists the polygons that it touches."""

    def build(inside: list[Polygon], rest: list[Plane]) -> PhysicsNode:
        if not rest:
            return leaf(inside)
        front = [p for p in inside if any(rest[0].dist(v) >= -1e-9 for v in p.vertices)]
        back = [p for p in inside if any(rest[0].dist(v) <= 1e-9 for v in p.vertices)]
        pos = build(front, rest[1:]) if front else None
        neg = build(back, rest[1:]) if back else None
        return PhysicsInner(rest[0], pos, neg, bounding_sphere(inside))

    return PhysicsTree(build(polygons, planes), polygons)


def numbers(limit: float) -> st.SearchStrategy[float]:
    return st.floats(-limit, limit, allow_nan=False, allow_subnormal=False)


def vectors(limit: float = 10.0) -> st.SearchStrategy[Vec3]:
    return st.tuples(numbers(limit), numbers(limit), numbers(limit))


def directions() -> st.SearchStrategy[Vec3]:
    """Unit vectors, spread evenly enough."""

    def point(turn: float, z: float) -> Vec3:
        flat = math.sqrt(max(0.0, 1.0 - z * z))
        return (math.cos(turn) * flat, math.sin(turn) * flat, z)

    return st.builds(point, st.floats(0.0, 2.0 * math.pi), st.floats(-1.0, 1.0))


def rotations() -> st.SearchStrategy[tuple[float, float, float, float]]:
    part = numbers(1.0)
    return st.tuples(part, part, part, part).filter(lambda q: math.sqrt(sum(c * c for c in q)) > 0.1).map(normalize)


def frames(limit: float = 10.0) -> st.SearchStrategy[Frame]:
    return st.builds(Frame, vectors(limit), rotations())


def planes(limit: float = 5.0) -> st.SearchStrategy[Plane]:
    return st.builds(Plane, directions(), numbers(limit))


def spheres(limit: float = 6.0) -> st.SearchStrategy[Sphere]:
    return st.builds(Sphere, vectors(limit), st.floats(0.05, 3.0))


@st.composite
def polygons(draw: st.DrawFn, limit: float = 4.0) -> Polygon:
    """Convex polygons: corners on an ellipse, in a turned and shifted plane."""
    gaps = draw(st.lists(st.floats(0.4, 1.0), min_size=3, max_size=7))
    width, height = draw(st.floats(0.3, 4.0)), draw(st.floats(0.3, 4.0))
    frame = draw(frames(limit))
    turn, points = 0.0, []
    for gap in gaps:
        points.append(frame.local_to_global((math.cos(turn) * width, math.sin(turn) * height, 0.0)))
        turn += gap / sum(gaps) * 2.0 * math.pi
    return Polygon(draw(st.integers(0, 1000)), points, draw(st.sampled_from([0, 1])))
