"""Two databases compared record by record, and two versions of a record field by field."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dat.btree import ENTRY
from engine.dat.check import check
from engine.dat.comparison import DatabaseSide, RecordDifference, differences
from engine.dat.database import DatDatabase
from engine.dat.field_changes import FieldChange, field_changes, value_text
from engine.dat.ids import ITERATION_ID, DatKind
from engine.dat.records import EnvCell, EnvCellPortal, RecordFrame, Stab, write_record
from engine.dat.writer import rewrite_database, write_database
from engine.files.cancelling import cancellable
from tests.dat.container_files import ScatteredDatabase

Records = dict[int, bytes]
Changes = dict[int, bytes | None]

RECORDS = st.dictionaries(st.integers(0, 250), st.binary(min_size=1, max_size=600), max_size=80)
CHANGES = st.dictionaries(st.integers(0, 250), st.none() | st.binary(min_size=1, max_size=600), max_size=80)


def applied(records: Records, changes: Changes) -> Records:
    merged = {**records, **changes}
    return {record_id: data for record_id, data in merged.items() if data is not None}


def expected(before: Records, after: Records) -> list[RecordDifference]:
    ids = sorted({*before, *after})
    return [RecordDifference(i, before.get(i), after.get(i)) for i in ids if before.get(i) != after.get(i)]


@given(records=RECORDS, changes=CHANGES, others=CHANGES)
@settings(max_examples=60)
def test_all_differing_records_are_found_and_no_others(
    tmp_path_factory: pytest.TempPathFactory, records: Records, changes: Changes, others: Changes
) -> None:
    folder = tmp_path_factory.getbasetemp()
    one = ScatteredDatabase(records.items()).write(folder / "one.dat")
    rewrite_database(one, folder / "two.dat", changes)
    with DatDatabase.open(one) as before, DatDatabase.open(folder / "two.dat") as after:
        found = list(differences(DatabaseSide(before), DatabaseSide(after)))
        assert found == expected(records, applied(records, changes))
        found = list(differences(DatabaseSide(before, others), DatabaseSide(after)))
        assert found == expected(applied(records, others), applied(records, changes))
        found = list(differences(DatabaseSide(before, others), DatabaseSide(before, changes)))
        assert found == expected(applied(records, others), applied(records, changes))


def test_a_compressed_record_equals_its_plain_form(tmp_path: Path) -> None:
    content = b"again and again " * 100
    one = ScatteredDatabase([(7, content)], compressed=frozenset({7})).write(tmp_path / "one.dat")
    two = ScatteredDatabase([(7, content)]).write(tmp_path / "two.dat")
    with DatDatabase.open(one) as before, DatDatabase.open(two) as after:
        assert not list(differences(DatabaseSide(before), DatabaseSide(after)))


def test_a_comparison_can_be_cancelled(tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    for name in ("one", "two"):
        write_database(tmp_path / name, DatKind.CELL, ((number, b"x") for number in range(2000)))
    with (
        DatDatabase.open(tmp_path / "one") as before,
        DatDatabase.open(tmp_path / "two") as after,
        cancellable(stop),
        pytest.raises(StopError),
    ):
        list(differences(DatabaseSide(before), DatabaseSide(after)))


def room(**fields: object) -> EnvCell:
    made = EnvCell(0xC95B0103, 2, [1], 5, 0, RecordFrame(), [EnvCellPortal(3, 2, 0x0104, 0)], [0x0101, 0x0102, 0x0103])
    made.objects += [Stab(0x02000001 + number, RecordFrame((float(number), 0.0, 0.0))) for number in range(3)]
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def changes_of(before: EnvCell, after: EnvCell) -> list[FieldChange]:
    return field_changes(before.id, write_record(before), write_record(after), DatKind.CELL)


def test_a_moved_static_and_a_portal_are_told_by_their_fields() -> None:
    moved = room()
    moved.objects[1].frame.origin = (1.0, 2.0, 0.0)
    moved.portals[0].other_cell_id = 0x0105
    told = {change.field: (value_text(change.before), value_text(change.after)) for change in changes_of(room(), moved)}
    assert told["objects[1].frame.origin"] == ("(1, 0, 0)", "(1, 2, 0)")
    assert told["portals[0].other_cell_id"] == ("0x0104", "0x0105")
    assert len(told) == 2


def test_a_cell_taken_out_of_a_stab_list_is_one_change() -> None:
    (change,) = changes_of(room(), room(visible_cells=[0x0101, 0x0103]))
    assert (change.field, change.before, change.after) == ("visible_cells[1]", "0x0102", None)


def test_a_static_taken_out_is_one_change() -> None:
    (change,) = changes_of(room(), room(objects=room().objects[1:]))
    assert change.field == "objects[0]"
    assert "0x02000001" in value_text(change.before)


def test_a_rewrite_keeps_the_runs_of_the_iteration_record(tmp_path: Path) -> None:
    runs = b"".join(number.to_bytes(4, "little", signed=True) for number in (5, -2, 1, -3, 7))
    source = ScatteredDatabase([(7, b"seven")], iteration=runs).write(tmp_path / "one.dat")
    rewrite_database(source, tmp_path / "two.dat", {7: b"changed"})
    with DatDatabase.open(tmp_path / "two.dat") as database:
        assert database.read(ITERATION_ID) == runs


def test_an_absent_record_without_a_block_stays_absent(tmp_path: Path) -> None:
    """Retail files have such entries, of size 0 (1.4)."""
    source = tmp_path / "one.dat"
    write_database(source, DatKind.CELL, [(5, b""), (7, b"seven")])
    with DatDatabase.open(source) as database:
        entry = database.directory.find(5)
        assert entry is not None
    content = source.read_bytes()
    assert content.count(ENTRY.pack(*entry)) == 1
    source.write_bytes(content.replace(ENTRY.pack(*entry), ENTRY.pack(*entry._replace(offset=0))))
    rewrite_database(source, tmp_path / "two.dat", {7: b"changed"})
    with DatDatabase.open(source) as before, DatDatabase.open(tmp_path / "two.dat") as after:
        assert [found.record_id for found in differences(DatabaseSide(before), DatabaseSide(after))] == [7]
        assert 5 not in after
        assert not list(check(after))


def test_what_cannot_be_decoded_is_told_by_its_bytes() -> None:
    (change,) = field_changes(0xC95B0103, b"\1\2\3\4", b"\1\2\3\5", DatKind.CELL)
    assert change.field == "bytes from 0x3"
    (change,) = field_changes(0xC95B0103, None, b"\1\2\3\5", DatKind.CELL)
    assert (change.field, change.before, change.after) == ("record", None, "4 bytes")
