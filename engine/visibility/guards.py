"""Guards that end a flood through malformed cells, and their counters (rendering.md 10)."""

from __future__ import annotations

from typing import Final

VIEWS: Final = 0
CELLS: Final = 1
CLIPS: Final = 2
FIXES: Final = 3
MOVES: Final = 4
POLYGON: Final = 5
RETURN_PORTAL: Final = 6
KINDS: Final = 7


class Guards:
    """Counts how often each guard was hit."""

    hits: list[int]

    def __init__(self) -> None:
        self.hits = [0] * KINDS

    def hit(self, kind: int) -> None:
        self.hits[kind] += 1

    def report(self) -> list[str]:
        """A line for each guard that was hit, none for well-formed cells."""
        return [f"{_text(kind)}: {self.hits[kind]}" for kind in range(KINDS) if self.hits[kind] > 0]


def _text(kind: int) -> str:
    if kind == VIEWS:
        return "views left out of a cell that has as many as it may"
    if kind == CELLS:
        return "cells left out of a flood that has as many as it may"
    if kind == CLIPS:
        return "portals left unclipped in a flood that made as many clips as it may"
    if kind == FIXES:
        return "late views not handed on from as deep as they may come"
    if kind == MOVES:
        return "moves in the draw list left out because they go round in circles"
    if kind == POLYGON:
        return "portals without a polygon that could be looked through"
    return "portals that name a matching portal which the neighbour has not"
