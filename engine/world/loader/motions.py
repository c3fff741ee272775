"""Builds playable motions from animation and motion table records (dat-format.md 3.8-3.10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeVar

from engine.dat.records import Animation as AnimationRecord
from engine.dat.records import MotionData
from engine.dat.records import MotionTable as MotionTableRecord
from engine.geometry.frame import Frame
from engine.geometry.vec import ZERO, Vec3
from engine.world.cells.ids import cell_text
from engine.world.cells.motion import LAST_FRAME, Animation, Motion, MotionTable, Stretch
from engine.world.faults import MOTION
from engine.world.loader.shapes import FaultLog, frame_of

MOST_FRAMES: Final = 1000.0
FASTEST: Final = 1000.0
FARTHEST_MOVE: Final = 10.0
"""Limits: frames, metres or radians a second, and metres in one frame. Every part of a move is swept, so
unrealistically fast data could hold the program up for any length of time."""

AT_ONCE: Final = 32
"""Tables with few animations, such as those of doors, are read whole; in others, each motion is read when first
played."""

MotionT = TypeVar("MotionT")
FindAnimation = Callable[[int], "Animation | None"]


def animation(record: AnimationRecord, found: FaultLog) -> Animation:
    whole = f"animation {cell_text(record.id)}"
    what = f"a part in {whole}"
    frames = [
        [frame_of(part, found, what, index) for part in frame.frames] for index, frame in enumerate(record.frames)
    ]
    moves = [
        _move(frame_of(frame, found, whole, index), found, whole) for index, frame in enumerate(record.position_frames)
    ]
    return Animation(record.id, record.num_parts, frames, moves)


def _move(frame: Frame, found: FaultLog, what: str) -> Frame:
    if all(abs(part) <= FARTHEST_MOVE for part in frame.origin):
        return frame
    found.error(MOTION, f"{what} moves its body by {frame.origin} in one frame; by nothing")
    return Frame(ZERO, frame.rotation)


def motion_table(record: MotionTableRecord, find_animation: FindAnimation) -> MotionTable:
    """The table with its animations; a fault names each segment that was left out because its animation is missing."""
    found = FaultLog(record.id)

    def motion(data: MotionData) -> Motion:
        return _motion(data, find_animation, found)

    made = MotionTable(
        record.id,
        record.default_style,
        dict(record.style_defaults),
        {key: motion(data) for key, data in record.cycles.items()},
        {key: motion(data) for key, data in record.modifiers.items()},
        {key: {command: motion(data) for command, data in ways.items()} for key, ways in record.links.items()},
    )
    made.faults = found.faults  # faults of later reads join the same list
    if sum(len(data.anims) for data in _all_data(record)) <= AT_ONCE:
        for made_motion in [*made.cycles.values(), *made.modifiers.values(), *_linked(made.links)]:
            made_motion.read()
    return made


def _all_data(record: MotionTableRecord) -> list[MotionData]:
    return [*record.cycles.values(), *record.modifiers.values(), *_linked(record.links)]


def _linked(links: Mapping[int, Mapping[int, MotionT]]) -> Iterator[MotionT]:
    return (motion for ways in links.values() for motion in ways.values())


def _motion(data: MotionData, find_animation: FindAnimation, found: FaultLog) -> Motion:
    """The table, whose animations are read when first played."""
    load = partial(_stretches, data, find_animation, found)
    return Motion([], _vector(data.velocity, found), _vector(data.omega, found), data.bitfield, load)


def _stretches(data: MotionData, find_animation: FindAnimation, found: FaultLog) -> list[Stretch]:
    stretches: list[Stretch] = []
    for index, part in enumerate(data.anims):
        played = find_animation(part.animation_id)
        if played is None:
            found.error(MOTION, f"animation {cell_text(part.animation_id)} is missing or unreadable", index)
            continue
        beyond = max(part.low_frame, part.high_frame)
        if not played.frames or beyond >= len(played.frames) or part.low_frame < 0 or part.high_frame < LAST_FRAME:
            asked = f"frames {part.low_frame} to {part.high_frame} of {cell_text(part.animation_id)}"
            found.warning(MOTION, f"plays {asked}, which has {len(played.frames)}", index)
        rate = part.framerate
        if not abs(rate) <= MOST_FRAMES:
            found.error(MOTION, f"animation {cell_text(part.animation_id)} is played at {rate} frames a second", index)
            rate = 0.0
        stretches.append(Stretch(played, part.low_frame, part.high_frame, rate))
    return stretches


def _vector(stored: Vec3 | None, found: FaultLog) -> Vec3:
    if stored is None:
        return ZERO
    if not all(abs(part) <= FASTEST for part in stored):
        found.error(MOTION, f"moves or turns by {stored}")
        return ZERO
    return stored
