"""What the document asks of a second run beside its own: which of both docks show, and the second one's simulation."""

from __future__ import annotations

from typing import Final, Protocol

from engine.sim.tick.simulation import Simulation

SECOND_SHOWN: Final = "The second run is shown; it can only be read."


class Beside(Protocol):
    """A run that is compared with the document's."""

    shows_second: bool
    """Docks show this run."""

    @property
    def is_on(self) -> bool:
        """There is such a run."""

    @property
    def names(self) -> tuple[str, str]:
        """Short names of the document's run and of this one."""

    def second_at(self, tick: int) -> Simulation | None:
        """Its simulation before a tick, to be read only and before the next call; None where it has no such tick."""
