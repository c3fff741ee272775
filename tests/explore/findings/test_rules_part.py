"""Where the two rule sets end otherwise, by which rule, and shown by a recording."""

from __future__ import annotations

import pytest

from engine.explore.findings.rules_part import END_APART, FARTHEST, check_rules
from engine.explore.forms.settings import Settings
from engine.physics.rules import ACE, RULE_NAMES, RuleSet
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.sides import Side, rule_changes
from engine.sim.recording_file import parse_recording
from tests.sim.helpers.small_worlds import built, open_rooms, with_cellar

pytestmark = pytest.mark.unwatched

DUNGEON = 0x0007FFFF
QUICK = Settings(headings=8, charges=(1.0,), jump_grid=2.0)


def test_a_place_where_the_rule_sets_part_is_told_with_the_rule() -> None:
    world = built(with_cellar).load()
    found = list(check_rules(lambda: world, DUNGEON, QUICK, frozenset({END_APART.id})))
    assert found
    for each in found:
        assert each.check == END_APART.id
        assert dict(each.figures)["between the ends, m"] > FARTHEST
        named = each.sentence.rpartition(": ")[2].split(", ")
        assert set(named) <= set(RULE_NAMES)
        recording = parse_recording(each.recording, each.check)
        rules = RuleSet()
        for rule in named:
            rules.set_form(rule, ACE)
        other = Side("other", world, recording, rule_changes(RuleSet(), rules))
        with Comparison(Side("mine", world, recording), other) as comparison:
            comparison.run()
            assert not comparison.is_same


def test_nothing_is_told_where_they_agree_and_where_it_is_switched_off() -> None:
    world = built(open_rooms).load()
    assert list(check_rules(lambda: world, DUNGEON, QUICK, frozenset({END_APART.id}))) == []
    other = built(with_cellar).load()
    assert list(check_rules(lambda: other, DUNGEON, QUICK, frozenset())) == []
