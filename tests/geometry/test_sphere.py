"""Sphere against sphere: the strict test inside trees and the gate before them (physics.md 3.1, 3.9)."""

from __future__ import annotations

from hypothesis import given

from engine.geometry.constants import EPSILON
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import distance
from tests.geometry.shapes import spheres


def test_touching_spheres_do_not_intersect() -> None:
    assert not Sphere((0.0, 0.0, 0.0), 1.0).intersects(Sphere((2.0, 0.0, 0.0), 1.0))
    assert Sphere((0.0, 0.0, 0.0), 1.0).intersects(Sphere((1.999, 0.0, 0.0), 1.0))


def test_the_gate_before_a_tree_lets_a_touching_sphere_in() -> None:
    body = Sphere((0.0, 0.0, 0.0), 1.0)
    assert body.in_reach_of(Sphere((2.0, 0.0, 0.0), 1.0))
    assert body.in_reach_of(Sphere((2.0 + 0.2 * EPSILON, 0.0, 0.0), 1.0))
    assert not body.in_reach_of(Sphere((2.0 + 0.3 * EPSILON, 0.0, 0.0), 1.0))


@given(spheres(), spheres())
def test_intersecting_spheres_are_in_reach(a: Sphere, b: Sphere) -> None:
    assert a.intersects(b) == b.intersects(a)
    if a.intersects(b):
        assert a.in_reach_of(b)
        assert distance(a.center, b.center) <= a.radius + b.radius


def test_a_copy_moves_independently() -> None:
    body = Sphere((1.0, 2.0, 3.0), 0.48)
    other = body.copy()
    other.center = (0.0, 0.0, 0.0)
    other.radius = 1.0
    assert (body.center, body.radius) == ((1.0, 2.0, 3.0), 0.48)


def test_a_cylinder_keeps_its_values() -> None:
    post = CylSphere((0.0, 0.0, 1.0), 0.2, 2.0)
    assert (post.low_point, post.radius, post.height) == ((0.0, 0.0, 1.0), 0.2, 2.0)
    assert repr(post) == "CylSphere((0.0, 0.0, 1.0), 0.2, 2.0)"
