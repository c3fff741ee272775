"""The results of a survey in a project's file, whole and broken."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from editor.models.survey.keeping import kept_survey, pack_states, result_of
from editor.models.survey.results import Part, SurveyResult
from editor.models.survey.settings import SurveySettings
from editor.project.project import KeptSurvey, Project, ProjectError
from editor.project.project_file import parse_project, project_bytes
from editor.project.survey_forms import MAX_KEPT, read_survey, survey_form
from engine.findings.finding import Found
from tests.editor.models.survey.test_columns import states_of

BLOCK = 0x0007FFFF
CELL = 0x00070100
PIT = Found("stuck.pit", BLOCK, CELL, place=(CELL, (1.0, 2.0, 0.0)), sentence="a pit", recording=b"keys")


def kept() -> KeptSurvey:
    result = SurveyResult(BLOCK, SurveySettings(jumps=False), ())
    states = states_of([(CELL, 1.0, 7, 1, 0)])
    result.parts = [Part(packed=pack_states(states))]
    result.found, result.is_checked = [PIT], True
    result.add_unreached(CELL, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    made = kept_survey(result, 0, frozenset({CELL}))
    assert made is not None
    return made


def test_results_come_back_from_the_file_of_a_project() -> None:
    project = Project("demo", "demo", survey=kept())
    again = parse_project(project_bytes(project), "a.cellardoor").survey
    assert again == project.survey
    assert again is not None
    result = result_of(again, ())
    assert result.found == [PIT]
    assert result.is_checked
    assert not result.settings.jumps
    assert result.stale == {CELL}
    assert result.cells()[CELL].ticks == 7
    assert [floor.cell_id for floor in result.unreached] == [CELL]


@pytest.mark.parametrize(
    "change",
    [
        {"steps": 3},
        {"steps": True},
        {"block": 7},
        {"block": "0xNONSENSE"},
        {"stale": "all"},
        {"stale": ["0x1"]},
        {"about": 99},
        {"parts": []},
        {"parts": [0, -1]},
    ],
)
def test_a_broken_form_is_refused(change: dict[str, object]) -> None:
    blobs: dict[bytes, int] = {}
    form = survey_form(kept(), 0, blobs) | change
    with pytest.raises(ProjectError):
        read_survey(form, 2, list(blobs))


def test_too_much_is_neither_written_nor_read() -> None:
    large = replace(kept(), parts=(b"0" * (MAX_KEPT + 1),))
    blobs: dict[bytes, int] = {}
    with pytest.raises(ProjectError, match="MB"):
        survey_form(large, 0, blobs)
    with pytest.raises(ProjectError, match="MB"):
        read_survey(
            {"block": "0x0007FFFF", "steps": 0, "stale": [], "about": 0, "parts": [1]}, 0, [b"{}", large.parts[0]]
        )


@pytest.mark.parametrize(
    "change",
    [
        {"known": [[1], [2]]},
        {"known": [["all"]]},
        {"found": [{"check": 1}]},
        {"found": 7},
        {"unreached": [[CELL, [[0.0, "x", 1.0]]]]},
        {"unreached": [[CELL, [[0.0, 10**400, 1.0]]]]},
        {"seconds": "long"},
        {"seconds": -1.0},
        {"seconds": 10**400},
        {"sweeps": float("nan")},
        {"sweeps": float("inf")},
        {"sweeps": 10**400},
    ],
)
def test_data_that_are_no_results_are_refused(change: dict[str, object]) -> None:
    whole = kept()
    about = json.dumps(json.loads(whole.about) | change).encode()
    with pytest.raises(ProjectError, match="cannot be read"):
        result_of(replace(whole, about=about), ())
    with pytest.raises(ProjectError):
        result_of(replace(whole, about=b"nonsense"), ())


@pytest.mark.parametrize("floor", [[], [[0.0, 0.0, 0.0]] * 2, [[0.0, 1e30, 1.0]] * 3, [[0.0, 1e999, 1.0]] * 3])
def test_floors_that_no_picture_can_show_are_left_out(floor: list[list[float]]) -> None:
    whole = kept()
    about = json.dumps(json.loads(whole.about) | {"unreached": [[CELL, floor]]}).encode()
    assert result_of(replace(whole, about=about), ()).unreached == []
