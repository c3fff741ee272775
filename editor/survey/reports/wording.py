"""Checks, places and severities as the reports write them."""

from __future__ import annotations

from typing import Final

from editor.survey.report_form import Report
from engine.findings.finding import Check, Family, Found, Place
from engine.findings.registry import CHECKS
from engine.world.cells.ids import cell_text
from engine.world.faults import Severity

UNKNOWN: Final = "The report does not say what this check is."


def check_of(report: Report, check_id: str) -> Check:
    """The check of an id: as the report has it, which may come from a version with other checks."""
    known = report.checks.get(check_id) or CHECKS.get(check_id)
    return known or Check(check_id, check_id, Family.GEOMETRY, Severity.WARNING, UNKNOWN)


def worst_first(report: Report) -> list[Found]:
    """The findings by severity, then by check, place and key."""
    return sorted(report.found, key=lambda found: (-report.severity_of(found), found.check, found.key))


def place_text(place: Place | None) -> str:
    """As places are pasted into the window: 0xA9B40143 [84.1 131.5 66.0]."""
    if place is None:
        return ""
    cell_id, (x, y, z) = place
    return f"{cell_text(cell_id)} [{x:.3f} {y:.3f} {z:.3f}]"
