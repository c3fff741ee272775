"""The demo's story, by clicks and keys: the closed front door blocks; used, it lets the player through; half a minute
later it blocks again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from editor.models.doors import COLLISION, NAME, RESETS_IN, STATE
from editor.models.player import VALUE
from editor.session.session import Kind
from editor.session.sources import DEMO
from editor.view3d.hud import hud_rows
from engine.build.demo import SPOTS
from engine.world.cells.ids import cell_text
from tests.gui.docks.live_hands import click_button, click_row, raise_dock, type_place
from tests.gui.view3d.view_hands import redraw, viewer_of, viewport_of
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.doors import DoorsPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.panel import is_seen
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

FRONT_DOOR = 0x7C95B001


def sweep_says(qtbot: QtBot, window: MainWindow) -> str:
    raise_dock(qtbot, window.docks.dock(SweepPanel))
    return window.docks.panel(SweepPanel).summary.text()


def player(qtbot: QtBot, window: MainWindow, name: str) -> str:
    raise_dock(qtbot, window.docks.dock(PlayerPanel))
    return window.docks.panel(PlayerPanel).model.text(name, VALUE)


def door(window: MainWindow, *columns: int) -> list[str]:
    return [window.docks.panel(DoorsPanel).model.text(FRONT_DOOR, column) for column in columns]


def steps(qtbot: QtBot, window: MainWindow, count: int) -> None:
    window.docks.panel(PlayerPanel).count.setValue(count)
    click_button(qtbot, window.docks.panel(PlayerPanel), "player-step-many-button")
    qtbot.waitUntil(lambda: not window.clock.is_stepping, timeout=20_000)


def press_forward(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.mouseClick(window.docks.panel(PlayerPanel).pad.buttons["forward"], Qt.MouseButton.LeftButton)


def hud_cell(qtbot: QtBot, window: MainWindow) -> str:
    """The player's cell as written over the picture."""
    redraw(qtbot, window)
    picture = viewport_of(window).picture
    assert picture is not None
    cells = hud_rows(viewer_of(window), picture.frame, 0.0)[0]
    return next(entry.value for entry in cells if entry.name == "player")


def is_in(qtbot: QtBot, window: MainWindow, cell_id: int) -> bool:
    """Whether player, graph and picture all agree."""
    told = {
        player(qtbot, window, "Cell"),
        cell_text(window.docks.panel(CellGraphPanel).view.sight.current),
        hud_cell(qtbot, window),
    }
    return all(cell_text(cell_id) in text.split() for text in told)  # its name stands beside the id


@pytest.fixture
def demo(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The demo in the 3D view, with Doors over Cell Graph on the left, Player and Sweep on the right."""
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(DEMO)
    qtbot.keyClick(window, Qt.Key.Key_F2)
    live = window
    for panel in (
        live.docks.panel(DoorsPanel),
        live.docks.panel(CellGraphPanel),
        live.docks.panel(PlayerPanel),
        live.docks.panel(SweepPanel),
    ):
        raise_dock(qtbot, live.docks.of(panel))
    return window


def test_the_front_door_blocks_opens_when_used_and_blocks_again(qtbot: QtBot, demo: MainWindow) -> None:
    live, sim = demo, demo.document
    click_row(qtbot, live.docks.panel(DoorsPanel).view, FRONT_DOOR)
    assert demo.session.selection is not None
    assert (demo.session.selection.kind, demo.session.selection.key) == (Kind.ENTITY, FRONT_DOOR)
    assert door(demo, NAME, STATE, COLLISION) == ["Front Door", "closed", "■ solid"]

    spot = SPOTS["cottage_inside_front_door"]
    type_place(qtbot, live.docks.panel(PlayerPanel), spot.cell_id, spot.origin, spot.heading)
    assert is_in(qtbot, demo, spot.cell_id)
    assert sim.stack.undo_text() == "Teleport Player"
    press_forward(qtbot, demo)
    for _ in range(30):
        qtbot.keyClick(demo, ".")
        if "Front Door" in sweep_says(qtbot, demo):
            break
    assert "by Front Door" in sweep_says(qtbot, demo)
    steps(qtbot, demo, 30)
    assert player(qtbot, demo, "Last tick") == "■ blocked"
    assert player(qtbot, demo, "Last collision").startswith("Blocked by Front Door, part ")
    assert is_in(qtbot, demo, spot.cell_id)

    live.docks.panel(DoorsPanel).view.setFocus()
    qtbot.keyClick(live.docks.panel(DoorsPanel).view, Qt.Key.Key_Return)
    assert sim.stack.undo_text() == "Open Front Door"
    assert door(demo, STATE, COLLISION, RESETS_IN) == ["opening", "✓ passable", "30.0"]
    steps(qtbot, demo, 60)
    outside = sim.sim.graph.current_id
    assert outside & 0xFFFF < 0x100
    assert is_in(qtbot, demo, outside)
    assert "polygon" not in sweep_says(qtbot, demo)

    click_button(qtbot, live.docks.panel(PlayerPanel), "player-release-button")
    steps(qtbot, demo, 30 * 32)
    assert door(demo, STATE, COLLISION, RESETS_IN) == ["closed", "■ solid", "–"]
    place = sim.sim.player.steered.place
    type_place(qtbot, live.docks.panel(PlayerPanel), place.cell_id, place.origin, spot.heading - 180.0)
    press_forward(qtbot, demo)
    steps(qtbot, demo, 90)
    assert player(qtbot, demo, "Last collision").startswith("Blocked by Front Door, part ")
    assert ", in ticks 1,1" in player(qtbot, demo, "Last collision")
    assert is_in(qtbot, demo, sim.sim.graph.current_id)
    assert sim.sim.graph.current_id & 0xFFFF < 0x100, "the closed door lets nobody back in"


def test_the_demo_starts_in_the_cottage_with_its_front_door_selected(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(DEMO)
    raise_dock(qtbot, window.docks.dock(PlayerPanel))
    assert player(qtbot, window, "Cell") == f"{cell_text(SPOTS['cottage_parlour'].cell_id)} Parlour"
    qtbot.waitUntil(lambda: window.session.selection is not None and window.session.selection.key == FRONT_DOOR)
    assert window.docks.panel(DoorsPanel).view.key == FRONT_DOOR
    assert "0xC95B0100" in window.docks.panel(CellPanel).title.text() or not is_seen(window.docks.panel(CellPanel))
