"""The light of a day in worlds without a Region."""

from __future__ import annotations

import numpy as np
import pytest

from engine.render.light import terrain_light
from engine.render.plain_day import plain_daylight
from engine.render.scene import Scene
from engine.render.sky import NOON, daylight
from engine.world.loader import open_world
from tests.shared import SHARED, needs_shared

LEVEL = np.array([[0.0, 0.0, 1.0]], np.float32)


def levels(time: float) -> tuple[float, float]:
    """How bright the sky is, and level ground."""
    light = plain_daylight(time)
    return float(np.mean(light.fog_colour)), float(terrain_light(LEVEL, light).mean())


def test_noon_is_the_clients_light_without_keyframes() -> None:
    assert plain_daylight(NOON) == daylight(None, NOON)


def test_dusk_is_red_and_night_dark_and_blue() -> None:
    red, _, blue = plain_daylight(0.75).fog_colour
    assert red > 1.5 * blue
    red, _, blue = plain_daylight(0.0).fog_colour
    assert blue > red
    assert levels(0.0)[0] < 0.2
    assert plain_daylight(0.25).sun[0] > 0.0 > plain_daylight(0.75).sun[0]


@pytest.mark.parametrize("step", range(96))
def test_sky_and_ground_dim_together_without_a_jump(step: int) -> None:
    time = step / 96.0
    sky, ground = levels(time)
    noon_sky, noon_ground = levels(NOON)
    assert sky / ground < 2.0 * noon_sky / noon_ground
    later = levels((time + 1.0 / 96.0) % 1.0)
    assert abs(later[0] - sky) < 0.15
    assert abs(later[1] - ground) < 0.2


@needs_shared
def test_a_scene_without_a_region_follows_the_hour() -> None:
    path = min((SHARED / "goldens" / "scenes").glob("*.json"))
    scene = Scene(open_world(path))
    assert scene.daylight() == plain_daylight(NOON)
    scene.time_of_day = 0.75
    assert scene.daylight() == plain_daylight(0.75)
    assert scene.sky().clear_colour == plain_daylight(0.75).fog_colour
    scene.close()
