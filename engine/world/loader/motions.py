"""From animation and motion table records to what entities play (spec/dat-format.md 3.8-3.10)."""

from __future__ import annotations

from collections.abc import Callable

from engine.dat.records import Animation as AnimationRecord
from engine.dat.records import MotionData
from engine.dat.records import MotionTable as MotionTableRecord
from engine.geometry.vec import ZERO, Vec3, is_finite
from engine.world.cells.ids import cell_text
from engine.world.cells.motion import LAST_FRAME, Animation, Motion, MotionTable, Stretch
from engine.world.faults import MOTION
from engine.world.loader.shapes import FaultLog, frame_of

FindAnimation = Callable[[int], "Animation | None"]


def animation(record: AnimationRecord, found: FaultLog) -> Animation:
    what = f"a part in animation {cell_text(record.id)}"
    frames = [
        [frame_of(part, found, what, index) for part in frame.frames] for index, frame in enumerate(record.frames)
    ]
    moves = [frame_of(frame, found, f"animation {cell_text(record.id)}") for frame in record.position_frames]
    return Animation(record.id, record.num_parts, frames, moves)


def motion_table(record: MotionTableRecord, find_animation: FindAnimation) -> MotionTable:
    """The table with its animations; a stretch whose animation is missing is left out and named in a fault."""
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
    made.faults.extend(found.faults)
    return made


def _motion(data: MotionData, find_animation: FindAnimation, found: FaultLog) -> Motion:
    stretches: list[Stretch] = []
    for index, part in enumerate(data.anims):
        played = find_animation(part.animation_id)
        if played is None:
            found.error(MOTION, f"animation {cell_text(part.animation_id)} is not there or can not be read", index)
            continue
        beyond = max(part.low_frame, part.high_frame)
        if not played.frames or beyond >= len(played.frames) or part.low_frame < 0 or part.high_frame < LAST_FRAME:
            asked = f"frames {part.low_frame} to {part.high_frame} of {cell_text(part.animation_id)}"
            found.warning(MOTION, f"plays {asked}, which has {len(played.frames)}", index)
        rate = part.framerate
        if rate - rate != 0.0:
            found.error(MOTION, f"animation {cell_text(part.animation_id)} is played at {rate} frames a second", index)
            rate = 0.0
        stretches.append(Stretch(played, part.low_frame, part.high_frame, rate))
    return Motion(stretches, _vector(data.velocity, found), _vector(data.omega, found), data.bitfield)


def _vector(stored: Vec3 | None, found: FaultLog) -> Vec3:
    if stored is None:
        return ZERO
    if not is_finite(stored):
        found.error(MOTION, f"moves or turns by {stored}")
        return ZERO
    return stored
