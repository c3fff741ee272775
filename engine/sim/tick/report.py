"""The events and results of one tick, complete enough that no reader has to ask the simulation."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.entities.events import EntityEvent
from engine.geometry.constants import EPSILON
from engine.geometry.plane import Plane
from engine.geometry.vec import ZERO, Vec3
from engine.physics.body import Body
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE, TS_SLIDING, TS_WATER_CONTACT
from engine.physics.place import Place
from engine.physics.sweep.collision_info import NO_PLANE
from engine.sim.tick.contacts import SweepContacts
from engine.sim.tick.controls import Controls
from engine.world.cells.position import into_block


class TickReport:
    """The player's tick and the events of all entities. Origins are in the landblock of the cell beside them.

    `wanted` and `made` are the displacement asked for and the one that came of it. `ok` False: the sweep refused the
    move and changed nothing (7.1); `blocked`: something was in the way and the body stays where it was; `slid`: it went
    elsewhere than asked. The collision fields are those of the player's sweep, empty when none ran.
    """

    tick: int
    cell_before: int
    origin_before: Vec3
    heading_before: float
    cell: int
    origin: Vec3
    heading: float
    velocity: Vec3
    transient: int
    wanted: Vec3
    made: Vec3
    swept: bool
    ok: bool
    blocked: bool
    slid: bool
    contact_plane: Plane
    contact_plane_cell: int
    collision_normal_valid: bool
    collision_normal: Vec3
    sliding_normal: Vec3
    collided_objects: list[int]
    last_collided_object: int
    collided_with_environment: bool
    frames_stationary_fall: int
    cell_array: list[int]
    cell_changed: bool
    lost: bool
    """No cell holds the player after the tick; `cell` is the one that he left (physics.md #8)."""
    jumped: bool
    landed: bool
    left_ground: bool
    events: list[EntityEvent]
    moved: list[int]
    """Entities other than the player whose bodies moved or turned."""
    faults: list[str]
    contacts: SweepContacts | None
    """The causes of what became of the player, if the simulation was asked for them (`Simulation.name_causes`)."""

    def __init__(self, tick: int) -> None:
        self.tick = tick
        self.cell_before = 0
        self.origin_before = ZERO
        self.heading_before = 0.0
        self.cell = 0
        self.origin = ZERO
        self.heading = 0.0
        self.velocity = ZERO
        self.transient = 0
        self.wanted = ZERO
        self.made = ZERO
        self.swept = False
        self.ok = True
        self.blocked = False
        self.slid = False
        self.contact_plane = NO_PLANE
        self.contact_plane_cell = 0
        self.collision_normal_valid = False
        self.collision_normal = ZERO
        self.sliding_normal = ZERO
        self.collided_objects = []
        self.last_collided_object = 0
        self.collided_with_environment = False
        self.frames_stationary_fall = 0
        self.cell_array = []
        self.cell_changed = False
        self.lost = False
        self.jumped = False
        self.landed = False
        self.left_ground = False
        self.events = []
        self.moved = []
        self.faults = []
        self.contacts = None

    @property
    def in_contact(self) -> bool:
        return (self.transient & TS_CONTACT) != 0

    @property
    def on_walkable(self) -> bool:
        return (self.transient & TS_ON_WALKABLE) != 0

    @property
    def sliding(self) -> bool:
        return (self.transient & TS_SLIDING) != 0

    @property
    def in_water(self) -> bool:
        return (self.transient & TS_WATER_CONTACT) != 0

    def begin(self, body: Body) -> None:
        """The player before the tick."""
        place = body.place
        self.cell_before = place.cell_id
        self.origin_before = place.origin
        self.heading_before = place.turn.heading()

    def finish(self, body: Body, was_on_walkable: bool, ok: bool) -> None:
        """The player after his step."""
        place = body.place
        self.cell = place.cell_id
        self.origin = place.origin
        self.heading = place.turn.heading()
        self.velocity = body.velocity
        self.transient = body.transient
        self.contact_plane = body.contact_plane
        self.contact_plane_cell = body.contact_plane_cell_id
        self.sliding_normal = body.sliding_normal
        self.cell_changed = self.cell != self.cell_before
        self.lost = body.is_lost
        on_walkable = (body.transient & TS_ON_WALKABLE) != 0
        self.landed = on_walkable and not was_on_walkable
        self.left_ground = was_on_walkable and not on_walkable
        self.ok = ok
        self.made = self._displacement(place)
        self.wanted = self.made
        self._add_sweep(body)

    def _add_sweep(self, body: Body) -> None:
        tr = body.last_transition
        if tr is None:
            return
        ci = tr.ci
        self.swept = True
        self.wanted = self._displacement(tr.sp.end)
        self.collision_normal_valid = ci.collision_normal_valid
        self.collision_normal = ci.collision_normal
        self.collided_objects = ci.collide_objects
        self.last_collided_object = ci.last_collided_object
        self.collided_with_environment = ci.collided_with_environment
        self.frames_stationary_fall = ci.frames_stationary_fall
        self.cell_array = tr.ca.listed()
        asked = _size(self.wanted) > EPSILON
        astray = (self.made[0] - self.wanted[0], self.made[1] - self.wanted[1], self.made[2] - self.wanted[2])
        hindered = not self.ok or ci.collision_normal_valid
        self.blocked = asked and hindered and _size(self.made) <= EPSILON
        self.slid = asked and hindered and not self.blocked and _size(astray) > EPSILON

    def _displacement(self, place: Place) -> Vec3:
        x, y, z = into_block(self.cell_before, place.cell_id, place.origin)
        bx, by, bz = self.origin_before
        return (x - bx, y - by, z - bz)


def _size(v: Vec3) -> float:
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


TickListener = Callable[[Controls, TickReport], None]
"""Called after each tick with its controls and report."""
