"""Kept walks in an open document: run again between events on the terms of the edits since, and told."""

from __future__ import annotations

from io import StringIO

import pytest
from pytestqt.qtbot import QtBot

from editor.document.document import Document
from editor.document.undo_stack import Step
from editor.models.walks.kept import KeptWalks
from editor.models.walks.terms import steps_since
from editor.models.walks.watch import WalkWatch
from engine.build.built import BuiltWorld
from engine.sim.captures.writer import CaptureWriter
from engine.sim.edits.doors import LockDoor, OpenDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import SetVelocity
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule
from engine.sim.recording import Recording
from engine.sim.recording_file import recording_bytes
from engine.sim.tick.controls import Controls
from engine.sim.walks.outcome import Verdict
from engine.sim.world_identity import world_identity
from engine.world.cells.objects import static_object_id
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, furnished


def world() -> BuiltWorld:
    return built(furnished)


ROOM = world().cell_id("room")


def crate_to(x: float, y: float) -> Edit:
    return PlaceEntity(static_object_id(ROOM, 0), ROOM, x, y, 0.0, 1.0, 0.0, 0.0, 0.0)


class Desk:
    """A document with kept walks, whose player walks into the crate at the room's centre."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.document: Document = document_of(world(), "room")
        self.kept = KeptWalks(self.document)
        self.watch = WalkWatch(self.kept)
        self.told: list[str] = []
        self.watch.accepted.connect(self.told.append)
        self.watch.refused.connect(self.told.append)
        self.document.started.emit()
        self.document.edit("Stand There", Teleport(ROOM, 5.0, 1.0, 0.0, 0.0))

    def walk(self, ticks: int = 60) -> None:
        self.document.tick_many(ticks, FORWARD)

    def keep(self, name: str = "into the crate") -> None:
        assert self.document.history is not None
        recording, landblocks = self.document.history.kept()
        recording.know_world(self.document.sim.world, landblocks)
        assert self.kept.add(name, recording_bytes(recording), self.document.done_steps()) == ""
        self.settle()

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.watch.is_working, timeout=20_000)

    def edit(self, title: str, *edits: Edit) -> None:
        assert self.document.edit(title, *edits), title
        self.settle()

    @property
    def verdicts(self) -> list[Verdict | None]:
        return [None if entry.outcome is None else entry.outcome.verdict for entry in self.kept.entries]

    def goes_as_before(self) -> bool:
        return self.verdicts == [Verdict.AS_BEFORE] * len(self.kept.entries)


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


def test_a_walk_goes_as_before_until_an_edit_is_in_its_way(desk: Desk) -> None:
    desk.walk()
    desk.keep()
    assert desk.goes_as_before()
    assert desk.watch.text == "1 walk goes as before"
    desk.edit("Move Crate", crate_to(1.5, 1.5))
    (entry,) = desk.kept.otherwise
    assert entry.sentence.startswith("Walk ‘into the crate’ goes otherwise from tick ")
    assert desk.watch.text == "1 walk goes otherwise"
    desk.document.undo()
    desk.settle()
    assert desk.goes_as_before()
    desk.document.redo()
    desk.settle()
    assert not desk.goes_as_before()
    desk.edit("Move Crate Back", crate_to(5.0, 5.0))
    assert desk.goes_as_before()


def test_an_edit_of_the_walk_itself_that_is_undone_is_missed(desk: Desk) -> None:
    """The crate was moved on the way, by a step that the project then has no more."""
    desk.walk(10)
    desk.edit("Move Crate", crate_to(1.5, 1.5))
    desk.walk(50)
    desk.keep("past the crate")
    assert desk.goes_as_before()
    desk.document.undo()
    desk.settle()
    assert not desk.goes_as_before()
    desk.document.redo()
    desk.settle()
    assert desk.goes_as_before()


def test_an_edit_made_before_the_first_tick_is_taken_back_too(desk: Desk) -> None:
    desk.edit("Move Crate", crate_to(1.5, 1.5))
    desk.walk()
    desk.keep("past the crate")
    desk.document.undo()
    desk.settle()
    assert not desk.goes_as_before()


def test_where_the_player_is_put_afterwards_does_not_matter(desk: Desk) -> None:
    desk.walk()
    desk.keep()
    ran = desk.watch.ticks_run
    player = desk.document.sim.player.id
    desk.edit("Elsewhere", Teleport(ROOM, 1.0, 8.0, 0.0, 90.0), SetVelocity(player, 0.0, 0.0, 1.0))
    desk.walk(5)
    desk.settle()
    assert desk.goes_as_before()
    assert desk.watch.ticks_run == ran, "nothing was to be run"


def test_a_rule_and_the_body_are_edits_too(desk: Desk) -> None:
    desk.walk()
    desk.keep()
    desk.edit("Smaller", SetPlayerNumber("radius", 0.2))
    assert not desk.goes_as_before()
    desk.document.undo()
    desk.edit("Another Rule", SetRule("edge_slide_order", "ace"))
    assert desk.goes_as_before(), "it slides along no edge"
    assert desk.kept.entries[0].outcome is not None


def test_a_new_truth_is_kept_with_the_steps_of_now(desk: Desk) -> None:
    desk.walk()
    desk.keep()
    desk.edit("Move Crate", crate_to(1.5, 1.5))
    before = desk.kept.forms()
    desk.watch.accept(desk.kept.entries[0])
    desk.settle()
    assert desk.told == ["Walk ‘into the crate’ is to go from now on as it goes now"]
    assert desk.goes_as_before()
    assert desk.kept.forms() != before
    desk.document.undo()
    desk.settle()
    assert not desk.goes_as_before()
    desk.document.redo()
    desk.settle()
    assert desk.goes_as_before()


def test_a_walk_that_cannot_be_read_is_told_and_stops_no_other(desk: Desk) -> None:
    desk.walk()
    assert desk.kept.add("broken", b"CDRECORD nonsense", ()) == ""
    assert desk.kept.add("empty", b"", ()) == ""
    desk.keep()
    assert desk.verdicts == [Verdict.UNREADABLE, Verdict.UNREADABLE, Verdict.AS_BEFORE]
    assert desk.watch.text == "1 walk goes as before, 2 otherwise"
    desk.watch.accept(desk.kept.entries[0])
    desk.settle()
    assert desk.verdicts[0] is Verdict.UNREADABLE


def test_the_calls_of_a_capture_keep_watch_too(desk: Desk) -> None:
    sim, stream = desk.document.sim, StringIO()
    writer = CaptureWriter(stream, sim.player.steered)
    sim.watch(sim.player.id, writer)
    for tick in range(60):
        writer.tick = tick
        desk.document.tick(FORWARD)
    sim.unwatch(sim.player.id, writer)
    assert desk.kept.add("moves", stream.getvalue().encode("ascii"), desk.document.done_steps()) == ""
    desk.settle()
    assert desk.goes_as_before()
    desk.edit("Move Crate", crate_to(1.5, 1.5))
    (entry,) = desk.kept.otherwise
    assert entry.sentence.startswith("Walk ‘moves’ goes otherwise from call ")
    desk.watch.accept(entry)
    desk.settle()
    assert desk.goes_as_before()
    desk.document.undo()
    desk.settle()
    assert not desk.goes_as_before()


def test_names_are_checked_and_sizes_too(desk: Desk) -> None:
    desk.walk(3)
    desk.keep("one")
    assert desk.kept.add("one", b"x", ()) == "There is a walk ‘one’ already."
    assert desk.kept.add(" ", b"x", ()) == "A walk needs a name."
    assert desk.kept.add("a\tb", b"x", ()) != ""
    assert "more than 8 MB" in desk.kept.add("huge", bytes((8 << 20) + 1), ())
    assert desk.kept.free_name("one") == "one 2"
    assert desk.kept.rename(desk.kept.entries[0], "two") == ""
    desk.kept.remove(desk.kept.entries[0])
    assert desk.watch.text == ""


def test_walks_go_with_their_world(desk: Desk) -> None:
    desk.walk()
    desk.keep()
    desk.document.started.emit()
    assert desk.kept.entries == []
    desk.settle()
    assert desk.watch.text == ""


def test_an_edit_while_walks_are_run_begins_again(desk: Desk, qtbot: QtBot) -> None:
    desk.walk(3000)
    desk.keep()
    desk.watch.run_now()
    qtbot.waitUntil(lambda: desk.watch._steps is not None)
    desk.edit("Move Crate", crate_to(1.5, 1.5))
    assert not desk.goes_as_before()
    assert desk.watch.longest_slice < 0.5


def test_steps_since_are_those_that_change_the_world() -> None:
    stand = Step("Stand", (Teleport(ROOM, 1.0, 1.0, 0.0, 0.0),))
    lock = Step("Lock", (LockDoor(5 << 16, True),), (LockDoor(5 << 16, False),))
    opened = Step("Open", (OpenDoor(6 << 16),))
    named = Step("Name", ())
    since = steps_since([stand, lock], [stand, named, opened], 1)
    assert [name for name, _ in since.added] == ["Open"]
    assert since.undone == (("Lock", lock.edits, lock.inverse),)
    recording = Recording(0, b"", 1, "", "")
    terms = since.terms(recording)
    assert (terms.before, terms.undone, terms.without) == (opened.edits, lock.inverse, lock.edits)
    assert steps_since([stand], [stand, named], 1).terms(recording).is_same
    assert since.terms(None).before == opened.edits, "a capture brings no state along"


def test_a_walk_of_another_world_begins_at_its_place_in_this_one(desk: Desk) -> None:
    """With the edits of the document, and none of the recording's first state."""
    desk.walk()
    assert desk.document.history is not None
    recording, landblocks = desk.document.history.kept()
    recording.identity = dict.fromkeys(world_identity(desk.document.sim.world, landblocks), "0" * 32)
    assert desk.kept.add("changed", recording_bytes(recording), desk.document.done_steps()) == ""
    desk.settle()
    (entry,) = desk.kept.entries
    assert entry.differing
    assert entry.outcome is not None
    assert entry.outcome.verdict in (Verdict.AS_BEFORE, Verdict.OTHERWISE)
    assert entry.details[-1].startswith("its world is another one now: ")
    desk.watch.accept(entry)
    desk.settle()
    assert desk.goes_as_before()


def test_standing_still_is_a_walk_too(desk: Desk) -> None:
    desk.document.tick_many(5, Controls())
    desk.keep("still")
    assert desk.goes_as_before()
