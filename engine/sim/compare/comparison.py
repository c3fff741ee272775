"""Runs two sides tick by tick and says where they part.

    with Comparison(first, second) as comparison:
        for tick in comparison:            # a TickDifference for every tick
            ...
        comparison.first                   # the first tick after which anything differs, or None
        comparison.seen                    # the first in which somebody is elsewhere or does something else

Until the sides part their whole states are compared, to the bit; where they differ from the beginning, because that is
what was changed, the reports of every tick are. It takes the same memory however long the run is. Cancelling is that of
`engine.files.cancelling`. A recording may grow meanwhile: what is walked now is compared by stepping on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.physics.rules import RULE_NAMES
from engine.sim.compare.answers import (
    OTHERS,
    REFUSED,
    STATE,
    TickDifference,
    body_distance,
    comparable_state,
    differing,
    others_differ,
)
from engine.sim.compare.gaps import Gaps
from engine.sim.compare.sides import Follower, Side
from engine.sim.errors import SimError
from engine.sim.playback import FieldDifference, state_differences
from engine.sim.recording import sample_of
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation

SPACING: Final = 16
"""Ticks between the snapshots from which a tick is reached again."""

_RULE_PATHS: Final = frozenset(f"simulation.{rule}" for rule in RULE_NAMES)


@dataclass(frozen=True)
class Checkpoint:
    """Both sides before a tick, in the course of a comparison."""

    index: int
    first: bytes
    second: bytes


@dataclass(frozen=True)
class Parting:
    """A tick at which two runs part: what differs after it, and from where it can be run again.

    `was_same`: the states before it are the same to the bit. `refused` is why the second side could not make an edit.
    """

    tick: TickDifference
    checkpoint: Checkpoint
    was_same: bool
    refused: tuple[str, ...] = ()

    @property
    def index(self) -> int:
        return self.tick.index


@dataclass
class Totals:
    """Counts over all ticks compared."""

    ticks: int = 0
    differing: int = 0
    seen: int = 0
    what: dict[str, int] = field(default_factory=dict)

    def add(self, tick: TickDifference) -> None:
        self.ticks += 1
        self.differing += not tick.is_same
        self.seen += tick.is_seen
        for name in tick.what:
            self.what[name] = self.what.get(name, 0) + 1


class Comparison:
    """Two sides in step. Iterate to run them; what was found so far can be asked at any time."""

    def __init__(self, first: Side, second: Side) -> None:
        self.sides = (first, second)
        self.one = Follower(first)
        try:
            self.two = Follower(second)
        except SimError:
            self.one.close()
            raise
        self.totals = Totals()
        self.gaps = Gaps()
        self.first: Parting | None = None
        """The first tick after which the states differ; where they did from the beginning, in which the reports do."""
        self.seen: Parting | None = None
        """The first tick in which somebody is elsewhere, moves otherwise or does something else."""
        self.ended = ""
        """Why the second side could not go on, if it could not."""
        self.given: list[FieldDifference] = []
        """What of the states differs before the first tick, but for the rules."""
        self._is_started = False
        self._is_exact = True
        self._checkpoint = Checkpoint(0, b"", b"")

    def __enter__(self) -> Comparison:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.one.close()
        self.two.close()

    @property
    def is_same(self) -> bool:
        """Whether nothing differs in the ticks so far, and both sides have as many."""
        return self.first is None and not self.ended and self.left_over == (0, 0)

    @property
    def left_over(self) -> tuple[int, int]:
        """The ticks that either side has more than the other."""
        one, two = (len(side.recording) for side in self.sides)
        return max(one - two, 0), max(two - one, 0)

    @property
    def is_at_end(self) -> bool:
        """Whether no tick is left on one of the sides. While their recording grows, there may be more later."""
        return bool(self.ended) or self.one.is_at_end or self.two.is_at_end

    def __iter__(self) -> Iterator[TickDifference]:
        while (tick := self.step()) is not None:
            yield tick

    def run(self) -> None:
        """Run all that is left."""
        while self.step() is not None:
            pass

    def step(self) -> TickDifference | None:
        """Run the next tick on both sides; None when there is none."""
        check_cancelled()
        self.start()
        if self.is_at_end:
            return None
        if self.one.index % SPACING == 0 and self.seen is None:
            self._checkpoint = Checkpoint(self.one.index, self.one.sim.snapshot(), self.two.sim.snapshot())
        report = self.one.step()
        try:
            other = self.two.step()
        except SimError as error:
            self.ended = error.reason
            return None
        tick = self._compared(report, other)
        self.totals.add(tick)
        self.gaps.add(tick.index, tick.distance)
        return tick

    def return_to(self, one: bytes, two: bytes, ticks: Iterable[TickDifference]) -> None:
        """Forget all ticks after these, the first ones compared; the snapshots are those of both sides after them."""
        self.totals, self.gaps, self.ended = Totals(), Gaps(), ""
        for tick in ticks:
            self.totals.add(tick)
            self.gaps.add(tick.index, tick.distance)
        count = self.totals.ticks
        self.one.go_to(count, one)
        self.two.go_to(count, two)
        self.first = self.first if self.first is not None and self.first.index < count else None
        self.seen = self.seen if self.seen is not None and self.seen.index < count else None
        self._is_exact = not self.given and self.first is None
        self._checkpoint = Checkpoint(count, one, two)

    def start(self) -> None:
        """Make the changes that the sides have before their first tick; `step` does it by itself."""
        if self._is_started:
            return
        self._is_started = True
        self.one.start()
        self.two.start()
        if comparable_state(self.one.sim) != comparable_state(self.two.sim):
            self.given = given_differences(self.one.sim, self.two.sim)
            self._is_exact = False

    def _compared(self, report: TickReport, other: TickReport) -> TickDifference:
        first, second = sample_of(report), sample_of(other)
        what = differing(report, other)
        if OTHERS not in what and others_differ(self.one.sim, self.two.sim, report.moved):
            what = (*what, OTHERS)
        if self.one.refused != self.two.refused:
            what = (*what, REFUSED)
        if self._is_exact and comparable_state(self.one.sim) != comparable_state(self.two.sim):
            what = (*what, STATE)
        was_exact = self._is_exact
        apart = 0.0 if first.origin == second.origin and first.cell == second.cell else body_distance(first, second)
        tick = TickDifference(self.one.index - 1, first, second, apart, what)
        # What leaves the states the same to the bit has no consequence: another list of cells, another normal.
        if STATE in what or tick.is_seen or (what and not was_exact):
            self._is_exact = False
            parting = Parting(tick, self._checkpoint, was_exact, tuple(self.two.refused))
            self.first = self.first or parting
            if tick.is_seen:
                self.seen = self.seen or parting
        return tick

    def followers_at(self, parting: Parting) -> tuple[Follower, Follower]:
        """New simulations of both sides, before the tick at which they part; the caller closes them."""
        one = Follower(self.sides[0])
        try:
            two = Follower(self.sides[1])
        except SimError:
            one.close()
            raise
        at = parting.checkpoint
        for follower, snapshot in ((one, at.first), (two, at.second)):
            follower.go_to(at.index, snapshot)
            follower.run_to(parting.index)
        return one, two


def given_differences(one: Simulation, two: Simulation) -> list[FieldDifference]:
    """What differs in two states, but for the forms of the rules."""
    return [each for each in state_differences(one.named_state(), two.named_state()) if each.path not in _RULE_PATHS]
