"""A frame's depth and stencil as pictures, for inspection (rendering.md 23)."""

from __future__ import annotations

from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.render.overlays.palette import colour_of_cell
from engine.visibility.camera import ZFAR, ZNEAR

Pixels = NDArray[np.uint8]
"""(height, width, 4)"""


class Buffer(Enum):
    """The buffer of a frame to show; the values are the names on a command line."""

    COLOUR = "colour"
    DEPTH = "depth"
    STENCIL = "stencil"


NOTHING: Final = (28, 44, 96, 255)
"""Depths at the far end: nothing was drawn there, or an opening was punched and nothing has come since."""
AT_FAR_END: Final = 0.999998
LIGHTEST, DARKEST = 245.0, 30.0
NO_MARK: Final = (24, 26, 30, 255)
UNCOVERED: Final = 0.55
"""The brightness of pixels without the cover's bit, in a frame that uses it."""


def depth_picture(depths: NDArray[np.float32]) -> Pixels:
    """Near is light and far is dark, by the logarithm of the distance between the nearest and the farthest of them."""
    there = depths < AT_FAR_END
    metres = ZNEAR * ZFAR / (ZFAR - np.clip(depths, 0.0, 1.0).astype(np.float64) * (ZFAR - ZNEAR))
    picture = np.empty((*depths.shape, 4), np.uint8)
    picture[:] = NOTHING
    if there.any():
        far = np.log(metres[there])
        part = (far - far.min()) / max(float(far.max() - far.min()), 1e-6)
        picture[there, :3] = np.round(LIGHTEST + (DARKEST - LIGHTEST) * part)[:, None]
    return picture


def stencil_picture(values: NDArray[np.uint8], cover: int) -> Pixels:
    """A colour for each mark; where the bit `cover` is in use, what does not have it is darker."""
    table = np.array([NO_MARK if not mark else colour_of_cell(mark) for mark in range(256)], np.float64)
    picture: NDArray[np.float64] = table[values & ~np.uint8(cover)]
    covered = (values & cover) != 0
    if covered.any():
        picture[~covered, :3] *= UNCOVERED
    return np.round(picture).astype(np.uint8)
