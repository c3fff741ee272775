"""Evaluates conditions for every tick of a simulation as it runs, whoever runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.sim.conditions.meaning import because, holds
from engine.sim.conditions.moment import DoorStanding, Moment, Standing, doors_of, standing_of
from engine.sim.conditions.other_rules import BothRules
from engine.sim.conditions.words import Condition, Need, need_of
from engine.sim.edits.edit import Edit
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation

Heard = Callable[[int, list[str]], None]
"""Called after a tick with its number and, for each condition, what made it hold; "" for one that does not."""


class ConditionWatch:
    """Hears of the ticks and edits of one simulation; it changes nothing in it.

    A simulation that is led elsewhere (`Simulation.restore`) tells nobody: `stand` says that it was.
    """

    def __init__(self, sim: Simulation, conditions: Sequence[Condition], heard: Heard) -> None:
        self.sim = sim
        self._heard = heard
        self._before: Standing | None = None
        self._at = -1
        """The tick that begins from it."""
        self._doors: tuple[DoorStanding, ...] = ()
        self._conditions: list[Condition] = []
        self._both = BothRules(sim)
        self._needs_rules = False
        self.ask(conditions)
        sim.listen(self._edited)
        sim.listen_to_ticks(self._ticked)

    def close(self) -> None:
        self.sim.unlisten(self._edited)
        self.sim.unlisten_to_ticks(self._ticked)
        self._both.close()

    def ask(self, conditions: Sequence[Condition]) -> None:
        """Be about other conditions from the next tick on."""
        self._conditions = list(conditions)
        needs = [need_of(condition) for condition in conditions]
        self._needs_rules = Need.RULES in needs
        if max(needs, default=Need.SAMPLES) >= Need.TICK:
            self.sim.name_causes()
        self.stand()

    def stand(self, last: TickReport | None = None) -> None:
        """The next tick begins from how the simulation is now; `last` is the tick that has led here from the stand
        before."""
        if self._conditions:
            self._at = self.sim.tick_number
            self._doors = doors_of(self.sim)
            self._stand_player(last)

    def _stand_player(self, last: TickReport | None = None) -> None:
        self._before = standing_of(self.sim)
        if self._needs_rules:
            self._both.remember(last)

    def _edited(self, tick: int, edit: Edit) -> None:
        if self._conditions:
            self._stand_player()

    def _ticked(self, controls: Controls, report: TickReport) -> None:
        if not self._conditions:
            return
        if self._before is None or report.tick != self._at:  # led elsewhere without a word
            self.stand()
            return
        moment = Moment(self._before, standing_of(self.sim), report, self.sim, self._doors, doors_of(self.sim))
        found = [self._holds(condition, moment, controls) for condition in self._conditions]
        self.stand(report)
        self._heard(report.tick, found)

    def _holds(self, condition: Condition, moment: Moment, controls: Controls) -> str:
        """The other rules are asked where nothing else decides."""
        moment.disagree = None
        found = holds(condition, moment)
        if found is None and moment.report is not None:
            report = moment.report
            moment.disagree = lambda: self._both.disagree(controls, report)
            found = holds(condition, moment)
        return because(condition, moment) if found else ""
