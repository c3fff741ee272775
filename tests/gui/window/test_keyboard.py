"""The window by keys alone: around its parts, to every control, and time wherever the focus is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection
from tests.gui.docks.live_hands import raise_dock
from ui.commands.menus import mnemonic_of
from ui.commands.registry import without_mnemonic
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.world import WorldPanel
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def place(window: MainWindow) -> str:
    """The part of the window with the focus."""
    inside = next((dock for dock in window.docks if dock.isAncestorOf(focus())), None)
    return "middle" if inside is None else inside.toggleViewAction().text()


def test_f6_cycles_through_the_parts_of_the_window_and_back(qtbot: QtBot, opened: MainWindow) -> None:
    opened.map.setFocus()
    there = []
    for _ in range(6):
        qtbot.keyClick(focus(), Qt.Key.Key_F6)
        there.append(place(opened))
    assert there[-1] == there[0] or "middle" in there
    assert len(set(there)) == 5
    before = place(opened)
    qtbot.keyClick(focus(), Qt.Key.Key_Tab, CTRL)
    assert place(opened) != before
    qtbot.keyClick(focus(), Qt.Key.Key_F6, SHIFT)
    assert place(opened) == before


@pytest.mark.parametrize("what", [Selection(Kind.CELL, 0x0007FFFF, 0x00070101), None])
def test_cycling_through_the_parts_selects_nothing(qtbot: QtBot, opened: MainWindow, what: Selection | None) -> None:
    opened.map.setFocus()
    opened.session.select(what)
    with qtbot.assertNotEmitted(opened.session.selection_changed):
        for dock in opened.docks:
            opened.docks.bring(dock)
            qtbot.keyClick(focus(), Qt.Key.Key_F6)
    assert opened.session.selection == what


def test_the_first_arrow_key_in_a_table_chooses_its_first_row(qtbot: QtBot, opened: MainWindow) -> None:
    entities = opened.docks.panel(EntitiesPanel)
    opened.session.select(None)
    opened.docks.bring(opened.docks.of(entities))
    entities.view.setFocus()
    assert entities.view.key is None
    qtbot.keyClick(entities.view, Qt.Key.Key_Down)
    assert entities.view.key == entities.model.rows[0].key
    assert opened.session.selection == entities.model.rows[0].selection


def test_the_part_with_the_focus_stands_out(qtbot: QtBot, opened: MainWindow) -> None:
    opened.map.setFocus()
    assert opened.centre.edge.property("active")
    raise_dock(qtbot, opened.docks.dock(DoorsPanel))
    opened.docks.panel(DoorsPanel).view.setFocus()
    assert not opened.centre.edge.property("active")
    bars = [bar for bar, corner in opened.docks.titles._corners.items() if bar.property("active")]
    assert [opened.docks.titles.dock_of(bar, bar.currentIndex()) for bar in bars] == [opened.docks.dock(DoorsPanel)]


@pytest.mark.parametrize("name", ["entities", "player", "cell", "timeline", "sweep", "graph", "pview", "log"])
def test_the_time_keys_work_wherever_the_focus_is(qtbot: QtBot, opened: MainWindow, name: str) -> None:
    live = opened
    opened.docks.bring(live.docks.by_id(name))
    tick = live.document.sim.tick_number
    qtbot.keyClick(focus(), Qt.Key.Key_Period)
    assert live.document.sim.tick_number == tick + 1
    qtbot.keyClick(focus(), Qt.Key.Key_Comma)
    assert live.document.sim.tick_number == tick
    qtbot.keyClick(focus(), Qt.Key.Key_Space)
    assert live.clock.is_running
    qtbot.keyClick(focus(), Qt.Key.Key_Space)
    assert not live.clock.is_running


def test_in_a_text_field_the_same_keys_are_text(qtbot: QtBot, opened: MainWindow) -> None:
    opened.ask_for_id()
    field = opened.docks.panel(WorldPanel).search
    assert focus() is field
    for key in (Qt.Key.Key_Period, Qt.Key.Key_Comma, Qt.Key.Key_Space):
        qtbot.keyClick(field, key)
    assert field.text() == "., "
    assert not opened.clock.is_running


def test_space_presses_a_button_reached_by_tab(qtbot: QtBot, opened: MainWindow) -> None:
    raise_dock(qtbot, opened.docks.dock(PlayerPanel))
    key = opened.docks.panel(PlayerPanel).pad.buttons["forward"]
    key.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(key, Qt.Key.Key_Space)
    assert key.isChecked()
    assert not opened.clock.is_running


CONTROLS = (
    "QToolButton",
    "QPushButton",
    "QCheckBox",
    "QComboBox",
    "QLineEdit",
    "QDoubleSpinBox",
    "QSpinBox",
    "QSlider",
)
COMPOSED = ("QDoubleSpinBox", "QSpinBox", "QTabBar", "QComboBox", "QLineEdit")
"""Composite controls, whose parts have no tooltips of their own."""


def controls(part: QWidget) -> list[QWidget]:
    """Widgets to press, choose or fill in."""
    found = [each for each in part.findChildren(QWidget) if each.metaObject().className() in CONTROLS]
    parents = {id(each): each.parent() for each in found}
    return [each for each in found if kind_of(parents[id(each)]) not in COMPOSED and not hidden_for_good(each)]


def kind_of(part: QObject | None) -> str:
    return "" if part is None else part.metaObject().className()


def hidden_for_good(part: QWidget) -> bool:
    return part.isHidden() or part.objectName().startswith("qt_")


def test_every_control_of_every_dock_takes_the_focus_and_has_a_tooltip(opened: MainWindow) -> None:
    parts = [*((dock.widget(), dock.windowTitle()) for dock in opened.docks), (opened.time_bar, "toolbar")]
    parts.append((opened.centre, "middle"))
    found = [(title, each) for part, title in parts for each in controls(part)]
    assert len(found) > 60
    deaf = [(title, each.objectName()) for title, each in found if not each.focusPolicy() & Qt.FocusPolicy.TabFocus]
    mute = [(title, each.objectName()) for title, each in found if not each.toolTip()]
    assert deaf == []
    assert mute == []


def test_every_entry_of_a_menu_has_its_own_mnemonic(qtbot: QtBot, opened: MainWindow) -> None:
    menus = opened.menus.all
    assert len({mnemonic_of(action.text()) for action in opened.menuBar().actions()}) == len(menus)
    for menu in menus:
        menu.popup(opened.mapToGlobal(QPoint(40, 40)))
        letters = [mnemonic_of(action.text()) for action in menu.actions() if action.text()]
        menu.close()
        assert "" not in letters
        assert len(set(letters)) >= len(letters) - 2
    opened.menus["View"].popup(opened.mapToGlobal(QPoint(40, 40)))
    whole = next(action for action in opened.menus["View"].actions() if without_mnemonic(action.text()) == "Next Dock")
    opened.map.setFocus()
    qtbot.keyClicks(opened.menus["View"], mnemonic_of(whole.text()))
    assert place(opened) != "middle"


def test_controls_disabled_without_a_world_give_the_reason(window: MainWindow) -> None:
    parts = [*(dock.widget() for dock in window.docks), window.time_bar, window.centre.view_bar]
    off = [each for part in parts for each in controls(part) if not each.isEnabled()]
    assert len(off) > 40
    mute = {each.objectName(): each.toolTip() for each in off if not each.toolTip().endswith(".")}
    assert mute == {}
