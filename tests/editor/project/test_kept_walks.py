"""The walks that a project keeps: read back as they were with their steps, and refused where they are absurd."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.document.undo_stack import Step
from editor.project import walk_forms
from editor.project.project import KeptWalk, Project, ProjectError, shared_steps
from editor.project.project_file import load_project, parse_project, project_bytes, save_project
from editor.project.walk_forms import LONGEST, MAX_WALK, MOST, read_walks
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.rules import SetRule

STEPS = tuple(Step(f"Lock {number}", (LockDoor(number, True),), (LockDoor(number, False),)) for number in range(5))
OTHER = Step("Another rule", (SetRule("edge_slide_order", "ace"),), (SetRule("edge_slide_order", "retail"),))


def project(*walks: KeptWalk, steps: tuple[Step, ...] = STEPS) -> Project:
    return Project("demo", "demo", steps=steps, walks=walks)


@given(st.integers(0, 5), st.booleans(), st.binary(max_size=300), st.text("abc ü", min_size=1, max_size=LONGEST))
def test_walks_read_back_with_the_steps_that_they_were_kept_with(
    shared: int, undone: bool, data: bytes, name: str
) -> None:
    name = f"w{name}"[:LONGEST]
    walk = KeptWalk(name, data, (*STEPS[:shared], *([OTHER, *STEPS[2:4]] if undone else [])))
    found = parse_project(project_bytes(project(walk, KeptWalk("second", data))), "kept")
    assert found.walks == (walk, KeptWalk("second", data))
    assert found.steps == STEPS
    assert shared_steps(found.walks[0].steps, found.steps) == shared_steps(walk.steps, STEPS)


def test_the_same_data_is_written_once() -> None:
    data = bytes(range(256)) * 40
    one = project_bytes(project(KeptWalk("a", data)))
    two = project_bytes(project(KeptWalk("a", data), KeptWalk("b", data)))
    assert len(two) < len(one) + 100


def test_a_project_without_walks_is_written_as_before() -> None:
    data = project_bytes(project())
    assert b"walks" not in data
    assert parse_project(data, "older").walks == ()


def test_a_file_keeps_them(tmp_path: Path) -> None:
    walk = KeptWalk("cellar stair", b"CDRECORD", STEPS[:2])
    save_project(project(walk), tmp_path / "kept.cellardoor")
    assert load_project(tmp_path / "kept.cellardoor").walks == (walk,)


STEP = {"name": "x", "edits": [], "back": []}
ABSURD: list[object] = [
    None,
    "walks",
    {},
    ["walk"],
    [{}],
    [{"name": "a", "data": 0}],
    [{"name": "a", "data": 1, "steps": 0}],
    [{"name": "a", "data": -1, "steps": 0}],
    [{"name": "a", "data": True, "steps": 0}],
    [{"name": "a", "data": "0", "steps": 0}],
    [{"name": "a", "data": 0, "steps": 3}],
    [{"name": "a", "data": 0, "steps": -1}],
    [{"name": "a", "data": 0, "steps": False}],
    [{"name": "a", "data": 0, "steps": 0, "undone": {}}],
    [{"name": "a", "data": 0, "steps": 0, "undone": [5]}],
    [{"name": "", "data": 0, "steps": 0}],
    [{"name": "   ", "data": 0, "steps": 0}],
    [{"name": 5, "data": 0, "steps": 0}],
    [{"name": "a\nb", "data": 0, "steps": 0}],
    [{"name": "\u202ea", "data": 0, "steps": 0}],
    [{"name": "\ud800", "data": 0, "steps": 0}],
    [{"name": "x" * (LONGEST + 1), "data": 0, "steps": 0}],
    [{"name": "a", "data": 0, "steps": 0}] * (MOST + 1),
]


@pytest.mark.parametrize("value", ABSURD)
def test_absurd_walks_are_refused_with_one_sentence(value: object) -> None:
    with pytest.raises(ProjectError) as refused:
        read_walks(value, STEPS[:2], [b"data"], lambda form: Step("", ()))
    assert len(str(refused.value)) < 130
    assert "\n" not in str(refused.value)


def test_walks_that_are_too_large_are_refused_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = project_bytes(project(KeptWalk("long", bytes(2000))))
    with pytest.raises(ProjectError, match="cannot be saved: has a walk of more than 8 MB"):
        project_bytes(project(KeptWalk("long", bytes(MAX_WALK + 1))))
    many = [KeptWalk(f"walk {number}", bytes([number]) + bytes(MAX_WALK - 1)) for number in range(5)]
    with pytest.raises(ProjectError, match="has walks of more than 32 MB"):
        project_bytes(project(*many))
    monkeypatch.setattr(walk_forms, "MAX_WALK", 1000)
    with pytest.raises(ProjectError, match="has a walk of more than"):
        parse_project(whole, "mailed")


def test_undone_steps_of_walks_count_as_steps_and_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    from editor.project import project_file

    data = project_bytes(project(KeptWalk("a", b"x", STEPS), steps=()))
    monkeypatch.setattr(project_file, "MAX_EDITS", 9)
    with pytest.raises(ProjectError, match="has 10 edits; at most 9 are read"):
        parse_project(data, "mailed")
    monkeypatch.setattr(project_file, "MAX_STEPS", 4)
    with pytest.raises(ProjectError, match="has 5 steps; at most 4 are read"):
        parse_project(data, "mailed")


def test_data_that_would_grow_too_large_is_refused() -> None:
    data = project_bytes(project(KeptWalk("a", b"x")))
    packed = zlib.compress(bytes(1 << 28), 9)
    import base64

    from editor.project.project_file import _END, _LAST, _checksum

    body = data[: data.rfind(_LAST)]
    body = re.sub(rb'"blobs": \[\n"[^"]*"', b'"blobs": [\n"' + base64.b64encode(packed) + b'"', body)
    with pytest.raises(ProjectError):
        parse_project(body + _LAST + _checksum(body) + _END, "mailed")


def test_steps_are_shared_as_far_as_they_are_equal() -> None:
    again = tuple(replace(step, inverse=()) for step in STEPS)
    assert shared_steps(STEPS, again) == 5
    assert shared_steps(STEPS, (*STEPS[:2], OTHER)) == 2
    assert shared_steps((), STEPS) == 0
