"""Physics trees give the same answers as asking every polygon; they may only save work (physics.md 3.2-3.4)."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode, PhysicsTree, RayHit, SolidState
from engine.geometry.constants import EPSILON, FLOOR_Z
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon, PolyHit, WalkProbe
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, Vec3
from tests.geometry.shapes import directions, planes, polygons, spheres, split_tree, vectors


@st.composite
def trees(draw: st.DrawFn) -> PhysicsTree:
    """Up to eight polygons under up to three planes, each polygon with its own id."""
    drawn = draw(st.lists(polygons(), min_size=1, max_size=8))
    polys = [Polygon(i, poly.vertices, poly.sides_type) for i, poly in enumerate(drawn)]
    return split_tree(polys, draw(st.lists(planes(), max_size=3)))


def near_border(tree: PhysicsTree, sphere: Sphere) -> bool:
    """Rounding decides: a plane of the tree or of a polygon is exactly at the sphere's reach."""
    split_planes = [n.plane for n in tree.nodes() if isinstance(n, PhysicsInner)]
    reach = sphere.radius - EPSILON
    return any(
        abs(abs(p.dist(sphere.center)) - reach) < 1e-7 for p in [*split_planes, *(q.plane for q in tree.polygons)]
    )


@given(trees(), spheres(), directions())
def test_the_tree_hits_a_polygon_whenever_the_polygon_itself_is_hit(
    tree: PhysicsTree, sphere: Sphere, move: Vec3
) -> None:
    assume(not near_border(tree, sphere))
    out = PolyHit()
    hit = tree.root.sphere_intersects_poly(sphere, move, out)
    hits = [p.id for p in tree.polygons if p.pos_hits_sphere(sphere, move, PolyHit())]
    touched = [p.id for p in tree.polygons if p.hits_sphere(sphere)]
    assert hit == bool(hits)
    if out.poly is None:
        assert not touched
    else:
        assert out.poly.id in (hits if hit else touched)


@given(trees(), spheres())
def test_the_solid_tests_without_centre_ask_whether_anything_is_touched(tree: PhysicsTree, sphere: Sphere) -> None:
    assume(not near_border(tree, sphere))
    touched = [p for p in tree.polygons if p.hits_sphere(sphere)]
    state = SolidState()
    tree.root.sphere_intersects_solid_poly(sphere, sphere.radius, state, False)
    assert tree.root.sphere_intersects_solid(sphere, False) == bool(touched)
    assert (state.poly is not None) == bool(touched)
    assert state.poly is None or state.poly in touched
    assert not state.centre_solid


@given(trees(), spheres(), st.floats(-0.5, 0.9))
def test_floor_is_underfoot_when_any_polygon_is_that_floor(tree: PhysicsTree, sphere: Sphere, allowance: float) -> None:
    assume(not near_border(tree, sphere))
    probe = WalkProbe(allowance)
    expected = any(
        p.walkable_hits_sphere(probe, sphere, UP) and p.check_small_walkable(sphere, UP) for p in tree.polygons
    )
    assert tree.root.hits_walkable(probe, sphere, UP) == expected


@given(trees(), spheres(), vectors(1.5), st.floats(-0.5, 0.9))
def test_the_tree_finds_a_walkable_when_any_polygon_supports_the_sphere(
    tree: PhysicsTree, sphere: Sphere, move: Vec3, allowance: float
) -> None:
    assume(not near_border(tree, sphere))
    start, probe, out = sphere.copy(), WalkProbe(allowance), PolyHit()
    tree.root.find_walkable(probe, sphere, out, move, UP)
    takers = [
        p
        for p in tree.polygons
        if p.walkable_hits_sphere(WalkProbe(allowance), start, UP)
        and p.adjust_sphere_to_plane(WalkProbe(allowance), start.copy(), move)
    ]
    assert (out.poly is not None) == bool(takers)
    if out.poly is None:
        assert (sphere.center, probe.interp) == (start.center, 1.0)
    else:
        assert -0.5 <= probe.interp < 1.0
        assert out.poly.normal[2] > allowance


@given(trees(), st.floats(0.2, 1.2), spheres())
def test_a_walkable_search_leaves_the_sphere_touching_what_it_found(
    tree: PhysicsTree, drop: float, sphere: Sphere
) -> None:
    probe, out = WalkProbe(FLOOR_Z), PolyHit()
    tree.root.find_walkable(probe, sphere, out, (0.0, 0.0, -drop), UP)
    if out.poly is not None:
        assert out.poly.plane.dist(sphere.center) == pytest.approx(sphere.radius, abs=1e-5)


@given(trees(), vectors(8.0), directions())
def test_ray_finds_the_nearest_of_all_polygons(tree: PhysicsTree, origin: Vec3, towards: Vec3) -> None:
    hit = RayHit()
    tree.root.nearest_ray_hit(origin, towards, hit)
    times = [t for t in (p.polygon_hits_ray(origin, towards) for p in tree.polygons) if t >= 0.0]
    assert hit.time == min(times, default=math.inf)
    assert (hit.poly is not None) == bool(times)
    if hit.poly is not None:
        assert hit.poly.polygon_hits_ray(origin, towards) == hit.time


@given(st.lists(planes(), min_size=1, max_size=6), vectors(5.0), st.floats(0.05, 1.0))
def test_the_centre_is_solid_exactly_in_the_leaf_that_holds_it(
    half_spaces: list[Plane], p: Vec3, radius: float
) -> None:
    """A chain of outward planes around solid space, as data files build convex objects (dat-format 3.3.4)."""
    far_away = Polygon(0, [(900.0, 0.0, 0.0), (901.0, 0.0, 0.0), (900.0, 1.0, 0.0)])
    everywhere = Sphere((0.0, 0.0, 0.0), 2000.0)
    node: PhysicsNode = PhysicsLeaf(1, True, everywhere, [far_away])
    for plane in reversed(half_spaces):
        node = PhysicsInner(plane, PhysicsLeaf(0, False, everywhere, [far_away]), node, everywhere)
    assume(all(abs(plane.dist(p)) > 1e-9 for plane in half_spaces))
    inside = all(plane.dist(p) < 0.0 for plane in half_spaces)
    sphere, state = Sphere(p, radius), SolidState()
    assert node.sphere_intersects_solid(sphere, True) == inside
    assert node.point_intersects_solid(p) == inside
    node.sphere_intersects_solid_poly(sphere, radius, state, True)
    assert state.centre_solid == inside
