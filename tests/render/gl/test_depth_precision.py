"""The depth buffer tells near faces from far ones as finely as 24 bits between 0.1 and 4000 m allow (rendering.md 2,
14.7): nothing near the eye or far away is cut off, and what stands out from a wall does not flicker.

A step of such a buffer is z² / (0.1 · 2²⁴) metres at a distance of z.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.easel import HEIGHT, WIDTH, Easel
from tests.render.gl.helpers.meshes import mesh_of, painted, square

NEAR, STEPS = 0.1, float(1 << 24)
WALL, BOARD = (200, 0, 0), (0, 200, 0)


@pytest.fixture
def easel(targets: Targets) -> Iterator[Easel]:
    made = Easel(targets(WIDTH, HEIGHT))
    yield made
    made.close()


def picture_of(easel: Easel, wall_at: float, board_at: float, slope: float, *, board_first: bool) -> np.ndarray:
    """Both fill the picture; `slope` tilts them away from the eye."""
    size = 4.0 * wall_at
    up = (0.0, size * math.sin(slope), size * math.cos(slope))
    shape = mesh_of([square((0.0, 0.0, 0.0), (size, 0.0, 0.0), up)])
    easel.begin()
    things = [
        easel.add(shape, painted(*WALL), (0.0, wall_at, 0.0)),
        easel.add(shape, painted(*BOARD), (0.0, board_at, 0.0)),
    ]
    for thing in reversed(things) if board_first else things:
        easel.paint(thing)
    found: np.ndarray = easel.target.pixels()[:, :, :3]
    return found


@pytest.mark.parametrize("board_first", [True, False])
@pytest.mark.parametrize(
    ("away", "slope"),
    [
        *((away, 0.0) for away in (1.0, 10.0, 50.0, 100.0, 300.0, 1000.0, 3000.0)),
        *((away, 0.5) for away in (5.0, 80.0, 1000.0)),
    ],
)
def test_what_stands_out_by_two_steps_is_in_front_in_every_pixel(
    easel: Easel, away: float, slope: float, board_first: bool
) -> None:
    farthest = away / (1.0 - math.tan(slope)) if slope else away
    out = max(2.0 * farthest * farthest / (NEAR * STEPS), 0.0005)
    found = picture_of(easel, away, away - out, slope, board_first=board_first)
    assert (found == BOARD).all()


@pytest.mark.parametrize("away", [0.11, 0.3, 3900.0])
def test_nothing_between_the_near_and_the_far_plane_is_cut_off(easel: Easel, away: float) -> None:
    found = picture_of(easel, away, away, 0.0, board_first=True)
    assert (found != 0).any(axis=2).all()


def test_of_two_faces_in_one_plane_the_first_wins(easel: Easel) -> None:
    """rendering.md M1."""
    assert (picture_of(easel, 30.0, 30.0, 0.3, board_first=True) == BOARD).all()
    assert (picture_of(easel, 30.0, 30.0, 0.3, board_first=False) == WALL).all()
