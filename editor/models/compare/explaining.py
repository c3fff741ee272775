"""What is told of a tick at which two runs part: its cause, its sweeps, and the values that differ; found in pieces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.sim.compare.alignment import AlignedSweeps, alignment_steps
from engine.sim.compare.causes import Cause, beginning_steps, cause_steps
from engine.sim.compare.comparison import Comparison, Parting, given_differences
from engine.sim.compare.smallest import Steps
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS, FieldDifference


@dataclass
class Explanation:
    """As much as is known of a parting; `parting` None asks why the runs differ before their first tick."""

    parting: Parting | None
    cause: Cause | None = None
    sweeps: AlignedSweeps | None = None
    fields: list[FieldDifference] = field(default_factory=list)
    problem: str = ""
    is_done: bool = False


class Explainer:
    """Explains partings one after the other, a small piece of work at a time."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._known: dict[int, Explanation] = {}
        self._working: Explanation | None = None
        self._steps: Steps[None] | None = None

    def close(self) -> None:
        self._leave_off()

    def forget(self) -> None:
        """The recording was cut: what is asked from now on is about other ticks."""
        self._leave_off()
        self._known = {}

    def _leave_off(self) -> None:
        if self._steps is not None:
            self._steps.close()
        self._working = self._steps = None

    def find(self, parting: Parting | None) -> Explanation | None:
        """What is known of a parting."""
        found = self._known.get(_key(parting))
        return found if found is not None and found.parting is parting else None

    def wanted(self) -> list[Parting | None]:
        """What there is to explain, the most important first."""
        comparison = self._comparison
        found: list[Parting | None] = []
        shown, hidden = comparison.seen or comparison.first, comparison.first
        if shown is not None:
            found.append(shown)
        if hidden is not None and hidden is not shown:
            found.append(hidden)
        if comparison.given and any(side.changes for side in comparison.sides):
            found.append(None)
        return found

    @property
    def is_done(self) -> bool:
        return all(known is not None and known.is_done for known in map(self.find, self.wanted()))

    def step(self) -> bool:
        """Do one small piece; False when everything is explained."""
        for parting in self.wanted():
            known = self.find(parting)
            if known is not None and known.is_done:
                continue
            if known is None:
                known = self._known[_key(parting)] = Explanation(parting)
            self._go_on(known)
            return True
        return False

    def _go_on(self, known: Explanation) -> None:
        if self._steps is None or self._working is not known:
            self._leave_off()
            self._working, self._steps = known, self._explain(known)
        try:
            known.is_done = next(self._steps, self) is self
        except (SimError, *ENGINE_ERRORS) as error:
            known.problem, known.is_done = str(error), True
        if known.is_done:
            self._leave_off()

    def _explain(self, known: Explanation) -> Steps[None]:
        comparison, parting = self._comparison, known.parting
        if parting is None:
            known.cause = yield from beginning_steps(comparison)
            return
        known.cause = yield from cause_steps(comparison, parting)
        yield
        known.sweeps = yield from alignment_steps(comparison, parting, known.cause)
        yield
        one, two = comparison.followers_at(parting)
        try:
            yield
            one.step()
            two.step()
            known.fields = given_differences(one.sim, two.sim)
        finally:
            one.close()
            two.close()


BEGINNING: Final = -1


def _key(parting: Parting | None) -> int:
    return BEGINNING if parting is None else parting.index
