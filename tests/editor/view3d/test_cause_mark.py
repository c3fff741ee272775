"""A link of a why chain in the picture: what is selected, outlined and looked at."""

from __future__ import annotations

import pytest

from editor.document.document import Document
from editor.session.session import Kind
from editor.view3d.cause_mark import cause_overlay, focus_of_link, polygon_corners, selection_of_link
from engine.sim.recording import Recording
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import Asked, CauseKind, Link
from engine.sim.why.question import answer
from tests.editor.document.small_document import document_of
from tests.editor.models.why_chain.hatch_world import HALL, door_by_a_hatch, slide_over_the_edge
from tests.sim.helpers.small_worlds import built


def recording_of(document: Document) -> Recording:
    assert document.history is not None
    return document.history.recording


@pytest.fixture(scope="module")
def fallen() -> tuple[Simulation, tuple[Link, ...]]:
    """The simulation in the tick in which contact was lost, and the links that led to it."""
    document = document_of(built(door_by_a_hatch))
    _, lost = slide_over_the_edge(document)
    sim = document.sim
    asked = Asked(sim.player.id, "contact_plane", lost)
    own = Simulation(sim.world, sim.rules, sim.player.id, sim.player.name)
    return sim, answer(own, recording_of(document), asked).links


def test_ground_is_its_polygon_and_is_looked_at_where_the_body_stands(
    fallen: tuple[Simulation, tuple[Link, ...]],
) -> None:
    sim, links = fallen
    corners = polygon_corners(links[0], sim)
    assert len(corners) >= 3
    assert {corner[2] for corner in corners} == {0.0}
    found = selection_of_link(links[0], sim)
    assert found is not None
    assert (found.kind, found.key) == (Kind.CELL, HALL)
    focus = focus_of_link(links[0], sim)
    assert focus is not None
    assert focus.room is sim.graph.peek(HALL)
    assert (focus.target[0], focus.target[1]) == pytest.approx(sim.player.origin()[:2], abs=0.3)


def test_a_door_is_selected_with_the_polygon_of_the_part_that_was_met(
    fallen: tuple[Simulation, tuple[Link, ...]],
) -> None:
    sim, links = fallen
    (door,) = sim.population.doors
    found = selection_of_link(links[1], sim)
    assert found is not None
    assert (found.kind, found.key) == (Kind.ENTITY, door.id)
    corners = polygon_corners(links[1], sim)
    x, y, _ = sim.player.origin()
    assert all(x < corner[0] < x + 0.6 for corner in corners), "the side of the leaf that he slid along"
    assert min(corner[1] for corner in corners) < y < max(corner[1] for corner in corners) + 0.5
    shown = cause_overlay(links[1], sim)
    assert [label.text for label in shown.labels] == [f"Front Door, polygon 0, tick {links[1].tick}"]
    assert shown.triangles


def test_a_timer_has_a_thing_but_no_place_of_its_own(fallen: tuple[Simulation, tuple[Link, ...]]) -> None:
    sim, links = fallen
    assert links[2].kind is CauseKind.TIMER
    (door,) = sim.population.doors
    found = selection_of_link(links[2], sim)
    assert found is not None
    assert found.key == door.id
    assert focus_of_link(links[2], sim) is None
    assert cause_overlay(links[2], sim).is_empty
    assert polygon_corners(links[2], sim) == []


def test_a_link_to_what_is_gone_shows_nothing(fallen: tuple[Simulation, tuple[Link, ...]]) -> None:
    sim, _ = fallen
    asked = Asked(0x12345678, "origin", 3)
    gone = Link(asked, "x", "1", "2", 3, CauseKind.OBJECT, "gone", cell=0x00070199, entity=0x1234, polygon=7, portal=3)
    assert selection_of_link(gone, sim) is None
    assert cause_overlay(gone, sim).is_empty
    assert focus_of_link(gone, sim) is None
