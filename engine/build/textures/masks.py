"""Blend masks of the ground: where one kind of ground gives way to the next (dat-format.md 5.5).

0 is where the overlay shows, 255 where the ground below does. Corner map (code 8): dark at the picture's upper left,
the north-west. Side map (9): dark along the left. Road maps 8 and 9 likewise, 10: dark at the upper left and the lower
right. The borders of the picture agree with their neighbours': a half-way value at the middle of a side, full values
from the corners on.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.build.textures.curves import lengths
from engine.build.textures.fields import Field, Rgba, finished, flat, grid, noise, rising

SIZE: Final = (128, 128)


def _ragged(name: str) -> Field:
    """Noise that dies out towards the picture's border, so that neighbouring land cells meet without a step."""
    across, down = grid(SIZE)
    rim = np.minimum(np.minimum(across, 1.0 - across), np.minimum(down, 1.0 - down)).astype(np.float32)
    uneven = noise(name, SIZE, (6, 6), 4) - np.float32(0.5)
    result: Field = uneven * rising(rim, 0.0, 0.12)
    return result


def _mask(shown: Field) -> Rgba:
    return finished(flat(SIZE, (255, 255, 255)), (1.0 - shown).astype(np.float32))


def corner(name: str) -> Rgba:
    """The overlay at the upper left corner, half a side wide and high."""
    across, down = grid(SIZE)
    away = lengths(across, down)
    return _mask(1.0 - rising(away + _ragged(name) * np.float32(0.45), 0.36, 0.64))


def side(name: str) -> Rgba:
    """The overlay along the left side, to the middle."""
    across, _ = grid(SIZE)
    return _mask(1.0 - rising(across + _ragged(name) * np.float32(0.45), 0.36, 0.64))


ROAD_HALF_WIDTH: Final = 5.0 / 24.0
"""In parts of a land cell: roads reach 5 m to each side of their vertices (dat-format.md 6, step 6)."""


def road_corner() -> Rgba:
    """A road's end: a quarter disc at the upper left corner."""
    across, down = grid(SIZE)
    away = (across + down).astype(np.float32) + _ragged("road corner") * np.float32(0.1)
    return _mask(1.0 - rising(away, ROAD_HALF_WIDTH - 0.03, ROAD_HALF_WIDTH + 0.03))


def road_side() -> Rgba:
    """A road along the left side."""
    across, _ = grid(SIZE)
    return _mask(
        1.0 - rising(across + _ragged("road side") * np.float32(0.1), ROAD_HALF_WIDTH - 0.03, ROAD_HALF_WIDTH + 0.03)
    )


def road_across() -> Rgba:
    """A road from the upper left to the lower right corner."""
    across, down = grid(SIZE)
    away = np.abs(across - down).astype(np.float32) + _ragged("road across") * np.float32(0.1)
    return _mask(1.0 - rising(away, ROAD_HALF_WIDTH - 0.03, ROAD_HALF_WIDTH + 0.03))
