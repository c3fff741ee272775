"""Checks are switched on and off by ids, families and patterns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.findings import registry
from engine.findings.errors import FindingError
from engine.findings.finding import Check, Family
from engine.findings.registry import checks, enabled_ids, register
from engine.world.faults import Severity

GAP = Check("walls.gap", "Gap in a wall", Family.GEOMETRY, Severity.WARNING, "A gap.")
STEP = Check("walls.step", "Step in a wall", Family.PHYSICS, Severity.WARNING, "A step.")
DOOR = Check("doors.gap", "Gap beside a door", Family.DOORS, Severity.WARNING, "A gap.")


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "CHECKS", {})
    for check in (GAP, STEP, DOOR):
        register(check)


def test_checks_are_listed_by_family() -> None:
    assert checks() == [DOOR, GAP, STEP]
    assert checks([Family.PHYSICS, Family.DOORS]) == [DOOR, STEP]


@pytest.mark.parametrize(
    ("on", "off", "left"),
    [
        (["*"], [], {"walls.gap", "walls.step", "doors.gap"}),
        (["walls.gap"], [], {"walls.gap"}),
        (["walls.*"], ["walls.gap"], {"walls.step"}),
        (["physics"], [], {"walls.step"}),
        (["geometry.*", "doors.*"], [], {"walls.gap", "doors.gap"}),
        (["*.gap"], ["doors"], {"walls.gap"}),
    ],
)
def test_checks_are_switched_on_and_off(on: list[str], off: list[str], left: set[str]) -> None:
    assert enabled_ids(on, off) == left


def test_a_pattern_that_names_no_check_is_refused() -> None:
    with pytest.raises(FindingError, match=r"there is no check 'wals\.\*'"):
        enabled_ids(["wals.*"])


def test_an_id_belongs_to_one_check() -> None:
    assert register(GAP) == GAP
    with pytest.raises(FindingError, match=r"walls\.gap"):
        register(replace(GAP, title="Another"))
