"""What a dollhouse shows, and how: the rooms and buildings, between which heights, with or without roofs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from math import inf
from typing import Final

from engine.render.overlays.geometry import Colour
from engine.render.overlays.palette import CURRENT, NEITHER, STAB, VISIBLE
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import is_env_cell

ROOF: Final = 0.35
"""The steepest roof or ceiling: the sine of its slope's angle from the vertical. Ours: steep gables are roofs, walls
that lean a little are not."""

EAVES: Final = 1.5
"""Metres over a building's origin from which on its level polygons are roofs, not porches and steps."""


class Drawing(Enum):
    """How faces are drawn; the values are kept in settings."""

    SOLID = "solid"
    WIREFRAME = "wireframe"
    XRAY = "xray"


class Seen(IntEnum):
    """What PView makes of a cell; a higher value is drawn over a lower one where two cells share an edge."""

    NEITHER = 0
    STAB = 1
    VISIBLE = 2
    CURRENT = 3


COLOURS: Final[Mapping[Seen, Colour]] = {
    Seen.NEITHER: NEITHER,
    Seen.STAB: STAB,
    Seen.VISIBLE: VISIBLE,
    Seen.CURRENT: CURRENT,
}


class Kind(IntEnum):
    """Which polygons of a mesh are roofs: none of a thing's, a room's that look down, a building's level ones."""

    THING = 0
    ROOM = 1
    BUILDING = 2


@dataclass(frozen=True)
class Dollhouse:
    """One landblock, or a part of it. Nothing below `low` or above `high`, heights in the landblock, is drawn."""

    block_id: int
    rooms: tuple[int, ...]
    buildings: tuple[Building, ...] = ()
    has_land: bool = False
    """With the ground and what stands on it."""
    drawing: Drawing = Drawing.SOLID
    low: float = -inf
    high: float = inf
    roofs: bool = True
    seen: Mapping[int, Seen] | None = None
    """What PView makes of each room; None: that is not shown."""

    def seen_of(self, cell_id: int) -> Seen:
        return Seen.NEITHER if self.seen is None else self.seen.get(cell_id, Seen.NEITHER)


def rooms_of_building(building: Building, rooms: Mapping[int, EnvCell]) -> tuple[int, ...]:
    """The rooms that the building's portals lead to, and those behind them, in the order of their ids."""
    found: dict[int, None] = {}
    waiting = [portal.other_cell_id for portal in building.portals]
    while waiting:
        cell_id = waiting.pop()
        room = rooms.get(cell_id)
        if room is not None and cell_id not in found:
            found[cell_id] = None
            waiting += [portal.other_cell_id for portal in room.portals if is_env_cell(portal.other_cell_id)]
    return tuple(sorted(found))
