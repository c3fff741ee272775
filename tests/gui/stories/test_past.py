"""Two hundred ticks back, to the sub-step that blocked; time goes on from there with another state bit."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from editor.models.player import VALUE
from engine.sim.trace_tree import POLYGON
from engine.world.cells.ids import cell_text
from tests.gui.docks.live_hands import click_button, click_check, raise_dock, type_place
from tests.gui.docks.test_live_time import press_tool
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL, STUDY = 0x00070100, 0x00070101
BACK = 200


def until_blocked(qtbot: QtBot, window: MainWindow) -> int:
    """Walk into the door; the number of the tick that comes after."""
    for _ in range(90):
        qtbot.keyClick(window, ".")
        report = window.live.document.sim.last_report
        if report is not None and report.collided_objects:
            return window.live.document.sim.tick_number
    raise AssertionError("nothing was in the way")


def scrub_to(qtbot: QtBot, window: MainWindow, tick: int) -> None:
    """Press on the strip, and by single ticks to the very one: a pixel may be more than a tick."""
    strip = window.live.timeline.strip
    at = QPoint(round(strip.x_of(tick)), strip.height() // 2)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=at)
    for _ in range(4):
        now = window.live.document.sim.tick_number
        if now != tick:
            qtbot.keyClick(window, "," if now > tick else ".")
    assert window.live.document.sim.tick_number == tick


def test_time_goes_on_from_a_blocked_sub_step_with_another_state_bit(qtbot: QtBot, opened: MainWindow) -> None:
    live, document = opened.live, opened.live.document
    raise_dock(qtbot, live.docks[live.player])
    raise_dock(qtbot, live.docks[live.timeline])
    door = document.sim.population.doors[0]
    type_place(qtbot, live.player, HALL, (4.0, door.origin()[1], 0.0), 90.0)
    qtbot.mouseClick(live.player.pad.buttons["forward"], Qt.MouseButton.LeftButton)
    blocked = until_blocked(qtbot, opened)
    live.player.count.setValue(BACK)
    click_button(qtbot, live.player, "player-step-many-button")
    qtbot.waitUntil(lambda: not live.clock.is_stepping, timeout=20_000)
    assert document.sim.tick_number == blocked + BACK
    assert document.sim.graph.current_id == HALL

    scrub_to(qtbot, opened, blocked)
    assert live.time_bar.continue_action.isEnabled(), "this is the past"
    assert live.player.model.text("Last tick", VALUE) == "■ blocked"

    raise_dock(qtbot, live.docks[live.sweep])
    assert "of hall-study door" in live.sweep.summary.text()
    click_button(qtbot, live.sweep, "sweep-culprit-button")
    passage = opened.viewing.substep
    assert passage is not None
    assert passage.node.kind == POLYGON
    assert passage.tick == blocked - 1

    press_tool(qtbot, opened, "continue-here")
    assert not document.in_past
    assert f"{BACK} later ticks discarded" in opened.status.currentMessage()

    opened.go_to(cell_text(door.id))
    raise_dock(qtbot, live.docks[live.entities])
    assert live.entities.entity is door
    live.entities.tabs.setCurrentWidget(live.entities.bit_view)
    click_check(qtbot, live.entities.bit_view, "ETHEREAL")
    assert document.stack.undo_text() == "Switch ETHEREAL of hall-study door On"

    live.player.count.setValue(60)
    click_button(qtbot, live.player, "player-step-many-button")
    qtbot.waitUntil(lambda: not live.clock.is_stepping, timeout=20_000)
    assert document.sim.tick_number == blocked + 60
    assert document.sim.graph.current_id == STUDY
    assert live.player.model.text("Cell", VALUE) == cell_text(STUDY)
