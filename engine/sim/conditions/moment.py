"""What conditions are asked about: one tick, with the player and the doors before and after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.entities.door import Door
from engine.geometry.vec import Vec3
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE, TS_WATER_CONTACT
from engine.sim.recording import Sample
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.position import into_block
from engine.world.graph.graph import NO_CELL


@dataclass(frozen=True, slots=True)
class Standing:
    """The player between two ticks."""

    cell: int
    """The one that holds him, `NO_CELL` for none."""
    block: int
    """A cell of the landblock that the origin is in."""
    origin: Vec3
    transient: int

    @property
    def in_contact(self) -> bool:
        return (self.transient & TS_CONTACT) != 0

    @property
    def on_ground(self) -> bool:
        return (self.transient & TS_ON_WALKABLE) != 0

    @property
    def in_water(self) -> bool:
        return (self.transient & TS_WATER_CONTACT) != 0


@dataclass(frozen=True, slots=True)
class DoorStanding:
    """A door between two ticks."""

    id: int
    name: str
    is_open: bool
    locked: bool
    is_moving: bool
    held: bool


@dataclass(slots=True)
class Moment:
    """A tick. Without a report only the samples of a recording are known of it.

    The player is as at the beginning of the tick, after the edits that were made for it; the doors `before` are as the
    tick before left them, so that an edit which opens one shows in the tick that sees it.
    """

    before: Standing
    after: Standing
    report: TickReport | None = None
    sim: Simulation | None = None
    """For names; it stands after the tick."""
    doors_before: tuple[DoorStanding, ...] = ()
    doors_after: tuple[DoorStanding, ...] = ()
    disagree: Callable[[], bool] | None = None
    """Whether the rule sets disagree about the tick; None while that is not worth knowing."""

    @property
    def made(self) -> Vec3:
        """From where he was to where he is, in metres."""
        x, y, z = into_block(self.before.block, self.after.block, self.after.origin)
        bx, by, bz = self.before.origin
        return (x - bx, y - by, z - bz)


def standing_of(sim: Simulation) -> Standing:
    body = sim.player.steered
    place = body.place
    return Standing(NO_CELL if body.cell is None else body.cell.id, place.cell_id, place.origin, body.transient)


def standing_in(sample: Sample) -> Standing:
    """As a recording has it; who is in no cell has no landblock there."""
    return Standing(sample.cell, sample.cell, sample.origin, sample.transient)


def doors_of(sim: Simulation) -> tuple[DoorStanding, ...]:
    now = sim.tick_number
    return tuple(_door(door, now) for door in sim.population.doors)


def _door(door: Door, now: int) -> DoorStanding:
    return DoorStanding(door.id, door.name, door.is_open, door.locked, door.is_busy(now), door.held)
