"""Rule sets as command lines and scripts write them."""

from __future__ import annotations

from engine.physics.rules import RuleSet, rule_set
from engine.world.faults import WorldError


def parse_rules(text: str) -> RuleSet:
    """A rule set by name, with single rules flipped."""
    name, *flips = text.split(",")
    rules = rule_set(name)
    for flip in flips:
        rule, equals, form = flip.partition("=")
        if not equals:
            raise WorldError(f"{flip!r} flips no rule: write RULE=retail or RULE=ace")
        rules.set_form(rule, form)
    return rules
