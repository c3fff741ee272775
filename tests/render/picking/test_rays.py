"""Rays meet triangles where arithmetic by hand says they do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, add, dot, normalized, scale, sub
from engine.render.picking.rays import RayTriangles, sphere_is_met

FLOOR = np.array([[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]])
DOWN = (0.0, 0.0, -1.0)

coordinate = st.floats(-5.0, 5.0, width=32)
point = st.tuples(coordinate, coordinate, coordinate)


def test_a_triangle_is_hit_from_its_front_and_not_from_behind() -> None:
    floor = RayTriangles(FLOOR)
    assert floor.nearest((1.0, 1.0, 3.0), DOWN) == (0, 3.0)
    assert floor.nearest((1.0, 1.0, -3.0), (0.0, 0.0, 1.0)) is None


def test_a_triangle_behind_the_ray_s_origin_is_not_hit() -> None:
    assert RayTriangles(FLOOR).nearest((1.0, 1.0, -3.0), DOWN) is None


def test_nothing_slips_through_the_border_of_two_triangles() -> None:
    square = np.concatenate([FLOOR, [[[4.0, 4.0, 0.0], [0.0, 4.0, 0.0], [4.0, 0.0, 0.0]]]])
    triangles = RayTriangles(square)
    for i in range(41):
        x = i * 0.1
        assert triangles.nearest((x, 4.0 - x, 1.0), DOWN) is not None


def test_hits_come_near_ones_first() -> None:
    stack = np.concatenate([np.add(FLOOR, (0.0, 0.0, z)) for z in (1.0, 3.0, 2.0)])
    hits = RayTriangles(stack).all_hits((0.5, 0.5, 5.0), DOWN)
    assert [number for number, _ in hits] == [1, 2, 0]
    assert RayTriangles(stack).all_hits((0.5, 0.5, 5.0), DOWN, after=2.5) == [(2, 3.0), (0, 4.0)]


def test_no_triangles_no_hit() -> None:
    none = RayTriangles(np.zeros((0, 3, 3)))
    assert none.nearest((0.0, 0.0, 0.0), DOWN) is None
    assert none.all_hits((0.0, 0.0, 0.0), DOWN) == []


def test_a_triangle_without_area_is_never_hit() -> None:
    flat = RayTriangles(np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]]))
    assert flat.nearest((1.0, 0.0, 1.0), DOWN) is None


@given(a=point, b=point, c=point, origin=point, target=point)
def test_a_ray_hits_a_triangle_where_its_polygon_says(a: Vec3, b: Vec3, c: Vec3, origin: Vec3, target: Vec3) -> None:
    way = sub(target, origin)
    polygon = Polygon(0, [a, b, c])
    if polygon.degenerate or dot(way, way) < 1e-4:
        return
    direction = normalized(way)
    met = RayTriangles(np.array([[a, b, c]])).nearest(origin, direction, after=-math.inf)
    steepness = dot(direction, polygon.normal)
    if abs(steepness) < 1e-3:
        return
    reach = (polygon.normal[0] * origin[0] + polygon.normal[1] * origin[1] + polygon.normal[2] * origin[2]) + polygon.d
    foot = add(origin, scale(direction, -reach / steepness))
    margins = [dot(sub(foot, edge.last), edge.cross) / math.sqrt(edge.cross2) for edge in polygon.edges if edge.cross2]
    if len(margins) < 3 or min(abs(margin) for margin in margins) < 1e-3:
        return  # on the border either answer is right
    assert (met is not None) == (min(margins) > 0.0 and steepness < 0.0)
    if met is not None:
        assert met[1] == pytest.approx(-reach / steepness, abs=1e-6)


def test_a_sphere_is_met_when_the_ray_comes_near_enough() -> None:
    assert sphere_is_met((0.0, 5.0, 0.9), 1.0, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert not sphere_is_met((0.0, 5.0, 1.1), 1.0, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert not sphere_is_met((0.0, -5.0, 0.0), 1.0, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert sphere_is_met((0.0, -0.5, 0.0), 1.0, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))
