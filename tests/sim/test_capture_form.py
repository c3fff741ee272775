"""The capture form: what the reader accepts, how the writer prints numbers, and the messages for bad lines."""

from __future__ import annotations

import copy
import json
import math
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.vec import r24
from engine.sim.captures.form import parse_capture, parse_record, read_capture, record_text, single_text
from engine.world.faults import WorldError

ZERO = {"x": 0, "y": 0, "z": 0}
UP = {"x": 0, "y": 0, "z": 1}

BODY: dict[str, Any] = {
    "position": {"x": 132.4347, "y": 17.204084, "z": 94},
    "orientation": {"isIdentity": False, "x": -0.0, "y": -0.0, "z": -0.09343648, "w": 0.99562526},
    "velocity": {"x": 2.2044106, "y": 11.641261, "z": 0},
    "acceleration": ZERO,
    "omega": ZERO,
    "groundNormal": UP,
    "slidingNormal": ZERO,
    "contactPlaneValid": True,
    "contactPlane": {"normal": UP, "d": -94},
    "contactPlaneCellId": 2847146320,
    "contactPlaneIsWater": False,
    "walkablePolygonValid": True,
    "walkablePlane": {"normal": UP, "d": -94},
    "walkableVertices": [
        {"x": 131.6, "y": 17.1, "z": 94},
        {"x": 131.6, "y": 16.5, "z": 94},
        {"x": 133, "y": 16, "z": 94},
    ],
    "walkableUp": UP,
    "elasticity": 0.05,
    "friction": 0.95,
    "state": 1040,
    "transientState": 131,
    "lastUpdateTime": 0,
}

RECORD: dict[str, Any] = {
    "tick": 13558,
    "timestampMs": 54680488,
    "input": {
        "currentPos": {"x": 132.36032, "y": 16.811314, "z": 94},
        "targetPos": {"x": 132.4347, "y": 17.204084, "z": 94},
        "cellId": 2847146320,
        "sphereRadius": 0.48,
        "sphereHeight": 1.2,
        "stepUpHeight": 0.6,
        "stepDownHeight": 1.5,
        "isOnGround": True,
        "moverFlags": 768,
        "movingEntityId": 1000000,
    },
    "bodyBefore": BODY,
    "result": {
        "position": {"x": 132.4347, "y": 17.204084, "z": 94},
        "cellId": 2847146320,
        "isOnGround": True,
        "collisionNormalValid": False,
        "collisionNormal": ZERO,
    },
    "bodyAfter": None,
}


def line(record: object) -> bytes:
    return json.dumps(record, separators=(",", ":")).replace("-0.0,", "-0,").encode()


def changed(path: str, value: object) -> bytes:
    """The record with the value at a path like input.currentPos.x replaced; ... removes it."""
    record = copy.deepcopy(RECORD)
    *way, last = path.split(".")
    place: Any = record
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place[step]
    key = int(last) if isinstance(place, list) else last
    if value is ...:
        del place[key]
    else:
        place[key] = value
    return line(record)


def test_numbers_are_read_as_32_bit_floats() -> None:
    record = parse_record(line(RECORD), "capture:1")
    assert record.input.current == (r24(132.36032), r24(16.811314), 94.0)
    assert record.input.sphere_radius == r24(0.48) != 0.48
    assert record.input.cell_id == 0xA9B40150
    assert record.before is not None
    assert record.before.contact_plane.d == -94.0
    assert record.before.walkable_vertices is not None
    assert len(record.before.walkable_vertices) == 3
    assert record.after is None


def test_a_minus_before_a_zero_is_kept() -> None:
    record = parse_record(line(RECORD), "capture:1")
    assert record.before is not None
    assert math.copysign(1.0, record.before.orientation[1]) == -1.0
    assert '"x":-0,"y":-0' in record_text(record)


