"""The report as JUnit's XML: a testcase for each landblock and each part of the survey that was done in it.

Errors and warnings fail the case of their landblock and family; information stands in its output. What a landblock's
survey could not do is an error of a case of its own.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from editor.process.plain_text import counted
from editor.reports.kept_walks import xml_text
from editor.survey.report_form import Report
from editor.survey.reports.wording import check_of, place_text, worst_first
from engine.findings.finding import Found
from engine.world.cells.ids import block_text, landblock_id
from engine.world.faults import Severity

MOST_LINES: Final = 200
"""Findings that are written out for one case; a landblock may have thousands of one kind."""
UNFINISHED: Final = "all of it"


@dataclass
class _Case:
    """A landblock and a family."""

    block_id: int
    name: str
    failures: list[Found] = field(default_factory=list)
    notes: list[Found] = field(default_factory=list)
    problems: tuple[str, ...] = ()
    seconds: float = 0.0


def junit_bytes(report: Report) -> bytes:
    """The XML that systems for continuous integration read."""
    cases = list(_cases(report))
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(bool(case.failures) for case in cases)),
        "errors": str(sum(bool(case.problems) for case in cases)),
        "time": _seconds(sum(case.seconds for case in cases)),
    }
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", {"name": "survey", **counts, "skipped": "0"})
    listed = ET.SubElement(suite, "properties")
    told = [("program", f"Cellar Door {report.version}"), ("world", report.source)]
    for name, value in (*told, *(("server data", each) for each in report.server_data)):
        ET.SubElement(listed, "property", {"name": name, "value": xml_text(value)})
    for case in cases:
        _write(report, suite, case)
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _cases(report: Report) -> Iterator[_Case]:
    """Landblocks ascending; in each the parts that were done, then those families that found something besides."""
    by_block: dict[int, list[Found]] = defaultdict(list)
    for found in worst_first(report):
        by_block[landblock_id(found.block)].append(found)
    blocks = {landblock_id(block.id): block for block in report.blocks}
    for block_id in sorted(by_block.keys() | blocks.keys()):
        block = blocks.get(block_id)
        cases = {name: _Case(block_id, name) for name in (block.done if block else ())}
        for found in by_block.get(block_id, ()):
            family = check_of(report, found.check).family.value
            case = cases.setdefault(family, _Case(block_id, family))
            (case.notes if report.severity_of(found) is Severity.INFO else case.failures).append(found)
        if block is not None and (block.problems or not cases):
            cases[UNFINISHED] = _Case(block_id, UNFINISHED, problems=block.problems)
        for case in cases.values():
            case.seconds = block.seconds / len(cases) if block is not None else 0.0
            yield case


def _write(report: Report, suite: ET.Element, case: _Case) -> None:
    made = ET.SubElement(
        suite,
        "testcase",
        {"classname": block_text(case.block_id), "name": xml_text(case.name), "time": _seconds(case.seconds)},
    )
    if case.problems:
        error = ET.SubElement(made, "error", {"message": xml_text(case.problems[0]), "type": "not finished"})
        error.text = "\n".join(map(xml_text, case.problems))
    if case.failures:
        first = case.failures[0]
        more = f" and {counted(len(case.failures) - 1, 'more finding')}" if len(case.failures) > 1 else ""
        failure = ET.SubElement(
            made, "failure", {"message": xml_text(first.sentence) + more, "type": xml_text(first.check)}
        )
        failure.text = _lines(report, case.failures)
    if case.notes:
        ET.SubElement(made, "system-out").text = _lines(report, case.notes)


def _lines(report: Report, found: list[Found]) -> str:
    lines = [
        xml_text(
            f"{report.severity_of(each).name.lower()} {each.check}: {each.sentence}  {place_text(each.place)}".rstrip()
        )
        for each in found[:MOST_LINES]
    ]
    left = len(found) - MOST_LINES
    return "\n".join([*lines, f"… and {counted(left, 'more finding')}"] if left > 0 else lines)


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
