"""A player whom no cell holds: every dock says so, the picture stays and says why, and Put Back returns him."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from editor.models.log import CELLS, FAULT_KIND
from editor.models.player import VALUE
from editor.session.sources import DEMO
from editor.view3d.hud import hud_rows
from engine.build.demo import SPOTS
from engine.render.viewer.viewer import View
from engine.sim.edits.entities import SetVelocity
from engine.sim.edits.player import Teleport
from engine.visibility.root import PLAYER
from engine.world.cells.ids import cell_text
from tests.gui.docks.live_hands import click_button, raise_dock
from tests.gui.view3d.view_hands import picture, redraw, viewer_of, viewport_of
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

SPOT = SPOTS["great_hall"]
HALL = cell_text(SPOT.cell_id)


def hud_of(qtbot: QtBot, window: MainWindow) -> str:
    """What is written over the picture of the player's cell."""
    redraw(qtbot, window)
    shown = viewport_of(window).picture
    assert shown is not None
    cells = hud_rows(viewer_of(window), shown.frame, 0.0)[0]
    return next(entry.value for entry in cells if entry.name == "player")


def step(qtbot: QtBot, window: MainWindow, count: int) -> None:
    window.docks.panel(PlayerPanel).count.setValue(count)
    click_button(qtbot, window.docks.panel(PlayerPanel), "player-step-many-button")
    qtbot.waitUntil(lambda: not window.clock.is_stepping, timeout=20_000)


@pytest.fixture
def lost(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The demo, its great hall without a floor, and the player fallen out of it while the camera followed him."""
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(DEMO)
    qtbot.keyClick(window, Qt.Key.Key_F2)
    live, document = window, window.document
    for panel in (
        live.docks.panel(CellGraphPanel),
        live.docks.panel(CellPanel),
        live.docks.panel(SweepPanel),
        live.docks.panel(PlayerPanel),
    ):
        raise_dock(qtbot, live.docks.of(panel))
    hall = document.sim.graph.get_visible(SPOT.cell_id)
    assert hall is not None
    document.edit("Teleport Player", Teleport(SPOT.cell_id, *SPOT.origin, SPOT.heading))
    hall.physics_tree = None
    document.edit("Push Player", SetVelocity(document.sim.player.id, 0.0, 0.0, 1.0))
    viewport_of(window).setFocus()
    qtbot.keyClick(viewport_of(window), Qt.Key.Key_Tab)
    assert viewer_of(window).view is View.CHASE
    redraw(qtbot, window)
    step(qtbot, window, 45)
    assert document.sim.player.steered.is_lost
    return window


def test_every_dock_says_that_the_player_is_lost(qtbot: QtBot, lost: MainWindow) -> None:
    live = lost
    assert live.docks.panel(PlayerPanel).model.text("Cell", VALUE) == f"■ lost, left {HALL} Great hall"
    assert live.docks.panel(PlayerPanel).model.text("Last tick", VALUE) == "■ lost"
    assert live.docks.panel(PlayerPanel).lost_label.isVisible()
    assert "no cell holds the centre" in live.docks.panel(PlayerPanel).lost_label.text()
    raise_dock(qtbot, live.docks.dock(SweepPanel))
    assert "■ lost: no cell holds the centre" in live.docks.panel(SweepPanel).summary.text()
    assert live.docks.panel(CellGraphPanel).view.sight.current == 0
    assert "lost" in live.docks.panel(CellGraphPanel).legend.text()
    raise_dock(qtbot, live.docks.dock(CellPanel))
    live.docks.panel(CellPanel).follow_player.click()
    assert live.docks.panel(CellPanel).title.text() == "■ lost"
    assert "no cell holds the centre" in live.docks.panel(CellPanel).head_page.view.empty
    raise_dock(qtbot, live.docks.dock(TimelinePanel))
    timeline = live.docks.panel(TimelinePanel)
    assert timeline.log.cells.value(len(timeline.log) - 1) == 0
    assert timeline.plot.legend.values()["cell"] == "■ no cell"
    assert any("left all cells" in event.text for event in timeline.events.events)
    said = {entry.kind: entry.text for entry in live.log.entries}
    assert said[CELLS].startswith("Player left all cells at ")
    assert said[CELLS].endswith(": no cell holds the centre")
    assert said[FAULT_KIND] == "the player has left all cells: none holds the centre"
    assert "Put Player Back returns the player" in lost.status.currentMessage()
    raise_dock(qtbot, live.docks.dock(EntitiesPanel))
    assert f"■ left Great hall {HALL}" in [row.values[2].text for row in live.docks.panel(EntitiesPanel).model.rows]
    assert hud_of(qtbot, lost) == f"■ lost, left Great hall {HALL}"


def test_the_picture_keeps_the_last_view_and_says_why(qtbot: QtBot, lost: MainWindow) -> None:
    """By itself the root is the camera's cell, which stays; rooted at the player it has to be another's."""
    redraw(qtbot, lost)
    shown = viewport_of(lost).picture
    assert shown is not None
    assert shown.frame.root_id != 0
    assert shown.message == ""
    lost.viewing.set_root_mode(PLAYER)
    redraw(qtbot, lost)
    shown = viewport_of(lost).picture
    assert shown is not None
    assert "there is no player cell" in shown.message
    before = picture(lost)
    step(qtbot, lost, 10)
    assert lost.document.sim.player.steered.is_lost
    assert picture(lost) == before


def test_put_back_returns_the_player_and_can_be_undone(qtbot: QtBot, lost: MainWindow) -> None:
    live, document = lost, lost.document
    assert "Edit" in {command.where for command in lost.commands.commands() if command.title == "Put Player Back"}
    click_button(qtbot, live.docks.panel(PlayerPanel), "player-put-back-button")
    assert document.stack.undo_text() == "Put Player Back"
    assert live.docks.panel(PlayerPanel).model.text("Cell", VALUE) == f"{HALL} Great hall"
    assert not live.docks.panel(PlayerPanel).lost_label.isVisible()
    assert not live.docks.panel(PlayerPanel).put_back_action.isEnabled()
    assert live.docks.panel(CellGraphPanel).view.sight.current == SPOT.cell_id
    assert hud_of(qtbot, lost) == f"Great hall {HALL}"
    lost.time_bar.undo_action.trigger()
    assert document.sim.player.steered.is_lost
    assert live.docks.panel(PlayerPanel).put_back_action.isEnabled()
    lost.time_bar.redo_action.trigger()
    assert not document.sim.player.steered.is_lost
