"""A project's claims about itself are believed among our own autosaves, and nowhere else."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from editor.document.document import Document
from editor.document.undo_stack import Step
from editor.project.autosave import AbandonedAutosave, Autosaver, find_left
from editor.project.open_project import ProjectKeeper
from editor.project.owned_files import is_own_file, is_own_folder, make_own_folder
from editor.project.project import SUFFIX, Project
from editor.project.project_file import save_project
from editor.session.background import Job
from editor.session.loading import Arrival, Request, arrive
from editor.session.session import Session
from engine.files.reading import open_regular
from engine.sim.edits.world import SetTimeOfDay
from tests.sim.helpers.small_worlds import built, two_rooms

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no owners and permissions of this kind")

NOBODY: Final = 65534

TARGETS: Final = (
    ".bashrc",
    ".profile",
    ".ssh/authorized_keys",
    ".config/autostart/start.desktop",
    "another.cellardoor",
    "house/entities.json",
    "not there yet",
    "/etc/profile",
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    built(two_rooms).write(tmp_path / "house")
    for name in TARGETS:
        target = tmp_path / name
        if not target.is_relative_to(tmp_path) or name == "not there yet":
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.write_text(f"what is in {name}\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def autosaves(tmp_path: Path) -> Path:
    folder = tmp_path / "state" / "autosave"
    make_own_folder(folder)
    return folder


def mailed(path: Path, target: str, source: Path) -> Path:
    step = Step("Face $(touch ~/PWNED)", (SetTimeOfDay(0.25),), (SetTimeOfDay(0.5),))
    save_project(Project(str(source), "house", steps=(step,), unsaved=1, file=target), path, private=True)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def opened(path: Path, autosaves: Path | None) -> ProjectKeeper:
    """In a document of its own, at once."""
    document = Document(Session())
    keeper = ProjectKeeper(document)
    outcome = arrive(Request(str(path), ask=False, autosaves=autosaves), Job())
    assert isinstance(outcome, Arrival)
    document.session._take(outcome)
    return keeper


@pytest.mark.parametrize("target", TARGETS)
def test_a_project_that_claims_to_be_an_autosave_has_no_file_of_its_own(
    home: Path, autosaves: Path, target: str
) -> None:
    path = mailed(home / "mailed.cellardoor", str(home / target), home / "house")
    profile = Path("/etc/profile").read_bytes() if Path("/etc/profile").exists() else b""
    before = contents(home)
    keeper = opened(path, autosaves)
    assert keeper.path is None
    assert keeper.is_dirty
    assert keeper.session.request is not None
    assert keeper.session.request.source == str(path)
    assert contents(home) == before
    assert (Path("/etc/profile").read_bytes() if Path("/etc/profile").exists() else b"") == profile


def test_a_project_that_is_no_autosave_is_saved_into_its_own_file(home: Path, autosaves: Path) -> None:
    path = home / "mailed.cellardoor"
    save_project(Project(str(home / "house"), "house", file=str(home / ".bashrc")), path)
    assert opened(path, autosaves).path == path


def test_an_autosave_of_ours_knows_its_file(home: Path, autosaves: Path) -> None:
    path = mailed(autosaves / f"0123{SUFFIX}", str(home / "mine.cellardoor"), home / "house")
    assert opened(path, autosaves).path == home / "mine.cellardoor"
    copy = home / f"copy{SUFFIX}"
    copy.write_bytes(path.read_bytes())
    assert opened(copy, autosaves).path is None
    (left,) = find_left(autosaves)
    assert isinstance(left, AbandonedAutosave)
    assert left.path == path


@pytest.mark.parametrize("name", ["mine.cellardoor", "../mine.cellardoor", ""])
def test_a_name_without_a_folder_is_no_file_to_save_in(home: Path, autosaves: Path, name: str) -> None:
    path = mailed(autosaves / f"0123{SUFFIX}", name, home / "house")
    assert opened(path, autosaves).path is None


# --- whose a file is


def links(folder: Path, autosaves: Path) -> Iterator[tuple[str, Path]]:
    """Files elsewhere that look as if they lay among the autosaves."""
    elsewhere = mailed(folder / "elsewhere.cellardoor", "/x", folder)
    (autosaves / f"link{SUFFIX}").symlink_to(elsewhere)
    yield "a link among the autosaves", autosaves / f"link{SUFFIX}"
    (autosaves / "folder").mkdir()
    yield "a folder among them", mailed(autosaves / "folder" / f"a{SUFFIX}", "/x", folder)
    yield "another folder by way of theirs", autosaves / ".." / ".." / "elsewhere.cellardoor"
    (folder / "way").symlink_to(autosaves)
    mailed(autosaves / f"real{SUFFIX}", "/x", folder)
    yield "a link to their folder", folder / "way" / f"real{SUFFIX}"


def test_neither_links_nor_ways_around_make_a_file_ours(home: Path, autosaves: Path) -> None:
    for said, path in links(home, autosaves):
        assert path.exists(), said
        assert not is_own_file(open_regular(path), autosaves), said
    assert is_own_file(open_regular(autosaves / f"real{SUFFIX}"), autosaves)
    assert not is_own_folder(home / "way")


def test_a_file_that_took_the_place_of_the_one_that_was_read_is_not_believed(home: Path, autosaves: Path) -> None:
    path = mailed(autosaves / f"0123{SUFFIX}", "/x", home)
    file = open_regular(path)
    path.unlink()
    mailed(path, "/y", home)
    assert not is_own_file(file, autosaves)


def test_what_others_can_write_is_not_ours(home: Path, autosaves: Path) -> None:
    path = mailed(autosaves / f"0123{SUFFIX}", "/x", home)
    path.chmod(0o666)
    assert not is_own_file(open_regular(path), autosaves)
    path.chmod(0o600)
    autosaves.chmod(0o777)
    assert not is_own_file(open_regular(path), autosaves)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can give files to others")
def test_what_belongs_to_somebody_else_is_not_ours(home: Path, autosaves: Path) -> None:
    path = mailed(autosaves / f"0123{SUFFIX}", "/x", home)
    os.chown(path, NOBODY, NOBODY)
    assert not is_own_file(open_regular(path), autosaves)
    assert list(find_left(autosaves)) == []
    os.chown(path, 0, 0)
    os.chown(autosaves, NOBODY, NOBODY)
    assert not is_own_file(open_regular(path), autosaves)
    assert list(find_left(autosaves)) == []
    with pytest.raises(PermissionError):
        make_own_folder(autosaves)


# --- who may read them


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_autosaves_are_for_their_owner_alone(home: Path, tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        keeper = opened(home / "house", None)
        saver = Autosaver(keeper, tmp_path / "new" / "autosave")
        keeper.document.edit("Noon", SetTimeOfDay(0.25))
        assert saver.save_now() == ""
    finally:
        os.umask(before)
    assert saver.place is not None
    assert mode(saver.place.path) == 0o600
    assert mode(saver.folder) == 0o700


def test_what_an_earlier_version_left_readable_is_closed(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "old" / "autosave"
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    files = [mailed(folder / f"a{SUFFIX}", "/x", home), folder / f"b{SUFFIX}.damaged"]
    files[1].write_bytes(b"edits")
    outside = home / "outside"
    outside.write_bytes(b"")
    (folder / "link").symlink_to(outside)
    for file in (*files, outside):
        file.chmod(0o644)
    Autosaver(opened(home / "house", None), folder)
    assert [mode(path) for path in (folder, *files)] == [0o700, 0o600, 0o600]
    assert mode(outside) == 0o644
