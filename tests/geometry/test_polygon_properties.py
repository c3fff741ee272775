"""Polygons against independent answers: closest points, triangle by triangle, and sampling (physics.md 2)."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.geometry.constants import EPSILON, FLOOR_Z
from engine.geometry.plane import NEGATIVE, POSITIVE
from engine.geometry.polygon import Polygon, PolyHit, WalkProbe, find_time_of_collision
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add, cross, distance, dot, length, lerp, normalized, scale, sub
from tests.geometry.shapes import directions, polygons, spheres, vectors

MARGIN = 1e-7


def triangles(poly: Polygon) -> list[tuple[Vec3, Vec3, Vec3]]:
    v = poly.vertices
    return [(v[0], v[i], v[i + 1]) for i in range(1, len(v) - 1)]


def distance_to_segment(p: Vec3, a: Vec3, b: Vec3) -> float:
    along = dot(sub(p, a), sub(b, a)) / dot(sub(b, a), sub(b, a))
    return distance(p, lerp(a, b, min(1.0, max(0.0, along))))


def distance_to_triangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3) -> float:
    """The distance to the border, or to the plane when the foot point has positive barycentric coordinates."""
    n = cross(sub(b, a), sub(c, a))
    size = dot(n, n)
    shares = [dot(n, cross(sub(y, x), sub(p, x))) / size for x, y in ((a, b), (b, c), (c, a))]
    if min(shares) >= 0.0:
        return abs(dot(n, sub(p, a))) / math.sqrt(size)
    return min(distance_to_segment(p, x, y) for x, y in ((a, b), (b, c), (c, a)))


def distance_to_polygon(p: Vec3, poly: Polygon) -> float:
    return min(distance_to_triangle(p, *triangle) for triangle in triangles(poly))


@given(polygons(), spheres())
def test_sphere_hits_exactly_the_polygons_nearer_than_its_shrunk_radius(poly: Polygon, sphere: Sphere) -> None:
    gap = distance_to_polygon(sphere.center, poly) - (sphere.radius - EPSILON)
    assume(abs(gap) > MARGIN)
    out = PolyHit()
    assert poly.hits(sphere, out) == (gap < 0.0)
    if gap < 0.0:
        assert poly.plane.dist(out.contact) == pytest.approx(0.0, abs=1e-9)


@given(polygons(), st.floats(0.0, 1.0), st.floats(0.0, 2.0 * math.pi), st.floats(-2.0, 2.0), st.floats(0.05, 2.0))
def test_sphere_tests_agree_on_spheres_near_the_border(
    poly: Polygon, along: float, turn: float, lift: float, radius: float
) -> None:
    """The same, with spheres placed where edges and corners decide."""
    edge = poly.edges[0]
    on_edge = lerp(edge.last, add(edge.last, edge.edge), along)
    sphere = Sphere(add(on_edge, scale(poly.normal, lift)), radius)
    sphere.center = add(sphere.center, scale(edge.cross, math.cos(turn) * radius))
    gap = distance_to_polygon(sphere.center, poly) - (radius - EPSILON)
    assume(abs(gap) > MARGIN)
    assert poly.hits_sphere(sphere) == (gap < 0.0)


@given(polygons(), st.lists(st.floats(-0.5, 1.5), min_size=2, max_size=2))
def test_point_of_the_plane_is_inside_when_a_triangle_contains_it(poly: Polygon, parts: list[float]) -> None:
    a, b, c = triangles(poly)[0]
    p = add(a, add(scale(sub(b, a), parts[0]), scale(sub(c, a), parts[1])))
    gap = distance_to_polygon(p, poly)
    assume(gap < 1e-12 or gap > MARGIN)
    border = min(distance_to_segment(p, e.last, add(e.last, e.edge)) for e in poly.edges)
    assume(border > MARGIN)
    assert poly.point_in_polygon(p) == (gap < 1e-12)


@given(polygons(), vectors(6.0))
def test_point_in_2d_is_point_in_polygon_seen_from_above(poly: Polygon, p: Vec3) -> None:
    assume(abs(poly.normal[2]) > 0.01)
    on_plane = poly.plane.set_height(p)
    border = min(distance_to_segment(on_plane, e.last, add(e.last, e.edge)) for e in poly.edges)
    assume(border > MARGIN)
    side = POSITIVE if poly.normal[2] > 0.0 else NEGATIVE
    assert poly.point_in_poly2d(p, side) == poly.point_in_polygon(on_plane)


@given(polygons(), st.integers(0, 10))
def test_a_polygons_first_corner_does_not_affect_its_plane(poly: Polygon, shift: int) -> None:
    n = shift % len(poly.vertices)
    turned = Polygon(0, poly.vertices[n:] + poly.vertices[:n])
    assert turned.normal == pytest.approx(poly.normal, abs=1e-9)
    assert turned.d == pytest.approx(poly.d, abs=1e-8)
    back = Polygon(0, list(reversed(poly.vertices)))
    assert back.normal == pytest.approx([-c for c in poly.normal], abs=1e-9)


@given(polygons(), spheres(), directions())
def test_pos_hits_sphere_is_hits_sphere_while_moving_against_the_normal(
    poly: Polygon, sphere: Sphere, move: Vec3
) -> None:
    out = PolyHit()
    hit = poly.pos_hits_sphere(sphere, move, out)
    assert hit == (poly.hits_sphere(sphere) and dot(move, poly.normal) < 0.0)
    assert (out.poly is poly) == poly.hits_sphere(sphere)


@given(polygons(), spheres(), directions())
def test_standing_agrees_with_the_edge_that_the_centre_is_beyond(poly: Polygon, sphere: Sphere, up: Vec3) -> None:
    assume(dot(poly.normal, up) > 0.01)
    beyond = poly.find_crossed_edge(sphere, up)
    drop = poly.plane.dist(sphere.center) / dot(poly.normal, up)
    foot = sub(sphere.center, scale(up, drop))
    if beyond is None:
        assert poly.check_walkable(sphere, up)
        assert poly.check_small_walkable(sphere, up)
        assert distance_to_polygon(foot, poly) < 1e-6
    else:
        assert length(beyond) == pytest.approx(1.0)
        assert dot(beyond, poly.normal) == pytest.approx(0.0, abs=1e-9)
        center = scale(poly.vertices[0], 0.0)
        for v in poly.vertices:
            center = add(center, scale(v, 1.0 / len(poly.vertices)))
        assert dot(beyond, sub(center, foot)) > 0.0
    if poly.check_small_walkable(sphere, up):
        assert poly.check_walkable(sphere, up)


@given(polygons(), spheres(), directions())
def test_a_standing_sphere_has_the_polygons_border_within_its_radius(poly: Polygon, sphere: Sphere, up: Vec3) -> None:
    a = dot(poly.normal, up)
    assume(a > 0.01)
    foot = sub(sphere.center, scale(up, poly.plane.dist(sphere.center) / a))
    away = distance_to_polygon(foot, poly)
    if poly.check_walkable(sphere, up):
        assert away <= sphere.radius + 1e-6
    if poly.check_small_walkable(sphere, up):
        assert away <= 0.5 * sphere.radius + 1e-6


@settings(max_examples=400)
@given(polygons(), spheres(), directions(), st.booleans())
def test_a_polygon_supports_exactly_the_spheres_within_their_radius(
    poly: Polygon, sphere: Sphere, up: Vec3, small: bool
) -> None:
    """The client's walk along the edges amounts to this: the distance from the dropped centre, corners included."""
    a = dot(poly.normal, up)
    assume(a > 0.01)
    foot = sub(sphere.center, scale(up, poly.plane.dist(sphere.center) / a))
    gap = distance_to_polygon(foot, poly) - sphere.radius * (0.5 if small else 1.0)
    assume(abs(gap) > 1e-6)
    assert poly.check_walkable(sphere, up, small) == (gap < 0.0)


