"""Changes of a number in one gesture are one step, named after the last value; separate gestures are separate steps."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionSpinBox, QWidget
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from engine.sim.tick.simulation import Simulation
from tests.gui.docks.live_hands import click_button, raise_dock, turn_wheel, type_in, type_number
from ui.docks.parts import number_box
from ui.docks.player.player_dock import PlayerPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def sim(opened: MainWindow) -> Simulation:
    return opened.document.sim


@pytest.fixture
def numbers(qtbot: QtBot, opened: MainWindow) -> MainWindow:
    """The window with the player's numbers in front."""
    raise_dock(qtbot, opened.docks.dock(PlayerPanel))
    opened.docks.panel(PlayerPanel).tabs.setCurrentIndex(2)
    return opened


def test_each_number_entered_is_a_step_named_after_it(qtbot: QtBot, numbers: MainWindow, sim: Simulation) -> None:
    box, document = numbers.docks.panel(PlayerPanel).numbers_page.numbers["step_up"], numbers.document
    box.setFocus()
    type_in(qtbot, box, 0.7)
    type_in(qtbot, box, 0.8)
    numbers.clock.step(5)
    type_in(qtbot, box, 0.9)
    names = [step.name for step in document.done_steps()]
    assert names == ["Set Step up to 0.7", "Set Step up to 0.8", "Set Step up to 0.9"]
    document.undo()
    assert sim.player.number("step_up") == pytest.approx(0.8)


def test_a_held_arrow_is_one_step_and_a_later_wheel_turn_another(
    qtbot: QtBot, numbers: MainWindow, sim: Simulation
) -> None:
    box, document = numbers.docks.panel(PlayerPanel).numbers_page.numbers["run_skill"], numbers.document
    box.setFocus()
    option = QStyleOptionSpinBox()
    box.initStyleOption(option)
    up = (
        box.style()
        .subControlRect(QStyle.ComplexControl.CC_SpinBox, option, QStyle.SubControl.SC_SpinBoxUp, box)
        .center()
    )
    qtbot.mousePress(box, Qt.MouseButton.LeftButton, pos=up)
    for _ in range(3):
        document.tick()
        box.stepUp()
    qtbot.mouseRelease(box, Qt.MouseButton.LeftButton, pos=up)
    assert [step.name for step in document.done_steps()] == ["Set Run skill to 240"]
    document.tick()
    turn_wheel(box)
    turn_wheel(box)
    assert [step.name for step in document.done_steps()] == ["Set Run skill to 240", "Set Run skill to 260"]


def test_a_typed_velocity_stays_until_push(qtbot: QtBot, numbers: MainWindow, sim: Simulation) -> None:
    page, live = numbers.docks.panel(PlayerPanel).numbers_page, numbers
    page.velocity["x"].setFocus()
    type_number(qtbot, page.velocity["x"].lineEdit(), 1.5)
    qtbot.keyClick(page.velocity["x"], Qt.Key.Key_Tab)
    live.clock.step(5)
    page.velocity["z"].setFocus()
    type_number(qtbot, page.velocity["z"].lineEdit(), 3.0)
    live.clock.step(5)
    click_button(qtbot, page, "player-push-button")
    assert sim.player.steered.velocity[0] == pytest.approx(1.5)
    assert sim.player.steered.velocity[2] == pytest.approx(3.0)
    live.clock.step(60)
    assert [box.value() for box in page.velocity.values()] == pytest.approx(list(sim.player.steered.velocity), abs=1e-3)


def test_a_focused_spin_box_can_be_deleted_without_an_exception(qtbot: QtBot, qapp: QApplication) -> None:
    around = QWidget()
    box = number_box(around, "a-number", 0.0, 1.0)
    with qtbot.waitActive(around):
        around.show()
        around.activateWindow()
    box.setFocus()
    assert box.hasFocus()
    type_number(qtbot, box.lineEdit(), 0.5)
    with capture_exceptions() as raised:
        shiboken6.delete(around)
    assert raised == []
