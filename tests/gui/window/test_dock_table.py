"""Every dock of the table in the real window, and one that a test adds with a single entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QSettings, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from editor.session.session import Session
from ui.commands.registry import without_mnemonic
from ui.docks.context import DockContext
from ui.docks.panel import is_seen
from ui.window.dock_table import DOCKS, DockSpec
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

PAGES = Path(__file__).parents[3] / "docs/docks"
SAVED_NAMES = {
    "dock-capture",
    "dock-cell graph",
    "dock-cell",
    "dock-compare",
    "dock-console",
    "dock-details",
    "dock-doors",
    "dock-entities",
    "dock-log",
    "dock-player",
    "dock-problems",
    "dock-pview",
    "dock-survey",
    "dock-sweep",
    "dock-timeline",
    "dock-why",
    "dock-world",
}
"""Object names in layouts saved before the table existed."""

RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


def _notes(context: DockContext, parent: QWidget) -> QWidget:
    made = QLabel(f"{len(context.log.entries)} notes", parent)
    made.setWhatsThis("Notes of a test.")
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


NOTES = DockSpec("notes", "Notes", _notes, RIGHT, "selection", "notes.md")


@pytest.fixture
def extended(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    """A window with one more entry in its table of docks."""
    shown = MainWindow(Session(), settings, (*DOCKS, NOTES))
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    yield shown
    shown.close()


def tab_bars(window: MainWindow) -> list[QTabBar]:
    """The visible tab bars that docks share."""
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [bar for bar in bars if bar.isVisible()]


def groups_of(window: MainWindow) -> set[frozenset[str]]:
    """The sets of docks that share a place."""
    found = set()
    for dock in window.docks:
        together = [dock, *window.tabifiedDockWidgets(dock)]
        found.add(frozenset(each.objectName() for each in together))
    return found


def groups_of_table(table: tuple[DockSpec, ...]) -> set[frozenset[str]]:
    """The sets of docks that should share a place."""
    groups: dict[str, set[str]] = {}
    for spec in table:
        groups.setdefault(spec.group, set()).add(spec.object_name)
    return {frozenset(names) for names in groups.values()}


@pytest.mark.parametrize("spec", DOCKS, ids=lambda spec: spec.id)
def test_a_dock_is_in_its_area_with_its_title_help_and_page(opened: MainWindow, spec: DockSpec) -> None:
    dock = opened.docks.by_id(spec.id)
    assert dock.windowTitle().split(" (")[0] == spec.title
    assert opened.dockWidgetArea(dock) == spec.area
    assert len(dock.whatsThis()) > 40
    page = PAGES / spec.page
    assert page.read_text(encoding="utf-8").startswith(f"# {spec.title}\n")


def test_titles_ids_and_saved_names_are_unique() -> None:
    for values in ([spec.id for spec in DOCKS], [spec.title for spec in DOCKS], [spec.page for spec in DOCKS]):
        assert len(set(values)) == len(values)
    assert {spec.object_name for spec in DOCKS} == SAVED_NAMES


def test_the_first_dock_of_each_group_is_in_front(qtbot: QtBot, opened: MainWindow) -> None:
    fronts = {spec.object_name for spec in DOCKS if spec.is_first}
    qtbot.waitUntil(lambda: {dock.objectName() for dock in opened.docks.shown} == fronts)
    assert groups_of(opened) == groups_of_table(tuple(DOCKS))


@pytest.mark.parametrize("spec", DOCKS, ids=lambda spec: spec.id)
def test_a_command_brings_each_dock_to_the_front(qtbot: QtBot, opened: MainWindow, spec: DockSpec) -> None:
    dock = opened.docks.by_id(spec.id)
    dock.close()
    command = opened.commands.find(f"dock/{spec.title}")
    assert command is not None
    command.trigger()
    qtbot.waitUntil(lambda: is_seen(dock))
    focus = QApplication.focusWidget()
    assert focus is not None
    assert dock.isAncestorOf(focus)


def test_an_entry_of_the_table_is_in_menu_palette_and_layout(qtbot: QtBot, extended: MainWindow) -> None:
    dock = extended.docks.by_id("notes")
    assert dock.widget().text() == "0 notes"  # type: ignore[attr-defined]
    assert extended.dockWidgetArea(dock) == RIGHT
    assert extended.docks.by_id("cell") in extended.tabifiedDockWidgets(dock)
    titles = [command.title for command in extended.commands.commands()]
    assert "Show Notes" in titles
    assert "About Notes" in titles
    toggle = extended.commands.find("toggle-dock-notes")
    assert toggle is dock.toggleViewAction() or toggle == dock.toggleViewAction()
    docks = next(action for action in extended.menus["View"].actions() if without_mnemonic(action.text()) == "Docks")
    shown = [action.text() for action in docks.menu().actions()]  # type: ignore[attr-defined]
    assert shown == sorted(shown)
    assert "Notes" in shown
    help_button = dock.titleBarWidget().findChild(QToolButton, "dock-title-help")
    assert isinstance(help_button, QToolButton)
    assert dock.whatsThis() == "Notes of a test."
    dock.setFloating(True)
    extended.reset_layout()
    assert not dock.isFloating()
    assert extended.docks.by_id("cell") in extended.tabifiedDockWidgets(dock)


def test_a_saved_layout_is_restored(qtbot: QtBot, window: MainWindow, settings: QSettings) -> None:
    log = window.docks.by_id("log")
    window.addDockWidget(RIGHT, log)
    window.docks.by_id("world").close()
    window.close()
    again = MainWindow(Session(), settings)
    qtbot.addWidget(again)
    again.show()
    assert again.dockWidgetArea(again.docks.by_id("log")) == RIGHT
    assert again.docks.by_id("world").isHidden()
    again.close()


def scatter(window: MainWindow) -> None:
    """Float, close, move and tab docks away from their groups."""
    docks = window.docks
    docks.by_id("doors").setFloating(True)
    docks.by_id("world").close()
    window.addDockWidget(BOTTOM, docks.by_id("cell"))
    window.addDockWidget(RIGHT, docks.by_id("log"))
    window.tabifyDockWidget(docks.by_id("sweep"), docks.by_id("entities"))
    window.splitDockWidget(docks.by_id("timeline"), docks.by_id("pview"), Qt.Orientation.Horizontal)


def test_reset_layout_returns_every_dock_and_leaves_no_stray_tabs(qtbot: QtBot, opened: MainWindow) -> None:
    fronts = {spec.object_name for spec in DOCKS if spec.is_first}
    sizes = Counter(spec.group for spec in DOCKS)
    for _ in range(2):
        scatter(opened)
        qtbot.wait(50)
        opened.reset_layout()
        qtbot.waitUntil(lambda: groups_of(opened) == groups_of_table(tuple(DOCKS)))
        qtbot.waitUntil(lambda: {dock.objectName() for dock in opened.docks.shown} == fronts)
        qtbot.waitUntil(lambda: sorted(bar.count() for bar in tab_bars(opened)) == sorted(sizes.values()))
        for dock in opened.docks:
            assert isinstance(dock, QDockWidget)
            assert not dock.isFloating()
            assert not dock.isHidden()


class LayoutRequests(QObject):
    """Counts the requests of a window to lay itself out."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.count = 0
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.LayoutRequest
        return False


def test_docks_that_leave_their_tabs_let_the_window_rest(qtbot: QtBot, opened: MainWindow) -> None:
    """An empty tab bar that is hidden and shown in turn would keep the window laying itself out."""
    for dock in opened.findChildren(QDockWidget):
        for hidden in opened.tabifiedDockWidgets(dock):
            hidden.setFloating(True)
            hidden.show()
    requests = LayoutRequests(opened)

    def rests() -> bool:
        before = requests.count
        for _ in range(20):
            qtbot.wait(5)
        return requests.count - before < 3

    qtbot.waitUntil(rests)
