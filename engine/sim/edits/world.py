"""Edits of the simulation as a whole: landblocks that come in, the light, and a state that is restored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit
from engine.sim.tick.state import snapshot_tick
from engine.world.cells.ids import cell_text, landblock_id

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation


@dataclass(frozen=True)
class OpenLandblock(Edit):
    """Let a landblock come in that the player is not near to, with its static things and its entities."""

    block_id: int

    def apply(self, sim: Simulation) -> None:
        if sim.world.landblock(self.block_id) is None:
            raise PhysicsError(f"there is no landblock {cell_text(landblock_id(self.block_id))}")
        sim.surroundings.join(self.block_id)

    def is_in_effect(self, sim: Simulation) -> bool:
        return sim.surroundings.has(self.block_id)

    def normalized(self) -> Edit:
        return OpenLandblock(landblock_id(self.block_id))


@dataclass(frozen=True)
class SetTimeOfDay(Edit):
    """Light the world for a time of day: `time` in [0, 1), noon is a half."""

    time: float

    def apply(self, sim: Simulation) -> None:
        if not 0.0 <= self.time < 1.0:
            raise PhysicsError(f"{self.time} is not a time of day; midnight is 0, noon 0.5, and 1 is the next midnight")
        sim.time_of_day = self.time + 0.0

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [SetTimeOfDay(sim.time_of_day)]


@dataclass(frozen=True)
class RestoreSnapshot(Edit):
    """Undo the edits made since the last tick, bit by bit; an edit itself, so that recordings have it.

    `snapshot` is the state before them, at this very tick; of the events that wait for the next report only the first
    `waiting` stay.
    """

    snapshot: bytes
    waiting: int

    def apply(self, sim: Simulation) -> None:
        if snapshot_tick(self.snapshot) != sim.tick_number:
            raise PhysicsError("time has passed since this state; only what was edited after the last tick comes back")
        if not 0 <= self.waiting <= len(sim.pending_events):
            raise PhysicsError(f"{len(sim.pending_events)} events wait for the next report, not {self.waiting}")
        sim.put_state_back(self.snapshot)
        del sim.pending_events[self.waiting :]
