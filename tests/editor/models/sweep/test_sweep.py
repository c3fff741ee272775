"""The sweep of the last tick: what decided is named, and looking changes nothing."""

from __future__ import annotations

import pytest

from editor.document.document import Document
from editor.models.live_table import FAULT, SELECTION_ROLE
from editor.models.sweep.headline import cell_row, deciding, summary
from editor.models.sweep.steps import NODE_ROLE, SweepModel, node_text, opened_at_first, tone_of
from editor.models.sweep.watch import SweepWatch
from editor.models.why import WhyAbout
from editor.reports.sweep_outcome import outcome_of
from editor.session.session import Kind, Session
from editor.session.sources import open_source
from editor.session.spawn import simulation_of
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.tick.controls import Controls
from engine.sim.trace.tree import CANDIDATE, POLYGON, TraceNode
from engine.world.cells.ids import cell_text
from tests.editor.document.small_document import document_of
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.small_worlds import FORWARD, built, furnished, house, open_rooms, slope, two_rooms

DOORWAY = 0xA9B40170


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def until_blocked(document: Document) -> int:
    """Walk into the door; the tick in which he runs into it."""
    for _ in range(90):
        report = document.tick(FORWARD)
        if report.collided_objects:
            return report.tick
    raise AssertionError("nothing was in the way")


def test_the_polygon_of_the_door_that_blocked_is_named(document: Document) -> None:
    watch = SweepWatch(document)
    watch.look(True)
    tick = until_blocked(document)
    text = summary(document, watch)
    assert text.startswith(f"Tick {tick}: ■ Blocked by door, part ")
    assert ", polygon " in text
    assert outcome_of(watch.sweeps).path[-1].kind == POLYGON


def test_who_comes_late_sees_the_last_tick_all_the_same(document: Document) -> None:
    tick = until_blocked(document)
    document.edit("Lock", LockDoor(document.sim.population.doors[0].id, True))
    state, waiting = document.sim.state_hash(), document.sim.waiting
    watch = SweepWatch(document)
    watch.look(True)
    assert watch.tick == tick
    assert "by door, part" in summary(document, watch)
    assert (document.sim.state_hash(), document.sim.waiting) == (state, waiting)
    document.undo()
    assert not document.sim.population.doors[0].locked


def test_reading_the_state_changes_nothing(document: Document) -> None:
    other = document_of(built(two_rooms))
    watch = SweepWatch(document)
    watch.look(True)
    document.tick_many(60, FORWARD)
    other.tick_many(60, FORWARD)
    assert document.sim.state_hash() == other.sim.state_hash()
    watch.look(False)
    document.tick_many(3, FORWARD)
    assert watch.sweeps == []


def test_pushing_on_names_what_an_earlier_tick_met(document: Document) -> None:
    watch = SweepWatch(document)
    watch.look(True)
    until_blocked(document)
    words = "■ Blocked by door, part 1, polygon 0 (met in an earlier tick)"
    for idle in (0, 20):
        document.tick_many(idle)
        document.tick(FORWARD)
        assert summary(document, watch).endswith(words)
    report = document.sim.last_report
    assert report is not None
    report.contacts = None
    assert summary(document, watch).endswith("■ Blocked by the sliding normal of an earlier contact, N(-1, 0, 0)")


def test_a_contact_of_another_time_is_not_what_holds_the_player(document: Document) -> None:
    """Both walls have the same normal; he is put before the second one while he pushes against the first."""
    watch = SweepWatch(document)
    watch.look(True)
    until_blocked(document)
    document.tick(FORWARD)
    body = document.sim.player.steered
    x, y, z = body.place.origin
    body.place.origin = (x, y - 0.5, z)
    document.tick(FORWARD)
    assert "door" not in summary(document, watch)


def test_a_step_names_the_floor_that_it_ends_on() -> None:
    document = document_of(built(furnished), "room", (0.8, 8.0))
    watch = SweepWatch(document)
    watch.look(True)
    said = set()
    for _ in range(30):
        document.tick(FORWARD)
        said.add(summary(document, watch).partition(": ")[2])
    assert "↷ Stepped up 0.500 m onto static 1 of 0x00070100, part 0, polygon 4" in said
    assert "↷ Stepped down 0.500 m onto the floor of 0x00070100, polygon 5" in said


