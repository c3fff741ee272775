"""The golden scenes: every tick, move and query under `ace`, and how single rules change them (physics.md 13.11, 13.13,
17.1)."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from engine.physics.rules import RULE_NAMES, RuleSet, rule_set
from engine.sim.golden.compare import Comparison
from engine.sim.golden.form import GoldenAnswers, read_golden
from engine.sim.golden.queries import answer_query
from engine.sim.golden.scene_run import GoldenScene
from tests.shared import SHARED, needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]

# Ticks, moves and queries of each scene (13.13).
SCENES = {
    "wall": (594, 22, 150),
    "stairs_ramp": (2425, 93, 360),
    "portal": (1794, 84, 480),
    "door": (265, 8, 24),
    "ledge": (2156, 95, 150),
    "objects": (2906, 114, 12),
    "terrain": (504, 12, 0),
    "building": (1232, 51, 100),
    "crowd": (260, 2, 0),
    "pillars": (2400, 66, 240),
}


def open_scene(name: str, rules: RuleSet) -> GoldenScene:
    return GoldenScene.open(SHARED / "goldens" / "scenes" / f"{name}.json", rules)


@cache
def golden_of(name: str, block: int) -> GoldenAnswers:
    return read_golden(SHARED / "goldens" / "golden" / f"{name}.json", block)


@cache
def fragile() -> Any:
    return json.loads((SHARED / "goldens" / "fragile.json").read_text(encoding="utf-8"))


def compare(name: str, rules: RuleSet, isolated: bool) -> Comparison:
    scene = open_scene(name, rules)
    golden = golden_of(name, scene.landblock >> 16)
    result = Comparison()
    for number, move in enumerate(scene.moves):
        answers = scene.run_isolated(move, golden.resumes[number]) if isolated else scene.run_whole(move)
        result.add_move(move.name, answers, golden.ticks(number), isolated, fragile()[name].get(move.name))
    return result


@pytest.mark.parametrize("name", SCENES)
def test_every_isolated_tick_matches_the_golden(name: str) -> None:
    result = compare(name, rule_set("ace"), isolated=True)
    assert result.first == []
    assert (result.ticks.matched, result.moves.matched) == SCENES[name][:2]


@pytest.mark.parametrize("name", SCENES)
def test_every_whole_move_matches_the_golden(name: str) -> None:
    result = compare(name, rule_set("ace"), isolated=False)
    assert result.first == []
    assert result.moves.matched == SCENES[name][1]
    assert result.ticks.matched + result.ticks.skipped == SCENES[name][0]


@pytest.mark.parametrize("name", SCENES)
def test_every_query_of_the_loaded_world_matches_the_golden(name: str) -> None:
    scene = open_scene(name, rule_set("ace"))
    golden = golden_of(name, scene.landblock >> 16)
    result = Comparison()
    for number, (query, theirs) in enumerate(zip(scene.queries, golden.queries, strict=True)):
        result.add_query(number, query.op, answer_query(scene, query), theirs)
    assert result.first == []
    assert sum(tally.matched for tally in result.queries.values()) == SCENES[name][2]


def test_the_scenes_hold_every_golden_tick_move_and_query() -> None:
    assert [sum(counts) for counts in zip(*SCENES.values(), strict=True)] == [14_536, 547, 1_516]


def differences(rules: RuleSet) -> tuple[int, int]:
    """Isolated ticks and whole moves that differ, over all scenes."""
    ticks = sum(compare(name, rules, isolated=True).ticks.differing for name in SCENES)
    moves = sum(compare(name, rules, isolated=False).moves.differing for name in SCENES)
    return ticks, moves


def test_the_retail_rules_change_the_stated_number_of_ticks_and_moves() -> None:
    assert differences(rule_set("retail")) == (365, 73)


# How many ticks / moves change when this one rule of `ace` is set to `retail` (17.1).
CHANGED = {
    "collision_normal_normalised": (5, 2),
    "sliding_normal_normalised": (75, 13),
    "edge_slide_order": (132, 19),
    "check_walkable_backup": (1, 1),
    "cell_array_cleared": (130, 39),
    "sweep_prune": (8, 1),
    "shadow_order": (16, 2),
    "sphere_land_single": (1, 1),
    "sphere_land_miss": (5, 2),
    "walkable_corner": (7, 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULE_NAMES)
def test_a_single_rule_changes_the_stated_number_of_ticks_and_moves(rule: str) -> None:
    rules = rule_set("ace")
    rules.set_form(rule, "retail")
    assert differences(rules) == CHANGED.get(rule, (0, 0))
