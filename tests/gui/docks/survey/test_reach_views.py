"""The reach of a survey: pixels of the picture and the map, strips of the graph, and Take Me There in their menus."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QCheckBox, QMenu
from pytestqt.qtbot import QtBot

from editor.maps.landblock_plan import make_plan
from editor.models.survey.columns import STATE
from editor.models.survey.results import SurveyResult
from editor.models.survey.settings import SurveySettings
from editor.models.survey.shown import Where
from editor.session.session import Selection
from engine.render.overlays.palette import ACCEPTED
from engine.render.overlays.reach import BY_HOW, GRID, UNREACHED, ReachColours
from engine.sim.edits.doors import OpenDoor
from engine.world.loader import open_world
from tests.gui.docks.live_hands import raise_dock
from tests.gui.docks.survey.survey_hands import HALL, PIT, STUDY, search
from tests.gui.view3d.view_hands import middle, picture, redraw, stand, view_of, viewport_of
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.survey.survey_dock import SurveyPanel
from ui.map.reach_layer import ReachImage, ReachImages
from ui.view3d.context_menu import view_menu
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def searched(qtbot: QtBot, settings: QSettings, pit: Path) -> Iterator[tuple[MainWindow, SurveyPanel]]:
    """The world with the pit, searched, seen from above the hall's floor."""
    with view_of(qtbot, settings, pit) as shown:
        raise_dock(qtbot, shown.docks.dock(SurveyPanel))
        panel = shown.docks.panel(SurveyPanel)
        assert isinstance(panel, SurveyPanel)
        search(qtbot, panel)
        stand(qtbot, shown, HALL, (0.4, 0.4, 2.2), 45.0, -50.0)
        yield shown, panel


def green(window: MainWindow) -> int:
    """Pixels that are clearly greener than anything is without the overlay, in every second row and column."""
    image = picture(window)
    found = 0
    for y in range(0, image.height(), 2):
        for x in range(0, image.width(), 2):
            seen = image.pixelColor(x, y)
            found += seen.green() > 1.15 * seen.red() and seen.green() > 1.15 * seen.blue()
    return found


def click_box(qtbot: QtBot, panel: SurveyPanel, where: Where) -> None:
    panel.pages.setCurrentIndex(1)
    box = panel.findChild(QCheckBox, f"survey-in-{where.name.lower()}")
    assert box is not None
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.rect().center() * 0.3)


def test_reached_floors_are_green_in_the_picture(qtbot: QtBot, searched: tuple[MainWindow, SurveyPanel]) -> None:
    window, panel = searched
    qtbot.waitUntil(lambda: not window.viewing.reach.is_waiting)
    redraw(qtbot, window)
    shown = green(window)
    assert shown > 1000
    click_box(qtbot, panel, Where.PICTURE)
    redraw(qtbot, window)
    assert green(window) < shown / 20
    click_box(qtbot, panel, Where.PICTURE)
    redraw(qtbot, window)
    assert green(window) == pytest.approx(shown, rel=0.1)


def test_the_map_has_the_reach_of_the_chosen_storey(qtbot: QtBot, searched: tuple[MainWindow, SurveyPanel]) -> None:
    window, _ = searched
    world, result = window.session.world, window.survey.result
    assert world is not None
    assert result is not None
    block = world.landblock(result.block_id)
    assert block is not None
    plan = make_plan(world, block)
    at = (1.3, 1.3)  # in the hall, and over the pit
    above = ReachImages().image(result, plan, plan.storey_of(0.0), ReachColours.HOW)
    below = ReachImages().image(result, plan, plan.storey_of(-5.0), ReachColours.HOW)
    assert rgb(above, *at) == BY_HOW[1][:3] == ACCEPTED[:3]
    assert rgb(below, *at) == BY_HOW[3][:3]
    assert {rgb(above, *at) for at in sills(window)} == {UNREACHED[:3]}
    window.centre.show_page(1)
    layer = window.reach_layer
    qtbot.waitUntil(lambda: layer.item is not None and layer.item.isVisible())


