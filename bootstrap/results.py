"""What came of the checks: the rows of the table, and the tests counted in pytest's JUnit files."""

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Row:
    """One line of the table at the end."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    remark: str = ""
    good: bool = True


def count(row: Row, report: Path) -> None:
    """Add up what pytest wrote down; it writes nothing when it is killed."""
    if not report.is_file():
        return
    for suite in ET.parse(report).getroot().iter("testsuite"):
        failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped = int(suite.get("skipped", 0))
        row.passed += int(suite.get("tests", 0)) - failed - skipped
        row.failed += failed
        row.skipped += skipped


def failed_tests(report: Path) -> set[str]:
    cases = ET.parse(report).getroot().iter("testcase") if report.is_file() else ()
    return {_test_name(case) for case in cases if case.find("failure") is not None or case.find("error") is not None}


def _test_name(case: ET.Element) -> str:
    return f"{case.get('classname')}::{case.get('name')}"


def count_again(row: Row, first: Path, again: Path) -> None:
    """Move the failed tests that passed when they ran alone to the passed ones, and name them in the table."""
    if not again.is_file():
        return
    ran = {_test_name(case) for case in ET.parse(again).getroot().iter("testcase")}
    passed = sorted((failed_tests(first) & ran) - failed_tests(again))
    row.passed += len(passed)
    row.failed -= len(passed)
    if passed:
        row.remark = f"{row.remark}  passed only when run again, alone: {', '.join(passed)}".strip()
