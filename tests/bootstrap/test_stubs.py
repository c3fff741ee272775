"""What type checkers read of a wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootstrap.stubs import stub_of, write_stubs


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("from engine.sim import Run as Run", "from cellar_door.engine.sim import Run as Run"),
        ("import engine", "from cellar_door import engine"),
        ("import engine as world", "from cellar_door import engine as world"),
        ("import engine.sim as sim", "import cellar_door.engine.sim as sim"),
        ("import engine.sim", "import cellar_door.engine.sim\nfrom cellar_door import engine"),
        ("import sys, editor.models", "import sys\nimport cellar_door.editor.models\nfrom cellar_door import editor"),
        ("from engines import power", "from engines import power"),
        ("from . import engine", "from . import engine"),
        ("WIDTH: Final = 3", "WIDTH: Final = 3"),
    ],
)
def test_our_packages_are_found_below_cellar_door(said: str, written: str) -> None:
    assert stub_of(said) == f"{written}\n"


def test_bodies_and_texts_are_left_out_where_they_give_no_attributes() -> None:
    source = '''
"""A module."""
class Door:
    """A door."""
class Room:
    """A room."""
    def __init__(self, width: float) -> None:
        """Make one."""
        self.width = width
    @property
    def area(self) -> float:
        """Square metres."""
        return self.width ** 2
'''
    assert stub_of(source) == (
        "class Door:\n    ...\n\nclass Room:\n\n    def __init__(self, width: float) -> None:\n"
        "        self.width = width\n\n    @property\n    def area(self) -> float:\n        ...\n"
    )


def test_every_module_gets_one(tmp_path: Path) -> None:
    for name in ("cellar_door/__init__", "cellar_door/main", "cellar_door/engine/sim/run", "cellar_door/editor/a"):
        file = tmp_path / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("from engine.sim import run\n", encoding="utf-8")
    written = [file.relative_to(tmp_path / "cellar_door").as_posix() for file in write_stubs(tmp_path)]
    assert written == ["__init__.pyi", "engine/sim/run.pyi", "editor/a.pyi"]
    assert (tmp_path / "cellar_door/editor/a.pyi").read_text() == "from cellar_door.engine.sim import run\n"
