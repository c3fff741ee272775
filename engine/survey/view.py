"""A landblock as geometric checks see it: its rooms and buildings at one moment, and shapes made of them.

Rooms, structures and models never change in place, edits replace them. So a view may be read in another thread while
the window goes on editing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.dat.records import LandBlock
from engine.findings.finding import Check
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.survey.shapes.convex import Convex, convex_of
from engine.world.cells.cell import Building, CellStruct, EnvCell
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.cells.objects import Setup, StaticObject
from engine.world.cells.terrain import Terrain
from engine.world.landblock import Landblock, neighbour_ids
from engine.world.source import WorldSource
from engine.world.world import World

MOST_SHAPES: Final = 2_048
"""Structures and models whose shapes are kept for the next landblock."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with a polygon of a structure or a model, at a point of its own space."""

    check: Check
    polygon: Polygon
    point: Vec3


class Shapes:
    """What is found out about structures and models, once for all rooms and things that share them."""

    def __init__(self) -> None:
        self._spaces: dict[int, tuple[CellStruct, Convex | None]] = {}
        self.flaws: dict[tuple[str, int], tuple[object, tuple[Flaw, ...]]] = {}
        """The flaws of structures (by their identity) and models (by their ids), with the object that has them."""

    def space(self, structure: CellStruct) -> Convex | None:
        """The convex space of a structure's cell tree."""
        known = self._spaces.get(id(structure))
        if known is None or known[0] is not structure:
            known = (structure, convex_of(structure.cell_tree, structure.polygons.values()))
            self._spaces[id(structure)] = known
        return known[1]

    def trim(self) -> None:
        """Forget what is kept when it has become much."""
        if len(self._spaces) > MOST_SHAPES:
            self._spaces.clear()
        if len(self.flaws) > MOST_SHAPES:
            self.flaws.clear()

    def flaws_of(self, kind: str, number: int, owner: object, find: Callable[[], Iterable[Flaw]]) -> tuple[Flaw, ...]:
        """What is wrong with a structure or a model, looked for once."""
        known = self.flaws.get((kind, number))
        if known is None or known[0] is not owner:
            known = self.flaws[kind, number] = (owner, tuple(find()))
        return known[1]


class View:
    """One landblock at one moment."""

    def __init__(self, block: Landblock, world: World, shapes: Shapes | None = None) -> None:
        self.id = block.id
        self.terrain: Terrain | None = block.terrain
        self.rooms: dict[int, EnvCell] = {cell.id: cell for cell in block.env_cells}
        self.buildings: list[Building] = list(block.buildings)
        self.statics: list[StaticObject] = list(block.statics)
        self.source: WorldSource = world.source
        self.shapes = shapes or Shapes()
        self._edges: list[Terrain] | None = None
        self._world = world
        self._placed: dict[int, Convex | None] = {}

    def load_all(self) -> View:
        """Ask for what the source or a model has to make first, so that another thread can go on from here."""
        for _, static in self.things():
            self.setup(static.model_id)
        for building in self.buildings:
            if building.shell is not None:
                _ = building.shell.polygons
        _ = self.neighbours
        return self

    def space(self, cell: EnvCell) -> Convex | None:
        """The space of a room's cell tree in its landblock."""
        if cell.id not in self._placed:
            space = self.shapes.space(cell.structure)
            self._placed[cell.id] = None if space is None else space.placed(cell.frame)
        return self._placed[cell.id]

    def structures(self) -> Iterable[tuple[CellStruct, list[EnvCell]]]:
        """Each structure with the rooms that have it, in the order of their ids."""
        found: dict[int, tuple[CellStruct, list[EnvCell]]] = {}
        for cell in self.rooms.values():
            found.setdefault(id(cell.structure), (cell.structure, []))[1].append(cell)
        return found.values()

    def things(self) -> Iterator[tuple[int, StaticObject]]:
        """The static things with the cells that they belong to: the landblock's own, then each room's."""
        for static in self.statics:
            yield get_outside_cell_id(self.id, static.frame.origin) or self.id, static
        for cell in self.rooms.values():
            for static in cell.static_objects:
                yield cell.id, static

    def setup(self, model_id: int) -> Setup | None:
        return self.source.setup(model_id)

    @property
    def neighbours(self) -> list[Terrain]:
        """The ground of the landblocks that share an edge with this one, as far as the world has them."""
        if self._edges is None:
            beside = [
                block_id
                for block_id in neighbour_ids(self.id)
                if (block_id >> 24 == self.id >> 24) != (block_id >> 16 & 0xFF == self.id >> 16 & 0xFF)
            ]
            self._edges = [terrain for terrain in map(self._ground_of, beside) if terrain is not None]
        return self._edges

    def _ground_of(self, block_id: int) -> Terrain | None:
        """The ground of another landblock, from its record alone where there is one: its rooms are not needed."""
        record = self.source.record(block_id)
        if isinstance(record, LandBlock):
            return Terrain(block_id, record.heights, record.terrain, self.source.height_table)
        block = self._world.landblock(block_id)
        return None if block is None else block.terrain
