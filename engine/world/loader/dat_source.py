"""A world from the client's data files, or from in-memory records in the same form (dat-format.md).

Records are read on demand. A missing or bad record is None to the caller, and a fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Final, TypeVar
from weakref import WeakMethod

from engine.dat.check import check
from engine.dat.datafolder import DatFolder
from engine.dat.ids import MAX_ID, DatKind, id_type
from engine.dat.records import Animation as AnimationRecord
from engine.dat.records import CellStruct as CellStructRecord
from engine.dat.records import DatRecord, EnvCell, Environment, LandBlock, LandBlockInfo, Region, Scene, UnknownRecord
from engine.dat.records import GfxObj as GfxObjRecord
from engine.dat.records import MotionTable as MotionTableRecord
from engine.dat.records import Setup as SetupRecord
from engine.world.block_index import BlockIndex
from engine.world.cells.ids import (
    FIRST_ENV_CELL,
    LAST_ENV_CELL,
    cell_text,
    in_block_of,
    landblock_id,
    landblock_info_id,
)
from engine.world.cells.motion import Animation, MotionTable
from engine.world.cells.objects import GfxObj
from engine.world.faults import CONTAINER, ENTITY, MODEL, REGION, SURFACE, Fault, Severity, WorldError
from engine.world.landblock import Landblock, SceneryMaker, neighbour_ids
from engine.world.loader.assemble import BlockRecords
from engine.world.loader.base import RecordSource
from engine.world.loader.entities_file import FILE_NAME, read_entities
from engine.world.loader.motions import animation, motion_table
from engine.world.loader.names_file import FILE_NAME as NAMES_FILE
from engine.world.loader.names_file import read_names
from engine.world.loader.record_file import RecordFile, Records
from engine.world.loader.shapes import FaultLog
from engine.world.loader.textures import Textures
from engine.world.scenery import PlacedScenery, SceneObject, SceneryTables, place_scenery
from engine.world.source import FoundRecord, SurfaceImage

REGION_ID: Final = 0x13000000
RUN: Final = 8192
"""Ids that are counted in one batch."""
MODEL_RANGES: Final = ((0x01000000, 0x0100FFFF), (0x02000000, 0x0200FFFF))

RecordT = TypeVar("RecordT", bound=DatRecord)


class DatSource(RecordSource):
    """A portal and a cell database, and the files beside them."""

    def __init__(
        self,
        name: str,
        portal: Records,
        cell: Records,
        highres: Records | None = None,
        local: Records | None = None,
    ) -> None:
        super().__init__(name, "data folder")
        portals = [portal] if highres is None else [portal, highres]
        self._portals = [RecordFile(records, DatKind.PORTAL, self.faults) for records in portals]
        self._local = [] if local is None else [RecordFile(local, DatKind.LOCAL, self.faults)]
        self._cell = RecordFile(cell, DatKind.CELL, self.faults)
        self._environments: dict[int, dict[int, CellStructRecord]] = {}
        self._animations: dict[int, Animation | None] = {}
        self._motion_tables: dict[int, MotionTable | None] = {}
        self._motion_faults: list[Fault] = []
        self._surfaces_there: dict[int, bool] = {}
        self._scenes: dict[int, list[SceneObject] | None] = {}
        """A landblock grows from up to 81 scenes, most landblocks from the same few."""
        self._block_index: BlockIndex | None = None
        self.folder: DatFolder | None = None
        """The open databases; None for records in memory."""
        self._files: Final = (*self._portals, *self._local, self._cell)
        """All databases, in the order in which an id is looked for."""
        files = self._files
        self.textures = Textures(lambda record_id: _record_of(files, record_id), portal.file, self.faults)
        self.region = self._portal_record(REGION_ID, Region)
        self._heights = self._read_heights()

    @staticmethod
    def open(path: Path) -> DatSource:
        """Open a data folder with its entities; raise a DatError when it is none."""
        folder = DatFolder(path)
        source = DatSource(folder.path.resolve().name, folder.portal, folder.cell, folder.highres, folder.local)
        source.folder = folder
        source.faults.extend(Fault(0, CONTAINER, str(problem), Severity.WARNING) for problem in folder.problems)
        source.entities, faults = read_entities(folder.path / FILE_NAME)
        source.faults.extend(faults)
        source._read_names(folder.path / NAMES_FILE)
        there: dict[int, bool] = {}
        for index, entity in enumerate(source.entities):
            if source.setup(entity.setup_id) is None:
                reason = f"{entity.name}: model {cell_text(entity.setup_id)} is missing or unreadable"
                source.faults.append(Fault(entity.guid, MODEL, reason, index=index))
            block_id = landblock_id(entity.cell_id)
            if block_id not in there:
                there[block_id] = source.has_block(block_id)
            if not there[block_id]:
                reason = f"{entity.name}: there is no landblock {cell_text(block_id)} for it to live in"
                source.faults.append(Fault(entity.guid, ENTITY, reason, index=index))
        return source

    def _read_names(self, path: Path) -> None:
        if path.exists():
            try:
                self.given_names = read_names(path).names
            except WorldError as error:
                self.faults.append(Fault(0, CONTAINER, f"{error}; no name is used", Severity.WARNING))

    def has_block(self, block_id: int) -> bool:
        """Whether a landblock has any record."""
        file = self._cell
        first, last = in_block_of(block_id, FIRST_ENV_CELL), in_block_of(block_id, LAST_ENV_CELL)
        return file.has(block_id) or file.has(landblock_info_id(block_id)) or bool(file.ids(first, last))

    def has_place(self, cell_id: int) -> bool:
        is_room = FIRST_ENV_CELL <= cell_id & 0xFFFF <= LAST_ENV_CELL
        return self._cell.has(cell_id if is_room else landblock_id(cell_id))

    def close(self) -> None:
        if self.folder is not None:
            self.folder.close()

    # --- records

    def databases(self) -> dict[str, RecordFile]:
        """The databases there are: portal, cell and perhaps highres and local."""
        portals = zip(("portal", "highres"), self._portals, strict=False)
        return dict([*portals, *(("local", file) for file in self._local), ("cell", self._cell)])

    def record(self, record_id: int) -> DatRecord | UnknownRecord | None:
        """The record with an id from the first database that has it; `records_of` has those of all."""
        return _record_of(self._files, record_id)

    def records_of(self, record_id: int) -> list[FoundRecord]:
        files = [file for file in self._files if file.has(record_id)]
        return [FoundRecord(record_id, file.file, file.decode(record_id)) for file in files]

    def has_record(self, record_id: int) -> bool:
        return any(file.has(record_id) for file in self._files)

    def _portal_record(self, record_id: int, cls: type[RecordT]) -> RecordT | None:
        for portal in self._portals:
            if portal.has(record_id):
                return portal.read(record_id, cls)
        return None

    def _read_heights(self) -> list[float]:
        usual = super().height_table
        if self.region is None:
            reason = "is missing or unreadable; heights are twice their index"
            self.faults.append(Fault(REGION_ID, REGION, reason, Severity.WARNING))
            return usual
        table = list(self.region.height_table)
        bad = [index for index, height in enumerate(table) if not isfinite(height)]
        if bad or len(table) != len(usual):
            wrong = f"entry {bad[0]} is {table[bad[0]]}" if bad else f"has {len(table)} entries"
            self.faults.append(Fault(REGION_ID, REGION, f"the height table is not used: {wrong}"))
            return usual
        return table

    @property
    def height_table(self) -> list[float]:
        return self._heights

    def model_ids(self) -> list[int]:
        return [model_id for low, high in MODEL_RANGES for model_id in self._portals[0].ids(low, high)]

    def record_counts(self) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for file in self._files:
            counts.update(id_type(record_id, file.kind).value for record_id in file.ids())
        return dict(sorted(counts.items()))

    def struct_record(self, environment_id: int, index: int) -> CellStructRecord | None:
        if environment_id not in self._environments:
            record = self._portal_record(environment_id, Environment)
            structures = [] if record is None else record.structures
            self._environments[environment_id] = {keyed.key: keyed.structure for keyed in reversed(structures)}
        return self._environments[environment_id].get(index)

    def gfxobj_record(self, gfxobj_id: int) -> GfxObjRecord | None:
        return self._portal_record(gfxobj_id, GfxObjRecord)

    def setup_record(self, setup_id: int) -> SetupRecord | None:
        return self._portal_record(setup_id, SetupRecord)

    def make_gfxobj(self, record: GfxObjRecord) -> GfxObj:
        model = super().make_gfxobj(record)
        model.faults.extend(self._missing_surfaces(record.id, record.surfaces))
        return model

    # --- motions

    def motion_table(self, table_id: int) -> MotionTable | None:
        if table_id not in self._motion_tables:
            record = self._portal_record(table_id, MotionTableRecord)
            self._motion_tables[table_id] = None if record is None else motion_table(record, self._finder)
        return self._motion_tables[table_id]

    @property
    def _finder(self) -> Callable[[int], Animation | None]:
        """Reader of animations for tables that read on demand; they do not keep the files open."""
        method = WeakMethod(self._animation)

        def find(animation_id: int) -> Animation | None:
            found = method()
            return None if found is None else found(animation_id)

        return find

    def _animation(self, animation_id: int) -> Animation | None:
        if animation_id not in self._animations:
            record = self._portal_record(animation_id, AnimationRecord)
            found = FaultLog(animation_id)
            self._animations[animation_id] = None if record is None else animation(record, found)
            self._motion_faults.extend(found.faults)
        return self._animations[animation_id]

    def shape_faults(self) -> Iterator[Fault]:
        yield from super().shape_faults()
        yield from self._motion_faults
        for table in self._motion_tables.values():
            yield from [] if table is None else table.faults

    # --- materials

    def surface_image(self, surface_id: int) -> SurfaceImage | None:
        return self.textures.surface(surface_id, self.jpeg)

    def texture_image(self, texture_id: int) -> SurfaceImage | None:
        return self.textures.texture(texture_id, self.jpeg)

    def _missing_surfaces(self, where: int, surface_ids: Iterable[int]) -> list[Fault]:
        there = self._surfaces_there
        faults: list[Fault] = []
        for index, surface_id in enumerate(surface_ids):
            if surface_id not in there:
                there[surface_id] = any(portal.has(surface_id) for portal in self._portals)
            if not there[surface_id]:
                faults.append(Fault(where, SURFACE, f"surface {cell_text(surface_id)} is not there", index=index))
        return faults

    # --- landblocks

    def landblock_ids(self) -> list[int]:
        """All landblocks with a land record or with rooms; see `block_index`."""
        return list(self.block_index().ids)

    def block_index(self, told: Callable[[float], None] | None = None) -> BlockIndex:
        """Index the landblocks by the ids of all records; the first time, a full client file takes a second."""
        if self._block_index is None:
            index = BlockIndex()
            for run in self._cell.id_runs(RUN):
                index.add(run)
                if told is not None:
                    told(run[-1] / MAX_ID)
            self._block_index = index
        return self._block_index

    def land_record(self, block_id: int) -> bytes | None:
        return self._cell.raw(block_id)

    def block_records(self, block_id: int) -> BlockRecords | None:
        records = BlockRecords()
        file = self._cell
        room_ids = file.ids(in_block_of(block_id, FIRST_ENV_CELL), in_block_of(block_id, LAST_ENV_CELL))
        info_id = landblock_info_id(block_id)
        if not room_ids and not file.has(block_id) and not file.has(info_id):
            return None
        records.land = file.read(block_id, LandBlock, records.faults)
        records.info = file.read(info_id, LandBlockInfo, records.faults)
        rooms = [file.read(room_id, EnvCell, records.faults) for room_id in room_ids]
        records.cells = [room for room in rooms if room is not None]
        if records.land is not None:
            # A neighbour that cannot be read reports its faults when it is loaded itself.
            around = [file.read(neighbour_id, LandBlock, []) for neighbour_id in neighbour_ids(block_id)]
            records.neighbours = [neighbour for neighbour in around if neighbour is not None]
        return records

    def load_landblock(self, block_id: int) -> Landblock | None:
        block = super().load_landblock(block_id)
        for cell in [] if block is None else block.env_cells:
            cell.faults.extend(self._missing_surfaces(cell.id, cell.surfaces))
        return block

    def scenery_maker(self) -> SceneryMaker | None:
        region = self.region
        if region is None or region.scene_types is None:
            return None
        tables = SceneryTables(
            [kind.scene_types for kind in region.terrain_types],
            [kind.scenes for kind in region.scene_types],
            self.scene_objects,
        )

        def make(block: Landblock) -> tuple[list[PlacedScenery], list[Fault]]:
            if block.terrain is None or block.is_dungeon:
                return [], []
            return place_scenery(block.terrain, tables, block.building_cells, self._sorting_radius)

        return make

    def _sorting_radius(self, model_id: int) -> float:
        model = self.setup(model_id)
        return 0.0 if model is None else model.sorting_sphere.radius

    def scene_objects(self, scene_id: int) -> list[SceneObject] | None:
        if scene_id not in self._scenes:
            self._scenes[scene_id] = self._read_scene(scene_id)
        return self._scenes[scene_id]

    def _read_scene(self, scene_id: int) -> list[SceneObject] | None:
        record = self._portal_record(scene_id, Scene)
        if record is None:
            return None
        return [
            SceneObject(
                model_id=thing.model_id,
                base_origin=thing.frame.origin,
                base_rotation=thing.frame.rotation,
                frequency=thing.frequency,
                displace_x=thing.displace_x,
                displace_y=thing.displace_y,
                min_scale=thing.min_scale,
                max_scale=thing.max_scale,
                max_rotation=thing.max_rotation,
                min_slope=thing.min_slope,
                max_slope=thing.max_slope,
                align=thing.align != 0,
                weenie=thing.weenie != 0,
            )
            for thing in record.objects
        ]

    # --- checks

    def container_faults(self) -> Iterator[Fault]:
        """The faults of the databases as containers and of each portal record; landblocks report the others."""
        folder = self.folder
        databases = [] if folder is None else [folder.portal, folder.cell, folder.highres, folder.local]
        for database in databases:
            for error in [] if database is None else check(database):
                yield Fault(error.record_id or 0, CONTAINER, str(error))
        known = len(self.faults)
        for file in (*self._portals, *self._local):
            for record_id in file.ids():
                file.decode(record_id)
        yield from self.faults[known:]


def _record_of(files: Sequence[RecordFile], record_id: int) -> DatRecord | UnknownRecord | None:
    """Return the record from the first file that has it."""
    for file in files:
        if file.has(record_id):
            return file.decode(record_id)
    return None
