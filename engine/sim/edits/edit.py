"""The base of every edit: a change to a simulation from outside, made between two ticks.

An edit is a frozen dataclass. Its fields are its arguments, in the order in which files have them; each is a whole
number, a number, a text, a flag or bytes. `engine/sim/edits/catalogue.py` gives it its name in files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.physics.errors import PhysicsError

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation

EditValue = int | float | str | bool | bytes


class Edit:
    """A change to a simulation. `Simulation.apply_edit` makes it and notifies the listeners."""

    def apply(self, sim: Simulation) -> None:
        """Make the change; raises a PhysicsError or a WorldError, with nothing changed, where it is refused."""
        raise NotImplementedError

    def inverse(self, sim: Simulation) -> list[Edit]:
        """The edits that undo it, read from the state before it; none where it changes nothing.

        They are applied when the user undoes the edit, at whatever tick that is, and change only what the edit changed:
        what time has moved since stays where time has put it.
        """
        raise PhysicsError(f"{type(self).__name__} cannot be undone")

    def is_in_effect(self, sim: Simulation) -> bool:
        """Whether there is nothing to apply, and nothing for listeners and recordings either."""
        return False

    def normalized(self) -> Edit:
        """The edit as listeners and recordings get it: itself, unless a field has bits that it ignores."""
        return self


EditListener = Callable[[int, Edit], None]
"""Notified of an edit after it was made, with the number of the tick that will be the first to see it."""
