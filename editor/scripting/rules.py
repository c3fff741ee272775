"""Rule sets in the forms that scripts write them."""

from __future__ import annotations

from collections.abc import Mapping

from editor.process.rule_arguments import parse_rules
from engine.physics.rules import RuleSet

Rules = str | Mapping[str, str]
"""`retail`, `ace`, `ace,edge_slide_order=retail`, or forms by rule, which change those that hold."""


def rule_set_of(rules: Rules, now: RuleSet) -> RuleSet:
    if isinstance(rules, str):
        return parse_rules(rules)
    wanted = now.copy()
    for rule, form in rules.items():
        wanted.set_form(rule, form)
    return wanted
