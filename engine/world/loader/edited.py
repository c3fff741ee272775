"""Builds rooms from edited records, to replace loaded ones, and records from rooms, to edit (dat-format.md 2.4,
3.4)."""

from __future__ import annotations

from engine.dat.errors import DatError
from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records import EnvCellPortal, Environment, Stab
from engine.dat.records.base import RecordFrame
from engine.dat.records.catalogue import read_record, write_record
from engine.dat.records.cells import HAS_RESTRICTION_OBJECT, HAS_STATIC_OBJECTS
from engine.geometry.frame import Frame
from engine.world.cells.cell import CellStruct, EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError
from engine.world.loader.rooms import ENVIRONMENT_BASE, env_cell
from engine.world.loader.shapes import cell_struct
from engine.world.source import WorldSource

EDITED = "edited record"


def cell_of_records(source: WorldSource, cell: bytes, environment: bytes = b"") -> EnvCell:
    """The room of an EnvCell record, whose first field is its id. Its shape is from `environment`, an Environment
    record of the room's own, or from the source."""
    try:
        record = read_record(EnvCellRecord, cell, file=EDITED, record_id=int.from_bytes(cell[:4], "little"))
        if not environment:
            return _settled(source, env_cell(record, source.cell_struct, source.setup))
        own = ENVIRONMENT_BASE | record.environment
        shapes = read_record(Environment, environment, file=EDITED, record_id=own)
    except DatError as error:
        raise WorldError(str(error)) from error

    def find_struct(environment_id: int, index: int) -> CellStruct | None:
        for keyed in shapes.structures:
            if environment_id == own and keyed.key == index:
                return cell_struct(keyed.structure, environment_id, index)
        return source.cell_struct(environment_id, index)

    return _settled(source, env_cell(record, find_struct, source.setup))


def _settled(source: WorldSource, cell: EnvCell) -> EnvCell:
    """Set the properties that a room has from its source and not from its record."""
    cell.portals_left_out = source.leaves_portals_out
    return cell


def record_of_cell(source: WorldSource, cell: EnvCell) -> EnvCellRecord:
    """The record from which `cell_of_records` builds this room. Raises a WorldError for a room whose shape is its
    own."""
    structure = cell.structure
    environment = structure.environment_id & 0xFFFF
    if source.cell_struct(ENVIRONMENT_BASE | environment, structure.index) is not structure:
        raise WorldError(f"the shape of {cell_text(cell.id)} is none that a record can name, so it cannot be edited")
    flags = cell.flags & ~(HAS_STATIC_OBJECTS | HAS_RESTRICTION_OBJECT)
    if cell.static_objects:
        flags |= HAS_STATIC_OBJECTS
    if cell.restriction_object:
        flags |= HAS_RESTRICTION_OBJECT
    return EnvCellRecord(
        id=cell.id,
        flags=flags,
        surfaces=[surface & 0xFFFF for surface in cell.surfaces],
        environment=environment,
        structure=structure.index,
        frame=_record_frame(cell.frame),
        portals=[
            EnvCellPortal(
                portal.flags, portal.polygon_id, portal.other_cell_id & 0xFFFF, portal.other_portal_id & 0xFFFF
            )
            for portal in cell.portals
        ],
        visible_cells=[cell_id & 0xFFFF for cell_id in cell.stab_list],
        objects=[Stab(static.model_id, _record_frame(static.frame)) for static in cell.static_objects],
        restriction_object=cell.restriction_object or None,
    )


def cell_record_bytes(record: EnvCellRecord) -> bytes:
    """The record in the form that `cell_of_records` reads."""
    try:
        return write_record(record, EDITED)
    except DatError as error:
        raise WorldError(str(error)) from error


def _record_frame(frame: Frame) -> RecordFrame:
    return RecordFrame(frame.origin, frame.rotation)
