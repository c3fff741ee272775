"""Streams landblocks into the picture: requests them before the eye is there and prepares them piece by piece between
frames, so that no frame waits for a landblock (ARCHITECTURE.md, promise 8).

Until it is ready a landblock is withheld from the landscape. One that is loaded otherwise, because a body steps into it
or the eye is put there, is shown at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from typing import Final, Protocol

from engine.geometry.constants import BLOCK_LENGTH
from engine.geometry.vec import Vec3
from engine.visibility.world_view import WorldView
from engine.world.cells.ids import block_x, block_y, landblock_id
from engine.world.cells.landdefs import blockid_to_lcoord

REACH: Final = 1.5 * BLOCK_LENGTH
"""Metres around the eye in which landblocks are wanted: the nine that the client keeps, and on the sides to which the
eye is nearer the ones after them."""

Pieces = Generator[None, None, None]
"""Work, a piece for each step."""


class Drawer(Protocol):
    """The renderer."""

    def outdoors_of(self, block_id: int) -> Pieces:
        """Prepare the outside view of a loaded landblock."""
        ...

    def rooms_of(self, block_id: int) -> Pieces:
        """Prepare the rooms seen through its openings."""
        ...


class Arrivals:
    """The landblocks of one view."""

    def __init__(self, world_view: WorldView) -> None:
        self.world_view = world_view
        self.drawer: Drawer | None = None
        self.shown = 0
        """The number of landblocks that have entered the picture."""
        self._range: tuple[int, int, int, int] | None = None
        self._asked: set[int] = set()
        self._waiting: list[int] = []
        self._pieces: Pieces | None = None

    @property
    def is_busy(self) -> bool:
        return self._pieces is not None or bool(self._waiting)

    def look_around(self, block_id: int, eye: Vec3) -> None:
        """The eye is here, in the coordinates of a landblock: want those around it, near ones first."""
        x, y = block_x(block_id) + eye[0] / BLOCK_LENGTH, block_y(block_id) + eye[1] / BLOCK_LENGTH
        reach = REACH / BLOCK_LENGTH
        wanted = (math.floor(x - reach), math.floor(x + reach), math.floor(y - reach), math.floor(y + reach))
        if wanted == self._range:
            return
        self._range = wanted
        west, east, south, north = wanted
        around = {
            landblock_id((column << 24) | (row << 16)): math.hypot(column + 0.5 - x, row + 0.5 - y)
            for column in range(max(west, 0), min(east, 0xFF) + 1)
            for row in range(max(south, 0), min(north, 0xFF) + 1)
        }
        self._waiting = sorted((key for key in around if self._is_new(key)), key=lambda key: around[key])

    def _is_new(self, block_id: int) -> bool:
        there = block_id in self._asked or self.world_view.graph.is_loaded(block_id)
        return not there and blockid_to_lcoord(block_id) is not None

    def work(self, is_enough: Callable[[], bool]) -> bool:
        """Do pieces until it is enough, at least one; whether another landblock is shown now."""
        before = self.shown
        while self.is_busy:
            self._go_on()
            if is_enough():
                break
        return self.shown != before

    def _go_on(self) -> None:
        pieces, self._pieces = self._pieces, None  # a landblock that fails is left as it is
        if pieces is None:
            block_id = self._waiting.pop(0)
            self._asked.add(block_id)
            pieces = self._arrive(block_id)
        if not next(pieces, True):
            self._pieces = pieces

    def _arrive(self, block_id: int) -> Pieces:
        view = self.world_view
        if view.graph.is_loaded(block_id):
            return
        view.withhold(block_id, True)
        try:
            yield from self._get_ready(block_id)
        finally:
            view.withhold(block_id, False)
        self.shown += 1
        if self.drawer is not None:
            yield from self.drawer.rooms_of(block_id)

    def _get_ready(self, block_id: int) -> Pieces:
        if not self.world_view.graph.load_landblock(block_id):
            return
        yield
        block = self.world_view.block(block_id)
        for building in [] if block is None else block.buildings:
            building.ports()
            yield
        if self.drawer is not None:
            yield from self.drawer.outdoors_of(block_id)

    def close(self) -> None:
        """Stop streaming; withheld landblocks are shown."""
        pieces, self._pieces, self._waiting = self._pieces, None, []
        if pieces is not None:
            pieces.close()
