"""docs/reference/security.md states the limits and names every existing field."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from editor.project.project import Project
from editor.project.project_file import MAX_EDITS, MAX_STEPS, project_bytes
from engine.files import json_text, kinds, unpacking
from engine.files.kinds import MB, FileKind
from engine.sim.captures.form import MAX_LINE
from engine.sim.recording import Recording
from engine.sim.recording_file import MAX_EDIT_COUNT, MAX_TICKS, _head

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "security.md").read_text(encoding="utf-8")
KINDS: Final = [value for value in vars(kinds).values() if isinstance(value, FileKind)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_page_lists_each_kind_of_file_with_its_limit(kind: FileKind) -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith(f"| {kind.name}")]
    assert len(rows) == 1
    assert f"| {kind.most // MB} MB" in rows[0]


def test_the_pages_other_limits_are_those_of_the_program() -> None:
    assert MAX_EDITS == MAX_EDIT_COUNT == 200_000
    for number in (MAX_EDITS, MAX_STEPS, MAX_TICKS):
        assert f"{number:,}" in PAGE
    assert f"{MAX_LINE // 1024} KB a line" in PAGE
    assert f"below that {json_text.SMALL_COST // MB} MB" in PAGE
    assert json_text.GROWTH == 9
    assert "nine times its size" in PAGE
    assert unpacking.GROWTH == 8
    assert "eight times" in PAGE
    assert f"or {unpacking.SMALL_TOTAL // MB} MB for small ones" in PAGE


def test_the_page_names_every_field_of_a_project_and_a_recording() -> None:
    head = json.loads(project_bytes(Project("demo", "demo", unsaved=1, file="x", within="y")))
    fields = {*head, *_head(Recording(0, b"", 1, "demo", "demo"))} - {"cellar_door_project"}
    assert fields - set(re.findall(r"`([a-z_]+)`", PAGE)) == set()
