"""The smallest move or scale of a door that closes the way by it, found by trying."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from engine.entities.door import Door
from engine.findings.finding import FixForm
from engine.geometry.elementary import hypot
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import SetScale
from engine.sim.edits.placing import place_at
from engine.sim.passage.doorway import Doorway
from engine.sim.passage.gaps import PLAY, Lane, Way, walk_steps
from engine.sim.passage.trial import DoorState, Trials, run_through
from engine.sim.tick.simulation import Simulation

SIZES: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.25, 1.5, 1.75, 2.0)
"""Metres by which edges of the leaf move, tried one after the other."""

PRECISION: Final = 0.01
"""Metres left between a change that closes the way and one that does not."""

NEAR: Final = 3.0
"""Metres between a door and the doorway that it may have been meant for."""

FACING: Final = 0.3
"""Metres of depth in the door's space up to which an opening counts as parallel to the leaf."""

PASSABLE: Final = 1.0
"""Metres of height below which an opening is none to walk through."""

LANE: Final = 0.2
"""Metres between two lanes across a doorway."""


class Opening:
    """A doorway near a door that is parallel to its leaf, in the door's space."""

    def __init__(self, corners: list[Vec3]) -> None:
        self.low = (min(p[0] for p in corners), min(p[1] for p in corners), min(p[2] for p in corners))
        self.high = (max(p[0] for p in corners), max(p[1] for p in corners), max(p[2] for p in corners))

    def is_meant(self, doorway: Doorway) -> bool:
        """Whether the leaf may have been meant for it: a way through on its floor, close by."""
        if self.high[1] - self.low[1] > FACING or self.high[2] - self.low[2] < PASSABLE:
            return False
        if abs(self.low[2] - doorway.low[2]) > FACING or max(abs(self.low[1]), abs(self.high[1])) > NEAR:
            return False
        return self.low[0] - NEAR <= doorway.high[0] and self.high[0] + NEAR >= doorway.low[0]

    def off(self, doorway: Doorway) -> tuple[float, float]:
        """How far the middle of the leaf is from its own, across and in depth."""
        across = 0.5 * (self.low[0] + self.high[0]) - doorway.middle
        depth = 0.5 * (self.low[1] + self.high[1]) - 0.5 * (doorway.low[1] + doorway.high[1])
        return across, depth

    def lanes(self, doorway: Doorway, radius: float) -> list[Lane]:
        """Lanes through it for a body of that radius, those that lead against a leaf left out."""
        first, last = self.low[0] + radius + PLAY, self.high[0] - radius - PLAY
        count = max(math.ceil((last - first) / LANE), 1)
        xs = [first + (last - first) * number / count for number in range(count + 1) if first <= last]
        free = [x for x in xs if not any(low - radius < x < high + radius for low, high in doorway.leaves)]
        return [Lane(x, self.low[1], self.high[1]) for x in free]


def openings_near(sim: Simulation, doorway: Doorway) -> list[Opening]:
    """The openings that a door may have been meant for, the nearest first."""
    block = sim.world.landblock(doorway.cell_id)
    found: list[Opening] = []
    for cell in [] if block is None else block.env_cells:
        for portal in cell.portals:
            polygon = portal.polygon
            if polygon is not None and polygon.vertices:
                frame = cell.frame
                found.append(Opening([doorway.local_of(cell.id, frame.local_to_global(p)) for p in polygon.vertices]))
    meant = [opening for opening in found if opening.is_meant(doorway)]
    return sorted(meant, key=lambda opening: (hypot(*opening.off(doorway)), opening.low))


def doorway_lanes(sim: Simulation, doorway: Doorway, radius: float) -> list[Lane]:
    return [lane for opening in openings_near(sim, doorway)[:2] for lane in opening.lanes(doorway, radius)]


def smallest_fix(sim: Simulation, trials: Trials, door: Door, way: Way) -> FixForm | None:
    """The smallest move towards its doorway, or the smallest scale, that is found after which the player does not get
    by in that way; None when none does it. The trials are left asking about `door` as it is in `sim`."""
    try:
        trials.ask_about(sim, door.id)
        _, doorway = trials.begin_again(DoorState.LOCKED)
        changes = list(_changes(trials.sim, doorway, door, way))
        low = 0.0
        for size in SIZES:
            for change in changes:
                if size <= change.most and _closes(sim, trials, door, way, change.edit(size)):
                    return _form(sim, trials, door, way, change, low, size)
            low = size
        return None
    finally:
        trials.ask_about(sim, door.id)


class _Change:
    """One way of changing a door, by how far an edge of its leaf then moves."""

    def __init__(self, door: Door, most: float, direction: tuple[float, float] | None, extent: float) -> None:
        self.most = most
        self._door = door
        self._direction = direction
        self._extent = extent

    def edit(self, size: float) -> Edit:
        door = self._door
        if self._direction is None:
            return SetScale(door.id, door.scale * (1.0 + size / self._extent))
        x, y = self._direction
        frame = door.place_frame()
        origin = frame.local_to_global((x * size, y * size, 0.0))
        return place_at(door.id, door.place_cell(), Frame(origin, frame.rotation))

    def name(self, size: float) -> str:
        edit = self.edit(size)
        if isinstance(edit, SetScale):
            return f"Scale {self._door.name} to {edit.scale:.3f}"
        return f"Move {self._door.name} by {size:.2f} m into its doorway"


def _changes(sim: Simulation, doorway: Doorway, door: Door, way: Way) -> Iterator[_Change]:
    if way is Way.OVER:
        yield _Change(door, SIZES[-1], None, doorway.high[2] - doorway.low[2])
        return
    for opening in openings_near(sim, doorway)[:1]:
        across, depth = opening.off(doorway)
        for x, y in ((across, 0.0), (0.0, depth), (across, depth)):
            away = hypot(x, y)
            if away > PRECISION:
                yield _Change(door, away + SIZES[0], (x / away, y / away), 0.0)
    yield _Change(door, SIZES[-1], None, 0.5 * (doorway.high[0] - doorway.low[0]))


def _form(sim: Simulation, trials: Trials, door: Door, way: Way, change: _Change, low: float, high: float) -> FixForm:
    """A change bisected between a size that does not close the way and one that does."""
    while high - low > PRECISION:
        middle = 0.5 * (low + high)
        is_closed = _closes(sim, trials, door, way, change.edit(middle))
        low, high = (low, middle) if is_closed else (middle, high)
    return FixForm.of(change.name(high), [change.edit(high)])


def _closes(sim: Simulation, trials: Trials, door: Door, way: Way, edit: Edit) -> bool:
    """Whether nobody of the player's size gets by in that way any more, once the change is made."""
    trials.ask_about(sim, door.id)
    trials.begin_again(DoorState.NOW)
    trials.sim.apply_edit(edit)
    trials.ask_about(trials.sim, door.id)
    _, doorway = trials.begin_again(DoorState.LOCKED)
    radius = trials.sim.player.radius
    return run_through(walk_steps(trials, way, radius, doorway_lanes(trials.sim, doorway, radius))) is None
