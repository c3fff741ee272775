"""What a record refers to, as rows: which records, of which type, whether they are there."""

from __future__ import annotations

from typing import Any

from engine.dat.ids import RecordType, id_type
from engine.dat.records import DatRecord, UnknownRecord
from engine.dat.records.references import references
from engine.world.cells.ids import cell_text
from engine.world.world import World


def references_data(record: DatRecord | UnknownRecord, world: World) -> list[dict[str, Any]]:
    """A row for each record referred to, in the order of the file, with the first field that names it."""
    if isinstance(record, UnknownRecord):
        return []
    rows: dict[int, dict[str, Any]] = {}
    for field, record_id in references(record):
        if record_id in rows:
            rows[record_id]["times"] += 1
            continue
        kind = id_type(record_id)
        if kind is not RecordType.UNKNOWN:
            there = world.source.has_record(record_id)
            rows[record_id] = {
                "id": cell_text(record_id),
                "type": kind.value,
                "there": there,
                "times": 1,
                "first field": field,
            }
    return list(rows.values())
