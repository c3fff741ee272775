"""A world from a scene in the goldens' JSON form (physics.md 13.11).

There are no textures, no drawing trees and no scenery. Land exists only where the scene has terrain: its own landblock
and the eight around it.
"""

from __future__ import annotations

from pathlib import Path

from engine.dat.records import CellStruct as CellStructRecord
from engine.dat.records import GfxObj as GfxObjRecord
from engine.dat.records import Setup as SetupRecord
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO
from engine.world.cells.cell import CellStruct
from engine.world.cells.ids import cell_text
from engine.world.cells.objects import GfxObj
from engine.world.faults import BUILDING, CELL_TREE, PHYSICS_TREE, Fault, Severity
from engine.world.landblock import Landblock
from engine.world.loader.assemble import BlockRecords
from engine.world.loader.base import RecordSource
from engine.world.loader.json_form import JsonNode, read_json
from engine.world.loader.rooms import ENVIRONMENT_BASE
from engine.world.loader.scene_records import ENVIRONMENT, SceneRecords, read_scene


class SceneSource(RecordSource):
    """One scene; everything is read at once."""

    leaves_portals_out = True

    def __init__(self, root: JsonNode) -> None:
        self.records: SceneRecords = read_scene(root)
        super().__init__(self.records.name, "scene")
        self.entities = self.records.entities

    @staticmethod
    def open(path: Path) -> SceneSource:
        return SceneSource(read_json(path))

    def landblock_ids(self) -> list[int]:
        return sorted({self.records.block_id, *self.records.land})

    def block_records(self, block_id: int) -> BlockRecords | None:
        if block_id not in self.landblock_ids():
            return None
        # No neighbours to compare edges with: the flat land around a scene need not meet its terrain.
        records = BlockRecords(self.records.land.get(block_id), counted=False)
        if block_id == self.records.block_id:
            records.info = self.records.info
            records.cells = self.records.cells
        if records.land is not None:
            records.land.has_info = int(records.info is not None)
        return records

    def load_landblock(self, block_id: int) -> Landblock | None:
        block = super().load_landblock(block_id)
        if block is not None:
            for building in block.buildings:
                expected = (block.id & 0xFFFF0000) | self.records.building_cell
                if building.cell_id not in (expected, 0):
                    reason = f"stands in {cell_text(building.cell_id)} and is said to be in {cell_text(expected)}"
                    building.faults.append(Fault(block.id, BUILDING, reason, Severity.WARNING))
        return block

    def struct_record(self, environment_id: int, index: int) -> CellStructRecord | None:
        if environment_id != ENVIRONMENT_BASE | ENVIRONMENT or not 0 <= index < len(self.records.structures):
            return None
        return self.records.structures[index]

    def make_struct(self, record: CellStructRecord, environment_id: int, index: int) -> CellStruct:
        struct = super().make_struct(record, environment_id, index)
        # A record must have both trees, so it gets a single leaf. The cells themselves say that there is no tree.
        if index in self.records.no_cell_tree:
            struct.cell_tree = None
            struct.faults = [fault for fault in struct.faults if fault.what != CELL_TREE]
        if index in self.records.no_physics_tree:
            struct.physics_tree = None
            struct.faults = [fault for fault in struct.faults if fault.what != PHYSICS_TREE]
        return struct

    def gfxobj_record(self, gfxobj_id: int) -> GfxObjRecord | None:
        return self.records.gfxobjs.get(gfxobj_id)

    def make_gfxobj(self, record: GfxObjRecord) -> GfxObj:
        model = super().make_gfxobj(record)
        radius = self.records.bounds.get(record.id)
        if radius is not None:
            model.bounding_sphere = Sphere(ZERO, radius)
        return model

    def setup_record(self, setup_id: int) -> SetupRecord | None:
        return self.records.setups.get(setup_id)

    def model_ids(self) -> list[int]:
        return sorted([*self.records.gfxobjs, *self.records.setups])

    def record_counts(self) -> dict[str, int]:
        made = self.records
        counts = {"cells": len(made.cells), "landblocks": len(self.landblock_ids()), "GfxObj": len(made.gfxobjs)}
        return {**counts, "Setup": len(made.setups), "objects": len(made.entities)}

    def close(self) -> None:
        """Do nothing: no file is open."""
