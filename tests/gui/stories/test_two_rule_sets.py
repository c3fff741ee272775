"""A walk on which the client's rules and the server's part: from the rules to the rule's sentence in four actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from engine.physics.rule_table import RULE_OF
from engine.sim.tick.controls import Controls
from tests.gui.stories.actions import Actions
from tests.gui.stories.demo import demo_at
from tests.gui.view3d.view_hands import viewport_of
from ui.docks.compare.compare_dock import ComparePanel
from ui.docks.panel import is_seen
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

MOST_ACTIONS = 4
RULE = "edge_slide_order"
RUN = Controls(forward=1.0, run=True)


@pytest.fixture
def demo(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    """The player at the edge of the pit."""
    with demo_at(qtbot, settings, "pit_edge", 30.0) as window:
        yield window


def click_in_menu(story: Actions, title: str) -> Callable[[], None]:
    """Click an entry of the menu that is open; a menu has an event loop of its own."""

    def click() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        entry = next(action for action in menu.actions() if action.text().replace("&", "") == title)
        story.click(menu, menu.actionGeometry(entry).center())

    return click


def compared(qtbot: QtBot, window: MainWindow) -> ComparePanel:
    qtbot.waitUntil(lambda: window.compare.is_on and not window.compare.is_working, timeout=60_000)
    panel = window.docks.panel(ComparePanel)
    qtbot.waitUntil(lambda: is_seen(panel), timeout=10_000)
    return panel


def test_from_the_rules_to_the_rule_that_does_it(qtbot: QtBot, demo: MainWindow) -> None:
    demo.document.tick_many(60, RUN)
    present = demo.document.sim.state_hash()
    story = Actions()
    QTimer.singleShot(0, click_in_menu(story, "Compare with ACE rules"))
    story.click(demo.time_bar.rules_button)
    panel = compared(qtbot, demo)
    rule = RULE_OF[RULE]
    qtbot.waitUntil(lambda: rule.ace in panel.parting.sentences.text(), timeout=10_000)
    assert panel.parting.sentences.isVisible()
    assert panel.parting.head.text() == "One rule does it:"
    assert f"{RULE}: {rule.title}" in panel.parting.sentences.text()
    assert rule.retail in panel.parting.sentences.text()
    assert demo.compare.seen is not None
    tick = demo.compare.seen.index + demo.compare.first_tick
    assert panel.headline.text().startswith(f"retail and ace part in tick {tick}: ")
    assert demo.document.sim.state_hash() == present, "the present stays as it is"

    story.click(panel.parting.go)
    assert demo.document.history is not None
    assert demo.document.history.now == tick + 1
    story.click(panel.sides[1])
    assert demo.compare.shows_second
    assert story.count <= MOST_ACTIONS
    assert demo.document.seen is demo.compare.second_at(tick + 1)


def test_both_bodies_go_on_together_while_one_walks(qtbot: QtBot, demo: MainWindow) -> None:
    QTimer.singleShot(0, click_in_menu(Actions(), "Compare with ACE rules"))
    qtbot.mouseClick(demo.time_bar.rules_button, Qt.MouseButton.LeftButton)
    compared(qtbot, demo)
    picture = viewport_of(demo)
    picture.setFocus()
    qtbot.keyClick(picture, Qt.Key.Key_Tab)
    qtbot.keyPress(picture, Qt.Key.Key_W)
    lags = []

    def on_changed() -> None:
        lags.append(demo.compare.whole - demo.compare.compared)

    demo.compare.changed.connect(on_changed)
    qtbot.waitUntil(lambda: demo.compare.seen is not None and demo.compare.compared > 45, timeout=60_000)
    qtbot.keyRelease(picture, Qt.Key.Key_W)
    demo.clock.pause()
    assert max(lags) <= 4
    panel = compared(qtbot, demo)
    assert panel.headline.text().startswith("retail and ace part in tick ")
