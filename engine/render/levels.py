"""Levels of detail: the mesh drawn at each distance (rendering.md M4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.dat.records.mesh import Degrade
from engine.render.materials import Material
from engine.render.mesh import Mesh
from engine.world.cells.objects import GfxObj

WITHIN: Final = 50.0
"""Metres up to which everything is in its first level (M4)."""


@dataclass(frozen=True, eq=False)
class Shown:
    """The draw of a GfxObj: the mesh of a level of its degrade table and how that is turned to the viewer (18.5)."""

    gfxobj: GfxObj
    mesh: Mesh
    materials: tuple[Material, ...]
    billboard: int


def level_at(table: Sequence[Degrade], distance: float, scale_z: float, multiplier: float = 0.0) -> int:
    """The number of the level for a distance from the eye; the last one where no other is far enough.

    `multiplier`, from -1 to 1, follows the frame rate in the client; at 0 the ideal distances count."""
    away = max(0.0, (distance / scale_z if scale_z else math.inf) - WITHIN)
    for number, level in enumerate(table):
        ideal = level.ideal_distance
        other = ideal - level.max_distance if multiplier >= 0.0 else level.min_distance - ideal
        if away < ideal - other * multiplier:
            return number
    return len(table) - 1


class Levels:
    """The levels of a mesh. Levels that nothing shows are not built."""

    def __init__(self, table: Sequence[Degrade], show: Callable[[Degrade], Shown | None]) -> None:
        self.table = table
        self._show = show
        self._shown: dict[int, Shown | None] = {}

    def shown(self, number: int) -> Shown | None:
        """The draw of a level, or None for nothing."""
        if number not in self._shown:
            self._shown[number] = self._show(self.table[number])
        return self._shown[number]
