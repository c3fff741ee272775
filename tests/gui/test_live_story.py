"""The demo's story, by clicks and keys: the closed front door blocks, used it lets through, half a minute later it
blocks again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from editor.opening import DEMO
from editor.player import VALUE
from editor.session import Kind
from engine.build.demo import SPOTS
from engine.world.cells.ids import cell_text
from tests.gui.live_hands import click_button, click_row, raise_dock, type_place
from ui.docks.panel import is_seen
from ui.main_window import MainWindow

pytestmark = pytest.mark.gui

FRONT_DOOR = 0x7C95B001


def player(window: MainWindow, name: str) -> str:
    return window.live.player.model.text(name, VALUE)


def door(window: MainWindow, column: int) -> str:
    return window.live.doors.model.text(FRONT_DOOR, column)


def steps(qtbot: QtBot, window: MainWindow, count: int) -> None:
    window.live.player.count.setValue(count)
    click_button(qtbot, window.live.player, "player-step-many-button")


def test_the_front_door_blocks_lets_through_when_used_and_blocks_again(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(DEMO)
    live, sim = window.live, window.live.document
    raise_dock(qtbot, live.docks[live.doors])
    raise_dock(qtbot, live.docks[live.player])
    click_row(qtbot, live.doors.view, FRONT_DOOR)
    assert window.session.selection is not None
    assert (window.session.selection.kind, window.session.selection.key) == (Kind.ENTITY, FRONT_DOOR)
    assert [door(window, column) for column in (0, 1, 2)] == ["Front Door", "closed", "■ solid"]

    spot = SPOTS["cottage_inside_front_door"]
    type_place(qtbot, live.player, spot.cell_id, spot.origin, spot.heading)
    assert player(window, "Cell") == cell_text(spot.cell_id)
    assert sim.stack.undoText() == "Teleport Player"
    qtbot.mouseClick(live.player.pad.buttons["forward"], Qt.MouseButton.LeftButton)
    steps(qtbot, window, 30)
    assert player(window, "Last tick") == "■ blocked"
    assert player(window, "Last ran into").startswith("Front Door, in tick")
    assert player(window, "Cell") == cell_text(spot.cell_id)

    live.doors.view.setFocus()
    qtbot.keyClick(live.doors.view, Qt.Key.Key_Return)
    assert sim.stack.undoText() == "Open Front Door"
    assert [door(window, column) for column in (1, 2)] == ["opening", "✓ passable"]
    assert door(window, 4) == "30.0"
    steps(qtbot, window, 60)
    outside = sim.sim.graph.current_id
    assert outside & 0xFFFF < 0x100
    assert player(window, "Cell") == cell_text(outside)

    click_button(qtbot, live.player, "player-let-go-button")
    steps(qtbot, window, 30 * 32)
    assert [door(window, column) for column in (1, 2, 4)] == ["closed", "■ solid", "–"]
    place = sim.sim.player.steered.place
    type_place(qtbot, live.player, place.cell_id, place.origin, spot.heading - 180.0)
    qtbot.mouseClick(live.player.pad.buttons["forward"], Qt.MouseButton.LeftButton)
    steps(qtbot, window, 90)
    assert player(window, "Last ran into").startswith("Front Door, in tick 1,0")
    assert sim.sim.graph.current_id & 0xFFFF < 0x100, "the closed door lets nobody back in"


def test_the_demo_begins_with_the_player_in_the_cottage_and_its_front_door_selected(
    qtbot: QtBot, window: MainWindow
) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(DEMO)
    assert player(window, "Cell") == cell_text(SPOTS["cottage_parlour"].cell_id)
    qtbot.waitUntil(lambda: window.session.selection is not None and window.session.selection.key == FRONT_DOOR)
    assert window.live.doors.view.key == FRONT_DOOR
    assert "0xC95B0100" in window.live.cell.title.text() or not is_seen(window.live.cell)
