"""The conditions that a project keeps: read back as they were, and refused with one sentence where they are absurd."""

from __future__ import annotations

import json

import pytest

from editor.project.condition_forms import MOST, conditions_form, read_conditions
from editor.project.project import KeptCondition, Project, ProjectError
from editor.project.project_file import parse_project, project_bytes
from engine.sim.conditions.words import LONGEST

KEPT = (KeptCondition("blocked by Front Door", True), KeptCondition("words of a later version", False))


def test_conditions_read_back_as_they_were_kept() -> None:
    assert read_conditions(json.loads(json.dumps(conditions_form(KEPT)))) == KEPT
    assert parse_project(project_bytes(Project("demo", "demo", conditions=KEPT)), "kept").conditions == KEPT


def test_a_project_without_conditions_is_written_as_before() -> None:
    data = project_bytes(Project("demo", "demo"))
    assert b"conditions" not in data
    assert parse_project(data, "older").conditions == ()


@pytest.mark.parametrize(
    "value",
    [
        None,
        "blocked",
        {},
        [["blocked"]],
        [["blocked", 1]],
        [["", True]],
        [[5, True]],
        [["x" * (LONGEST + 1), True]],
        [["blocked\nby", True]],
        [["\ud800", True]],
        [["blocked", True, True]],
        [["blocked", True]] * (MOST + 1),
    ],
)
def test_absurd_conditions_are_refused_with_one_sentence(value: object) -> None:
    with pytest.raises(ProjectError) as refused:
        read_conditions(value)
    assert len(str(refused.value)) < 120
    assert "\n" not in str(refused.value)
