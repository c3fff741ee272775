"""Bodies that entities move by: one that others can stand inside while it is open, and the player's own
(physics.md 8.8, 11.2, 11.6, 11.8)."""

from __future__ import annotations

import math
from typing import Final

from engine.entities.motion_interp import MotionInterp, Skills
from engine.entities.motion_table import MotionPerformer
from engine.entities.sequence import UNTURNED
from engine.geometry.frame import Frame
from engine.geometry.quat import from_axis_angle, multiply, normalize
from engine.geometry.vec import UP, r24v
from engine.physics.body import Body
from engine.physics.flags import ETHEREAL, GRAVITY, HIDDEN, TS_CHECK_ETHEREAL, TS_ON_WALKABLE
from engine.physics.objects.ethereal import set_ethereal
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.world.cells.motion import MotionTable
from engine.world.graph.graph import CellGraph

FULL_CHARGE: Final = 1.0
"""Seconds of holding the key for a jump of full power. The specification is silent; ours."""


class EntityBody(Body):
    """A body among others: `bodies` are all of them, by id."""

    bodies: dict[int, Body]
    performer: MotionPerformer | None
    """The motions of its own; None for a body that only physics moves."""

    def __init__(
        self, body_id: int, graph: CellGraph, rules: RuleSet, registry: ShadowRegistry, bodies: dict[int, Body]
    ) -> None:
        super().__init__(body_id, graph, rules)
        self.registry = registry
        self.bodies = bodies
        self.performer = None

    def motion(self, quantum: float) -> Place:
        """Move by its animations: along its heading and only on a walkable; turning works in the air too
        (physics.md #4)."""
        place = self.place
        performer = self.performer
        if performer is None or self.state & HIDDEN:
            return place
        sequence = performer.sequence
        sequence.update(quantum)
        x, y, z = sequence.moved
        origin = place.origin
        if self.transient & TS_ON_WALKABLE and (x != 0.0 or y != 0.0 or z != 0.0):
            scale = self.scale
            origin = r24v(place.local_to_global((x * scale, y * scale, z * scale)))
        elif sequence.turned is UNTURNED:
            return place
        turn = place.turn
        if sequence.turned is not UNTURNED:
            turn = Frame((0.0, 0.0, 0.0), normalize(multiply(turn.rotation, sequence.turned.rotation)))
        return Place(place.cell_id, origin, turn)

    def set_ethereal(self, ethereal: bool) -> bool:
        """Become passable or solid; False while a body is inside, and then each step asks again (8.8)."""
        registry = self.registry
        solid = True
        if registry is not None and self.id in registry.entities:
            solid = set_ethereal(registry, registry.entity(self.id).obj, ethereal, self.bodies)
        if ethereal or not solid:
            self.state |= ETHEREAL
        else:
            self.state &= ~ETHEREAL
        self.set_transient(TS_CHECK_ETHEREAL, not solid)
        return solid

    def retry_becoming_solid(self) -> None:
        self.set_ethereal(False)


class PlayerBody(EntityBody):
    """A body that is steered: the keys choose its motions."""

    interp: MotionInterp
    charging: bool
    charge: float

    def __init__(
        self,
        body_id: int,
        graph: CellGraph,
        rules: RuleSet,
        registry: ShadowRegistry,
        bodies: dict[int, Body],
        weenie: Skills,
        table: MotionTable,
    ) -> None:
        super().__init__(body_id, graph, rules, registry, bodies)
        self.interp = MotionInterp(self, weenie, table)
        self.performer = self.interp.performer
        self.has_movement = True
        self.charging = False
        self.charge = 0.0

    def steer(self, forward: float, side_step: float, turn: float, run: bool, jump: bool, quantum: float) -> bool:
        """Apply the keys of this quantum; returns True when a jump takes off."""
        interp = self.interp
        weenie = interp.weenie
        if weenie is not None and weenie.pk_fight > 0.0:
            weenie.pk_fight = max(0.0, weenie.pk_fight - quantum)
        interp.set_keys(forward, side_step, turn, run)
        if jump:
            if not self.charging:
                self.charging = interp.charge_jump()
                self.charge = 0.0
            if self.charging:
                self.charge = min(self.charge + quantum / FULL_CHARGE, 1.0)
            return False
        if not self.charging:
            return False
        self.charging = False
        return interp.jump(self.charge)

    def look(self, degrees: float) -> None:
        """Turn clockwise at once, as the client's `set_heading` does, without a sweep."""
        turn = from_axis_angle(UP, math.radians(-degrees))
        self.place.turn = Frame((0.0, 0.0, 0.0), normalize(multiply(self.place.turn.rotation, turn)))

    def motion(self, quantum: float) -> Place:
        if not self.state & HIDDEN:
            self.interp.apply_interpreted_movement()
        return super().motion(quantum)

    def hit_ground(self) -> None:
        if self.state & GRAVITY:
            self.interp.hit_ground()

    def leave_ground(self) -> None:
        if self.state & GRAVITY:
            self.interp.leave_ground()
