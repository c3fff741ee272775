"""Why was I blocked: one action after the stop, whatever it was, and Sweep shows the row that decided."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from editor.models.sweep.steps import NODE_ROLE
from editor.models.timeline.events import SLIDES, STOPS
from editor.session.sources import DEMO
from engine.build.demo import SPOTS
from engine.sim.edits.player import Teleport
from engine.sim.tick.contacts import EDGE, MET, STEEP, TERRAIN, THING, WALLS, Contact
from engine.sim.trace.tree import POLYGON, TraceNode
from tests.gui.stories.actions import Actions
from tests.gui.view3d.view_hands import view_of, viewport_of
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

MOST_ACTIONS = 2
STORIES = {
    "head-on": ("cottage_inside_front_door", 0.0, STOPS, "Blocked by Front Door, part 1, polygon 0"),
    "slanted": ("cottage_inside_front_door", 25.0, SLIDES, "Slid along Front Door, part 1, polygon 0"),
    "wall": ("cottage_inside_front_door", 90.0, STOPS, "Blocked by a wall of Cottage vestibule 0xC95B0100, polygon 1"),
    "chimney": (
        "cottage_parlour",
        0.0,
        SLIDES,
        "Slid along Fireplace (static 0 of Parlour 0xC95B0101), part 0, polygon 25",
    ),
    "too steep": ("steep_slope", 0.0, STOPS, "Blocked by the land of 0xC95B002F, polygon 92, which is too steep"),
}


@pytest.fixture
def demo(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    with view_of(qtbot, settings, DEMO) as window:
        yield window


def until_hindered(qtbot: QtBot, window: MainWindow, story: str) -> Contact:
    """Walk by keys until the story's event is there; its first cause."""
    spot, turn, kind, text = STORIES[story]
    place = SPOTS[spot]
    window.document.edit("Stand There", Teleport(place.cell_id, *place.origin, place.heading + turn))
    viewport_of(window).setFocus()
    qtbot.keyClick(viewport_of(window), Qt.Key.Key_Tab)
    qtbot.keyPress(viewport_of(window), Qt.Key.Key_W)
    qtbot.waitUntil(lambda: any(event.kind == kind for event in window.events.events), timeout=30_000)
    qtbot.keyRelease(viewport_of(window), Qt.Key.Key_W)
    window.clock.pause()
    event = window.events.chosen(kind)[0]
    assert event.text == text
    return event.contacts[0]


def assert_explained(window: MainWindow, contact: Contact, tick: int) -> None:
    """Sweep is in front, in the tick of the stop, and its row is what decided there."""
    panel = window.docks.panel(SweepPanel)
    assert not panel.visibleRegion().isEmpty()
    assert panel.watch.tick == tick
    node = panel.tree.currentIndex().siblingAtColumn(0).data(NODE_ROLE)
    assert isinstance(node, TraceNode)
    if contact.how == MET and contact.polygon_id >= 0:
        assert node.kind == POLYGON
        assert node.polygon_id == contact.polygon_id
    assert window.viewing.substep is not None, "the sub-step is in the picture"
    assert window.viewing.substep.node is node


@pytest.mark.parametrize("story", STORIES)
def test_why_was_i_blocked_takes_one_click(qtbot: QtBot, demo: MainWindow, story: str) -> None:
    contact = until_hindered(qtbot, demo, story)
    kind, text = STORIES[story][2:]
    event = demo.events.chosen(kind)[0]
    strip = demo.notices
    line = next(number for number, (label, _) in enumerate(strip.lines) if text in label.text())
    assert strip.lines[line][1].isVisible()
    user = Actions()
    user.click(strip.lines[line][1])
    assert_explained(demo, contact, event.tick)
    assert user.count <= MOST_ACTIONS
    expected = {"head-on": (MET, THING), "slanted": (MET, THING), "chimney": (MET, THING), "wall": (MET, WALLS)}
    assert (contact.how, contact.what) == expected.get(story, (STEEP, TERRAIN))
    assert contact.how != EDGE


def test_why_was_i_blocked_takes_one_key(qtbot: QtBot, demo: MainWindow) -> None:
    contact = until_hindered(qtbot, demo, "wall")
    user = Actions()
    user.press(viewport_of(demo), Qt.Key.Key_Y)
    assert_explained(demo, contact, demo.events.chosen(STOPS)[-1].tick)
    assert user.count <= MOST_ACTIONS
