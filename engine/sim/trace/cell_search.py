"""One search of the cell array as values: how each cell came in, what its tree said, what became of it
(physics.md 6.4, 6.6, 6.8)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Final

from engine.geometry.vec import Vec3
from engine.world.cells.ids import cell_text

# Entry.how
START: Final = "start"
LAND: Final = "land grid"
PORTAL: Final = "portal"
EXIT: Final = "exit portal"
BUILDING: Final = "building portal"
KEPT: Final = "earlier search"

# TreeAnswer.answer
OUTSIDE: Final = "outside"
PARTLY: Final = "partly inside"
INSIDE: Final = "inside"

# Candidate.fate
PICKED: Final = "picked"
PICKED_PRUNED: Final = "picked, and pruned from the array"
NOT_HOLDING: Final = "does not hold the centre"
LATER: Final = "later than the one picked"
OVERRULED: Final = "holds the centre, but a later cell wins"
NOT_ASKED: Final = "not asked"
PRUNED: Final = "pruned"
NO_TREE: Final = "no cell tree"
NO_PORTAL: Final = "no portal, so it contains nothing"
NOT_LOADED: Final = "not loaded"
OUT_OF_REACH: Final = "out of reach"
NOT_LOOKED_UP: Final = "not looked up"
NO_WAY_BACK: Final = "no portal leads back"

SPHERE_NAMES: Final = ("foot", "head")


@dataclass(frozen=True, slots=True)
class Entry:
    """How a cell came into the array, or which portal was asked for it."""

    how: str
    cell_id: int = 0
    """The cell, or the square with the building, that owns the portal; for squares of land the start."""
    portal: int = -1
    note: str = ""

    @property
    def text(self) -> str:
        note = f", {self.note}" if self.note else ""
        if self.how == START:
            return "start"
        if self.how == KEPT:
            return "kept from an earlier search"
        if self.how == LAND:
            return f"land grid{note}"
        where = "on" if self.how == BUILDING else "of"
        return f"{self.how} {self.portal} {where} {cell_text(self.cell_id)}{note}"


@dataclass(frozen=True, slots=True)
class TreeAnswer:
    """What a cell's tree said to a sphere or to a point, with the plane that decided.

    Outside: the first plane that the thing is behind. Inside and partly inside: the nearest plane. Of a square of land
    it is the nearest edge, upright.
    """

    answer: str
    distance: float | None = None
    """Metres of the centre from the plane, negative behind it; None when no plane was asked."""
    normal: Vec3 | None = None
    d: float = 0.0
    """The plane, in the landblock of the cell."""
    sphere: int = 0
    """Index of the body's sphere."""

    @property
    def text(self) -> str:
        if self.distance is None:
            return self.answer
        return f"{self.answer}, {metres(self.distance)}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell of the array, or a neighbour that was asked and stayed out."""

    cell_id: int
    entry: Entry
    place: int
    """Index in the array before it was pruned; -1 for a neighbour that stayed out."""
    sphere: TreeAnswer | None
    centre: TreeAnswer | None
    fate: str

    @property
    def in_array(self) -> bool:
        return self.place >= 0

    @property
    def sphere_text(self) -> str:
        if self.sphere is None:
            return ""
        return f"{SPHERE_NAMES[min(self.sphere.sphere, 1)]} {self.sphere.text}"

    @property
    def centre_text(self) -> str:
        return "" if self.centre is None else self.centre.text

    @property
    def title(self) -> str:
        number = f"{self.place + 1}. " if self.in_array else "– "
        return f"{number}{cell_text(self.cell_id)}, {self.entry.text}"

    @property
    def answers(self) -> str:
        """What the cell's tree said to the sphere and to the centre."""
        parts = [self.sphere_text, f"centre {self.centre_text}" if self.centre_text else ""]
        return "; ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class CellSearch:
    """A search from the cell `start`, for a body whose first sphere has its centre at `centre` there."""

    start: int
    centre: Vec3
    asked: bool
    """Whether the cell that holds the centre was wanted."""
    picked: int
    """The cell that holds the centre; 0 for none."""
    candidates: tuple[Candidate, ...]
    """The cells of the array in their order."""
    left_out: tuple[Candidate, ...]
    """Neighbours behind the portals of these cells that did not come in."""
    ids: tuple[int, ...]
    """The array after the search; 0 for a gap (rule `cell_array_cleared`)."""

    @property
    def headline(self) -> str:
        """The answer of the search in one line."""
        if not self.asked:
            return "array only: no cell was asked for the centre"
        if not self.picked:
            return "no cell holds the centre"
        return f"{cell_text(self.picked)} picked"

    def find(self, cell_id: int) -> Candidate | None:
        """The candidate of an id."""
        return next((each for each in (*self.candidates, *self.left_out) if each.cell_id == cell_id), None)

    def as_json(self) -> dict[str, object]:
        return dataclasses.asdict(self)


def metres(value: float) -> str:
    """A distance: millimetres below a centimetre, for 0.2 mm decide (physics.md 6.4)."""
    if abs(value) < 0.01:
        return f"{value * 1000.0:.2f} mm"
    return f"{value:.3f} m"
