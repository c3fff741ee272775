"""The ways of a search as a graph with a main part: where people are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.entities.door import Door
from engine.explore.findings.stuck import Flags, Numbers, Ways, components
from engine.explore.forms.settings import Standing
from engine.explore.search import Search
from engine.geometry.vec import Vec3
from engine.world.cells.ids import is_land_cell

BESIDE_DOOR: Final = 1.0
NEAR_DOOR: Final = 1.0
"""Metres from a door to where one stands before it, and how far from there a place of the search may be."""


@dataclass(frozen=True, slots=True)
class Group:
    """Places that ways connect; `cell` has the most of them, `point` is one of them near to their middle."""

    states: Numbers
    cell: int
    point: Vec3
    area: float


class Graph:
    """Every move of a finished search, doors counted as passable.

    `main` is the part of the graph where people are, -1 without any: that with the most places outdoors, or with the
    most of all in a dungeon. What is entered from beyond the border counts as reached like it.
    """

    def __init__(self, search: Search, ways: Ways) -> None:
        columns = search.columns
        self.count = search.count
        standing = np.array(columns.standing, dtype=np.uint8)
        self.cells: Numbers = np.array(columns.cell, dtype=np.int64)
        self.points = np.column_stack([np.array(each, dtype=np.float64) for each in (columns.x, columns.y, columns.z)])
        self._grid = search.settings.grid
        self._sunk = search.sim.player.sunk()
        expanded = np.array([search.is_expanded(state) for state in range(self.count)], dtype=np.bool_)
        self.is_floor: Flags = (standing == int(Standing.FLOOR)) & expanded
        self.is_beyond: Flags = (standing == int(Standing.BEYOND)) | ((standing == int(Standing.FLOOR)) & ~expanded)
        self.ways = self._with_doors(search, ways)
        self._forward = _Lists(self.count, self.ways.sources, self.ways.targets)
        walks = ~self.ways.jumps
        self._walked = _Lists(self.count, self.ways.sources[walks], self.ways.targets[walks])
        self._backward = _Lists(self.count, self.ways.targets, self.ways.sources)
        self.part = components(self.ways)
        self.main = self._main_part()

    def _with_doors(self, search: Search, ways: Ways) -> Ways:
        """More moves: through each door, both ways."""
        pairs: list[tuple[int, int]] = []
        for door in search.sim.population.doors:
            sides = self._beside(door)
            if sides is not None:
                pairs += [sides, (sides[1], sides[0])]
        if not pairs:
            return ways
        more = np.array(pairs, dtype=np.int64)
        return Ways(
            ways.count,
            np.concatenate([ways.sources, more[:, 0]]),
            np.concatenate([ways.targets, more[:, 1]]),
            np.concatenate([ways.jumps, np.zeros(len(more), dtype=np.bool_)]),
        )

    def _beside(self, door: Door) -> tuple[int, int] | None:
        block = door.place_cell() >> 16
        found: list[int] = []
        for y in (BESIDE_DOOR, -BESIDE_DOOR):
            x0, y0, z0 = door.place_frame().local_to_global((0.0, y, 0.0))
            away = np.sqrt(np.square(self.points - np.array((x0, y0, z0))).sum(axis=1))
            away[~self.is_floor | (self.cells >> 16 != block)] = math.inf
            if not len(away) or away.min() > NEAR_DOOR:
                return None
            found.append(int(away.argmin()))
        return found[0], found[1]

    def _main_part(self) -> int:
        outdoors = self.is_floor & (self.cells & 0xFFFF < 0x100)
        chosen = outdoors if outdoors.any() else self.is_floor
        counts = np.bincount(self.part[chosen]) if chosen.any() else np.zeros(0, dtype=np.int64)
        return int(counts.argmax()) if len(counts) else -1

    # --- reaching

    def from_main(self, *, jumps: bool = True) -> Flags:
        """What is reached from the main part, or from beyond the border: a way out there leads in as well."""
        starts = self.part == self.main if jumps else self._walked_from()
        starts[self.ways.sources[self.is_beyond[self.ways.targets]]] = True
        return (self._forward if jumps else self._walked).reached(starts)

    def _walked_from(self) -> Flags:
        """The largest part of the main one within which nobody has to jump."""
        walks = ~self.ways.jumps
        ways = Ways(self.count, self.ways.sources[walks], self.ways.targets[walks], self.ways.jumps[walks])
        part = components(ways)
        inside = self.is_floor & (self.part == self.main)
        found: Flags = part == int(np.bincount(part[inside]).argmax())
        return found

    def to_main(self) -> Flags:
        """From where one comes back to the main part, or out of the landblock."""
        return self._backward.reached((self.part == self.main) | self.is_beyond)

    # --- grouping

    def groups(self, wanted: Flags) -> Iterator[Group]:
        """The wanted places in groups that moves connect in either direction, in the order of their first places."""
        inside = wanted[self.ways.sources] & wanted[self.ways.targets]
        sources, targets = self.ways.sources[inside], self.ways.targets[inside]
        joined = _Lists(self.count, np.concatenate([sources, targets]), np.concatenate([targets, sources]))
        left = wanted.copy()
        for state in np.nonzero(wanted)[0].tolist():
            if left[state]:
                starts = np.zeros(self.count, dtype=np.bool_)
                starts[state] = True
                members = joined.reached(starts)
                left &= ~members
                yield self._group(np.nonzero(members)[0])

    def _group(self, states: Numbers) -> Group:
        cells, counts = np.unique(self.cells[states], return_counts=True)
        cell = int(cells[counts.argmax()])
        points = self.points[states]
        own = points[self.cells[states] == cell]
        x, y, z = own[np.abs(own - own.mean(axis=0)).sum(axis=1).argmin()].tolist()
        squares = np.unique(np.floor(points[:, :2] / self._grid).astype(np.int64), axis=0)
        return Group(states, cell, (x, y, z - self._sunk), len(squares) * self._grid * self._grid)

    def cells_entered(self, group: Group, outside: Flags) -> frozenset[int]:
        """The cells in which ways from outside come into a group."""
        inside = np.zeros(self.count, dtype=np.bool_)
        inside[group.states] = True
        targets = self.ways.targets[outside[self.ways.sources] & inside[self.ways.targets]]
        return frozenset(self.cells[targets].tolist())

    def part_in(self, group: Group, cell_id: int) -> Group:
        """The places of a group in one cell."""
        return self._group(group.states[self.cells[group.states] == cell_id])

    def is_near(self, wanted: Flags, cell_id: int, origin: Vec3) -> bool:
        """Whether a place is one of the wanted, or beside one in its cell."""
        own = self.points[wanted & (self.cells == cell_id)]
        return bool(len(own)) and float(np.abs(own - origin).max(axis=1).min()) <= 2.0 * self._grid

    def is_room(self, group: Group) -> bool:
        return not is_land_cell(group.cell)

    def whole_cells(self, group: Group) -> list[int]:
        """The rooms all of whose places are in a group."""
        cells, counts = np.unique(self.cells[group.states], return_counts=True)
        found = zip(cells.tolist(), counts.tolist(), strict=True)
        rooms = [(cell, count) for cell, count in found if not is_land_cell(cell)]
        return [cell for cell, count in rooms if count == int((self.is_floor & (self.cells == cell)).sum())]


class _Lists:
    """Who follows whom."""

    def __init__(self, count: int, sources: Numbers, targets: Numbers) -> None:
        order = np.argsort(sources, kind="stable")
        self._starts = np.searchsorted(sources[order], np.arange(count + 1))
        self._targets = targets[order]

    def reached(self, starts: Flags) -> Flags:
        found: Flags = starts.copy()
        waiting = np.nonzero(starts)[0].tolist()
        bounds, targets = self._starts.tolist(), self._targets
        while waiting:
            state = waiting.pop()
            for other in targets[bounds[state] : bounds[state + 1]].tolist():
                if not found[other]:
                    found[other] = True
                    waiting.append(other)
        return found
