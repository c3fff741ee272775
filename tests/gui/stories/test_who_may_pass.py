"""Story: who may enter this door? A click on the door, and one on a kind of body for the rule that decides."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from editor.session.sources import DEMO
from engine.sim.passage.travellers import Who
from tests.gui.stories.actions import Actions
from ui.docks.doors import DoorsPanel
from ui.docks.panel import is_seen
from ui.docks.table import LiveView
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

LOCKED_DOOR = 0x7C95B007


def row_of(view: LiveView, key: object) -> QPoint:
    index = view.table.index(view.table.row_of(key), 0)
    view.scrollTo(index)
    return view.visualRect(index).center()


def test_who_may_enter_a_door_is_answered_in_two_actions(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(DEMO)
    panel, actions = window.docks.panel(DoorsPanel), Actions()
    assert is_seen(panel)
    qtbot.waitUntil(lambda: panel.door is not None)  # the first start selects the front door
    qtbot.waitUntil(lambda: panel.passage.watch.share_done == 1.0, timeout=60_000)

    actions.click(panel.view.viewport(), row_of(panel.view, LOCKED_DOOR))
    passage = panel.passage
    assert panel.door is not None
    assert panel.door.id == LOCKED_DOOR
    qtbot.waitUntil(lambda: passage.watch.share_done == 1.0, timeout=60_000)
    assert [passage.model.text(Who.PLAYER, place).split("\n") for place in (1, 2)] == [
        ["■ stopped", "lock"],
        ["↷ opens it", "from behind"],
    ]

    actions.click(passage.view.viewport(), row_of(passage.view, Who.OPENER))
    assert "The lock refuses the creature: a locked door opens only from behind." in passage.reason.text()
    assert "although it is locked: from behind the lock is not asked" in passage.reason.text()
    assert actions.count <= 2
