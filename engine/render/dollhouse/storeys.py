"""The storeys of a set of rooms: rooms whose floors are at about one height."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Final

from engine.world.cells.cell import EnvCell

HEADROOM: Final = 2.0
"""Metres. A floor that is this much higher begins another storey: nobody stands upright in less. (The client's own
sphere tops out at 1.83 m; the lowest room of the demo is 2.2 m high.)"""

SLAB: Final = 0.05
"""Metres under a storey's floor at which it begins, and the storey below ends."""


@dataclass(frozen=True)
class Storey:
    """Rooms on one level; `low` and `high` bound it in the landblock, the top storey has no upper end."""

    low: float
    high: float
    rooms: tuple[int, ...]


def floor_of(room: EnvCell) -> float | None:
    """The height of the lowest corner of a room in its landblock; None for one without corners."""
    to_block = room.frame.local_to_global
    heights = [height for corner in room.structure.vertices if isfinite(height := to_block(corner)[2])]
    return min(heights, default=None)


def storeys_of(rooms: Iterable[EnvCell]) -> list[Storey]:
    """From the lowest to the highest. Each room is in one of them: a stair is in the storey where it begins."""
    floors = sorted((floor, room.id) for room in rooms if (floor := floor_of(room)) is not None)
    found: list[Storey] = []
    for floor, cell_id in floors:
        if not found or floor - (found[-1].low + SLAB) >= HEADROOM:
            if found:
                found[-1] = replace(found[-1], high=floor - SLAB)
            found.append(Storey(floor - SLAB, inf, ()))
        found[-1] = replace(found[-1], rooms=(*found[-1].rooms, cell_id))
    return [replace(storey, rooms=tuple(sorted(storey.rooms))) for storey in found]
