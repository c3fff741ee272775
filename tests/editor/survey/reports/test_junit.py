"""The report as JUnit's XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

from editor.survey.report_form import BlockReport, Report
from editor.survey.reports import junit
from editor.survey.reports.junit import junit_bytes
from engine.findings.finding import Found
from tests.editor.survey.reports.samples import CHECKS, block_at, hostile, sample

BLOCK = block_at(0xA9, 0xB4)


def cases_of(report: Report) -> dict[tuple[str | None, str | None], ET.Element]:
    """The cases by landblock and family, once the counts fit them."""
    root = ET.fromstring(junit_bytes(report))
    suite = root.find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    for told in (root, suite):
        assert told.get("tests") == str(len(cases))
        assert told.get("failures") == str(len(suite.findall("testcase/failure")))
        assert told.get("errors") == str(len(suite.findall("testcase/error")))
    by_name = {(case.get("classname"), case.get("name")): case for case in cases}
    assert len(by_name) == len(cases)
    return by_name


def made(*found: Found, done: tuple[str, ...] = ("check", "doors"), problems: tuple[str, ...] = ()) -> Report:
    report = Report("demo", (), "1", (BlockReport(BLOCK, 1.0, done, problems),), found)
    return replace(report, checks=CHECKS)


def test_a_landblock_without_findings_passes_in_all_that_was_done() -> None:
    cases = cases_of(made())
    assert cases.keys() == {("0xA9B4", "check"), ("0xA9B4", "doors")}
    assert not any(len(case) for case in cases.values())


def test_warnings_and_errors_fail_and_information_is_told() -> None:
    told = Found("doors.gap", BLOCK, sentence="a gap of 3 cm")
    apart = [Found("portals.apart", BLOCK, portal=n, sentence=f"portal {n} is apart") for n in range(3)]
    cases = cases_of(made(told, *apart))
    failure = cases["0xA9B4", "geometry"].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert failure.get("message") == "portal 0 is apart and 2 more findings"
    assert failure.text.count("\n") == 2
    doors = cases["0xA9B4", "doors"]
    assert doors.find("failure") is None
    assert "a gap of 3 cm" in doors.findtext("system-out", "")


def test_what_could_not_be_done_is_an_error() -> None:
    error = cases_of(made(problems=("its record is cut off",)))["0xA9B4", junit.UNFINISHED].find("error")
    assert error is not None
    assert error.get("message") == "its record is cut off"


def test_a_case_of_thousands_tells_the_first() -> None:
    found = [Found("stuck.pit", BLOCK, polygon=n, sentence=f"pit {n}") for n in range(5000)]
    failure = cases_of(made(*found))["0xA9B4", "explore"].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert failure.text.endswith("… and 4,800 more findings")


def test_strangers_texts_make_xml_that_is_read() -> None:
    assert len(cases_of(hostile())) >= 3
    assert len(cases_of(sample(200))) > 16
