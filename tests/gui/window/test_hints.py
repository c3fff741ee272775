"""A new user's first minute: three hints, ticked off one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from editor.session.session import Session
from engine.sim.edits.doors import OpenDoor
from tests.gui.docks.live_hands import click_row, raise_dock
from tests.gui.view3d.view_hands import view_of, viewport_of
from ui.docks.entities import EntitiesPanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.world import WorldPanel
from ui.view3d.keymap import CLIENT
from ui.window.help_windows import groups
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


def text_of(window: MainWindow, name: str) -> str:
    """A hint as it is read."""
    document = QTextDocument()
    document.setHtml(window.hints.labels[name].text())
    return document.toPlainText().replace("\xa0", " ").strip()


@pytest.fixture
def walker(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    with view_of(qtbot, settings, house) as window:
        yield window
        window.clock.pause()


def test_the_first_hint_names_keys_that_work_from_where_the_focus_is(qtbot: QtBot, walker: MainWindow) -> None:
    viewport = viewport_of(walker)
    assert text_of(walker, WALK) == "1  Tab, then walk with W A S D"
    walker.docks.panel(WorldPanel).search.setFocus()
    qtbot.waitUntil(lambda: not viewport.hasFocus())
    assert text_of(walker, WALK) == "1  F2, Tab, then walk with W A S D"
    qtbot.keyClick(walker.docks.panel(WorldPanel).search, Qt.Key.Key_F2)
    qtbot.waitUntil(viewport.hasFocus)
    qtbot.keyClick(viewport, Qt.Key.Key_Tab)
    assert text_of(walker, WALK) == "1  Walk with W A S D; right-drag turns"
    begin = walker.document.sim.player.steered.place.origin
    qtbot.keyPress(viewport, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: walker.document.sim.player.steered.place.origin != begin)
    qtbot.keyRelease(viewport, Qt.Key.Key_W)
    assert WALK in walker.hints.done


def test_the_hints_name_the_client_s_keys_when_they_are_chosen(walker: MainWindow) -> None:
    action = walker.commands.find("walking-keys-client")
    assert action is not None
    action.trigger()
    assert "walk with W A X D" in text_of(walker, WALK)
    assert ", R " in text_of(walker, DOOR) or "then R opens" in text_of(walker, DOOR)


def test_keys_held_in_the_player_dock_tick_off_walking(qtbot: QtBot, newcomer: MainWindow) -> None:
    raise_dock(qtbot, newcomer.docks.dock(PlayerPanel))
    hold = newcomer.commands.find("hold-forward")
    assert hold is not None
    hold.trigger()
    newcomer.clock.step(3)
    assert WALK in newcomer.hints.done


def test_a_door_opened_by_an_edit_ticks_off_the_second(newcomer: MainWindow) -> None:
    door = newcomer.document.sim.population.doors[0]
    newcomer.document.changed.emit()
    newcomer.document.edit("Open Door", OpenDoor(door.id))
    newcomer.clock.step(60)
    assert DOOR in newcomer.hints.done


def test_the_list_of_keys_shows_those_in_force(walker: MainWindow) -> None:
    rows = dict(groups(walker.commands, viewport_of(walker).walking.keymap))["Player's view"]
    assert ("Use the door in front", "E") in rows
    rows = dict(groups(walker.commands, CLIENT))["Player's view"]
    assert ("Use the door in front", "R") in rows
    assert ("Forward", "W, Up") in rows