@settings(max_examples=400)
@given(polygons(), st.integers(0, 20), st.floats(-3.2, 3.2), st.floats(0.0, 1.5), st.floats(0.05, 1.0), st.booleans())
def test_a_polygon_supports_spheres_around_its_corners(
    poly: Polygon, corner: int, turn: float, reach: float, radius: float, small: bool
) -> None:
    """The same with centres around a corner, where the sphere misses two edges."""
    edge = poly.edges[corner % len(poly.edges)]
    along, inwards = normalized(edge.edge), normalized(edge.cross)
    away = add(scale(along, math.cos(turn)), scale(inwards, math.sin(turn)))
    foot = add(edge.last, scale(away, reach * radius))
    gap = distance_to_polygon(foot, poly) - radius * (0.5 if small else 1.0)
    assume(abs(gap) > 1e-6)
    sphere = Sphere(add(foot, scale(poly.normal, 0.1)), radius)
    assert poly.check_walkable(sphere, poly.normal, small) == (gap < 0.0)


@given(polygons(), spheres(), directions(), st.booleans())
def test_a_sphere_supported_by_the_first_edge_is_supported_anyway(
    poly: Polygon, sphere: Sphere, up: Vec3, small: bool
) -> None:
    if poly.check_walkable(sphere, up, small, corners=False):
        assert poly.check_walkable(sphere, up, small)


