"""The root of the flood: the cell that the frame is drawn from (rendering.md 21.1, 21.3).

The root is always a cell that is carried along: the player's by physics, the viewer's by the camera's sweep or the free
camera's latch, or a pinned one. Only when all of these are lost does the eye's position select a room.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.vec import Vec3
from engine.visibility.point_location import PointLocator
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.graph.graph import NO_CELL, CellGraph

# root_mode
PLAYER: Final = "player"
VIEWER: Final = "viewer"
PINNED: Final = "pinned"

# The fallback that supplied the root when the chosen source had none.
SEARCHED: Final = "searched"
NONE: Final = "none"

ROOT_MODES: Final = (PLAYER, VIEWER, PINNED)

_FLAP_WINDOW: Final = 1.0
"""Seconds that the flap counter looks back."""


class RootSources:
    """The cells that may be the root; NO_CELL for a source that has none."""

    player_id: int
    viewer_id: int
    pinned_id: int

    def __init__(self, player_id: int = NO_CELL, viewer_id: int = NO_CELL, pinned_id: int = NO_CELL) -> None:
        self.player_id = player_id
        self.viewer_id = viewer_id
        self.pinned_id = pinned_id

    def of(self, mode: str) -> int:
        if mode == PLAYER:
            return self.player_id
        if mode == VIEWER:
            return self.viewer_id
        return self.pinned_id if mode == PINNED else NO_CELL


class RootChoice:
    """The root of a frame: `source` is the mode it came from, SEARCHED or NONE; `message` says why it is another one
    than was asked for, "" if it is not."""

    mode: str
    source: str
    root_id: int
    message: str

    def __init__(self, mode: str, source: str, root_id: int, message: str) -> None:
        self.mode = mode
        self.source = source
        self.root_id = root_id
        self.message = message

    def __repr__(self) -> str:
        return f"RootChoice({self.mode}, {self.source}, {cell_text(self.root_id)})"


def choose_root(
    graph: CellGraph, mode: str, sources: RootSources, locator: PointLocator, block_id: int, eye: Vec3
) -> RootChoice:
    """The root for a mode. When its source has no loaded cell, the fallbacks are: viewer, player, a room around the
    eye, none."""
    wanted = sources.of(mode)
    if graph.peek(wanted) is not None:
        return RootChoice(mode, mode, wanted, "")
    what = f"there is no {mode} cell" if wanted == NO_CELL else f"the {mode} cell {cell_text(wanted)} is not loaded"
    for other in (VIEWER, PLAYER):
        root_id = sources.of(other)
        if graph.peek(root_id) is not None:
            return RootChoice(mode, other, root_id, f"{what}: drawn from the {other} cell {cell_text(root_id)}")
    root_id = _containing(graph, locator, block_id, eye, wanted)
    if root_id != NO_CELL:
        return RootChoice(mode, SEARCHED, root_id, f"{what}: drawn from {cell_text(root_id)}, which contains the eye")
    return RootChoice(mode, NONE, NO_CELL, f"{what}, and no loaded cell contains the eye")


def _containing(graph: CellGraph, locator: PointLocator, block_id: int, eye: Vec3, wanted: int) -> int:
    rooms = locator.rooms_at(block_id, eye)
    if rooms:
        return locator.nearest(rooms, [wanted] if is_env_cell(wanted) else []).id
    land_id = get_outside_cell_id(landblock_id(block_id), eye)
    return land_id if graph.peek(land_id) is not None else NO_CELL


class RootWatch:
    """The flap detector: counts the changes of the root within the last second of the caller's clock."""

    root_id: int
    changes: int
    _times: list[float]

    def __init__(self) -> None:
        self.root_id = NO_CELL
        self.changes = 0
        self._times = []

    def saw(self, root_id: int, seconds: float) -> int:
        """Tell the root of a frame; answers the changes of the last second. `seconds` never goes back."""
        if root_id != self.root_id:
            if self.root_id != NO_CELL:
                self._times.append(seconds)
            self.root_id = root_id
        self._times = [time for time in self._times if time > seconds - _FLAP_WINDOW]
        self.changes = len(self._times)
        return self.changes
