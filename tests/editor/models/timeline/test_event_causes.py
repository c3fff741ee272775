"""Events and Sweep's headline on what is hard to explain: bounces, steep land, doorsteps, wedged bodies, lost ones."""

from __future__ import annotations

import pytest

from editor.document.document import Document
from editor.models.sweep.headline import summary
from editor.models.sweep.watch import SweepWatch
from editor.models.timeline.events import CELLS, JUMPS, PUSHES, SLIDES, STOPS, EventLog
from editor.models.timeline.notices import Notices, why_of
from editor.models.why import Why, WhyAbout
from editor.reports.sweep_outcome import outcome_of
from editor.session.session import Session
from editor.session.sources import open_source
from editor.session.spawn import simulation_of
from engine.build import WorldBuilder, rect
from engine.build.demo import SPOTS
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import MEMBERSHIP
from tests.editor.document.small_document import document_of
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.demo_walks import demo_simulation
from tests.sim.helpers.small_worlds import FORWARD, RUN, built, two_rooms

JUMP = Controls(jump=True)
LEAP = Controls(forward=1.0, run=True, jump=True)
DOORWAY = 0xA9B40170
BACK_DOOR = 0xC95B0015
COUNTER = 0xC95B0113


def low_room() -> WorldBuilder:
    world = WorldBuilder()
    world.room("room", rect(0, 0, 8, 8), height=2.0)
    return world


def shown(sim: Simulation) -> tuple[Document, EventLog, SweepWatch]:
    session = Session()
    document = Document(session)
    session.world, session.simulation = sim.world, sim
    session.landblock_id = sim.world.landblock_ids()[0]
    session.opened.emit()
    events, watch = EventLog(document), SweepWatch(document)
    document.started.emit()
    watch.look(True)
    return document, events, watch


@pytest.fixture
def demo() -> tuple[Document, EventLog, SweepWatch]:
    return shown(Simulation(demo_simulation().sim.world))


def test_a_jump_comes_before_the_ceiling_that_stops_it() -> None:
    document = document_of(built(low_room), "room", (3.0, 3.0))
    events = EventLog(document)
    document.started.emit()
    document.tick_many(30, JUMP)
    document.tick_many(10)
    words = [event.text for event in events.events]
    assert words[:2] == ["Jumped", "Blocked by the ceiling of 0x00070100, polygon 4"]
    assert events.events[0].tick == events.events[1].tick


def test_a_slide_along_steep_land_is_an_event(demo: tuple[Document, EventLog, SweepWatch]) -> None:
    document, events, watch = demo
    spot = SPOTS["steep_slope"]
    document.edit("Stand There", Teleport(spot.cell_id, *spot.origin, spot.heading))
    document.tick_many(14, FORWARD)
    document.tick_many(4, LEAP)
    said = {}
    for _ in range(40):
        report = document.tick(RUN)
        said[report.tick] = summary(document, watch)
    words = "the land of 0xC95B002F, polygon 92, which is too steep"
    slide = events.chosen(SLIDES)[0]
    assert slide.text == f"Slid along {words}"
    assert f"↷ Slid along {words}" in said[slide.tick]
    (push,) = events.chosen(PUSHES)
    assert push.text.endswith("out of the land of 0xC95B002F, polygon 92")
    assert events.chosen(STOPS)[0].text == f"Blocked by {words}"


def test_a_bounce_is_no_fall_over_an_edge(demo: tuple[Document, EventLog, SweepWatch]) -> None:
    document, events, _ = demo
    document.edit("Above the Grass", Teleport(BACK_DOOR, 54.0, 104.0, 24.0, 30.0))
    for _ in range(90):
        document.tick(RUN)
    (bounce,) = [event for event in events.chosen(JUMPS) if event.about is WhyAbout.FELL]
    assert bounce.text == "Bounced off the land of 0xC95B0015, polygon 40"


def test_a_landing_names_the_floor_that_carries(demo: tuple[Document, EventLog, SweepWatch]) -> None:
    """On a doorstep 10 cm over the land, which is below the foot as well."""
    document, events, watch = demo
    document.edit("Over the Doorstep", Teleport(BACK_DOOR, 62.8512, 113.776, 20.1, 0.0))
    document.tick_many(6, JUMP)
    assert any(document.tick().landed for _ in range(60))
    landing = events.chosen(JUMPS)[-1]
    assert landing.text == "Landed on the floor of Back door 0xC95B0104, polygon 0"
    assert summary(document, watch).endswith(f"✓ {landing.text}")


def test_ground_that_is_made_up_for_a_wedged_body_says_so() -> None:
    """The report of the third tick in the air without a move (physics.md 5.9)."""
    document = document_of(built(two_rooms))
    events = EventLog(document)
    document.started.emit()
    document.tick_many(2)
    report = document.tick(FORWARD)
    assert report.contacts is not None
    report.tick, report.landed, report.frames_stationary_fall = report.tick + 1, True, 3
    document.ticked.emit(report)
    assert events.chosen(JUMPS)[-1].text == "Landed on no ground: stuck in the air for 3 ticks"


@needs_shared
def test_who_leaves_all_cells_can_ask_why() -> None:
    with open_source(str(SHARED / "fixtures"), None) as world:
        document, events, watch = shown(simulation_of(world, "", DOORWAY | 0xFFFF, 0))
        notices = Notices(events)
        document.edit("Into the Doorway", Teleport(DOORWAY, 155.5, 15.5, 94.0, 0.0))
        assert any(document.tick(FORWARD).lost for _ in range(60))
        lost = events.chosen(CELLS)[-1]
        assert lost.text.startswith("Player left all cells")
        assert notices.shown == [lost]
        assert why_of(lost) == Why(lost.tick, WhyAbout.LOST)
        row = outcome_of(watch.sweeps).row
        assert row is not None
        assert row.kind == MEMBERSHIP
        document.tick_many(5, FORWARD)
        after = events.chosen(CELLS)[-1].text
        assert after == "Still in no cell, with the id 0xA9B40031", "he has entered nothing"