@pytest.mark.parametrize("far", [0.0, 1e30])
def test_what_lies_outside_the_square_of_the_landblock_is_where_it_is(pit: Path, far: float) -> None:
    """As in most dungeons. What damaged records put far away is left out."""
    with open_world(pit) as world:
        block = world.landblock(HALL)
        assert block is not None
        plan = make_plan(world, block)
        states = np.zeros(3, STATE)
        states["cell"], states["how"] = HALL, (1, 1, 3)
        states["x"], states["y"] = (-30.1, -30.1, far), (-0.1, 250.1, 0.0)
        result = SurveyResult(block.id, SurveySettings(), ())
        result.last.columns.add(states.tobytes())
        image = ReachImages().image(result, plan, -1, ReachColours.HOW)
        assert rgb(image, -30.1, -0.1) == rgb(image, -30.1, 250.1) == BY_HOW[1][:3]
        assert rgb(image, -30.1, 100.0) == (0, 0, 0)
        if not far:
            assert rgb(image, 0.1, 0.1) == BY_HOW[3][:3]


def rgb(made: ReachImage, x: float, y: float) -> tuple[int, int, int]:
    """The colour of a point of the landblock."""
    found = made.image.pixelColor(math.floor((x - made.west) / GRID), math.floor((made.north - y) / GRID))
    return found.red(), found.green(), found.blue()


def sills(window: MainWindow) -> list[tuple[float, float]]:
    """The middles of floors that nobody came to: the sill under the closed door."""
    result = window.survey.result
    assert result is not None
    middles = [
        [sum(axis) / len(floor.corners) for axis in zip(*floor.corners, strict=True)] for floor in result.unreached
    ]
    assert middles
    return [(x, y) for x, y, _ in middles]


def test_the_graph_says_how_each_cell_is_reached(qtbot: QtBot, searched: tuple[MainWindow, SurveyPanel]) -> None:
    window, panel = searched
    raise_dock(qtbot, window.docks.dock(CellGraphPanel))
    graph = window.docks.panel(CellGraphPanel)
    assert isinstance(graph, CellGraphPanel)
    tips = {key.key: item.toolTip() for key, item in graph.view.nodes.items()}
    assert "reached only by a jump" in tips[PIT]
    assert "begun at" in tips[HALL] or "by walking" in tips[HALL]
    door = next(iter(window.document.sim.population.doors))
    window.document.edit("Open the Door", OpenDoor(door.id))
    qtbot.waitUntil(lambda: "stale" in graph_tip(graph, STUDY))
    click_box(qtbot, panel, Where.GRAPH)
    assert "survey" not in graph_tip(graph, PIT)


def graph_tip(graph: CellGraphPanel, cell_id: int) -> str:
    return next(item.toolTip() for key, item in graph.view.nodes.items() if key.key == cell_id)


def test_the_menu_of_a_floor_leads_the_player_there(qtbot: QtBot, searched: tuple[MainWindow, SurveyPanel]) -> None:
    window, _ = searched
    menu = view_menu(viewport_of(window), middle(window))
    take(qtbot, window, menu)
    assert window.document.sim.player.place_cell() == HALL


def test_the_menu_of_the_map_leads_to_a_cell(qtbot: QtBot, searched: tuple[MainWindow, SurveyPanel]) -> None:
    window, _ = searched
    menu = QMenu()
    selection = next(key for key in graph_keys(window) if key.key == PIT)
    window.map.menu_opening.emit(menu, selection)
    take(qtbot, window, menu)
    assert window.document.sim.player.place_cell() == PIT


def graph_keys(window: MainWindow) -> list[Selection]:
    graph = window.docks.panel(CellGraphPanel)
    assert isinstance(graph, CellGraphPanel)
    return list(graph.view.nodes)


def take(qtbot: QtBot, window: MainWindow, menu: QMenu) -> None:
    entry = next(action for action in menu.actions() if action.text() == "Take Me There")
    assert entry.isEnabled(), entry.toolTip()
    with qtbot.waitSignal(window.survey_actions.player.ended) as ended:
        entry.trigger()
    assert ended.args is not None
    assert ended.args[1], ended.args[0]
