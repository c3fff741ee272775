"""Sweep by clicks: the blocked tick names the polygon, its steps are read, copied and lead elsewhere."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from editor.models.sweep.steps import NODE_ROLE
from editor.models.why import Why, WhyAbout
from editor.session.session import Kind
from engine.sim.trace.tree import OBJECT, POLYGON, STEP
from tests.gui.docks.live_hands import click_button, raise_dock, type_place
from ui.docks.panel import is_seen
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL = 0x00070100


@pytest.fixture
def blocked(qtbot: QtBot, opened: MainWindow) -> SweepPanel:
    """Sweep in front, and the player has just run into the door between hall and study."""
    live = opened
    raise_dock(qtbot, live.docks.dock(PlayerPanel))
    raise_dock(qtbot, live.docks.dock(SweepPanel))
    door = live.document.sim.population.doors[0]
    type_place(qtbot, live.docks.panel(PlayerPanel), HALL, (4.0, door.origin()[1], 0.0), 90.0)
    qtbot.mouseClick(live.docks.panel(PlayerPanel).pad.buttons["forward"], Qt.MouseButton.LeftButton)
    for _ in range(90):
        qtbot.keyClick(opened, ".")
        report = live.document.sim.last_report
        if report is not None and report.collided_objects:
            break
    return live.docks.panel(SweepPanel)


def find(panel: SweepPanel, kind: str) -> QModelIndex:
    waiting = [panel.model.index(row, 0) for row in range(panel.model.rowCount())]
    while waiting:
        index = waiting.pop(0)
        if index.data(NODE_ROLE).kind == kind:
            return index
        waiting += [panel.model.index(row, 0, index) for row in range(panel.model.rowCount(index))]
    raise AssertionError(kind)


def test_the_blocked_tick_names_the_polygon_of_the_door(blocked: SweepPanel) -> None:
    assert "■ Blocked by hall-study door, part 1, polygon 0" in blocked.summary.text()
    assert ", polygon " in blocked.summary.text()


def test_a_step_is_read_and_leads_to_the_door(qtbot: QtBot, opened: MainWindow, blocked: SweepPanel) -> None:
    index = find(blocked, OBJECT)
    assert blocked.tree.visualRect(index).isValid(), "the way to what went wrong is open"
    blocked.tree.scrollTo(index)
    spot = blocked.tree.visualRect(index).center()
    qtbot.mouseClick(blocked.tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert "Collided" in blocked.detail.toPlainText()
    qtbot.mouseDClick(blocked.tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert opened.session.selection is not None
    assert opened.session.selection.kind is Kind.ENTITY


def test_the_tick_is_copied_as_text(qtbot: QtBot, blocked: SweepPanel) -> None:
    blocked.tree.setFocus()
    blocked.tree.setCurrentIndex(blocked.model.index(0, 0))
    blocked.text_action.trigger()
    assert QGuiApplication.clipboard().text().startswith("sweep of object 0x50000001")


def test_a_pause_is_inspected_and_running_time_is_not(qtbot: QtBot, opened: MainWindow, blocked: SweepPanel) -> None:
    qtbot.keyClick(opened, Qt.Key.Key_Space)
    assert blocked.summary.text() == "Pause to inspect the last tick."
    before = opened.document.sim.tick_number
    qtbot.waitUntil(lambda: opened.document.sim.tick_number > before + 3, timeout=10_000)
    qtbot.keyClick(opened, Qt.Key.Key_Space)
    assert blocked.summary.text().startswith("Tick ")


def test_without_a_tick_it_says_what_would_fill_it(qtbot: QtBot, opened: MainWindow) -> None:
    raise_dock(qtbot, opened.docks.dock(SweepPanel))
    assert "step by step" in opened.docks.panel(SweepPanel).tree.empty


def shown_words(window: MainWindow) -> list[str]:
    """The words of the picture's overlays."""
    window.viewing.prepare(640.0, 400.0)
    picture = window.viewing.see()
    assert picture is not None
    return [label.text for label in picture.overlays.labels]


def test_the_sub_step_that_blocked_is_put_into_the_3d_view(
    qtbot: QtBot, opened: MainWindow, blocked: SweepPanel
) -> None:
    click_button(qtbot, blocked, "sweep-culprit-button")
    shown = opened.viewing.substep
    assert shown is not None
    assert shown.node.kind == POLYGON
    assert shown.step is not None
    words = shown_words(opened)
    assert "■ rolled back" in words
    assert any(word.startswith("polygon ") and "hit by the foot" in word for word in words)
    assert any("Collided" in word for word in words), "the cell that it was tested in"
    blocked.tree.setFocus()
    qtbot.keyClick(blocked.tree, Qt.Key.Key_Escape)
    assert opened.viewing.substep is None
    assert "■ rolled back" not in shown_words(opened)


def test_another_tick_takes_the_sub_step_out_of_the_3d_view(
    qtbot: QtBot, opened: MainWindow, blocked: SweepPanel
) -> None:
    click_button(qtbot, blocked, "sweep-culprit-button")
    assert opened.viewing.substep is not None
    raise_dock(qtbot, opened.docks.dock(TimelinePanel))
    assert opened.viewing.substep is not None, "only looking elsewhere takes nothing away"
    qtbot.keyClick(opened, ".")
    assert opened.viewing.substep is None


