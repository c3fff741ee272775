"""The heads of the docks: tabs, their buttons, and what a drag out of a row does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QDockWidget, QTabBar, QToolButton, QWhatsThis, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.docks.live_hands import raise_dock
from tests.gui.qt_messages import QtMessages
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.panel import is_seen
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.docks.world import WorldPanel
from ui.window.dock_titles import DockButtons
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


def row_of(window: MainWindow, dock: QDockWidget) -> tuple[QTabBar, int]:
    """The tab of a dock: its row and its place there."""
    titles = window.docks.titles
    titles.refresh()
    for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        for place in range(bar.count()):
            if titles.dock_of(bar, place) is dock:
                return bar, place
    raise AssertionError(dock.windowTitle())


def press_button(qtbot: QtBot, window: MainWindow, dock: QDockWidget, sign: str) -> None:
    """One of the buttons at the end of the dock's row of tabs."""
    bar, _ = row_of(window, dock)
    found = bar.findChild(QToolButton, f"tab-corner-{sign}")
    assert found is not None
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def test_a_dock_among_tabs_has_no_second_title_and_a_floating_one_has_its_own(qtbot: QtBot, window: MainWindow) -> None:
    dock = window.docks.dock(DoorsPanel)
    assert dock.titleBarWidget().height() == 0
    press_button(qtbot, window, dock, "float")
    assert dock.isFloating()
    qtbot.waitUntil(lambda: dock.titleBarWidget().height() > 0)
    back = dock.titleBarWidget().findChild(QToolButton, "dock-title-float")
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert not dock.isFloating()
    qtbot.waitUntil(lambda: dock.titleBarWidget().height() == 0)


def test_the_buttons_yield_where_the_tabs_need_the_room(qtbot: QtBot, window: MainWindow) -> None:
    right = window.docks.dock(PlayerPanel)
    bar, _ = row_of(window, right)
    corner = bar.findChild(QWidget, "tab-corner")
    assert corner is not None
    assert corner.isVisible()
    for dock in window.docks:
        if window.dockWidgetArea(dock) is not Qt.DockWidgetArea.RightDockWidgetArea:
            window.tabifyDockWidget(right, dock)
    window.docks.titles.refresh()
    assert not corner.isVisible()
    window.reset_layout()

    def there_again() -> bool:
        """They may be made anew once more while the docks settle."""
        corner = row_of(window, right)[0].findChild(QWidget, "tab-corner")
        return corner is not None and corner.isVisible()

    qtbot.waitUntil(there_again)


def test_the_buttons_yield_one_by_one_and_help_stays_longest(qtbot: QtBot, window: MainWindow) -> None:
    right = window.docks.dock(PlayerPanel)
    bar, _ = row_of(window, right)
    corner = bar.findChild(DockButtons, "tab-corner")
    assert corner is not None
    shown = []
    for room in (200, 60, 40, 10):
        is_free = corner.fit(room)
        assert is_free == (room > 10)
        shown.append([sign for sign, button in corner.buttons.items() if button.isVisibleTo(corner)])
    assert shown == [["help", "float", "close"], ["help", "close"], ["help"], []]


def test_the_last_dock_of_a_place_has_a_title_again(qtbot: QtBot, window: MainWindow) -> None:
    doors, entities = window.docks.dock(DoorsPanel), window.docks.dock(EntitiesPanel)
    window.docks.by_id("capture").close()
    window.docks.by_id("survey").close()
    press_button(qtbot, window, doors, "close")
    assert not doors.isVisible()
    qtbot.waitUntil(lambda: entities.titleBarWidget().height() > 0)


def test_a_tab_dragged_out_of_its_row_floats_under_the_mouse(qtbot: QtBot, window: MainWindow) -> None:
    dock = window.docks.dock(PlayerPanel)
    raise_dock(qtbot, dock)
    bar, place = row_of(window, dock)
    start = bar.tabRect(place).center()
    end = start + QPoint(-300, 160)
    dropped = bar.mapToGlobal(end)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(bar, start + QPoint(-10, 0))
    qtbot.mouseMove(bar, start + QPoint(-200, 120))
    assert dock.isFloating()
    qtbot.mouseMove(bar, end)
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=end)
    assert dock.isFloating()
    assert dock.frameGeometry().contains(dropped)


