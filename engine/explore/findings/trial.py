"""A simulation of its own in which suspicions are proved: keys are run from a place, tick by tick.

trial = Trial(sim)                          # takes over a simulation that was made for it
for stand in trial.run(start, keys): ...
trial.recording(start, keys)                # the same as a file's bytes
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.geometry.vec import Vec3
from engine.physics.body import Body
from engine.sim.edits.player import Teleport
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation

NOWHERE: Final = 0

Keys = Sequence[Controls]
"""The keys of every tick."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run begins: the place of the soles in the landblock of the cell, and the compass heading."""

    cell_id: int
    soles: Vec3
    heading: float

    @property
    def teleport(self) -> Teleport:
        return Teleport(self.cell_id, *self.soles, self.heading)


@dataclass(frozen=True, slots=True)
class Stand:
    """The body between two ticks. `cell_id` is NOWHERE while no cell holds it; `origin` is in the landblock of `home`,
    the cell that has it or had it last."""

    cell_id: int
    home: int
    origin: Vec3
    in_contact: bool = True
    on_walkable: bool = True

    @property
    def place(self) -> tuple[int, Vec3]:
        return self.home, self.origin

    @property
    def is_lost(self) -> bool:
        return self.cell_id == NOWHERE


def stand_of(body: Body) -> Stand:
    place = body.place
    in_contact, on_walkable = body.contact_bits()
    cell = body.cell
    if cell is None:
        return Stand(NOWHERE, place.cell_id if body.held is None else body.held.cell_id, place.origin, False, False)
    return Stand(cell.id, place.cell_id, place.origin, in_contact, on_walkable)


class Trial:
    """Begins every run as the simulation was when it was handed over."""

    def __init__(self, sim: Simulation, source: str = "") -> None:
        self.sim = sim
        self.ticks = 0
        """All that were run so far."""
        self._source = source
        self._snapshot = sim.snapshot()

    def close(self) -> None:
        self.sim.close()

    def begin(self, start: Start) -> bool:
        """Put the player there; False where there is no room for him or he would be put somewhere else."""
        self.sim.restore(self._snapshot)
        try:
            self.sim.apply_edit(start.teleport)
        except ENGINE_ERRORS:
            return False
        return True

    def stand(self) -> Stand:
        return stand_of(self.sim.player.steered)

    def run(self, start: Start, keys: Keys) -> Iterator[Stand]:
        """How the player stands at the start and after every tick; nothing where he cannot be put there. A run ends
        early when the engine refuses to go on."""
        if not self.begin(start):
            return
        yield self.stand()
        for controls in keys:
            try:
                self.sim.tick(controls)
            except ENGINE_ERRORS:
                return
            self.ticks += 1
            yield self.stand()

    def end_of(self, start: Start, keys: Keys) -> Stand | None:
        """How the player stands at the end of a run; None where he cannot be put at its start."""
        stands = list(self.run(start, keys))
        return stands[-1] if stands else None

    def recorded(self, start: Start, keys: Keys) -> Recording:
        self.begin(start)
        with Recorder(self.sim, self._source) as recorder:
            for controls in keys:
                self.sim.tick(controls)
                self.ticks += 1
        return recorder.recording
