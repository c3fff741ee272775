"""Story: somebody sends a place as text, and one stands there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.stories.actions import Actions
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

CTRL = Qt.KeyboardModifier.ControlModifier
STUDY = "Your location is: 0x00070101 [8.200000 2.000000 0.005000] 0.707107 0.000000 0.000000 -0.707107"


class Story(Actions):
    """Keys go to whatever has the focus, as from a keyboard."""

    def key(self, window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = CTRL) -> None:
        self.press(_focus(window), key, modifiers)


def _focus(window: MainWindow) -> QWidget:
    return QApplication.focusWidget() or window


def stands_in_the_study(window: MainWindow) -> None:
    player = window.document.sim.player
    assert player.place_cell() == 0x00070101
    assert player.steered.place.origin == pytest.approx((8.2, 2.0, 0.005), abs=1e-5)
    assert player.steered.place.turn.heading() == pytest.approx(90.0, abs=1e-3)
    assert window.session.selection is not None
    assert window.session.selection.key == player.id


def test_a_pasted_place_is_three_actions_away_in_the_palette(qtbot: QtBot, opened: MainWindow) -> None:
    QGuiApplication.clipboard().setText(STUDY)
    story = Story()
    story.key(opened, Qt.Key.Key_P)
    story.key(opened, Qt.Key.Key_V)
    first = opened.palette_sheet.lines.found[0].entry
    assert first.title.startswith("Stand at 0x00070101 [8.200000")
    story.key(opened, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    assert story.count <= 3
    stands_in_the_study(opened)
    opened.document.undo()
    assert opened.document.sim.player.place_cell() == 0x00070100


def test_a_place_pasted_onto_the_window_takes_one_action(qtbot: QtBot, opened: MainWindow) -> None:
    QGuiApplication.clipboard().setText(STUDY)
    story = Story()
    opened.centre.take_focus()
    assert not isinstance(QApplication.focusWidget(), QLineEdit)
    story.key(opened, Qt.Key.Key_V)
    assert story.count == 1
    stands_in_the_study(opened)


def test_text_that_is_no_place_is_refused_with_a_sentence(qtbot: QtBot, opened: MainWindow) -> None:
    QGuiApplication.clipboard().setText("lorem ipsum")
    opened.centre.take_focus()
    Story().key(opened, Qt.Key.Key_V)
    assert "“lorem ipsum” is not a place" in opened.status.currentMessage()


def test_the_players_place_is_copied_and_pasted_back(qtbot: QtBot, opened: MainWindow) -> None:
    sim = opened.document.sim
    before = sim.player.steered.place.copy()
    opened.centre.take_focus()
    Story().key(opened, Qt.Key.Key_C, CTRL | Qt.KeyboardModifier.ShiftModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("0x00070100 [")
    QGuiApplication.clipboard().setText(STUDY)
    Story().key(opened, Qt.Key.Key_V)
    stands_in_the_study(opened)
    QGuiApplication.clipboard().setText(copied)
    Story().key(opened, Qt.Key.Key_V)
    assert sim.player.steered.place.origin == pytest.approx(before.origin, abs=1e-5)


def test_a_place_that_the_world_lacks_says_so_in_the_palette(qtbot: QtBot, opened: MainWindow) -> None:
    QGuiApplication.clipboard().setText("42.1N 33.6E")
    opened.palette_sheet.ask()
    Story().key(opened, Qt.Key.Key_V)
    entry = opened.palette_sheet.lines.found[0].entry
    assert "has no landblock 0xA9B4" in entry.why_not
    Story().key(opened, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    assert "has no landblock 0xA9B4" in opened.status.currentMessage()
    opened.palette_sheet.leave()