@pytest.mark.parametrize("way", [(-1, -1), (0, -1)], ids=["held", "moved to the end"])
def test_a_held_tab_is_released_when_its_dock_closes(qtbot: QtBot, window: MainWindow, way: tuple[int, int]) -> None:
    bar, _ = row_of(window, window.docks.dock(TimelinePanel))
    count = bar.count()
    start, end = (bar.tabRect(range(count)[place]).center() for place in way)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
    for part in range(1, 9):
        qtbot.mouseMove(bar, start + (end - start) * part / 8)
    assert bar.currentIndex() == count - 1
    dock = window.docks.titles.dock_of(bar, bar.currentIndex())
    assert dock is not None
    dock.close()
    qtbot.waitUntil(lambda: bar.count() == count - 1)
    for at in (QPoint(2, end.y()), end):
        qtbot.mouseMove(bar, at)
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=end)
    assert not any(each.isFloating() for each in window.docks)


def test_another_button_releases_a_tab_whose_dock_closed(qtbot: QtBot, window: MainWindow, qtlog: QtMessages) -> None:
    """Qt would paint the tab that has gone, and crash now and then."""
    bar, _ = row_of(window, window.docks.dock(TimelinePanel))
    count = bar.count()
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(count - 1).center())
    dock = window.docks.titles.dock_of(bar, count - 1)
    assert dock is not None
    dock.close()
    qtbot.waitUntil(lambda: bar.count() == count - 1)
    button = bar.findChild(QToolButton, "tab-corner-help")
    assert button is not None
    qtbot.mousePress(button, Qt.MouseButton.RightButton, pos=QPoint(2, 21))
    for x in range(2, 22, 4):
        qtbot.mouseMove(button, QPoint(x, 1))
    qtbot.mouseRelease(button, Qt.MouseButton.RightButton, pos=QPoint(20, 1))
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert [record.message for record in qtlog.records] == []


def test_the_question_mark_says_what_a_dock_is_for(qtbot: QtBot, window: MainWindow) -> None:
    dock = window.docks.dock(TimelinePanel)
    assert not shown_words()
    press_button(qtbot, window, dock, "help")
    assert shown_words()
    QWhatsThis.hideText()
    assert all(dock.whatsThis() for dock in window.docks), [d.windowTitle() for d in window.docks if not d.whatsThis()]


def shown_words() -> bool:
    """Whether Qt shows a What's This."""
    return any(top.metaObject().className() == "QWhatsThat" for top in QApplication.topLevelWidgets())


def test_a_dock_behind_another_tab_is_not_refreshed(qtbot: QtBot, opened: MainWindow) -> None:
    live = opened
    raise_dock(qtbot, live.docks.dock(PlayerPanel))
    assert is_seen(live.docks.panel(PlayerPanel))
    assert not is_seen(live.docks.panel(CellPanel))
    raise_dock(qtbot, live.docks.dock(CellPanel))
    qtbot.waitUntil(lambda: is_seen(live.docks.panel(CellPanel)))
    assert not is_seen(live.docks.panel(PlayerPanel))


def test_shift_f1_and_a_click_explain_any_part_of_the_window(qtbot: QtBot, opened: MainWindow) -> None:
    for part in (opened.map, opened.time_bar.rules_button, opened.docks.panel(WorldPanel).tree, opened.status.rate):
        opened.map.setFocus()
        qtbot.keyClick(opened.map, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
        assert QWhatsThis.inWhatsThisMode()
        target = part.viewport() if isinstance(part, QAbstractScrollArea) else part
        qtbot.mouseClick(target, Qt.MouseButton.LeftButton)
        QWhatsThis.leaveWhatsThisMode()
        assert words_above(part), part
        QWhatsThis.hideText()


def words_above(part: QWidget | None) -> str:
    """The What's This that a click on a part shows: its own or that of what it is in."""
    while part is not None and not part.whatsThis():
        part = part.parentWidget()
    return "" if part is None else part.whatsThis()
