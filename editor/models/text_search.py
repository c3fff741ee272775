"""Searches names without regard to case, for every keyboard: on a Turkish one `i` and `I` are two letters."""

from __future__ import annotations

from typing import Final

DOTS: Final = {ord("İ"): "i", ord("ı"): "i"}
"""Fold the dotted capital and the dotless small letter, which other languages lack, into the same `i`."""


def folded(text: str) -> str:
    """The text folded so that texts which differ in case alone are equal."""
    return text.translate(DOTS).casefold()


def lowered(text: str) -> str:
    """Like `folded`, with as many letters as before, for callers that mark the match."""
    return text.translate(DOTS).lower()
