"""The golden scenes under both rule sets, and under single rules: the counts of table 17.1."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from engine.physics.rules import RuleSet, rule_set
from engine.sim.compare.causes import rules_of
from engine.sim.compare.scenes import scene_answers, scene_differences
from engine.sim.golden.scene_run import GoldenScene
from tests.conformance.test_goldens import CHANGED, SCENES, golden_of, open_scene
from tests.shared import needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]


def answers(name: str, rules: RuleSet, isolated: bool) -> list[list[dict[str, Any]]]:
    scene = open_scene(name, rules)
    return scene_answers(scene, golden_of(name, scene.landblock >> 16) if isolated else None)


@cache
def of_ace(name: str, isolated: bool) -> list[list[dict[str, Any]]]:
    return answers(name, rule_set("ace"), isolated)


def counts(rules: RuleSet, names: list[str]) -> tuple[int, int]:
    """Isolated ticks and whole moves that differ from those of ace."""
    ticks = moves = 0
    for name in names:
        ticks += len(list(scene_differences(of_ace(name, True), answers(name, rules, True), True)))
        whole = scene_differences(of_ace(name, False), answers(name, rules, False), False)
        moves += len({tick.move for tick in whole})
    return ticks, moves


def with_retail(rule: str) -> RuleSet:
    rules = rule_set("ace")
    rules.set_form(rule, "retail")
    return rules


@pytest.mark.slow
def test_both_rule_sets_differ_in_the_stated_ticks_and_moves() -> None:
    assert counts(rule_set("retail"), list(SCENES)) == (365, 73)


@pytest.mark.slow
@pytest.mark.parametrize("rule", CHANGED)
def test_a_single_rule_differs_in_the_ticks_and_moves_of_the_table(rule: str) -> None:
    assert counts(with_retail(rule), list(SCENES)) == CHANGED[rule]


def test_a_scene_by_the_same_rules_differs_in_nothing() -> None:
    assert counts(rule_set("ace"), ["crowd"]) == (0, 0)


def test_the_rule_of_a_move_over_a_ledge_is_named() -> None:
    """The first whole move of the scene that only the edge slide's order changes."""
    rules = with_retail("edge_slide_order")
    found = next(scene_differences(of_ace("ledge", False), answers("ledge", rules, False), False))

    def answer(rules: RuleSet) -> list[object]:
        scene: GoldenScene = open_scene("ledge", rules)
        return [list(entry.items()) for entry in scene.run_whole(scene.moves[found.move])[: found.index + 1]]

    cause = rules_of(answer, rule_set("ace"), rule_set("retail"))
    assert cause is not None
    assert cause.alone == ("edge_slide_order",)