@given(polygons(), spheres(), spheres(), st.floats(0.05, 2.0), st.booleans(), st.booleans())
def test_a_placement_ends_one_radius_from_the_plane_on_the_free_side(
    poly: Polygon, hit: Sphere, other: Sphere, radius: float, centre_solid: bool, checked: bool
) -> None:
    """For a face with solid space behind it, `centre` says whether that is on the centre's side or on the other."""
    before = poly.plane.dist(hit.center)
    assume(abs(before) > 1e-6)
    start, beside = hit.center, other.center
    poly.adjust_to_placement_poly(hit, other, radius, centre_solid, checked)
    own_side = 1.0 if before > 0.0 else -1.0
    free_side = 1.0 if not checked else -own_side if centre_solid else own_side
    assert poly.plane.dist(hit.center) == pytest.approx(free_side * radius, abs=1e-6)
    assert sub(hit.center, start) == pytest.approx(sub(other.center, beside), abs=1e-6)


@given(polygons(), spheres(), directions())
def test_no_polygon_is_walkable_from_below(poly: Polygon, sphere: Sphere, up: Vec3) -> None:
    """The client takes the absolute value there, and never asks a polygon that faces down."""
    assume(dot(poly.normal, up) < 0.0)
    assert not poly.check_walkable(sphere, up, corners=False)
    assert not poly.walkable_hits_sphere(WalkProbe(FLOOR_Z), sphere, up)


@given(polygons(), spheres(), vectors(2.0))
def test_adjusted_sphere_touches_the_plane(poly: Polygon, sphere: Sphere, move: Vec3) -> None:
    probe, start = WalkProbe(FLOOR_Z), sphere.center
    if poly.adjust_sphere_to_plane(probe, sphere, move):
        against = dot(move, poly.normal) < 0.0
        t = distance(start, sphere.center) / length(move)
        slack = 1e-6 * (1.0 + t) * (1.0 + length(move) + length(start))
        assert -0.5 <= probe.interp < 1.0
        if against:
            assert poly.plane.dist(sphere.center) == pytest.approx(sphere.radius, abs=slack)
    else:
        assert (sphere.center, probe.interp) == (start, 1.0)


@given(polygons(), spheres(), vectors(4.0))
def test_part_of_a_move_touches_the_plane_on_the_side_it_started(poly: Polygon, sphere: Sphere, move: Vec3) -> None:
    start = sphere.center
    t = poly.adjust_sphere_to_poly(sphere, start, move)
    before = poly.plane.dist(start)
    if abs(before) < sphere.radius:
        assert t == 1.0
    elif abs(dot(move, poly.normal)) < EPSILON:
        assert t == 0.0
    else:
        after = poly.plane.dist(add(start, scale(move, t)))
        assert after == pytest.approx(math.copysign(sphere.radius, before), abs=1e-6 * (1.0 + abs(t)))


@given(vectors(4.0), vectors(6.0), st.floats(0.1, 2.0))
def test_time_of_collision_is_the_first_moment_of_touch(move: Vec3, rel: Vec3, radsum: float) -> None:
    t = find_time_of_collision(move, rel, radsum)

    def gap(moment: float) -> float:
        return length(add(rel, scale(move, moment))) - radsum

    samples = [gap(i / 200.0) for i in range(201)]
    if t >= 0.0:
        assert gap(t) == pytest.approx(0.0, abs=1e-6)
        assert all(g > -1e-6 for i, g in enumerate(samples) if i / 200.0 < t)
    elif dot(move, move) >= EPSILON and dot(rel, rel) - radsum * radsum >= EPSILON:
        assert min(samples) > -1e-9


@given(polygons(), vectors(6.0), directions())
def test_ray_meets_a_polygon_where_it_meets_one_of_its_triangles(poly: Polygon, origin: Vec3, towards: Vec3) -> None:
    a = dot(towards, poly.normal)
    assume(abs(a) > 0.01)
    t = dot(sub(poly.vertices[0], origin), poly.normal) / a
    p = add(origin, scale(towards, t))
    border = min(distance_to_segment(p, e.last, add(e.last, e.edge)) for e in poly.edges)
    assume(border > MARGIN and abs(t) > MARGIN)
    meets = t > 0.0 and distance_to_polygon(p, poly) < 1e-9 and (poly.sides_type == 1 or a < 0.0)
    assert poly.polygon_hits_ray(origin, towards) == (pytest.approx(t, abs=1e-6) if meets else -1.0)


@given(polygons(), st.floats(0.01, 0.3), st.floats(0.01, 0.3), st.floats(0.1, 5.0))
def test_ray_straight_onto_a_polygon_meets_it(poly: Polygon, u: float, v: float, height: float) -> None:
    a, b, c = triangles(poly)[0]
    p = add(a, add(scale(sub(b, a), u), scale(sub(c, a), v)))
    found = poly.polygon_hits_ray(add(p, scale(poly.normal, height)), scale(poly.normal, -1.0))
    assert found == pytest.approx(height, abs=1e-6)
