"""Go back two hundred ticks to the sub-step that blocked; time continues from there with another state bit."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from editor.models.player import VALUE
from engine.sim.trace.tree import POLYGON
from engine.world.cells.ids import cell_text
from tests.gui.docks.live_hands import click_button, click_check, raise_dock, type_place
from tests.gui.docks.test_live_time import press_tool
from ui.docks.entities import EntitiesPanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL, STUDY = 0x00070100, 0x00070101
BACK = 200


def until_blocked(qtbot: QtBot, window: MainWindow) -> int:
    """Walk into the door; the number of the following tick."""
    for _ in range(90):
        qtbot.keyClick(window, ".")
        report = window.document.sim.last_report
        if report is not None and report.collided_objects:
            return window.document.sim.tick_number
    raise AssertionError("nothing was in the way")


def scrub_to(qtbot: QtBot, window: MainWindow, tick: int) -> None:
    """Press on the curves, then step to the exact tick: a pixel may span several."""
    plot = window.docks.panel(TimelinePanel).plot
    at = QPoint(round(plot.x_of(tick)), plot.view.height() // 2)
    qtbot.mouseClick(plot.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    for _ in range(4):
        now = window.document.sim.tick_number
        if now != tick:
            qtbot.keyClick(window, "," if now > tick else ".")
    assert window.document.sim.tick_number == tick


def test_time_continues_from_a_blocked_sub_step_with_another_state_bit(qtbot: QtBot, opened: MainWindow) -> None:
    live, document = opened, opened.document
    raise_dock(qtbot, live.docks.dock(PlayerPanel))
    raise_dock(qtbot, live.docks.dock(TimelinePanel))
    door = document.sim.population.doors[0]
    type_place(qtbot, live.docks.panel(PlayerPanel), HALL, (4.0, door.origin()[1], 0.0), 90.0)
    qtbot.mouseClick(live.docks.panel(PlayerPanel).pad.buttons["forward"], Qt.MouseButton.LeftButton)
    blocked = until_blocked(qtbot, opened)
    live.docks.panel(PlayerPanel).count.setValue(BACK)
    click_button(qtbot, live.docks.panel(PlayerPanel), "player-step-many-button")
    qtbot.waitUntil(lambda: not live.clock.is_stepping, timeout=20_000)
    assert document.sim.tick_number == blocked + BACK
    assert document.sim.graph.current_id == HALL

    scrub_to(qtbot, opened, blocked)
    assert live.time_bar.continue_action.isEnabled(), "this is the past"
    assert live.docks.panel(PlayerPanel).model.text("Last tick", VALUE) == "■ blocked"

    raise_dock(qtbot, live.docks.dock(SweepPanel))
    assert "Blocked by hall-study door" in live.docks.panel(SweepPanel).summary.text()
    click_button(qtbot, live.docks.panel(SweepPanel), "sweep-culprit-button")
    shown = opened.viewing.substep
    assert shown is not None
    assert shown.node.kind == POLYGON
    assert shown.tick == blocked - 1

    press_tool(qtbot, opened, "continue-here")
    assert not document.in_past
    assert f"{BACK} later ticks discarded" in opened.status.currentMessage()

    opened.navigation.go_to(cell_text(door.id))
    raise_dock(qtbot, live.docks.dock(EntitiesPanel))
    assert live.docks.panel(EntitiesPanel).entity is door
    live.docks.panel(EntitiesPanel).tabs.setCurrentWidget(live.docks.panel(EntitiesPanel).bit_view)
    click_check(qtbot, live.docks.panel(EntitiesPanel).bit_view, "ETHEREAL")
    assert document.stack.undo_text() == "Switch ETHEREAL of hall-study door On"

    raise_dock(qtbot, live.docks.dock(PlayerPanel))
    live.docks.panel(PlayerPanel).count.setValue(60)
    click_button(qtbot, live.docks.panel(PlayerPanel), "player-step-many-button")
    qtbot.waitUntil(lambda: not live.clock.is_stepping, timeout=20_000)
    assert document.sim.tick_number == blocked + 60
    assert document.sim.graph.current_id == STUDY
    assert live.docks.panel(PlayerPanel).model.text("Cell", VALUE) == cell_text(STUDY)
