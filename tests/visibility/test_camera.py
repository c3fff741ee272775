"""The eye's basis, and how points and rays map to the screen (rendering.md 2.2)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.vec import Vec3, cross, dot
from engine.visibility.camera import (
    WIDEST_FIELD,
    ZFAR,
    ZNEAR,
    Camera,
    field_of_view,
    focal_of_fov,
    focal_of_screen,
    looking,
)
from tests.visibility.helpers.screens import at

ANGLES = st.floats(-720.0, 720.0)
PITCHES = st.floats(-89.0, 89.0)


def looking_from(eye: Vec3, heading: float = 0.0, pitch: float = 0.0) -> Camera:
    return looking(0, eye, heading, pitch, 640.0, 480.0, 240.0)


def test_the_middle_of_the_screen_looks_along_the_heading_and_the_pitch() -> None:
    north, east = looking_from((0.0, 0.0, 0.0)), looking_from((0.0, 0.0, 0.0), 90.0)
    assert north.ray(320.0, 240.0) == (0.0, 1.0, 0.0)
    assert east.ray(320.0, 240.0) == pytest.approx((1.0, 0.0, 0.0))
    assert looking_from((0.0, 0.0, 0.0), 0.0, 90.0).ray(320.0, 240.0) == pytest.approx((0.0, 0.0, 1.0))


def test_pixels_count_to_the_right_and_down() -> None:
    camera = looking_from((0.0, 0.0, 0.0))
    assert at(camera.project((1.0, 8.0, -1.5))) == pytest.approx((350.0, 285.0))


@given(ANGLES, PITCHES, st.floats(0.0, 640.0), st.floats(0.0, 480.0), st.floats(0.01, 100.0))
def test_points_on_the_ray_of_a_pixel_project_to_that_pixel(
    heading: float, pitch: float, px: float, py: float, t: float
) -> None:
    camera = looking_from((3.0, -2.0, 1.5), heading, pitch)
    ray = camera.ray(px, py)
    p = camera.project((3.0 + t * ray[0], -2.0 + t * ray[1], 1.5 + t * ray[2]))
    assert at(p) == pytest.approx((px, py), abs=1e-6)
    assert p.w == pytest.approx(t)


@given(ANGLES, PITCHES)
def test_right_forward_and_up_are_right_handed_and_orthonormal(heading: float, pitch: float) -> None:
    camera = looking_from((0.0, 0.0, 0.0), heading, pitch)
    assert cross(camera.right, camera.forward) == pytest.approx(camera.up, abs=1e-12)
    for a in (camera.right, camera.forward, camera.up):
        assert dot(a, a) == pytest.approx(1.0)


def test_depth_runs_from_minus_one_at_the_near_plane_to_one_at_the_far_plane() -> None:
    camera = looking_from((0.0, 0.0, 0.0))
    near, far = camera.project((0.0, ZNEAR, 0.0)), camera.project((0.0, ZFAR, 0.0))
    assert (near.z / near.w, far.z / far.w) == pytest.approx((-1.0, 1.0))


def test_a_point_of_another_landblock_projects_where_it_is() -> None:
    camera = looking(0xA9B40001, (190.0, 5.0, 1.5), 90.0, 0.0, 640.0, 480.0, 240.0)
    assert camera.eye_in(0xAAB40001) == (-2.0, 5.0, 1.5)
    assert camera.eye_in(0xA9B50001) == (190.0, -187.0, 1.5)
    assert camera.eye_in(0xA9B40100) == camera.eye


def test_the_focal_length_of_a_right_angle_is_half_the_height() -> None:
    assert focal_of_fov(480.0, math.pi / 2.0) == pytest.approx(240.0)


@pytest.mark.parametrize(("width", "height", "degrees"), [(640, 480, 73.0), (1280, 800, 60.0), (1920, 1080, 53.6)])
def test_the_vertical_field_of_view_depends_on_the_aspect_ratio(width: int, height: int, degrees: float) -> None:
    assert math.degrees(field_of_view(width, height)) == pytest.approx(degrees, abs=0.05)
    assert focal_of_screen(width, height) == pytest.approx(
        height / 2.0 / math.tan(math.radians(degrees) / 2.0), rel=1e-3
    )


@pytest.mark.parametrize(("width", "height"), [(300, 500), (60, 600), (50, 500), (1, 4000), (0, 100), (100, 0)])
def test_a_narrow_window_sees_at_most_120_degrees(width: int, height: int) -> None:
    assert field_of_view(width, height) == WIDEST_FIELD
