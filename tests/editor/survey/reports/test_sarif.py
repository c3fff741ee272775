"""The report in SARIF: what its schema asks for, and what a finding becomes."""

from __future__ import annotations

import json
from typing import Any

from editor.survey.report_form import BlockReport, Report
from editor.survey.reports.sarif import FINGERPRINT, sarif_bytes
from engine.findings.finding import Found
from tests.editor.survey.reports.samples import CHECKS, block_at, hostile, sample

LEVELS = {"none", "note", "warning", "error"}


def run_of(report: Report) -> dict[str, Any]:
    """The run, once the log has the form that the schema asks for."""
    log = json.loads(sarif_bytes(report))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    assert log.keys() == {"$schema", "version", "runs"}
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert isinstance(driver["name"], str)
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in LEVELS
        assert len(set(rule["properties"]["tags"])) == len(rule["properties"]["tags"])
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["level"] in LEVELS
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert all(isinstance(value, str) for value in result["fingerprints"].values())
        for location in result["locations"]:
            for logical in location["logicalLocations"]:
                assert logical["name"]
                assert logical["fullyQualifiedName"]
                assert logical["kind"]
    for invocation in run["invocations"]:
        assert isinstance(invocation["executionSuccessful"], bool)
        for notification in invocation["toolExecutionNotifications"]:
            assert notification["message"]["text"]
            assert notification["level"] in LEVELS
    found: dict[str, Any] = run
    return found


def test_each_finding_is_a_result_with_its_key_as_fingerprint() -> None:
    report = sample(60)
    run = run_of(report)
    assert sorted(r["fingerprints"][FINGERPRINT] for r in run["results"]) == sorted(each.key for each in report.found)
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == sorted(CHECKS)
    assert run["invocations"][0]["executionSuccessful"]


def test_a_place_is_a_landblock_or_a_cell_in_one() -> None:
    block = block_at(0xA9, 0xB4)
    inside, whole = Found("a", block, 0xA9B40101, entity=0x7A9B4001), Found("a", block, portal=3)
    results = run_of(Report("demo", (), "1", (), (inside, whole)))["results"]
    names = {r["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]: r for r in results}
    assert names.keys() == {"0xA9B4/0xA9B40101", "0xA9B4"}
    assert names["0xA9B4/0xA9B40101"]["properties"]["entity"] == "0x7A9B4001"
    assert names["0xA9B4"]["properties"]["portal"] == 3


def test_what_could_not_be_done_is_told_and_is_no_success() -> None:
    report = Report("demo", (), "1", (BlockReport(block_at(1, 2), 1.0, (), ("ran out of memory",)),))
    (invocation,) = run_of(report)["invocations"]
    assert not invocation["executionSuccessful"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "ran out of memory"


def test_strangers_texts_and_numbers_make_a_log_that_is_read() -> None:
    run = run_of(hostile())
    assert len(run["results"]) == 2
    worst = next(r for r in run["results"] if r["level"] == "error")
    assert "figures" not in worst["properties"]
    assert "\u202e" not in worst["message"]["text"]
