"""Opening through the library runs nothing that a file holds, and reads nothing that was not named."""

from __future__ import annotations

import builtins
import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import cellar_door
from editor.project.project_file import CHECKSUM

HOSTILE = "__import__('os').system('touch ran')"


@pytest.fixture(autouse=True)
def nothing_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """After a first opening has imported what it needs, nothing is compiled or started."""
    monkeypatch.chdir(tmp_path)
    with cellar_door.open_world("demo") as world:
        world.save_project(tmp_path / "first.cellardoor")
    cellar_door.open_world(tmp_path / "first.cellardoor").close()

    def refuse(*arguments: object, **words: object) -> object:
        raise AssertionError("something was run")

    for owner, name in ((os, "system"), (os, "popen"), (subprocess, "Popen"), (builtins, "eval")):
        monkeypatch.setattr(owner, name, refuse)
    yield
    assert not (tmp_path / "ran").exists()


def changed(tmp_path: Path, before: str, after: str) -> Path:
    """The saved project with a part of its text replaced, and a checksum that fits."""
    text = (tmp_path / "first.cellardoor").read_text(encoding="utf-8")
    assert before in text
    data = text.partition('\n"checksum"')[0].replace(before, after, 1).encode()
    checksum = hashlib.blake2b(data, digest_size=CHECKSUM).hexdigest()
    hostile = tmp_path / "hostile.cellardoor"
    hostile.write_bytes(data + f'\n"checksum": "{checksum}"\n}}\n'.encode())
    return hostile


@pytest.mark.parametrize("value", [HOSTILE, {"code": HOSTILE}, [HOSTILE]])
@pytest.mark.parametrize("field", ["script", "scripts", "on_open", "python", "macro", "startup", "exec", "import"])
def test_script_like_fields_of_a_project_are_never_run(tmp_path: Path, field: str, value: object) -> None:
    hostile = changed(tmp_path, '"world": ', f'"{field}": {json.dumps(value)},\n"world": ')
    with suppress(cellar_door.OpenError), cellar_door.open_world(hostile) as world, world.simulation() as run:
        run.tick()


def test_names_titles_and_conditions_that_look_like_code_stay_texts(tmp_path: Path) -> None:
    with cellar_door.open_world("demo") as world:
        world.edit("lock_door", HOSTILE, door_id="Front Door", locked=True)
        world.save_project(tmp_path / "titled.cellardoor")
    with cellar_door.open_world(tmp_path / "titled.cellardoor") as again:
        assert again.steps == (HOSTILE,)
        with again.simulation() as run, pytest.raises(cellar_door.RefusedError):
            run.find(HOSTILE)


def test_scripts_that_lie_beside_a_world_are_not_run(tmp_path: Path) -> None:
    for name in ("sitecustomize.py", "conftest.py", "__init__.py", "cellar_door.py", "world.py"):
        (tmp_path / name).write_text("open('ran', 'w')\n", encoding="utf-8")
    cellar_door.open_world(tmp_path / "first.cellardoor").close()


def test_a_project_names_a_world_elsewhere_and_nothing_is_read_there(tmp_path: Path) -> None:
    hostile = changed(tmp_path, '"source": "demo"', f'"source": {json.dumps(str(tmp_path.parent / "elsewhere"))}')
    with pytest.raises(cellar_door.OpenError, match="does not lie with it"):
        cellar_door.open_world(hostile)
