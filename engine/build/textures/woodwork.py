"""Boards, beams, doors, barrels, roofs, bark and leaves."""

from __future__ import annotations

import numpy as np

from engine.build.textures.curves import lengths, waves
from engine.build.textures.fields import (
    Colour,
    Courses,
    Field,
    Rgb,
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
from engine.geometry.elementary import cos, sin

WIDE = (256, 256)
SMALL = (128, 128)


def _wood(name: str, size: tuple[int, int], dark: Colour, light: Colour, *, upright: bool = False) -> Rgb:
    """Grain along the boards: across the picture, or down it when upright."""
    cells = (24, 3) if not upright else (3, 24)
    grain = noise(f"{name} grain", size, cells, 4)
    rings = waves(grain * 40.0) * np.float32(0.5) + np.float32(0.5)
    field = (0.65 * grain + 0.35 * rings).astype(np.float32)
    return lit(graded(field, [dark, light]), relief(field, 0.15))


def _boards(
    name: str, size: tuple[int, int], rows: int, columns: int, dark: Colour, light: Colour, gap: float = 1.4
) -> Rgb:
    """Boards side by side, lying across the picture."""
    courses = Courses(name, size, rows, columns, shift=0.43, ragged=0.5)
    colour = lit(_wood(name, size, dark, light), (0.78 + 0.4 * courses.tone).astype(np.float32))
    return lit(colour, (0.35 + 0.65 * rising(courses.edge, 0.2, gap)).astype(np.float32))


def plank() -> Rgba:
    """A floor of broad boards."""
    return finished(_boards("plank", WIDE, 8, 2, (92, 62, 36), (160, 116, 70)))


def oak() -> Rgba:
    """Furniture."""
    return finished(_boards("oak", SMALL, 4, 1, (84, 54, 32), (142, 98, 58), 1.0))


def timber() -> Rgba:
    """A dark, hewn beam."""
    return finished(_wood("timber", SMALL, (48, 34, 24), (88, 62, 42)))


def beam() -> Rgba:
    """A ceiling: boards, with a beam across every metre and a half."""
    size = WIDE
    colour = np.swapaxes(_boards("beam boards", size, 10, 2, (82, 58, 38), (126, 92, 60)), 0, 1)
    _, down = grid(size)
    nearest = np.abs((down * 2.0) % 1.0 - 0.5).astype(np.float32)
    beam_share = 1.0 - rising(nearest, 0.085, 0.095)
    shadow = 1.0 - 0.45 * (1.0 - rising(nearest, 0.09, 0.16))
    hewn = _wood("beam hewn", size, (50, 34, 24), (86, 60, 40))
    return finished(mixed(lit(np.ascontiguousarray(colour), shadow.astype(np.float32)), hewn, beam_share))


def panel() -> Rgba:
    """Wainscot: framed panels below, boards above."""
    size = SMALL
    colour = _wood("panel", size, (78, 50, 30), (126, 86, 52), upright=True)
    across, down = grid(size)
    in_x, in_y = np.abs((across * 2.0) % 1.0 - 0.5), np.abs((down * 2.0) % 1.0 - 0.5)
    frame = rising(np.maximum(in_x, in_y).astype(np.float32), 0.36, 0.4)
    return finished(lit(colour, (relief(-frame, 0.5) * (0.85 + 0.2 * frame)).astype(np.float32)))


def door() -> Rgba:
    """The front of a door: upright boards, three iron bands with nails. One picture for the whole leaf."""
    size = (256, 128)
    courses = Courses("door", (128, 256), 6, 1)
    tone, edge = courses.tone.T, courses.edge.T
    colour = lit(_wood("door", size, (80, 46, 26), (134, 84, 48), upright=True), (0.8 + 0.35 * tone).astype(np.float32))
    colour = lit(colour, (0.4 + 0.6 * rising(edge.astype(np.float32), 0.2, 1.6)).astype(np.float32))
    across, down = grid(size)
    band = np.minimum(np.minimum(np.abs(down - 0.14), np.abs(down - 0.5)), np.abs(down - 0.86))
    rough = noise("door iron", size, (24, 24), 3)
    iron = lit(flat(size, (62, 62, 68)), 0.7 + 0.6 * rough)
    nail = lengths((across * 6.0) % 1.0 - 0.5, band * 20.0)
    iron = lit(iron, (1.0 + 0.7 * (1.0 - rising(nail, 0.12, 0.22))).astype(np.float32))
    share = (1.0 - rising(band.astype(np.float32), 0.026, 0.03)).astype(np.float32)
    shadow = (1.0 - 0.4 * (1.0 - rising(band.astype(np.float32), 0.03, 0.045))).astype(np.float32)
    return finished(mixed(lit(colour, shadow), iron, share))


def iron() -> Rgba:
    """Wrought iron."""
    rough = noise("iron", (64, 64), (8, 8), 4)
    return finished(lit(graded(rough, [(48, 48, 52), (96, 96, 102)]), relief(rough, 0.9)))


def barrel() -> Rgba:
    """Staves and hoops, once around and once from bottom to top."""
    size = SMALL
    courses = Courses("barrel", size, 8, 1)
    colour = np.ascontiguousarray(np.swapaxes(_boards("barrel", size, 8, 1, (92, 60, 34), (146, 100, 58)), 0, 1))
    _, down = grid(size)
    hoop = np.minimum(np.abs(down - 0.2), np.abs(down - 0.8)).astype(np.float32)
    share = 1.0 - rising(hoop, 0.045, 0.055)
    rough = 0.75 + 0.5 * noise("barrel hoop", size, (16, 16), 3)
    return finished(
        mixed(colour, lit(flat(size, (70, 70, 76)), rough), (share + courses.tone * 0.0).astype(np.float32))
    )


def crate() -> Rgba:
    """Rough boards in a frame."""
    size = SMALL
    colour = _boards("crate", size, 5, 1, (118, 86, 52), (172, 132, 84))
    across, down = grid(size)
    rim = np.minimum(np.minimum(across, 1.0 - across), np.minimum(down, 1.0 - down)).astype(np.float32)
    frame = (1.0 - rising(rim, 0.1, 0.115)).astype(np.float32)
    return finished(mixed(colour, _wood("crate frame", size, (100, 70, 40), (146, 106, 64)), frame))


def shingle() -> Rgba:
    """Roof slates in overlapping rows."""
    size = WIDE
    courses = Courses("shingle", size, 12, 12, shift=0.5, ragged=0.3)
    grain = noise("shingle grain", size, (24, 12), 3)
    colour = graded(courses.tone, [(70, 74, 84), (92, 92, 98), (80, 86, 92), (104, 98, 96)])
    rows = (grid(size)[1] * 12.0) % 1.0
    colour = lit(colour, ((0.68 + 0.42 * rows) * (0.8 + 0.35 * grain)).astype(np.float32))
    return finished(lit(colour, (0.45 + 0.55 * rising(courses.edge, 0.2, 1.8)).astype(np.float32)))


def thatch_field() -> Field:
    """Straw, 0 dark to 1 light: fine strokes down the slope in overlapping layers."""
    size = WIDE
    straw = noise("thatch", size, (5, 80), 3, 0.7)
    layers = (grid(size)[1] * 4.0 + (noise("thatch wave", size, (2, 10), 2) - 0.5) * 0.5) % 1.0
    return np.clip(0.15 + 0.75 * straw * (0.55 + 0.45 * layers) + 0.15 * layers, 0.0, 1.0).astype(np.float32)


THATCH: list[Colour] = [(58, 42, 22), (122, 96, 52), (176, 146, 84), (208, 182, 116)]


def bark_field() -> Field:
    """Ridges down a trunk."""
    ridges = noise("bark", SMALL, (4, 18), 4)
    field: Field = np.clip(1.8 * np.abs(ridges - 0.5) + 0.35 * ridges, 0.0, 1.0).astype(np.float32)
    return field


BARK: list[Colour] = [(40, 30, 22), (78, 60, 44), (112, 92, 70), (132, 116, 94)]


def leaves() -> Rgba:
    """A branch's worth of broad leaves; between them nothing."""
    size = SMALL
    random = seeded("leaves")
    colour = flat(size, (52, 82, 34))
    alpha = np.zeros(size, np.float32)
    y, x = np.mgrid[0 : size[0], 0 : size[1]].astype(np.float32)
    for _ in range(150):
        cx, cy, turn, long = random.random(4).tolist()
        place = 64.0 + 52.0 * np.sqrt(cx) * np.array([cos(cy * 6.283), sin(cy * 6.283)])
        dx, dy = x - np.float32(place[0]), y - np.float32(place[1])
        c, s = np.float32(cos(turn * 6.283)), np.float32(sin(turn * 6.283))
        along, off = dx * c + dy * s, dy * c - dx * s
        half = np.float32(7.0 + 4.0 * long)
        inside = np.abs(off) < (1.0 - np.square(along / half)) * half * 0.45
        tone = np.float32(0.7 + 0.6 * random.random())
        tint = np.array([(56.0 + 40.0 * long) * tone, 96.0 * tone, 36.0 * tone], np.float32)
        vein = 1.0 - 0.25 * (np.abs(off) < 0.7)
        colour[inside] = (tint * vein[:, :, None])[inside]
        alpha[inside] = 1.0
    return finished(np.maximum(colour, 8.0), alpha)


def needles_field() -> Field:
    """Twigs of a conifer, 0.1 to 1, and 0 where there is nothing."""
    size = SMALL
    random = seeded("needles")
    field = np.zeros(size, np.float32)
    out = np.arange(11)
    for _ in range(58):
        x, y = (random.random(2) * 108.0 + 10.0).tolist()
        turn = (random.random() - 0.5) * 2.2 + 1.57
        for step in range(24):
            px, py = x + cos(turn) * step * 1.2, y + sin(turn) * step * 1.2
            for side in (-1.0, 1.0):
                angle = turn + side * 0.85
                row = (py + sin(angle) * out[: 11 - step // 3]).astype(np.int64) % size[0]
                column = (px + cos(angle) * out[: 11 - step // 3]).astype(np.int64) % size[1]
                field[row, column] = 0.2 + 0.8 * random.random()
    return field


NEEDLES: list[Colour] = [(16, 34, 24), (30, 60, 36), (52, 88, 50), (86, 116, 68)]


def tuft() -> Rgba:
    """Tall grass with a few flowers, growing from the lower edge."""
    size = SMALL
    random = seeded("tuft")
    colour = flat(size, (70, 104, 44))
    alpha = np.zeros(size, np.float32)
    for blade in range(90):
        foot, lean, tall, tone = random.random(4)
        steps = int(40 + 80 * tall)
        reach = np.arange(steps)
        column = (14 + 100 * foot + (lean - 0.5) * 70.0 * np.square(reach / 120.0)).astype(np.int64) % 128
        row = np.clip(127 - reach, 0, 127)
        shade = 0.6 + 0.5 * tone + 0.3 * reach / steps
        colour[row, column] = np.array([78.0, 118.0, 48.0])[None, :] * shade[:, None]
        alpha[row, column] = 1.0
        thick = reach < steps * 0.6
        colour[row[thick], (column[thick] + 1) % 128] = np.array([64.0, 100.0, 40.0])
        alpha[row[thick], (column[thick] + 1) % 128] = 1.0
        if blade % 9 == 0:
            top, middle = int(row[-1]), int(column[-1])
            petals = (slice(max(top - 2, 0), top + 3), slice(max(middle - 2, 0), middle + 3))
            colour[petals] = (226, 206, 92) if blade % 2 else (214, 120, 140)
            alpha[petals] = 1.0
    return finished(colour, alpha)
