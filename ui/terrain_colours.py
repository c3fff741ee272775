"""What colour the ground has on the map, by terrain type (spec/dat-format.md A.6), muted so that rooms stand out."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor

from editor.plan import PlanSquare
from ui.theme import Colours

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
STRENGTH: Final = 0.38
"""How much of the ground's own colour shows on the sheet."""

LIGHT_PER_METRE: Final = 0.012


def terrain_colour(square: PlanSquare, colours: Colours) -> str:
    """Water before road before the type of the south-west corner; higher ground is a little lighter."""
    own = QColor(
        COLOURS["water"] if square.water else ROAD if square.road else BY_TYPE.get(square.terrain, COLOURS["rock"])
    )
    sheet = QColor(colours.sheet)
    light = max(-0.12, min(0.12, (square.height % 40.0 - 20.0) * LIGHT_PER_METRE))

    def mix(a: float, b: float) -> float:
        return max(0.0, min(1.0, a * STRENGTH + b * (1.0 - STRENGTH) + light * STRENGTH))

    mixed = QColor.fromRgbF(
        mix(own.redF(), sheet.redF()), mix(own.greenF(), sheet.greenF()), mix(own.blueF(), sheet.blueF())
    )
    return mixed.name()
