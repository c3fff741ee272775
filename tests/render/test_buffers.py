"""Depth and stencil buffers as pictures (rendering.md 23)."""

from __future__ import annotations

import numpy as np

from engine.render.buffers import NO_MARK, NOTHING, UNCOVERED, depth_picture, stencil_picture
from engine.render.overlays.palette import colour_of_cell
from engine.visibility.camera import ZFAR, ZNEAR

COVER = 0x80


def depth_of(metres: float) -> float:
    return ZFAR * (metres - ZNEAR) / (metres * (ZFAR - ZNEAR))


def test_near_is_lighter_than_far_and_the_far_plane_is_blue() -> None:
    metres = [1.0, 2.0, 4.0, 8.0, 16.0]
    picture = depth_picture(np.array([[*map(depth_of, metres), 1.0]], np.float32))
    shades = picture[0, :5, 0].astype(int)
    assert (shades[0], shades[-1]) == (245, 30)
    steps = shades[:-1] - shades[1:]
    assert steps.min() > 0
    assert steps.max() - steps.min() <= 2, "each doubling of the distance is one step"
    assert tuple(picture[0, 5]) == NOTHING


def test_an_empty_depth_buffer_is_blue_and_one_of_a_single_depth_light() -> None:
    assert (depth_picture(np.ones((2, 2), np.float32)) == NOTHING).all()
    assert (depth_picture(np.full((2, 2), 0.5, np.float32))[:, :, :3] == 245).all()


def test_each_mark_has_a_colour_and_uncovered_pixels_are_darker() -> None:
    plain = stencil_picture(np.array([[0, 1, 2]], np.uint8), COVER)
    assert [tuple(pixel) for pixel in plain[0]] == [NO_MARK, colour_of_cell(1), colour_of_cell(2)]
    covered = stencil_picture(np.array([[1 | COVER, 1]], np.uint8), COVER)
    assert tuple(covered[0, 0]) == colour_of_cell(1)
    assert covered[0, 1, :3].tolist() == [round(channel * UNCOVERED) for channel in colour_of_cell(1)[:3]]
