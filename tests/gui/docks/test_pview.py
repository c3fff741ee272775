"""PView by clicks: the draw list, the small screen and the portals of the picture, and why a cell is drawn or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.models.pview.screen import Role
from editor.session.session import Kind, Selection
from engine.geometry.vec import Vec3
from engine.render.picking.hits import HitKind
from engine.visibility import records
from engine.world.cells.ids import cell_text
from tests.gui.docks.live_hands import click_button, click_row, raise_dock
from tests.gui.view3d.view_hands import stand, view_of, viewer_of, viewport_of
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.problems import ProblemsView
from ui.docks.pview.pview_dock import PORTALS_TAB, PViewPanel
from ui.docks.pview.screen import MiniScreen
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BLOCK = 0x0007FFFF
HALL, STUDY, LOFT, DOORWAY, HATCH = 0x00070100, 0x00070101, 0x00070102, 0x00070103, 0x00070104
EASTWARD = [HALL, HATCH, LOFT, DOORWAY, STUDY]
IN_HALL: Vec3 = (3.0, 2.0, 1.5)
WEST, EAST = 270.0, 90.0


def cell(cell_id: int) -> Selection:
    return Selection(Kind.CELL, BLOCK, cell_id)


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    """The house in the 3D view, PView in front; the eye is in the hall and looks through the door into the study."""
    with view_of(qtbot, settings, house) as shown:
        raise_dock(qtbot, shown.docks.dock(PViewPanel))
        stand(qtbot, shown, HALL, IN_HALL, EAST)
        qtbot.waitUntil(lambda: drawn(shown.docks.panel(PViewPanel)) == EASTWARD)
        yield shown


@pytest.fixture
def panel(view: MainWindow) -> PViewPanel:
    return view.docks.panel(PViewPanel)


def drawn(panel: PViewPanel) -> list[int]:
    """The draw list."""
    return [int(row.values[1].text, 16) for row in panel.cells.table.rows]


def spot(screen: MiniScreen, x: float, y: float) -> QPoint:
    """A part of the small screen, 0 to 1 each way, on the widget."""
    return screen.to_widget(screen.picture.width * x, screen.picture.height * y).toPoint()


def test_the_draw_list_follows_the_camera(qtbot: QtBot, view: MainWindow, panel: PViewPanel) -> None:
    assert [row.values[0].text for row in panel.cells.table.rows] == ["▶ 1", "2", "3", "4", "5"]
    assert panel.cells.table.rows[1].values[2].text == f"{cell_text(HALL)} · 1"
    assert panel.summary.text().startswith(f"root {cell_text(HALL)} (viewer) · 5 cells")
    stand(qtbot, view, HALL, IN_HALL, WEST)
    qtbot.waitUntil(lambda: drawn(panel) == [HALL])


def test_a_row_of_the_draw_list_selects_its_cell_and_says_why_it_is_drawn(
    qtbot: QtBot, view: MainWindow, panel: PViewPanel
) -> None:
    click_row(qtbot, panel.cells, (0, STUDY), column=1)
    assert view.session.selection == cell(STUDY)
    assert f"{cell_text(STUDY)}: drawn, 5 of 5, through portal 1 of {cell_text(DOORWAY)}" in panel.why.text()
    assert panel.small.selected == STUDY


def test_the_small_screen_selects_the_cell_on_top_and_previews_it_on_hover(
    qtbot: QtBot, view: MainWindow, panel: PViewPanel
) -> None:
    screen = panel.small

    def hovers() -> bool:
        qtbot.mouseMove(screen.viewport(), spot(screen, 0.1, 0.1))
        qtbot.mouseMove(screen.viewport(), spot(screen, 0.5, 0.55))
        return view.session.hover == cell(STUDY)

    qtbot.waitUntil(hovers)
    qtbot.mouseClick(screen.viewport(), Qt.MouseButton.LeftButton, pos=spot(screen, 0.5, 0.55))
    assert view.session.selection == cell(STUDY)
    qtbot.mouseClick(screen.viewport(), Qt.MouseButton.LeftButton, pos=spot(screen, 0.05, 0.5))
    assert view.session.selection == cell(HALL)


def test_why_a_cell_is_not_drawn_names_the_portal_and_leads_to_it(
    qtbot: QtBot, view: MainWindow, panel: PViewPanel
) -> None:
    stand(qtbot, view, HALL, IN_HALL, WEST)
    qtbot.waitUntil(lambda: drawn(panel) == [HALL])
    view.session.select(cell(STUDY))
    assert f"{cell_text(STUDY)}: not drawn: the way to it ends before {cell_text(DOORWAY)}" in panel.why.text()
    assert "clipped away" in panel.why.text()
    click_button(qtbot, panel, "pview-decided-button")
    assert panel.tabs.currentIndex() == PORTALS_TAB
    picked = view.viewing.picked
    assert picked is not None
    assert (picked.kind, picked.cell_id, picked.status) == (HitKind.PORTAL, HALL, records.CLIPPED)
    assert view.session.selection == cell(STUDY), "the question stays"
    assert panel.portals.key is not None
    assert view.docks.panel(CellGraphPanel).view.edge is not None


def test_a_portal_that_is_chosen_is_selected_everywhere(qtbot: QtBot, view: MainWindow, panel: PViewPanel) -> None:
    panel.tabs.setCurrentIndex(PORTALS_TAB)
    raise_dock(qtbot, view.docks.dock(CellPanel))
    row = next(row for row in panel.portals.table.rows if row.values[1].text.startswith(cell_text(DOORWAY)))
    click_row(qtbot, panel.portals, row.key)
    assert view.session.selection == cell(DOORWAY)
    picked = view.viewing.picked
    assert picked is not None
    assert (picked.kind, picked.cell_id) == (HitKind.PORTAL, DOORWAY)
    edge = view.docks.panel(CellGraphPanel).view.edge
    assert edge is not None
    assert any(side.owner == cell(DOORWAY) and side.index == picked.portal_index for side in edge.sides)
    assert view.docks.panel(CellPanel).portal_page.view.key == (DOORWAY, picked.portal_index)


def test_a_portal_picked_in_the_picture_is_marked_in_the_list(
    qtbot: QtBot, view: MainWindow, panel: PViewPanel
) -> None:
    viewport = viewport_of(view)
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, control, viewport.rect().center())
    assert view.viewing.picked is not None
    assert any(shape.role is Role.OPENING for shape in panel.small.picture.shapes)
    panel.tabs.setCurrentIndex(PORTALS_TAB)
    key = panel.portals.key
    assert isinstance(key, tuple)
    assert key[1] == view.viewing.picked.cell_id


def test_portals_are_filtered_by_fate_and_by_cell(qtbot: QtBot, view: MainWindow, panel: PViewPanel) -> None:
    panel.tabs.setCurrentIndex(PORTALS_TAB)
    every = len(panel.portals.table.rows)
    choose_filter(qtbot, panel, "Followed")
    followed = panel.portals.table.rows
    assert 0 < len(followed) < every
    assert all(row.values[0].text == "✓ followed" for row in followed)
    assert panel.tabs.tabText(PORTALS_TAB) == f"Portals {len(followed)} of {every}"
    assert panel.filter.text() == "Followed"
    choose_filter(qtbot, panel, "All results")
    view.session.select(cell(STUDY))
    choose_filter(qtbot, panel, f"Only {cell_text(STUDY)}")
    assert panel.filter.text() == f"All results, {cell_text(STUDY)}"
    assert all(cell_text(STUDY) in f"{row.values[1].text} {row.values[2].text}" for row in panel.portals.table.rows)
    view.session.select(cell(HALL))
    assert panel.filter.wanted.cell_id == STUDY, "it keeps the cell that it was ticked for"


def choose_filter(qtbot: QtBot, panel: PViewPanel, text: str) -> None:
    """Open the menu of the filter and click an entry."""
    menu = panel.filter.menu()
    chosen = next(action for action in menu.actions() if action.iconText() == text)

    def click() -> None:
        qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(chosen).center())

    QTimer.singleShot(50, click)
    qtbot.mouseClick(panel.filter, Qt.MouseButton.LeftButton)


def test_the_small_screen_is_zoomed_by_the_wheel_and_fitted_again(qtbot: QtBot, panel: PViewPanel) -> None:
    screen = panel.small
    at = spot(screen, 0.5, 0.5)
    held = screen.to_scene(QPointF(at))
    for _ in range(8):
        wheel(screen, at)
    assert screen.zoom > 5.0
    moved = screen.to_scene(QPointF(at)) - held
    assert abs(moved.x()) + abs(moved.y()) < 1.0, "what lies under the mouse stays there"
    before = screen.to_scene(QPointF(at))
    qtbot.mousePress(screen.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(screen.viewport(), at + QPoint(30, 0))
    qtbot.mouseMove(screen.viewport(), at + QPoint(40, 0))
    qtbot.mouseRelease(screen.viewport(), Qt.MouseButton.LeftButton, pos=at + QPoint(40, 0))
    assert screen.to_scene(QPointF(at)).x() < before.x()
    screen.setFocus()
    qtbot.keyClick(screen, Qt.Key.Key_0)
    assert screen.zoom == 1.0


def test_the_small_screen_zooms_to_a_cell_of_a_few_pixels(view: MainWindow, panel: PViewPanel) -> None:
    view.session.select(cell(STUDY))
    panel.zoom_action.trigger()
    shape = panel.small.picture.of_cell(STUDY)[0]
    corners = [panel.small.to_widget(x, y) for x, y in shape.points]
    assert all(panel.small.rect().contains(corner.toPoint()) for corner in corners)
    height = max(corner.y() for corner in corners) - min(corner.y() for corner in corners)
    assert height > panel.small.height() * 0.4
    panel.fit_action.trigger()
    assert panel.small.zoom == 1.0
    view.session.select(None)
    assert not panel.zoom_action.isEnabled()


def wheel(screen: MiniScreen, at: QPoint) -> None:
    event = QWheelEvent(
        QPointF(at),
        screen.mapToGlobal(QPointF(at)),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(screen.viewport(), event)


def test_rows_offer_to_root_the_frames_and_to_go_through_a_portal(
    qtbot: QtBot, view: MainWindow, panel: PViewPanel
) -> None:
    click_row(qtbot, panel.cells, (0, STUDY), column=1)
    panel.pin_action.trigger()
    assert viewer_of(view).pinned_id == STUDY
    qtbot.waitUntil(lambda: panel.summary.text().startswith(f"root {cell_text(STUDY)} (pinned)"))
    assert not panel.behind_action.isEnabled()
    panel.tabs.setCurrentIndex(PORTALS_TAB)
    click_row(qtbot, panel.portals, panel.portals.table.rows[0].key)
    assert panel.portals.table.rows[0].values[2].text == cell_text(DOORWAY)
    panel.behind_action.trigger()
    assert view.session.selection == cell(DOORWAY)


def test_an_entity_is_explained_by_its_cell_and_without_one_the_dock_asks(
    qtbot: QtBot, view: MainWindow, panel: PViewPanel
) -> None:
    assert view.session.simulation is not None
    door = view.session.simulation.population.doors[0]
    view.session.select(Selection(Kind.ENTITY, BLOCK, door.id))
    assert panel.why.text().count(f"{cell_text(door.place_cell())}: drawn") == 1
    view.session.select(None)
    assert panel.why.text().startswith("Select a cell")
    assert not panel.decided_action.isEnabled()


def test_the_small_screen_is_saved_in_the_size_of_the_picture(panel: PViewPanel, tmp_path: Path) -> None:
    name = str(tmp_path / "views.png")
    assert panel.save(name)
    image = QImage(name)
    assert (image.width(), image.height()) == (round(panel.small.picture.width), round(panel.small.picture.height))
    assert not panel.save(str(tmp_path / "nowhere" / "views.png"))


def test_nothing_is_read_while_the_dock_is_hidden(qtbot: QtBot, view: MainWindow, panel: PViewPanel) -> None:
    raise_dock(qtbot, view.docks.dock(ProblemsView))
    before = panel.frame
    stand(qtbot, view, HALL, IN_HALL, WEST)
    view.clock.step(3)
    assert panel.frame is before
    raise_dock(qtbot, view.docks.of(panel))
    qtbot.waitUntil(lambda: drawn(panel) == [HALL])


def test_behind_the_map_the_dock_shows_what_the_camera_would_see(
    qtbot: QtBot, view: MainWindow, panel: PViewPanel
) -> None:
    qtbot.keyClick(view, Qt.Key.Key_F3)
    view.clock.step(2)
    qtbot.waitUntil(lambda: panel.small.picture.width == 1280.0)
    # The wide screen sees less from top to bottom than the dock's narrow one did: the loft is beyond its upper edge.
    assert drawn(panel) == [HALL, HATCH, DOORWAY, STUDY]
