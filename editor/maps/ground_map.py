"""An overview image of the ground of all landblocks, sampled in the background from a few points of each land record
(dat-format.md 2.2)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from editor.maps.block_map import MapColours, picture
from editor.session.background import Job
from engine.world.block_index import SIDE, BlockIndex
from engine.world.cells.ids import block_x, block_y
from engine.world.source import WorldSource

POINTS: Final = 4
"""Samples of a landblock in each direction, 48 m apart."""
SPACING: Final = 48.0
GRID: Final = SIDE * POINTS

WORDS_AT: Final = 8
HEIGHTS_AT: Final = 170
VERTICES: Final = 81
RECORD_SIZE: Final = HEIGHTS_AT + VERTICES
CHOSEN: Final = np.array([9 * x + y for y in (7, 5, 3, 1) for x in (1, 3, 5, 7)])
"""Indices of a landblock's vertices, the northern row first, as in an image."""

TOLD_EVERY: Final = 0.6
"""Seconds between two images of the samples so far; drawing one takes a third of a second."""
ASKED_EVERY: Final = 64
STEEPEST: Final = 0.45
CONTRAST: Final = 0.6
ROOT_2: Final = 1.4142


@dataclass
class GroundGrid:
    """Terrain types and height indices on the grid of samples, rows from the north."""

    types: NDArray[np.uint8]
    heights: NDArray[np.uint8]


def no_ground() -> GroundGrid:
    return GroundGrid(np.zeros((GRID, GRID), dtype=np.uint8), np.zeros((GRID, GRID), dtype=np.uint8))


@dataclass(frozen=True)
class Paint:
    """The palette: red, green and blue of each terrain type, and of missing ground."""

    types: NDArray[np.float32]
    map: MapColours


class ReadGround(Job):
    """Reads the records one by one; `drawn` carries the image so far, and whether it is complete."""

    class Signals(QObject):
        drawn = Signal(object, bool)

    def __init__(self, source: WorldSource, index: BlockIndex, paint: Paint) -> None:
        super().__init__()
        self.signals = ReadGround.Signals()
        self._source = source
        self._index = index
        self._paint = paint
        self._metres = np.array(source.height_table, dtype=np.float32)
        self._reading = Lock()

    def cancel(self) -> None:
        """Cancel and wait until reading has stopped: the caller may close the files next."""
        super().cancel()
        with self._reading:
            pass

    def work(self) -> None:
        ground = no_ground()
        told = time.monotonic()
        ids = self._index.ids
        for first in range(0, len(ids), ASKED_EVERY):
            with self._reading:
                self.check()
                for block_id in ids[first : first + ASKED_EVERY]:
                    put(ground, block_id, self._source.land_record(block_id))
            if time.monotonic() - told > TOLD_EVERY:
                self._draw(ground, is_all=False)
                told = time.monotonic()
        self.check()
        self._draw(ground, is_all=True)

    def _draw(self, ground: GroundGrid, *, is_all: bool) -> None:
        land = shaded(ground, self._paint.types, self._metres)
        self.signals.drawn.emit(picture(self._index, self._paint.map, land), is_all)


def put(ground: GroundGrid, block_id: int, record: bytes | None) -> None:
    """Put a landblock's samples in their place; ignore anything but a land record."""
    if record is None or len(record) < RECORD_SIZE:
        return
    words = np.frombuffer(record, dtype="<u2", count=VERTICES, offset=WORDS_AT)[CHOSEN]
    heights = np.frombuffer(record, dtype=np.uint8, count=VERTICES, offset=HEIGHTS_AT)[CHOSEN]
    left, top = block_x(block_id) * POINTS, (SIDE - 1 - block_y(block_id)) * POINTS
    place = (slice(top, top + POINTS), slice(left, left + POINTS))
    ground.types[place] = ((words >> 2) & 0x1F).reshape(POINTS, POINTS)
    ground.heights[place] = heights.reshape(POINTS, POINTS)


def shaded(ground: GroundGrid, colours: NDArray[np.float32], metres: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Red, green and blue of every sample, lit from the north-west. `colours` are by terrain type, `metres` by height
    index."""
    z = metres[ground.heights]
    beyond = z[np.minimum(np.arange(GRID) + 1, GRID - 1)][:, np.minimum(np.arange(GRID) + 1, GRID - 1)]
    rise = (beyond - z) / (SPACING * ROOT_2)
    factor = 1.0 + np.clip(rise * CONTRAST, -STEEPEST, STEEPEST)
    lit: NDArray[np.uint8] = np.clip(colours[ground.types] * factor[:, :, None], 0.0, 255.0).astype(np.uint8)
    return lit
