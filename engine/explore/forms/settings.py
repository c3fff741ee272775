"""The settings of a search, the places that it starts from, and the names of what it finds (docs/exploring.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from engine.geometry.vec import Vec3
from engine.sim.errors import SimError

TURN: Final = 360.0


class DoorsAs(Enum):
    """How the doors stand in a search; the values are how settings call it."""

    AS_THEY_ARE = "as they are"
    OPEN = "open"
    USED = "used"
    """A door that stops the body is used, and stays open."""


class How(IntEnum):
    """How a place was come to: by the last move (`how`), or by the hardest move on the way there (`needs`)."""

    SEED = 0
    WALK = 1
    FALL = 2
    JUMP = 3


class Standing(IntEnum):
    """How the body is where a move ended. Only from a floor does the search go on."""

    FLOOR = 0
    STEEP = 1
    """In contact with what is too steep to stand on."""
    AIR = 2
    LOST = 3
    """No cell holds it."""
    BEYOND = 4
    """Outside of the landblocks that are searched."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A place that a search starts from, as `Teleport` takes it: the soles, in the landblock of the cell."""

    cell_id: int
    origin: Vec3
    heading: float
    why: str


@dataclass(frozen=True, slots=True)
class BodySize:
    """The numbers of a body that differ from the player's own: `number` as `SetPlayerNumber` has it, and the value."""

    numbers: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """What a search does. Metres, degrees of a turn divided by `headings`, ticks of 1/30 s.

    `bounds` are the landblocks that are searched, with a strip of `border` metres around them; without any they are
    those of the seeds. `most_states` is where a search ends that finds no end by itself. `known` are cells from which
    it does not go on, because another search did.
    """

    doors: DoorsAs = DoorsAs.AS_THEY_ARE
    headings: int = 16
    grid: float = 0.25
    storey: float = 0.5
    run: bool = True
    walk: bool = True
    jumps: bool = True
    charges: tuple[float, ...] = (0.5, 1.0)
    jump_grid: float = 1.0
    jump_reach: float = 2.0
    fall_ticks: int = 300
    most_states: int = 2_000_000
    rules: tuple[tuple[str, str], ...] = ()
    body: BodySize | None = None
    bounds: frozenset[int] = frozenset()
    border: float = 2.0
    known: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        for name, low, high in (
            ("headings", 4, 360),
            ("grid", 0.05, 2.0),
            ("storey", 0.05, 100.0),
            ("jump_grid", 0.05, 24.0),
            ("jump_reach", 0.0, 24.0),
            ("fall_ticks", 1, 100_000),
            ("most_states", 1, 100_000_000),
            ("border", 0.0, 24.0),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise SimError(f"a search has a {name} of {low:g} to {high:g}, not of {value:g}")
        if self.headings % 2:
            raise SimError(f"a search goes in an even number of headings, not in {self.headings}")
        if not (self.run or self.walk):
            raise SimError("a search has to run or to walk")
        for charge in self.charges:
            if not 0.0 < charge <= 1.0:
                raise SimError(f"a jump is charged by more than 0 and at most 1, not by {charge:g}")
