"""Where Python would raise, the client continues with infinities and NaNs (physics.md 0.4)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.box import Box
from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsTree, RayHit, SolidState
from engine.geometry.cell_bsp import CellInner, CellLeaf
from engine.geometry.drawing_bsp import DrawingPort, back_to_front, portals_back_to_front
from engine.geometry.frame import Frame, combine, heading_of
from engine.geometry.plane import NEGATIVE, POSITIVE, Plane, transform_plane
from engine.geometry.polygon import Polygon, PolyHit, WalkProbe, find_time_of_collision
from engine.geometry.quat import from_axis_angle, from_heading, from_rotation_vector, nlerp, normalize
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, normalize_check_small, normalized, r24

WILD = st.one_of(st.floats(), st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, 1e-5, 0.5]))
VECTORS = st.tuples(WILD, WILD, WILD)
QUATS = st.tuples(WILD, WILD, WILD, WILD)
WILD_POLYGONS = st.builds(Polygon, st.just(0), st.lists(VECTORS, max_size=5), st.sampled_from([0, 1]))
GOOD_POLYGONS = st.just(Polygon(0, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], 1))
POLYGONS = st.one_of(WILD_POLYGONS, GOOD_POLYGONS)
SPHERES = st.builds(Sphere, VECTORS, WILD)


@given(POLYGONS, SPHERES, SPHERES, VECTORS, VECTORS, WILD)
def test_no_polygon_query_raises(poly: Polygon, a: Sphere, b: Sphere, move: Vec3, up: Vec3, x: float) -> None:
    poly.point_in_polygon(move)
    poly.point_in_poly2d(move, POSITIVE)
    poly.point_in_poly2d(move, NEGATIVE)
    poly.pos_hits_sphere(a, move, PolyHit())
    poly.walkable_hits_sphere(WalkProbe(x), a, up)
    poly.check_walkable(a, up)
    poly.check_small_walkable(a, up)
    poly.find_crossed_edge(a, up)
    poly.adjust_sphere_to_poly(a, up, move)
    poly.polygon_hits_ray(up, move)
    poly.adjust_sphere_to_plane(WalkProbe(x, x), a.copy(), move)
    poly.adjust_to_placement_poly(a, b, x, False, True)
    find_time_of_collision(move, up, x)


@given(POLYGONS, SPHERES, SPHERES, VECTORS, VECTORS, WILD)
def test_no_tree_query_raises(poly: Polygon, bound: Sphere, body: Sphere, normal: Vec3, move: Vec3, x: float) -> None:
    everywhere = Sphere((0.0, 0.0, 0.0), 1e200)
    plane = Plane(normal, x)
    for sphere in (bound, everywhere):
        leaf = PhysicsLeaf(0, True, sphere, [poly])
        tree = PhysicsTree(PhysicsInner(plane, leaf, leaf, sphere), [poly])
        hit = PolyHit()
        tree.root.sphere_intersects_poly(body, move, hit)
        tree.root.sphere_intersects_solid(body, True)
        tree.root.sphere_intersects_solid_poly(body, x, SolidState(), True)
        tree.root.point_intersects_solid(move)
        tree.root.hits_walkable(WalkProbe(x), body, normal)
        tree.root.find_walkable(WalkProbe(x), body.copy(), hit, move, normal)
        tree.root.nearest_ray_hit(move, normal, RayHit())
        hit.poly = poly
        tree.adjust_to_plane(body.copy(), move, hit)
        assert body.in_reach_of(sphere) in (True, False)
    cell = CellInner(plane, CellInner(Plane(move, x), CellLeaf(0), None), None)
    cell.point_inside_cell_bsp(move)
    cell.sphere_intersects_cell_bsp(body)
    cell.box_intersects_cell_bsp([move, normal])
    shell = DrawingPort(plane, None, None, bound, [], [(0, 0)])
    back_to_front(shell, move)
    portals_back_to_front(shell, move)


@given(VECTORS, QUATS, VECTORS, QUATS, WILD)
def test_no_frame_raises(
    o: Vec3, q: tuple[float, float, float, float], v: Vec3, p: tuple[float, float, float, float], x: float
) -> None:
    frame, other = Frame(o, q), Frame(v, p)
    for made in (
        frame.grotate(v),
        frame.rotate(v),
        frame.set_vector_heading(v),
        frame.with_heading(x),
        combine(frame, other, x),
    ):
        made.is_valid()
        made.heading()
        made.local_to_global(v)
        made.global_to_local(v)
    frame.equals(other)
    heading_of(v)
    for quat in (normalize(q), nlerp(q, p, x), from_axis_angle(v, x), from_rotation_vector(v), from_heading(x)):
        assert len(quat) == 4


@given(VECTORS, WILD, VECTORS, QUATS, VECTORS, WILD)
def test_no_plane_or_vector_routine_raises(
    n: Vec3, d: float, o: Vec3, q: tuple[float, float, float, float], p: Vec3, x: float
) -> None:
    plane = Plane(n, d)
    plane.side(p, x)
    plane.snap_to_plane(p)
    plane.set_height(p)
    plane.intersect_box(Box(o, p))
    transform_plane(plane, Frame(o, q), x, p, o)
    transform_plane(plane, Frame(o, q), x)
    normalize_check_small(p)
    normalized(p)
    r24(x)


def test_a_frame_with_a_bad_number_is_invalid_and_unequal_to_a_good_one() -> None:
    bad = Frame().with_heading(float("inf"))
    assert not bad.is_valid()
    assert not bad.equals(Frame())
