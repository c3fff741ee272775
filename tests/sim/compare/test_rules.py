"""Every rule with two forms: situations in which a comparison names it, single sweeps and whole runs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from editor.commands.walk import parse_rules
from engine.physics.rules import AGREED_RULES, RULE_NAMES, rule_set
from engine.sim.compare.causes import RULES, cause_of, cause_of_beginning, rules_of
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.sides import Side, rule_changes
from tests.physics.test_rules import SHOWN
from tests.sim.compare import courses, situations
from tests.sim.compare.arena import arena, arena_world, random_run

TWO_FORMS = [rule for rule in RULE_NAMES if rule not in AGREED_RULES]
ROOT = Path(__file__).resolve().parents[3]
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


class Shown(NamedTuple):
    """A run that shows a rule: what is done, and the rules by which it is recorded, as `--rules` takes them."""

    run: situations.Situation
    rules: str = "retail"


def random(seed: int) -> situations.Situation:
    """A random run in the arena, in which a rule was found to show."""
    return lambda rules: (situations.Place(arena(), arena_world()), random_run(seed, rules=rules))


RUNS: dict[str, Shown] = {
    "slide_opposing": Shown(random(1027)),
    "collision_normal_normalised": Shown(random(1), "ace"),
    "sliding_normal_normalised": Shown(random(1102)),
    "edge_slide_order": Shown(random(1104)),
    "check_walkable_backup": Shown(courses.off_the_side_of_a_ramp),
    "check_walkables_radius": Shown(courses.off_a_ramp_beside_a_post, "ace"),
    "frame_equality": Shown(random(5), "ace"),
    "max_steps": Shown(random(1101)),
    "cell_array_cleared": Shown(random(1102)),
    "sweep_prune": Shown(random(23)),
    "neighbour_lookup": Shown(random(37)),
    "building_parts_side": Shown(situations.a_walk_out_over_the_crates),
    "parts_rectangle": Shown(situations.a_run_into_the_fence_of_the_next_landblock),
    "shadow_order": Shown(situations.a_teleport_into_a_cloud),
    "placement_ethereal": Shown(situations.a_teleport_into_a_cloud),
    "entry_restriction_once": Shown(situations.a_walk_in_a_guarded_room),
    "sphere_land_single": Shown(situations.an_arrow_falls_beside_a_boulder),
    "sphere_land_miss": Shown(situations.an_arrow_is_thrown_past_a_boulder, "ace"),
    "cyl_step_down_cell": Shown(random(16)),
    "placement_insert_state": Shown(courses.deep_in_a_block, "retail,placement_insert_state=ace"),
    "placement_reset": Shown(random(67)),
    "missile_ignore": Shown(random(4)),
    "missile_env_clear": Shown(situations.an_arrow_flies_into_a_wall),
    "inelastic_reports": Shown(situations.a_dead_stop_at_a_creature),
    "sledding": Shown(random(1114)),
    "run_rate_800": Shown(random(1106)),
    "steep_ground": Shown(random(1131)),
    "walkable_corner": Shown(random(1106)),
    "placement_side": Shown(courses.just_behind_a_face),
    "no_cell_commit": Shown(random(1122)),
    "skip_origin": Shown(random(1102)),
    "cyl_slide_head": Shown(courses.under_a_lamp_by_a_leaning_wall),
    "neg_poly_cleared": Shown(courses.past_posts_behind_a_screen),
    "clipped_head": Shown(situations.a_head_meets_a_lintel),
    "solid_poly_tie": Shown(courses.exactly_in_a_face),
    "turn_blend": Shown(random(1114)),
    "portalless_cell": Shown(random(1108)),
}
"""By rule, a run whose states part when this rule alone is in its other form."""

IN_NO_RUN = ("max_quantum", "small_quantum")
"""Rules of how elapsed time is divided: a tick is always one quantum, which no code of a tick divides."""


def flipped(rule: str, rules: str) -> str:
    """The same rules with one of them in its other form, as `--rules` takes them."""
    form = OTHER[parse_rules(rules).form(rule)]
    kept = [word for word in rules.split(",") if not word.startswith(f"{rule}=")]
    return ",".join([*kept, f"{rule}={form}"])


def sides(rule: str) -> tuple[Side, Side]:
    shown = RUNS[rule]
    before, after = parse_rules(shown.rules), parse_rules(flipped(rule, shown.rules))
    place, recording = shown.run(before)
    one = Side("one", place.world, recording)
    return one, one.with_changes(rule_changes(before, after))


@pytest.mark.parametrize("rule", RUNS)
@pytest.mark.unwatched
def test_the_rule_of_a_run_is_named(rule: str) -> None:
    with Comparison(*sides(rule)) as comparison:
        comparison.run()
        found = comparison.first
        assert found is not None
        cause = cause_of(comparison, found)
        assert (cause.kind, cause.names, cause.alone) == (RULES, (rule,), (rule,))


@pytest.mark.parametrize("rule", ["building_parts_side", "parts_rectangle"])
def test_a_rule_that_differs_before_the_first_tick_is_named_of_that(rule: str) -> None:
    with Comparison(*sides(rule)) as comparison:
        comparison.run()
        assert comparison.given
        assert cause_of_beginning(comparison).alone == (rule,)


def test_every_rule_of_two_forms_has_a_run_or_a_reason() -> None:
    assert sorted([*RUNS, *IN_NO_RUN]) == sorted(TWO_FORMS)


@pytest.mark.parametrize("rule", IN_NO_RUN)
def test_a_rule_without_a_run_is_read_by_no_code_of_a_tick(rule: str) -> None:
    """Its only reader divides elapsed time; whoever ticks does not import that."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "engine").rglob("*.py")}
    readers = {path.stem for path, text in sources.items() if f".{rule}" in text}
    assert readers == {"rules", "quanta"}
    assert [path for path, text in sources.items() if "physics.quanta" in text] == []
    assert "body.step(QUANTUM)" in sources[ROOT / "engine" / "sim" / "tick" / "simulation.py"]
