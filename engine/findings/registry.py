"""The table of checks, filled by the modules that make the findings as they are imported."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from typing import Final

from engine.findings.errors import FindingError
from engine.findings.finding import Check, Family

CHECKS: Final[dict[str, Check]] = {}


def register(check: Check) -> Check:
    """Put a check into the table, and return it. An id belongs to one check."""
    known = CHECKS.setdefault(check.id, check)
    if known != check:
        raise FindingError(f"two checks have the id {check.id}")
    return check


def checks(families: Iterable[Family] = ()) -> list[Check]:
    """The checks in the order of their ids, of these families or of all."""
    wanted = frozenset(families) or frozenset(Family)
    return [check for _, check in sorted(CHECKS.items()) if check.family in wanted]


def enabled_ids(on: Iterable[str] = ("*",), off: Iterable[str] = ()) -> frozenset[str]:
    """The ids of the checks that are switched on: those that a pattern of `on` names and none of `off`. A pattern is an
    id, a family, or one of these with wildcards: `portals.*`, `physics`, `*.gap`. Raises a FindingError for a pattern
    that names no check."""
    return _named(on) - _named(off)


def _named(patterns: Iterable[str]) -> frozenset[str]:
    named: set[str] = set()
    for pattern in patterns:
        found = {
            check.id
            for check in CHECKS.values()
            if fnmatch.fnmatchcase(check.id, pattern)
            or fnmatch.fnmatchcase(check.family.value, pattern)
            or fnmatch.fnmatchcase(f"{check.family}.{check.id}", pattern)
        }
        if not found:
            raise FindingError(f"there is no check {pattern[:60]!r}")
        named |= found
    return frozenset(named)
