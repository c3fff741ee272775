"""Why: asked by mouse and keys wherever values are shown, read, gone through and copied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QSettings, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from editor.models.timeline.events import JUMPS
from editor.models.why import ValueAsked
from editor.session.session import Kind, Selection
from engine.sim.why.answer import Asked
from engine.world.cells.ids import landblock_id
from tests.editor.models.why_chain.hatch_world import door_by_a_hatch, slide_over_the_edge
from tests.gui.docks.live_hands import click_button, click_row, raise_dock
from tests.gui.docks.timeline_hands import place
from tests.gui.view3d.view_hands import view_of
from ui.docks.details import DetailsView
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.panel import is_seen
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.docks.why.why_dock import EMPTY, OF_THE_FIRST, WhyPanel
from ui.docks.why_menu import HINT
from ui.theme.theme import DARK, LIGHT, apply_theme
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture(scope="module")
def cellar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cellar")
    door_by_a_hatch().build().write(folder)
    return folder


@pytest.fixture
def fallen(qtbot: QtBot, settings: QSettings, cellar: Path) -> Iterator[MainWindow]:
    """After the player has slid along the closed door and over the edge of the hatch."""
    with view_of(qtbot, settings, cellar) as window:
        slide_over_the_edge(window.document)
        yield window


def answered(qtbot: QtBot, window: MainWindow) -> Asked:
    """What was asked, once it is answered, with the dock in front."""
    panel = window.docks.panel(WhyPanel)
    qtbot.waitUntil(lambda: panel.chains.shown is not None and panel.chains.shown.is_done, timeout=20_000)
    qtbot.waitUntil(lambda: is_seen(panel))
    shown = panel.chains.shown
    assert shown is not None
    assert shown.problem == ""
    assert panel.model.links == shown.chain.links
    return shown.asked


def test_the_empty_dock_says_what_fills_it(qtbot: QtBot, window: MainWindow) -> None:
    panel = window.docks.panel(WhyPanel)
    raise_dock(qtbot, window.docks.dock(WhyPanel))
    assert panel.view.empty == EMPTY
    assert "Shift+Y" in EMPTY
    assert not panel.question.isVisible()
    assert not panel.ask_button.isEnabled()
    assert panel.ask_button.toolTip() == "Open a world first."


def test_a_field_of_doors_and_of_entities_is_asked_about(qtbot: QtBot, fallen: MainWindow) -> None:
    (door,) = fallen.document.sim.population.doors
    doors, entities = fallen.docks.panel(DoorsPanel), fallen.docks.panel(EntitiesPanel)
    raise_dock(qtbot, fallen.docks.of(doors))
    click_row(qtbot, doors.view, door.id, 2)
    qtbot.keyClick(doors.view, Qt.Key.Key_Y, SHIFT)
    asked = answered(qtbot, fallen)
    assert (asked.entity, asked.path) == (door.id, "passable")
    raise_dock(qtbot, fallen.docks.of(entities))
    player = fallen.document.sim.player
    click_row(qtbot, entities.view, player.id, 5)
    qtbot.keyClick(entities.view, Qt.Key.Key_Y, SHIFT)
    asked = answered(qtbot, fallen)
    assert (asked.entity, asked.path) == (player.id, "origin.z")


def test_what_docks_show_of_a_second_run_is_not_asked_about(qtbot: QtBot, fallen: MainWindow) -> None:
    refused: list[str] = []
    fallen.document.refused.connect(refused.append)
    panel = fallen.docks.panel(PlayerPanel)
    raise_dock(qtbot, fallen.docks.of(panel))
    click_row(qtbot, panel.view, "Cell", 1)
    fallen.compare.compare_rule_set("ace")
    fallen.compare.shows_second = True
    qtbot.keyClick(panel.view, Qt.Key.Key_Y, SHIFT)
    assert refused == [OF_THE_FIRST]
    assert fallen.docks.panel(WhyPanel).chains.shown is None
    fallen.compare.shows_second = False
    qtbot.keyClick(panel.view, Qt.Key.Key_Y, SHIFT)
    assert answered(qtbot, fallen).path == "cell"


def test_every_row_that_can_be_asked_about_is_answered(qtbot: QtBot, fallen: MainWindow) -> None:
    panel = fallen.docks.panel(PlayerPanel)
    raise_dock(qtbot, fallen.docks.of(panel))
    asked = {}
    for row in panel.model.rows:
        click_row(qtbot, panel.view, row.key, 1)
        (why,) = [each for each in panel.view.actions() if each.text() == "Why This Value?"]
        if why.isEnabled():
            why.trigger()
            asked[str(row.key).strip()] = answered(qtbot, fallen).path
            raise_dock(qtbot, fallen.docks.of(panel))
        else:
            assert why.toolTip().endswith(".")
    assert asked["Cell"] == "cell"
    assert asked["Velocity"] == "velocity"
    assert set(asked) >= {"Cell", "Position", "Heading", "Velocity", "Footing", "Contact plane", "Sliding normal"}


def test_one_number_of_a_row_is_asked_about_by_its_menu(qtbot: QtBot, fallen: MainWindow) -> None:
    panel = fallen.docks.panel(PlayerPanel)
    raise_dock(qtbot, fallen.docks.of(panel))
    click_row(qtbot, panel.view, "Position", 1)
    menu = panel.findChild(QMenu, "player-why-values")
    assert menu is not None
    menu.popup(panel.mapToGlobal(QPoint(20, 20)))
    entry = next(each for each in menu.actions() if each.text().startswith("Y  "))
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    assert answered(qtbot, fallen).path == "origin.y"


def test_a_value_of_details_is_asked_about(qtbot: QtBot, fallen: MainWindow) -> None:
    (door,) = fallen.document.sim.population.doors
    view = fallen.docks.panel(DetailsView)
    fallen.session.select(Selection(Kind.ENTITY, landblock_id(door.place_cell()), door.id))
    raise_dock(qtbot, fallen.docks.dock(DetailsView))
    (item,) = [item for path, item in view._items.items() if path == ("door", "open")]
    view.scrollToItem(item)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualItemRect(item).center())
    assert "Why This Value?" in [each.text() for each in view.menu().actions() if each.isEnabled()]
    qtbot.keyClick(view, Qt.Key.Key_Y, SHIFT)
    asked = answered(qtbot, fallen)
    assert (asked.entity, asked.path) == (door.id, "is_open")
    fallen.session.select(Selection(Kind.CELL, 0x0007FFFF, 0x00070100))
    raise_dock(qtbot, fallen.docks.dock(DetailsView))
    click_at = view.visualItemRect(next(iter(view._items.values()))).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=click_at)
    assert "Why This Value?" not in [each.text() for each in view.menu().actions() if each.isEnabled()]


def test_a_lane_of_the_timeline_is_asked_about_at_a_tick(qtbot: QtBot, fallen: MainWindow) -> None:
    panel = fallen.docks.panel(TimelinePanel)
    raise_dock(qtbot, fallen.docks.of(panel))
    qtbot.mouseClick(panel.plot.view.viewport(), Qt.MouseButton.RightButton, pos=place(panel.plot, 80.5, "height"))
    menu = panel.findChild(QMenu, "timeline-menu")
    assert menu is not None
    (why,) = [each for each in menu.actions() if each.text().startswith("Why Is")]
    assert why.text() == "Why Is Height 0.00 m After Tick 80?"
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(why).center())
    player = fallen.document.sim.player
    assert answered(qtbot, fallen) == Asked(player.id, "origin.z", 80)


def test_an_added_curve_and_an_event_are_asked_about(qtbot: QtBot, fallen: MainWindow) -> None:
    (door,) = fallen.document.sim.population.doors
    panel = fallen.docks.panel(TimelinePanel)
    raise_dock(qtbot, fallen.docks.of(panel))
    curve = f"0x{door.id:08X}:open"
    fallen.plots.add(curve)
    (lane,) = [lane for lane in panel.lanes if lane.id == curve]
    (why,) = [each for each in panel.menu_for(lane).actions() if each.text().startswith("Why Is")]
    why.trigger()
    assert answered(qtbot, fallen).path == "is_open"
    (fell,) = [event for event in fallen.events.chosen(JUMPS) if event.about is not None]
    row = next(row.key for row in panel.model.rows if isinstance(row.key, tuple) and row.key[0] == fell.tick)
    click_row(qtbot, panel.view, row)
    qtbot.keyClick(panel.view, Qt.Key.Key_Y, SHIFT)
    asked = answered(qtbot, fallen)
    assert (asked.path, asked.tick) == ("contact", fell.tick)


def test_ask_lists_the_player_and_the_selected_entity(qtbot: QtBot, fallen: MainWindow) -> None:
    (door,) = fallen.document.sim.population.doors
    panel = fallen.docks.panel(WhyPanel)
    fallen.session.select(Selection(Kind.ENTITY, landblock_id(door.place_cell()), door.id))
    panel.ask_menu.aboutToShow.emit()
    subjects = panel.ask_menu.actions()
    assert [each.text() for each in subjects] == ["The Player", "Front Door"]
    of_door = subjects[1].menu()
    assert isinstance(of_door, QMenu)
    words = [each.text() for each in of_door.actions()]
    assert "Open  no" in words
    assert words[-1] == "Other Values"
    next(each for each in of_door.actions() if each.text() == "Open  no").trigger()
    raise_dock(qtbot, fallen.docks.of(panel))
    assert answered(qtbot, fallen).path == "is_open"
    found = [command.title for command in fallen.commands.commands() if command.id.startswith("why-ask")]
    assert "Open  no" in found


def test_an_old_answer_says_so_and_is_asked_again(qtbot: QtBot, fallen: MainWindow) -> None:
    panel = fallen.docks.panel(WhyPanel)
    raise_dock(qtbot, fallen.docks.dock(PlayerPanel))
    click_row(qtbot, fallen.docks.panel(PlayerPanel).view, "Cell", 1)
    qtbot.keyClick(fallen.docks.panel(PlayerPanel).view, Qt.Key.Key_Y, SHIFT)
    asked = answered(qtbot, fallen)
    assert not panel.stale.isVisible()
    assert not panel.again_action.isEnabled()
    fallen.clock.step(30)
    qtbot.waitUntil(lambda: not fallen.clock.is_stepping)
    qtbot.waitUntil(panel.stale.isVisible)
    assert panel.chains.shown is not None
    assert panel.chains.shown.asked == asked
    assert panel.stale.text() == f"Asked after tick {asked.tick}; the window shows tick {asked.tick + 30}."
    click_button(qtbot, panel, "why-again-button")
    assert answered(qtbot, fallen).tick == asked.tick + 30
    assert not panel.stale.isVisible()
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Left, ALT)
    assert answered(qtbot, fallen) == asked


def test_it_is_answered_while_time_runs(qtbot: QtBot, fallen: MainWindow) -> None:
    panel = fallen.docks.panel(WhyPanel)
    raise_dock(qtbot, fallen.docks.of(panel))
    fallen.clock.run()
    qtbot.waitUntil(lambda: fallen.document.sim.tick_number > 150)
    panel.ask(ValueAsked(fallen.document.sim.player.id, "contact_plane"))
    asked = answered(qtbot, fallen)
    qtbot.waitUntil(lambda: fallen.document.sim.tick_number > asked.tick + 15)
    assert panel.chains.shown is not None
    assert panel.chains.shown.asked == asked
    assert panel.stale.isVisible()
    fallen.clock.pause()


def test_the_chain_is_copied_and_survives_a_theme(qtbot: QtBot, fallen: MainWindow) -> None:
    panel = fallen.docks.panel(WhyPanel)
    raise_dock(qtbot, fallen.docks.dock(PlayerPanel))
    view = fallen.docks.panel(PlayerPanel).view
    click_row(qtbot, view, "Contact plane", 1)
    qtbot.keyClick(view, Qt.Key.Key_Y, SHIFT)
    answered(qtbot, fallen)
    click_button(qtbot, panel, "why-copy-text-button")
    text = QApplication.clipboard().text()
    assert all(link.sentence in text for link in panel.model.links)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    for colours in (LIGHT, DARK):
        apply_theme(application, colours)
        fallen.docks.set_colours(colours)
        picture = panel.view.grab().toImage()
        shades = {picture.pixelColor(x, y).name() for x in range(0, picture.width(), 3) for y in range(60)}
        assert colours.base in shades


def test_a_tooltip_of_a_value_tells_that_it_can_be_asked_about(qtbot: QtBot, fallen: MainWindow) -> None:
    panel = fallen.docks.panel(PlayerPanel)
    raise_dock(qtbot, fallen.docks.of(panel))
    view = panel.view
    index = panel.model.index(panel.model.row_of("Heading"), 1)
    at = view.visualRect(index).center()
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at)))
    assert QToolTip.text() == HINT
    QToolTip.hideText()
