"""Animations and motion tables as plain objects (dat-format.md 3.8-3.10). Who plays them is `engine.entities`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.world.faults import Fault

WORD: Final = 0xFFFFFFFF
SUBSTATE: Final = 0x00FFFFFF
"""The part of a command word that goes into a key; the class in the top bits stays out."""

LAST_FRAME: Final = -1


class Animation:
    """A movement of the parts of a model: for each frame where each part is, relative to the object.

    `position_frames` moves the object itself from frame to frame; empty when it stays.
    """

    id: int
    num_parts: int
    frames: list[list[Frame]]
    position_frames: list[Frame]

    def __init__(
        self, animation_id: int, num_parts: int, frames: list[list[Frame]], position_frames: list[Frame]
    ) -> None:
        self.id = animation_id
        self.num_parts = num_parts
        self.frames = frames
        self.position_frames = position_frames

    def __repr__(self) -> str:
        return f"Animation(0x{self.id:08X}, {len(self.frames)} frames)"


class Stretch:
    """Some frames of an animation at a speed; a negative one plays them from the last to the first."""

    animation: Animation
    low: int
    high: int
    framerate: float

    def __init__(self, animation: Animation, low: int, high: int, framerate: float) -> None:
        """`high` LAST_FRAME is the animation's last; what lies beyond its ends is brought back to them."""
        last = len(animation.frames) - 1
        if high == LAST_FRAME or high > last:
            high = last
        self.animation = animation
        self.high = max(high, 0)
        self.low = min(max(low, 0), self.high)
        self.framerate = framerate

    def length(self) -> float:
        """Seconds from the start to the end; a stretch that stands still has no length."""
        if self.framerate == 0.0:
            return 0.0
        return float(self.high - self.low + 1) / abs(self.framerate)

    def frame_at(self, seconds: float) -> int:
        """The number of the frame that is shown so long after the start."""
        played = math.floor(seconds * abs(self.framerate) + 1e-6)
        played = min(max(played, 0), self.high - self.low)
        return self.high - played if self.framerate < 0.0 else self.low + played

    def pose(self, seconds: float) -> list[Frame]:
        """The frames of the parts at a time after the start; empty for an animation without frames."""
        number = self.frame_at(seconds)
        frames = self.animation.frames
        return frames[number] if number < len(frames) else []


class Motion:
    """The animations of one command, and the velocity and rotation of the object meanwhile."""

    velocity: Vec3
    omega: Vec3
    bitfield: int
    _stretches: list[Stretch]
    _load: Callable[[], list[Stretch]] | None

    def __init__(
        self,
        stretches: list[Stretch],
        velocity: Vec3,
        omega: Vec3,
        bitfield: int,
        load: Callable[[], list[Stretch]] | None = None,
    ) -> None:
        """`load` returns the stretches on first use: a human's table has a thousand animations."""
        self._stretches = stretches
        self.velocity = velocity
        self.omega = omega
        self.bitfield = bitfield
        self._load = load

    @property
    def stretches(self) -> list[Stretch]:
        if self._load is not None:
            self.read()
        return self._stretches

    def read(self) -> None:
        """Have the stretches now."""
        load = self._load
        if load is not None:
            self._load = None
            self._stretches = load()

    def length(self) -> float:
        """Seconds to play it once."""
        total = 0.0
        for stretch in self.stretches:
            total += stretch.length()
        return total

    def pose_once(self, seconds: float) -> list[Frame]:
        """The pose so long after the start; after the end the last one stays."""
        pose: list[Frame] = []
        for stretch in self.stretches:
            pose = stretch.pose(seconds)
            if seconds < stretch.length():
                break
            seconds -= stretch.length()
        return pose

    def pose_repeated(self, seconds: float) -> list[Frame]:
        """The pose of a cycle, which starts again at its end."""
        total = self.length()
        if total > 0.0 and seconds >= total:
            seconds = math.fmod(seconds, total)
        return self.pose_once(seconds)

    def last_pose(self) -> list[Frame]:
        """The pose that playing it once ends with."""
        if not self.stretches:
            return []
        stretch = self.stretches[len(self.stretches) - 1]
        return stretch.pose(stretch.length())


class MotionTable:
    """Styles, the cycle of each state, and the links that lead from one state to another (dat-format.md 3.10)."""

    id: int
    default_style: int
    style_defaults: dict[int, int]
    cycles: dict[int, Motion]
    modifiers: dict[int, Motion]
    links: dict[int, dict[int, Motion]]
    faults: list[Fault]

    def __init__(
        self,
        table_id: int,
        default_style: int,
        style_defaults: dict[int, int],
        cycles: dict[int, Motion],
        modifiers: dict[int, Motion],
        links: dict[int, dict[int, Motion]],
    ) -> None:
        self.id = table_id
        self.default_style = default_style
        self.style_defaults = style_defaults
        self.cycles = cycles
        self.modifiers = modifiers
        self.links = links
        self.faults = []

    def __repr__(self) -> str:
        return f"MotionTable(0x{self.id:08X})"

    def default_substate(self, style: int) -> int:
        """The state that a style begins in; 0 when the table does not know the style."""
        return self.style_defaults.get(style, 0)

    def cycle(self, style: int, substate: int) -> Motion | None:
        return self.cycles.get(motion_key(style, substate))

    def link(self, style: int, from_substate: int, to_command: int) -> Motion | None:
        """The way from one state to another; a link from anywhere serves where there is none of its own."""
        return self.link_of(style, motion_key(style, from_substate), to_command)

    def link_of(self, style: int, key: int, to_command: int) -> Motion | None:
        """The same by the key of the state that is left."""
        for outer in (key, motion_key(style, 0)):
            ways = self.links.get(outer)
            if ways is not None:
                found = ways.get(to_command)
                if found is not None:
                    return found
        return None


def motion_key(style: int, command: int) -> int:
    """The key of a cycle, of a modifier and of the links out of a state."""
    return ((style << 16) & WORD) | (command & SUBSTATE)
