"""Doors (physics.md 9): used they are passable at once, closing they become solid only after the motion, and
after a while they go back to how they are by default."""

from __future__ import annotations

import math
from typing import Final

from engine.entities.commands import NON_COMBAT, OFF, ON
from engine.entities.entity import Entity
from engine.entities.events import (
    BUSY,
    CLOSED,
    CLOSING,
    HELD,
    LOCKED,
    OPENED,
    OPENING,
    REFUSED,
    UNLOCKED,
    EntityEvent,
)
from engine.entities.motion_player import MotionPlayer
from engine.entities.state_io import StateIO
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.physics.body import Body
from engine.physics.errors import PhysicsError
from engine.physics.objects.ethereal import set_ethereal
from engine.physics.objects.shadows import ShadowRegistry
from engine.world.cells.motion import MotionTable
from engine.world.cells.objects import Setup
from engine.world.cells.position import into_block

RESET_INTERVAL: Final = 30.0
"""Seconds after the last use until a door goes back to its default."""

MAX_RESET_INTERVAL: Final = 86400.0
TICKS_PER_SECOND: Final = 30.0
NEVER: Final = -1

HOLD_INTERVAL: Final = 30
"""Ticks until a door blocked by a body tries to close again: a second (9.2)."""


class Door(Entity):
    """A door as the server runs it. Times are numbers of ticks: `now` is the tick that is about to run.

    To look for somebody inside before it closes is the server's choice (9.2), and this one's: it waits for him. Clients
    take what they are told; the SetState of `Population.set_state` closes a door on anybody (physics.md #31).
    """

    registry: ShadowRegistry
    bodies: dict[int, Body]
    is_open: bool
    locked: bool
    default_open: bool
    default_locked: bool
    only_opens: bool
    reset_interval: float
    use_stamp: int
    reset_at: int
    busy_until: int
    held: bool
    retry_at: int

    def __init__(
        self,
        entity_id: int,
        name: str,
        setup: Setup,
        scale: float,
        flags: int,
        cell_id: int,
        frame: Frame,
        registry: ShadowRegistry,
        bodies: dict[int, Body],
        table: MotionTable | None,
    ) -> None:
        super().__init__(entity_id, name, "door", setup, scale, flags, cell_id, frame)
        self.registry = registry
        self.bodies = bodies
        self.motions = None if table is None else MotionPlayer(table, NON_COMBAT)
        self.is_open = False
        self.locked = False
        self.default_open = False
        self.default_locked = False
        self.only_opens = False
        self.reset_interval = RESET_INTERVAL
        self.use_stamp = NEVER
        self.reset_at = NEVER
        self.busy_until = NEVER
        self.held = False
        self.retry_at = NEVER

    def set_defaults(self, is_open: bool, locked: bool, only_opens: bool, reset_interval: float) -> None:
        """Set how the door stands untouched, which is what it goes back to; `only_opens` makes it one that nobody
        closes."""
        self.default_open = is_open
        self.default_locked = locked
        self.only_opens = only_opens
        self.reset_interval = reset_interval
        self.is_open = is_open
        self.locked = locked
        if self.motions is not None:
            self.motions.set_state(ON if is_open else OFF, 0.0)

    def set_returns(self, is_open: bool, locked: bool) -> None:
        """Set what the door goes back to, where that is not how it stands at first."""
        self.default_open = is_open
        self.default_locked = locked

    def collision_pose(self) -> list[Frame] | None:
        """A door collides closed, wherever its leaves are; for some setups the placement is the open pose (14.13)."""
        motions = self.motions
        return None if motions is None else motions.rest_pose(OFF)

    def is_busy(self, now: int) -> bool:
        return now < self.busy_until

    def is_behind(self, cell_id: int, origin: Vec3) -> bool:
        """Whether a place is in the door's back half (local y < 0)."""
        local = self.frame.global_to_local(into_block(self.cell_id, cell_id, origin))
        return local[1] < 0.0

    # --- what people do

    def use(self, now: int, by: int, behind: bool, events: list[EntityEvent], only_open: bool = False) -> None:
        """Open it or close it, unless it is moving or locked; from behind a lock does not matter. Switches and pressure
        plates `only_open` it."""
        if self.is_busy(now):
            events.append(EntityEvent(now, self.id, BUSY, by))
            return
        if self.locked and not behind:
            events.append(EntityEvent(now, self.id, REFUSED, by))
            return
        if not self.is_open:
            self.open(now, by, events)
            events[len(events) - 1].is_despite_lock = self.locked
        elif not self.only_opens and not only_open:
            self.close(now, by, events)
        self.use_stamp = now
        self.reset_at = now + math.ceil(self.reset_interval * TICKS_PER_SECOND - 1e-6)

    def open(self, now: int, by: int, events: list[EntityEvent]) -> None:
        """Passable at once, before a leaf has moved."""
        if self.is_open:
            return
        self.is_open = True
        self.held = False
        self._set_ethereal(True)
        self._start_motion(ON, now)
        events.append(EntityEvent(now, self.id, OPENING, by))

    def close(self, now: int, by: int, events: list[EntityEvent]) -> None:
        """Solid when the leaves have come home (`step`)."""
        if not self.is_open:
            return
        self.is_open = False
        self._start_motion(OFF, now)
        events.append(EntityEvent(now, self.id, CLOSING, by))

    def set_locked(self, locked: bool, now: int, by: int, events: list[EntityEvent]) -> None:
        """Locking only affects who may use it."""
        if locked != self.locked:
            self.locked = locked
            events.append(EntityEvent(now, self.id, LOCKED if locked else UNLOCKED, by))

    def set_reset_interval(self, seconds: float) -> None:
        """Takes effect with the next use."""
        if not 0.0 <= seconds <= MAX_RESET_INTERVAL:
            raise PhysicsError(f"a door goes back after 0 to {MAX_RESET_INTERVAL:.0f} s, not after {seconds}")
        self.reset_interval = seconds

    # --- what time does

    def step(self, now: int, events: list[EntityEvent]) -> None:
        """The timers: the end of a motion, a door that is held open, and the way back to the default."""
        if self.busy_until != NEVER and now >= self.busy_until:
            self.busy_until = NEVER
            if self.is_open:
                events.append(EntityEvent(now, self.id, OPENED))
            else:
                self._become_solid(now, events)
        elif self.held and now >= self.retry_at:
            self._become_solid(now, events)
        if self.reset_at != NEVER and now >= self.reset_at and not self.is_busy(now):
            self.reset_at = NEVER
            self._reset(now, events)

    def _reset(self, now: int, events: list[EntityEvent]) -> None:
        if self.default_open:
            self.open(now, 0, events)
            return
        self.close(now, 0, events)
        if self.default_locked:
            self.set_locked(True, now, 0, events)

    def _become_solid(self, now: int, events: list[EntityEvent]) -> None:
        solid = self._set_ethereal(False)
        if solid or not self.held:
            events.append(EntityEvent(now, self.id, CLOSED if solid else HELD))
        self.held = not solid
        self.retry_at = NEVER if solid else now + HOLD_INTERVAL

    def _set_ethereal(self, ethereal: bool) -> bool:
        return set_ethereal(self.registry, self.registry.entity(self.id).obj, ethereal, self.bodies)

    def _start_motion(self, command: int, now: int) -> None:
        seconds = 0.0
        if self.motions is not None:
            seconds = self.motions.do_motion(command, float(now) / TICKS_PER_SECOND)
        self.busy_until = now + math.ceil(seconds * TICKS_PER_SECOND - 1e-6)

    def rest(self, now: int) -> None:
        """Be done with the motion that runs, without a word: the leaves stand where it leads."""
        self.busy_until = NEVER
        self.held = False
        if self.motions is not None:
            self.motions.set_state(ON if self.is_open else OFF, float(now) / TICKS_PER_SECOND)

    def visit(self, io: StateIO) -> None:
        super().visit(io)
        self.is_open = io.flag("open", self.is_open)
        self.locked = io.flag("locked", self.locked)
        self.default_open = io.flag("default_open", self.default_open)
        self.default_locked = io.flag("default_locked", self.default_locked)
        self.reset_interval = io.real("reset_interval", self.reset_interval)
        self.use_stamp = io.integer("use_stamp", self.use_stamp)
        self.reset_at = io.integer("reset_at", self.reset_at)
        self.busy_until = io.integer("busy_until", self.busy_until)
        self.held = io.flag("held", self.held)
        self.retry_at = io.integer("retry_at", self.retry_at) if io.version >= 7 else NEVER
