"""The human that players are: the client's setup with its two spheres, its motion table and animations, made under the
ids that they have there (physics.md #2, #4; dat-format.md 3.5, 3.8, 3.10).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from engine.build.errors import BuildError
from engine.build.models import Ball, Model
from engine.build.records.models import FRAMES_PER_SECOND, NON_COMBAT, ModelRecords, record_frame
from engine.build.records.numbering import PortalRecords
from engine.build.shapes.furniture import person
from engine.dat.ids import did_text
from engine.dat.records import Animation, AnimationFrame, MotionAnim, MotionData, MotionTable
from engine.dat.records.motion import HAS_OMEGA, HAS_VELOCITY
from engine.geometry.elementary import sin
from engine.geometry.quat import IDENTITY
from engine.geometry.vec import ZERO, Vec3, r24v

HUMAN_SETUP: Final = 0x02000001
RADIUS: Final = 0.48
SPHERES: Final = (0.475, 1.35)
"""The heights of the centres of foot and head."""

READY: Final = 0x41000003
WALK_FORWARD: Final = 0x45000005
RUN_FORWARD: Final = 0x44000007
FALLING: Final = 0x40000015
TURN_RIGHT: Final = 0x6500000D
SIDE_STEP_RIGHT: Final = 0x6500000F

ONLY_FROM_READY: Final = 0x2
"""Bit of a motion that is a cycle for who stands in his style's default state, and a modifier otherwise."""


def human_model() -> Model:
    """A townsperson with the body of a player."""
    return replace(
        person(),
        name="human",
        balls=tuple(Ball((0.0, 0.0, height), RADIUS) for height in SPHERES),
        step_up=0.6,
        step_down=1.5,
    )


def put_human(records: PortalRecords, models: ModelRecords) -> None:
    """Call it before any other model is built: the first setup gets the human's id."""
    made = models.model(human_model(), _motions(records))
    if made != HUMAN_SETUP:
        raise BuildError("human", f"the setup of players is {did_text(HUMAN_SETUP)}, not {did_text(made)}")


def _motions(records: PortalRecords) -> int:
    """The human values: what a cycle moves by at speed 1, at 30 frames a second."""
    stand, walk, run = _animation(records, 1, 0.0), _animation(records, 30, 0.02), _animation(records, 20, 0.04)
    aside = MotionData(ONLY_FROM_READY, HAS_VELOCITY, [_all_of(walk)], velocity=r24v((1.25, 0.0, 0.0)))
    turn = MotionData(ONLY_FROM_READY, HAS_OMEGA, [_all_of(walk)], omega=r24v((0.0, 0.0, -0.5 * math.pi)))
    cycles = {
        READY: MotionData(0, 0, [_all_of(stand)]),
        WALK_FORWARD: _forward(walk, (0.0, 3.12, 0.0)),
        RUN_FORWARD: _forward(run, (0.0, 4.0, 0.0)),
        FALLING: MotionData(0, 0, [_all_of(stand)]),
        SIDE_STEP_RIGHT: aside,
        TURN_RIGHT: turn,
    }
    table_id = records.next_id(0x09000000)
    table = MotionTable(
        id=table_id,
        default_style=NON_COMBAT,
        style_defaults={NON_COMBAT: READY},
        cycles={_key(command): cycles[command] for command in sorted(cycles)},
        modifiers={_key(TURN_RIGHT): turn, _key(SIDE_STEP_RIGHT): aside},
        links={},
    )
    return records.put(table_id, table)


def _animation(records: PortalRecords, count: int, rise: float) -> int:
    """Frames of one part, in which the body rises twice and comes down again, a step with each foot."""
    animation_id = records.next_id(0x03000000)
    frames = []
    for number in range(count):
        up = rise * abs(sin(2.0 * math.pi * number / count))
        frames.append(AnimationFrame([record_frame((0.0, 0.0, up) if up else ZERO, IDENTITY)], []))
    return records.put(animation_id, Animation(animation_id, 0, 1, [], frames))


def _all_of(animation_id: int) -> MotionAnim:
    return MotionAnim(animation_id, 0, -1, FRAMES_PER_SECOND)


def _forward(animation_id: int, velocity: Vec3) -> MotionData:
    return MotionData(0, HAS_VELOCITY, [_all_of(animation_id)], velocity=r24v(velocity))


def _key(command: int) -> int:
    return (NON_COMBAT << 16) & 0xFFFFFFFF | command & 0xFFFFFF
