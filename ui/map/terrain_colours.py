"""Ground colours on the map by terrain type (dat-format.md A.6), muted so that rooms stand out."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from editor.maps.landblock_plan import PlanGround
from ui.theme.theme import Colours

HUES: Final = {
    "rock": (0, 13, 14, 6, 12),
    "grass": (1, 3, 9, 21, 28, 29),
    "marsh": (4,),
    "dirt": (5, 7, 8, 31),
    "sand": (10, 11, 24),
    "snow": (2, 15, 27),
    "water": (16, 17, 18, 19, 20, 22, 23),
    "lava": (25, 26, 30),
}
COLOURS: Final = {
    "rock": "#77746e",
    "grass": "#55774a",
    "marsh": "#5a6b4a",
    "dirt": "#7a6549",
    "sand": "#a08f63",
    "snow": "#aeb9c2",
    "water": "#3f6d92",
    "lava": "#8a4a3a",
}
ROAD: Final = "#8d8169"
BY_TYPE: Final = {terrain: COLOURS[name] for name, types in HUES.items() for terrain in types}
TYPES: Final = 32
Numbers = NDArray[np.float32]
STRENGTH: Final = 0.62
"""Share of the ground's own colour over the sheet."""

FINE: Final = 6
"""Pixels of the image along each sample."""
SUN: Final = (-1.0, 1.0, 1.6)
"""Towards the light of the hill shading, east, north and up: from the north-west, as on printed maps."""
STEEPER: Final = 2.0
"""The hill shading takes slopes for so many times steeper, as most land is nearly level."""
SHADE: Final = (0.55, 1.3)
"""The darkest and the brightest share of a colour."""
CONTOUR: Final = 4.0
"""Metres of height between contour lines; every fifth is stronger."""
FAINT_LINE, STRONG_LINE = 0.12, 0.26


@lru_cache(maxsize=4)
def ground_image(ground: PlanGround, colours: Colours) -> QImage:
    """An image of the land: types that blend into each other, roads, hill shading and contour lines."""
    side = ground.side
    types = ground_colours(colours)[np.array(ground.terrain, np.intp).reshape(side, side)]
    for _ in range(2):
        types = _blurred(types)
    road = np.array(ground.road, np.float32).reshape(side, side, 1)
    own = _numbers(_mix(QColor(ROAD), QColor(colours.sheet)))
    heights = np.array(ground.heights, np.float32).reshape(side, side, 1)
    share = np.clip(_finer(_blurred(road)) * 2.0 - 0.5, 0.0, 1.0)
    paint = _finer(types) * (1.0 - share) + own * share
    fine = _finer(_blurred(_blurred(heights)))[:, :, 0]
    lit = paint * _shade(fine, ground.metres / FINE)[:, :, None]
    line = _numbers(QColor(colours.text))
    over = _contours(fine)[:, :, None]
    pixels = np.full((side * FINE, side * FINE, 4), 255, np.uint8)
    pixels[:, :, :3] = np.clip(lit * (1.0 - over) + line * over, 0.0, 255.0)
    width = side * FINE
    return QImage(pixels.tobytes(), width, width, 4 * width, QImage.Format.Format_RGBA8888).copy()


def _numbers(colour: QColor) -> Numbers:
    return np.array([colour.red(), colour.green(), colour.blue()], np.float32)


def _blurred(values: Numbers) -> Numbers:
    """The mean of each sample and its eight neighbours."""
    side = len(values)
    padded = np.pad(values, ((1, 1), (1, 1), (0, 0)), mode="edge")
    total = sum(padded[y : y + side, x : x + side] for y in range(3) for x in range(3))
    mean: Numbers = np.asarray(total, np.float32) / 9.0
    return mean


def _finer(values: Numbers) -> Numbers:
    """`FINE` times as many values in each direction, linearly between the given ones."""
    side = len(values)
    at = np.clip((np.arange(side * FINE) + 0.5) / FINE - 0.5, 0.0, side - 1.0)
    low = np.minimum(at.astype(np.intp), side - 2)
    part = (at - low).astype(np.float32)
    rows = values[low] + (values[low + 1] - values[low]) * part[:, None, None]
    made: Numbers = rows[:, low] + (rows[:, low + 1] - rows[:, low]) * part[None, :, None]
    return made


def _shade(heights: Numbers, metres: float) -> Numbers:
    """The light on each pixel, 1 on level ground; rows run south."""
    south, east = np.gradient(heights, metres)
    x, y = -east * STEEPER, south * STEEPER
    light = (x * SUN[0] + y * SUN[1] + SUN[2]) / np.sqrt(x * x + y * y + 1.0)
    shade: Numbers = np.clip(light / SUN[2], *SHADE).astype(np.float32)
    return shade


def _contours(heights: Numbers) -> Numbers:
    """How strong a contour line is on each pixel."""
    step = np.floor(heights / CONTOUR + 0.5).astype(np.int64)  # flat land is often of a round height: no line there
    strength = np.zeros(heights.shape, np.float32)
    for axis in (0, 1):
        other = np.roll(step, -1, axis)
        crossed = other != step
        crossed[(-1, slice(None)) if axis == 0 else (slice(None), -1)] = False
        strong = crossed & (np.maximum(step, other) % 5 == 0)
        strength = np.maximum(strength, np.where(strong, STRONG_LINE, np.where(crossed, FAINT_LINE, 0.0)))
    return strength.astype(np.float32)


def ground_colours(colours: Colours) -> NDArray[np.float32]:
    """Red, green and blue, 0 to 255, of each of the 32 terrain types over the sheet."""
    sheet = QColor(colours.sheet)
    mixed = [_mix(QColor(BY_TYPE.get(kind, COLOURS["rock"])), sheet) for kind in range(TYPES)]
    return np.array([[colour.red(), colour.green(), colour.blue()] for colour in mixed], dtype=np.float32)


def _mix(own: QColor, sheet: QColor) -> QColor:
    def part(a: float, b: float) -> float:
        return a * STRENGTH + b * (1.0 - STRENGTH)

    return QColor.fromRgbF(
        part(own.redF(), sheet.redF()), part(own.greenF(), sheet.greenF()), part(own.blueF(), sheet.blueF())
    )
