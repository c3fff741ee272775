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
STRENGTH: Final = 0.42
"""Share of the ground's own colour over the sheet."""


@lru_cache(maxsize=4)
def ground_image(ground: PlanGround, colours: Colours) -> QImage:
    """An image of the land: types and roads in muted colours, lit from the north-west so that slopes show."""
    image = QImage(ground.side, ground.side, QImage.Format.Format_RGB32)
    sheet = QColor(colours.sheet)
    mixed = {kind: _mix(QColor(BY_TYPE.get(kind, COLOURS["rock"])), sheet) for kind in set(ground.terrain)}
    road = _mix(QColor(ROAD), sheet)
    for row in range(ground.side):
        for column in range(ground.side):
            index = row * ground.side + column
            colour = road if ground.road[index] else mixed[ground.terrain[index]]
            image.setPixelColor(column, row, _lit(colour, _slope(ground, column, row)))
    return image


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


def _slope(ground: PlanGround, column: int, row: int) -> float:
    """Slope of the ground towards the south-east, in metres per metre."""
    last = ground.side - 1
    here = ground.heights[row * ground.side + column]
    beyond = ground.heights[min(row + 1, last) * ground.side + min(column + 1, last)]
    return (beyond - here) / (ground.metres * 1.4142)


def _lit(colour: QColor, rise: float) -> QColor:
    factor = 1.0 + max(-0.45, min(0.45, rise * 0.6))
    return QColor.fromRgbF(*(min(1.0, part * factor) for part in (colour.redF(), colour.greenF(), colour.blueF())))
