"""Ids, their types, and the message of a DatError."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path

import pytest

from engine.dat import DatError
from engine.dat.ids import DatKind, RecordType, did_text, id_type, type_ranges


def test_an_id_shows_as_eight_upper_case_hex_digits() -> None:
    assert did_text(0x0D000123) == "0x0D000123"
    assert did_text(0) == "0x00000000"
    assert did_text(0xFFFF0001) == "0xFFFF0001"


@pytest.mark.parametrize(
    ("record_id", "expected"),
    [
        (0x01000000, RecordType.GFX_OBJ),
        (0x0100FFFF, RecordType.GFX_OBJ),
        (0x01010000, RecordType.UNKNOWN),
        (0x0200FFFF, RecordType.SETUP),
        (0x05FFFFFF, RecordType.SURFACE_TEXTURE),
        (0x06000000, RecordType.RENDER_SURFACE),
        (0x07FFFFFF, RecordType.RENDER_SURFACE),
        (0x08000DCB, RecordType.SURFACE),
        (0x0D00062E, RecordType.ENVIRONMENT),
        (0x0E00001A, RecordType.GAME_TABLE),
        (0x0E010001, RecordType.GAME_TABLE),
        (0x0E000100, RecordType.UNKNOWN),
        (0x13000000, RecordType.REGION),
        (0x13000001, RecordType.UNKNOWN),
        (0x00000000, RecordType.UNKNOWN),
        (0xFFFF0001, RecordType.ITERATION),
        (0xFFFFFFFF, RecordType.UNKNOWN),
    ],
)
def test_a_portal_id_names_its_type_by_range(record_id: int, expected: RecordType) -> None:
    assert id_type(record_id) is expected
    if expected is not RecordType.UNKNOWN:
        assert any(low <= record_id <= high for low, high in type_ranges(expected))


@pytest.mark.parametrize(
    ("record_id", "expected"),
    [
        (0xA9B4FFFF, RecordType.LAND_BLOCK),
        (0x0100FFFF, RecordType.LAND_BLOCK),
        (0xA9B4FFFE, RecordType.LAND_BLOCK_INFO),
        (0xA9B40100, RecordType.ENV_CELL),
        (0xA9B4FFFD, RecordType.ENV_CELL),
        (0xA9B400FF, RecordType.UNKNOWN),
        (0xFFFF0001, RecordType.ITERATION),
    ],
)
def test_a_cell_id_names_its_type_by_its_low_half(record_id: int, expected: RecordType) -> None:
    assert id_type(record_id, DatKind.CELL) is expected


def test_each_portal_type_has_ranges_and_they_do_not_overlap() -> None:
    of_cells = {RecordType.LAND_BLOCK, RecordType.LAND_BLOCK_INFO, RecordType.ENV_CELL, RecordType.UNKNOWN}
    ranges = sorted(span for kind in RecordType if kind not in of_cells for span in type_ranges(kind))
    assert all(low <= high for low, high in ranges)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(ranges))


def test_an_error_states_file_record_offset_field_and_reason() -> None:
    error = DatError(Path("client_portal.dat"), 0x0D000123, 0x1400, "next block", "the chain runs into a free block")
    assert (error.file, error.record_id, error.offset) == ("client_portal.dat", 0x0D000123, 0x1400)
    assert (error.field, error.reason) == ("next block", "the chain runs into a free block")
    assert str(error) == (
        "client_portal.dat, record 0x0D000123, offset 0x1400 of the file, field next block: "
        "the chain runs into a free block"
    )


def test_an_error_omits_unknown_parts() -> None:
    assert str(DatError("x.dat", None, None, None, "the file is empty")) == "x.dat: the file is empty"


def test_an_error_marks_an_offset_within_a_record() -> None:
    error = DatError("x.dat", 0x01000001, 12, "flags", "1 byte is missing", in_record=True)
    assert str(error) == "x.dat, record 0x01000001, offset 0xC of the record, field flags: 1 byte is missing"


def test_an_error_survives_pickling_between_processes() -> None:
    error = DatError("x.dat", 0x01000001, 12, "flags", "1 byte is missing", in_record=True)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert copy.field == "flags"
