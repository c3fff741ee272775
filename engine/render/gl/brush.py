"""Draws ranges of indices with the state that their pass needs (rendering.md 17.5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import numpy as np

from engine.render.gl import api
from engine.render.gl.programs import MASKS_UNIT, PICTURES_UNIT, SAMPLERS, Program
from engine.render.gl.uniforms import Uniforms
from engine.render.gl.uploads.tables import Pass
from engine.render.gl.uploads.textures import Detail, Samplers
from engine.render.gl.uploads.things import Range, Things
from engine.render.materials import Factor, SubsetKind

FACTORS: Final = {
    Factor.ZERO: api.ZERO,
    Factor.ONE: api.ONE,
    Factor.SRC_ALPHA: api.SRC_ALPHA,
    Factor.ONE_MINUS_SRC_ALPHA: api.ONE_MINUS_SRC_ALPHA,
}
FILES: Final = ("view.glsl", "thing.vert", "thing.frag")
SKY: Final = "sky"
CUT_OUT: Final = "cut out and blended"
DETAIL: Final = "detail"
MIXED: Final = {DETAIL: ("DETAIL", "BLENDED"), SKY: ("SKY", "BLENDED"), CUT_OUT: ("CLIP", "BLENDED")}
"""The defines of each program's shaders; any other name is its own define."""


def defines_of(name: str) -> tuple[str, ...]:
    """The defines of the program of this name."""
    return MIXED.get(name) or (name.upper(),)


class Brush:
    """Programs for things, and the calls that draw them. It leaves blending off and depth writes on."""

    def __init__(self, things: Things, uniforms: Uniforms) -> None:
        self._things = things
        self._uniforms = uniforms
        self._programs: dict[tuple[str, bool], Program] = {}
        self._samplers: Samplers | None = None
        self.calls = 0
        """Draw calls so far, for figures."""

    def bind(self) -> None:
        """Bind the state that all its draws need, at the start of a frame."""
        if self._samplers is None:
            self._samplers = Samplers()
        self._things.bind()
        with api.doing("binding samplers"):
            api.bind_sampler(PICTURES_UNIT, self._samplers.repeating)
            api.bind_sampler(MASKS_UNIT, self._samplers.masks)

    def for_ground(self) -> None:
        """Terrain comes: its textures repeat."""
        if self._samplers is not None:
            api.bind_sampler(PICTURES_UNIT, self._samplers.repeating)

    def program(self, name: str) -> Program:
        """The program of a list of 13.4, or of the sky, for how things are lit now."""
        key = (name, self._uniforms.lamps_move)
        found = self._programs.get(key)
        if found is None:
            found = self._programs[key] = self._make_program(name, self._uniforms.lamps_move)
        return found

    def _make_program(self, name: str, lamps_move: bool) -> Program:
        lamps = ("MOVING_LAMPS",) if lamps_move else ()
        return Program(FILES, (*defines_of(name), *lamps), SAMPLERS)

    def any_order(self, kind: SubsetKind, ranges: Iterable[Range]) -> None:
        """Opaque or clip-mapped ranges: grouped by what they need, near ones first if they were given so."""
        groups: defaultdict[Pass, list[Range]] = defaultdict(list)
        for each in ranges:
            groups[each.drawn].append(each)
        if not groups:
            return
        with api.doing(f"drawing {kind.value} surfaces"):
            self._things.use()
            self.program(kind.value).use()
            for group in groups.values():
                self._pictures(group[0])
                self._call(group)

    def in_order(self, ranges: list[Range]) -> None:
        """Blended ranges, one after the other as they were given."""
        if not ranges:
            return
        with api.doing("drawing blended surfaces"):
            self._things.use()
            api.enable(api.BLEND)
            start = 0
            for end in range(1, len(ranges) + 1):
                if end == len(ranges) or ranges[end].drawn is not ranges[start].drawn:
                    tested = ranges[start].drawn.tested
                    self.program(CUT_OUT if tested else SubsetKind.BLENDED.value).use()
                    api.depth_mask(api.TRUE if tested else api.FALSE)
                    self._pictures(ranges[start])
                    self._blend(ranges[start])
                    self._call(ranges[start:end])
                    start = end
            api.depth_mask(api.TRUE)
            api.disable(api.BLEND)

    def detail(self, ranges: Iterable[Range], detail: Detail) -> None:
        """Draw the same triangles again over themselves: the colour there times the detail, where it is opaque
        (rendering.md M3). Neither light nor fog are applied again."""
        group = list(ranges)
        if not group:
            return
        with api.doing("drawing detail textures"):
            self._things.use()
            program = self.program(DETAIL)
            program.use()
            api.uniform_2f(program.place("detail"), detail.tiling, float(detail.layer))
            self._picture(detail.array, wraps=True)
            api.enable(api.BLEND)
            api.blend_func_separate(api.DST_COLOR, api.ONE_MINUS_SRC_ALPHA, api.ZERO, api.ONE)
            api.depth_func(api.LEQUAL)
            api.depth_mask(api.FALSE)
            self._call(group)
            api.depth_mask(api.TRUE)
            api.depth_func(api.LESS)
            api.disable(api.BLEND)

    def sky(self, each: Range, alpha: float) -> None:
        """One range with the sky's program, which is in use and has its uniforms."""
        self._things.use()
        self._pictures(each)
        if each.drawn.kind is SubsetKind.OPAQUE and alpha >= 1.0:
            self._call([each])
        else:
            api.enable(api.BLEND)
            self._blend(each)
            self._call([each])
            api.disable(api.BLEND)

    def _pictures(self, each: Range) -> None:
        self._picture(each.drawn.array, each.drawn.wraps)

    def _picture(self, array: int, wraps: bool) -> None:
        api.active_texture(api.TEXTURE0 + PICTURES_UNIT)
        api.bind_texture(api.TEXTURE_2D_ARRAY, self._things.pictures.arrays[array].texture)
        if self._samplers is not None:
            api.bind_sampler(PICTURES_UNIT, self._samplers.repeating if wraps else self._samplers.clamped)

    @staticmethod
    def _blend(each: Range) -> None:
        """The picture's own opacity stays 1: a window would show through."""
        source, target = each.drawn.blend or (Factor.SRC_ALPHA, Factor.ONE_MINUS_SRC_ALPHA)
        api.blend_func_separate(FACTORS[source], FACTORS[target], api.ZERO, api.ONE)

    def _call(self, ranges: list[Range]) -> None:
        self.calls += 1
        count = len(ranges)
        if count == 1:
            api.draw_elements(api.TRIANGLES, ranges[0].count, api.UNSIGNED_INT, api.offset(ranges[0].start))
            return
        counts = np.array([each.count for each in ranges], np.int32)
        starts = np.array([each.start for each in ranges], np.uintp)
        api.multi_draw_elements(api.TRIANGLES, counts, api.UNSIGNED_INT, starts, count)

    def invalidate(self) -> None:
        """The context is gone."""
        self._programs.clear()
        self._samplers = None

    def close(self) -> None:
        for program in self._programs.values():
            program.close()
        if self._samplers is not None:
            self._samplers.close()
        self.invalidate()
