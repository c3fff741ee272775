"""Recordings and projects carry where the server data of their world was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cellar_door.main import ERROR, main
from editor.document.document import Document
from editor.export.recordings import recording_of
from editor.project.open_project import ProjectKeeper
from editor.project.project import Project
from editor.project.project_file import load_project, parse_project, project_bytes, save_project
from editor.session.background import Job
from editor.session.loading import Arrival, Outcome, Request, arrive
from editor.session.named_sources import whole_name
from editor.session.server_choice import ANY_WORLD, ServerChoice
from editor.session.server_question import BesideQuestion, ServerDataQuestion
from editor.session.session import Session
from engine.sim.edits.doors import LockDoor
from engine.sim.recording_file import load_recording, save_recording
from engine.world.faults import WorldError
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.server import model
from engine.world.server.place import ServerPlace
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.world.server.furnished import Place

Made = tuple[Place, Path]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A world whose door is in server data alone, in another folder."""
    place = Place(built(two_rooms), tmp_path / "servers" / "base")
    place.made.write(tmp_path / "files" / "world")
    write_entities(tmp_path / "files" / "world" / FILE_NAME, [])
    place.weenie(412, model.DOOR, "Server Door", int={93: 8}, float={11: 2})
    place.instances(place.here(0, 412))
    return place


@pytest.fixture
def files(place: Place, tmp_path: Path) -> Path:
    return tmp_path / "files"


@pytest.fixture
def document(place: Place, files: Path) -> Document:
    document = Document(Session())
    taken(document, arrive(opening(place, files), Job()))
    return document


def opening(place: Place, files: Path) -> Request:
    choice = ServerChoice((str(place.folder),), ("hooks",))
    return Request(str(files / "world"), servers={ANY_WORLD: choice})


def taken(document: Document, outcome: Outcome) -> None:
    assert isinstance(outcome, Arrival)
    document.session._take(outcome)


def recorded(document: Document, path: Path) -> Path:
    for _ in range(3):
        document.tick()
    recording, landblocks = recording_of(document)
    assert document.session.world is not None
    recording.know_world(document.session.world, landblocks)
    save_recording(recording, path)
    return path


def names(outcome: Outcome) -> list[str]:
    assert isinstance(outcome, Arrival)
    found = [entity.name for entity in outcome.sim.population.ordered]
    outcome.close()
    return found


def test_a_recording_says_where_its_server_data_was(document: Document, place: Place, files: Path) -> None:
    path = recorded(document, files / "walk.cdrec")
    assert load_recording(path).server == ServerPlace((str(place.folder),), ("hooks",))


