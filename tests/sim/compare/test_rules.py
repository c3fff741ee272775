"""Every rule with two forms: situations in which a comparison names it, single sweeps and whole runs."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from engine.physics.rules import AGREED_RULES, RULE_NAMES, rule_set
from engine.sim.compare.causes import RULES, cause_of, cause_of_beginning, rules_of
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.sides import Side, rule_changes
from engine.sim.recording import Recording
from engine.world.world import World
from tests.physics.test_rules import SHOWN
from tests.sim.compare import situations
from tests.sim.compare.arena import arena_world, random_run

TWO_FORMS = [rule for rule in RULE_NAMES if rule not in AGREED_RULES]
OTHER = {"retail": "ace", "ace": "retail"}

# --- single sweeps

SAME_BY_BOTH_SETS = ("frame_equality", "sphere_land_single", "sphere_land_miss")
"""Their situations answer alike under both whole sets: one rule takes back what another does."""

TOGETHER = {
    "walkable_corner": ("edge_slide_order", "walkable_corner"),
    "solid_poly_tie": ("placement_insert_state", "placement_side"),
}
"""What the whole sets differ by where that takes two rules; with the second, it is no longer by the rule itself."""


@pytest.mark.parametrize("rule", TWO_FORMS)
def test_the_rule_of_a_sweep_is_named_among_all_rules(rule: str) -> None:
    shown = SHOWN[rule]
    cause = rules_of(shown.situation, rule_set(shown.base), rule_set(OTHER[shown.base]))
    if rule in SAME_BY_BOTH_SETS:
        assert cause is None
        return
    assert cause is not None
    assert cause.is_smallest
    if rule in TOGETHER:
        assert (cause.names, cause.alone) == (TOGETHER[rule], ())
    else:
        assert rule in cause.alone


@pytest.mark.parametrize("rule", [*SAME_BY_BOTH_SETS, *TOGETHER])
def test_a_rule_that_needs_others_is_named_when_it_alone_differs(rule: str) -> None:
    shown = SHOWN[rule]
    other = rule_set(shown.base)
    other.set_form(rule, OTHER[shown.base])
    cause = rules_of(shown.situation, rule_set(shown.base), other)
    assert cause is not None
    assert cause.alone == (rule,)


# --- runs


class Random(NamedTuple):
    """A random run in the arena, and the rule set in which it was found to show a rule."""

    seed: int
    base: str = "retail"


RUNS: dict[str, Random | situations.Situation] = {
    "slide_opposing": Random(1027),
    "collision_normal_normalised": Random(1, "ace"),
    "sliding_normal_normalised": Random(1102),
    "edge_slide_order": Random(1104),
    "frame_equality": Random(5, "ace"),
    "max_steps": Random(1101),
    "cell_array_cleared": Random(1102),
    "sweep_prune": Random(23),
    "neighbour_lookup": Random(37),
    "building_parts_side": situations.a_stand_in_the_village,
    "parts_rectangle": situations.a_stand_in_the_village,
    "shadow_order": situations.a_teleport_into_a_cloud,
    "placement_ethereal": situations.a_teleport_into_a_cloud,
    "entry_restriction_once": situations.a_walk_in_a_guarded_room,
    "sphere_land_single": situations.an_arrow_falls_beside_a_boulder,
    "cyl_step_down_cell": Random(16),
    "placement_reset": Random(57, "ace"),
    "missile_ignore": Random(4),
    "missile_env_clear": situations.an_arrow_flies_into_a_wall,
    "inelastic_reports": situations.a_dead_stop_at_a_creature,
    "sledding": Random(1114),
    "run_rate_800": Random(1106),
    "steep_ground": Random(1131),
    "walkable_corner": Random(1106),
    "no_cell_commit": Random(1122),
    "skip_origin": Random(1102),
    "clipped_head": situations.a_head_meets_a_lintel,
    "turn_blend": Random(1114),
    "portalless_cell": Random(1108),
}
"""By rule, a run whose states part when this rule alone is in its other form."""

ONLY_SWEEPS = {
    "check_walkable_backup": "no run was found",
    "check_walkables_radius": "no run was found",
    "sphere_land_miss": "no run was found",
    "placement_insert_state": "no run was found",
    "placement_side": "no run was found",
    "cyl_slide_head": "no run was found",
    "neg_poly_cleared": "no run was found",
    "solid_poly_tie": "no run was found",
    "max_quantum": "a tick is always a thirtieth of a second",
    "small_quantum": "a tick is always a thirtieth of a second",
}
"""Rules that are shown by single sweeps alone."""


def sides(rule: str) -> tuple[Side, Side]:
    situation = RUNS[rule]
    world, recording, base = _run(situation) if isinstance(situation, Random) else (*situation(), "retail")
    plain, rules, other = rule_set("retail"), rule_set(base), rule_set(base)
    other.set_form(rule, OTHER[base])
    one = Side("one", world, recording, rule_changes(plain, rules))
    return one, Side("two", world, recording, rule_changes(plain, other))


def _run(situation: Random) -> tuple[World, Recording, str]:
    return arena_world(), random_run(situation.seed), situation.base


@pytest.mark.parametrize("rule", RUNS)
def test_the_rule_of_a_run_is_named(rule: str) -> None:
    with Comparison(*sides(rule)) as comparison:
        comparison.run()
        found = comparison.first
        assert found is not None or comparison.given
        cause = cause_of_beginning(comparison) if found is None else cause_of(comparison, found)
        assert (cause.kind, cause.names, cause.alone) == (RULES, (rule,), (rule,))


def test_every_rule_of_two_forms_has_a_run_or_a_reason() -> None:
    assert sorted([*RUNS, *ONLY_SWEEPS]) == sorted(TWO_FORMS)
