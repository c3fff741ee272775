"""The sky: the dome's gradient, clouds, the sun, the moon."""

from __future__ import annotations

import numpy as np

from engine.build.textures.curves import along, lengths
from engine.build.textures.fields import Rgba, finished, flat, graded, grid, mixed, noise, rising


def dome() -> Rgba:
    """From the zenith at the top of the picture down to the haze at the horizon."""
    size = (128, 64)
    _, down = grid(size)
    return finished(graded(down, [(58, 104, 178), (92, 142, 206), (142, 184, 226), (196, 216, 232), (214, 222, 228)]))


def clouds() -> Rgba:
    """Fair-weather clouds on nothing."""
    size = (256, 256)
    puffs = noise("clouds", size, (5, 5), 6, 0.55)
    banks = noise("cloud banks", size, (2, 2), 2)
    alpha = rising(puffs * 0.75 + banks * 0.25, 0.5, 0.72)
    shade = rising(np.roll(puffs, 6, 0) - puffs, -0.08, 0.12)
    colour = mixed(flat(size, (252, 252, 250)), (192, 200, 212), (shade * 0.7).astype(np.float32))
    return finished(colour, (alpha * 0.9).astype(np.float32))


def twilight() -> Rgba:
    """The colours of the sky before sunrise and after sunset: violet at the top of the picture, where they end, then
    rose and orange down to the horizon."""
    _, down = grid((64, 128))
    alpha = along(down, [0.0, 0.35, 0.7, 0.86, 1.0], [0.0, 0.3, 0.75, 0.92, 0.92]).astype(np.float32)
    return finished(
        graded(down, [(112, 100, 156), (158, 116, 158), (218, 134, 128), (242, 166, 100), (250, 200, 128)]), alpha
    )


def low_sun() -> Rgba:
    """The glow around a low sun, wider than it is high."""
    size = (64, 64)
    across, down = grid(size)
    away = lengths(across - 0.5, down - 0.5) * 2.0
    near = np.clip(1.0 - away, 0.0, 1.0)
    alpha = near * np.sqrt(near) * np.sqrt(np.sqrt(np.sqrt(near))) * 0.85
    return finished(
        graded(np.clip(away, 0.0, 1.0), [(255, 226, 160), (255, 178, 92), (240, 120, 70)]), alpha.astype(np.float32)
    )


def sun() -> Rgba:
    """A disc in its glow, black where there is none."""
    size = (64, 64)
    across, down = grid(size)
    away = lengths(across - 0.5, down - 0.5)
    glow = np.square(np.clip(1.0 - away * 2.0, 0.0, 1.0)) * 0.7
    disc = 1.0 - rising(away, 0.16, 0.19)
    return finished(graded(np.maximum(glow, disc).astype(np.float32), [(0, 0, 0), (255, 214, 140), (255, 250, 226)]))


def moon() -> Rgba:
    """A disc with dark seas, in a faint glow."""
    size = (64, 64)
    across, down = grid(size)
    away = lengths(across - 0.5, down - 0.5)
    seas = rising(noise("moon", size, (4, 4), 3), 0.45, 0.65) * 0.35
    glow = np.square(np.clip(1.0 - away * 2.0, 0.0, 1.0)) * 0.25
    disc = (1.0 - rising(away, 0.3, 0.33)) * (1.0 - seas)
    return finished(graded(np.maximum(glow, disc).astype(np.float32), [(0, 0, 0), (120, 136, 176), (240, 244, 252)]))
