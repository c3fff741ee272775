"""The elements of textures: seeded noise, stones and boards that repeat without a seam, colours and relief.

A field is a float32 array of the picture's shape, the top row first; all of these wrap at the edges. Every field draws
its numbers from a generator of its own that is seeded by a name, so that pictures do not depend on each other.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.build.textures.curves import along, lengths

Field = NDArray[np.float32]
Rgb = NDArray[np.float32]
"""(height, width, 3), 0 to 255."""

Rgba = NDArray[np.uint8]
Colour = tuple[float, float, float]


def seeded(name: str) -> np.random.Generator:
    """The random numbers that go by a name."""
    return np.random.Generator(np.random.PCG64(zlib.crc32(name.encode())))


def noise(
    name: str, size: tuple[int, int], cells: tuple[int, int], octaves: int = 4, gain: float = 0.5, smooth: bool = True
) -> Field:
    """Fractal value noise, about 0 to 1. `size` is (height, width), `cells` the lattice of the coarsest octave."""
    random = seeded(name)
    total = np.zeros(size, np.float32)
    weight, sum_of_weights = 1.0, 0.0
    down, across = cells
    for _ in range(octaves):
        if down > size[0] or across > size[1]:
            break
        lattice = random.random((down, across), np.float32)
        total += np.float32(weight) * _stretched(lattice, size, smooth)
        sum_of_weights += weight
        weight *= gain
        down, across = down * 2, across * 2
    total /= np.float32(sum_of_weights)
    return total


def _stretched(lattice: Field, size: tuple[int, int], smooth: bool) -> Field:
    rows, row_part = _steps(size[0], lattice.shape[0], smooth)
    columns, column_part = _steps(size[1], lattice.shape[1], smooth)
    upper = lattice[rows]
    lower = lattice[(rows + 1) % lattice.shape[0]]
    bands = upper + (lower - upper) * row_part[:, None]
    left = bands[:, columns]
    right = bands[:, (columns + 1) % lattice.shape[1]]
    result: Field = left + (right - left) * column_part[None, :]
    return result


def _steps(length: int, count: int, smooth: bool) -> tuple[NDArray[np.int64], Field]:
    place = np.arange(length) * (count / length)
    whole = place.astype(np.int64)
    part = (place - whole).astype(np.float32)
    return whole % count, part * part * (3.0 - 2.0 * part) if smooth else part


class Stones:
    """Irregular stones that fill a plane (a Worley pattern): which stone a pixel belongs to, and how near its edge is.

    `edge` is 0 at the joints and grows inwards, in pixels; `which` numbers the stones; `tone` is a number of each.
    """

    which: NDArray[np.int64]
    edge: Field
    tone: Field

    def __init__(self, name: str, size: tuple[int, int], cells: tuple[int, int], jitter: float = 0.7) -> None:
        random = seeded(name)
        height, width = size
        down, across = cells
        places = 0.5 + (random.random((down, across, 2), np.float32) - 0.5) * jitter
        y = np.arange(height, dtype=np.float32)[:, None] * (down / height)
        x = np.arange(width, dtype=np.float32)[None, :] * (across / width)
        row, column = y.astype(np.int64), x.astype(np.int64)
        first = np.full(size, 1e9, np.float32)
        second = np.full(size, 1e9, np.float32)
        self.which = np.zeros(size, np.int64)
        stretch_y, stretch_x = height / down, width / across
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                r, c = (row + dy) % down, (column + dx) % across
                off = places[r, c]
                distance = lengths(
                    (row + dy + off[:, :, 0] - y) * stretch_y, (column + dx + off[:, :, 1] - x) * stretch_x
                )
                nearer = distance < first
                second = np.where(nearer, first, np.minimum(second, distance))
                self.which = np.where(nearer, r * across + c, self.which)
                first = np.where(nearer, distance, first).astype(np.float32)
        self.edge = ((second - first) * 0.5).astype(np.float32)
        self.tone = random.random(down * across, np.float32)[self.which]


class Courses:
    """Bricks, boards or ashlar: rows of blocks, each row shifted. `edge` and `tone` as for Stones."""

    which: NDArray[np.int64]
    edge: Field
    tone: Field
    row: NDArray[np.int64]

    def __init__(
        self, name: str, size: tuple[int, int], rows: int, columns: int, *, shift: float = 0.5, ragged: float = 0.0
    ) -> None:
        random = seeded(name)
        height, width = size
        tall, wide = height / rows, width / columns
        y = np.arange(height, dtype=np.float32)[:, None] + np.zeros((1, width), np.float32)
        x = np.arange(width, dtype=np.float32)[None, :] + np.zeros((height, 1), np.float32)
        self.row = (y / tall).astype(np.int64)
        offsets = np.arange(rows) * shift * wide + (random.random(rows) - 0.5) * ragged * wide
        along = (x + offsets[self.row].astype(np.float32)) % width
        column = (along / wide).astype(np.int64) % columns
        self.which = self.row * columns + column
        in_y = y - self.row * np.float32(tall)
        in_x = along - column * np.float32(wide)
        sides = np.minimum(np.minimum(in_y, tall - in_y), np.minimum(in_x, wide - in_x))
        self.edge = sides.astype(np.float32)
        self.tone = random.random(rows * columns, np.float32)[self.which]


def rising(field: Field, low: float, high: float) -> Field:
    """0 below `low`, 1 above `high`, smooth between."""
    t = np.clip((field - np.float32(low)) / np.float32(high - low), 0.0, 1.0).astype(np.float32)
    result: Field = t * t * (3.0 - 2.0 * t)
    return result


def flat(size: tuple[int, int], colour: Colour) -> Rgb:
    """One colour."""
    result: Rgb = np.broadcast_to(np.array(colour, np.float32), (*size, 3)).copy()
    return result


def mixed(below: Rgb, above: Rgb | Colour, share: Field) -> Rgb:
    """`above` laid over `below` where `share` is 1."""
    top = np.asarray(above, np.float32)
    result: Rgb = below + (top - below) * share[:, :, None]
    return result


def graded(field: Field, colours: Sequence[Colour]) -> Rgb:
    """The colours along 0 to 1, evenly spaced."""
    stops = np.linspace(0.0, 1.0, len(colours))
    table = np.array(colours, np.float64)
    channels = [along(field, stops.tolist(), table[:, i].tolist()) for i in range(3)]
    result: Rgb = np.stack(channels, axis=-1).astype(np.float32)
    return result


def lit(colour: Rgb, factor: Field) -> Rgb:
    """Brighter or darker by a factor."""
    result: Rgb = colour * factor[:, :, None]
    return result


def relief(height: Field, depth: float) -> Field:
    """The light on a surface of that height, lit from the upper left: about 1."""
    slope = 2.0 * height - np.roll(height, -1, 0) - np.roll(height, -1, 1)
    result: Field = np.clip(1.0 + slope * np.float32(depth), 0.4, 1.6).astype(np.float32)
    return result


def finished(colour: Rgb, alpha: Field | None = None) -> Rgba:
    """Colours, and alpha from 0 to 1, as the bytes of a picture."""
    pixels = np.full((*colour.shape[:2], 4), 255, np.uint8)
    pixels[:, :, :3] = np.clip(colour + 0.5, 0.0, 255.0).astype(np.uint8)
    if alpha is not None:
        pixels[:, :, 3] = np.clip(alpha * 255.0 + 0.5, 0.0, 255.0).astype(np.uint8)
    return pixels


def grid(size: tuple[int, int]) -> tuple[Field, Field]:
    """Across and down, 0 to 1 over the picture, at the middles of the pixels."""
    height, width = size
    across = ((np.arange(width, dtype=np.float32) + 0.5) / width)[None, :] + np.zeros((height, 1), np.float32)
    down = ((np.arange(height, dtype=np.float32) + 0.5) / height)[:, None] + np.zeros((1, width), np.float32)
    return across.astype(np.float32), down.astype(np.float32)