def test_a_record_is_rewritten_as_it_was_read() -> None:
    text = line(RECORD)
    assert record_text(parse_record(text, "capture:1")).encode() == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (94.0, "94"),
        (0.0, "0"),
        (-0.0, "-0"),
        (r24(132.36032), "132.36032"),
        (r24(6.285598e-08), "6.285598E-08"),
        (r24(0.05), "0.05"),
        (0.0001, "0.0001"),
        (-1e-05, "-1E-05"),
        (16777216.0, "16777216"),
        (1e20, "1E+20"),
        (r24(3.4028235e38), "3.4028235E+38"),
        (r24(3.4025e38), "3.4025E+38"),
    ],
)
def test_a_number_is_written_with_the_fewest_sufficient_digits(value: float, text: str) -> None:
    assert single_text(value) == text


@given(st.integers(0, 0xFFFFFFFF))
def test_every_32_bit_float_survives_its_text(bits: int) -> None:
    value: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    if not math.isfinite(value):
        return
    back = float(single_text(value))
    assert struct.pack("<f", back) == struct.pack("<f", value)


def test_empty_lines_between_records_are_ignored() -> None:
    records = list(parse_capture(b"\r\n".join([line(RECORD), b"", b"  ", line(RECORD)]), "capture"))
    assert [record.where for record in records] == ["capture:1", "capture:4"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (changed("input.currentPos.x", ...), "capture:7: input.currentPos: has no 'x'"),
        (changed("input.cellId", "0xA9B40150"), "capture:7: input.cellId: should be a whole number"),
        (changed("input.cellId", -1), "capture:7: input.cellId: should be 0 to 4294967295, is -1"),
        (changed("input.isOnGround", 1), "capture:7: input.isOnGround: should be true or false, is 1"),
        (changed("input.sphereRadius", 0), "capture:7: input.sphereRadius: is 0, which is out of range"),
        (changed("bodyBefore.walkableVertices.1.z", None), "capture:7: bodyBefore.walkableVertices[1].z: should be a"),
        (changed("bodyBefore.walkableVertices", []), "capture:7: bodyBefore.walkableVertices: a polygon has 3 to"),
        (changed("bodyBefore.contactPlane.d", math.nan), "capture:7: bodyBefore.contactPlane.d: is NaN"),
        (changed("bodyBefore", 4), "capture:7: bodyBefore: should be an object, is 4"),
        (changed("bodyAfter", ...), "capture:7: has no 'bodyAfter'"),
        (changed("result.position.y", 1e300), "capture:7: result.position.y: is 1e+300, which is out of range"),
        (changed("timestampMs", "now"), "capture:7: timestampMs: should be a number"),
        (changed("tick", 1.5), "capture:7: tick: should be a whole number"),
        (b'{"tick":1', "capture:7: is not JSON: Expecting ',' delimiter at column 10"),
        (b"\xff\xfe", "capture:7: is not JSON"),
        (b"[" * 100_000, "capture:7: is nested too deeply"),
        (b"7", "capture:7: should be an object, is 7"),
        (b'{"tick":' + b"9" * 5000 + b"}", "capture:7: is not JSON"),
    ],
)
def test_a_fault_is_reported_with_line_and_key(text: bytes, said: str) -> None:
    with pytest.raises(WorldError) as raised:
        parse_record(text, "capture:7")
    assert str(raised.value).startswith(said)


def test_a_file_that_is_not_a_capture_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"\n\n")
    with pytest.raises(WorldError, match="it has no records"):
        read_capture(empty)
    with pytest.raises(WorldError, match="cannot be read: No such file"):
        read_capture(tmp_path / "absent.jsonl")


@given(st.data())
def test_a_changed_byte_raises_nothing_but_a_world_error(data: st.DataObject) -> None:
    text = bytearray(line(RECORD))
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    try:
        record = parse_record(bytes(text), "capture:1")
    except WorldError:
        return
    assert parse_record(record_text(record).encode(), "capture:1") is not None
