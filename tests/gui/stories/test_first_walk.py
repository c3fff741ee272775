"""The first minute: the start looks at the front door, the hints say what to press, and four keys lead outside."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.session.session import Session
from editor.session.sources import DEMO
from engine.geometry.vec import Vec3
from engine.render.viewer.viewer import View
from engine.world.cells.ids import is_env_cell
from tests.gui.stories.actions import Actions
from tests.gui.view3d.view_hands import rest, viewer_of, viewport_of
from ui.view3d.viewport import Viewport
from ui.window.hints import DOOR, SETTING, WALK
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

FRONT_DOOR = 0x7C95B001


@pytest.fixture
def first(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    """The window of a first start."""
    settings.remove(SETTING)
    settings.remove("centre")
    window = MainWindow(Session(), settings)
    window.resize(1280, 800)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    with qtbot.waitSignal(window.session.faults_changed, timeout=120_000):
        window.open(DEMO)
    rest(qtbot, window)
    yield window
    window.clock.pause()
    window.close()


def place(window: MainWindow) -> Vec3:
    return window.document.sim.player.steered.place.origin


def hold(qtbot: QtBot, actions: Actions, window: MainWindow, key: Qt.Key, ticks: int) -> None:
    """Hold a key for some ticks: one action."""
    actions.count += 1
    tick = window.document.sim.tick_number
    QTest.keyPress(viewport_of(window), key)
    qtbot.waitUntil(lambda: window.document.sim.tick_number >= tick + ticks, timeout=60_000)
    QTest.keyRelease(viewport_of(window), key)


def test_the_first_start_looks_at_the_door_and_four_keys_lead_outside(qtbot: QtBot, first: MainWindow) -> None:
    viewing, viewport, actions = first.viewing, viewport_of(first), Actions()
    focus = QApplication.focusWidget()
    assert isinstance(focus, Viewport)
    assert "Tab" in first.hints.labels[WALK].text()
    middle = (viewport.width() / 2.0, viewport.height() / 2.0)
    seen = {hit.object_id for hit in viewing.pick_through(*middle)}
    assert FRONT_DOOR in seen
    assert first.document.sim.player.id in seen  # he stands before it
    actions.press(viewport, Qt.Key.Key_Tab)
    assert viewer_of(first).view is View.CHASE
    hold(qtbot, actions, first, Qt.Key.Key_W, 25)
    assert first.hints.done == [WALK]
    blocked = place(first)
    assert is_env_cell(first.document.sim.graph.current_id)
    actions.press(viewport, Qt.Key.Key_E)
    qtbot.waitUntil(lambda: DOOR in first.hints.done, timeout=60_000)
    hold(qtbot, actions, first, Qt.Key.Key_W, 45)
    assert place(first) != blocked
    assert not is_env_cell(first.document.sim.graph.current_id)
    assert actions.count == 4
