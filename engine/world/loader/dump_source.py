"""A world from the fixtures' dump files (physics.md 12.2, 12.3; fixtures/README).

Physics and cell trees are compiled from the polygons. Each portal is joined with the one on the other side whose
corners coincide. A model has no position of its own: a `Placement` positions it, or it is only available by its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from engine.dat.records import (
    BspNode,
    BuildingInfo,
    BuildingPortal,
    EnvCell,
    EnvCellPortal,
    LandBlock,
    LandBlockInfo,
    RecordFrame,
    Stab,
)
from engine.dat.records import CellStruct as CellStructRecord
from engine.dat.records import GfxObj as GfxObjRecord
from engine.dat.records import Setup as SetupRecord
from engine.geometry.compile.cell import compile_cell
from engine.geometry.compile.physics import compile_physics
from engine.geometry.errors import GeometryError
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3, distance
from engine.world.cells.cell import CellStruct
from engine.world.cells.ids import cell_text, in_block_of, landblock_id, landblock_info_id
from engine.world.cells.objects import GfxObj
from engine.world.cells.portals import EXACT_MATCH, SIDE, is_exit
from engine.world.cells.terrain import VERTICES
from engine.world.faults import CELL_TREE, MODEL, PHYSICS_TREE, RECORD, STAB_LIST, Fault, WorldError
from engine.world.landblock import neighbour_ids
from engine.world.loader.assemble import BlockRecords
from engine.world.loader.base import RecordSource
from engine.world.loader.dump_records import (
    UNKNOWN_PORTAL,
    CellDump,
    ModelDump,
    cell_dump,
    is_model_file,
    model_dump,
)
from engine.world.loader.json_form import JsonNode, read_json
from engine.world.loader.rooms import ENVIRONMENT_BASE
from engine.world.loader.scene_records import SEEN_OUTSIDE
from engine.world.loader.shapes import FaultLog, cell_struct, gfxobj

ENVIRONMENT: Final = 0x0001
"""Synthetic: holds a structure for each cell, numbered in the order of the cells."""

SAME_CORNER: Final = 0.002
"""Metres between the corners of an opening as its two cells give them; their frames are rounded differently."""

HAS_PHYSICS: Final = 0x1


DumpT = TypeVar("DumpT", CellDump, ModelDump)


@dataclass(frozen=True, slots=True)
class Placement:
    """The position of a dumped model: as a static object, or as the building around the rooms with the same frame.

    `cell_id` is any id in the landblock.
    """

    model_id: int
    cell_id: int
    frame: Frame
    building: bool = False


class DumpSource(RecordSource):
    """The dumps in some folders or files, opened as one world.

    With `ground`, flat land of that height in metres covers the landblocks and their neighbours; without it there is no
    land. `read` has the files already read to detect their type.
    """

    leaves_portals_out = True

    def __init__(
        self,
        name: str,
        files: Iterable[Path],
        placements: Sequence[Placement] = (),
        ground: float | None = None,
        read: Mapping[Path, JsonNode] = MappingProxyType({}),
    ) -> None:
        super().__init__(name, "dump")
        self._cells: dict[int, CellDump] = {}
        self._models: dict[int, ModelDump] = {}
        self._placements = placements
        self._ground = ground
        self._read(files, read)
        self._numbers = {cell_id: number for number, cell_id in enumerate(self._cells)}
        self._blocks = {landblock_id(cell_id) for cell_id in self._cells}
        self._blocks.update(landblock_id(placement.cell_id) for placement in placements)
        self._land: set[int] = set()
        if ground is not None:
            self._land = {near for block_id in self._blocks for near in (block_id, *neighbour_ids(block_id))}
        for placement in placements:
            if placement.model_id not in self._models:
                self.faults.append(Fault(placement.model_id, MODEL, "is placed, and there is no dump of it"))

    def _read(self, files: Iterable[Path], read: Mapping[Path, JsonNode]) -> None:
        failed: WorldError | None = None
        cells: dict[int, CellDump] = {}
        for file in files:
            try:
                if is_model_file(file):
                    model = model_dump(read.get(file) or read_json(file))
                    self._keep(self._models, model.gfxobj_id, model, file)
                else:
                    cell = cell_dump(read.get(file) or read_json(file))
                    self._keep(cells, cell.cell_id, cell, file)
            except WorldError as error:
                failed = failed or error
                self.faults.append(Fault(0, RECORD, f"{error}; left out"))
        if failed is not None and not cells and not self._models:
            raise failed
        self._cells = {cell_id: cells[cell_id] for cell_id in sorted(cells)}

    def _keep(self, table: dict[int, DumpT], record_id: int, dump: DumpT, file: Path) -> None:
        if record_id in table:
            self.faults.append(Fault(record_id, RECORD, f"{file}: there is another dump of it; the first one counts"))
            return
        table[record_id] = dump
        if not file.name.lower().startswith(cell_text(record_id).lower()):
            self.faults.append(Fault(record_id, RECORD, f"{file}: the file is named after something else"))

    @property
    def height_table(self) -> list[float]:
        return [self._ground or 0.0] * 256

    def landblock_ids(self) -> list[int]:
        return sorted(self._blocks | self._land)

    def block_records(self, block_id: int) -> BlockRecords | None:
        if block_id not in self._blocks and block_id not in self._land:
            return None
        records = BlockRecords(counted=False)
        dumps = [dump for dump in self._cells.values() if landblock_id(dump.cell_id) == block_id]
        records.cells = [self._cell_record(dump) for dump in dumps]
        records.faults = [fault for dump in dumps for fault in (*dump.faults, *_foreign_faults(dump))]
        placed = [placement for placement in self._placements if landblock_id(placement.cell_id) == block_id]
        if placed:
            objects = [Stab(p.model_id, _record_frame(p.frame)) for p in placed if not p.building]
            buildings = [self._building(p, records.cells) for p in placed if p.building]
            records.info = LandBlockInfo(landblock_info_id(block_id), len(records.cells), objects, buildings)
        if block_id in self._land:
            records.land = LandBlock(block_id, int(records.info is not None), [0] * VERTICES, [0] * VERTICES)
        return records

    # --- cells

    def _cell_record(self, dump: CellDump) -> EnvCell:
        return EnvCell(
            dump.cell_id,
            SEEN_OUTSIDE if self._sees_outside(dump) else 0,
            [],
            ENVIRONMENT,
            self._numbers[dump.cell_id],
            dump.frame,
            [self._joined(dump, portal) for portal in dump.portals],
            [cell_id & 0xFFFF for cell_id in dump.visible_cells if cell_id >> 16 == dump.cell_id >> 16],
        )

    def _sees_outside(self, dump: CellDump) -> bool:
        """Dumps omit this flag: a cell sees the outdoors when it, or a cell in its stab list, has an exit."""
        seen = [dump, *(self._cells[cell_id] for cell_id in dump.visible_cells if cell_id in self._cells)]
        return any(_leads_outside(portal) for cell in seen for portal in cell.portals)

    def _joined(self, dump: CellDump, portal: EnvCellPortal) -> EnvCellPortal:
        """The portal with the number of its other side: the portal with the same corners, or the only one back."""
        if _leads_outside(portal):
            return EnvCellPortal(portal.flags, portal.polygon_id, portal.other_cell_id, 0)
        other = self._cells.get(in_block_of(dump.cell_id, portal.other_cell_id))
        number = UNKNOWN_PORTAL
        if other is not None:
            back = [i for i, p in enumerate(other.portals) if p.other_cell_id == dump.cell_id & 0xFFFF]
            corners = _corners(dump, portal)
            same = [i for i in back if _same_corners(corners, _corners(other, other.portals[i]))]
            number = same[0] if same else back[0] if len(back) == 1 else UNKNOWN_PORTAL
        return EnvCellPortal(portal.flags, portal.polygon_id, portal.other_cell_id, number)

    def struct_record(self, environment_id: int, index: int) -> CellStructRecord | None:
        dumps = list(self._cells.values())
        if environment_id != ENVIRONMENT_BASE | ENVIRONMENT or not 0 <= index < len(dumps):
            return None
        dump = dumps[index]
        openings = [portal.polygon_id for portal in dump.portals]
        mesh, none = dump.mesh, BspNode("LEAF")
        return CellStructRecord(mesh.vertices, mesh.visible, openings, none, mesh.physics, none, None, 0)

    def make_struct(self, record: CellStructRecord, environment_id: int, index: int) -> CellStruct:
        struct = cell_struct(record, environment_id, index)
        found = FaultLog(environment_id)
        solid = list(struct.physics_polygons.values())
        openings = [struct.polygons[key] for key in struct.portal_ids if key in struct.polygons]
        struct.physics_tree = struct.cell_tree = None
        try:
            struct.physics_tree = compile_physics(solid, openings=openings, room=True)
        except GeometryError as error:
            found.error(PHYSICS_TREE, f"could not be made: {error}", index)
        try:
            struct.cell_tree = compile_cell(solid, openings)
        except GeometryError as error:
            found.error(CELL_TREE, f"could not be made: {error}", index)
        # The record's trees exist only because a record must have some.
        struct.faults = [fault for fault in struct.faults if fault.what != CELL_TREE] + found.faults
        return struct

    # --- models

    def _building(self, placement: Placement, cells: Sequence[EnvCell]) -> BuildingInfo:
        """The rooms with the shell's own frame are the ones inside; each of their exits is an entry of the building."""
        portals: list[BuildingPortal] = []
        for cell in cells:
            if not Frame(cell.frame.origin, cell.frame.rotation).equals(placement.frame):
                continue
            for index, portal in enumerate(cell.portals):
                if _leads_outside(portal):
                    stab_list = sorted({cell.id & 0xFFFF, *cell.visible_cells})
                    portals.append(BuildingPortal(EXACT_MATCH | SIDE, cell.id & 0xFFFF, index, stab_list))
        return BuildingInfo(placement.model_id, _record_frame(placement.frame), 0, portals)

    def gfxobj_record(self, gfxobj_id: int) -> GfxObjRecord | None:
        dump = self._models.get(gfxobj_id)
        if dump is None:
            return None
        mesh = dump.mesh
        return GfxObjRecord(
            gfxobj_id, HAS_PHYSICS, [], mesh.vertices, mesh.physics, BspNode("LEAF"), ZERO, mesh.visible, None
        )

    def make_gfxobj(self, record: GfxObjRecord) -> GfxObj:
        model = gfxobj(record)
        center, radius = self._models[record.id].bounding_sphere
        model.drawing_sphere = Sphere(center, radius) if radius > 0.0 else None
        model.physics_tree, model.bounding_sphere = None, model.drawing_sphere
        try:
            model.physics_tree = compile_physics(list(model.physics_polygons.values()), openings=[], room=False)
            model.bounding_sphere = model.physics_tree.root.sphere
        except GeometryError as error:
            model.faults.append(Fault(record.id, PHYSICS_TREE, f"could not be made: {error}"))
        return model

    def setup_record(self, setup_id: int) -> SetupRecord | None:
        return None

    def model_ids(self) -> list[int]:
        return sorted(self._models)

    def record_counts(self) -> dict[str, int]:
        return {"cells": len(self._cells), "landblocks": len(self.landblock_ids()), "GfxObj": len(self._models)}

    def close(self) -> None:
        """Do nothing: no file is open."""


