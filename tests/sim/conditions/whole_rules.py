"""Whether the rule sets disagree about a tick, the slow way: the whole state is put back before each, by either set."""

from __future__ import annotations

from engine.physics.rules import ACE, RETAIL, RULE_NAMES, rule_set
from engine.sim.edits.rules import SetRuleSet
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation

Ending = tuple[object, ...]
"""Where the player ends, how fast and on what footing; or why the tick cannot run."""


class WholeRules:
    """What `BothRules` has to answer."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._trial: Simulation | None = None
        self._before = b""

    def close(self) -> None:
        if self._trial is not None:
            self._trial.close()
            self._trial = None

    def remember(self) -> None:
        """The next tick begins from this state."""
        self._before = self._sim.snapshot()

    def disagree(self, controls: Controls, report: TickReport) -> bool:
        """About the tick that has run since. What ran under one of the sets already does not run again."""
        own = next((name for name in (RETAIL, ACE) if self._is_all(name)), "")
        endings = [_ending(report) if name == own else self._run(name, controls) for name in (RETAIL, ACE)]
        return endings[0] != endings[1]

    def _is_all(self, name: str) -> bool:
        wanted, rules = rule_set(name), self._sim.rules
        return all(rules.form(rule) == wanted.form(rule) for rule in RULE_NAMES)

    def _run(self, name: str, controls: Controls) -> Ending:
        if self._trial is None:
            sim = self._sim
            self._trial = Simulation(sim.world, sim.rules, sim.player.id, sim.player.name)
        trial = self._trial
        try:
            trial.restore(self._before)
            trial.apply_edit(SetRuleSet(name))
            return _ending(trial.tick(controls))
        except ENGINE_ERRORS as error:
            return (str(error),)


def _ending(report: TickReport) -> Ending:
    footing = (report.in_contact, report.on_walkable)
    return (report.lost, report.cell, report.origin, report.velocity, footing)
