"""Pipes and devices in place of a file, in folders and named by hand: an immediate error, or a fault of the opened
source, but no waiting and no reading from a device."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cellar_door.main import main
from editor.project.autosave import AbandonedAutosave, DamagedAutosave, find_left
from editor.project.owned_files import make_own_folder
from editor.project.project import ProjectError
from editor.project.project_file import load_project
from editor.session.background import Job
from editor.session.loading import Arrival, Request, arrive
from engine.world.faults import WorldError
from engine.world.loader import open_world
from tests.loaded import HUNG
from tests.sim.helpers.small_worlds import built, two_rooms

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """Makes a test that waits for a pipe fail instead of waiting forever."""

    def ring(number: int, frame: object) -> None:
        raise TimeoutError("somebody waits for a pipe")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(HUNG)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=["pipe", "zero"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A path that is not a regular file."""
    path = tmp_path / "odd"
    if request.param == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    return path


WORDS = ("it is a pipe, not a file", "it is a device, not a file")


def test_a_folder_whose_entities_file_is_a_pipe_opens_with_a_fault(odd: Path, tmp_path: Path) -> None:
    built(two_rooms).write(tmp_path / "world")
    (tmp_path / "world" / "entities.json").unlink()
    (tmp_path / "world" / "entities.json").symlink_to(odd)
    outcome = arrive(Request(str(tmp_path / "world"), ask=False), Job())
    assert isinstance(outcome, Arrival)
    (fault,) = outcome.sim.world.source.faults
    assert "no entity is loaded" in fault.reason
    assert any(word in fault.reason for word in WORDS)
    outcome.close()


@pytest.mark.parametrize("name", ["client_highres.dat", "client_local_English.dat"])
def test_an_optional_database_that_is_not_a_file_is_skipped(odd: Path, tmp_path: Path, name: str) -> None:
    built(two_rooms).write(tmp_path / "world")
    (tmp_path / "world" / name).symlink_to(odd)
    outcome = arrive(Request(str(tmp_path / "world"), ask=False), Job())
    assert isinstance(outcome, Arrival)
    outcome.close()


def test_a_required_database_that_is_not_a_file_is_refused(odd: Path, tmp_path: Path) -> None:
    built(two_rooms).write(tmp_path / "world")
    (tmp_path / "world" / "client_cell_1.dat").unlink()
    (tmp_path / "world" / "client_cell_1.dat").symlink_to(odd)
    with pytest.raises(WorldError, match="not a file"):
        open_world(tmp_path / "world")


def test_a_dump_that_is_not_a_file_is_skipped_with_a_fault(odd: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    (folder / "0xA9B40100.json").symlink_to(odd)
    with pytest.raises(WorldError, match="not a file"):
        open_world(folder)


@pytest.mark.parametrize("name", ["odd", "odd.json", "odd.cdrec", "odd.jsonl", "odd.dat", "odd.cellardoor"])
def test_a_path_given_by_hand_that_is_not_a_file_is_refused(odd: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "named" / name
    path.parent.mkdir()
    path.symlink_to(odd)
    with pytest.raises((WorldError, ProjectError)):
        arrive(Request(str(path), ask=False), Job())


def test_an_autosave_that_is_not_a_file_counts_as_damaged(odd: Path, tmp_path: Path) -> None:
    folder = tmp_path / "autosave"
    make_own_folder(folder)
    (folder / "0123.cellardoor").symlink_to(odd)
    found = list(find_left(folder))
    assert [type(each) for each in found] == [DamagedAutosave]
    assert not any(isinstance(each, AbandonedAutosave) for each in found)
    with pytest.raises(ProjectError, match="not a file"):
        load_project(odd)


@pytest.mark.parametrize(
    "words",
    [
        ["walk", "demo", "--start", "upstairs", "--script", "ODD"],
        ["replay", "ODD"],
        ["replay-capture", "demo", "ODD"],
        ["visible", "demo", "--cases", "ODD", "--out", "OUT"],
        ["conform", "ODD", "--golden", "ODD"],
        ["inspect", "ODD"],
    ],
    ids=lambda words: words[0],
)
def test_commands_refuse_a_pipe_or_device_in_one_line(
    odd: Path, tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    names = {"ODD": str(odd), "OUT": str(tmp_path / "out.json")}
    assert main([names.get(word, word) for word in words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "not a file" in said or "neither a file nor a folder" in said