def _leads_outside(portal: EnvCellPortal) -> bool:
    return is_exit(portal.flags, portal.other_cell_id)


def _foreign_faults(dump: CellDump) -> list[Fault]:
    """Stab lists never cross a landblock."""
    foreign = [cell_text(cell_id) for cell_id in dump.visible_cells if cell_id >> 16 != dump.cell_id >> 16]
    if not foreign:
        return []
    return [Fault(dump.cell_id, STAB_LIST, f"{', '.join(foreign)} of another landblock left out")]


def _record_frame(frame: Frame) -> RecordFrame:
    return RecordFrame(frame.origin, frame.rotation)


def _corners(dump: CellDump, portal: EnvCellPortal) -> list[Vec3]:
    """The corners of the portal's polygon in the landblock; none when there is no such polygon."""
    frame = Frame(dump.frame.origin, dump.frame.rotation)
    positions = [vertex.position for vertex in dump.mesh.vertices]
    for polygon in dump.mesh.visible:
        if polygon.key == portal.polygon_id:
            return [frame.local_to_global(positions[key]) for key in polygon.vertex_ids]
    return []


def _same_corners(a: list[Vec3], b: list[Vec3]) -> bool:
    return len(a) == len(b) > 0 and all(any(distance(p, q) <= SAME_CORNER for q in b) for p in a)
