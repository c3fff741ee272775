"""The places of the docks, layouts saved elsewhere, and legibility in a small window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QByteArray, QEvent, QRect, QSettings, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QScrollArea,
    QTabBar,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from editor.session.session import Session
from tests.gui.docks.live_hands import raise_dock
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.panel import is_seen
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.layouts.arranger import FRAME, VERSION
from ui.window.main_window import MainWindow
from ui.window.status_line import Elided

pytestmark = pytest.mark.gui


def another(qtbot: QtBot, settings: QSettings) -> MainWindow:
    """The window at its next start."""
    window = MainWindow(Session(), settings)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    return window


def tabs(window: MainWindow) -> list[list[str]]:
    """The visible tab bars."""
    rows = [bar for bar in window.findChildren(QTabBar) if bar.parent() is window and is_seen(bar)]
    return sorted([bar.tabText(place) for place in range(bar.count())] for bar in rows)


AT_FIRST = [
    ["Cell", "Player", "Details", "Sweep", "Compare", "Why"],
    ["Cell Graph", "World"],
    ["Doors", "Entities", "Capture", "Survey"],
    ["Timeline", "PView", "Problems", "Log", "Console"],
]


def first_size() -> QSize:
    """The window of the first start, smaller than the screen by its frame."""
    return QSize(1600, 1000).boundedTo(QGuiApplication.primaryScreen().availableSize() - FRAME)


def test_the_first_start_has_every_dock_in_its_place(qtbot: QtBot, window: MainWindow) -> None:
    assert tabs(window) == AT_FIRST
    assert window.size() == first_size()


def test_bottom_docks_take_the_full_width_in_a_high_window(qtbot: QtBot, window: MainWindow) -> None:
    bottom, left = window.docks.dock(TimelinePanel), window.docks.dock(DoorsPanel)
    assert bottom.width() == window.width()
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: bottom.x() > left.geometry().right())
    assert left.geometry().bottom() > bottom.y()
    window.resize(1600, 1000)
    qtbot.waitUntil(lambda: bottom.width() == window.width())


def test_size_and_place_of_the_docks_persist(qtbot: QtBot, window: MainWindow, settings: QSettings) -> None:
    window.resize(1300, 820)
    window.docks.dock(EntitiesPanel).hide()
    raise_dock(qtbot, window.docks.dock(SweepPanel))
    window.close()
    again = another(qtbot, settings)
    assert again.size().toTuple() == (1300, 820)
    assert not again.docks.dock(EntitiesPanel).isVisible()
    assert is_seen(again.docks.panel(SweepPanel))
    again.reset_layout()
    qtbot.waitUntil(lambda: tabs(again) == AT_FIRST)
    assert again.size() == first_size()


@pytest.mark.parametrize("state", ["older", "broken", "empty"])
def test_an_unreadable_layout_is_ignored(qtbot: QtBot, window: MainWindow, settings: QSettings, state: str) -> None:
    window.docks.dock(SweepPanel).hide()
    older = window.saveState(VERSION - 1)
    window.close()
    settings.setValue(
        "layout/inspect", {"older": older, "broken": QByteArray(b"\x00\xff" * 40), "empty": QByteArray()}[state]
    )
    assert tabs(another(qtbot, settings)) == AT_FIRST


def test_a_window_from_a_disconnected_screen_returns_into_view(
    qtbot: QtBot, window: MainWindow, settings: QSettings
) -> None:
    window.move(30_000, 20_000)
    window.close()
    again = another(qtbot, settings)
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.intersected(again.frameGeometry()).width() > 400


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Let Qt lay the window out, until its docks rest."""

    def places() -> list[QRect]:
        return [QRect(dock.geometry()) for dock in window.docks]

    seen: list[list[QRect]] = []

    def rests() -> bool:
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        seen.append(places())
        return len(seen) > 6 and seen[-1] == seen[-6]

    qtbot.waitUntil(rests)


def scrolls(part: QWidget) -> bool:
    """Docks scroll what is too high for them."""
    around = part.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    return around is not None


def too_narrow(window: QWidget) -> list[str]:
    """Visible widgets without enough room for their text."""
    found = []
    for part in window.findChildren(QWidget):
        if not isinstance(part, QAbstractButton | QLabel | QComboBox) or not is_seen(part) or isinstance(part, Elided):
            continue
        wraps = isinstance(part, QLabel) and part.wordWrap()
        needs = part.minimumSizeHint() if wraps else part.sizeHint()
        cut = part.visibleRegion().boundingRect().size()
        low = cut.height() + 1 < min(needs.height(), 14) and not scrolls(part)
        if cut.width() + 1 < needs.width() or low:
            words = part.currentText() if isinstance(part, QComboBox) else part.text()
            found.append(f"{part.objectName()}: {words!r} has {cut.width()} of {needs.width()}")
    return found


def test_at_1280_by_800_nothing_is_squeezed_or_clipped(qtbot: QtBot, opened: MainWindow) -> None:
    opened.resize(1280, 800)
    narrow = {}
    for dock in opened.docks:
        raise_dock(qtbot, dock)
        qtbot.waitUntil(lambda dock=dock: is_seen(dock.widget()))  # type: ignore[misc]
        assert opened.size().toTuple() == (1280, 800)
        pages = dock.findChild(QTabWidget)
        for page in range(1 if pages is None else pages.count()):
            if pages is not None:
                pages.setCurrentIndex(page)
            settle(qtbot, opened)
            found = too_narrow(dock)
            if found:
                narrow[f"{dock.toggleViewAction().text()} {page}"] = found
    for page in (0, 1):
        opened.centre.show_page(page)
        found = too_narrow(opened.centre)
        if found:
            narrow[f"page {page}"] = found
    found = too_narrow(opened.time_bar)
    if found:
        narrow["toolbar"] = found
    assert narrow == {}


def test_the_map_is_framed_at_the_size_of_its_first_showing(qtbot: QtBot, opened: MainWindow) -> None:
    opened.centre.show_page(0)
    opened.open(opened.session.source)
    with qtbot.waitSignal(opened.session.faults_changed, timeout=20_000):
        pass
    opened.centre.choose_page(1)
    qtbot.waitUntil(opened.map.isVisible)
    shown = opened.map.pixels_per_metre()
    opened.map.frame_all()
    assert shown == pytest.approx(opened.map.pixels_per_metre(), rel=0.02)


def test_at_1280_by_800_the_numbers_of_player_and_cell_are_unclipped(qtbot: QtBot, opened: MainWindow) -> None:
    opened.resize(1280, 800)
    for panel in (opened.docks.panel(PlayerPanel), opened.docks.panel(CellPanel)):
        raise_dock(qtbot, opened.docks.of(panel))
        bars = [view.horizontalScrollBar() for view in panel.views if is_seen(view)]
        assert bars
        assert not [bar for bar in bars if bar.maximum()]
