"""The colours of overlays: the same as in the rest of the window, whatever its theme (the picture under them has none).
Every state also has a word or a shape of its own."""

from __future__ import annotations

import colorsys
from typing import Final

from engine.render.overlays.geometry import Colour

CURRENT: Final = (240, 180, 76, 255)
VISIBLE: Final = (63, 196, 177, 255)
STAB: Final = (138, 160, 207, 255)
NEITHER: Final = (139, 145, 155, 255)
SELECTED: Final = (255, 255, 255, 255)
INTERIOR_PORTAL: Final = (163, 169, 179, 255)
EXIT_PORTAL: Final = (108, 196, 245, 255)
BUILDING_PORTAL: Final = (191, 148, 242, 255)
FAULT: Final = (242, 114, 114, 255)
ACCEPTED: Final = (112, 198, 130, 255)
ADJUSTED: Final = (240, 148, 77, 255)
ACCENT: Final = (77, 143, 214, 255)
CLIENT: Final = (236, 126, 196, 255)
"""The body of a client that is followed, which nothing else has."""
SECOND: Final = (200, 216, 78, 255)
"""The second of two runs that are compared."""
FURNITURE: Final = (204, 208, 214, 255)
"""Grey too, but thin lines of it lie on textures."""

_GOLDEN: Final = 0.618033988749895


def faint(colour: Colour, opacity: float) -> Colour:
    """The colour with a part of its opacity."""
    return (colour[0], colour[1], colour[2], round(colour[3] * opacity))


def colour_of_cell(number: int) -> Colour:
    """A colour to tell cells apart by, for the n-th that was found: neighbours in that order differ clearly."""
    r, g, b = colorsys.hsv_to_rgb((number * _GOLDEN) % 1.0, 0.55, 0.95)
    return (round(r * 255), round(g * 255), round(b * 255), 255)
