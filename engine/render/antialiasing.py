"""How many samples each pixel of the picture has."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

ONE_SAMPLE: Final = 1

ON_CARD: Final = 4
"""Samples when nobody chose: on a graphics card four cost next to nothing. A processor that draws takes two to three
times as long for them (measured: docs/performance.md), so it draws with one, and a picture at rest again with four."""

SOFTWARE: Final = ("llvmpipe", "softpipe", "swiftshader", "swrast", "gdi generic", "basic render")
"""Parts of the names of renderers that run on the processor, in lower case."""


class Antialiasing(Enum):
    """The user's choice; the value is the number of samples."""

    AUTO = 0
    OFF = ONE_SAMPLE
    TWO = 2
    FOUR = 4
    EIGHT = 8


class Samples(NamedTuple):
    """How many are drawn with."""

    moving: int
    at_rest: int
    """For the picture that stays when nothing moves, and for pictures that are saved."""
    reason: str = ""
    """Why it is not what was chosen, as a sentence; empty if it is."""


def is_software(renderer: str) -> bool:
    """Whether a renderer of this name draws with the processor."""
    return any(name in renderer.lower() for name in SOFTWARE)


def choose_samples(choice: Antialiasing, renderer: str, most: int) -> Samples:
    """The samples for a renderer that offers up to `most`."""
    most = max(most, ONE_SAMPLE)
    if choice is Antialiasing.AUTO:
        fine = min(ON_CARD, most)
        return Samples(ONE_SAMPLE if is_software(renderer) else fine, fine)
    if choice.value <= most:
        return Samples(choice.value, choice.value)
    less = max(known.value for known in Antialiasing if known.value <= most)
    reason = f"Antialiasing {choice.value}x is not supported by {renderer or 'this OpenGL'}: drawn with {less}x"
    return Samples(less, less, reason.replace("drawn with 1x", "drawn without"))
