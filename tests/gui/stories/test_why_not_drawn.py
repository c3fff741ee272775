"""Why is that room not drawn: two clicks, from the cell graph or from the dollhouse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection
from engine.geometry.vec import Vec3
from engine.sim.edits.player import Teleport
from engine.world.cells.ids import cell_text
from tests.gui.docks.live_hands import raise_dock
from tests.gui.stories.actions import Actions
from tests.gui.view3d.view_hands import rest, stand, view_of, viewport_of
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.panel import is_seen
from ui.docks.pview.pview_dock import PViewPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BLOCK = 0x0007FFFF
HALL, STUDY = 0x00070100, 0x00070101
IN_HALL: Vec3 = (3.0, 2.0, 0.0)
WEST = 270.0
NOT_DRAWN = f"{cell_text(STUDY)}: not drawn: the way to it ends before"


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    """The player and the camera look away from the door to the study; PView is behind another tab."""
    with view_of(qtbot, settings, house) as shown:
        shown.document.edit("Teleport Player", Teleport(HALL, *IN_HALL, WEST))
        stand(qtbot, shown, HALL, (3.0, 2.0, 1.5), WEST)
        raise_dock(qtbot, shown.docks.dock(TimelinePanel))
        assert not is_seen(shown.docks.panel(PViewPanel))
        yield shown


def click_tab(actions: Actions, window: MainWindow, title: str) -> None:
    for bar in window.findChildren(QTabBar):
        titles = [bar.tabText(number) for number in range(bar.count())]
        if bar.parent() is window and title in titles and is_seen(bar):
            actions.click(bar, bar.tabRect(titles.index(title)).center())
            return
    raise AssertionError(title)


def test_the_reason_is_two_clicks_away_in_the_cell_graph(qtbot: QtBot, view: MainWindow) -> None:
    graph = view.docks.panel(CellGraphPanel).view
    raise_dock(qtbot, view.docks.dock(CellGraphPanel))
    study = Selection(Kind.CELL, BLOCK, STUDY)
    qtbot.waitUntil(lambda: study in graph.nodes)
    actions = Actions()
    click_tab(actions, view, "PView")
    actions.click(graph.viewport(), graph.mapFromScene(graph.nodes[study].pos()))
    panel = view.docks.panel(PViewPanel)
    qtbot.waitUntil(lambda: NOT_DRAWN in panel.why.text())
    assert actions.count == 2


def test_the_reason_is_two_clicks_away_in_the_dollhouse(qtbot: QtBot, view: MainWindow) -> None:
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_F4)
    rest(qtbot, view)
    assert view.viewing.last is not None
    camera = view.viewing.last.camera
    ex, ey, ez = camera.eye_in(BLOCK)
    seen = camera.project_offset(9.0 - ex, 2.0 - ey, 0.0 - ez)
    ratio = viewport_of(view).devicePixelRatioF()
    actions = Actions()
    actions.click(viewport_of(view), QPoint(round(seen.x / seen.w / ratio), round(seen.y / seen.w / ratio)))
    assert view.session.selection == Selection(Kind.CELL, BLOCK, STUDY)
    click_tab(actions, view, "PView")
    panel = view.docks.panel(PViewPanel)
    qtbot.waitUntil(lambda: NOT_DRAWN in panel.why.text())
    assert "clipped away" in panel.why.text()
    assert actions.count == 2
