"""The table of the named rules, and what is made from it: rule sets, tooltips, help, and the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cellar_door import main
from editor.reports.rules_page import rules_table
from engine.physics.rule_table import LIKELY, RULE_OF, RULES, Rule, rule_tip, rules_help
from engine.physics.rules import ACE, AGREED_RULES, CELL_RULES, RETAIL, RULE_NAMES, RuleSet

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"


def test_the_table_has_every_rule_of_a_rule_set_once_in_the_order_of_states() -> None:
    source = (ROOT / "engine" / "physics" / "rules.py").read_text(encoding="utf-8")
    declared = re.findall(r"^    (\w+): bool$", source, re.M)
    assigned = re.findall(r"^        self\.(\w+) = retail$", source, re.M)
    assert declared == assigned == list(RULE_NAMES) == list(RULE_OF)
    assert len(RULES) == 48


def test_every_rule_of_a_set_can_be_flipped_by_its_name() -> None:
    rules = RuleSet()
    for name in RULE_NAMES:
        rules.set_form(name, ACE)
        assert rules.form(name) == ACE
        rules.set_form(name, RETAIL)
    assert {rules.form(name) for name in RULE_NAMES} == {RETAIL}


def test_nine_rules_are_agreed_and_six_concern_cells() -> None:
    assert [rule.name for rule in RULES if rule.is_agreed] == list(AGREED_RULES)
    assert len(AGREED_RULES) == 9
    assert sorted(CELL_RULES) == sorted(
        [
            *("cell_array_cleared", "neighbour_lookup", "building_parts_side", "parts_rectangle"),
            *("sweep_prune", "portalless_cell"),
        ]
    )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_described_in_sentences(rule: Rule) -> None:
    for sentence in (rule.retail, rule.ace, rule.shows):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert ". " not in sentence, "one sentence each"
    assert not rule.title.endswith(".")
    assert len(rule.title) <= 50


def test_only_one_rules_client_form_was_inferred() -> None:
    assert [rule.name for rule in RULES if LIKELY in rule.known] == ["sphere_land_miss"]


def test_sections_of_rules_are_headings_of_the_reference() -> None:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in sorted((REFERENCE / "physics").glob("*.md")))
    for rule in RULES:
        for section in rule.section.split(", "):
            if section.startswith("#"):
                assert re.search(rf"^.*{section}\b", pages, re.M), f"{rule.name}: {section}"
            else:
                assert re.search(rf"^#+ {re.escape(section)}\b", pages, re.M), f"{rule.name}: {section}"


def test_the_page_of_rules_has_the_table() -> None:
    lines = (REFERENCE / "rules.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("|")] == rules_table()


def test_links_of_the_page_of_rules_lead_to_pages() -> None:
    text = (REFERENCE / "rules.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert (REFERENCE / target).is_file(), target


def test_a_tooltip_has_both_forms_or_the_one_that_both_sets_share() -> None:
    assert rule_tip("steep_ground").splitlines() == [
        "steep_ground",
        "retail: The ground does not block: the walker finds it below and slides along the contour.",
        "ace: The sub-step is lost, and the walker stands still.",
        "Example: A run into a steep hillside.",
    ]
    assert "The client and the server turned out to agree here." in rule_tip("final_cell_array")


@pytest.mark.parametrize("command", ["walk", "conform", "replay-capture"])
def test_help_of_a_command_that_takes_rules_lists_them(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main.main([command, "--help"])
    shown = capsys.readouterr().out
    assert rules_help() in shown
    assert "edge_slide_order" in shown
    assert not any(f"  {name} " in shown for name in AGREED_RULES)
