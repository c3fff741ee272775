"""The ground: one texture for each terrain type and the road (dat-format.md A.6).

Each repeats every few metres for hundreds of metres, so they are even: no single mark that the eye would find again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.build.textures.curves import waves
from engine.build.textures.fields import (
    Colour,
    Field,
    Rgb,
    Rgba,
    Stones,
    finished,
    flat,
    graded,
    lit,
    mixed,
    noise,
    relief,
    rising,
)

NEAR: Final = (256, 256)
"""The terrain types of the demo world's ground."""

FAR: Final = (128, 128)


def grass(name: str, size: tuple[int, int], dark: Colour, light: Colour, bare: Colour | None, share: float) -> Rgba:
    """Blades in patches; `share` of it shows the bare ground below."""
    blades = noise(f"{name} blades", size, (size[0] // 6, size[1] // 3), 2, 0.7)
    patches = noise(f"{name} patches", size, (5, 5), 3)
    field = np.clip(0.25 * patches + 0.75 * blades, 0.0, 1.0).astype(np.float32)
    colour = lit(graded(field, [dark, light]), relief(blades, 0.5))
    if bare is not None:
        open_ground = rising(noise(f"{name} bare", size, (6, 6), 4) + (blades - 0.5) * 0.25, 0.9 - share, 1.02 - share)
        colour = mixed(colour, lit(flat(size, bare), (0.75 + 0.5 * blades).astype(np.float32)), open_ground)
    return finished(colour)


def earth(name: str, size: tuple[int, int], dark: Colour, light: Colour, pebbles: float) -> Rgba:
    """Soil, with a share of pebbles."""
    soil = noise(f"{name} soil", size, (7, 7), 5, 0.62)
    colour = lit(graded(soil, [dark, light]), relief(soil, 1.3))
    if pebbles > 0.0:
        stones = Stones(f"{name} pebbles", size, (20, 20), 0.9)
        shown = (stones.tone < pebbles) * rising(stones.edge, 1.2, 2.2)
        grey = graded(stones.tone / np.float32(max(pebbles, 0.01)), [(96, 92, 86), (150, 142, 130)])
        rounded = relief(np.sqrt(np.clip(stones.edge, 0.0, 6.0)).astype(np.float32), 0.3)
        colour = mixed(colour, lit(grey, rounded), shown.astype(np.float32))
    return finished(colour)


def sand(name: str, size: tuple[int, int], dark: Colour, light: Colour, pebbles: float) -> Rgba:
    """Fine grains in ripples."""
    random = noise(f"{name} grains", size, (size[0] // 2, size[1] // 2), 1)
    bend = noise(f"{name} bend", size, (4, 4), 3)
    y = np.arange(size[0], dtype=np.float32)[:, None] / np.float32(size[0])
    ripples = (waves((y * 9.0 + bend * 2.2) * np.float32(2.0 * np.pi)) * 0.5 + 0.5).astype(np.float32)
    colour = graded(np.clip(0.55 * ripples * bend + 0.45 * random, 0.0, 1.0).astype(np.float32), [dark, light])
    colour = lit(colour, relief(ripples, 0.35))
    if pebbles > 0.0:
        stones = Stones(f"{name} stones", size, (16, 16), 0.9)
        shown = (stones.tone < pebbles) * rising(stones.edge, 1.5, 2.5)
        colour = mixed(colour, graded(stones.tone * np.float32(3.0), [(110, 100, 86), (150, 138, 116)]), shown)
    return finished(colour)


def rock(name: str, size: tuple[int, int], dark: Colour, light: Colour, growth: Colour | None) -> Rgba:
    """Cracked rock; `growth` on top of it."""
    rough = noise(f"{name} rough", size, (4, 4), 6, 0.6)
    cracks = Stones(f"{name} cracks", size, (5, 5), 1.0)
    edge = cracks.edge + (rough - 0.5) * 9.0
    colour = lit(graded((0.7 * rough + 0.3 * cracks.tone).astype(np.float32), [dark, light]), relief(rough, 2.2))
    colour = lit(colour, (0.55 + 0.45 * rising(edge, 0.0, 2.5)).astype(np.float32))
    if growth is not None:
        share = rising(noise(f"{name} growth", size, (5, 5), 4) - rough * 0.3, 0.36, 0.5)
        colour = mixed(colour, lit(flat(size, growth), (0.6 + 0.8 * rough).astype(np.float32)), share)
    return finished(colour)


def layered(name: str, size: tuple[int, int], dark: Colour, light: Colour, _growth: Colour | None) -> Rgba:
    """Beds of stone."""
    y = np.arange(size[0], dtype=np.float32)[:, None] / np.float32(size[0])
    bend = noise(f"{name} bend", size, (3, 3), 4)
    beds = (waves((y * 6.0 + bend * 1.6) * np.float32(2.0 * np.pi)) * 0.35 + 0.5).astype(np.float32)
    rough = noise(f"{name} rough", size, (8, 8), 4)
    field = np.clip(beds * 0.6 + rough * 0.4, 0.0, 1.0).astype(np.float32)
    return finished(lit(graded(field, [dark, light]), relief(field, 1.6)))


def snow(name: str, size: tuple[int, int], dark: Colour, light: Colour, _growth: Colour | None) -> Rgba:
    """Snow, and ice with cracks when it is darker."""
    drift = noise(f"{name} drift", size, (4, 4), 4)
    colour = lit(graded(drift, [dark, light]), relief(drift, 0.7))
    if dark[0] < 170.0:
        cracks = Stones(f"{name} cracks", size, (4, 4), 1.0)
        line = 1.0 - rising(cracks.edge + (drift - 0.5) * 4.0, 0.3, 1.4)
        colour = mixed(colour, (236, 246, 252), (line * 0.6).astype(np.float32))
    return finished(colour)


def water(name: str, size: tuple[int, int], dark: Colour, light: Colour, _growth: Colour | None) -> Rgba:
    """Ripples with a glint."""
    return finished(water_colour(name, size, dark, light))


def water_colour(name: str, size: tuple[int, int], dark: Colour, light: Colour) -> Rgb:
    """Crossing waves; where they meet there is light."""
    a = np.abs(noise(f"{name} a", size, (6, 4), 4) - 0.5) * 2.0
    b = np.abs(noise(f"{name} b", size, (5, 7), 4) - 0.5) * 2.0
    crest: Field = (1.0 - np.minimum(a, b)).astype(np.float32)
    field = np.clip(crest * crest * crest * 0.7 + 0.3 * noise(f"{name} deep", size, (3, 3), 2), 0.0, 1.0).astype(
        np.float32
    )
    glint = rising(crest, 0.965, 1.0) * 0.5
    return mixed(lit(graded(field, [dark, light]), relief(field, 0.5)), (226, 238, 240), glint.astype(np.float32))


def forest(name: str, size: tuple[int, int], dark: Colour, light: Colour, bare: Colour | None, share: float) -> Rgba:
    """Fallen leaves over moss."""
    litter = noise(f"{name} litter", size, (40, 40), 2)
    leaves = Stones(f"{name} leaves", size, (42, 42), 1.0)
    colour = graded(leaves.tone, [dark, light, (112, 82, 46), (92, 66, 38), dark])
    colour = lit(colour, (0.55 + 0.6 * litter + 0.15 * rising(leaves.edge, 0.0, 1.5)).astype(np.float32))
    if bare is not None:
        moss = rising(noise(f"{name} moss", size, (6, 6), 4), 0.9 - share, 1.0 - share)
        colour = mixed(colour, lit(flat(size, bare), 0.6 + 0.7 * noise(f"{name} pile", size, (40, 40), 2)), moss)
    return finished(colour)


def road(name: str, size: tuple[int, int], dark: Colour, light: Colour, _pebbles: float) -> Rgba:
    """A cart road: packed earth and gravel, with stones trodden in."""
    soil = noise(f"{name} soil", size, (6, 6), 5, 0.6)
    stones = Stones(f"{name} stones", size, (22, 22), 0.9)
    colour = lit(graded(soil, [dark, light]), relief(soil, 1.0))
    shown = (stones.tone < 0.55) * rising(stones.edge, 0.8, 1.8)
    grey = lit(graded(stones.tone, [(118, 108, 94), (172, 160, 138)]), 0.8 + 0.35 * soil)
    return finished(mixed(colour, lit(grey, relief(stones.edge, 0.08)), (shown * 0.8).astype(np.float32)))


@dataclass(frozen=True)
class GroundTexture:
    """The painter of one terrain type, its colours, and a parameter for the painter."""

    paint: Callable[[str, tuple[int, int]], Rgba]
    near: bool = False

    def picture(self, name: str) -> Rgba:
        """Its texture."""
        return self.paint(name, NEAR if self.near else FAR)


def _turf(
    dark: Colour, light: Colour, bare: Colour | None = None, share: float = 0.35, *, near: bool = False
) -> GroundTexture:
    return GroundTexture(lambda name, size: grass(name, size, dark, light, bare, share), near)


def _soil(dark: Colour, light: Colour, pebbles: float = 0.0, *, near: bool = False) -> GroundTexture:
    return GroundTexture(lambda name, size: earth(name, size, dark, light, pebbles), near)


def _dune(dark: Colour, light: Colour, pebbles: float = 0.0) -> GroundTexture:
    return GroundTexture(lambda name, size: sand(name, size, dark, light, pebbles))


def _crag(dark: Colour, light: Colour, growth: Colour | None = None, *, near: bool = False) -> GroundTexture:
    return GroundTexture(lambda name, size: rock(name, size, dark, light, growth), near)


def _cold(dark: Colour, light: Colour) -> GroundTexture:
    return GroundTexture(lambda name, size: snow(name, size, dark, light, None))


def _wave(dark: Colour, light: Colour, *, near: bool = False) -> GroundTexture:
    return GroundTexture(lambda name, size: water(name, size, dark, light, None), near)


GROUNDS: Final[tuple[GroundTexture, ...]] = (
    _crag((78, 74, 68), (148, 140, 128), near=True),  # 0 barren rock
    _turf((50, 76, 30), (116, 148, 66), near=True),  # 1 grassland
    _cold((150, 184, 208), (226, 240, 248)),  # 2 ice
    _turf((36, 74, 24), (92, 144, 54), near=True),  # 3 lush grass
    _turf((52, 62, 34), (96, 106, 58), (58, 52, 38), 0.5),  # 4 marsh
    _soil((58, 42, 28), (112, 86, 58)),  # 5 rich dirt
    _crag((26, 24, 30), (74, 70, 80)),  # 6 obsidian
    _soil((104, 82, 56), (160, 132, 96), 0.12, near=True),  # 7 packed dirt
    _turf((74, 80, 38), (124, 124, 66), (124, 102, 70), 0.55),  # 8 patchy dirt
    _turf((70, 92, 38), (128, 144, 72), (132, 112, 74), 0.42, near=True),  # 9 patchy grassland
    _dune((180, 156, 98), (226, 206, 148)),  # 10 yellow sand
    _dune((140, 134, 118), (196, 190, 174)),  # 11 grey sand
    _dune((146, 126, 92), (196, 176, 134), 0.3),  # 12 sand with rocks
    GroundTexture(lambda name, size: layered(name, size, (104, 88, 68), (174, 154, 124), None)),  # 13 sedimentary rock
    _crag((92, 84, 68), (152, 142, 116), (104, 104, 62)),  # 14 semi-barren rock
    _cold((214, 222, 232), (250, 252, 255)),  # 15 snow
    _wave((34, 72, 92), (104, 154, 168), near=True),  # 16 running water
    _wave((30, 62, 76), (82, 124, 132)),  # 17 standing water
    _wave((36, 92, 112), (110, 176, 182)),  # 18 shallow sea
    _wave((36, 86, 108), (92, 152, 166)),  # 19 still sea
    _wave((12, 34, 62), (50, 92, 124)),  # 20 deep sea
    GroundTexture(  # 21
        lambda name, size: forest(name, size, (52, 50, 26), (92, 84, 44), (64, 78, 34), 0.42), near=True
    ),
    _wave((34, 72, 92), (104, 154, 168)),  # 22 faux running water
    _wave((40, 76, 54), (110, 148, 104)),  # 23 sea slime
    _soil((116, 62, 44), (184, 112, 82), 0.08),  # 24 argila
    _crag((40, 32, 30), (98, 78, 68)),  # 25 volcano
    _crag((58, 26, 20), (134, 72, 50)),  # 26 volcano, warm
    _cold((110, 160, 200), (196, 226, 244)),  # 27 blue ice
    _turf((58, 82, 40), (112, 136, 76), (88, 84, 70), 0.3),  # 28 moss
    _turf((36, 58, 30), (78, 102, 56), (56, 56, 48), 0.3),  # 29 dark moss
    _crag((62, 52, 66), (120, 108, 128), (86, 96, 60)),  # 30 olthoi
    _soil((82, 70, 56), (134, 120, 100), 0.25),  # 31 desolate lands
    GroundTexture(lambda name, size: road(name, size, (112, 94, 68), (168, 148, 114), 0.0), near=True),  # 32 road
)
"""By terrain type; 32 is the road."""
