"""The four layouts: what each shows, that each is kept as it was left, and that docks grow with the window."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QRect, QSettings, Qt
from PySide6.QtWidgets import QDockWidget, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.window.test_layout import another, settle, too_narrow
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.panel import is_seen
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

CONTROL = Qt.KeyboardModifier.ControlModifier
KEYS = {"inspect": Qt.Key.Key_1, "walk": Qt.Key.Key_2, "debug": Qt.Key.Key_3, "visibility": Qt.Key.Key_4}
OPEN = {
    "walk": {"player", "doors", "sweep", "timeline"},
    "debug": {"player", "cell", "details", "why", "timeline", "capture", "log", "sweep"},
    "visibility": {"graph", "world", "cell", "details", "pview"},
}
SIDE = Qt.Orientation.Horizontal


def choose(qtbot: QtBot, window: MainWindow, name: str) -> None:
    qtbot.keyClick(window, KEYS[name], CONTROL)
    settle(qtbot, window)


def is_open(window: MainWindow) -> set[str]:
    return {spec.id for spec in window.docks.specs if not window.docks.by_id(spec.id).isHidden()}


def is_checked(window: MainWindow, name: str) -> bool:
    command = window.commands.find(f"layout-{name}")
    return command is not None and command.isChecked()


def place(window: MainWindow, part: QWidget) -> QRect:
    return QRect(part.mapTo(window, part.rect().topLeft()), part.size())


def parts(window: MainWindow) -> list[tuple[str, QRect]]:
    """What divides the window: the middle, the docks on the screen and their tab bars."""
    docks: list[QWidget] = list(window.docks.shown)
    bars = [bar for bar in window.findChildren(QTabBar) if bar.parent() is window and is_seen(bar)]
    return [(part.objectName(), place(window, part)) for part in [window.centre, window.time_bar, *docks, *bars]]


def resize(qtbot: QtBot, window: MainWindow, width: int, height: int) -> None:
    window.resize(width, height)
    settle(qtbot, window)
    assert window.size().toTuple() == (width, height)


def test_each_layout_has_a_key_and_shows_its_docks(qtbot: QtBot, opened: MainWindow) -> None:
    every = {spec.id for spec in opened.docks.specs}
    assert is_open(opened) == every
    for name, docks in OPEN.items():
        choose(qtbot, opened, name)
        assert is_open(opened) == docks
        assert is_checked(opened, name)
    choose(qtbot, opened, "inspect")
    assert is_open(opened) == every


@pytest.mark.parametrize("name", KEYS)
def test_no_layout_clips_or_overlaps_in_a_small_window(qtbot: QtBot, opened: MainWindow, name: str) -> None:
    choose(qtbot, opened, name)
    for size in ((1280, 800), (1024, 700), (1600, 960)):
        resize(qtbot, opened, *size)
        seen = parts(opened)
        assert not [(a, b) for (a, one), (b, other) in combinations(seen, 2) if one.intersects(other)]
        assert not [part for part, rect in seen if not opened.rect().contains(rect)]
        assert opened.centre.width() >= 290
        assert opened.centre.height() >= 250
        if size == (1280, 800):
            assert {dock.objectName(): too_narrow(dock) for dock in opened.docks.shown if too_narrow(dock)} == {}


def test_a_layout_is_kept_as_it_was_left_also_until_the_next_start(
    qtbot: QtBot, opened: MainWindow, settings: QSettings
) -> None:
    choose(qtbot, opened, "walk")
    opened.docks.by_id("timeline").close()
    opened.docks.bring(opened.docks.by_id("pview"))
    changed = OPEN["walk"] - {"timeline"} | {"pview"}
    assert is_open(opened) == changed
    choose(qtbot, opened, "visibility")
    choose(qtbot, opened, "walk")
    assert is_open(opened) == changed
    opened.close()
    again = another(qtbot, settings)
    with qtbot.waitActive(again):
        again.activateWindow()
    assert is_open(again) == changed
    assert is_checked(again, "walk")
    choose(qtbot, again, "visibility")
    assert is_open(again) == OPEN["visibility"]
    choose(qtbot, again, "walk")
    again.reset_layout()
    settle(qtbot, again)
    assert is_open(again) == OPEN["walk"]


def test_a_dock_that_a_layout_closes_opens_beside_its_kin(qtbot: QtBot, opened: MainWindow) -> None:
    choose(qtbot, opened, "walk")
    entities = opened.docks.by_id("entities")
    opened.docks.bring(entities)
    qtbot.waitUntil(lambda: is_seen(entities))
    assert opened.dockWidgetArea(entities) is Qt.DockWidgetArea.LeftDockWidgetArea
    assert not entities.isFloating()


def widths(window: MainWindow, *names: str) -> list[int]:
    return [front(window, name).width() for name in names]


def front(window: MainWindow, name: str) -> QDockWidget:
    dock = window.docks.by_id(name)
    return next(seen for seen in window.docks.shown if seen is dock or seen in window.tabifiedDockWidgets(dock))


def test_docks_grow_with_the_window_and_shrink_again(qtbot: QtBot, opened: MainWindow) -> None:
    settle(qtbot, opened)
    before = widths(opened, "graph", "cell")
    height = front(opened, "timeline").height()
    size = opened.size().toTuple()
    resize(qtbot, opened, 2560, 1440)
    assert widths(opened, "graph", "cell") == [pytest.approx(640, abs=8)] * 2
    assert front(opened, "timeline").height() > height + 40
    resize(qtbot, opened, *size)
    assert widths(opened, "graph", "cell") == [pytest.approx(width, abs=8) for width in before]


def test_a_width_that_the_user_set_keeps_its_share(qtbot: QtBot, opened: MainWindow) -> None:
    settle(qtbot, opened)
    opened.resizeDocks([front(opened, "cell")], [500], SIDE)
    settle(qtbot, opened)
    share = front(opened, "cell").width() / opened.width()
    resize(qtbot, opened, 2400, 1300)
    assert front(opened, "cell").width() / opened.width() == pytest.approx(share, abs=0.01)


def test_going_to_the_deciding_portal_keeps_the_sizes_of_the_docks(qtbot: QtBot, opened: MainWindow) -> None:
    graph, doors = opened.docks.by_id("graph"), opened.docks.by_id("doors")
    settle(qtbot, opened)
    opened.resizeDocks([graph, doors], [200, 900], Qt.Orientation.Vertical)
    settle(qtbot, opened)
    before = [dock.height() for dock in (graph, doors)]
    panel = opened.docks.panel(CellGraphPanel)
    assert panel.view.graph is not None
    panel.show_edge(panel.view.graph.edges[0])
    assert panel.sides_page.isVisible()
    settle(qtbot, opened)
    assert [dock.height() for dock in (graph, doors)] == before


def test_changing_between_layouts_leaves_no_stray_tabs(qtbot: QtBot, opened: MainWindow) -> None:
    for _ in range(2):
        for name in KEYS:
            choose(qtbot, opened, name)
    names = [
        opened.docks.titles.dock_of(bar, index)
        for bar in opened.findChildren(QTabBar)
        if bar.parent() is opened and is_seen(bar)
        for index in range(bar.count())
    ]
    assert len(names) == len(set(names)) == 4


def test_keys_of_a_closed_dock_go_to_the_picture(qtbot: QtBot, opened: MainWindow) -> None:
    opened.docks.bring(opened.docks.by_id("entities"))
    qtbot.waitUntil(lambda: opened.docks.by_id("entities").isAncestorOf(opened.focusWidget()))
    choose(qtbot, opened, "visibility")
    assert opened.centre.isAncestorOf(opened.focusWidget())
