"""Which moving lamps light a thing in a room (rendering.md C5)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.geometry.vec import Vec3
from engine.render.draws import LightSource
from engine.render.gl.renderer import STANDARD
from tests.render.gl.conftest import Targets
from tests.render.gl.demo.test_demo import BOTH_MODES
from tests.render.gl.helpers.dressed import EYE, SIZE, Hall
from tests.render.gl.helpers.meshes import painted

RED = painted(200, 0, 0)
GREY = replace(painted(200, 200, 200), luminosity=0.0)
UNLIT = (40, 40, 40)
"""A fifth: the ambient light of a room that does not see the outdoors."""

FALLOFF, RADIUS = 6.0, 0.5**0.5
STANDS_AT = 10.0


def lamp(hall: Hall, distance: float, number: int = 1) -> LightSource:
    """Before the pane, at this distance from its centre."""
    at: Vec3 = (EYE[0], STANDS_AT - distance, EYE[2])
    return LightSource(number, 0, hall.hall_id, (), at, (1.0, 1.0, 1.0), 3.0, FALLOFF, True)


@BOTH_MODES
def test_a_moving_lamp_reaches_its_falloff_plus_the_things_radius(
    exact: bool, tmp_path: Path, targets: Targets
) -> None:
    """It fades out at one and a half times its falloff, but does not light what is farther away than that."""
    hall = Hall(tmp_path, targets, stands_at=STANDS_AT, size=1.0)
    shell = [(18.0, RED)]
    reach = FALLOFF + RADIUS
    assert hall.middle(shell, GREY, exact=exact) == UNLIT
    for distance in (reach + 0.05, 1.4 * FALLOFF):
        assert hall.middle(shell, GREY, exact=exact, lamps=[lamp(hall, distance)]) == UNLIT
    for distance in (reach - 0.05, 4.0):
        wanted = 200.0 * (0.2 + 3.0 * distance / (distance * distance + RADIUS * RADIUS))  # as at its corners
        found = hall.middle(shell, GREY, exact=exact, lamps=[lamp(hall, distance)])
        assert found == pytest.approx([wanted] * 3, abs=1)


def test_each_lamp_counts_on_its_own(tmp_path: Path, targets: Targets) -> None:
    hall = Hall(tmp_path, targets, stands_at=STANDS_AT, size=1.0)
    far, near = lamp(hall, 8.0, 1), lamp(hall, 6.0, 2)
    alone = hall.middle([(18.0, RED)], GREY, lamps=[near])
    assert alone != UNLIT
    assert hall.middle([(18.0, RED)], GREY, lamps=[far] * 5 + [near, far]) == alone
    assert hall.middle([(18.0, RED)], GREY, lamps=[near, far]) == alone
    assert hall.middle([(18.0, RED)], GREY, lamps=[far] * 8 + [near]) == UNLIT, "eight lamps move at most"


def test_an_approaching_lamp_lights_from_the_frame_in_which_it_is_in_range(tmp_path: Path, targets: Targets) -> None:
    hall = Hall(tmp_path, targets, stands_at=STANDS_AT, size=1.0)
    ways = [[lamp(hall, distance)] for distance in (8.0, 6.0, 6.0, 8.0)]
    film = hall.pictures([(18.0, RED)], GREY, STANDARD, False, [*ways, [], ways[1]])
    lit = [tuple(picture[SIZE // 2, SIZE // 2].tolist()) != UNLIT for picture in film]
    assert lit == [False, True, True, False, False, True]


@BOTH_MODES
def test_all_moving_lamps_light_the_walls_of_a_room(exact: bool, tmp_path: Path, targets: Targets) -> None:
    hall = Hall(tmp_path, targets)
    for distance, lit in ((1.4 * FALLOFF, True), (1.6 * FALLOFF, False)):
        found = hall.middle([(STANDS_AT, GREY)], exact=exact, lamps=[lamp(hall, distance)])
        assert (found != UNLIT) == lit
