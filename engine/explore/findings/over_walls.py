"""Walls that a locked door belongs to, and that a jump leads over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.explore.findings.crossings import ClosedDoor
from engine.explore.findings.escapes import OVER_WALL
from engine.explore.findings.proof import Proofs, Way
from engine.explore.findings.stuck import Following, Ways
from engine.explore.findings.stuck_trials import CHARGED, DIRECTIONS, FLIGHT, is_away_from
from engine.explore.findings.trial import Keys, Stand
from engine.explore.search import Search
from engine.findings.finding import Found
from engine.sim.tick.controls import Controls
from engine.world.cells.ids import landblock_id

BEFORE_IT: Final = 2.0
"""Metres from a door's leaf at which somebody is in front of it or behind it."""

BELOW: Final = 1.0
"""Metres by which he may be lower or higher than its lower edge."""

LANDED: Final = 0.75
"""Metres within which a jump comes down where the search's did."""


def find_over_walls(search: Search, ways: Ways, proofs: Proofs) -> Iterator[Found]:
    """For every locked door of which the sides are joined by jumps alone, the jump."""
    onwards: _Onwards | None = None
    for closed in proofs.rules.doors:
        if not closed.is_closed or not closed.door.locked:
            continue
        front, behind = _sides(search, closed)
        if not front or not behind:
            continue
        onwards = onwards or _Onwards(ways)
        for one, other in ((front, behind), (behind, front)):
            edge = onwards.jump_between(one, other)
            if edge is not None:
                found = _found(search, proofs, closed, edge)
                if found is not None:
                    yield found
                    break


def _sides(search: Search, closed: ClosedDoor) -> tuple[list[int], list[int]]:
    """The states in front of a door, and behind it."""
    columns = search.columns
    low, high = closed.leaf
    front, behind = [], []
    for state in range(search.count):
        if landblock_id(columns.cell[state]) != landblock_id(closed.doorway.cell_id):
            continue
        x, y, z = closed.doorway.local_of(columns.cell[state], (columns.x[state], columns.y[state], columns.z[state]))
        if low[0] <= x <= high[0] and abs(z - low[2]) <= BELOW:
            if 0.0 < y - high[1] <= BEFORE_IT:
                front.append(state)
            elif 0.0 < low[1] - y <= BEFORE_IT:
                behind.append(state)
    return front, behind


class _Onwards:
    """Where one comes from a state, on foot and by jumps."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._on_foot = Following(ways.count, ways.sources[~ways.jumps], ways.targets[~ways.jumps])
        self._back = Following(ways.count, ways.targets, ways.sources)

    def jump_between(self, one: list[int], other: list[int]) -> tuple[int, int] | None:
        """A first jump of a way from one side to the other, if there is such a way and none without a jump."""
        on_foot = self._on_foot.reached(one)
        if not on_foot.isdisjoint(other):
            return None
        leading_there = self._back.reached(other)
        ways = self._ways
        pairs = zip(ways.sources[ways.jumps].tolist(), ways.targets[ways.jumps].tolist(), strict=True)
        found = (each for each in pairs if each[0] in on_foot and each[1] not in on_foot and each[1] in leading_there)
        return min(found, default=None)


def _found(search: Search, proofs: Proofs, closed: ClosedDoor, edge: tuple[int, int]) -> Found | None:
    """The jump, pressed again until one comes down there."""
    state, landing = edge
    goal = proofs.stand_of(landing)
    door = closed.door

    def shows(stands: list[Stand]) -> int:
        """Where it comes down."""
        flown = False
        for tick, stand in enumerate(stands):
            if flown and stand.on_walkable:
                return -1 if is_away_from(stand, goal, LANDED) else tick
            flown = flown or not stand.on_walkable
        return -1

    for keys in _jumps():
        way = Way(proofs.start_at(state, search.columns.heading[state]), keys)
        short = proofs.shown(way, shows)
        if short is not None:
            stand = proofs.stand_of(state)
            sentence = f"{door.name} is locked, and a jump from here leads around it"
            found = Found(
                OVER_WALL.id, landblock_id(door.place_cell()), 0, door.id, place=stand.place, sentence=sentence
            )
            return proofs.found(found, way.start, short.keys, short)
    return None


def _jumps() -> Iterator[Keys]:
    for ticks in CHARGED:
        for run in (True, False):
            for number in range(DIRECTIONS):
                look = number * 360.0 / DIRECTIONS
                first = Controls(forward=1.0, run=run, look=look if look <= 180.0 else look - 360.0)
                yield (*[Controls(jump=True)] * ticks, first, *[Controls(forward=1.0, run=run)] * FLIGHT)
