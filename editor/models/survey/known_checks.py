"""The checks that a survey makes, with their titles; loaded when a survey is first asked for."""

from __future__ import annotations

from engine.findings.finding import Check, Family
from engine.findings.registry import checks

FAMILIES = (Family.EXPLORE, Family.DOORS, Family.RULES)


def known_checks() -> list[Check]:
    """All of them, in the order of their ids. They enter the registry as their modules are imported."""
    import engine.explore.findings.doors
    import engine.explore.findings.explore
    import engine.explore.findings.rules_part  # noqa: F401

    return checks(FAMILIES)
