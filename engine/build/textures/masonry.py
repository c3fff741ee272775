"""Stone, brick and plaster."""

from __future__ import annotations

import numpy as np

from engine.build.textures.fields import (
    Colour,
    Courses,
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

WIDE = (256, 256)
SMALL = (128, 128)


def plaster_colour(name: str, size: tuple[int, int], colour: Colour) -> Rgb:
    """Uneven limewash: the colour with stains and trowel marks."""
    stains = noise(name, size, (3, 3), 4)
    marks = noise(f"{name} marks", size, (24, 16), 3)
    base = lit(flat(size, colour), 0.88 + 0.2 * stains)
    return lit(base, relief(marks, 0.35))


def plaster() -> Rgba:
    """Warm inside plaster."""
    return finished(plaster_colour("plaster", WIDE, (226, 212, 184)))


def limewash() -> Rgba:
    """White outside plaster, a little weathered."""
    return finished(plaster_colour("limewash", SMALL, (232, 226, 208)))


def brick() -> Rgba:
    """Red brick with pale joints."""
    size = WIDE
    courses = Courses("brick", size, 16, 8)
    grain = noise("brick grain", size, (32, 32), 3)
    colour = graded(courses.tone, [(112, 52, 40), (150, 74, 54), (168, 90, 62), (134, 66, 56)])
    colour = lit(colour, 0.8 + 0.4 * grain)
    joint = 1.0 - rising(courses.edge + (grain - 0.5) * 2.0, 0.6, 2.2)
    height = rising(courses.edge, 0.0, 3.0) + grain * 0.3
    return finished(lit(mixed(colour, (176, 164, 146), joint.astype(np.float32)), relief(height, 0.35)))


def soot() -> Rgba:
    """Firebrick, blackened from the middle."""
    size = SMALL
    courses = Courses("soot", size, 8, 4)
    grain = noise("soot grain", size, (16, 16), 3)
    colour = graded(courses.tone, [(70, 50, 44), (92, 62, 50)])
    colour = lit(colour, (0.35 + 0.55 * noise("soot smoke", size, (2, 2), 3)) * (0.7 + 0.5 * grain))
    joint = 1.0 - rising(courses.edge, 0.6, 2.0)
    return finished(mixed(colour, (46, 42, 40), joint.astype(np.float32)))


def flagstone() -> Rgba:
    """Large worn slabs of a floor."""
    size = WIDE
    courses = Courses("flagstone", size, 4, 3, shift=0.37, ragged=0.3)
    grain = noise("flagstone grain", size, (16, 16), 4)
    worn = noise("flagstone worn", size, (4, 4), 3)
    colour = graded(courses.tone, [(122, 116, 106), (142, 136, 124), (130, 130, 126), (150, 140, 122)])
    colour = lit(colour, 0.78 + 0.28 * grain + 0.14 * worn)
    edge = courses.edge + (grain - 0.5) * 5.0
    joint = 1.0 - rising(edge, 0.8, 3.0)
    height = rising(edge, 0.0, 5.0) + grain * 0.5
    return finished(lit(mixed(colour, (70, 64, 56), joint.astype(np.float32)), relief(height, 0.3)))


def _rounded_stones(name: str, size: tuple[int, int], cells: tuple[int, int], colours: list[Colour]) -> Rgba:
    stones = Stones(name, size, cells, 0.75)
    grain = noise(f"{name} grain", size, (24, 24), 3)
    colour = lit(graded(stones.tone, colours), 0.75 + 0.45 * grain)
    edge = stones.edge + (grain - 0.5) * 1.5
    joint = 1.0 - rising(edge, 0.7, 2.4)
    height = np.sqrt(np.clip(edge, 0.0, 9.0)) * np.float32(0.33) + grain * 0.25
    dark = lit(flat(size, (66, 60, 52)), 0.7 + 0.5 * grain)
    return finished(lit(mixed(colour, dark, joint.astype(np.float32)), relief(height.astype(np.float32), 0.55)))


def cobble() -> Rgba:
    """Cobblestones of a yard."""
    colours: list[Colour] = [(112, 108, 104), (134, 126, 116), (120, 120, 122), (146, 136, 120)]
    return _rounded_stones("cobble", WIDE, (12, 12), colours)


def stone() -> Rgba:
    """A wall of field stones laid in lime."""
    colours: list[Colour] = [(126, 118, 104), (150, 140, 122), (136, 132, 124), (160, 148, 128), (112, 108, 102)]
    return _rounded_stones("stone", WIDE, (9, 6), colours)


def ashlar_height(name: str, size: tuple[int, int], rows: int, columns: int) -> tuple[Courses, Field, Field]:
    """Dressed blocks: their courses, the grain of the stone, and the height."""
    courses = Courses(name, size, rows, columns, ragged=0.25)
    grain = noise(f"{name} grain", size, (12, 12), 4)
    height = rising(courses.edge + (grain - 0.5) * 3.0, 0.0, 4.0) + grain * 0.6
    return courses, grain, height.astype(np.float32)


def ashlar() -> Rgba:
    """The dressed walls of the deep places."""
    size = WIDE
    courses, grain, height = ashlar_height("ashlar", size, 6, 4)
    colour = graded(courses.tone, [(92, 90, 92), (110, 106, 102), (100, 100, 106)])
    colour = lit(colour, 0.7 + 0.5 * grain)
    joint = (1.0 - rising(courses.edge, 0.6, 2.4)).astype(np.float32)
    return finished(lit(mixed(colour, (48, 46, 46), joint), relief(height, 0.4)))


def damp_ashlar() -> Rgba:
    """The same walls where water has been at them: moss in the joints, streaks below."""
    size = SMALL
    courses, grain, height = ashlar_height("damp ashlar", size, 4, 3)
    colour = lit(graded(courses.tone, [(74, 78, 76), (92, 94, 88)]), 0.7 + 0.5 * grain)
    streaks = noise("damp streaks", size, (2, 16), 3)
    moss = rising(streaks + (1.0 - rising(courses.edge, 0.0, 6.0)) * 0.35, 0.5, 0.85)
    colour = mixed(colour, (66, 84, 46), (moss * 0.75).astype(np.float32))
    return finished(lit(colour, relief(height, 0.4)))


def vault() -> Rgba:
    """Rough ceilings underground."""
    size = SMALL
    rough = noise("vault", size, (5, 5), 5)
    return finished(lit(graded(rough, [(52, 50, 50), (92, 88, 84)]), relief(rough, 1.8)))


def slabs() -> Rgba:
    """Square slabs of the deep places' floors."""
    size = SMALL
    courses, grain, height = ashlar_height("slabs", size, 2, 2)
    colour = lit(graded(courses.tone, [(88, 84, 80), (108, 102, 94)]), 0.7 + 0.5 * grain)
    joint = (1.0 - rising(courses.edge, 0.6, 2.0)).astype(np.float32)
    return finished(lit(mixed(colour, (44, 40, 38), joint), relief(height, 0.35)))


def half_timber() -> Rgba:
    """One storey of a framed wall, 3 m wide and high: posts, rails and a brace in whitewashed plaster."""
    size = WIDE
    colour = plaster_colour("half timber", size, (234, 226, 204))
    grain = noise("half timber oak", size, (12, 48), 4)
    oak = lit(graded(grain, [(54, 38, 28), (92, 66, 46)]), relief(grain, 0.4))
    y, x = np.mgrid[0:256, 0:256].astype(np.float32)
    wave = (noise("half timber wave", size, (6, 6), 2) - 0.5) * 5.0
    to_post = np.minimum(np.minimum(x, 256.0 - x), np.abs(x - 128.0))
    to_rail = np.minimum(np.minimum(y, 256.0 - y), np.where(x < 128.0, 999.0, np.abs(y - 118.0)))
    brace = np.abs((x - 8.0) * 0.86 - (248.0 - y) * 0.43 * 1.05) * 0.92
    brace = np.where((x < 128.0) & (y > 20.0), brace, 999.0)
    away = np.minimum(np.minimum(to_post + 2.0, to_rail + 1.0), brace + 3.0) + wave * 0.4
    beam = (1.0 - rising(away.astype(np.float32), 10.0, 11.5)).astype(np.float32)
    shadow = (1.0 - 0.35 * (1.0 - rising(away.astype(np.float32), 10.0, 16.0))).astype(np.float32)
    return finished(mixed(lit(colour, shadow), oak, beam))
