"""What the documents show works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine._core import PACKAGES
from engine.world.loader import open_world

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def test_the_small_world_of_the_documents_is_built_written_and_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / "worlds.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert example is not None
    monkeypatch.chdir(tmp_path)
    exec(compile(example[1], "docs/worlds.md", "exec"), {})
    with open_world(tmp_path / "folder") as world:
        assert {0x0007FFFF, 0xC95BFFFF} <= set(world.landblock_ids())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_picture_and_page_that_a_document_points_to_is_there(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).is_file(), f"{document.name} points to {target}"


def test_the_engines_page_names_every_compiled_package() -> None:
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    named = text.partition("## The compiled core\n")[2].partition(" are plain typed Python")[0]
    assert re.findall(r"`([^`]+)`", named) == [name.removeprefix("engine.").replace(".", "/") for name in PACKAGES]
