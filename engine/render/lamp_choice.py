"""Chooses the static lamps that count: the nearest to the player's cell (rendering.md C5)."""

from __future__ import annotations

from engine.render.draws import LightSource
from engine.render.light import MOST_STATIC, nearest
from engine.render.static_things import StandingThings
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import landblock_id
from engine.world.graph.graph import CellGraph


class LampChoice:
    """Chosen again when the player's cell or the lamps change."""

    def __init__(self, graph: CellGraph, standing: StandingThings) -> None:
        self._graph = graph
        self._standing = standing
        self._cell: ObjCell | None = None
        self._version = -1
        self._chosen: tuple[LightSource, ...] = ()

    def lamps_for(self, block_id: int) -> tuple[LightSource, ...]:
        """The lamps in the order of their distance from the cell's origin; without a cell, all of the landblock's."""
        cell = self._graph.current
        if cell is None:
            return self._standing.lamps(block_id)
        if cell is not self._cell or self._version != self._standing.lamp_version:
            self._cell, self._version = cell, self._standing.lamp_version
            found = nearest(self._in_sight_of(cell), cell.id, cell.frame.origin)
            self._chosen = tuple(found[:MOST_STATIC])
        return self._chosen

    def _in_sight_of(self, cell: ObjCell) -> list[LightSource]:
        """The lamps of the cells that the client has loaded for this one: of its stab list, and of all rooms around if
        it is outdoors or looks there."""
        if isinstance(cell, EnvCell) and not cell.seen_outside:
            near = self._standing.lamps(landblock_id(cell.id))
            return [lamp for lamp in near if any(home == cell.id or home in cell.stab_set for home in lamp.cells)]
        return [lamp for block_id in self._standing.blocks() for lamp in self._standing.lamps(block_id)]
