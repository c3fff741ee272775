"""The alpha lists: clip-mapped and blended subsets wait in them until a flush (rendering.md 13.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Final

from engine.render.gl.brush import Brush
from engine.render.gl.screen import Screen
from engine.render.gl.uniforms import Lit, Uniforms
from engine.render.gl.uploads.placed import Far
from engine.render.gl.uploads.things import Range
from engine.render.materials import SubsetKind

CAPACITY: Final = 3000
"""Entries of each of the client's lists; ours grow, but are flushed as theirs."""

Where = tuple[Lit, int]
"""The light of the waiting subsets, and the mark that confines them."""


class AlphaLists:
    """Both lists. Clip-mapped ones, which write depth, may be drawn in any order; blended ones keep theirs."""

    def __init__(self, brush: Brush, screen: Screen, uniforms: Uniforms) -> None:
        self._brush = brush
        self._screen = screen
        self._uniforms = uniforms
        self._clip: dict[Where, list[Range]] = {}
        self._blended: list[tuple[float, Where, Range]] = []

    def clear(self) -> None:
        self._clip.clear()
        self._blended.clear()

    def add(self, where: Where, things: Iterable[Far], again: Callable[[Range], Range] | None = None) -> None:
        """Queue their clip-mapped and blended subsets. With `again`, subsets that are drawn at once with the alpha test
        are also queued among the blended (rendering.md C9)."""
        clip = self._clip.setdefault(where, [])
        for distance2, placed in things:
            thing = placed.thing
            blended = thing.faded
            if blended is None:
                blended = thing.blended
                if again is None:
                    clip += thing.clip
                else:
                    clip += [each for each in thing.clip if each.is_blended]
                    blended = [*[again(each) for each in thing.clip if not each.is_blended], *blended]
            for each in blended:
                self._blended.append((distance2, where, each))

    @property
    def is_empty(self) -> bool:
        return not self._blended and not any(self._clip.values())

    def is_full(self, level: float) -> bool:
        """One of them holds at least this share of what it can hold."""
        return max(sum(map(len, self._clip.values())), len(self._blended)) >= level * CAPACITY

    def flush(self, by_distance: bool = False) -> None:
        """Draw what waits, the clip-mapped first. `by_distance` has the blended drawn far to near."""
        for where, ranges in self._clip.items():
            if ranges:
                self._enter(where)
                for blends, own in groupby(ranges, key=_blends):
                    if blends:
                        self._brush.in_order(list(own))
                    else:
                        self._brush.any_order(SubsetKind.CLIP, own)
        blended = self._blended
        if by_distance:
            blended.sort(key=_farthest_first)
        start = 0
        for end in range(1, len(blended) + 1):
            if end == len(blended) or blended[end][1] != blended[start][1]:
                self._enter(blended[start][1])
                self._brush.in_order([each for _, _, each in blended[start:end]])
                start = end
        self.clear()

    def _enter(self, where: Where) -> None:
        lit, mark = where
        self._uniforms.light(lit)
        self._screen.confine(mark)


def _blends(each: Range) -> bool:
    """It is clip-mapped and translucent, writes no depth, and so keeps its turn."""
    return each.is_blended


def _farthest_first(entry: tuple[float, Where, Range]) -> float:
    return -entry[0]
