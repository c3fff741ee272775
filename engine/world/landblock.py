"""A loaded landblock: its ground, cells, buildings, things and faults.
Spec: physics.md 15.2, dat-format.md 2.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

from engine.geometry.constants import VERTEX_DIM
from engine.world.cells.cell import Building, EnvCell, LandCell, ObjCell
from engine.world.cells.ids import block_text, block_x, block_y, landblock_id, low_of
from engine.world.cells.landdefs import blockid_to_lcoord
from engine.world.cells.objects import StaticObject, static_object_id
from engine.world.cells.terrain import SQUARES, Terrain, vertex_index
from engine.world.faults import TERRAIN_EDGE, Fault, Severity
from engine.world.scenery import PlacedScenery

SceneryMaker = Callable[["Landblock"], tuple[list[PlacedScenery], list[Fault]]]


class Landblock:
    """One landblock. The cells are in the order of their ids, land before rooms; no terrain, no land cells.

    Scenery is made when it is first asked for: it needs scene records and triangles that nothing else does.
    """

    def __init__(
        self,
        cell_id: int,
        terrain: Terrain | None,
        cells: Sequence[ObjCell],
        *,
        has_info: bool = False,
        num_cells: int = 0,
        buildings: Sequence[Building] = (),
        statics: Sequence[StaticObject] = (),
        faults: Sequence[Fault] = (),
        make_scenery: SceneryMaker | None = None,
    ) -> None:
        """`has_info` and `num_cells` come from the records; `cells` are those that could be loaded."""
        self.id = landblock_id(cell_id)
        self.terrain = terrain
        self.cells = sorted(cells, key=lambda cell: cell.id)
        self.has_info = has_info
        self.num_cells = num_cells
        self.buildings = list(buildings)
        self.statics = list(statics)
        self.faults = list(faults)
        self._make_scenery = make_scenery
        self._scenery: list[PlacedScenery] | None = None
        self._grown: list[StaticObject] | None = None
        self._original: Landblock | None = None

    def __repr__(self) -> str:
        return f"Landblock({block_text(self.id)})"

    def fork(self) -> Landblock:
        """The same landblock for another simulation: empty cells of its own, everything else shared."""
        forked = copy.copy(self)
        forked.cells = [cell.fork() for cell in self.cells]
        forked._original = self
        return forked

    @property
    def land_cells(self) -> list[LandCell]:
        return [cell for cell in self.cells if isinstance(cell, LandCell)]

    @property
    def env_cells(self) -> list[EnvCell]:
        return [cell for cell in self.cells if isinstance(cell, EnvCell)]

    @property
    def scenery(self) -> list[PlacedScenery]:
        """Trees and rocks; the faults of their tables join the landblock's."""
        if self._original is not None:
            return self._original.scenery
        if self._scenery is None:
            self._scenery = []
            if self._make_scenery is not None:
                self._scenery, faults = self._make_scenery(self)
                self.faults += faults
        return self._scenery

    @property
    def grown(self) -> list[StaticObject]:
        """The scenery as static things, with their ids."""
        if self._original is not None:
            return self._original.grown
        if self._grown is None:
            self._grown = [
                StaticObject(static_object_id(self.id, index), plant.model_id, plant.frame, plant.scale)
                for index, plant in enumerate(self.scenery)
            ]
        return self._grown

    @property
    def building_cells(self) -> list[int]:
        """Low halves of the land cells that own a building, ascending."""
        return sorted({low_of(building.cell_id) for building in self.buildings})

    @property
    def has_dungeon(self) -> bool:
        """There are rooms but no building to reach them by: a dungeon, or an estate with a basement."""
        return not self.buildings and (self.num_cells > 0 or bool(self.env_cells))

    @property
    def is_dungeon(self) -> bool:
        """Rooms, no building, and all height bytes zero: nobody walks outdoors here."""
        return self.has_dungeon and self.terrain is not None and self.terrain.all_heights_zero()


def neighbour_ids(cell_id: int) -> list[int]:
    """The ids 0xXXYYFFFF of the up to eight landblocks around, west to east and south to north."""
    found: list[int] = []
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            x, y = block_x(cell_id) + dx, block_y(cell_id) + dy
            neighbour = landblock_id((x & 0xFF) << 24 | (y & 0xFF) << 16)
            if (dx or dy) and min(x, y) >= 0 and blockid_to_lcoord(neighbour) is not None:
                found.append(neighbour)
    return found


def edge_faults(terrain: Terrain, neighbour: Terrain) -> list[Fault]:
    """Return the faults of the first of two adjacent landblocks where their shared vertices differ.

    Heights that differ tear the ground open, terrain words that differ only show in the picture.
    """
    shared = list(_shared_vertices(terrain.cell_id, neighbour.cell_id))
    kinds = (
        ("height indices", terrain.height_indices, neighbour.height_indices, Severity.WARNING),
        ("terrain words", terrain.words, neighbour.words, Severity.INFO),
    )
    faults: list[Fault] = []
    for what, ours, theirs, severity in kinds:
        different = [(here, there) for here, there in shared if ours[here] != theirs[there]]
        if different:
            here, there = different[0]
            column, row = divmod(here, VERTEX_DIM)
            reason = (
                f"{what} differ from landblock {block_text(neighbour.cell_id)} at {len(different)} of {len(shared)} "
                f"shared vertices, first at column {column}, row {row}: {ours[here]} here, {theirs[there]} there"
            )
            faults.append(Fault(terrain.cell_id, TERRAIN_EDGE, reason, severity))
    return faults


def _shared_vertices(block: int, neighbour: int) -> list[tuple[int, int]]:
    """The vertices of `block` that also belong to `neighbour`: the index of each in both."""
    dx, dy = block_x(neighbour) - block_x(block), block_y(neighbour) - block_y(block)
    return [
        (vertex_index(i, j), vertex_index(i - SQUARES * dx, j - SQUARES * dy))
        for i in range(VERTEX_DIM)
        for j in range(VERTEX_DIM)
        if 0 <= i - SQUARES * dx < VERTEX_DIM and 0 <= j - SQUARES * dy < VERTEX_DIM
    ]
