"""The two forms of the replace-object hook: whatever form a record comes in, it keeps its bytes."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from engine.dat import DatError
from engine.dat.codec.forms import ANY_PART, ONE_BYTE, TWO_BYTES
from engine.dat.codec.stream import FORM
from engine.dat.records import Animation, AnimationFrame, PhysicsScript, RecordFrame, ScriptEntry, read_record
from engine.dat.records.base import DatRecord
from engine.dat.records.catalogue import write_record
from engine.dat.records.hooks import Hook, NoDrawHook, ReplaceObjectHook, SoundHook

REPLACED = st.builds(
    ReplaceObjectHook, st.sampled_from([-1, 0, 1]), st.integers(0, 255), st.integers(0x01000000, 0x0100FFFF)
)
OTHERS = st.one_of(
    st.builds(SoundHook, st.just(1), st.integers(0x0A000000, 0x0A00FFFF)),
    st.builds(NoDrawHook, st.just(0), st.integers(0, 1)),
)
HOOKS = st.lists(st.one_of(REPLACED, OTHERS), max_size=5)


def records_with(frames: list[list[Hook]]) -> list[DatRecord]:
    """A script, and an animation of two parts, with these hooks."""
    script = PhysicsScript(0x33000001, [ScriptEntry(0.5, hook) for hooks in frames for hook in hooks])
    poses = [AnimationFrame([RecordFrame(), RecordFrame()], hooks) for hooks in frames]
    return [script, Animation(0x03000001, 0, 2, [], poses)]


def id_of(record: DatRecord) -> int:
    assert isinstance(record, PhysicsScript | Animation)
    return record.id


@given(frames=st.lists(HOOKS, max_size=3))
def test_our_own_form_comes_back_with_its_values(frames: list[list[Hook]]) -> None:
    for record in records_with(frames):
        data = write_record(record)
        again = read_record(type(record), data, file="x", record_id=id_of(record))
        assert again == record
        assert again.oddities == {}
        assert write_record(again) == data


@given(frames=st.lists(HOOKS, max_size=3))
def test_the_clients_form_keeps_its_bytes_and_its_values_where_it_is_told_apart(frames: list[list[Hook]]) -> None:
    for record in records_with(frames):
        record.oddities = {FORM: bytes([ONE_BYTE])}
        data = write_record(record)
        again = read_record(type(record), data, file="x", record_id=id_of(record))
        assert write_record(again) == data
        replaced = [hook for hooks in frames for hook in hooks if isinstance(hook, ReplaceObjectHook)]
        if any(hook.gfxobj_id & 0xFF and hook.gfxobj_id < 0x01004000 for hook in replaced):
            assert again == record


@given(data=st.binary(max_size=60), count=st.integers(1, 3))
def test_any_bytes_with_such_hooks_are_refused_or_kept(data: bytes, count: int) -> None:
    head = struct.pack("<IIdIi", 0x33000001, count, 0.0, 5, 1)
    try:
        record = read_record(PhysicsScript, head + data, file="x", record_id=0x33000001)
    except DatError:
        return
    assert write_record(record) == head + data
    assert record.oddities.get(FORM, bytes([TWO_BYTES]))[0] in (TWO_BYTES, ONE_BYTE, ANY_PART)
