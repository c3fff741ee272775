"""Story: the player's cell changed; its reason is on the screen two actions later, in Sweep and in the picture."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QTabBar
from pytestqt.qtbot import QtBot

from editor.models.sweep.candidates import RESULT
from engine.sim.edits.doors import OpenDoor
from engine.sim.trace.tree import CANDIDATE
from engine.world.cells.ids import cell_text
from tests.gui.docks.live_hands import raise_dock, type_place
from tests.gui.stories.actions import Actions
from tests.gui.view3d.view_hands import viewport_of
from ui.docks.panel import is_seen
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.step_details import CELLS_TAB
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL = 0x00070100
TITLE = "Sweep"


@pytest.fixture
def changed(qtbot: QtBot, opened: MainWindow) -> MainWindow:
    """Timeline is in front; the player has just walked from the hall through the open door into the study."""
    raise_dock(qtbot, opened.docks.dock(SweepPanel))
    raise_dock(qtbot, opened.docks.dock(TimelinePanel))
    raise_dock(qtbot, opened.docks.dock(PlayerPanel))
    door = opened.document.sim.population.doors[0]
    opened.document.edit("Open Door", OpenDoor(door.id))
    type_place(qtbot, opened.docks.panel(PlayerPanel), HALL, (4.8, door.origin()[1], 0.0), 90.0)
    qtbot.mouseClick(opened.docks.panel(PlayerPanel).pad.buttons["forward"], Qt.MouseButton.LeftButton)
    for _ in range(90):
        qtbot.keyClick(opened, ".")
        report = opened.document.sim.last_report
        if report is not None and report.cell_changed:
            return opened
    raise AssertionError("the player stayed in the hall")


def click_tab(actions: Actions, window: MainWindow, title: str) -> None:
    """A dock's tab in the window."""
    for bar in window.findChildren(QTabBar):
        titles = [bar.tabText(number) for number in range(bar.count())]
        if bar.parent() is window and title in titles and is_seen(bar):
            actions.click(bar, bar.tabRect(titles.index(title)).center())
            return
    raise AssertionError(title)


def test_why_the_cell_changed_is_seen_after_two_actions(qtbot: QtBot, changed: MainWindow) -> None:
    actions, panel = Actions(), changed.docks.panel(SweepPanel)
    before = changed.document.sim.last_report
    assert before is not None
    assert not is_seen(panel)

    click_tab(actions, changed, TITLE)
    qtbot.waitUntil(lambda: is_seen(panel))
    words = f"✓ Entered {cell_text(before.cell)} through portal"
    assert words in panel.summary.text()
    button = panel.findChild(QAbstractButton, "sweep-cell-change-button")
    assert button is not None
    assert button.isEnabled(), button.toolTip()
    actions.click(button)

    chosen = changed.viewing.substep
    assert chosen is not None
    assert chosen.node.kind == CANDIDATE
    assert (chosen.node.cell_id, chosen.node.answer) == (before.cell, "picked")
    assert is_seen(panel.details.cells)
    rows = panel.details.model.rows
    assert panel.details.cells.key is not None
    assert rows[int(str(panel.details.cells.key))].values[RESULT].text == "✓ picked"
    assert [row.values[1].text for row in rows][:2] == [cell_text(before.cell_before), cell_text(before.cell)]
    assert panel.details.pages.currentIndex() == CELLS_TAB

    changed.viewing.prepare(640.0, 400.0)
    picture = changed.viewing.see()
    assert picture is not None
    labels = [label.text for label in picture.overlays.labels]
    assert f"✓ {cell_text(before.cell)}: picked" in labels
    assert any(text.startswith(f"{cell_text(before.cell)}: centre ") and text.endswith("in front") for text in labels)
    assert actions.count <= 2


def test_a_tick_without_a_change_says_why_there_is_nothing_to_go_to(qtbot: QtBot, changed: MainWindow) -> None:
    panel = changed.docks.panel(SweepPanel)
    raise_dock(qtbot, changed.docks.dock(SweepPanel))
    qtbot.keyClick(changed, ".")
    assert not panel.cell_action.isEnabled()
    assert panel.cell_action.toolTip() == "The player stayed in his cell in this tick."
    assert not panel.culprit_action.isEnabled()
    assert panel.culprit_action.toolTip() == "Nothing blocked the player in this tick."


def test_why_the_cell_changed_is_seen_after_one_key(qtbot: QtBot, changed: MainWindow) -> None:
    report = changed.document.sim.last_report
    assert report is not None
    actions, panel = Actions(), changed.docks.panel(SweepPanel)
    qtbot.keyClick(changed, Qt.Key.Key_F2)
    actions.press(viewport_of(changed), Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: is_seen(panel))
    node = panel.tree.node()
    assert node is not None
    assert (node.kind, node.cell_id, node.answer) == (CANDIDATE, report.cell, "picked")
    assert is_seen(panel.details.cells)
    assert actions.count <= 2
