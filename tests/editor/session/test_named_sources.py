"""What a file names is read without a question where the user has named it too, or where it lies with the file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from cellar_door.main import main
from editor.project.project import Project
from editor.project.project_file import project_bytes
from editor.session.background import Job
from editor.session.loading import Arrival, Request, WorldQuestion, arrive
from editor.session.named_sources import is_named, lies_in, whole_name
from engine.sim.recording import Recorder
from engine.sim.recording_file import save_recording
from tests.sim.helpers.small_worlds import built, simulate, two_rooms

ROOT: Final = Path(__file__).resolve().parents[3]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a world, as an archive brings it; another world lies beside that folder."""
    folder = tmp_path / "archive"
    built(two_rooms).write(folder / "world")
    built(two_rooms).write(tmp_path / "private")
    return folder


def project(path: Path, source: str, within: str = "") -> Path:
    """With these very words in it, not with those that saving would find."""
    path.write_bytes(project_bytes(Project(source, "house", within=within)))
    return path


def recording(path: Path, source: Path | str) -> Path:
    sim = simulate(built(two_rooms))
    recorder = Recorder(sim, str(source))
    sim.tick()
    save_recording(recorder.stop(), path)
    return path


def asked_about(request: Request) -> str:
    """The place that is asked about; nothing when the file opens at once."""
    outcome = arrive(request, Job())
    said = outcome.said if isinstance(outcome, WorldQuestion) else ""
    outcome.close()
    return said


def test_a_world_that_lies_with_its_project_needs_no_question(files: Path) -> None:
    assert asked_about(Request(str(project(files / "a.cellardoor", str(files / "world"))))) == ""
    assert asked_about(Request(str(recording(files / "a.cdrec", files / "world")))) == ""


@pytest.mark.parametrize("kind", ["project", "recording", "within"])
def test_a_world_elsewhere_is_asked_about_once_and_then_known(files: Path, kind: str) -> None:
    private = files.parent / "private"
    if kind == "project":
        path = project(files / "a.cellardoor", str(private))
    elif kind == "recording":
        path = recording(files / "a.cdrec", private)
    else:
        inner = recording(files / "a.cdrec", private)
        path = project(files / "a.cellardoor", str(inner))
    question = arrive(Request(str(path)), Job())
    assert isinstance(question, WorldQuestion)
    assert question.said == str(private)
    said = f"says that its world is {private}, which you have never opened here."
    assert question.failure.sentence == f"{'a.cdrec' if kind == 'within' else path.name} {said}"
    outcome = arrive(question.agree(), Job())
    assert isinstance(outcome, Arrival)
    assert outcome.project is None or not outcome.project.is_elsewhere
    outcome.close()
    assert asked_about(Request(str(path), named=frozenset({whole_name(str(private))}))) == ""


def test_where_the_world_of_a_recording_is_may_not_be_smuggled_in_by_a_project(files: Path) -> None:
    private = files.parent / "private"
    recording(files / "a.cdrec", files / "world")
    path = project(files / "a.cellardoor", str(files / "a.cdrec"), str(private))
    assert asked_about(Request(str(path))) == str(private)
    assert asked_about(Request(str(path), world=str(files / "a.cdrec"))) == str(private)


@pytest.mark.parametrize(
    "source",
    ["/dev/zero", "/proc/self/mem", "//server/share/world", "/net/server/world", "../private", "../../etc/passwd"],
)
def test_devices_networks_and_ways_out_are_asked_about(files: Path, source: str) -> None:
    path = project(files / "a.cellardoor", source)
    assert asked_about(Request(str(path))) == os.path.normpath(files / source)


AUDITED: Final = """
import sys
from editor.session.loading import Request, WorldQuestion, arrive
from editor.session.background import Job
touched = []
def hook(event, args):
    if event in ("open", "os.listdir", "os.scandir") and str(args[0]).startswith(sys.argv[2]):
        touched.append((event, args[0]))
sys.addaudithook(hook)
assert isinstance(arrive(Request(sys.argv[1]), Job()), WorldQuestion)
assert not touched, touched
"""


def test_nothing_is_read_where_the_user_has_not_been_asked(files: Path) -> None:
    private = files.parent / "private"
    for path in (project(files / "a.cellardoor", str(private)), recording(files / "a.cdrec", private)):
        command = [sys.executable, "-W", "ignore", "-c", AUDITED, str(path), str(private)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_outside_of_its_own_folder_nothing_is_even_looked_at(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    lstat = os.lstat

    def watched(path: str) -> os.stat_result:
        looked.append(path)
        return lstat(path)

    monkeypatch.setattr(os, "lstat", watched)
    assert not lies_in(str(files.parent / "private"), files)
    assert not lies_in("//server/share", files)
    assert looked == []
    assert lies_in(str(files / "world"), files)
    assert looked == [str(files / "world")]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_do_not_lead_out_of_the_folder(files: Path) -> None:
    (files / "link").symlink_to(files.parent / "private")
    (files / "up").symlink_to("..")
    for name in ("link", "up/private", "up/archive/world", "world/../../private"):
        assert not is_named(str(files / name), frozenset(), files), name
    for name in ("world", "./world/../world", "nothing here", ""):
        assert is_named(str(files / name), frozenset(), files), name


def test_a_name_that_no_file_can_have_is_no_question(files: Path) -> None:
    assert is_named(str(files / "a\0b"), frozenset(), files)


def test_replay_in_a_terminal_reads_no_world_elsewhere_unless_it_is_named(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    private = files.parent / "private"
    path = recording(files / "a.cdrec", private)
    assert main(["replay", str(path)]) == 2
    said = capsys.readouterr().err
    assert f"says that its world is {private}, which does not lie with it; name it with --source" in said
    assert main(["replay", str(path), "--source", str(private)]) == 0
