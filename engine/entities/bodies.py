"""Bodies that entities move by: one that others can stand inside while it is open, and the player's own
(spec/physics.md 8.8, 11.2, 11.6, 11.8)."""

from __future__ import annotations

from typing import Final

from engine.entities.motion_interp import MotionInterp, Skills
from engine.geometry.vec import ZERO, r24v
from engine.physics.body import Body
from engine.physics.ethereal import set_ethereal
from engine.physics.flags import ETHEREAL, GRAVITY, HIDDEN, TS_CHECK_ETHEREAL, TS_ON_WALKABLE
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.shadows import ShadowRegistry
from engine.world.graph.graph import CellGraph

FULL_CHARGE: Final = 1.0
"""Seconds of holding the key for a jump of full power. The specification is silent; ours."""


class EntityBody(Body):
    """A body among others: `bodies` are all of them, by id."""

    bodies: dict[int, Body]

    def __init__(
        self, body_id: int, graph: CellGraph, rules: RuleSet, registry: ShadowRegistry, bodies: dict[int, Body]
    ) -> None:
        super().__init__(body_id, graph, rules)
        self.registry = registry
        self.bodies = bodies

    def set_ethereal(self, ethereal: bool) -> bool:
        """Let others through, or not any more; False while somebody is inside, and then it asks at each step (8.8)."""
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
    """A body that is steered. On the ground its legs move it, in the air only its velocity does."""

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
    ) -> None:
        super().__init__(body_id, graph, rules, registry, bodies)
        self.interp = MotionInterp(self, weenie)
        self.has_movement = True
        self.charging = False
        self.charge = 0.0

    def steer(self, forward: float, side_step: float, turn: float, run: bool, jump: bool, quantum: float) -> bool:
        """What the keys do in this quantum; True when a jump takes off."""
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

    def motion(self, quantum: float) -> Place:
        place = self.place
        if self.state & HIDDEN:
            return place
        interp = self.interp
        turn = place.turn
        omega = interp.motion_omega()
        if omega != 0.0:
            turn = turn.rotate((0.0, 0.0, omega * quantum))
        origin = place.origin
        velocity = interp.motion_velocity()
        if velocity != ZERO and self.transient & TS_ON_WALKABLE:
            reach = quantum * self.scale
            origin = r24v(place.local_to_global((velocity[0] * reach, velocity[1] * reach, velocity[2] * reach)))
        elif turn is place.turn:
            return place
        return Place(place.cell_id, origin, turn)

    def hit_ground(self) -> None:
        if self.state & GRAVITY:
            self.interp.hit_ground()

    def leave_ground(self) -> None:
        if self.state & GRAVITY:
            self.interp.leave_ground()
