"""An open world: one source, one cell graph over it, and the landblocks loaded so far (ARCHITECTURE.md, promise 1)."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from engine.world.cells.cell import ObjCell
from engine.world.cells.ids import landblock_id
from engine.world.cells.motion import MotionTable
from engine.world.cells.objects import GfxObj, Setup
from engine.world.entity_index import EntityIndex
from engine.world.entity_spec import EntitySpec
from engine.world.faults import Fault
from engine.world.graph.graph import CURRENT, CellGraph, GraphChange
from engine.world.landblock import Landblock
from engine.world.names import Names
from engine.world.source import SurfaceImage, WorldSource


class World:
    """The world that the editor has open, or that a simulation runs in.

    `graph` answers for cells and loads their landblocks; whatever else belongs to a landblock (terrain, buildings,
    statics, scenery) is found through `landblock`.

    A run changes cells: bodies enter and leave them, edits replace them. So each simulation works in a fork, a world
    with cells and a graph of its own over the records, trees, meshes and stab lists of the loaded one. A fork takes a
    landblock from the loaded world when it is first asked for, and the loaded world never sees what a fork does.
    """

    def __init__(self, source: WorldSource, path: Path | None = None, loaded: World | None = None) -> None:
        """`loaded` is the world of which this one is a fork; without it the world loads from its source."""
        self.source = source
        self.path = path
        self._loaded = loaded
        self.graph = CellGraph(self._load)
        self._landblocks: dict[int, Landblock] = {}
        self._entity_index: EntityIndex | None = None
        self.names: Names = Names(source.given_names) if loaded is None else loaded.names
        """What people call its cells, portals and models; runs share them, and nothing that runs reads them."""
        self.graph.observe(self._keep_up)

    def __repr__(self) -> str:
        return f"World({self.source.kind} {self.name!r})"

    def __enter__(self) -> World:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def entities(self) -> list[EntitySpec]:
        """The valid entities that are listed with the world; simulations bring them to life. A server's are not among
        them: `entities_of` and `EntityIndex.everywhere` have those too."""
        return self.entity_index.specs

    @property
    def loaded(self) -> World:
        """The world that was loaded: this one, or the one it is a fork of."""
        return self if self._loaded is None else self._loaded

    def fork(self) -> World:
        """A world for another run over the loaded one, without anything that a run has changed."""
        return World(self.source, self.path, self.loaded)

    def close(self) -> None:
        """Stop loading and break all reference cycles. Only the loaded world closes its source."""
        self.graph.unobserve(self._keep_up)
        self.graph.stop_loading()
        if self._loaded is None:
            if self.source.by_block is not None:
                self.source.by_block.close()
            self.source.close()

    # --- landblocks

    def landblock_ids(self) -> list[int]:
        """All landblocks of the world, loaded or not, ascending."""
        return self.source.landblock_ids()

    def landblock(self, cell_id: int) -> Landblock | None:
        """The landblock that any id in it names, loaded if need be; None when the world has none there."""
        self.graph.load_landblock(cell_id)
        return self._landblocks.get(landblock_id(cell_id))

    def loaded_landblocks(self) -> list[Landblock]:
        return [self._landblocks[block_id] for block_id in sorted(self._landblocks)]

    def entities_of(self, cell_id: int) -> list[EntitySpec]:
        """The entities that start in the landblock of an id. The list is the world's own."""
        return self.entity_index.of_block(cell_id)

    def entity_spec(self, entity_id: int) -> EntitySpec | None:
        """An entity as it is in the world's list, alive or not."""
        return self.entity_index.find(entity_id)

    @property
    def entity_index(self) -> EntityIndex:
        """The world's list of entities by landblock and id."""
        if self._loaded is not None:
            return self._loaded.entity_index
        listed, by_block, index = self.source.entities, self.source.by_block, self._entity_index
        if index is None or index.listed is not listed or index.count != len(listed) or index.by_block is not by_block:
            index = self._entity_index = EntityIndex(listed, by_block)
        return index

    def _load(self, block_id: int) -> list[ObjCell] | None:
        block = self._new_landblock(block_id)
        if block is None:
            return None
        self._landblocks[block_id] = block
        return block.cells

    def _new_landblock(self, block_id: int) -> Landblock | None:
        if self._loaded is None:
            return self.source.load_landblock(block_id)
        block = self._loaded.landblock(block_id)
        return None if block is None else block.fork()

    def _keep_up(self, change: GraphChange) -> None:
        """The lists of the landblocks follow the graph, which edits change."""
        if change.kind == CURRENT:
            return
        for block_id in sorted({landblock_id(cell_id) for cell_id in change.cell_ids}):
            if not self.graph.is_loaded(block_id):
                self._landblocks.pop(block_id, None)
            elif block_id in self._landblocks:
                self._landblocks[block_id].cells = self.graph.cells_of(block_id)

    # --- models, records, materials

    def gfxobj(self, gfxobj_id: int) -> GfxObj | None:
        return self.source.gfxobj(gfxobj_id)

    def setup(self, model_id: int) -> Setup | None:
        """The model of a Setup's id, or of a GfxObj's as a setup of one part."""
        return self.source.setup(model_id)

    def motion_table(self, table_id: int) -> MotionTable | None:
        return self.source.motion_table(table_id)

    def record(self, record_id: int) -> object | None:
        """The record of an id (engine.dat.records): animations, motion tables, the region. None in scenes and dumps."""
        return self.source.record(record_id)

    def surface_image(self, surface_id: int) -> SurfaceImage | None:
        return self.source.surface_image(surface_id)

    def texture_image(self, texture_id: int) -> SurfaceImage | None:
        return self.source.texture_image(texture_id)

    # --- faults

    def faults(self) -> list[Fault]:
        """Everything found wrong so far: with the source, with models, and with the loaded landblocks in id order."""
        found = [*self.source.faults, *self.entity_index.faults, *self.source.shape_faults()]
        for block in self.loaded_landblocks():
            found.extend(self.landblock_faults(block.id))
        return found

    def landblock_faults(self, cell_id: int) -> list[Fault]:
        """The faults of a loaded landblock, its buildings and its cells; those of scenery too once it is made."""
        block = self._landblocks.get(landblock_id(cell_id))
        if block is None:
            return []
        found = list(block.faults)
        for building in block.buildings:
            found.extend(building.faults)
        for cell in block.cells:
            found.extend(cell.faults)
        return found
