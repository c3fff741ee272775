"""Changed rows of server data as lines and as data: which row, which column, before and after."""

from __future__ import annotations

from collections.abc import Iterator

from editor.export.record_listing import Data
from engine.dat.field_changes import value_text
from engine.geometry.vec import r24
from engine.sim.data_files.changes import LeftOut
from engine.world.cells.ids import block_text
from engine.world.server import rows
from engine.world.server.differences import RowDifference, ValueChange


def row_title(row: RowDifference) -> str:
    """The row with what it is: instance 0x7A9B4003 Door."""
    return f"{row.table.removeprefix('landblock_').replace('instance_link', 'link')} {row.title}"


def row_place(row: RowDifference) -> str:
    """What happens to the row, and in which landblock."""
    return row.change if row.table == rows.WEENIE else f"{row.change} in landblock {block_text(row.where)}"


def field_text(value: object) -> str:
    """A value for people: a number with as many digits as a 32-bit float needs, six at least."""
    if not isinstance(value, float):
        return value_text(value)
    texts = (f"{value:.{digits}g}" for digits in range(6, 10))
    return next((text for text in texts if r24(float(text)) == r24(value)), f"{value!r}")


def row_lines(row: RowDifference) -> Iterator[str]:
    yield f"{row_title(row)} {row_place(row)}"
    if row.change == "changed":
        yield from map(_line, row.fields)


def _line(change: ValueChange) -> str:
    return f"    {change.field}: {field_text(change.before)} -> {field_text(change.after)}"


def row_data(row: RowDifference) -> Data:
    where = row.where if row.table == rows.WEENIE else block_text(row.where)
    return {
        "table": row.table,
        "weenie" if row.table == rows.WEENIE else "landblock": where,
        "row": row.title,
        "change": row.change,
        "fields": [each._asdict() for each in row.fields],
    }


def server_left_out_line(left: LeftOut) -> str:
    return f"not in server data: {left.what}: {left.reason}"