def test_a_double_click_frames_the_sub_step(qtbot: QtBot, opened: MainWindow, blocked: SweepPanel) -> None:
    index = find(blocked, STEP)
    blocked.tree.scrollTo(index)
    spot = blocked.tree.visualRect(index).center()
    qtbot.mouseClick(blocked.tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    with qtbot.waitSignal(opened.viewing.camera.sent):
        qtbot.mouseDClick(blocked.tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)


def test_steps_are_searched_one_after_the_other(qtbot: QtBot, blocked: SweepPanel) -> None:
    qtbot.keyClicks(blocked.search, "polygon")
    assert blocked.found.text().endswith(" found")
    qtbot.keyClick(blocked.search, Qt.Key.Key_Return)
    first = blocked.tree.currentIndex()
    assert blocked.found.text().startswith("1 of ")
    qtbot.keyClick(blocked.search, Qt.Key.Key_Return)
    assert blocked.tree.currentIndex() != first
    qtbot.keyClicks(blocked.search, " that nobody has met")
    assert blocked.found.text() == "none"


def test_a_step_is_copied_as_data_with_all_digits(blocked: SweepPanel) -> None:
    blocked.choose_culprit()
    blocked.data_action.trigger()
    data = json.loads(QGuiApplication.clipboard().text())
    node = blocked.tree.currentIndex().data(NODE_ROLE)
    assert data[0]["normal"] == list(node.normal)


def ask(window: MainWindow, tick: int) -> None:
    """Ask as the strip and the Timeline do."""
    window.links.explain(Why(tick, WhyAbout.BLOCKED))


def test_a_question_brings_sweep_to_the_tick_and_the_row(qtbot: QtBot, opened: MainWindow, blocked: SweepPanel) -> None:
    tick = opened.document.sim.tick_number - 1
    raise_dock(qtbot, opened.docks.dock(TimelinePanel))
    for _ in range(3):
        qtbot.keyClick(opened, ".")
    ask(opened, tick)
    qtbot.waitUntil(lambda: is_seen(blocked))
    assert opened.document.in_past, "the present is kept"
    assert blocked.watch.tick == tick
    assert blocked.tree.currentIndex().data(NODE_ROLE).kind == POLYGON
    assert opened.viewing.substep is not None
    assert "■ rolled back" in shown_words(opened)


def test_a_question_about_a_running_clock_pauses_it(qtbot: QtBot, opened: MainWindow, blocked: SweepPanel) -> None:
    tick = opened.document.sim.tick_number - 1
    qtbot.keyClick(opened, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: opened.document.sim.tick_number > tick + 3, timeout=10_000)
    ask(opened, tick)
    assert not opened.clock.is_running
    assert blocked.watch.tick == tick
    assert blocked.tree.currentIndex().data(NODE_ROLE).kind == POLYGON


def test_a_tick_that_cannot_be_replayed_says_why(opened: MainWindow, blocked: SweepPanel) -> None:
    ask(opened, 9_999)
    assert "Tick 9,999 cannot be replayed: the recording has the ticks 0 to" in opened.status.currentMessage()
    assert not opened.document.in_past


@pytest.mark.parametrize("layout", ["inspect", "debug"])
@pytest.mark.parametrize("size", [(1280, 800), (1600, 1000)])
def test_twelve_rows_are_seen(
    qtbot: QtBot, opened: MainWindow, blocked: SweepPanel, size: tuple[int, int], layout: str
) -> None:
    opened.resize(*size)
    opened.docks.arranger.choose(layout)
    raise_dock(qtbot, opened.docks.dock(SweepPanel))
    qtbot.waitUntil(lambda: is_seen(blocked))
    blocked.tree.expandAll()
    blocked.tree.scrollToTop()

    def seen() -> int:
        height = blocked.tree.viewport().height()
        bottoms = [blocked.tree.visualRect(index).bottom() for index in blocked.model.rows_in_order()]
        return sum(0 <= bottom < height for bottom in bottoms)

    qtbot.waitUntil(lambda: seen() >= 12, timeout=10_000)
    first = blocked.tree.header().sectionSize(0)
    assert first > blocked.tree.viewport().width() // 2, "the steps have the larger part"


@pytest.mark.parametrize(("size", "below"), [((1100, 420), False), ((460, 640), True), ((460, 300), False)])
def test_the_details_are_beside_the_tree_or_below_it(
    qtbot: QtBot, opened: MainWindow, blocked: SweepPanel, size: tuple[int, int], below: bool
) -> None:
    dock = opened.docks.dock(SweepPanel)
    dock.setFloating(True)
    dock.resize(*size)
    qtbot.waitUntil(lambda: (blocked.details.geometry().top() >= blocked.tree.geometry().bottom()) == below)
    assert (blocked.details.geometry().left() >= blocked.tree.geometry().right()) != below
    dock.setFloating(False)


def test_the_headline_is_one_line_with_all_of_it_in_its_tooltip(blocked: SweepPanel) -> None:
    line = blocked.summary
    assert line.height() <= 2 * line.fontMetrics().height()
    assert "Blocked by hall-study door, part 1, polygon 0" in line.toolTip()
