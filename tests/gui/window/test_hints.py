"""A new user's first minute: three hints, ticked off one after the other."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from editor.session.session import Session
from tests.gui.docks.live_hands import click_row, raise_dock
from ui.docks.entities import EntitiesPanel
from ui.window.hints import DOOR, FIND, SETTING, WALK
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def settings(settings: QSettings) -> QSettings:
    """The settings of a new user."""
    settings.remove(SETTING)
    return settings


@pytest.fixture
def newcomer(opened: MainWindow) -> MainWindow:
    return opened


def close_button(window: MainWindow) -> QToolButton:
    found = window.hints.findChild(QToolButton, "hints-close")
    assert found is not None
    return found


def test_the_first_start_shows_three_hints_that_opening_does_not_tick_off(newcomer: MainWindow) -> None:
    assert newcomer.hints.isVisible()
    assert newcomer.hints.done == []
    for label in newcomer.hints.labels.values():
        assert label.isVisible()
        assert label.width() >= label.sizeHint().width()


def test_a_click_on_a_row_ticks_off_the_third(qtbot: QtBot, newcomer: MainWindow) -> None:
    raise_dock(qtbot, newcomer.docks.dock(EntitiesPanel))
    view = newcomer.docks.panel(EntitiesPanel).view
    click_row(qtbot, view, view.table.rows[-1].key)
    assert newcomer.hints.done == [FIND]
    assert "✓" in newcomer.hints.labels[FIND].text()


def test_the_palette_ticks_off_the_third_too(qtbot: QtBot, newcomer: MainWindow) -> None:
    qtbot.keyClick(newcomer.map, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert newcomer.hints.done == [FIND]


def test_a_door_that_opens_ticks_off_the_second(qtbot: QtBot, newcomer: MainWindow) -> None:
    door = newcomer.document.sim.population.doors[0]
    newcomer.clock.keys.use = door.id
    newcomer.clock.step(40)
    qtbot.waitUntil(lambda: door.is_open, timeout=10_000)
    assert DOOR in newcomer.hints.done


def test_the_strip_hides_for_good_when_all_hints_are_done(qtbot: QtBot, newcomer: MainWindow) -> None:
    for name in (WALK, DOOR, FIND):
        newcomer.hints.tick_off(name)
    with qtbot.waitSignal(newcomer.hints.gone, timeout=5_000):
        assert newcomer.hints.isVisible()
    assert not newcomer.hints.isVisible()
    again = MainWindow(Session(), newcomer.settings)
    qtbot.addWidget(again)
    again.show()
    assert not again.hints.isVisible()


def test_the_strip_can_be_closed_for_good_and_help_brings_it_back(qtbot: QtBot, newcomer: MainWindow) -> None:
    qtbot.mouseClick(close_button(newcomer), Qt.MouseButton.LeftButton)
    assert not newcomer.hints.isVisible()
    again = MainWindow(Session(), newcomer.settings)
    qtbot.addWidget(again)
    again.show()
    assert not again.hints.isVisible()
    next(action for action in again.menus["Help"].actions() if action.text() == "Show Hints").trigger()
    assert again.hints.isVisible()
    assert again.hints.done == []


def test_hints_done_stay_done_at_the_next_start(qtbot: QtBot, newcomer: MainWindow) -> None:
    newcomer.hints.tick_off(WALK)
    again = MainWindow(Session(), newcomer.settings)
    qtbot.addWidget(again)
    assert again.hints.done == [WALK]
    assert "✓" in again.hints.labels[WALK].text()
    assert "✓" not in again.hints.labels[DOOR].text()
