"""Conditions in an open document: time stops at them, and what is recorded is searched between events."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.conditions.finds import ConditionFinds
from editor.models.conditions.kept import UNKEEPABLE, Entry, KeptConditions
from editor.models.conditions.stops import ConditionStops
from editor.models.timeline.events import CELLS, DOORS, SLIDES, STOPS, EventLog
from editor.project.condition_forms import MOST
from engine.geometry.frame import Frame
from engine.sim.conditions.reading import read_condition
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.entities import AddEntity, spec_text
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.world.entity_spec import EntitySpec
from engine.world.names import NameKey
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms


class Desk:
    """A document with everything that listens to conditions."""

    def __init__(self) -> None:
        self.document: Document = document_of(built(two_rooms))
        self.clock = Clock(self.document)
        self.kept = KeptConditions(self.document)
        self.stops = ConditionStops(self.kept, self.clock)
        self.finds = ConditionFinds(self.kept)
        self.events = EventLog(self.document)
        self.said: list[str] = []
        self.document.started.emit()
        self.document.said.connect(self.said.append)

    def keep(self, text: str, *, stops: bool = True) -> None:
        assert self.kept.add(text) == ""
        self.kept.set_stops(self.kept.entries[-1], stops)

    def steps(self, count: int, keys: Controls) -> int:
        """Steps with keys held, as far as they go; the last tick."""
        self.clock.keys.forward = keys.forward
        self.clock.step(count)
        while self.clock.is_stepping:
            self.clock._take_steps()
        assert self.document.history is not None
        return self.document.history.now - 1

    def found(self, qtbot: QtBot) -> list[int]:
        qtbot.waitUntil(lambda: not self.finds.is_working, timeout=20_000)
        return self.finds.ticks(self.kept.chosen)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_steps_end_after_the_tick_for_which_a_condition_holds(desk: Desk) -> None:
    desk.keep("blocked by door")
    tick = desk.steps(60, FORWARD)
    assert desk.events.chosen(STOPS)[0].tick == tick < 59
    assert desk.said[-1] == f"Stopped after tick {tick}: blocked by door"
    assert desk.steps(5, FORWARD) == tick + 1, "it holds for the next tick too"
    desk.kept.set_stops(desk.kept.entries[0], False)
    assert desk.steps(5, FORWARD) == tick + 6


def test_an_edit_that_opens_a_door_stops_the_tick_that_sees_it(desk: Desk) -> None:
    desk.keep("door door opens")
    assert desk.steps(3, Controls()) == 2
    desk.document.edit("Open Door", OpenDoor(desk.document.sim.population.doors[0].id))
    assert desk.steps(3, Controls()) == 3
    assert desk.steps(3, Controls()) == 6


def test_a_teleport_is_no_change_of_cell_in_a_tick(desk: Desk) -> None:
    desk.keep("cell changes or moved more than 1 m")
    cell = desk.document.sim.graph.current_id
    desk.steps(2, Controls())
    desk.document.edit("Teleport", Teleport(cell, 1.0, 1.0, 0.0, 0.0))
    assert desk.steps(4, Controls()) == 5


def test_going_to_the_past_stops_nothing_and_playing_it_does(desk: Desk) -> None:
    tick = desk.steps(50, FORWARD)
    desk.keep("contact lost or blocked")
    first = desk.events.chosen(STOPS)[0].tick
    assert desk.document.go_to(first + 10)
    assert not any(text.startswith("Stopped") for text in desk.said)
    assert desk.document.go_to(0)
    assert desk.steps(40, Controls()) == first < tick


def test_the_past_is_searched_for_what_the_event_log_tells(desk: Desk, qtbot: QtBot) -> None:
    desk.steps(60, FORWARD)
    desk.document.edit("Open Door", OpenDoor(desk.document.sim.population.doors[0].id))
    desk.steps(90, FORWARD)
    for text, kind in (("blocked", STOPS), ("slides", SLIDES), ("cell changes", CELLS), ("any door opens", DOORS)):
        desk.keep(text, stops=False)
        told = {tick for event in desk.events.chosen(kind) for tick in (event.ticks or [event.tick])}
        found = set(desk.found(qtbot))
        assert found <= told if kind == DOORS else found == told, text
        assert desk.finds.count_text(desk.kept.entries[-1]) == f"{len(found)} of 150 ticks"


def test_a_search_follows_the_present_and_the_past_that_is_forgotten(desk: Desk, qtbot: QtBot) -> None:
    desk.keep("moved more than 0.05 m", stops=False)
    desk.steps(20, FORWARD)
    before = list(desk.found(qtbot))
    assert before
    desk.steps(5, FORWARD)
    assert desk.found(qtbot)[: len(before)] == before
    desk.document.go_to(10)
    desk.document.continue_here()
    assert desk.found(qtbot) == [tick for tick in before if tick < 10]
    desk.steps(20, Controls())
    assert desk.finds.searched(desk.kept.entries[0]) == (10, 30)
    desk.found(qtbot)
    assert desk.finds.searched(desk.kept.entries[0]) == (30, 30)


def test_previous_and_next_are_those_of_the_chosen_condition(desk: Desk, qtbot: QtBot) -> None:
    desk.steps(30, FORWARD)
    desk.keep("on the ground", stops=False)
    desk.keep("blocked", stops=False)
    blocked = list(desk.found(qtbot))
    assert (desk.finds.before(blocked[0]), desk.finds.after(blocked[0])) == (None, blocked[1])
    desk.kept.choose(desk.kept.entries[0])
    assert desk.finds.before(blocked[0]) == blocked[0] - 1
    desk.kept.remove(desk.kept.entries[0])
    assert desk.finds.before(blocked[0]) is None
    desk.kept.remove(desk.kept.entries[0])
    assert desk.finds.after(0) is None


def test_a_cell_is_found_by_the_name_that_it_is_given(desk: Desk, qtbot: QtBot) -> None:
    desk.steps(5, Controls())
    cell = NameKey.cell(desk.document.sim.graph.current_id)
    assert desk.kept.add("in cell Great Hall") == "No cell here is called “Great Hall”."
    desk.document.rename("Rename", {cell: "Great Hall"})
    desk.keep("in cell Great Hall", stops=False)
    assert desk.found(qtbot) == [0, 1, 2, 3, 4]
    assert desk.kept.remark(desk.kept.entries[0]) == ""
    desk.document.rename("Rename", {cell: "Small Hall"})
    assert desk.found(qtbot) == []
    assert desk.kept.remark(desk.kept.entries[0]) == ("No cell here is called “Great Hall”; did you mean “Small Hall”?")


def test_a_name_that_nothing_has_is_refused_with_one_that_looks_alike(desk: Desk) -> None:
    assert desk.kept.add("indoors and not blocked by dor") == "Nothing here is called “dor”; did you mean “door”?"
    assert desk.kept.add("door study opens") == "No door here is called “study”."
    assert desk.kept.entries == []
    desk.keep("blocked by DOOR or slides along walls or touches 0x70000001 or in cell 0x70000009")


def test_a_project_may_name_what_this_world_does_not_have(desk: Desk) -> None:
    entry = Entry("blocked by Gate", read_condition("blocked by Gate"))  # type: ignore[arg-type]  # it is a condition
    desk.kept.entries.append(entry)
    assert desk.kept.remark(entry) == "Nothing here is called “Gate”."
    door = desk.document.sim.population.doors[0]
    spec = EntitySpec(0x80000001, "Gate", "chest", door.setup.id, door.cell_id, Frame((1.0, 1.0, 0.0)), 0x10008)
    desk.document.edit("Add Gate", AddEntity(spec_text(spec)))
    assert desk.kept.remark(entry) == "", "it has come in"


def test_the_list_is_bounded_and_keeps_no_condition_twice(desk: Desk) -> None:
    for number in range(MOST):
        desk.keep(f"z over {number}")
    desk.keep("z   over 5m")
    assert len(desk.kept.entries) == MOST
    assert desk.kept.chosen is desk.kept.entries[5]
    assert desk.kept.add("z over 1000") == f"At most {MOST} conditions are kept: remove one first."
    assert "does not fit" in desk.kept.add("z up")


def test_what_no_project_could_hold_is_not_kept(desk: Desk) -> None:
    for text in ('touches "a\u200bb"', "touches a\0b", "z over 1 or " * 40 + "z over 1"):
        assert desk.kept.add(text) == UNKEEPABLE
    assert desk.kept.entries == []


def test_watching_changes_nothing(desk: Desk) -> None:
    plain = document_of(built(two_rooms))
    for text in ("rules disagree and z over 900", "blocked by 0x70000009", "any door changes and speed over 99"):
        desk.keep(text)
    desk.steps(70, FORWARD)
    plain.tick_many(70, FORWARD)
    assert desk.document.sim.state_hash() == plain.sim.state_hash()
