"""What is written comes back as it was, whatever it is: recordings, snapshots, captures, goldens, indexes of servers.

Records, databases, projects, entities, names and places have theirs beside the other tests of their forms.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.entities.state_io import StateReader, StateWriter
from engine.geometry.plane import Plane
from engine.geometry.vec import r24
from engine.sim.captures.form import (
    CaptureBody,
    CaptureInput,
    CaptureRecord,
    CaptureResult,
    parse_capture,
    record_text,
)
from engine.sim.golden.write import FIELDS, golden_text
from engine.sim.recording import HASH_SIZE, Recording, Sample
from engine.sim.recording_file import parse_recording, recording_bytes
from engine.sim.tick.controls import Controls
from engine.world.server.index import Entry, ServerIndex, index_bytes, parse_index
from tests.editor.project.test_project_file import edits, texts

ids = st.integers(0, 2**32 - 1)
reals = st.floats(allow_nan=False, allow_infinity=False)
singles = st.floats(allow_nan=False, allow_infinity=False, width=32).map(lambda x: x if abs(x) > 1.2e-38 else x * 0.0)
"""Zero in place of what is smaller, which the engine's rounding leaves as it is."""
vectors = st.tuples(singles, singles, singles)
digests = st.binary(min_size=HASH_SIZE, max_size=HASH_SIZE)

# --- recordings

amounts = st.floats(-1.0, 1.0)
keys = st.builds(
    Controls, amounts, amounts, amounts, st.booleans(), st.booleans(), st.integers(0, 2**60 - 1), st.floats(-180, 180)
)
samples = st.builds(Sample, ids, st.tuples(reals, reals, reals), st.tuples(reals, reals, reals), reals, ids)


@st.composite
def recordings(draw: st.DrawFn) -> Recording:
    first = draw(st.integers(0, 1 << 40))
    recording = Recording(first, draw(digests), draw(st.integers(1, 2**32 - 1)), draw(texts), draw(texts))
    recording.program, recording.core = draw(texts), draw(texts)
    recording.identity = draw(st.dictionaries(st.sampled_from(["entities", "0xC95BFFFF"]), texts, max_size=2))
    runs = draw(st.lists(st.tuples(keys, st.integers(1, 4)), max_size=4))
    recording.controls = [each for each, count in runs for _ in range(count)]
    recording.hashes = bytearray(b"".join(draw(digests) for _ in recording.controls))
    for _ in recording.controls:
        recording.samples.add(draw(samples))
    ticks = st.integers(first, recording.end)
    recording.edits = draw(st.dictionaries(ticks, st.lists(edits, min_size=1, max_size=3), max_size=3))
    return recording


@settings(max_examples=60, deadline=None)
@given(recordings(), st.binary(max_size=200), st.binary(max_size=200))
def test_a_recording_comes_back_from_its_bytes(recording: Recording, head: bytes, tail: bytes) -> None:
    frames = recording.keyframes
    for number, tick in enumerate(sorted({recording.first_tick, recording.end})):
        frames.add(tick, snapshot(head + bytes([number]), tail))
    data = recording_bytes(recording)
    again = parse_recording(data, "run.cdrec")
    assert facts_of(again) == facts_of(recording)
    assert recording_bytes(again) == data


def snapshot(head: bytes, tail: bytes) -> bytes:
    """Bytes in the form of a snapshot: its numbers, then its blobs."""
    writer = StateWriter()
    writer.integers("numbers", list(head))
    writer.blob("blob", tail)
    return writer.packed()


def facts_of(recording: Recording) -> tuple[object, ...]:
    frames = recording.keyframes
    return (
        (recording.first_tick, recording.start_hash, recording.player_id, recording.source, recording.world),
        (recording.program, recording.core, recording.identity),
        (recording.controls, dict(sorted(recording.edits.items())), bytes(recording.hashes)),
        [recording.samples[number] for number in range(len(recording))],
        (frames.ticks, [frames.snapshot(number) for number in range(len(frames))]),
    )


# --- the state in a snapshot

wholes = st.integers(-(2**63), 2**63 - 1)
anything = st.floats()
values = st.lists(
    st.tuples(st.just("integer"), wholes)
    | st.tuples(st.just("real"), anything)
    | st.tuples(st.just("flag"), st.booleans())
    | st.tuples(st.just("vec"), st.tuples(anything, anything, anything))
    | st.tuples(st.just("quat"), st.tuples(anything, anything, anything, anything))
    | st.tuples(st.just("integers"), st.lists(wholes, max_size=4))
    | st.tuples(st.just("blob"), st.binary(max_size=20)),
    max_size=12,
)
NOTHING = {
    "integer": 0,
    "real": 0.0,
    "flag": False,
    "vec": (0.0, 0.0, 0.0),
    "quat": (1.0, 0.0, 0.0, 0.0),
    "integers": [],
    "blob": b"",
}


