"""Edits of the rules that the simulation goes by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.physics.rules import CELL_RULES, RULE_NAMES, rule_set
from engine.sim.edits.edit import Edit

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation


@dataclass(frozen=True)
class SetRule(Edit):
    """Switch one rule to its retail or ace form; the next tick goes by it."""

    rule: str
    form: str

    def apply(self, sim: Simulation) -> None:
        before = _cell_rules(sim)
        sim.rules.set_form(self.rule, self.form)
        _find_cells_again(sim, before)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [SetRule(self.rule, sim.rules.form(self.rule))]


@dataclass(frozen=True)
class SetRuleSet(Edit):
    """Switch every rule to its form in a rule set, retail or ace."""

    rule_set: str

    def apply(self, sim: Simulation) -> None:
        wanted = rule_set(self.rule_set)
        before = _cell_rules(sim)
        for rule in RULE_NAMES:
            sim.rules.set_form(rule, wanted.form(rule))
        _find_cells_again(sim, before)

    def inverse(self, sim: Simulation) -> list[Edit]:
        rules = sim.rules
        return [SetRule(rule, rules.form(rule)) for rule in RULE_NAMES if rules.form(rule) != self.rule_set]


def _cell_rules(sim: Simulation) -> list[str]:
    return [sim.rules.form(rule) for rule in CELL_RULES]


def _find_cells_again(sim: Simulation, before: list[str]) -> None:
    """Register everything anew when a rule has changed by which objects find their cells."""
    if _cell_rules(sim) != before:
        sim.population.find_all_cells_again()
