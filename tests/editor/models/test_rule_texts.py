"""The named rules in words, and the page that has them."""

from __future__ import annotations

from pathlib import Path

from editor.reports.rule_texts import CERTAIN, RULE_TEXTS, rule_tip, rules_table
from engine.physics.rules import AGREED_RULES, RULE_NAMES

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "rules.md"


def test_every_rule_is_told_in_the_order_of_the_rules() -> None:
    assert list(RULE_TEXTS) == list(RULE_NAMES)
    assert [rule for rule, text in RULE_TEXTS.items() if text.evidence != CERTAIN] == ["sphere_land_miss"]


def test_the_two_forms_are_told_apart_unless_both_sets_agree() -> None:
    for rule, text in RULE_TEXTS.items():
        assert (text.retail == text.ace) == (rule in AGREED_RULES), rule


def test_the_page_of_rules_says_what_the_window_says() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("|")] == rules_table()


def test_a_tooltip_says_how_either_goes_or_that_both_go_the_same_way() -> None:
    assert rule_tip("steep_ground").splitlines()[1].startswith("retail: that stops nobody")
    assert "ace: the sub-step is lost" in rule_tip("steep_ground")
    assert rule_tip("final_cell_array").endswith("Client and server turned out to go the same way here.")
