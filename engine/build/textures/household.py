"""Cloth, rugs, glass, books, signs, fire: what makes a house one's own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.build.textures.curves import lengths, waves
from engine.build.textures.fields import (
    Colour,
    Rgba,
    finished,
    flat,
    graded,
    grid,
    lit,
    mixed,
    noise,
    relief,
    rising,
    seeded,
)

SMALL = (128, 128)


def woven(name: str, colour: Colour) -> Rgba:
    """Plain cloth of one colour."""
    size = (64, 64)
    y, x = np.mgrid[0:64, 0:64]
    thread = (((x + y) % 4 < 2) * 0.12 + ((x - y) % 4 < 2) * 0.08 + 0.84).astype(np.float32)
    folds = 0.86 + 0.26 * noise(name, size, (2, 3), 3)
    return finished(lit(flat(size, colour), thread * folds))


RUG: list[Colour] = [(0.0, 0.0, 0.0)] * 8 + [
    (112, 28, 32),
    (150, 46, 40),
    (196, 158, 84),
    (36, 44, 84),
    (222, 208, 176),
]
"""Palette of the rug: eight places that a clipmap would leave out, then its five yarns."""


def rug_indices() -> NDArray[np.uint8]:
    """A rug with a border and lozenges, as places in its palette."""
    y, x = np.mgrid[0:128, 0:128]
    rim = np.minimum(np.minimum(x, 127 - x), np.minimum(y, 127 - y))
    lozenge = (np.abs(x % 32 - 16) + np.abs(y % 32 - 16)) // 4
    inner = np.select([lozenge < 1, lozenge < 2, lozenge == 4], [12, 10, 11], 9)
    zigzag = np.where((x + y) % 12 < 6, 10, 8)
    borders = [np.where(x % 2, 12, 10), zigzag, np.full_like(x, 11)]
    places: NDArray[np.uint8] = np.select([rim < 4, rim < 12, rim < 15], borders, inner).astype(np.uint8)
    return places


def glass() -> Rgba:
    """Leaded panes: pale, nearly clear lozenges in dark lead."""
    size = SMALL
    across, down = grid(size)
    u, v = (across + down) * 4.0, (across - down) * 4.0
    lead = np.minimum(np.abs(u % 1.0 - 0.5), np.abs(v % 1.0 - 0.5)).astype(np.float32)
    is_lead = (1.0 - rising(lead, 0.05, 0.08)).astype(np.float32)
    tint = 0.8 + 0.3 * noise("glass", size, (8, 8), 2)
    colour = mixed(lit(flat(size, (176, 202, 206)), tint), (42, 42, 46), is_lead)
    return finished(colour, (0.28 + 0.72 * is_lead).astype(np.float32))


def fire() -> Rgba:
    """Tongues of flame, black where there is none."""
    size = (64, 64)
    across, down = grid(size)
    flicker = noise("fire", size, (4, 6), 4)
    tongue = 1.0 - np.abs(across - 0.5) * 2.0 - (1.0 - down) * 0.9 + (flicker - 0.5) * 1.1
    heat = np.clip(tongue * 1.3, 0.0, 1.0).astype(np.float32)
    colours: list[Colour] = [(0, 0, 0), (90, 18, 2), (210, 84, 12), (255, 178, 60), (255, 240, 180)]
    return finished(graded(heat, colours))


def smoke() -> Rgba:
    """A puff: only its alpha counts."""
    size = (64, 64)
    across, down = grid(size)
    away = lengths(across - 0.5, down - 0.5)
    puff = (1.0 - rising(away, 0.12, 0.5)) * (0.55 + 0.6 * noise("smoke", size, (4, 4), 3))
    return finished(flat(size, (255, 255, 255)), puff.astype(np.float32))


def books() -> Rgba:
    """Two rows of spines on a shelf."""
    size = SMALL
    random = seeded("books")
    colour = flat(size, (40, 28, 20))
    spines: list[Colour] = [(110, 36, 32), (48, 62, 88), (66, 84, 52), (128, 98, 52), (84, 58, 84), (150, 132, 98)]
    for row in (0, 64):
        x = 2
        while x < 122:
            wide, tall = int(random.integers(5, 11)), int(random.integers(38, 54))
            wide = min(wide, 126 - x)
            spine = np.array(spines[int(random.integers(len(spines)))], np.float32)
            top = row + 58 - tall
            colour[top : row + 58, x : x + wide] = spine * np.linspace(1.15, 0.7, wide, dtype=np.float32)[None, :, None]
            colour[top + 6 : top + 8, x + 1 : x + wide - 1] = (206, 176, 98)
            colour[top + tall - 9 : top + tall - 7, x + 1 : x + wide - 1] = (206, 176, 98)
            x += wide + 1
        colour[row + 58 : row + 64] = (104, 72, 44)
    return finished(colour)


def inn_sign() -> Rgba:
    """A crescent moon and stars over a hill, on a weathered board with an iron rim."""
    size = SMALL
    across, down = grid(size)
    colour = graded(down, [(24, 30, 66), (52, 62, 116)])
    moon = rising(0.27 - lengths(across - 0.47, down - 0.42), 0.0, 0.015)
    shade = rising(0.24 - lengths(across - 0.58, down - 0.36), 0.0, 0.015)
    colour = mixed(colour, (240, 208, 112), (moon * (1.0 - shade)).astype(np.float32))
    for x, y in ((0.76, 0.2), (0.82, 0.5), (0.66, 0.62), (0.2, 0.18)):
        star = rising(0.03 - np.square(np.sqrt(np.abs(across - x)) + np.sqrt(np.abs(down - y))) * 0.5, 0.0, 0.01)
        colour = mixed(colour, (246, 240, 216), star.astype(np.float32))
    hill = rising(down - 0.8 - 0.06 * waves(across * 5.0), 0.0, 0.01)
    colour = mixed(colour, (38, 58, 36), hill.astype(np.float32))
    rim = np.minimum(np.minimum(across, 1.0 - across), np.minimum(down, 1.0 - down)).astype(np.float32)
    colour = mixed(colour, (70, 64, 60), (1.0 - rising(rim, 0.035, 0.045)).astype(np.float32))
    return finished(lit(colour, (0.8 + 0.35 * noise("inn sign", size, (6, 24), 3)).astype(np.float32)))


def ale_board() -> Rgba:
    """A board with chalk strokes: what there is today."""
    size = SMALL
    colour = lit(flat(size, (44, 50, 46)), 0.8 + 0.4 * noise("ale board", size, (6, 6), 3))
    across, down = grid(size)
    random = seeded("ale board lines")
    chalk = np.zeros(size, np.float32)
    for line in range(6):
        row = 20 + line * 17
        wide = int(random.integers(50, 92))
        wobble = noise(f"ale line {line}", (10, 128), (2, 24), 2)
        chalk[row : row + 10, 18 : 18 + wide] = rising(wobble, 0.5, 0.58)[:, :wide]
    rim = np.minimum(np.minimum(across, 1.0 - across), np.minimum(down, 1.0 - down)).astype(np.float32)
    colour = mixed(colour, (216, 214, 200), chalk * np.float32(0.8))
    return finished(mixed(colour, (106, 74, 44), (1.0 - rising(rim, 0.05, 0.06)).astype(np.float32)))


def linen() -> Rgba:
    """Bed sheets."""
    size = (64, 64)
    folds = noise("linen", size, (3, 5), 4)
    return finished(lit(flat(size, (224, 218, 204)), (0.78 + 0.3 * folds) * relief(folds, 0.8)))


def quilt() -> Rgba:
    """A patchwork blanket."""
    size = SMALL
    random = seeded("quilt")
    tones: list[Colour] = [(142, 54, 50), (70, 88, 118), (186, 160, 108), (92, 112, 78), (120, 76, 98)]
    picks = random.integers(len(tones), size=(4, 4))
    squares = np.array(tones, np.float32)[picks]
    colour = np.repeat(np.repeat(squares, 32, 0), 32, 1)
    y, x = np.mgrid[0:128, 0:128]
    seam = (np.minimum(x % 32, y % 32) < 2) | ((x + y) % 16 < 1)
    folds = 0.85 + 0.3 * noise("quilt folds", size, (4, 4), 3)
    return finished(lit(colour, (folds * np.where(seam, 0.75, 1.0)).astype(np.float32)))


def straw() -> Rgba:
    """Loose straw and hay."""
    size = SMALL
    stalks = np.maximum(noise("straw a", size, (6, 40), 3), noise("straw b", size, (40, 6), 3))
    return finished(lit(graded(stalks, [(104, 80, 40), (168, 138, 76), (214, 190, 122)]), relief(stalks, 0.9)))
