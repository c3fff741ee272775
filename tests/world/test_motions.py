"""Motion tables and animations from records: sound ones play, and bad ones are reported (dat-format.md 3.8)."""

from __future__ import annotations

import pytest

from engine.dat.records import Animation as AnimationRecord
from engine.dat.records import AnimationFrame, MotionAnim, MotionData, RecordFrame
from engine.dat.records import MotionTable as MotionTableRecord
from engine.geometry.vec import ZERO, Vec3
from engine.world.cells.motion import Animation
from engine.world.faults import FRAME, MOTION, Severity
from engine.world.loader.motions import animation, motion_table
from engine.world.loader.shapes import FaultLog

ANIMATION_ID = 0x03000001
TABLE_ID = 0x09000001
KEY = 0x003D000C


def record(frames: int = 3, rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)) -> AnimationRecord:
    moved = [AnimationFrame([RecordFrame((float(i), 0.0, 0.0), rotation)], []) for i in range(frames)]
    return AnimationRecord(ANIMATION_ID, 0, 1, [], moved)


def find(animation_id: int) -> Animation | None:
    return animation(record(), FaultLog(ANIMATION_ID)) if animation_id == ANIMATION_ID else None


def table(*anims: MotionAnim, velocity: Vec3 | None = None, omega: Vec3 | None = None) -> MotionTableRecord:
    data = MotionData(0, 0, list(anims), velocity, omega)
    return MotionTableRecord(TABLE_ID, 0x8000003D, {0x8000003D: 0x4000000C}, {KEY: data}, {}, {})


def test_a_segment_of_an_animation_plays_at_its_speed() -> None:
    made = motion_table(table(MotionAnim(ANIMATION_ID, 0, -1, 10.0), velocity=(0.0, 3.12, 0.0)), find)
    motion = made.cycles[KEY]
    assert motion.length() == pytest.approx(0.3)
    assert motion.velocity == (0.0, 3.12, 0.0)
    assert motion.omega == ZERO
    assert made.faults == []


def test_a_missing_animation_is_skipped_and_reported() -> None:
    made = motion_table(table(MotionAnim(0x03000099, 0, -1, 30.0), MotionAnim(ANIMATION_ID, 0, 0, 30.0)), find)
    assert len(made.cycles[KEY].stretches) == 1
    assert [(fault.what, fault.severity) for fault in made.faults] == [(MOTION, Severity.ERROR)]
    assert "0x03000099" in made.faults[0].reason


@pytest.mark.parametrize(("low", "high"), [(0, 3), (-1, 2), (0, -2), (7, 9)])
def test_frames_beyond_the_animation_are_reported(low: int, high: int) -> None:
    made = motion_table(table(MotionAnim(ANIMATION_ID, low, high, 30.0)), find)
    assert [fault.severity for fault in made.faults] == [Severity.WARNING]
    assert made.cycles[KEY].stretches[0].pose(0.0) != []


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 1001.0, -1e30])
def test_speeds_that_are_nan_become_zero_and_are_reported(bad: float) -> None:
    made = motion_table(
        table(MotionAnim(ANIMATION_ID, 0, -1, bad), velocity=(0.0, bad, 0.0), omega=(bad, 0.0, 0.0)), find
    )
    assert made.cycles[KEY].length() == 0.0
    assert made.cycles[KEY].velocity == made.cycles[KEY].omega == ZERO
    assert [fault.what for fault in made.faults] == [MOTION] * 3


def test_an_absurd_frame_moves_the_body_by_nothing_and_is_reported() -> None:
    made = record(3)
    made.position_frames = [RecordFrame((0.0, far, 0.0)) for far in (0.5, 10.5, -1e6)]
    found = FaultLog(ANIMATION_ID)
    moves = animation(made, found).position_frames
    assert [move.origin for move in moves] == [(0.0, 0.5, 0.0), ZERO, ZERO]
    assert len(found.faults) == 2


@pytest.mark.parametrize(("motions", "read"), [(32, 32), (33, 0)])
def test_a_table_reads_each_animation_when_it_is_played(motions: int, read: int) -> None:
    asked: list[int] = []

    def find_one(animation_id: int) -> Animation | None:
        asked.append(animation_id)
        return find(ANIMATION_ID) if animation_id != 0x03000005 else None

    many = table()
    many.cycles = {
        KEY + number: MotionData(0, 0, [MotionAnim(0x03000000 + number, 0, -1, 30.0)]) for number in range(motions)
    }
    made = motion_table(many, find_one)
    assert len(asked) == read
    assert len(made.cycles[KEY].stretches) == 1
    assert made.cycles[KEY + 5].stretches == []
    assert [fault.what for fault in made.faults] == [MOTION], "a fault found later is reported too"
    assert len(asked) == max(read, 2), "each animation is read once"


def test_a_part_with_an_invalid_rotation_is_reported_with_its_frame() -> None:
    found = FaultLog(ANIMATION_ID)
    made = animation(record(2, (0.0, 0.0, 0.0, 0.0)), found)
    assert [fault.what for fault in found.faults] == [FRAME, FRAME]
    assert made.frames[1][0].rotation == (1.0, 0.0, 0.0, 0.0)
