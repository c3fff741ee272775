"""The base of all sources: builds each shape once, caches it, and assembles landblocks from records."""

from __future__ import annotations

import gc
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from engine.dat.records import CellStruct as CellStructRecord
from engine.dat.records import GfxObj as GfxObjRecord
from engine.dat.records import GfxObjDegradeInfo
from engine.dat.records import Setup as SetupRecord
from engine.world.cells.cell import CellStruct
from engine.world.cells.ids import landblock_id
from engine.world.cells.objects import GfxObj, Setup, is_setup_id
from engine.world.faults import MODEL, Fault, Severity
from engine.world.landblock import Landblock, SceneryMaker
from engine.world.loader.assemble import BlockRecords, assemble
from engine.world.loader.shapes import cell_struct, gfxobj, setup, single_part_setup
from engine.world.source import WorldSource

GFXOBJ_KIND: Final = 0x01

AS_AUTHORED: Final = 1
"""The degrade mode of a mesh that does not turn to the camera (rendering.md 18.5)."""


_pauses: Final[list[None]] = []
"""One entry for each active pause: several threads may change a list at once."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: a landblock is hundreds of thousands of objects that all stay, and examining
    them again and again takes as long as building them."""
    was_on = gc.isenabled()
    gc.disable()
    _pauses.append(None)
    try:
        yield
    finally:
        _pauses.pop()
        if was_on:
            gc.enable()


def collector_is_paused() -> bool:
    """Whether collection is paused, in any thread, for callers that collect manually."""
    return bool(_pauses)


def _see(shape: GfxObj | CellStruct) -> None:
    """Build everything that is built lazily."""
    _ = shape.polygons
    _ = shape.drawing_tree


class RecordSource(WorldSource):
    """A source with records, real or synthetic."""

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(name, kind)
        self._structs: dict[tuple[int, int], CellStruct | None] = {}
        self._gfxobjs: dict[int, GfxObj | None] = {}
        self._setups: dict[int, Setup | None] = {}

    # --- what each kind of source provides

    @abstractmethod
    def block_records(self, block_id: int) -> BlockRecords | None:
        """The records of a landblock; None when it has none."""

    @abstractmethod
    def struct_record(self, environment_id: int, index: int) -> CellStructRecord | None: ...

    @abstractmethod
    def gfxobj_record(self, gfxobj_id: int) -> GfxObjRecord | None: ...

    @abstractmethod
    def setup_record(self, setup_id: int) -> SetupRecord | None: ...

    def make_struct(self, record: CellStructRecord, environment_id: int, index: int) -> CellStruct:
        return cell_struct(record, environment_id, index)

    def make_gfxobj(self, record: GfxObjRecord) -> GfxObj:
        model = gfxobj(record)
        info = self.record(model.degrade_id) if model.degrade_id else None
        if isinstance(info, GfxObjDegradeInfo) and info.degrades:
            nearest = info.degrades[0]
            model.drawn_flat = nearest.degrade_mode != AS_AUTHORED
            if nearest.gfxobj_id not in (0, model.id):
                self._collide_like(model, nearest.gfxobj_id)
        return model

    def _collide_like(self, model: GfxObj, gfxobj_id: int) -> None:
        """Give a mesh the collision shape of the first entry of its degrade table: the client loads the meshes of the
        table and collides with the first, not with the one that names the table (rendering.md M4)."""
        record = self.gfxobj_record(gfxobj_id)
        if record is None:
            reason = f"0x{gfxobj_id:08X}, the first mesh of its degrade table, is missing; its own shape collides"
            model.faults.append(Fault(model.id, MODEL, reason, Severity.WARNING))
            return
        nearest = gfxobj(record)
        model.physics_polygons, model.physics_tree = nearest.physics_polygons, nearest.physics_tree
        model.bounding_sphere = nearest.bounding_sphere

    def scenery_maker(self) -> SceneryMaker | None:
        return None

    # --- what all sources share

    def load_landblock(self, block_id: int) -> Landblock | None:
        block_id = landblock_id(block_id)
        with collector_paused():
            records = self.block_records(block_id)
            if records is None:
                return None
            return assemble(
                block_id,
                records,
                self.cell_struct,
                self.setup,
                self.height_table,
                self.scenery_maker(),
                self.leaves_portals_out,
            )

    def cell_struct(self, environment_id: int, index: int) -> CellStruct | None:
        key = (environment_id, index)
        if key not in self._structs:
            record = self.struct_record(environment_id, index)
            self._structs[key] = None if record is None else self.make_struct(record, environment_id, index)
        return self._structs[key]

    def gfxobj(self, gfxobj_id: int) -> GfxObj | None:
        if gfxobj_id not in self._gfxobjs:
            record = self.gfxobj_record(gfxobj_id)
            self._gfxobjs[gfxobj_id] = None if record is None else self.make_gfxobj(record)
        return self._gfxobjs[gfxobj_id]

    def setup(self, model_id: int) -> Setup | None:
        if model_id not in self._setups:
            self._setups[model_id] = self._make_setup(model_id)
        return self._setups[model_id]

    def _make_setup(self, model_id: int) -> Setup | None:
        if is_setup_id(model_id):
            record = self.setup_record(model_id)
            return None if record is None else setup(record, self.gfxobj)
        model = self.gfxobj(model_id) if model_id >> 24 == GFXOBJ_KIND else None
        return None if model is None else single_part_setup(model)

    def model_faults(self) -> Iterator[Fault]:
        """The faults of all models. Each model is built, checked and dropped, so that a full client file can be
        checked.

        Lazily built parts are built here too, as are those of the structures in use.
        """
        sound: dict[int, GfxObj] = {}
        for model_id in self.model_ids():
            if is_setup_id(model_id):
                record = self.setup_record(model_id)
                yield from [] if record is None else setup(record, sound.get).faults
                continue
            mesh = self.gfxobj_record(model_id)
            if mesh is not None:
                model = self.make_gfxobj(mesh)
                _see(model)
                yield from model.faults
                # Setups only need to know whether the part exists.
                sound[model_id] = next(iter(sound.values()), model)
        for struct in self._structs.values():
            if struct is not None:
                _see(struct)
                yield from struct.faults

    def shape_faults(self) -> Iterator[Fault]:
        for struct in self._structs.values():
            yield from [] if struct is None else struct.faults
        for model in self._gfxobjs.values():
            yield from [] if model is None else model.faults
        for made in self._setups.values():
            yield from [] if made is None else made.faults
