"""Rooms out of edited records, to put in the place of loaded ones (spec/dat-format.md 2.4, 3.4)."""

from __future__ import annotations

from engine.dat.errors import DatError
from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records import Environment
from engine.dat.records.catalogue import read_record
from engine.world.cells.cell import CellStruct, EnvCell
from engine.world.faults import WorldError
from engine.world.loader.rooms import ENVIRONMENT_BASE, env_cell
from engine.world.loader.shapes import cell_struct
from engine.world.source import WorldSource

EDITED = "edited record"


def cell_of_records(source: WorldSource, cell: bytes, environment: bytes = b"") -> EnvCell:
    """The room of an EnvCell record, which has its id first. Its shape is from `environment`, an Environment record of
    the room's own, or from the source."""
    try:
        record = read_record(EnvCellRecord, cell, file=EDITED, record_id=int.from_bytes(cell[:4], "little"))
        if not environment:
            return env_cell(record, source.cell_struct, source.setup)
        own = ENVIRONMENT_BASE | record.environment
        shapes = read_record(Environment, environment, file=EDITED, record_id=own)
    except DatError as error:
        raise WorldError(str(error)) from error

    def find_struct(environment_id: int, index: int) -> CellStruct | None:
        for keyed in shapes.structures:
            if environment_id == own and keyed.key == index:
                return cell_struct(keyed.structure, environment_id, index)
        return source.cell_struct(environment_id, index)

    return env_cell(record, find_struct, source.setup)
