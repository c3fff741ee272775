"""The report in SARIF 2.1.0, which systems that check code show beside each other's results.

A world has no lines: findings are at logical locations, a landblock or a cell in one. The fingerprint is the finding's
key, by which such a system knows that it is the same one in the next run.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

from editor.process.plain_text import visible
from editor.survey.report_form import Report
from editor.survey.reports.wording import check_of, place_text, worst_first
from engine.findings.finding import Check, Found
from engine.world.cells.ids import block_text, cell_text, landblock_id
from engine.world.faults import Severity

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
VERSION: Final = "2.1.0"
FINGERPRINT: Final = "cellarDoorKey/v1"
LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}

Json = dict[str, Any]


def sarif_bytes(report: Report) -> bytes:
    """The whole log, with one run. A survey that could not do all that was asked has not succeeded."""
    found = worst_first(report)
    ids = sorted({each.check for each in found})
    rule_of = {check_id: place for place, check_id in enumerate(ids)}
    problems = report.problems()
    run: Json = {
        "tool": {
            "driver": {
                "name": "Cellar Door",
                "version": visible(report.version),
                "rules": [_rule(check_of(report, check_id)) for check_id in ids],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not problems,
                "toolExecutionNotifications": [_notification(block_id, problem) for block_id, problem in problems],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, each, rule_of[each.check]) for each in found],
        "properties": {
            "source": visible(report.source),
            "serverData": [visible(each) for each in report.server_data],
            "landblocks": len(report.blocks),
            "known": report.known,
        },
    }
    log = {"$schema": SCHEMA, "version": VERSION, "runs": [run]}
    return json.dumps(log, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace") + b"\n"


def _rule(check: Check) -> Json:
    return {
        "id": visible(check.id),
        "shortDescription": {"text": visible(check.title) or visible(check.id)},
        "fullDescription": {"text": visible(check.about) or visible(check.title)},
        "defaultConfiguration": {"level": LEVELS[check.severity]},
        "properties": {"tags": [check.family.value]},
    }


def _result(report: Report, found: Found, rule: int) -> Json:
    return {
        "ruleId": visible(found.check),
        "ruleIndex": rule,
        "level": LEVELS[report.severity_of(found)],
        "message": {"text": visible(found.sentence) or visible(found.check)},
        "locations": [{"logicalLocations": [_location(found.cell or found.block)]}],
        "fingerprints": {FINGERPRINT: visible(found.key)},
        "properties": _properties(found),
    }


def _location(place_id: int) -> Json:
    """A landblock, or a cell in one."""
    block, whole = block_text(place_id), landblock_id(place_id)
    if place_id == whole:
        return {"name": block, "fullyQualifiedName": block, "kind": "landblock"}
    return {"name": cell_text(place_id), "fullyQualifiedName": f"{block}/{cell_text(place_id)}", "kind": "cell"}


def _properties(found: Found) -> Json:
    """What there is no field for."""
    entity = cell_text(found.entity) if found.entity else ""
    figures = {visible(name): value for name, value in found.figures if math.isfinite(value)}
    told: Json = {"place": place_text(found.place), "eye": place_text(found.eye), "entity": entity, "figures": figures}
    told["fix"] = "" if found.fix is None else visible(found.fix.name)
    numbers = {"portal": found.portal, "polygon": found.polygon}
    return {name: value for name, value in told.items() if value} | {k: n for k, n in numbers.items() if n >= 0}


def _notification(block_id: int, problem: str) -> Json:
    location = {"logicalLocations": [_location(landblock_id(block_id))]}
    return {"level": "error", "message": {"text": visible(problem)}, "locations": [location]}
