"""The Cell Graph dock by clicks and keys."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from editor.authoring.cell_edits import set_portal
from editor.models.graph.cell_graph import RoomVisibility
from editor.models.live_table import ACCEPTED, TONE_ROLE
from editor.session.session import Kind, Selection
from engine.build import WorldBuilder, rect
from engine.sim.edits.player import FacePlayer, Teleport
from tests.gui.docks.live_hands import raise_dock
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.graph.items import EdgeItem, NodeItem
from ui.docks.graph.view import GraphView
from ui.docks.world import WorldPanel
from ui.theme.theme_state import Theme
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

BLOCK = 0x0007FFFF
HALL, STUDY, LOFT, BETWEEN = (Selection(Kind.CELL, BLOCK, 0x00070100 + index) for index in range(4))
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, opened: MainWindow) -> CellGraphPanel:
    raise_dock(qtbot, opened.docks.dock(CellGraphPanel))
    qtbot.waitUntil(lambda: len(opened.docks.panel(CellGraphPanel).view.nodes) >= 4)
    return opened.docks.panel(CellGraphPanel)


def node_at(view: GraphView, key: Selection) -> QPoint:
    return view.mapFromScene(view.nodes[key].pos())


def edge_between(view: GraphView, *keys: Selection) -> EdgeItem:
    return next(item for item in view.edges if {item.edge.start, item.edge.end} == set(keys))


def middle_of(view: GraphView, item: EdgeItem) -> QPoint:
    return view.mapFromScene((item.line[0] + item.line[1]) / 2.0)


def click_node(qtbot: QtBot, view: GraphView, key: Selection) -> None:
    qtbot.mouseClick(view.viewport(), LEFT, pos=node_at(view, key))


def turn_wheel(view: GraphView, at: QPoint, degrees: int) -> None:
    none, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    place = QPointF(at)
    whole = QPointF(view.viewport().mapToGlobal(at))
    event = QWheelEvent(place, whole, QPoint(), QPoint(0, degrees), none, keys, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(view.viewport(), event)


def test_a_click_on_a_node_selects_its_cell_everywhere(qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel) -> None:
    click_node(qtbot, panel.view, STUDY)
    assert opened.session.selection == STUDY
    pen = panel.view.nodes[STUDY].pen()
    assert pen.color() == QColor(opened.colours.selected)
    assert pen.widthF() == 3.0
    assert opened.map._cell_items[STUDY.key].pen().color() == QColor(opened.colours.selected)


def test_a_cell_chosen_elsewhere_is_outlined_here(qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel) -> None:
    opened.navigation.go_to("0x00070101")
    assert panel.view.nodes[STUDY].pen().color() == QColor(opened.colours.selected)


def test_hovering_previews_in_the_other_views_too(qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel) -> None:
    qtbot.mouseMove(panel.view.viewport(), QPoint(2, 2))
    qtbot.mouseMove(panel.view.viewport(), node_at(panel.view, STUDY))
    qtbot.waitUntil(lambda: opened.session.hover == STUDY)
    assert panel.view.nodes[STUDY].pen().color() == QColor(opened.colours.text)


def test_a_double_click_frames_the_cell_on_the_map(qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel) -> None:
    before = opened.map.pixels_per_metre()
    click_node(qtbot, panel.view, STUDY)
    qtbot.mouseDClick(panel.view.viewport(), LEFT, pos=node_at(panel.view, STUDY))
    assert opened.map.pixels_per_metre() > before * 1.2


def test_a_clicked_portal_shows_both_sides_and_escape_closes_them(qtbot: QtBot, panel: CellGraphPanel) -> None:
    view = panel.view
    line = edge_between(view, HALL, BETWEEN)
    qtbot.mouseClick(view.viewport(), LEFT, pos=middle_of(view, line))
    assert panel.sides_page.isVisible()
    assert [row.values[0].text for row in panel.sides.table.rows] == ["0x00070100", "0x00070103"]
    assert "0x00070100 ↔ 0x00070103" in panel.sides_title.text()
    assert panel.sides.table.index(0, 7).data(TONE_ROLE) == ACCEPTED
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert not panel.sides_page.isVisible()


def test_part_of_an_id_and_enter_cycle_through_the_matching_cells(
    qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel
) -> None:
    qtbot.keyClicks(panel.search, "0007010")
    assert panel.found.text() == f"{len(panel.view.nodes)} found"
    for key in (HALL, STUDY, LOFT):
        qtbot.keyClick(panel.search, Qt.Key.Key_Return)
        assert opened.session.selection == key
    panel.search.selectAll()
    qtbot.keyClicks(panel.search, "fee1")
    assert panel.found.text() == "none"


def test_arrows_walk_along_portals_and_enter_selects(qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel) -> None:
    click_node(qtbot, panel.view, HALL)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Right)
    assert panel.view.mark == BETWEEN
    qtbot.keyClick(panel.view, Qt.Key.Key_Right)
    assert opened.session.selection == HALL  # walking is not selecting
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert opened.session.selection == STUDY


def test_the_wheel_zooms_where_the_mouse_is_and_nought_fits(qtbot: QtBot, panel: CellGraphPanel) -> None:
    view = panel.view
    whole = view.zoom()
    at = node_at(view, STUDY)
    turn_wheel(view, at, 240)
    assert view.zoom() > whole * 1.5
    assert (node_at(view, STUDY) - at).manhattanLength() <= 4
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert view.zoom() == pytest.approx(whole)


def test_zooming_out_shortens_ids_to_their_last_digits_and_then_hides_them(qtbot: QtBot, panel: CellGraphPanel) -> None:
    view = panel.view
    label, at = view.nodes[STUDY].label, node_at(view, STUDY)
    turn_wheel(view, at, 480)
    assert (label.isVisible(), "0x00070101" in label.text()) == (True, True)
    heights = []
    while label.isVisible():
        heights.append(label.sceneBoundingRect().height() * view.zoom())
        if len(label.text().split()[-1]) == 4:
            assert label.text().endswith("0101")
        turn_wheel(view, at, -120)
    assert label.text().endswith("0101")
    assert min(heights) > 9.0


def house(name: str, west: float, rooms: int, world: WorldBuilder) -> None:
    """Rooms in a row from south to north, each with a door to the next."""
    row = [world.room(f"{name}{n}", rect(west, n * 4.2, 4, 4), height=2.8) for n in range(rooms)]
    for one, other in pairwise(row):
        world.door(one, other)


def test_a_village_opens_on_the_players_house_with_readable_ids(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    world = WorldBuilder()
    for number in range(6):
        house(f"house{number}-", number * 30.0, 5, world)
    world.build().write(tmp_path)
    with qtbot.waitSignal(window.session.faults_changed, timeout=20_000):
        window.open(str(tmp_path))
    panel = window.docks.panel(CellGraphPanel)
    raise_dock(qtbot, window.docks.of(panel))
    view = panel.view
    graph = view.graph
    assert graph is not None
    home = Selection(Kind.CELL, BLOCK, window.document.sim.graph.current_id)
    mine = graph.joined(home)
    assert 9 == len(mine) < len(view.nodes) == 54
    seen = view.viewport().rect()
    inside = {key for key in view.nodes if seen.contains(node_at(view, key))}
    assert mine <= inside
    assert all(view.nodes[key].label.isVisible() for key in mine)
    window.resize(window.width(), window.height() - 60)
    qtbot.waitUntil(lambda: mine <= {key for key in mine if view.viewport().rect().contains(node_at(view, key))})
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert all(view.viewport().rect().contains(node_at(view, key)) for key in view.nodes)
    assert not view.nodes[home].label.isVisible()


def test_ctrl_f_finds_in_the_dock_that_has_the_keys(qtbot: QtBot, window: MainWindow, panel: CellGraphPanel) -> None:
    world = window.docks.panel(WorldPanel)
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.docks.dock(WorldPanel))
    raise_dock(qtbot, window.docks.of(panel))
    raise_dock(qtbot, window.docks.dock(WorldPanel))
    assert panel.view.isVisible()
    for list_of, search in ((panel.view, panel.search), (world.tree, world.search), (panel.view, panel.search)):
        list_of.setFocus()
        qtbot.keyClick(list_of, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(search.hasFocus)


def test_dragging_pans_without_antialiasing_and_selects_nothing(
    qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel
) -> None:
    view = panel.view
    click_node(qtbot, view, HALL)
    before, port = node_at(view, HALL), view.viewport()
    qtbot.mousePress(port, Qt.MouseButton.RightButton, pos=QPoint(40, 40))
    qtbot.mouseMove(port, QPoint(70, 60))
    assert not view.renderHints() & view.renderHints().Antialiasing
    qtbot.mouseRelease(port, Qt.MouseButton.RightButton, pos=QPoint(70, 60))
    assert view.renderHints() & view.renderHints().Antialiasing
    assert node_at(view, HALL) - before == QPoint(30, 20)
    assert opened.session.selection == HALL


def test_the_context_menu_of_a_node_leads_to_its_portals(qtbot: QtBot, panel: CellGraphPanel) -> None:
    menu = panel.menu_for(panel.view.nodes[STUDY])
    portals = menu.findChild(QMenu)
    assert portals is not None
    portals.actions()[0].trigger()
    assert panel.view.edge is not None
    assert STUDY in (panel.view.edge.start, panel.view.edge.end)
    menu.deleteLater()


def test_control_c_copies_a_room_with_its_portals_and_a_portal_as_rows(qtbot: QtBot, panel: CellGraphPanel) -> None:
    view = panel.view
    click_node(qtbot, view, HALL)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert [row[:2] for row in rows] == [["0x00070100", "0"], ["0x00070100", "1"]]
    assert {row[2] for row in rows} == {"0x00070103", "0x00070104"}
    qtbot.mouseClick(view.viewport(), LEFT, pos=middle_of(view, edge_between(view, HALL, BETWEEN)))
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["0x00070100", "0x00070103"]


def test_the_graph_saves_as_a_picture_or_says_why_not(
    qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel, tmp_path: Path
) -> None:
    assert panel.save(str(tmp_path / "cells.png"))
    assert QImage(str(tmp_path / "cells.png")).width() > 400
    assert not panel.save(str(tmp_path / "no" / "cells.png"))
    assert "cannot be written" in opened.statusBar().currentMessage()


def test_standings_follow_the_player(qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel) -> None:
    sim = opened.document.sim
    sim.apply_edit(Teleport(HALL.key, 3.0, 2.0, 0.0, 90.0))
    opened.document.changed.emit()
    turn_wheel(panel.view, node_at(panel.view, HALL), 240)
    nodes = panel.view.nodes
    assert nodes[HALL].standing is RoomVisibility.CURRENT
    assert nodes[HALL].label.text().startswith("▶ 0x00070100")
    assert nodes[STUDY].standing is RoomVisibility.VISIBLE
    assert nodes[STUDY].label.text().startswith(f"{nodes[STUDY].order} ")
    sim.apply_edit(FacePlayer(270.0))
    opened.document.changed.emit()
    assert nodes[STUDY].standing is RoomVisibility.STAB


def test_an_edited_cell_is_another_node_at_the_same_place(
    qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel
) -> None:
    before = panel.view.nodes[STUDY]
    zoom = panel.view.zoom()
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    click_node(qtbot, panel.view, STUDY)
    qtbot.mouseClick(opened.docks.panel(CellPanel).outside, LEFT)
    now = panel.view.nodes[STUDY]
    assert isinstance(now, NodeItem)
    assert now is not before
    assert now.node.seen_outside
    assert panel.view.zoom() == zoom
    assert now.pen().widthF() == 3.0


def test_storey_heights_stay_beside_the_nodes_after_an_edit_or_a_new_theme(
    qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel
) -> None:
    view = panel.view
    before = [band.label.scenePos() for band in view.bands]
    assert before
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    click_node(qtbot, view, STUDY)
    qtbot.mouseClick(opened.docks.panel(CellPanel).outside, LEFT)
    assert [band.label.scenePos() for band in view.bands] == before
    opened.theme.choose(Theme.LIGHT)
    assert [band.label.scenePos() for band in view.bands] == before
    opened.theme.choose(Theme.DARK)


def test_storey_names_stay_in_sight_however_the_view_is_moved(opened: MainWindow, panel: CellGraphPanel) -> None:
    view = panel.view
    for scale, shift in ((1.0, 0), (2.0, 120), (3.0, 260), (1.5, -80)):
        view.zoom_about(QPointF(view.viewport().rect().center()), scale)
        view.pan(-shift, 0)
        for band in view.bands:
            edge = view.mapFromScene(band.rect().bottomRight()).x()
            label = view.mapFromScene(band.label.scenePos()).x()
            assert label >= 0 or edge < 0


def test_a_portal_into_its_own_room_is_a_stub(qtbot: QtBot, opened: MainWindow, panel: CellGraphPanel) -> None:
    sim = opened.document.sim
    cell_id = STUDY.key
    opened.document.edit("Lead Back", *set_portal(sim, cell_id, 0, cell_id, 0, 0))
    qtbot.waitUntil(lambda: any(item.edge.start == item.edge.end == STUDY for item in panel.view.edges))
    item = edge_between(panel.view, STUDY)
    assert all(math.isfinite(number) for point in item.line for number in (point.x(), point.y()))
    panel.view.fit()
    assert panel.view.zoom() > 0.0
