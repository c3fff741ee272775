"""Timeline by mouse and keys: scrub, jump to what happened, and go on from there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QSplitter
from pytestqt.qtbot import QtBot

from editor.models.timeline import HITS
from tests.gui.docks.live_hands import click_button, click_row, double_click_row, raise_dock, type_place
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.timeline.timeline_dock import NARROWEST, Strip, TimelinePanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL = 0x00070100


@pytest.fixture
def walked(qtbot: QtBot, opened: MainWindow) -> TimelinePanel:
    """Timeline in front, and a walk into the door between hall and study."""
    live = opened
    raise_dock(qtbot, live.docks.dock(PlayerPanel))
    raise_dock(qtbot, live.docks.dock(TimelinePanel))
    door = live.document.sim.population.doors[0]
    type_place(qtbot, live.docks.panel(PlayerPanel), HALL, (2.0, door.origin()[1], 0.0), 90.0)
    qtbot.mouseClick(live.docks.panel(PlayerPanel).pad.buttons["forward"], Qt.MouseButton.LeftButton)
    live.clock.step(120)
    qtbot.waitUntil(lambda: not live.clock.is_stepping, timeout=20_000)
    return live.docks.panel(TimelinePanel)


def at(panel: TimelinePanel, tick: int) -> QPoint:
    return QPoint(round(panel.strip.x_of(tick)), panel.strip.height() // 2)


def test_pressing_and_dragging_shows_the_past_and_the_end_is_the_present(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel
) -> None:
    document, strip = opened.document, walked.strip
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=at(walked, 40))
    assert document.sim.tick_number == 40
    assert document.in_past
    assert walked.strip.now == 40
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=at(walked, 40))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(strip.width() - 1, 20))
    assert document.sim.tick_number == 120
    assert not document.in_past


def test_a_double_click_shows_the_tick_in_which_it_happened(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel
) -> None:
    hit = walked.chronicle.chosen(HITS)[0]
    key = next(row.key for row in walked.model.rows if isinstance(row.key, tuple) and row.key[0] == hit.tick)
    double_click_row(qtbot, walked.view, key)
    report = opened.document.sim.last_report
    assert report is not None
    assert report.tick == hit.tick
    assert report.collided_objects


def test_jumps_go_by_kind_and_say_when_there_is_nothing(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel
) -> None:
    walked.kinds.setCurrentText(HITS)
    click_button(qtbot, walked, "timeline-before-button")
    hit = walked.chronicle.chosen(HITS)[0]
    assert opened.document.sim.tick_number == hit.tick + 1
    assert not walked.before_action.isEnabled()
    assert walked.before_action.toolTip() == "Nothing of collisions came before."
    assert len(walked.model.rows) == 1


def test_going_on_from_the_past_shortens_the_strip(qtbot: QtBot, opened: MainWindow, walked: TimelinePanel) -> None:
    qtbot.mouseClick(walked.strip, Qt.MouseButton.LeftButton, pos=at(walked, 10))
    opened.time_bar.continue_action.trigger()
    assert len(walked.strip.curves) == 10
    assert walked.chronicle.chosen(HITS) == []


def test_a_click_in_the_list_alone_leads_nowhere(qtbot: QtBot, opened: MainWindow, walked: TimelinePanel) -> None:
    click_row(qtbot, walked.view, walked.model.rows[0].key)
    assert opened.document.sim.tick_number == 120
    walked.view.setFocus()
    qtbot.keyClick(walked.view, Qt.Key.Key_Return)
    assert opened.document.in_past


def test_the_strip_is_drawn_with_and_without_ticks(qtbot: QtBot, opened: MainWindow) -> None:
    panel = opened.docks.panel(TimelinePanel)
    raise_dock(qtbot, opened.docks.of(panel))
    assert not panel.strip.grab().isNull()
    opened.clock.step(50)
    picture = panel.strip.grab().toImage()
    colours = {picture.pixelColor(x, picture.height() // 2).name() for x in range(0, picture.width(), 3)}
    assert len(colours) > 1


def test_the_curves_keep_room_beside_their_legend(qtbot: QtBot, walked: TimelinePanel) -> None:
    splitter = walked.strip.parentWidget()
    assert isinstance(splitter, QSplitter)
    handle = splitter.handle(1)
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton)
    qtbot.mouseMove(handle, QPoint(-2000, 10))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(-2000, 10))
    assert splitter.sizes()[0] < walked.strip.sizeHint().width()
    assert walked.strip.x_of(120) - walked.strip.x_of(0) >= NARROWEST
    assert has_ink(walked.strip)


def has_ink(strip: Strip) -> bool:
    """Something of the height is drawn where the curves are."""
    image = strip.grab().toImage()
    colour = QColor(strip.colours.visible).rgb()
    return any(image.pixel(x, y) == colour for x in range(image.width()) for y in range(image.height()))


def test_ticks_in_which_nothing_happened_are_not_told_as_none(qtbot: QtBot, opened: MainWindow) -> None:
    panel = opened.docks.panel(TimelinePanel)
    raise_dock(qtbot, opened.docks.of(panel))
    assert panel.view.empty.startswith("Let time pass")
    opened.document.tick()
    assert panel.view.empty.startswith("Nothing of the kind yet")
