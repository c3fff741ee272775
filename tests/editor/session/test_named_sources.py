"""A source named by a file is read without a question if the user has named it too, or if it is beside the file."""

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
    """A folder with a world, as unpacked from an archive; another world is beside that folder."""
    folder = tmp_path / "archive"
    built(two_rooms).write(folder / "world")
    built(two_rooms).write(tmp_path / "private")
    return folder


def project(path: Path, source: str, within: str = "") -> Path:
    """A project with exactly these paths, not the ones that saving would write."""
    path.write_bytes(project_bytes(Project(source, "house", within=within)))
    return path


def recording(path: Path, source: Path | str) -> Path:
    sim = simulate(built(two_rooms))
    recorder = Recorder(sim, str(source))
    sim.tick()
    save_recording(recorder.stop(), path)
    return path


def asked_about(request: Request) -> str:
    """The place that the question is about; empty if the file opens at once."""
    outcome = arrive(request, Job())
    said = outcome.said if isinstance(outcome, WorldQuestion) else ""
    outcome.close()
    return said


def test_a_world_beside_its_project_opens_without_a_question(files: Path) -> None:
    assert asked_about(Request(str(project(files / "a.cellardoor", str(files / "world"))))) == ""
    assert asked_about(Request(str(recording(files / "a.cdrec", files / "world")))) == ""


@pytest.mark.parametrize("kind", ["project", "recording", "within"])
def test_a_world_elsewhere_raises_a_question_only_once(files: Path, kind: str) -> None:
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
    said = f"says that its world is {private}, which has never been opened here."
    assert question.failure.sentence == f"{'a.cdrec' if kind == 'within' else path.name} {said}"
    outcome = arrive(question.agree(), Job())
    assert isinstance(outcome, Arrival)
    assert outcome.project is None or not outcome.project.is_elsewhere
    outcome.close()
    assert asked_about(Request(str(path), named=frozenset({whole_name(str(private))}))) == ""


def test_a_project_cannot_smuggle_in_the_world_of_a_recording(files: Path) -> None:
    private = files.parent / "private"
    recording(files / "a.cdrec", files / "world")
    path = project(files / "a.cellardoor", str(files / "a.cdrec"), str(private))
    assert asked_about(Request(str(path))) == str(private)
    assert asked_about(Request(str(path), world=str(files / "a.cdrec"))) == str(private)


@pytest.mark.parametrize(
    "source",
    ["/dev/zero", "/proc/self/mem", "//server/share/world", "/net/server/world", "../private", "../../etc/passwd"],
)
def test_devices_network_paths_and_escaping_paths_raise_a_question(files: Path, source: str) -> None:
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


def test_nothing_is_read_from_an_unconfirmed_place(files: Path) -> None:
    private = files.parent / "private"
    for path in (project(files / "a.cellardoor", str(private)), recording(files / "a.cdrec", private)):
        command = [sys.executable, "-W", "ignore", "-c", AUDITED, str(path), str(private)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_no_path_outside_of_the_folder_is_accessed(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_an_impossible_file_name_raises_no_question(files: Path) -> None:
    assert is_named(str(files / "a\0b"), frozenset(), files)


def test_the_replay_command_reads_a_world_elsewhere_only_if_named(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    private = files.parent / "private"
    path = recording(files / "a.cdrec", private)
    assert main(["replay", str(path)]) == 2
    said = capsys.readouterr().err
    assert f"says that its world is {private}, which is not beside it; name it with --source" in said
    assert main(["replay", str(path), "--source", str(private)]) == 0
