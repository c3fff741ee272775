"""Changed records as rows, text and data: which record, which field, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from engine.dat.comparison import RecordDifference
from engine.dat.field_changes import FieldChange, field_changes, value_text
from engine.dat.ids import DatKind, did_text, id_type
from engine.sim.data_files.changes import LeftOut

Data = dict[str, object]


@dataclass(frozen=True)
class ChangedRecord:
    """A record that is not the same in two worlds."""

    record_id: int
    kind: DatKind
    change: str
    """changed, added or removed."""
    fields: tuple[FieldChange, ...]

    @property
    def type_name(self) -> str:
        return id_type(self.record_id, self.kind).value

    @property
    def title(self) -> str:
        return f"{did_text(self.record_id)} {self.type_name}"


def changed_record(difference: RecordDifference, kind: DatKind) -> ChangedRecord:
    record_id, before, after = difference
    change = "added" if before is None else "removed" if after is None else "changed"
    return ChangedRecord(record_id, kind, change, tuple(field_changes(record_id, before, after, kind)))


def record_lines(record: ChangedRecord) -> Iterator[str]:
    yield f"{record.title} {record.change} in {record.kind.file_name}"
    yield from map(field_line, record.fields)


def field_line(change: FieldChange) -> str:
    return f"    {change.field}: {value_text(change.before)} -> {value_text(change.after)}"


def record_data(record: ChangedRecord) -> Data:
    return {
        "record": did_text(record.record_id),
        "type": record.type_name,
        "file": record.kind.file_name,
        "change": record.change,
        "fields": [
            {"field": each.field, "before": _strict(each.before), "after": _strict(each.after)}
            for each in record.fields
        ],
    }


def _strict(value: object) -> object:
    """JSON knows no infinities and not-a-numbers, bad records do; they become texts."""
    if isinstance(value, dict):
        return {str(key): _strict(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_strict(inner) for inner in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def left_out_line(left: LeftOut) -> str:
    return f"not in data files: {left.what}: {left.reason}"


def left_out_data(left: LeftOut) -> Data:
    return {"id": did_text(left.id), "what": left.what, "reason": left.reason}
