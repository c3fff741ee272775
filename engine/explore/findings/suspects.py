"""What a search is watched for while it runs, as cheaply as can be: the jumps it made, and moves after which the body
may be where it must not be. Whether that is so is judged afterwards, tick by tick (proof.py)."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import Final

from engine.entities.bodies import PlayerBody
from engine.explore.findings.crossings import ClosedDoor
from engine.explore.findings.escapes import EscapeRules
from engine.explore.findings.trial import Keys, Stand, stand_of
from engine.explore.forms.settings import DoorsAs
from engine.explore.listening import SearchListener
from engine.explore.search import Search
from engine.world.cells.ids import FIRST_ENV_CELL

SQUARE: Final = 2.0
"""Metres of the squares in which suspicions of one kind are counted, and by which doors are found."""

MOST_ALIKE: Final = 3
"""Suspicions of one kind in one square."""

MOST_SUSPECTS: Final = 3_000

BESIDE_LEAF: Final = 2.0
"""Metres beside a leaf in which moves are looked at: the way that its portal leaves free."""

_Leaf = tuple[float, float, float, float]
"""A point of its plane and the plane's normal, from above."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A move that may have shown something: the state that it began in, and its keys. `since` are the ticks since the
    seed."""

    parent: int
    keys: Keys
    since: int


class Suspects(SearchListener):
    """Attach it to a search before it runs: `search.listener = Suspects(search)`."""

    def __init__(self, search: Search) -> None:
        self.rules = EscapeRules(search.sim)
        self.found: list[Suspect] = []
        self.jumped_from = array("i")
        self.jumped_to = array("i")
        self._body = search.sim.player.steered
        self._seen: dict[tuple[str, tuple[int, ...], int, int], int] = {}
        self._cells, self._x, self._y = search.columns.cell, search.columns.x, search.columns.y
        self._leaves: dict[int, list[_Leaf]] = {}
        if search.settings.doors is DoorsAs.AS_THEY_ARE:
            for closed in self.rules.doors:
                self._note_leaf(closed)

    def _note_leaf(self, closed: ClosedDoor) -> None:
        doorway = closed.doorway
        x, y, _ = doorway.point(doorway.middle, closed.middle)
        along, beyond, _ = doorway.point(doorway.middle, closed.middle + 1.0)
        leaf = (x, y, along - x, beyond - y)
        low, high = closed.leaf
        reach = math.ceil((0.5 * (high[0] - low[0]) + BESIDE_LEAF) / SQUARE)
        for dx in range(-reach, reach + 1):
            for dy in range(-reach, reach + 1):
                square = _square(doorway.cell_id, x + dx * SQUARE, y + dy * SQUARE)
                leaves = self._leaves.setdefault(square, [])
                if leaf not in leaves:
                    leaves.append(leaf)

    def arrived(self, search: Search, state: int, is_new: bool) -> None:
        parent = search.parent_now
        if parent < 0:
            return
        if state >= 0 and search.is_expanded(parent):  # walks are made before that, and are the search's own edges
            self.jumped_from.append(parent)
            self.jumped_to.append(state)
        body = self._body
        place = body.place
        x, y, _ = place.origin
        leaves = self._leaves.get(_square(place.cell_id, x, y))
        before, after = self._cells[parent], place.cell_id
        if body.cell is None or (before != after and max(before & 0xFFFF, after & 0xFFFF) >= FIRST_ENV_CELL):
            self._look_closer(search, parent, body, is_near_door=leaves is not None)
        elif leaves is not None and _passes(leaves, self._x[parent], self._y[parent], x, y):
            self._look_closer(search, parent, body, is_near_door=True)

    def _look_closer(self, search: Search, parent: int, body: PlayerBody, *, is_near_door: bool) -> None:
        """By the straight line of the whole move, which is mostly shorter than a step."""
        columns = search.columns
        cell_id = columns.cell[parent]
        before = Stand(cell_id, cell_id, (columns.x[parent], columns.y[parent], columns.z[parent]))
        after = stand_of(body)
        x, y, _ = after.origin
        found = list(self.rules.of_cells(before, after))
        if is_near_door:
            found += self.rules.of_doors(before, after)
        for escape in found:
            kind = (escape.check, escape.subject, math.floor(x / SQUARE), math.floor(y / SQUARE))
            count = self._seen.get(kind, 0)
            if count < MOST_ALIKE and len(self.found) < MOST_SUSPECTS:
                self._seen[kind] = count + 1
                way = search.way_here()
                keys = way[columns.since[parent] :]
                self.found.append(Suspect(parent, tuple(keys), len(way)))


def _square(cell_id: int, x: float, y: float) -> int:
    """A number for the square of a place, quickly."""
    return (cell_id >> 16) << 32 | (int(x / SQUARE) & 0xFFFF) << 16 | int(y / SQUARE) & 0xFFFF


def _passes(leaves: list[_Leaf], x: float, y: float, to_x: float, to_y: float) -> bool:
    """Whether a line passes the plane of one of the leaves."""
    for at_x, at_y, nx, ny in leaves:
        if ((x - at_x) * nx + (y - at_y) * ny) * ((to_x - at_x) * nx + (to_y - at_y) * ny) <= 0.0:
            return True
    return False
