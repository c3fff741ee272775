"""Records damaged at random with fixed seeds: read with all their bytes kept, or refused with a `DatError`."""

from __future__ import annotations

import random
import struct
import tracemalloc

import pytest

from engine.dat import DatError
from engine.dat.ids import RecordType
from engine.dat.records import DatRecord, describe, read_record, write_record
from tests.dat.record_maker import RECORD_TYPES, RecordMaker, id_of

QUICK_CASES = 4_000
SLOW_CASES = 100_000
SEEDS_PER_TYPE = 12

NASTY = [0, 1, 2, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800001, 0xCDCDCDCD]

TAGS = [b"FAEL", b"TROP", b"nnPB", b"NnPB", b"NIPB", b"LOPB", b"LFPB"]

OBJECT_BYTES = 64
"""The most memory that the objects of a record may take per byte of the file. A vector of three is 12 bytes there and
136 as Python's floats in a tuple; an empty list with its owner is worse."""

FIXED_BYTES = 64 * 1024
"""The fixed cost of reading: caches of structs, the texts of an error."""

Victim = tuple[type[DatRecord], int, bytes]


def victims() -> list[Victim]:
    """Sound records of every type, small and larger."""
    found = []
    for record_type in RECORD_TYPES:
        chooser = random.Random(record_type.name)
        for number in range(SEEDS_PER_TYPE):
            record = RecordMaker(chooser, longest=2 + number % 5, deepest=2 + number % 6).make(record_type)
            found.append((type(record), id_of(record), write_record(record)))
    return found


def damaged(data: bytes, other: bytes, chooser: random.Random) -> bytes:
    """A random mutation of a record: bits, bytes, words, tags, pieces lost, doubled or from elsewhere, the end cut
    off."""
    changed = bytearray(data)
    for _ in range(chooser.choice([1, 1, 1, 2, 3, 8])):
        at = chooser.randrange(len(changed)) if changed else 0
        what = chooser.randrange(8)
        if what == 0:
            changed[at : at + 1] = bytes([changed[at] ^ 1 << chooser.randrange(8)]) if changed else b""
        elif what == 1:
            changed[at : at + 1] = bytes([chooser.randrange(256)])
        elif what in (2, 3):
            word = struct.pack("<I", chooser.choice(NASTY))
            changed[at : at + chooser.choice([2, 4])] = word[: chooser.choice([2, 4])]
        elif what == 4:
            changed[at : at + 4] = chooser.choice(TAGS)
        elif what == 5:
            del changed[at : at + chooser.randrange(1, 40)]
        elif what == 6:
            piece = chooser.choice([changed, other])
            start = chooser.randrange(len(piece)) if piece else 0
            changed[at:at] = piece[start : start + chooser.randrange(1, 60)]
        else:
            del changed[at:]
    return bytes(changed)


def attempt(victim: Victim, data: bytes) -> bool:
    """Whether the record is still read; if so, no byte of it may be lost."""
    cls, record_id, _ = victim
    try:
        record = read_record(cls, data, file="some.dat", record_id=record_id)
    except DatError as error:
        check(error, record_id, len(data))
        return False
    assert write_record(record) == data
    describe(record)
    return True


def check(error: DatError, record_id: int, length: int) -> None:
    assert (error.file, error.record_id, error.in_record) == ("some.dat", record_id, True)
    assert error.reason
    assert error.offset is not None
    assert 0 <= error.offset <= length
    assert error.field or error.reason.startswith("the record ends here")
    assert str(error).startswith("some.dat, record 0x")


def run(cases: int, seed: int) -> None:
    chooser = random.Random(seed)
    found = victims()
    readable = 0
    for number in range(cases):
        victim = found[number % len(found)]
        other = chooser.choice(found)[2]
        readable += attempt(victim, damaged(victim[2], other, chooser))
    # Damage that hits only values leaves a readable record: the test saw both outcomes.
    assert cases * 0.05 < readable < cases * 0.6


def test_damaged_records_are_refused_or_keep_every_byte() -> None:
    run(QUICK_CASES, seed=1)


@pytest.mark.slow
def test_a_hundred_thousand_damaged_records_are_refused_or_keep_every_byte() -> None:
    run(SLOW_CASES, seed=2)


@pytest.mark.parametrize("record_type", RECORD_TYPES, ids=lambda each: each.name)
def test_a_record_survives_any_value_in_any_word(record_type: RecordType) -> None:
    record = RecordMaker(random.Random(7), longest=3, deepest=3).make(record_type)
    victim = (type(record), id_of(record), write_record(record))
    data = victim[2]
    for at in range(0, min(len(data), 1200), 2):
        for word in (b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\x00\x00\x00\x00"):
            attempt(victim, data[:at] + word[: len(data) - at] + data[at + 4 :])


def test_memory_stays_in_proportion_to_the_record() -> None:
    chooser = random.Random(3)
    found = victims()
    for victim in found:
        attempt(victim, victim[2])
    tracemalloc.start()
    for number in range(600):
        victim = found[number % len(found)]
        data = damaged(victim[2], chooser.choice(found)[2], chooser)
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        try:
            read_record(victim[0], data, file="some.dat", record_id=victim[1])
        except DatError:
            continue
        finally:
            peak = tracemalloc.get_traced_memory()[1] - before
            assert peak < OBJECT_BYTES * len(data) + FIXED_BYTES
    tracemalloc.stop()
