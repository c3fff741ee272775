"""What a search is watched for while it runs, as cheaply as can be: the jumps it made, and moves after which the body
may be where it must not be. Whether that is so is judged afterwards, tick by tick (proof.py)."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import Final

from engine.entities.bodies import PlayerBody
from engine.explore.findings.escapes import EscapeRules
from engine.explore.findings.trial import Keys, Stand, stand_of
from engine.explore.forms.settings import DoorsAs
from engine.explore.listening import SearchListener
from engine.explore.search import Search

SQUARE: Final = 2.0
"""Metres of the squares in which suspicions of one kind are counted, and in which doors are looked for."""

MOST_ALIKE: Final = 3
"""Suspicions of one kind in one square."""

MOST_SUSPECTS: Final = 3_000
WIDEST_DOOR: Final = 6.0


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
        self._seen: dict[tuple[str, tuple[int, ...], int, int], int] = {}
        self._near_doors: set[tuple[int, int, int]] = set()
        if search.settings.doors is DoorsAs.AS_THEY_ARE:
            self._look_for_doors()

    def _look_for_doors(self) -> None:
        reach = math.ceil(WIDEST_DOOR / SQUARE / 2.0)
        for closed in self.rules.doors:
            cell_id = closed.doorway.cell_id
            x, y, _ = closed.doorway.point(closed.doorway.middle, closed.middle)
            for dx in range(-reach, reach + 1):
                for dy in range(-reach, reach + 1):
                    self._near_doors.add((cell_id >> 16, math.floor(x / SQUARE) + dx, math.floor(y / SQUARE) + dy))

    def arrived(self, search: Search, state: int, is_new: bool) -> None:
        parent = search.parent_now
        if parent < 0:
            return
        if state >= 0 and search.is_expanded(parent):  # walks are made before that, and are the search's own edges
            self.jumped_from.append(parent)
            self.jumped_to.append(state)
        columns = search.columns
        body = search.sim.player.steered
        place = body.place
        before = columns.cell[parent]
        if before == place.cell_id and body.cell is not None:
            if not self._near_doors:
                return
            x, y, _ = place.origin
            if (before >> 16, math.floor(x / SQUARE), math.floor(y / SQUARE)) not in self._near_doors:
                return
        self._look_closer(search, parent, body)

    def _look_closer(self, search: Search, parent: int, body: PlayerBody) -> None:
        """By the straight line of the whole move, which is mostly shorter than a step."""
        columns = search.columns
        cell_id = columns.cell[parent]
        before = Stand(cell_id, cell_id, (columns.x[parent], columns.y[parent], columns.z[parent]))
        after = stand_of(body)
        x, y, _ = after.origin
        for escape in (*self.rules.of_cells(before, after), *self.rules.of_doors(before, after)):
            kind = (escape.check, escape.subject, math.floor(x / SQUARE), math.floor(y / SQUARE))
            count = self._seen.get(kind, 0)
            if count < MOST_ALIKE and len(self.found) < MOST_SUSPECTS:
                self._seen[kind] = count + 1
                way = search.way_here()
                keys = way[columns.since[parent] :]
                self.found.append(Suspect(parent, tuple(keys), len(way)))