def test_a_stranger_s_recording_asks_before_server_data_is_read(
    document: Document, place: Place, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recorded(document, files / "walk.cdrec")
    looked: list[object] = []
    monkeypatch.setattr("engine.world.server.attach.open_layers", lambda *given: looked.append(given))
    question = arrive(Request(str(path)), Job())
    assert isinstance(question, ServerDataQuestion)
    assert question.said == (str(place.folder),)
    assert "says that its server data is" in question.failure.sentence
    assert looked == []
    monkeypatch.undo()
    outcome = arrive(question.agree(), Job())
    assert isinstance(outcome, Arrival)
    assert outcome.run is not None
    assert outcome.run.divergence is None
    assert names(outcome) == ["Server Door"]


def test_a_recording_asks_for_server_data_that_has_moved(document: Document, place: Place, files: Path) -> None:
    path = recorded(document, files / "walk.cdrec")
    moved = place.folder.rename(place.folder.parent / "moved")
    known = frozenset({whole_name(str(place.folder))})
    question = arrive(Request(str(path), named=known), Job())
    assert isinstance(question, ServerDataQuestion)
    assert (question.said, question.also) == ((), ("hooks",))
    assert "cannot be opened" in question.failure.sentence
    assert names(arrive(question.answer(str(moved)), Job())) == ["Server Door"]
    again = arrive(question.answer(), Job())
    assert isinstance(again, ServerDataQuestion), "without it the recording would diverge"
    assert "is not what it was recorded with" in again.failure.sentence


def test_a_recording_without_server_data_opens_without_it(place: Place, files: Path) -> None:
    document = Document(Session())
    taken(document, arrive(Request(str(files / "world")), Job()))
    path = recorded(document, files / "walk.cdrec")
    remembered = {whole_name(str(files / "world")): ServerChoice((str(place.folder),), remembered=True)}
    assert load_recording(path).server == ServerPlace()
    assert names(arrive(Request(str(path), servers=remembered), Job())) == []


def test_an_older_recording_opens_with_what_is_remembered(document: Document, place: Place, files: Path) -> None:
    path = recorded(document, files / "walk.cdrec")
    recording = load_recording(path)
    recording.server = None
    save_recording(recording, path)
    assert load_recording(path).server is None
    remembered = {whole_name(str(files / "world")): ServerChoice((str(place.folder),), ("hooks",), remembered=True)}
    assert names(arrive(Request(str(path), servers=remembered), Job())) == ["Server Door"]


def test_replay_uses_server_data_beside_the_recording_alone(
    document: Document, place: Place, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded(document, files / "walk.cdrec")
    assert main(["replay", str(path)]) == ERROR
    assert "which is not beside it; name it with --server-data" in capsys.readouterr().err
    assert main(["replay", str(path), "--server-data", str(place.folder), "--server-also", "hooks"]) == 0
    recording = load_recording(path)
    recording.server = ServerPlace((str(place.folder.rename(files / "base")),), ("hooks",))
    save_recording(recording, path)
    assert main(["replay", str(path)]) == 0


# --- projects


def test_a_project_carries_its_server_data_beside_it(document: Document, place: Place, files: Path) -> None:
    keeper = ProjectKeeper(document)
    door = document.sim.population.doors[0]
    document.edit("Lock", LockDoor(door.id, True))
    keeper.save(files / "mine.cellardoor")
    project = load_project(files / "mine.cellardoor")
    assert project.server == ServerPlace(("../servers/base",), ("hooks",))
    known = frozenset({whole_name(str(place.folder))})
    outcome = arrive(Request(str(files / "mine.cellardoor"), named=known), Job())
    assert isinstance(outcome, Arrival)
    assert outcome.sim.population.door(door.id).locked
    assert outcome.project is not None
    assert not outcome.project.is_elsewhere
    again = Document(Session())
    taken(again, outcome)
    assert again.session.server == ServerChoice((str(place.folder),), ("hooks",))
    assert str(place.folder) in again.session.sources


def test_a_stranger_s_project_asks_before_server_data_is_read(document: Document, place: Place, files: Path) -> None:
    keeper = ProjectKeeper(document)
    document.edit("Lock", LockDoor(document.sim.population.doors[0].id, True))
    keeper.save(files / "mine.cellardoor")
    question = arrive(Request(str(files / "mine.cellardoor")), Job())
    assert isinstance(question, ServerDataQuestion)
    assert question.said == (str(place.folder),)
    assert names(arrive(question.agree(), Job())) == ["Server Door"]
    moved = place.folder.rename(place.folder.parent / "moved")
    outcome = arrive(question.answer(str(moved)), Job())
    assert isinstance(outcome, Arrival)
    assert outcome.project is not None
    assert outcome.project.is_elsewhere, "the project does not know yet where its server data is"
    outcome.close()


def test_a_project_of_a_recording_has_the_recording_s_server_data(
    document: Document, place: Place, files: Path
) -> None:
    recorded(document, files / "walk.cdrec")
    path = files / "mine.cellardoor"
    project = Project(str(files / "walk.cdrec"), "house")
    path.write_bytes(project_bytes(project))
    question = arrive(Request(str(path)), Job())
    assert isinstance(question, ServerDataQuestion)
    assert question.request.source == str(path)
    assert names(arrive(question.agree(), Job())) == ["Server Door"]
    path.write_bytes(project_bytes(replace(project, server=ServerPlace((str(place.folder),), ("hooks",)))))
    assert names(arrive(Request(str(path), named=frozenset({whole_name(str(place.folder))})), Job())) == ["Server Door"]


def test_an_autosave_names_its_server_data_in_full(tmp_path: Path) -> None:
    project = Project("demo", "demo", unsaved=1, server=ServerPlace(("base", "mysql://me:word@host/world")))
    save_project(project, tmp_path / "auto.cellardoor")
    kept = load_project(tmp_path / "auto.cellardoor").server
    assert kept == ServerPlace((str(Path("base").absolute()), "mysql://me@host/world"))


def test_a_project_with_a_broken_place_is_refused(tmp_path: Path) -> None:
    data = project_bytes(Project("demo", "demo", server=ServerPlace(("base",))))
    assert parse_project(data, "x").server == ServerPlace(("base",))
    assert parse_project(project_bytes(Project("demo", "demo")), "x").server is None
    assert json.dumps(["base"]).encode() in data


def test_a_url_is_never_beside_a_file(files: Path) -> None:
    path = files / "mine.cellardoor"
    path.write_bytes(project_bytes(Project("demo", "demo", server=ServerPlace(("mysql://host/world",)))))
    question = arrive(Request(str(path)), Job())
    assert isinstance(question, ServerDataQuestion)
    assert question.said == ("mysql://host/world",)


# --- server data opened as if it were a world


def test_server_data_offers_to_stand_in_the_open_world(place: Place) -> None:
    with pytest.raises(WorldError, match="is a folder of a server's SQL files, not a world; open a world first"):
        arrive(Request(str(place.folder)), Job())
    question = arrive(Request(str(place.folder), here=("demo", None)), Job())
    assert isinstance(question, BesideQuestion)
    assert "It can stand in the open one" in question.failure.sentence


def test_a_command_says_what_server_data_is_for(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (place.folder, next(place.folder.rglob("412.sql"))):
        assert main(["inspect", str(path)]) == ERROR
        assert "not a world; name it with --server-data beside one" in capsys.readouterr().err
