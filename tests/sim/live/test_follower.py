"""A capture followed while it is written: every record replayed under both rule sets, whatever the file does."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3, add, distance, dot
from engine.physics.rules import ACE, RETAIL
from engine.sim.captures.form import CaptureBody, CaptureRecord, parse_capture
from engine.sim.captures.live.follower import Follower, fields_of
from engine.sim.captures.live.kept import KeptRecords, Mark, texts_of
from engine.sim.edits.player import Teleport
from tests.sim.helpers.small_worlds import RUN, built, house, standing
from tests.sim.live.captures import append, ended_elsewhere, follow_all, line, lines, rooms, walked


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[tuple[Follower, list[CaptureRecord], Path]]:
    world, records = rooms()
    path = tmp_path / "live.jsonl"
    follower = Follower(path, world.load())
    yield follower, records, path
    follower.close()


Walk = tuple[Follower, list[CaptureRecord], Path]


def test_every_record_is_replayed_under_both_rule_sets(walk: Walk) -> None:
    follower, records, path = walk
    path.write_bytes(lines([*records[:5], ended_elsewhere(records[5]), *records[6:]]))
    turn = follow_all(follower)
    assert [followed.record.tick for followed in turn.records] == [record.tick for record in records]
    assert all(len(followed.replays) == 2 for followed in turn.records)
    assert [followed.number for followed in turn.records if followed.differs(RETAIL)] == [5]
    assert follower.differing == {RETAIL: 1, ACE: 1}
    mark = follower.kept.mark(5)
    assert fields_of(mark.retail or 0) == fields_of(mark.ace or 0) == ["position"]
    ours = turn.records[5].stand_by(RETAIL)
    assert ours is not None
    assert distance(ours.origin, turn.records[5].stand().origin) == pytest.approx(0.5, abs=1e-3)
    assert turn.told == []


def test_the_following_stops_after_a_record_that_differs_and_goes_on(walk: Walk) -> None:
    follower, records, path = walk
    path.write_bytes(lines([*records[:5], ended_elsewhere(records[5]), *records[6:]]))
    assert [followed.number for followed in follower.turn(100, stop_at=RETAIL).records] == [0, 1, 2, 3, 4, 5]
    append(path, lines(records))
    assert len(follow_all(follower).records) == 24 + 30


@pytest.mark.parametrize("cut", [1, 700, -3])
def test_a_partial_line_is_waited_for(walk: Walk, cut: int) -> None:
    follower, records, path = walk
    first, second = line(records[0]), line(records[1])
    path.write_bytes(first + second[:cut])
    assert len(follow_all(follower).records) == 1
    append(path, second[cut:])
    assert [followed.record.tick for followed in follow_all(follower).records] == [1]
    assert follower.fault_count == 0


def test_bytes_that_arrive_one_by_one_make_the_same_records(walk: Walk) -> None:
    follower, records, path = walk
    found = []
    for byte in line(records[0]) + '{"name": "é"}\r\n'.encode() + line(records[1]).replace(b"\n", b"\r\n"):
        append(path, bytes([byte]))
        found += [(each.record.tick, each.record.where) for each in follow_all(follower).records]
    assert found == [(0, f"{path}:1"), (1, f"{path}:3")]
    assert follower.fault_count == 1


def test_a_last_record_needs_no_line_end_and_comes_once(walk: Walk) -> None:
    follower, records, path = walk
    path.write_bytes(line(records[0]).rstrip())
    assert len(follow_all(follower).records) == 1
    append(path, b"\r\n" + line(records[1]))
    (second,) = follow_all(follower).records
    assert second.record.where == f"{path}:2"
    assert follower.fault_count == 0


def test_a_line_that_is_no_record_is_told_with_its_number_and_the_rest_comes(walk: Walk) -> None:
    follower, records, path = walk
    path.write_bytes(line(records[0]) + b"\nhello\n" + b'{"tick":1}\n' + b"x" * 300_000 + b"\n" + line(records[1]))
    turn = follow_all(follower)
    assert len(turn.records) == 2
    assert turn.records[1].record.where == f"{path}:6"
    assert [told.split(": ")[0] for told in turn.told] == [f"{path}:{number}" for number in (3, 4, 5)]
    assert follower.fault_count == 3


def test_an_appended_session_is_recognised_by_its_ticks(walk: Walk) -> None:
    follower, records, path = walk
    path.write_bytes(lines(records))
    assert follow_all(follower).sessions == 1
    append(path, lines(records))
    assert follow_all(follower).sessions == 1
    assert follower.sessions == 2
    assert follower.differing == {RETAIL: 0, ACE: 0}


@pytest.mark.parametrize("how", ["truncated", "replaced"])
def test_a_file_that_begins_again_is_a_new_session(walk: Walk, how: str) -> None:
    follower, records, path = walk
    path.write_bytes(lines(records) + b'{"tick": 1')
    follow_all(follower)
    if how == "truncated":
        path.write_bytes(lines(records[:3]))
    else:
        path.with_suffix(".new").write_bytes(lines(records[:3]))
        os.replace(path.with_suffix(".new"), path)
    turn = follow_all(follower)
    assert len(turn.records) == 3
    assert turn.records[0].record.where == f"{path}:1"
    why = "truncated" if how == "truncated" else "replaced by a new file"
    assert turn.told == [f"{path}: was {why}; it is followed from its beginning"]
    assert (follower.sessions, follower.fault_count) == (2, 0)


def test_records_of_others_are_replayed_and_told_apart(walk: Walk) -> None:
    follower, records, path = walk

    def of(record: CaptureRecord, mover: int, flags: int) -> CaptureRecord:
        return dataclasses.replace(
            record, input=dataclasses.replace(record.input, moving_entity_id=mover, mover_flags=flags)
        )

    path.write_bytes(lines([of(records[0], 7, 0), of(records[0], 5, 0x300), of(records[1], 7, 0), records[1]]))
    turn = follow_all(follower)
    assert [followed.is_players for followed in turn.records] == [True, True, False, False]
    assert (follower.player, follower.of_others) == (5, 2)
    assert all(followed.replays for followed in turn.records)


def test_a_place_that_the_world_lacks_is_told_once(walk: Walk) -> None:
    follower, records, path = walk
    block, cell = records[0].input.cell_id >> 16, 0x12340001
    far = [dataclasses.replace(r, input=dataclasses.replace(r.input, cell_id=cell)) for r in records[:3]]
    gone = [
        dataclasses.replace(r, input=dataclasses.replace(r.input, cell_id=block << 16 | 0x999)) for r in records[:3]
    ]
    path.write_bytes(lines([*far, *gone, *records]))
    turn = follow_all(follower)
    assert [told.split(": ")[1] for told in turn.told] == [
        "the world has no landblock 0x1234FFFF; moves there are not replayed",
        f"the world has no cell 0x{block:04X}0999; moves there are not replayed",
    ]
    assert (follower.not_replayed, follower.fault_count, len(turn.records)) == (6, 0, 36)
    assert follower.differing == {RETAIL: 0, ACE: 0}


# --- frames


def moved(record: CaptureRecord, by: Vec3) -> CaptureRecord:
    """The record in a frame whose origin is elsewhere."""

    def body(b: CaptureBody | None) -> CaptureBody | None:
        if b is None:
            return None
        n = b.contact_plane.normal
        return dataclasses.replace(
            b,
            position=add(b.position, by),
            contact_plane=Plane(n, b.contact_plane.d - dot(n, by)),
        )

    given, result = record.input, record.result
    return dataclasses.replace(
        record,
        input=dataclasses.replace(given, current=add(given.current, by), target=add(given.target, by)),
        result=dataclasses.replace(result, position=add(result.position, by)),
        before=body(record.before),
        after=body(record.after),
    )


def over_the_border() -> list[CaptureRecord]:
    sim = standing(built(house), "room", (108.0, 106.0, 20.0), 180.0)
    sim.apply_edit(Teleport(0xC95B0039, 186.0, 12.0, 20.0, 90.0))
    return walked(sim, (3.0, RUN))


def test_a_frame_that_moves_with_the_clients_centre_is_followed(tmp_path: Path) -> None:
    records = over_the_border()
    border = next(number for number, r in enumerate(records) if r.input.cell_id >> 16 == 0xCA5B)
    centred = [*records[: border + 5], *(moved(r, (-192.0, 0.0, 0.0)) for r in records[border + 5 :])]
    path = tmp_path / "live.jsonl"
    path.write_bytes(lines(centred))
    follower = Follower(path, built(house).load())
    turn = follow_all(follower)
    assert follower.differing == {RETAIL: 0, ACE: 0}
    assert [followed.frame.anchor >> 16 for followed in turn.records] == [0xC95B] * (border + 5) + [0xCA5B] * (
        len(records) - border - 5
    )
    ends = [followed.stand() for followed in turn.records]
    assert all(0.0 <= end.origin[0] <= 192.0 for end in ends), "in the landblock of its cell"
    follower.close()


def test_a_room_far_from_the_frames_origin_is_recognised(walk: Walk) -> None:
    follower, records, path = walk
    path.write_bytes(lines([*records[:5], *(moved(r, (-1920.0, -384.0, 0.0)) for r in records[5:])]))
    turn = follow_all(follower)
    assert follower.differing == {RETAIL: 0, ACE: 0}
    assert len({followed.frame.anchor >> 16 for followed in turn.records}) == 2


# --- what is kept


def test_a_kept_record_is_replayed_and_traced_again(walk: Walk) -> None:
    follower, records, path = walk
    path.write_bytes(lines([*records[:5], ended_elsewhere(records[5]), *records[6:]]))
    turn = follow_all(follower)
    record, _, replays = follower.again(5)
    assert line(record) == line(turn.records[5].record)
    assert [replay.differences for replay in replays] == [replay.differences for replay in turn.records[5].replays]
    for rules in (RETAIL, ACE):
        assert [sweep.kind for sweep in follower.trace(5, rules)] == ["sweep"]


def test_what_is_kept_is_the_text_of_the_records(walk: Walk) -> None:
    follower, records, path = walk
    path.write_bytes(lines(records[:20]) + b"no record\n" + lines(records))
    follow_all(follower)
    text = b"".join(texts_of(follower.kept.packed()))
    assert text == lines([*records[:20], *records])
    assert len(list(parse_capture(text, "kept"))) == 50


def test_old_records_are_dropped_and_memory_is_bounded() -> None:
    kept = KeptRecords(most=50_000)
    for number in range(2000):
        kept.add(b"%04d" % number * 25, Mark(number, 0xA9B40001, 0xA9B4FFFF, 7, number + 1, 0, None))
    assert kept.end == 2000
    assert 350 < len(kept) <= 500 + 128
    assert kept.mark(1999) == Mark(1999, 0xA9B40001, 0xA9B4FFFF, 7, 2000, 0, None)
    assert kept.text(kept.first) == b"%04d" % kept.first * 25
    assert sum(map(len, texts_of(kept.packed()))) <= 50_000 + 128 * 101
    with pytest.raises(KeyError):
        kept.mark(kept.first - 1)
