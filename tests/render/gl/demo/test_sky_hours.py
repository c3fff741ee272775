"""The sky of each hour goes with the light of the ground, in the demo world."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.visibility.camera import Camera, focal_of_screen, looking
from engine.world.cells.landdefs import get_outside_cell_id
from tests.render.gl.helpers.demo_pictures import HEIGHT, WIDTH, DemoPictures

EAST, WEST = 90.0, 270.0
MEADOW: Final = (100.0, 60.0, 22.2)
"""An eye over open ground in the village, from which neither house hides the horizon."""


@dataclass
class Hour:
    """Mean colours, 0 to 255."""

    zenith: NDArray[np.float64]
    horizon: NDArray[np.float64]
    ground: NDArray[np.float64]

    @property
    def sky(self) -> float:
        return float((self.zenith + self.horizon).mean() / 2.0)


def seen(demo: DemoPictures, hour: float, heading: float) -> Hour:
    cell_id = get_outside_cell_id(0xC95B0001, MEADOW)
    focal = focal_of_screen(float(WIDTH), float(HEIGHT))
    camera: Camera = looking(cell_id, MEADOW, heading, 10.0, float(WIDTH), float(HEIGHT), focal)
    demo.scene.time_of_day = hour / 24.0
    picture = demo.picture(demo.frame(camera, cell_id)).astype(np.float64)
    demo.scene.time_of_day = 0.5

    def mean(top: float, bottom: float) -> NDArray[np.float64]:
        found: NDArray[np.float64] = picture[int(top * HEIGHT) : int(bottom * HEIGHT)].mean(axis=(0, 1))
        return found

    return Hour(mean(0.0, 0.12), mean(0.5, 0.56), mean(0.8, 1.0))


@pytest.mark.parametrize("heading", [EAST, WEST])
def test_noon_is_blue_dusk_is_red_and_night_is_dark(demo: DemoPictures, heading: float) -> None:
    noon, dusk, night = (seen(demo, hour, heading) for hour in (12.0, 18.5, 0.0))
    red, _, blue = noon.zenith
    assert blue > red + 40.0
    assert noon.sky > 180.0
    red, _, blue = dusk.horizon
    assert red > blue + 50.0
    assert dusk.zenith.mean() < 0.75 * noon.zenith.mean()
    assert night.sky < 40.0
    assert night.zenith[2] > night.zenith[0]


@pytest.mark.parametrize("heading", [EAST, WEST])
def test_the_ground_is_not_black_under_a_bright_sky(demo: DemoPictures, heading: float) -> None:
    """At six in the evening it was 38 of 255 under a sky of 208, blue as at noon."""
    noon = seen(demo, 12.0, heading)
    most = 2.0 * noon.sky / noon.ground.mean()
    hours = {hour / 2.0: seen(demo, hour / 2.0, heading) for hour in range(48)}
    assert {hour for hour, now in hours.items() if now.sky / now.ground.mean() > most} == set()
    evening = hours[18.0]
    assert evening.ground.mean() > 0.55 * noon.ground.mean()
    assert evening.sky < 0.9 * noon.sky


def test_the_whole_day_changes_in_small_steps(demo: DemoPictures) -> None:
    levels = [seen(demo, 24.0 * ((step + 0.5) / 200.0 % 1.0), WEST).sky for step in range(201)]
    assert max(abs(later - before) for before, later in pairwise(levels)) < 16.0
    assert levels[0] == levels[-1]
