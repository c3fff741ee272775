"""Opening a project: its world, its edits, and the reason when that fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from editor.authoring.cell_edits import room_of, set_stab_list
from editor.authoring.static_edits import add_static, remove_thing
from editor.document.document import Document
from editor.export.recordings import recording_of
from editor.project.open_project import ProjectKeeper
from editor.project.project import ProjectError
from editor.project.project_file import load_project, save_project
from editor.session.background import Job
from editor.session.loading import Arrival, Request, WorldQuestion, arrive
from editor.session.session import Session
from editor.session.sources import Content, look_at
from engine.geometry.frame import Frame
from engine.sim.edits.doors import LockDoor, OpenDoor, UseDoor
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.recording_file import save_recording
from engine.sim.tick.controls import Controls
from engine.world.loader.names_file import write_names
from engine.world.names import NameKey
from tests.editor.project.project_worlds import differences
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.sim.helpers.small_worlds import house as house_on_land


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    built(two_rooms).write(folder)
    return folder


def open_in(session: Session, source: Path) -> Arrival:
    """Open at once, without a thread."""
    outcome = arrive(Request(str(source), ask=False), Job())
    assert isinstance(outcome, Arrival)
    session._take(outcome)
    return outcome


@pytest.fixture
def document(house: Path) -> Document:
    document = Document(Session())
    open_in(document.session, house)
    return document


@pytest.fixture
def keeper(document: Document) -> ProjectKeeper:
    made = ProjectKeeper(document)
    made._on_started()
    return made


def door_of(document: Document) -> int:
    return document.sim.population.doors[0].id


def test_a_saved_project_opens_in_its_world_with_its_edits(keeper: ProjectKeeper, tmp_path: Path) -> None:
    document = keeper.document
    document.edit("Open the door", OpenDoor(door_of(document)))
    assert keeper.unsaved == 1
    keeper.save(tmp_path / "mine.cellardoor")
    assert not keeper.is_dirty
    assert load_project(tmp_path / "mine.cellardoor").source == "house"
    other = Document(Session())
    second = ProjectKeeper(other)
    open_in(other.session, tmp_path / "mine.cellardoor")
    assert other.stack.undo_text() == "Open the door"
    assert other.sim.population.door(door_of(other)).is_open
    assert second.path == tmp_path / "mine.cellardoor"
    assert second.name == "mine"
    assert not second.is_dirty
    second.save(tmp_path / "mine.cellardoor")
    assert load_project(tmp_path / "mine.cellardoor").source == "house"


def test_what_is_recorded_after_a_project_was_opened_can_be_shown_again(keeper: ProjectKeeper, tmp_path: Path) -> None:
    keeper.document.edit("Open the door", OpenDoor(door_of(keeper.document)))
    keeper.save(tmp_path / "mine.cellardoor")
    other = Document(Session())
    open_in(other.session, tmp_path / "mine.cellardoor")
    before = other.sim.state_hash()
    other.tick_many(70)
    assert other.go_to(0)
    assert other.sim.state_hash() == before


def test_a_project_can_go_on_from_the_end_of_a_recording(keeper: ProjectKeeper, tmp_path: Path, house: Path) -> None:
    """Of a recording whose world is somewhere else now, too."""
    document = keeper.document
    document.edit("Use the door", UseDoor(door_of(document), 0))
    document.tick_many(60, Controls(forward=1.0))
    recording, landblocks = recording_of(document)
    recording.know_world(document.sim.world, landblocks)
    save_recording(recording, tmp_path / "walk.cdrec")
    house.rename(tmp_path / "moved")
    first = Document(Session())
    second = ProjectKeeper(first)
    outcome = arrive(Request(str(tmp_path / "walk.cdrec"), world=str(tmp_path / "moved"), ask=False), Job())
    assert isinstance(outcome, Arrival)
    first.session._take(outcome)
    assert first.sim.population.doors[0].is_open
    first.edit("Lock the door", LockDoor(door_of(first), True))
    second.save(tmp_path / "mine.cellardoor")
    kept = load_project(tmp_path / "mine.cellardoor")
    assert (kept.source, kept.within) == ("walk.cdrec", "moved")
    again = Document(Session())
    open_in(again.session, tmp_path / "mine.cellardoor")
    assert differences(first.sim, again.sim) == []
    assert again.sim.population.doors[0].is_open
    assert [step.name for step in again.done_steps()] == ["Lock the door"]
    again.tick_many(20)
    assert again.go_to(60)


def test_a_room_that_a_recording_edits_later_is_as_it_was_where_time_goes_on(
    keeper: ProjectKeeper, tmp_path: Path
) -> None:
    document = keeper.document
    hall = built(two_rooms).cell_id("hall")
    document.tick_many(3)
    document.edit("Empty Stab List", *set_stab_list(document.sim, hall, []))
    document.edit(
        "Add", *add_static(document.sim, hall, document.sim.population.doors[0].setup.id, Frame((2.0, 2.0, 0.0)))
    )
    document.tick_many(3)
    recording, landblocks = recording_of(document)
    recording.know_world(document.sim.world, landblocks)
    save_recording(recording, tmp_path / "walk.cdrec")
    first = Document(Session())
    second = ProjectKeeper(first)
    open_in(first.session, tmp_path / "walk.cdrec")
    first.go_to(2)
    first.continue_here()
    seen = room_of(first.sim, hall).stab_list
    assert seen
    second.save(tmp_path / "mine.cellardoor")
    again = Document(Session())
    open_in(again.session, tmp_path / "mine.cellardoor")
    assert room_of(again.sim, hall).stab_list == seen
    assert not room_of(again.sim, hall).static_objects
    assert set(again.sim.population.registry.entities) == set(first.sim.population.registry.entities)


def test_a_thing_that_a_recording_takes_away_later_is_there_where_time_goes_on(tmp_path: Path) -> None:
    built(house_on_land).write(tmp_path / "outdoors")
    document = Document(Session())
    open_in(document.session, tmp_path / "outdoors")
    (crate,) = document.sim.population.statics.things
    document.tick()
    document.edit("Delete", *remove_thing(document.sim, crate))
    document.tick()
    recording, landblocks = recording_of(document)
    recording.know_world(document.sim.world, landblocks)
    save_recording(recording, tmp_path / "walk.cdrec")
    first = Document(Session())
    keeper = ProjectKeeper(first)
    open_in(first.session, tmp_path / "walk.cdrec")
    assert crate not in first.sim.population.statics.things
    first.go_to(1)
    first.continue_here()
    keeper.save(tmp_path / "mine.cellardoor")
    again = Document(Session())
    open_in(again.session, tmp_path / "mine.cellardoor")
    assert again.sim.population.statics.things.keys() == {crate}
    assert differences(first.sim, again.sim) == []


def test_a_project_is_known_by_its_content_whatever_it_is_called(keeper: ProjectKeeper, tmp_path: Path) -> None:
    keeper.save(tmp_path / "renamed.json")
    assert look_at(str(tmp_path / "renamed.json")).content is Content.PROJECT
    (tmp_path / "other.cellardoor").write_text("hello")
    with pytest.raises(ProjectError, match="is not a project file"):
        arrive(Request(str(tmp_path / "other.cellardoor")), Job())


def test_a_project_without_its_world_names_the_place_and_opens_elsewhere(
    keeper: ProjectKeeper, document: Document, tmp_path: Path, house: Path
) -> None:
    document.edit("Lock", LockDoor(door_of(document), True))
    path = tmp_path / "mine.cellardoor"
    keeper.save(path)
    moved = tmp_path / "moved"
    house.rename(moved)
    question = arrive(Request(str(path)), Job())
    assert isinstance(question, WorldQuestion)
    assert question.failure.sentence.startswith("mine.cellardoor cannot be opened: its world cannot be opened")
    assert question.failure.sentence.endswith(f"it should be at {house}")
    again = Document(Session())
    kept = ProjectKeeper(again)
    outcome = arrive(question.answer(str(moved)), Job())
    assert isinstance(outcome, Arrival)
    again.session._take(outcome)
    assert again.sim.population.door(door_of(again)).locked
    dirty = [kept.is_dirty]
    kept.save(path)
    assert [*dirty, kept.is_dirty] == [True, False], "its file did not know yet where its world is"
    assert load_project(path).source == "moved"


def test_a_project_of_a_project_is_refused(keeper: ProjectKeeper, tmp_path: Path) -> None:
    path = tmp_path / "mine.cellardoor"
    keeper.save(path)
    save_project(replace(load_project(path), source=str(path)), path)
    with pytest.raises(ProjectError, match="is a project"):
        arrive(Request(str(path)), Job())


def test_a_world_that_has_changed_is_told_when_the_project_is_opened(
    keeper: ProjectKeeper, tmp_path: Path, house: Path
) -> None:
    door = door_of(keeper.document)
    keeper.document.edit("Open the door", OpenDoor(door))
    keeper.document.edit("Smaller", SetPlayerNumber("height", 1.2))
    keeper.save(tmp_path / "mine.cellardoor")
    (house / "entities.json").unlink()
    outcome = arrive(Request(str(tmp_path / "mine.cellardoor")), Job())
    assert isinstance(outcome, Arrival)
    assert outcome.project is not None
    assert outcome.project.differing == ["entities"]
    assert [step.name for step in outcome.project.steps] == ["Smaller"]
    assert "1 of its 2 edits could not be restored" in outcome.project.sentence


def test_a_failed_save_keeps_the_edits_unsaved_and_the_old_file(keeper: ProjectKeeper, tmp_path: Path) -> None:
    document = keeper.document
    document.edit("Open the door", OpenDoor(door_of(document)))
    keeper.save(tmp_path / "mine.cellardoor")
    document.edit("Smaller", SetPlayerNumber("height", 1.2))
    with pytest.raises(ProjectError, match="there is no folder"):
        keeper.save(tmp_path / "gone" / "mine.cellardoor")
    assert keeper.is_dirty
    assert keeper.path == tmp_path / "mine.cellardoor"


def test_a_project_is_not_saved_over_its_world(keeper: ProjectKeeper, house: Path) -> None:
    before = {path: path.read_bytes() for path in house.iterdir()}
    for name in ("client_cell_1.dat", "entities.json"):
        with pytest.raises(ProjectError, match="one of the files that are read"):
            keeper.save(house / name)
    assert {path: path.read_bytes() for path in house.iterdir()} == before
    keeper.save(house / "mine.cellardoor")
    open_in(keeper.session, house / "mine.cellardoor")
    keeper.save(house / "mine.cellardoor")


def test_a_project_is_not_saved_over_the_recording_that_it_goes_on_from(keeper: ProjectKeeper, tmp_path: Path) -> None:
    keeper.document.tick_many(1)
    recording, landblocks = recording_of(keeper.document)
    recording.know_world(keeper.document.sim.world, landblocks)
    path = tmp_path / "run.cdrec"
    save_recording(recording, path)
    before = path.read_bytes()
    for opened in (path, tmp_path / "mine.cellardoor"):
        open_in(keeper.session, opened)
        with pytest.raises(ProjectError, match="one of the files that are read"):
            keeper.save(path)
        keeper.save(tmp_path / "mine.cellardoor")
    assert path.read_bytes() == before


def test_undo_back_to_what_was_saved_is_nothing_unsaved(keeper: ProjectKeeper, tmp_path: Path) -> None:
    document = keeper.document
    document.edit("Open the door", OpenDoor(door_of(document)))
    keeper.save(tmp_path / "mine.cellardoor")
    document.edit("Smaller", SetPlayerNumber("height", 1.2))
    document.tick_many(5)
    assert (keeper.is_dirty, keeper.unsaved) == (True, 1)
    document.undo()
    assert not keeper.is_dirty
    document.undo()
    assert (keeper.is_dirty, keeper.unsaved) == (True, 1)


def test_time_alone_is_nothing_to_save(keeper: ProjectKeeper) -> None:
    keeper.document.tick_many(30)
    assert not keeper.is_dirty


def test_the_identity_has_the_landblocks_that_edits_touch(keeper: ProjectKeeper) -> None:
    project = keeper.identified(keeper.project())
    assert sorted(project.identity) == ["0x0007FFFF", "entities", "player"]


def test_names_are_kept_in_the_project_with_their_steps(keeper: ProjectKeeper, tmp_path: Path) -> None:
    hall = NameKey.cell(0x00070100)
    keeper.document.rename("Rename Hall", {hall: "Great hall"})
    assert keeper.is_dirty
    keeper.save(tmp_path / "mine.cellardoor")
    document = Document(Session())
    open_in(document.session, tmp_path / "mine.cellardoor")
    assert document.world is not None
    assert document.world.names.get(hall) == "Great hall"
    document.undo()
    assert document.world.names.get(hall) == ""
    document.redo()
    assert document.world.names.get(hall) == "Great hall"


def test_a_name_of_the_world_that_was_taken_away_stays_away(house: Path, tmp_path: Path) -> None:
    hall = NameKey.cell(0x00070100)
    write_names(house / "names.json", "house", {hall: "Hall"})
    document = Document(Session())
    keeper = ProjectKeeper(document)
    open_in(document.session, house)
    document.rename("Rename Hall", {hall: ""})
    keeper.save(tmp_path / "mine.cellardoor")
    again = Document(Session())
    open_in(again.session, tmp_path / "mine.cellardoor")
    assert again.world is not None
    assert (again.world.names.get(hall), again.world.names.given(hall)) == ("", "Hall")
