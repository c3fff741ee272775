"""What came of exploring one landblock: what was reached and what was found, and which of it edits have made stale.

A search of some cells again is a part of its own: where it looked it counts, elsewhere the parts before it do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from editor.document.step import Step
from editor.models.survey.columns import FARTHEST, FLOOR, CellReach, Columns, States
from editor.models.survey.settings import SurveySettings
from editor.models.survey.task import Entry
from engine.findings.finding import Found


@dataclass
class Part:
    """One search. `known` are the cells that it left alone, because those before it had them."""

    columns: Columns = field(default_factory=Columns)
    known: frozenset[int] = frozenset()
    packed: bytes = b""
    """Its states as a project keeps them; empty until it has stopped."""


@dataclass(frozen=True)
class Unreached:
    """A walkable floor of a cell that nobody came to: its corners, in the coordinates of the landblock."""

    cell_id: int
    corners: tuple[tuple[float, float, float], ...]


@dataclass
class SurveyResult:
    """The results for one landblock."""

    block_id: int
    settings: SurveySettings
    steps: tuple[Step, ...]
    """The steps that were done when it was searched."""
    parts: list[Part] = field(default_factory=lambda: [Part()])
    found: list[Found] = field(default_factory=list)
    unreached: list[Unreached] = field(default_factory=list)
    seconds: float = 0.0
    sweeps: int = 0
    queued: int = 0
    is_full: bool = False
    """The search ended at the most places that it remembers."""
    is_checked: bool = False
    """Everything was searched, and looked at for findings."""
    stale: frozenset[int] = frozenset()
    """The cells that edits have touched since."""
    stale_before: frozenset[int] = frozenset()
    """Those that were stale already when the project was saved and whose steps it lacks."""
    version: int = 0
    """Counts what is added, so that pictures know when to look again."""

    @property
    def last(self) -> Part:
        """The part that is, or was, searched last."""
        return self.parts[-1]

    @property
    def count(self) -> int:
        return sum(len(part.columns) for part in self.parts)

    def part_of(self, cell_id: int) -> Part | None:
        """The part that counts for a cell."""
        return next((part for part in reversed(self.parts) if cell_id not in part.known), None)

    def cells(self) -> dict[int, CellReach]:
        """What was reached of each cell."""
        found: dict[int, CellReach] = {}
        for part in self.parts:
            found = {cell: reach for cell, reach in found.items() if cell in part.known}
            found |= {cell: reach for cell, reach in part.columns.by_cell.items() if cell not in part.known}
        return found

    def states_of(self, cell_id: int) -> States:
        part = self.part_of(cell_id)
        return Columns().states if part is None else part.columns.of_cell(cell_id)

    def add_found(self, found: Found) -> bool:
        """Take a finding; False for one that is known."""
        key = found.key
        if any(each.check == found.check and each.key == key for each in self.found):
            return False
        self.found.append(found)
        self.version += 1
        return True

    def is_stale(self, found: Found) -> bool:
        """An edit has touched where this was found, or what the walk there passes."""
        near = {found.cell, *(cell for cell, _ in found.path), *(() if found.place is None else (found.place[0],))}
        return bool(self.stale & near)

    def add_unreached(self, cell_id: int, corners: Sequence[Sequence[float]]) -> None:
        """Note a floor that nobody came to; one that no picture can show is left out."""
        if len(corners) > 2 and all(abs(value) <= FARTHEST for corner in corners for value in corner):
            self.unreached.append(Unreached(cell_id, tuple((x, y, z) for x, y, z in corners)))

    def begin_again(self, steps: Sequence[Step]) -> None:
        """Search again what edits have touched, and where nobody came so far; what was found elsewhere stays."""
        self.found = [each for each in self.found if not self.is_stale(each)]
        known = frozenset(self.cells()) - self.stale
        self.unreached = [each for each in self.unreached if each.cell_id in known]
        self.parts.append(Part(known=known))
        self.steps, self.stale, self.stale_before = tuple(steps), frozenset(), frozenset()
        self.is_checked = False
        self.version += 1

    def entries(self) -> list[Entry]:
        """The places where a body came from elsewhere into a cell that is stale."""
        found: list[Entry] = []
        for part in self.parts:
            states = part.columns.states
            if not len(states):
                continue
            inside = np.isin(states["cell"], sorted(self.stale - part.known)) & (states["standing"] == FLOOR)
            parents = states["parent"]
            came = inside & (parents >= 0) & ~inside[np.maximum(parents, 0)]
            for state in states[came]:
                origin = (float(state["x"]), float(state["y"]), float(state["z"]))
                how, since = int(state["how"]), int(state["since"])
                found.append(Entry(int(state["cell"]), origin, float(state["heading"]), since, how))
        return found