def test_a_way_out_is_named_by_its_portal_alone() -> None:
    document = document_of(built(house), "room", (108.0, 105.0))
    watch = SweepWatch(document)
    watch.look(True)
    document.edit("To the Door", Teleport(document.sim.player.place_cell(), 108.0, 105.0, 20.0, 180.0))
    said = set()
    for _ in range(100):
        document.tick(FORWARD)
        said.add(summary(document, watch).partition(": ")[2])
    assert "✓ Entered 0xC95B0025 through exit portal 1 of 0xC95B0101" in said
    assert "✓ Entered 0xC95B0024 over the land" in said


def test_no_step_ends_on_a_wall() -> None:
    """At the foot of the slope a step ends on a floor of the next room."""
    document = document_of(built(slope), "top", (2.0, 2.0))
    watch = SweepWatch(document)
    watch.look(True)
    document.edit("Turn", FacePlayer(0.0))
    steps = []
    for _ in range(110):
        document.tick(FORWARD)
        if "Stepped" in summary(document, watch):
            steps.append(summary(document, watch))
    assert steps
    assert all("onto the floor of" in said and ", polygon" in said for said in steps), steps


def test_an_edge_that_nobody_is_let_over_says_so() -> None:
    document = document_of(built(furnished), "room", (3.0, 3.0))
    watch = SweepWatch(document)
    watch.look(True)
    document.edit("Onto the ledge", Teleport(document.sim.player.place_cell(), 8.0, 8.0, 2.5, 270.0))
    while not document.tick(FORWARD).blocked:
        assert "✓ Nothing in the way" in summary(document, watch)
    said = summary(document, watch)
    assert said.endswith(
        "Blocked by the edge of static 2 of 0x00070100, part 0, polygon 4: nothing to walk on behind it"
    )


@needs_shared
def test_a_way_out_onto_land_that_is_not_there_says_so() -> None:
    with open_source(str(SHARED / "fixtures"), None) as world:
        session = Session()
        document = Document(session)
        session.world, session.landblock_id = world, DOORWAY | 0xFFFF
        session.simulation = simulation_of(world, "", session.landblock_id, 0)
        session.opened.emit()
        watch = SweepWatch(document)
        watch.look(True)
        document.edit("Into the doorway", Teleport(DOORWAY, 155.5, 15.5, 94.0, 0.0))
        while not document.tick(FORWARD).lost:
            assert "✓ Nothing in the way" in summary(document, watch)
        assert "■ Lost: it ends in no cell" in summary(document, watch)
        assert f"still labelled 0x{DOORWAY:08X}" in summary(document, watch)
        assert [tone_of(node) for node in (watch.sweeps[-1], watch.sweeps[-1].children[0])] == [FAULT, FAULT]
        document.tick(FORWARD)
        assert "no sweep; ■ lost: no cell holds the centre" in summary(document, watch)


def test_the_past_is_traced_too(document: Document) -> None:
    tick = until_blocked(document)
    document.tick_many(70, FORWARD)
    watch = SweepWatch(document)
    watch.look(True)
    document.go_to(tick + 1)
    assert watch.tick == tick
    assert "by door, part" in summary(document, watch)


def test_the_tree_holds_every_step_and_leads_to_what_it_is_about(document: Document) -> None:
    watch, model = SweepWatch(document), SweepModel()
    watch.look(True)
    until_blocked(document)
    model.show(document.sim, watch.sweeps)
    nodes = [node for sweep in watch.sweeps for node in sweep.walk()]
    waiting, rows, kinds = [model.index(0, 0)], 0, set()
    while waiting:
        index = waiting.pop()
        rows += 1
        selection = index.data(SELECTION_ROLE)
        if selection is not None:
            kinds.add(selection.kind)
        waiting += [model.index(row, 0, index) for row in range(model.rowCount(index))]
    assert rows == len(nodes)
    assert kinds == {Kind.CELL, Kind.ENTITY}
    way = outcome_of(watch.sweeps).path
    assert all(node in opened_at_first(watch.sweeps) for node in way[:-1])
    assert "before: " in node_text(watch.sweeps[0])
    model.show(None, [])
    assert model.rowCount() == 0


