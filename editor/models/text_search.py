"""Searching in names without regard to capitals, for every keyboard: on a Turkish one `i` and `I` are two letters."""

from __future__ import annotations

from typing import Final

DOTS: Final = {ord("İ"): "i", ord("ı"): "i"}
"""The capital with the dot and the small letter without it, which other languages do not have, are the same `i`."""


def folded(text: str) -> str:
    """What two texts have in common that differ in capitals alone."""
    return text.translate(DOTS).casefold()


def lowered(text: str) -> str:
    """As `folded`, with as many letters as before: for who marks the place that was found."""
    return text.translate(DOTS).lower()
