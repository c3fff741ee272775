"""What the check at every start sees of an environment, on one that is made of a few files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bootstrap.environment import Environment
from bootstrap.errors import BROKEN_ENVIRONMENT, SetupError

LOCK = "requirements.lock"


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """An environment as an installation leaves it."""
    packages = tmp_path / ".venv" / "lib" / "python3" / "site-packages"
    (packages / "numpy" / "__pycache__").mkdir(parents=True)
    (packages / "numpy" / "core.so").write_bytes(b"library")
    (packages / "numpy" / "__pycache__" / "x.pyc").write_bytes(b"bytes")
    environment = Environment(tmp_path)
    environment.python.parent.mkdir()
    (tmp_path / "python.exe").write_text("the system's Python")
    if sys.platform == "win32":
        environment.python.write_text("starts it")
    else:
        environment.python.symlink_to(tmp_path / "python.exe")
    (tmp_path / ".venv" / "pyvenv.cfg").write_text(f"home = {tmp_path}\nversion = 3.11\n", encoding="utf-8")
    (tmp_path / LOCK).write_text("numpy==1.0\n")
    environment.remember_installed([LOCK])
    return Environment(tmp_path)


def test_an_installed_environment_is_fit_for_use(environment: Environment) -> None:
    assert environment.damage() is None
    assert environment.has_lock(LOCK)


def test_byte_code_and_packages_of_the_users_own_are_no_damage(environment: Environment) -> None:
    packages = environment.folder / "lib" / "python3" / "site-packages"
    (packages / "numpy" / "__pycache__" / "x.pyc").unlink()
    (packages / "mine.py").write_text("")
    assert environment.damage() is None


@pytest.mark.parametrize("content", [None, b"lib"])
def test_a_file_that_is_gone_or_cut_short_is_named(environment: Environment, content: bytes | None) -> None:
    file = environment.folder / "lib" / "python3" / "site-packages" / "numpy" / "core.so"
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    damage = environment.damage()
    assert damage is not None
    assert damage.startswith(f"{os.path.join('lib', 'python3', 'site-packages', 'numpy', 'core.so')} ")


def test_what_makes_it_an_environment_is_missed(environment: Environment) -> None:
    (environment.folder / "pyvenv.cfg").unlink()  # without it the system's Python starts, and finds no packages
    assert environment.damage() == "pyvenv.cfg is gone"


@pytest.mark.parametrize("change", ["upgraded", "removed"])
def test_another_python_of_the_system_is_damage(environment: Environment, change: str) -> None:
    python = environment.root / "python.exe"
    if change == "upgraded":
        python.write_text("a newer one of the system")
    else:
        python.unlink()
    assert environment.damage() == "the Python it was made with has changed"


@pytest.mark.parametrize("stamp", [None, "", "{", "[]", '{"locks": {}}'])
def test_an_unfinished_set_up_is_damage(environment: Environment, stamp: str | None) -> None:
    file = environment.folder / "cellar-door.json"
    if stamp is None:
        file.unlink()
    else:
        file.write_text(stamp)
    assert environment.damage() == "its set-up was not finished"


def test_a_changed_lock_is_noticed(environment: Environment) -> None:
    (environment.root / LOCK).write_text("numpy==1.1\n")
    assert not environment.has_lock(LOCK)


def test_a_file_in_the_place_of_the_environment_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".venv").write_text("no folder")
    environment = Environment(tmp_path)
    assert environment.exists()
    assert environment.damage() == "its set-up was not finished"
    environment.remove()
    assert not environment.exists()


def test_an_environment_that_can_not_be_removed_is_an_error_of_its_own(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr("shutil.rmtree", refuse)
    with pytest.raises(SetupError, match="cannot be removed") as error:
        environment.remove()
    assert error.value.code == BROKEN_ENVIRONMENT
