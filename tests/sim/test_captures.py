"""Our own runs written as captures, and captures replayed by the resolve contract."""

from __future__ import annotations

import dataclasses
import io
import itertools
from pathlib import Path

import pytest

from engine.geometry.vec import distance, r24
from engine.physics.rules import RuleSet
from engine.sim.captures.form import CaptureRecord, parse_capture, read_capture
from engine.sim.captures.replay import replay_capture
from engine.sim.captures.writer import CaptureWriter
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.world.faults import WorldError
from tests.sim.helpers.small_worlds import (
    FORWARD,
    RUN,
    built,
    furnished,
    hold,
    house,
    open_rooms,
    standing,
    with_cellar,
)


def captured(sim: Simulation, *legs: tuple[float, Controls]) -> list[CaptureRecord]:
    """The capture of a walk."""
    stream = io.StringIO()
    writer = CaptureWriter(stream, sim.player.steered)
    sim.watch(sim.player.id, writer)
    for seconds, controls in legs:
        hold(sim, seconds, controls)
    sim.unwatch(sim.player.id, writer)
    assert writer.count > 0
    return list(parse_capture(stream.getvalue().encode(), "capture"))


def check_agrees(sim: Simulation, records: list[CaptureRecord]) -> None:
    replays = replay_capture(sim.graph, RuleSet(), records)
    differing = {replay.record.tick: [str(d) for d in replay.differences] for replay in replays if not replay.agrees}
    assert differing == {}


TURN = Controls(forward=1.0, turn=1.0, run=True)
JUMP = Controls(forward=1.0, jump=True)


def test_a_walk_through_a_doorway_replays_to_the_same_results() -> None:
    sim = standing(built(open_rooms), "hall", (4.0, 2.0), 90.0)
    records = captured(sim, (1.5, FORWARD), (1.0, TURN), (0.5, JUMP), (1.5, RUN))
    assert len({record.result.cell_id for record in records}) == 3
    assert any(record.result.collision_normal_valid for record in records)
    assert any(not record.result.is_on_ground for record in records)
    check_agrees(sim, records)


def test_a_walk_against_furniture_replays_to_the_same_results() -> None:
    sim = standing(built(furnished), "room", (3.0, 5.0), 90.0)
    records = captured(sim, (1.0, FORWARD), (1.0, TURN), (2.0, RUN))
    assert any(record.result.collision_normal_valid for record in records)
    check_agrees(sim, records)


def test_steps_and_a_house_on_land_replay_to_the_same_results() -> None:
    cellar = standing(built(with_cellar), "cellar", (1.75, 1.0, -3.0), 0.0)
    check_agrees(cellar, captured(cellar, (3.0, FORWARD)))
    outdoors = standing(built(house), "room", (108.0, 106.0, 20.0), 180.0)
    records = captured(outdoors, (3.0, RUN))
    assert records[-1].result.cell_id & 0xFFFF < 0x100
    check_agrees(outdoors, records)


def test_a_move_over_a_landblock_border_stays_in_one_frame_in_the_capture() -> None:
    sim = standing(built(house), "room", (108.0, 106.0, 20.0), 180.0)
    sim.apply_edit(Teleport(0xC95B0039, 186.0, 12.0, 20.0, 90.0))
    records = captured(sim, (3.0, RUN))
    blocks = {record.result.cell_id >> 16 for record in records}
    assert blocks == {0xC95B, 0xCA5B}
    for before, after in itertools.pairwise(records):
        assert distance(before.result.position, after.input.current) < 1e-3
    assert records[-1].result.position[0] > 192.0
    check_agrees(sim, records)


def test_a_record_holds_the_bodys_contact_before_each_move() -> None:
    sim = standing(built(open_rooms), "hall", (4.0, 2.0), 90.0)
    first = captured(sim, (0.2, FORWARD))[0]
    assert first.before is not None
    assert first.before.position == first.input.target
    assert first.before.contact_plane_valid
    assert first.before.contact_plane.normal == pytest.approx((0.0, 0.0, 1.0))
    assert first.input.is_on_ground
    assert first.input.mover_flags == 0x300
    assert (first.input.sphere_radius, first.input.sphere_height) == pytest.approx((0.48, 1.83))
    assert first.input.spheres == (((0.0, 0.0, r24(0.475)), r24(0.48)), ((0.0, 0.0, r24(1.35)), r24(0.48)))
    assert first.input.moving_entity_id == sim.player.id


def test_writing_a_capture_changes_nothing() -> None:
    def walked(watched: bool) -> bytes:
        sim = standing(built(furnished), "room", (3.0, 5.0), 90.0)
        if watched:
            captured(sim, (2.0, TURN))
        else:
            hold(sim, 2.0, TURN)
        return sim.state_hash()

    assert walked(True) == walked(False)


def test_a_difference_names_the_field_with_both_values() -> None:
    sim = standing(built(open_rooms), "hall", (2.0, 2.0), 90.0)
    record = captured(sim, (0.2, FORWARD))[-1]
    wrong = dataclasses.replace(
        record,
        result=dataclasses.replace(
            record.result,
            position=(9.0, 9.0, 9.0),
            cell_id=0xC95B0123,
            is_on_ground=False,
            collision_normal_valid=True,
        ),
    )
    (replay,) = replay_capture(sim.graph, RuleSet(), [wrong])
    assert not replay.agrees
    assert [d.field for d in replay.differences] == ["position", "cellId", "isOnGround", "collisionNormalValid"]
    assert str(replay.differences[1]) == f"cellId: recorded 0xC95B0123, ours 0x{record.result.cell_id:08X}"


def test_a_replay_can_be_observed() -> None:
    sim = standing(built(open_rooms), "hall", (2.0, 2.0), 90.0)
    recorder = TraceRecorder()
    records = captured(sim, (0.2, FORWARD))
    replay_capture(sim.graph, RuleSet(), records, recorder)
    assert len(recorder.sweeps) == len(records)


def test_a_record_of_a_missing_cell_is_refused_with_its_line() -> None:
    sim = standing(built(open_rooms), "hall", (2.0, 2.0), 90.0)
    record = captured(sim, (0.2, FORWARD))[0]
    elsewhere = dataclasses.replace(record, input=dataclasses.replace(record.input, cell_id=0x12340100))
    with pytest.raises(WorldError, match=r"capture:1: input\.cellId: the world has no cell 0x12340100"):
        replay_capture(sim.graph, RuleSet(), [elsewhere])


def test_a_record_without_a_body_replays_from_its_input_alone() -> None:
    sim = standing(built(open_rooms), "hall", (2.0, 2.0), 90.0)
    record = captured(sim, (0.2, FORWARD))[-1]
    bare = dataclasses.replace(record, before=None, after=None)
    (replay,) = replay_capture(sim.graph, RuleSet(), [bare])
    assert replay.position == pytest.approx(record.result.position, abs=1e-3)


def test_a_capture_survives_a_file(tmp_path: Path) -> None:
    path = tmp_path / "walk.jsonl"
    sim = standing(built(open_rooms), "hall", (2.0, 2.0), 90.0)
    with path.open("w", encoding="ascii") as stream:
        sim.watch(sim.player.id, CaptureWriter(stream, sim.player.steered))
        hold(sim, 1.0, FORWARD)
    check_agrees(sim, read_capture(path))
