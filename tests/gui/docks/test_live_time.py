"""Time by keys and toolbar: back into the past, on from there, and the present again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from editor.models import doors
from editor.models.log import SAID
from editor.models.player import VALUE
from editor.models.timeline.csv_table import CsvTable
from editor.models.timeline.events import STOPS
from engine.sim.edits.player import Teleport
from tests.gui.docks.live_hands import click_button, click_row, double_click_row, raise_dock
from ui.docks.doors import DoorsPanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


def press_tool(qtbot: QtBot, window: MainWindow, name: str) -> None:
    """Click a button of the toolbar."""
    bar = window.time_bar
    action = next(action for action in bar.actions() if action.objectName() == name)
    button = bar.widgetForAction(action)
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_comma_goes_back_and_the_docks_show_the_past(qtbot: QtBot, opened: MainWindow) -> None:
    live = opened
    raise_dock(qtbot, live.docks.dock(DoorsPanel))
    door = live.document.sim.population.doors[0].id
    click_row(qtbot, live.docks.panel(DoorsPanel).view, door)
    live.clock.step(5)
    click_button(qtbot, live.docks.panel(DoorsPanel), "door-hold-button")
    live.clock.step(20)
    assert live.docks.panel(DoorsPanel).model.text(door, doors.COLLISION) == "✓ passable"
    for _ in range(2):
        qtbot.keyClick(opened, ",", Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(opened, ",")
    assert live.document.sim.tick_number == 4
    assert live.docks.panel(DoorsPanel).model.text(door, doors.COLLISION) == "■ solid"
    assert live.time_bar.tick_label.text() == "tick 3 of 24  0:00.1"
    assert live.time_bar.tick_label.palette().windowText().color().name() == opened.colours.current
    assert not live.docks.panel(DoorsPanel).lock_action.isEnabled()
    assert (
        live.docks.panel(DoorsPanel).lock_action.toolTip()
        == "The past is read-only. Continue Here resumes from this tick."
    )
    qtbot.keyClick(opened, ".")
    qtbot.keyClick(opened, ".")
    assert live.docks.panel(DoorsPanel).model.text(door, doors.COLLISION) == "✓ passable"
    press_tool(qtbot, opened, "to-present")
    assert live.document.sim.tick_number == 25
    assert not live.time_bar.continue_action.isEnabled()
    assert live.time_bar.continue_action.toolTip() == "This is the present."


def test_time_continues_from_the_past_when_asked(qtbot: QtBot, opened: MainWindow) -> None:
    live = opened
    live.clock.step(25)
    qtbot.keyClick(opened, ",", Qt.KeyboardModifier.ShiftModifier)
    press_tool(qtbot, opened, "continue-here")
    assert "10 later ticks discarded" in opened.statusBar().currentMessage()
    qtbot.keyClick(opened, ".")
    assert live.document.sim.tick_number == 16
    assert not live.document.in_past


def test_the_first_tick_says_that_there_is_no_way_back(opened: MainWindow) -> None:
    bar = opened.time_bar
    assert not bar.back_action.isEnabled()
    assert bar.back_action.toolTip() == "The recording begins here."


def test_one_contact_has_one_number_everywhere(qtbot: QtBot, opened: MainWindow) -> None:
    live, document = opened, opened.document
    timeline, sweep = live.docks.panel(TimelinePanel), live.docks.panel(SweepPanel)
    player = live.docks.panel(PlayerPanel)
    door = document.sim.population.doors[0]
    assert live.time_bar.tick_label.text() == "before tick 0  0:00.0"
    document.edit("Stand There", Teleport(0x00070100, 4.0, door.origin()[1], 0.0, 90.0))
    live.clock.keys.forward = 1.0
    live.clock.step(60)
    qtbot.waitUntil(lambda: not live.clock.is_stepping, timeout=20_000)
    raise_dock(qtbot, live.docks.dock(TimelinePanel))
    (stop,) = live.events.chosen(STOPS)
    tick = f"{stop.tick}"
    double_click_row(
        qtbot, timeline.view, next(row.key for row in timeline.model.rows if row.values[-1].text == stop.line)
    )
    report = document.sim.last_report
    assert report is not None
    assert report.tick == stop.tick
    assert report.blocked
    assert live.time_bar.tick_label.text().startswith(f"tick {tick} of 59 ")
    raise_dock(qtbot, live.docks.dock(PlayerPanel))
    assert player.model.text("Last collision", VALUE) == f"{stop.text}, in ticks {tick} to 59"
    raise_dock(qtbot, live.docks.dock(SweepPanel))
    assert sweep.summary.text().startswith(f"Tick {tick}:")
    table = CsvTable(timeline.log, live.events, live.plots)
    rows = [dict(zip(table.titles, table.line(number), strict=True)) for number in range(table.count)]
    assert [row["tick"] for row in rows if stop.text in row["events"]] == [tick]
    live.log.add(SAID, "here")
    assert live.log.entries[-1].tick == stop.tick
