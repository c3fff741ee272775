"""Edits of doors (physics.md 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.entities.activation import usable, used_with
from engine.entities.door import NEVER
from engine.sim.edits.edit import Edit

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation


@dataclass(frozen=True)
class UseDoor(Edit):
    """Use a door, or a switch that opens one, as the entity `user_id` would; 0 is nobody in particular, who stands in
    front of it."""

    door_id: int
    user_id: int

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.door_id)
        usable(sim.population, self.door_id)
        sim.use_door(self.door_id, self.user_id, sim.pending_events)

    def inverse(self, sim: Simulation) -> list[Edit]:
        edits: list[Edit] = []
        for door in used_with(sim.population, usable(sim.population, self.door_id)):
            edits.append(_leaves_as_now(sim, door.id))
            edits.append(SetDoorTimer(door.id, door.reset_at))
        return edits


@dataclass(frozen=True)
class OpenDoor(Edit):
    """Open a door for good, locked or not: no timer closes it again."""

    door_id: int

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.door_id)
        sim.population.door(self.door_id).open(sim.tick_number, 0, sim.pending_events)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [_leaves_as_now(sim, self.door_id)]


@dataclass(frozen=True)
class CloseDoor(Edit):
    """Close a door, locked or not."""

    door_id: int

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.door_id)
        sim.population.door(self.door_id).close(sim.tick_number, 0, sim.pending_events)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [_leaves_as_now(sim, self.door_id)]


@dataclass(frozen=True)
class LockDoor(Edit):
    """Lock or unlock a door."""

    door_id: int
    locked: bool

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.door_id)
        sim.population.door(self.door_id).set_locked(self.locked, sim.tick_number, 0, sim.pending_events)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [LockDoor(self.door_id, sim.population.door(self.door_id).locked)]


@dataclass(frozen=True)
class SetResetInterval(Edit):
    """How long a door stays as it was used before it returns to its default; a countdown that runs is left alone."""

    door_id: int
    seconds: float

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.door_id)
        sim.population.door(self.door_id).set_reset_interval(self.seconds)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [SetResetInterval(self.door_id, sim.population.door(self.door_id).reset_interval)]


@dataclass(frozen=True)
class SetDoorTimer(Edit):
    """The tick in which a door returns to its default; NEVER for none."""

    door_id: int
    tick: int

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.door_id)
        sim.population.door(self.door_id).reset_at = max(self.tick, NEVER)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [SetDoorTimer(self.door_id, sim.population.door(self.door_id).reset_at)]


def _leaves_as_now(sim: Simulation, door_id: int) -> Edit:
    """Opens a door again that is open now, closes one that is closed."""
    return OpenDoor(door_id) if sim.population.door(door_id).is_open else CloseDoor(door_id)
