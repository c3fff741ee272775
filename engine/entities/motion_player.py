"""Playing a motion table: which cycle and link an entity is in, and where its parts are at a time
(dat-format.md 3.10).

A player holds only what began when; poses are worked out from that, so that looking changes nothing. Times are seconds
of the simulation.
"""

from __future__ import annotations

from engine.entities.state_io import StateIO
from engine.geometry.frame import Frame
from engine.world.cells.motion import MotionTable


class MotionPlayer:
    """The motion of one entity: its state, the state it came from, and since when."""

    table: MotionTable
    style: int
    substate: int
    came_from: int
    started: float

    def __init__(self, table: MotionTable, style: int) -> None:
        """In the style's default state, as if it had been for ever."""
        self.table = table
        self.style = style
        self.substate = table.default_substate(style)
        self.came_from = self.substate
        self.started = 0.0

    def do_motion(self, command: int, now: float) -> float:
        """Go to another state: its link once, then its cycle. Answers the seconds that the link takes."""
        self.came_from = self.substate
        self.substate = command
        self.started = now
        return self.link_length()

    def set_state(self, command: int, now: float) -> None:
        """Be in a state at once, without the way to it."""
        self.came_from = command
        self.substate = command
        self.started = now

    def link_length(self) -> float:
        link = self.table.link(self.style, self.came_from, self.substate)
        return 0.0 if link is None or self.came_from == self.substate else link.length()

    def pose(self, now: float) -> list[Frame]:
        """The frames of the parts; empty when the table has none."""
        elapsed = max(now - self.started, 0.0)
        if self.came_from != self.substate:
            link = self.table.link(self.style, self.came_from, self.substate)
            if link is not None:
                length = link.length()
                if elapsed < length:
                    return link.pose_once(elapsed)
                elapsed -= length
        cycle = self.table.cycle(self.style, self.substate)
        return [] if cycle is None else cycle.pose_repeated(elapsed)

    def rest_pose(self, command: int) -> list[Frame] | None:
        """The last frame of a state's cycle: what a thing collides as while it is in that state (physics.md 8.3)."""
        cycle = self.table.cycle(self.style, command)
        if cycle is None:
            return None
        pose = cycle.last_pose()
        return pose if pose else None

    def visit(self, io: StateIO) -> None:
        self.substate = io.integer("substate", self.substate)
        self.came_from = io.integer("came_from", self.came_from)
        self.started = io.real("started", self.started)