@given(values)
def test_packed_state_comes_back_value_by_value(state: list[tuple[str, Any]]) -> None:
    writer, again = StateWriter(), StateWriter()
    for kind, value in state:
        getattr(writer, kind)(kind, value)
    reader = StateReader(writer.packed())
    for kind, _ in state:
        getattr(again, kind)(kind, getattr(reader, kind)(kind, NOTHING[kind]))
    reader.check_end()
    assert again.packed() == writer.packed()


# --- captures

turns = st.sampled_from([(1.0, 0.0, 0.0, 0.0), (0.0, -0.0, 0.0, 1.0), (r24(0.6), 0.0, 0.0, r24(0.8))])
planes = st.builds(Plane, vectors, singles)
bodies = st.builds(
    CaptureBody,
    *(vectors, turns, vectors, vectors, vectors, vectors, vectors, st.booleans(), planes, ids, st.booleans()),
    st.booleans(),
    planes,
    st.none() | st.lists(vectors, min_size=3, max_size=5).map(tuple),
    vectors,
    singles,
    singles,
    ids,
    ids,
    st.integers(0, 2**53).map(float),
)
sizes = st.floats(r24(0.001), r24(1e6), width=32)
inputs = st.builds(
    CaptureInput,
    *(vectors, vectors, ids, sizes, sizes, singles, singles, st.booleans(), ids, ids),
    st.lists(st.tuples(vectors, sizes), max_size=2).map(tuple),
)
BIG = (r24(3.4028235e38), r24(-3.4025e38), 0.0)
"""The largest number, and one that fewer digits would make too large."""
STILL = CaptureResult((0.0, 0.0, 0.0), 0, False, False, (0.0, 0.0, 0.0))
records = st.builds(
    CaptureRecord,
    st.integers(0, 2**53),
    st.floats(-(2.0**53), 2.0**53),
    inputs,
    st.none() | bodies,
    st.builds(CaptureResult, vectors, ids, st.booleans(), st.booleans(), vectors),
    st.none() | bodies,
)


@settings(max_examples=60, deadline=None)
@example([CaptureRecord(0, 0.0, CaptureInput(BIG, BIG, 0, 1.0, 1.0, 0.0, 0.0, False, 0, 0), None, STILL, None)])
@given(st.lists(records, max_size=2))
def test_a_capture_comes_back_from_its_lines(made: list[CaptureRecord]) -> None:
    lines = [record_text(record) for record in made]
    again = list(parse_capture("\n".join(lines).encode(), "walk.jsonl"))
    assert [record_text(record) for record in again] == lines
    assert [numbers_of(record) for record in again] == [numbers_of(record) for record in made]


def numbers_of(record: CaptureRecord) -> tuple[object, ...]:
    """What can be compared: planes have no equality, and are told by the text above."""
    told: list[object] = []
    for body in (record.before, record.after):
        if body is not None:
            told.append((body.position, body.orientation, body.velocity, body.walkable_vertices, body.last_update_time))
            told.append((body.contact_plane.normal, body.contact_plane.d, body.state, body.transient_state))
    return (record.tick, record.timestamp_ms, record.input, record.result, *told)


# --- goldens

answers = st.recursive(
    st.none() | st.booleans() | ids | singles | texts, lambda inner: st.lists(inner, max_size=3), max_leaves=6
)
ticks = st.dictionaries(st.sampled_from(FIELDS), answers, max_size=6)


@settings(max_examples=100, deadline=None)
@given(texts, st.lists(st.tuples(texts, texts, st.lists(ticks, max_size=3)), max_size=3), st.lists(answers, max_size=3))
def test_a_golden_comes_back_from_its_text(
    scene: str, moves: list[tuple[str, str, list[dict[str, Any]]]], queries: list[Any]
) -> None:
    again = json.loads(golden_text(scene, moves, queries))
    assert again["scene"] == scene
    assert same(again["queries"], queries)
    assert [(move["name"], move["mode"]) for move in again["moves"]] == [move[:2] for move in moves]
    for move, (_, _, wanted) in zip(again["moves"], moves, strict=True):
        assert same(move["ticks"], wanted)
        assert all(list(tick) == [field for field in FIELDS if field in tick] for tick in move["ticks"])


def same(read: Any, wanted: Any) -> bool:
    """Equal, with numbers compared in single precision."""
    if isinstance(wanted, dict):
        return read.keys() == wanted.keys() and all(same(read[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return len(read) == len(wanted) and all(map(same, read, wanted))
    return r24(read) == wanted if isinstance(wanted, float) else bool(read == wanted)


# --- the index of server data

entries = st.builds(
    Entry,
    st.integers(0, 2**63),
    st.integers(-(2**63), 2**63),
    st.binary(max_size=60).map(lambda data: data.replace(b"\n", b"")),
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text(max_size=20), entries, max_size=5))
def test_an_index_of_server_data_comes_back_from_its_bytes(found: dict[str, Entry]) -> None:
    index = ServerIndex(Path("/world"), found)
    data = index_bytes(index)
    again = parse_index(data, Path("/world"))
    assert again.entries == found
    assert index_bytes(again) == data
    assert parse_index(data, Path("/other")).entries == {}
