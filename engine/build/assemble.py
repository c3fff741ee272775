"""Assembles the records of both databases from a description, in a fixed order: equal descriptions make equal bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.build.built import BuiltWorld
from engine.build.entities import Entity
from engine.build.errors import BuildError
from engine.build.ground import BLOCK, SPACING, GroundVertices
from engine.build.humans import put_human
from engine.build.interiors import Interior
from engine.build.landblocks import Landblock
from engine.build.materials import Material, TextureProvider
from engine.build.records.cells import (
    EXACT_MATCH,
    INSIDE_IN_FRONT,
    CellRecords,
    NumberedCell,
    number_cells,
    portal_index,
)
from engine.build.records.materials import MaterialRecords
from engine.build.records.models import ModelRecords, placed
from engine.build.records.numbering import PortalRecords
from engine.build.records.region import make_region
from engine.build.region import RegionPlan
from engine.build.shapes.faces import bounds_of
from engine.dat.errors import DatError
from engine.dat.records import BuildingInfo, BuildingPortal, DatRecord, LandBlock, LandBlockInfo
from engine.dat.records.catalogue import write_record
from engine.geometry.frame import Frame, combine
from engine.world.cells.ids import land_cell_low
from engine.world.entity_spec import EntitySpec
from engine.world.names import NameKey

SHELL_REACH: Final = 0.45
"""Metres that a shell may stand beyond the land cell of its origin. The client collides with a building only in that
cell; a body of 0.48 m radius beside such an overhang still touches the cell."""

LAST_BLOCK: Final = 0xFE
GUID_BASE: Final = 0x70000000
"""Guids of the static entities of a landblock: 0x7, the landblock, a number of three digits."""
LAST_GUID: Final = 0xFFF


@dataclass
class _Output:
    """The records that a world is assembled into."""

    records: PortalRecords
    cell: dict[int, DatRecord] = field(default_factory=dict)
    entities: list[EntitySpec] = field(default_factory=list)
    names: dict[str, list[int]] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)
    described: dict[NameKey, str] = field(default_factory=dict)


class Assembly:
    """Makes the records of a world; for one use."""

    def __init__(
        self,
        materials: Mapping[str, Material],
        textures: TextureProvider | None,
        region: RegionPlan,
        ground: GroundVertices,
        *,
        human: bool = False,
    ) -> None:
        self._out = _Output(PortalRecords())
        self._human = human
        self._region = region
        self._ground = ground
        self._materials = MaterialRecords(self._out.records, materials, textures)
        self._models = ModelRecords(self._out.records, self._materials)
        self._cells = CellRecords(self._out.records, self._materials, self._models)

    def world(self, landblocks: Mapping[int, Landblock]) -> BuiltWorld:
        """The whole world."""
        if self._human:
            put_human(self._out.records, self._models)
        for number in sorted(landblocks):
            self._landblock(landblocks[number])
        for number in sorted(landblocks):
            if landblocks[number].ground is not None:
                self._neighbours(number)
        make_region(self._region, self._ground.height_table, self._out.records, self._materials, self._models)
        return BuiltWorld(
            portal={key: _bytes(record) for key, record in sorted(self._out.records.by_id.items())},
            cell={key: _bytes(record) for key, record in sorted(self._out.cell.items())},
            entities=tuple(self._out.entities),
            cells={name: ids[0] for name, ids in self._out.names.items() if len(ids) == 1},
            closed=tuple(self._out.closed),
            described={**self._out.described, **self._models.described()},
        )

    def _landblock(self, block: Landblock) -> None:
        where = f"landblock 0x{block.number:04X}"
        numbered = number_cells(block.interiors, where)
        buildings = []
        for interior in block.interiors:
            own = [cell for cell in numbered if cell.interior is interior]
            for record in self._cells.interior(block.number, interior, own):
                self._put_cell(record.id, record)
            if interior.outer is not None:
                _check_shell(interior)
                buildings.append(self._building(interior, own))
            for cell in own:
                self._name(interior, cell, block.number)
                if not cell.shape.gaps:
                    self._out.closed.append(cell.shape.name)
        _check_one_per_land_cell(block)
        info_id = block.number << 16 | 0xFFFE
        objects = [self._models.stab(thing) for thing in block.things]
        has_info = bool(numbered or objects or buildings)
        if has_info:
            self._put_cell(info_id, LandBlockInfo(info_id, len(numbered), objects, buildings))
        self._put_ground(block.number, has_info=has_info, flat=block.ground is None)
        self._entities(block, numbered)

    def _name(self, interior: Interior, cell: NumberedCell, block: int) -> None:
        for name in (cell.shape.name, f"{interior.name}/{cell.shape.name}"):
            self._out.names.setdefault(name, []).append(block << 16 | cell.low)
        self._out.described[NameKey.cell(block << 16 | cell.low)] = cell.shape.name

    def _building(self, interior: Interior, cells: list[NumberedCell]) -> BuildingInfo:
        assert interior.outer is not None
        model_id, leaves = self._models.shell(interior.outer)
        lows = [cell.low for cell in cells]
        low_of = {id(cell.shape): cell.low for cell in cells}
        portals = [
            BuildingPortal(EXACT_MATCH | INSIDE_IN_FRONT, low_of[id(gap.cell)], portal_index(gap), list(lows))
            for gap in interior.exits
        ]
        return BuildingInfo(model_id, placed(interior.frame, Frame()), leaves, portals)

    def _put_cell(self, record_id: int, record: DatRecord) -> None:
        self._out.cell[record_id] = record

    def _put_ground(self, number: int, *, has_info: bool, flat: bool = False) -> None:
        record_id = number << 16 | 0xFFFF
        heights, words = ([0] * 81, [0] * 81) if flat else self._ground.lists(number >> 8, number & 0xFF)
        self._put_cell(record_id, LandBlock(record_id, int(has_info), words, heights))

    def _neighbours(self, number: int) -> None:
        x, y = number >> 8, number & 0xFF
        for nx in range(max(x - 1, 0), min(x + 1, LAST_BLOCK) + 1):
            for ny in range(max(y - 1, 0), min(y + 1, LAST_BLOCK) + 1):
                neighbour = nx << 8 | ny
                if neighbour << 16 | 0xFFFF not in self._out.cell:
                    self._put_ground(neighbour, has_info=False)

    def _entities(self, block: Landblock, numbered: list[NumberedCell]) -> None:
        low_of = {id(cell.shape): cell.low for cell in numbered}
        found: list[tuple[Entity, Frame, int]] = []
        for interior in block.interiors:
            for entity in interior.entities:
                assert entity.cell is not None
                found.append((entity, combine(interior.frame, entity.frame), low_of[id(entity.cell)]))
        for entity in block.entities:
            x, y, _ = entity.frame.origin
            found.append((entity, entity.frame, land_cell_low(int(x // SPACING), int(y // SPACING))))
        if len(found) > LAST_GUID:
            raise BuildError(f"landblock 0x{block.number:04X}", f"{len(found)} entities; it can have {LAST_GUID}")
        for number, (entity, frame, low) in enumerate(found, start=1):
            self._out.entities.append(
                EntitySpec(
                    guid=GUID_BASE | block.number << 12 | number,
                    name=entity.name,
                    kind=entity.kind,
                    setup_id=self._models.model(entity.model),
                    cell_id=block.number << 16 | low,
                    frame=frame,
                    state=entity.state,
                    scale=entity.scale,
                    extra=dict(entity.extra),
                )
            )


def _bytes(record: DatRecord) -> bytes:
    try:
        return write_record(record)
    except DatError as error:
        raise BuildError("records", str(error)) from error


def _check_shell(interior: Interior) -> None:
    """Refuse a shell that the client would only partly collide with."""
    assert interior.outer is not None
    low, high = bounds_of([interior.frame.local_to_global(p) for face in interior.outer.skin for p in face.points])
    x, y, _ = interior.frame.origin
    if not (0.0 <= x < BLOCK and 0.0 <= y < BLOCK):
        raise BuildError(f"building {interior.name!r}", f"its origin ({x:g}, {y:g}) is not in the landblock")
    west, south = x // SPACING * SPACING, y // SPACING * SPACING
    beyond = max(west - low[0], south - low[1], high[0] - west - SPACING, high[1] - south - SPACING)
    if beyond > SHELL_REACH:
        raise BuildError(
            f"building {interior.name!r}",
            f"its shell reaches {beyond:.2f} m beyond the land cell of its origin ({west:g} to {west + SPACING:g} m "
            f"east, {south:g} to {south + SPACING:g} m north); only in that cell is it collided with",
        )


def _check_one_per_land_cell(block: Landblock) -> None:
    taken: dict[tuple[int, int], str] = {}
    for interior in block.interiors:
        if interior.outer is not None:
            x, y, _ = interior.frame.origin
            square = (int(x // SPACING), int(y // SPACING))
            if square in taken:
                raise BuildError(
                    f"building {interior.name!r}", f"its land cell already has {taken[square]!r}; there is room for one"
                )
            taken[square] = interior.name