def test_steps_are_found_by_words_in_their_order(document: Document) -> None:
    watch, model = SweepWatch(document), SweepModel()
    watch.look(True)
    until_blocked(document)
    model.show(document.sim, watch.sweeps)
    found = model.found("polygon")
    rows = model.rows_in_order()
    assert found
    assert [rows.index(index) for index in found] == sorted(rows.index(index) for index in found)
    assert model.first_after(found, rows[0]) == 0
    assert model.first_after(found, found[-1]) == 0
    assert model.found("  ") == []
    guilty = outcome_of(watch.sweeps).path[-1]
    assert model.index_of(guilty).data(NODE_ROLE) is guilty


def test_what_is_read_of_a_step_has_its_numbers_as_they_are(document: Document) -> None:
    watch = SweepWatch(document)
    watch.look(True)
    until_blocked(document)
    guilty = outcome_of(watch.sweeps).path[-1]
    assert guilty.place is not None
    assert all(repr(corner) in node_text(guilty) for corner in guilty.place.corners)
    step = watch.sweeps[0].children[0]
    assert step.before is not None
    assert f"accepted      {cell_text(step.before.accepted_cell)} {step.before.accepted!r}" in node_text(step)
    assert tone_of(step) == tone_of(guilty) == FAULT


def test_a_slanted_hit_that_slides_is_a_slide_along_what_was_hit() -> None:
    document = document_of(built(two_rooms), "hall", (4.5, 1.6))
    watch = SweepWatch(document)
    watch.look(True)
    document.edit("Turn", FacePlayer(60.0))
    until_blocked(document)
    report = document.sim.last_report
    assert report is not None
    assert report.slid
    assert "↷ Slid along door, part " in summary(document, watch)


def test_a_tick_that_changes_the_cell_says_through_which_portal() -> None:
    document = document_of(built(open_rooms), "hall", (4.5, 2.0))
    watch = SweepWatch(document)
    watch.look(True)
    document.edit("Turn", FacePlayer(90.0))
    before = document.sim.player.place_cell()
    while not document.tick(FORWARD).cell_changed:
        assert summary(document, watch).endswith("✓ Nothing in the way")
    after = document.sim.player.place_cell()
    words = f"✓ Entered {cell_text(after)} through portal 0 of {cell_text(before)}"
    assert summary(document, watch).endswith(words)
    row = cell_row(watch.sweeps)
    assert row is not None
    assert (row.kind, row.cell_id, row.answer) == (CANDIDATE, after, "picked")


def test_every_question_has_the_row_that_decided() -> None:
    document = document_of(built(open_rooms), "hall", (3.0, 2.0))
    watch = SweepWatch(document)
    watch.look(True)
    document.edit("Turn", FacePlayer(90.0))
    rows: dict[WhyAbout, TraceNode | None] = {}
    for tick in range(150):
        report = document.tick(Controls(forward=1.0, jump=tick == 0))
        for happened, about in (
            (report.landed, WhyAbout.LANDED),
            (report.cell_changed, WhyAbout.CELL_CHANGED),
            (report.blocked, WhyAbout.BLOCKED),
        ):
            if happened:
                rows.setdefault(about, deciding(watch.sweeps, about))
    landed, changed, blocked = (rows[about] for about in (WhyAbout.LANDED, WhyAbout.CELL_CHANGED, WhyAbout.BLOCKED))
    assert landed is not None
    assert landed.kind == POLYGON
    assert landed.normal == (0.0, 0.0, 1.0)
    assert changed is not None
    assert (changed.kind, changed.answer) == (CANDIDATE, "picked")
    assert blocked is not None
    assert blocked.kind == POLYGON
    assert blocked.normal is not None
    assert blocked.normal[0] == -1.0, "the study's eastern wall"
