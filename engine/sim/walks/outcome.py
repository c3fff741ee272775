"""What became of a kept walk that was run again, as a value and as a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.geometry.vec import Vec3
from engine.world.cells.ids import cell_text

CALLS: Final = "call"
TICKS: Final = "tick"


class Verdict(Enum):
    """What a walk that was run again does."""

    AS_BEFORE = "as before"
    OTHERWISE = "otherwise"
    CANNOT_BEGIN = "cannot begin"
    UNREADABLE = "cannot be read"


@dataclass(frozen=True)
class Outcome:
    """The result of one kept walk.

    `tick` is the number of the first tick that goes otherwise, as the recording counts them; of a capture the call's
    number, from 0. `what` is what differs after it, `distance` the metres between the bodies then, `widest` the
    greatest, and `final` those at the end. `reason` says why the walk could not go on, begin or be read.
    """

    verdict: Verdict
    ran: int = 0
    tick: int | None = None
    what: tuple[str, ...] = ()
    distance: float = 0.0
    widest: float = 0.0
    final: float = 0.0
    differing: int = 0
    """The ticks or calls that differ."""
    cell_id: int = 0
    origin: Vec3 | None = None
    """Where the body is after the first tick that goes otherwise; None where nothing does."""
    reason: str = ""
    left_out: tuple[str, ...] = ()
    """Edits that could not be made before the first tick, with the reasons."""
    unit: str = TICKS

    @property
    def is_as_before(self) -> bool:
        return self.verdict is Verdict.AS_BEFORE

    @property
    def sentence(self) -> str:
        """Such as "goes otherwise from tick 121: position, 0.27 m"."""
        if self.verdict is Verdict.AS_BEFORE:
            return f"goes as before in {self.ran:,} {self.unit}{'' if self.ran == 1 else 's'}"
        if self.verdict is not Verdict.OTHERWISE:
            return f"{self.verdict.value}: {self.reason}"
        said = f"goes otherwise from {self.unit} {self.tick:,}"
        if self.what:
            said += f": {', '.join(self.what)}"
        if self.distance > 0.0:
            said += f", {self.distance:.2g} m"
        return said

    @property
    def details(self) -> list[str]:
        """What follows the sentence."""
        if self.verdict is not Verdict.OTHERWISE:
            return list(self.left_out)
        found = []
        if self.origin is not None:
            found.append(f"there the body is in {cell_text(self.cell_id)} at {_place(self.origin)}")
        if self.differing > 1:
            found.append(f"{self.differing:,} of {self.ran:,} {self.unit}s differ")
        if self.widest > 0.0:
            found.append(f"at most {self.widest:.6g} m apart, {self.final:.6g} m at the end")
        if self.reason:
            found.append(f"it ends there: {self.reason}")
        return [*found, *self.left_out]


def _place(origin: Vec3) -> str:
    return ", ".join(f"{value:g}" for value in origin)
