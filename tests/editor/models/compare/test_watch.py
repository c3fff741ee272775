"""The second run beside the open document's: live, in the past, after undo, and beside the headless comparison."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from editor.document.document import Document
from editor.models.compare.watch import CompareWatch
from editor.models.compare.ways import NOTHING_EDITED, SAME_BODY, SAME_RULES
from engine.physics.rules import RULE_NAMES, RuleSet, rule_set
from engine.sim.compare.alignment import aligned_sweeps
from engine.sim.compare.answers import TickDifference, comparable_state, rules_in
from engine.sim.compare.causes import cause_of
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.corrections import corrections
from engine.sim.compare.sides import Follower, Side, body_changes, rule_changes
from engine.sim.edits.entities import SetVelocity
from engine.sim.edits.player import Teleport
from engine.sim.recording_file import save_recording
from engine.sim.tick.controls import Controls
from tests.editor.document.small_document import document_of
from tests.sim.compare import situations
from tests.sim.compare.arena import _edit, _keys, _somewhere, arena, entity_ids
from tests.sim.helpers.small_worlds import FORWARD

ACE = rule_set("ace")


class Desk:
    """A document with a player in the arena, and the watch."""

    def __init__(self, seed: int = 1104) -> None:
        self.rng = random.Random(seed)
        self.document: Document = arena_document(self.rng)
        self.watch = CompareWatch(self.document)

    def walk(self, ticks: int, *, edits: bool = False) -> None:
        controls = Controls()
        for tick in range(ticks):
            if tick % 15 == 0:
                controls = _keys(self.rng)
            if edits and self.rng.random() < 0.08:
                self.document.edit("edit", _edit(self.rng, self.document.sim))
            self.document.tick(controls)

    def settled(self, qtbot: QtBot) -> CompareWatch:
        qtbot.waitUntil(lambda: not self.watch.is_working, timeout=60_000)
        return self.watch

    def side(self) -> Side:
        assert self.document.world is not None
        assert self.document.history is not None
        return Side("run", self.document.world.loaded, self.document.history.recording)


def arena_document(rng: random.Random) -> Document:
    document = document_of(arena(), at=(108.0, 108.0))
    document.edit("place", _somewhere(rng))
    return document


def headless(one: Side, two: Side) -> tuple[list[TickDifference], Comparison]:
    with Comparison(one, two) as comparison:
        return list(comparison), comparison


def kept_of(watch: CompareWatch) -> list[TickDifference]:
    found = [watch.difference_at(watch.first_tick + index) for index in range(watch.compared)]
    return [each for each in found if each is not None]


@pytest.mark.parametrize("seed", range(1100, 1106))
def test_it_follows_a_run_live_and_finds_what_the_headless_one_finds(qtbot: QtBot, seed: int) -> None:
    desk = Desk(seed)
    assert desk.watch.compare_rules(ACE, "ACE rules")
    assert desk.watch.names == ("retail", "ace")
    desk.walk(90, edits=True)
    watch = desk.settled(qtbot)
    one = desk.side()
    ticks, comparison = headless(one, Side("ace", one.world, one.recording, rule_changes(RuleSet(), ACE)))
    assert kept_of(watch) == ticks
    assert watch.compared == 90
    assert (watch.first, watch.seen) == (comparison.first, comparison.seen)
    assert watch.problem == ""


def test_docks_do_not_lag_behind_while_one_walks() -> None:
    desk = Desk()
    desk.watch.compare_rules(ACE, "ACE rules")
    for count in range(1, 20):
        desk.document.tick(FORWARD)
        assert desk.watch.compared == count


def test_a_recorded_run_is_compared_without_changing_the_present(qtbot: QtBot) -> None:
    desk = Desk()
    desk.walk(120, edits=True)
    assert desk.document.history is not None
    desk.document.go_to(desk.document.history.first + 40)
    before = desk.document.sim.state_hash()
    desk.watch.compare_body([("radius", 0.3)])
    watch = desk.settled(qtbot)
    assert watch.compared == 120
    assert desk.document.in_past
    assert desk.document.sim.state_hash() == before
    one = desk.side()
    ticks, _ = headless(one, Side("body", one.world, one.recording, body_changes([("radius", 0.3)])))
    assert kept_of(watch) == ticks


def test_the_second_run_stands_at_any_tick(qtbot: QtBot) -> None:
    desk = Desk()
    desk.walk(100, edits=True)
    desk.watch.compare_rules(ACE, "ACE rules")
    watch = desk.settled(qtbot)
    one = desk.side()
    follower = Follower(Side("ace", one.world, one.recording, rule_changes(RuleSet(), ACE)))
    follower.start()
    states = [comparable_state(follower.sim)]
    for _ in range(100):
        follower.step()
        states.append(comparable_state(follower.sim))
    for index in (99, 3, 100, 50, 51, 52, 17, 16, 15, 0, 1, 100):
        sim = watch.second_at(watch.first_tick + index)
        assert sim is not None
        assert comparable_state(sim) == states[index]
        assert index == 0 or sim.last_report is not None
    assert watch.second_at(watch.first_tick + 101) is None
    assert watch.second_at(watch.first_tick - 1) is None


def test_edits_that_no_tick_has_seen_are_shown_on_the_second_side_too(qtbot: QtBot) -> None:
    desk = Desk()
    desk.watch.compare_body([("radius", 0.3)])
    desk.walk(20)
    watch = desk.settled(qtbot)
    whom = entity_ids()[0]
    desk.document.edit("Push", SetVelocity(whom, 1.0, 2.0, 3.0))
    second = watch.second_at(desk.document.sim.tick_number)
    assert second is not None
    pushed = second.population.find(whom)
    assert pushed is not None
    assert pushed.body is not None
    assert pushed.body.velocity == (1.0, 2.0, 3.0)
    desk.walk(20)
    one = desk.side()
    ticks, _ = headless(one, Side("body", one.world, one.recording, body_changes([("radius", 0.3)])))
    assert kept_of(desk.settled(qtbot)) == ticks


@pytest.mark.parametrize("at", [1, 16, 33, 47])
def test_continuing_from_the_past_cuts_the_comparison(qtbot: QtBot, at: int) -> None:
    desk = Desk(1106)
    desk.watch.compare_rules(ACE, "ACE rules")
    desk.walk(60)
    desk.settled(qtbot)
    desk.document.go_to(desk.watch.first_tick + at)
    desk.document.continue_here()
    assert desk.watch.compared <= at
    desk.walk(60)
    watch = desk.settled(qtbot)
    one = desk.side()
    ticks, comparison = headless(one, Side("ace", one.world, one.recording, rule_changes(RuleSet(), ACE)))
    assert kept_of(watch) == ticks
    assert watch.first == comparison.first
    assert watch.kept is not None
    assert watch.kept.comparison.gaps.spans == comparison.gaps.spans
    assert watch.kept.comparison.totals == comparison.totals
    assert len(watch.distance) == len(watch.differs) == len(watch.cells) == at + 60


def test_columns_hold_the_second_run(qtbot: QtBot) -> None:
    desk = Desk()
    desk.watch.compare_rules(ACE, "ACE rules")
    desk.walk(50)
    watch = desk.settled(qtbot)
    samples = [watch.sample_at(watch.first_tick + index) for index in range(50)]
    assert list(watch.height.values) == [each.origin[2] for each in samples if each is not None]
    assert list(watch.cells.all_values()) == [each.cell for each in samples if each is not None]
    assert list(watch.distance.values) == [each.distance for each in kept_of(watch)]
    assert list(watch.differs) == [not each.is_same for each in kept_of(watch)]
    assert np.nanmax(watch.speed.values) > 0.0


def test_a_run_compared_with_itself_differs_in_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk()
    desk.walk(60, edits=True)
    assert desk.document.history is not None
    save_recording(desk.document.history.kept()[0], tmp_path / "run.cdrec")
    assert desk.watch.compare_recording(tmp_path / "run.cdrec"), desk.watch.problem
    watch = desk.settled(qtbot)
    assert watch.title == "Recording run.cdrec"
    assert watch.compared == 60
    assert watch.first is None
    assert not watch.differs.any()
    desk.walk(10)
    assert desk.settled(qtbot).compared == 60, "the other recording has ended"


def test_what_was_undone_at_once_leaves_the_second_side_where_it_is(qtbot: QtBot) -> None:
    desk = Desk()
    desk.watch.compare_body([("run_skill", 0.0)])
    desk.document.tick_many(30, Controls(forward=1.0, run=True))
    before = desk.settled(qtbot).distance.values[-1]
    assert before > 0.1
    desk.document.edit("Push", SetVelocity(entity_ids()[0], 1.0, 2.0, 3.0))
    desk.document.undo()
    desk.document.tick()
    assert desk.settled(qtbot).distance.values[-1] == pytest.approx(before, abs=0.5)
    assert desk.watch.distance.values[-1] > 0.1


def test_the_world_before_its_edits(qtbot: QtBot) -> None:
    desk = Desk()
    desk.walk(10)
    assert not desk.watch.compare_before_edits()
    assert desk.watch.problem == NOTHING_EDITED
    desk.document.edit("Push", SetVelocity(entity_ids()[0], 1.0, 2.0, 3.0))
    desk.document.undo()
    desk.walk(5)
    desk.document.edit("Push", SetVelocity(entity_ids()[0], 1.0, 2.0, 3.0))
    desk.walk(5)
    assert desk.watch.compare_before_edits()
    watch = desk.settled(qtbot)
    assert watch.first is not None
    assert watch.first.index == 15
    assert watch.shown is not None
    assert watch.shown.cause is not None
    assert watch.shown.cause.names == (f"set velocity: guest, before tick {watch.first_tick + 15}",)


def test_a_teleport_that_is_undone_later_is_no_edit_of_the_world(qtbot: QtBot) -> None:
    desk = Desk()
    desk.walk(5)
    desk.document.edit("Teleport", Teleport(arena().cell_id("hall"), 106.0, 107.0, 20.0, 0.0))
    desk.walk(5)
    desk.document.undo()
    desk.walk(5)
    assert not desk.watch.compare_before_edits()
    assert desk.watch.problem == NOTHING_EDITED


def test_the_rules_of_a_snapshot_are_read_without_a_simulation() -> None:
    desk = Desk()
    rng = random.Random(3)
    for _ in range(5):
        rules = RuleSet()
        for rule in RULE_NAMES:
            rules.set_form(rule, rng.choice(["retail", "ace"]))
        for rule in RULE_NAMES:
            desk.document.sim.rules.set_form(rule, rules.form(rule))
        found = rules_in(desk.document.sim.snapshot())
        assert found is not None
        assert [found.form(rule) for rule in RULE_NAMES] == [rules.form(rule) for rule in RULE_NAMES]


def test_another_world_ends_it_and_stopping_shows_the_present(qtbot: QtBot) -> None:
    desk = Desk()
    desk.watch.compare_rules(ACE, "ACE rules")
    desk.watch.shows_second = True
    with qtbot.waitSignal(desk.watch.shown_changed):
        desk.watch.stop()
    assert not desk.watch.shows_second
    assert not desk.watch.is_on
    desk.watch.shows_second = True
    assert not desk.watch.shows_second
    desk.watch.compare_rules(ACE, "ACE rules")
    desk.document.session.simulation = None
    desk.document.session.opened.emit()
    assert not desk.watch.is_on


def test_what_cannot_be_compared_says_why(tmp_path: Path) -> None:
    desk = Desk()
    (tmp_path / "bad.cdrec").write_bytes(b"no recording")
    assert not desk.watch.compare_recording(tmp_path / "bad.cdrec")
    assert "bad.cdrec" in desk.watch.problem
    assert not desk.watch.is_on
    _, elsewhere = situations.an_arrow_falls_beside_a_boulder(rule_set("retail"))
    save_recording(elsewhere, tmp_path / "elsewhere.cdrec")
    assert not desk.watch.compare_recording(tmp_path / "elsewhere.cdrec")
    assert "is no longer the world of the recording" in desk.watch.problem
    assert not desk.watch.compare_rules(rule_set("retail"), "retail")
    assert desk.watch.problem == SAME_RULES
    assert not desk.watch.compare_body([("radius", desk.document.sim.player.number("radius"))])
    assert desk.watch.problem == SAME_BODY
    assert not desk.watch.compare_body([("radius", -1.0)])
    assert "radius" in desk.watch.problem


def test_a_difference_is_explained_as_headless(qtbot: QtBot) -> None:
    desk = Desk()
    desk.watch.compare_rules(ACE, "ACE rules")
    desk.walk(90)
    watch = desk.settled(qtbot)
    one = desk.side()
    _, comparison = headless(one, Side("ace", one.world, one.recording, rule_changes(RuleSet(), ACE)))
    assert comparison.seen is not None
    shown = watch.shown
    assert shown is not None
    assert shown.is_done
    assert shown.cause == cause_of(comparison, comparison.seen)
    assert shown.sweeps == aligned_sweeps(comparison, comparison.seen, shown.cause)


def test_a_server_is_asked_when_somebody_looks(qtbot: QtBot) -> None:
    desk = Desk()
    desk.watch.compare_rules(ACE, "ACE rules")
    desk.walk(90)
    assert desk.settled(qtbot).judged == 0
    desk.watch.asks_server = True
    watch = desk.settled(qtbot)
    assert watch.judged == 90
    assert watch.corrections == list(corrections(desk.side()))
    assert watch.corrections
    desk.document.go_to(watch.first_tick + 40)
    desk.document.continue_here()
    desk.walk(30)
    desk.settled(qtbot)
    assert watch.corrections == list(corrections(desk.side()))
