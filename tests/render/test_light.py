"""Sun and ambient light by pass, baked lamps against the formula evaluated at each vertex, lamps near an object
(rendering.md 19.5, 20.4, 20.5)."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from engine.geometry.box import Box
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3, dot
from engine.render.draws import Daylight, LightSource
from engine.render.light import (
    bake,
    interior_ambient,
    lights_near,
    nearest,
    object_ambient,
    terrain_light,
    viewer_light,
)
from engine.render.mesh import Mesh

BLOCK = 0xC95BFFFF
DAY = Daylight(0.5, (0.6, 0.0, 0.8), (1.0, 0.5, 0.25), 0.4, (0.5, 0.75, 1.0), None, (0.0, 0.0, 0.0))


def lamp(
    at: Vec3, intensity: float = 60.0, falloff: float = 6.0, number: int = 1, dynamic: bool = False
) -> LightSource:
    return LightSource(number, 0, BLOCK, (), at, (1.0, 0.75, 0.5), intensity, falloff, dynamic)


def points(positions: list[Vec3], normals: list[Vec3]) -> Mesh:
    return Mesh(
        np.array(positions, np.float32),
        np.array(normals, np.float32),
        np.zeros((len(positions), 2), np.float32),
        np.zeros(0, np.uint32),
        (),
        np.zeros(0, np.int32),
        np.zeros(0, np.int8),
        Sphere(ZERO, 1.0),
        Box(ZERO, ZERO),
    )


def scalar(position: Vec3, normal: Vec3, at: Vec3, light: LightSource) -> Vec3:
    """20.5, one vertex and one lamp."""
    d_vec = (at[0] - position[0], at[1] - position[1], at[2] - position[2])
    d = math.sqrt(dot(d_vec, d_vec))
    reach = 1.3 * light.falloff
    if d >= reach:
        return ZERO
    w = (dot(normal, d_vec) + 0.5 * d) / 1.5
    if w <= 0.0:
        return ZERO
    s = light.intensity * (1.0 - d / reach) * (w / d if d * d <= 1.0 else w / (d * d * d))
    r, g, b = light.colour
    return (min(s * r, r), min(s * g, g), min(s * b, b))


def test_ground_gets_ambient_and_sun_by_slope_up_to_full_light() -> None:
    normals = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.6, 0.0, 0.8]], np.float32)
    light = terrain_light(normals, DAY)
    assert light[0] == pytest.approx([0.2 + 0.8, 0.3 + 0.4, 0.4 + 0.2])
    assert light[1] == pytest.approx([0.2, 0.3, 0.4])
    assert light[2] == pytest.approx([1.0, 0.3 + 0.5, 0.4 + 0.25])


def test_objects_add_a_fifth_of_the_suns_length_to_the_ambient_level() -> None:
    assert object_ambient(DAY) == pytest.approx((0.3, 0.45, 0.6))


def test_the_players_position_makes_rooms_bright_as_outdoors_or_flat() -> None:
    assert interior_ambient(DAY, True) == object_ambient(DAY)
    assert interior_ambient(DAY, False) == (0.2, 0.2, 0.2)


def test_baked_light_follows_the_formula_at_every_vertex() -> None:
    chooser = random.Random(7)

    def somewhere(size: float) -> Vec3:
        return (chooser.uniform(-size, size), chooser.uniform(-size, size), chooser.uniform(-size, size))

    frame = Frame((40.0, 60.0, 5.0), from_heading(33.0))
    positions = [somewhere(6.0) for _ in range(200)]
    normals = [(0.0, 0.0, 0.0) if i % 20 == 0 else (0.0, 0.0, 1.0) if i % 3 else (0.6, -0.8, 0.0) for i in range(200)]
    lamps = [lamp(frame.local_to_global(somewhere(5.0)), chooser.uniform(0.2, 80.0), number=i) for i in range(4)]
    baked = bake(points(positions, normals), frame, lamps)
    assert baked.shape == (200, 3)
    stored = points(positions, normals)
    for i in range(200):
        x, y, z = (float(v) for v in stored.positions[i])
        nx, ny, nz = (float(v) for v in stored.normals[i])
        parts = [scalar((x, y, z), (nx, ny, nz), frame.global_to_local(light.position), light) for light in lamps]
        expected = [min(sum(part[channel] for part in parts), 1.0) for channel in range(3)]
        assert baked[i].tolist() == pytest.approx(expected, abs=1e-5)


def test_lamps_add_at_most_their_own_colour_and_together_at_most_one() -> None:
    mesh = points([ZERO], [(0.0, 0.0, 1.0)])
    near = lamp((0.0, 0.0, 0.5), intensity=1000.0)
    assert bake(mesh, Frame(), [near])[0].tolist() == pytest.approx([1.0, 0.75, 0.5])
    assert bake(mesh, Frame(), [near, near])[0].tolist() == pytest.approx([1.0, 1.0, 1.0])


def test_a_lamp_at_a_vertex_or_out_of_reach_adds_nothing() -> None:
    mesh = points([ZERO], [(0.0, 0.0, 1.0)])
    assert not bake(mesh, Frame(), [lamp(ZERO), lamp((0.0, 0.0, 7.9))]).any()
    assert bake(mesh, Frame(), [lamp((0.0, 0.0, 7.7))]).any()


def test_light_wraps_half_around_a_corner_and_no_further() -> None:
    mesh = points([ZERO] * 3, [(1.0, 0.0, 0.0), (-0.49, 0.0, 0.87), (-1.0, 0.0, 0.0)])
    baked = bake(mesh, Frame(), [lamp((2.0, 0.0, 0.0))])
    assert baked[0, 0] > baked[1, 0] > 0.0
    assert baked[2, 0] == 0.0


def test_a_neighbouring_landblocks_lamp_bakes_as_if_in_the_shells_own() -> None:
    across = LightSource(1, 0, 0xCA5BFFFF, (), (1.0, 10.0, 1.0), (1.0, 1.0, 1.0), 60.0, 6.0, False)
    assert not bake(points([(191.0, 10.0, 0.0)], [(0.0, 0.0, 1.0)]), Frame(), [across]).any()
    assert bake(points([(1.0, 10.0, 0.0)], [(0.0, 0.0, 1.0)]), Frame(), [across]).any()


def test_the_first_eight_lamps_in_range_light_an_object_not_the_nearest() -> None:
    """A lamp counts up to its falloff from the object's sphere, and fades out at half as far again."""
    lamps = [lamp((float(i), 0.0, 0.0), number=i) for i in range(11, 0, -1)]
    assert [light.object_id for light in lights_near(lamps, BLOCK, ZERO, 0.5, 99)] == [6, 5, 4, 3, 2, 1]
    twice = [*lamps, *[lamp((0.0, float(i), 0.0), number=20 + i) for i in range(5, 0, -1)]]
    assert [light.object_id for light in lights_near(twice, BLOCK, ZERO, 0.5)] == [6, 5, 4, 3, 2, 1, 25, 24]
    assert lights_near(lamps, BLOCK, ZERO, 0.5, 0) == []


def test_lamps_are_sorted_by_distance_from_a_point() -> None:
    across = LightSource(9, 0, 0xCA5BFFFF, (), (1.0, 0.0, 0.0), (1.0, 1.0, 1.0), 60.0, 6.0, False)
    lamps = [across, lamp((180.0, 0.0, 0.0), number=1), lamp((190.0, 0.0, 0.0), number=2)]
    assert [light.object_id for light in nearest(lamps, BLOCK, (191.0, 0.0, 0.0))] == [2, 9, 1]


def test_the_viewers_light_is_white_and_two_metres_above_his_feet() -> None:
    light = viewer_light(BLOCK, (3.0, 4.0, 5.0))
    assert (light.position, light.colour) == ((3.0, 4.0, 7.0), (1.0, 1.0, 1.0))
    assert (light.falloff, light.intensity, light.dynamic) == (10.0, 2.25, True)
