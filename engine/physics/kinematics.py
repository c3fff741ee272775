"""The velocity of a body under friction, gravity and bounces (physics.md 11.2-11.5)."""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import (
    DEFAULT_ELASTICITY,
    DEFAULT_FRICTION,
    DEFAULT_STATE,
    EPSILON,
    GRAVITY,
    MAX_VELOCITY,
)
from engine.geometry.elementary import power
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.vec import ZERO, Vec3, length2, r24v
from engine.physics.flags import GRAVITY as STATE_GRAVITY
from engine.physics.flags import SLEDDING, STATIC, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.sweep.collision_info import NO_PLANE

_TOP_SPEED_SQUARED: Final = MAX_VELOCITY * MAX_VELOCITY
_SMALL_SPEED_SQUARED: Final = 0.0625
_LEAVING: Final = 0.25
_SLED_SLOW: Final = 1.5625
_SLED_FAST: Final = 6.25
_SLED_SLOPE: Final = 0.98480775  # cos 10°
_SLED_SLOPE_ACE: Final = 0.99999536


class Kinematics:
    """Position, contact state and velocity of a body; `Body` adds the sweeps."""

    rules: RuleSet
    place: Place
    state: int
    has_movement: bool
    transient: int
    velocity: Vec3
    acceleration: Vec3
    omega: Vec3
    contact_plane: Plane
    elasticity: float
    friction: float

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.place = Place(0, ZERO, Frame())
        self.state = DEFAULT_STATE
        self.has_movement = False
        self.transient = TS_ACTIVE
        self.velocity = ZERO
        self.acceleration = ZERO
        self.omega = ZERO
        self.contact_plane = NO_PLANE
        self.elasticity = DEFAULT_ELASTICITY
        self.friction = DEFAULT_FRICTION

    def contact_bits(self) -> tuple[bool, bool]:
        """In contact, and on a walkable."""
        return ((self.transient & TS_CONTACT) != 0, (self.transient & TS_ON_WALKABLE) != 0)

    def set_transient(self, bit: int, on: bool) -> None:
        if on:
            self.transient |= bit
        else:
            self.transient &= ~bit

    def calc_acceleration(self) -> None:
        resting = TS_CONTACT | TS_ON_WALKABLE
        sliding_down = self.rules.sledding and (self.state & SLEDDING) != 0
        if self.transient & resting == resting and not sliding_down:
            self.acceleration = (0.0, 0.0, 0.0)
            self.omega = (0.0, 0.0, 0.0)
        elif self.state & STATE_GRAVITY:
            self.acceleration = (0.0, 0.0, GRAVITY)
        else:
            self.acceleration = (0.0, 0.0, 0.0)

    def calc_friction(self, quantum: float, speed2: float) -> None:
        if not self.transient & TS_ON_WALKABLE:
            return
        nx, ny, nz = self.contact_plane.normal
        x, y, z = self.velocity
        a = x * nx + y * ny + z * nz
        if a >= _LEAVING:
            return
        friction = self.friction
        if self.state & SLEDDING:
            if speed2 < _SLED_SLOW:
                friction = 1.0
            elif speed2 >= _SLED_FAST and (nz < _SLED_SLOPE if self.rules.sledding else nz > _SLED_SLOPE_ACE):
                friction = 0.2  # the client lets a sled run where it is steeper than 10° (physics.md #27)
        keep = power(1.0 - friction, quantum)
        self.velocity = ((x - nx * a) * keep, (y - ny * a) * keep, (z - nz * a) * keep)

    def set_velocity(self, velocity: Vec3) -> None:
        """Clamped to the top speed; wakes the body up unless it is static."""
        if velocity != self.velocity:
            size2 = length2(velocity)
            if size2 > _TOP_SPEED_SQUARED:
                factor = MAX_VELOCITY / math.sqrt(size2)
                velocity = (velocity[0] * factor, velocity[1] * factor, velocity[2] * factor)
            self.velocity = velocity
        if not self.state & STATIC:
            self.transient |= TS_ACTIVE

    def update_physics_internal(self, quantum: float, origin: Vec3, turn: Frame) -> Place:
        """Return the place to which velocity, friction and gravity take the body from `origin` in a quantum."""
        speed2 = length2(self.velocity)
        if speed2 <= 0.0:
            if not self.has_movement and self.transient & TS_ON_WALKABLE:
                self.transient &= ~TS_ACTIVE
        else:
            if speed2 > _TOP_SPEED_SQUARED:
                factor = MAX_VELOCITY / math.sqrt(speed2)
                vx, vy, vz = self.velocity
                self.velocity = (vx * factor, vy * factor, vz * factor)
                speed2 = _TOP_SPEED_SQUARED
            self.calc_friction(quantum, speed2)
            if speed2 - _SMALL_SPEED_SQUARED < EPSILON:
                self.velocity = ZERO
            vx, vy, vz = self.velocity
            ax, ay, az = self.acceleration
            half = quantum * quantum * 0.5
            x, y, z = origin
            origin = r24v(
                (
                    x + (vx * quantum + ax * half),
                    y + (vy * quantum + ay * half),
                    z + (vz * quantum + az * half),
                )
            )
        vx, vy, vz = self.velocity
        ax, ay, az = self.acceleration
        self.velocity = r24v((vx + ax * quantum, vy + ay * quantum, vz + az * quantum))
        wx, wy, wz = self.omega
        if wx != 0.0 or wy != 0.0 or wz != 0.0:
            turn = turn.grotate((wx * quantum, wy * quantum, wz * quantum))
        return Place(self.place.cell_id, origin, turn)

    def bounce(self, n: Vec3) -> None:
        x, y, z = self.velocity
        s = x * n[0] + y * n[1] + z * n[2]
        if s < 0.0:
            k = -s * (self.elasticity + 1.0)
            self.velocity = r24v((x + n[0] * k, y + n[1] * k, z + n[2] * k))
