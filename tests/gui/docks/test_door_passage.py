"""The part of Doors that says who may pass the selected door, and shows the ways by its leaf."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from editor.models.doors import COLLISION, LOCK, STATE
from editor.session.session import Kind, Selection
from editor.session.sources import DEMO
from engine.entities.door import Door
from engine.physics.flags import ETHEREAL
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.entities import MoveEntity, SetStateBits
from engine.sim.passage.answer import Outcome
from engine.sim.passage.gaps import Way
from engine.sim.passage.travellers import Who
from engine.sim.passage.trial import DoorState, Question, Side
from tests.gui.docks.live_hands import click_row, raise_dock
from tests.gui.view3d.view_hands import point_of, redraw, stand, viewport_of
from tests.sim.helpers.small_worlds import two_rooms
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.panel import is_seen
from ui.docks.table import ROW_HEIGHT
from ui.view3d.context_menu import view_menu
from ui.window.central_area import PICTURE
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

FRONT, BEHIND = Side


@pytest.fixture
def panel(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> DoorsPanel:
    """Doors in front, with a locked door selected and everything about it known."""
    two_rooms(locked=True).build().write(tmp_path / "world")
    with qtbot.waitSignal(window.session.faults_changed, timeout=20_000):
        window.open(str(tmp_path / "world"))
    found = window.docks.panel(DoorsPanel)
    raise_dock(qtbot, window.docks.of(found))
    click_row(qtbot, found.view, found.document.sim.population.doors[0].id)
    finish(qtbot, found)
    return found


def finish(qtbot: QtBot, panel: DoorsPanel) -> None:
    watch = panel.passage.watch
    qtbot.waitUntil(lambda: watch.share_done == 1.0 and not watch.is_working, timeout=30_000)


def door_of(panel: DoorsPanel) -> Door:
    return panel.document.sim.population.doors[0]


def field(panel: DoorsPanel, who: Who, side: Side) -> list[str]:
    return panel.passage.model.text(who, 1 + list(Side).index(side)).split("\n")


def button(panel: DoorsPanel, way: Way) -> QToolButton:
    found = panel.findChild(QToolButton, f"door-show-{way.name.lower()}")
    assert found is not None
    return found


def test_the_table_names_the_word_and_the_bit_of_every_field(panel: DoorsPanel) -> None:
    assert field(panel, Who.PLAYER, FRONT) == ["■ stopped", "lock"]
    assert field(panel, Who.PLAYER, BEHIND) == ["↷ opens it", "from behind"]
    assert field(panel, Who.CREATURE, FRONT) == ["■ stopped", "no ETHEREAL"]
    assert field(panel, Who.ETHEREAL, BEHIND) == ["✓ passes", "own ETHEREAL"]


def test_another_state_of_the_door_is_a_click_on_its_tab(qtbot: QtBot, panel: DoorsPanel) -> None:
    states = panel.passage.states
    place = states.tabRect(list(DoorState).index(DoorState.OPEN)).center()
    qtbot.mouseClick(states, Qt.MouseButton.LeftButton, pos=place)
    assert field(panel, Who.CREATURE, FRONT) == ["✓ passes", "ETHEREAL"]


def test_the_current_row_says_what_decides_in_full(qtbot: QtBot, panel: DoorsPanel) -> None:
    click_row(qtbot, panel.passage.view, Who.OPENER)
    text = panel.passage.reason.text()
    assert "From the front: The lock refuses the creature: a locked door opens only from behind." in text
    assert "From behind: The creature opens it although it is locked: from behind the lock is not asked." in text


def test_unlocking_asks_again_how_the_door_stands_now_and_nothing_else(qtbot: QtBot, panel: DoorsPanel) -> None:
    watch = panel.passage.watch
    closed = {question: found for question, found in watch.answers.items() if question.state is not DoorState.NOW}
    panel.document.edit("Unlock", LockDoor(door_of(panel).id, False))
    assert watch.answers == closed
    finish(qtbot, panel)
    assert field(panel, Who.PLAYER, FRONT) == ["↷ opens it", "unlocked"]


def test_an_edit_of_a_bit_asks_everything_again(qtbot: QtBot, panel: DoorsPanel) -> None:
    panel.document.edit("Make Ethereal", SetStateBits(door_of(panel).id, ETHEREAL, True))
    assert not panel.passage.watch.answers
    assert field(panel, Who.PLAYER, FRONT) == ["…"]
    finish(qtbot, panel)
    assert field(panel, Who.CREATURE, FRONT) == ["✓ passes", "ETHEREAL"]


def test_the_trials_leave_the_world_alone(qtbot: QtBot, panel: DoorsPanel) -> None:
    sim, stack = panel.document.sim, panel.document.stack
    before = sim.state_hash()
    panel.passage.watch.stop()
    panel.refresh()
    finish(qtbot, panel)
    assert (sim.state_hash(), stack.count(), sim.tick_number) == (before, 0, 0)


def test_nothing_is_tried_while_the_dock_is_hidden(qtbot: QtBot, window: MainWindow, panel: DoorsPanel) -> None:
    panel.document.edit("Make Ethereal", SetStateBits(door_of(panel).id, ETHEREAL, True))
    assert panel.passage.watch.is_working
    window.docks.of(panel).hide()
    qtbot.waitUntil(lambda: not panel.passage.watch.is_working)
    window.docks.of(panel).show()
    finish(qtbot, panel)


def test_back_from_another_layout_the_door_is_answered_for_again(
    qtbot: QtBot, window: MainWindow, panel: DoorsPanel
) -> None:
    window.docks.choose_layout("visibility")
    qtbot.waitUntil(lambda: not panel.passage.watch.is_working)
    window.docks.choose_layout("inspect")
    qtbot.waitUntil(lambda: panel.passage.watch.is_working)
    assert panel.passage.states.isVisible()


def test_another_world_ends_the_trials(qtbot: QtBot, window: MainWindow, panel: DoorsPanel, house: Path) -> None:
    panel.document.edit("Make Ethereal", SetStateBits(door_of(panel).id, ETHEREAL, True))
    with qtbot.waitSignal(window.session.faults_changed, timeout=20_000):
        window.open(str(house))
    assert panel.passage.watch.answers == {}


def test_show_is_off_where_nobody_gets_by_and_says_so(panel: DoorsPanel) -> None:
    for way in Way:
        assert not button(panel, way).isEnabled()
        assert "Nobody fits through that way" in button(panel, way).toolTip()


def test_show_lets_a_ghost_walk_by_and_changes_nothing(qtbot: QtBot, window: MainWindow, panel: DoorsPanel) -> None:
    door = door_of(panel)
    x, y, z = door.frame.origin
    panel.document.edit("Move", MoveEntity(door.id, door.cell_id, x, y + 0.5, z, door.frame.heading()))
    finish(qtbot, panel)
    before = panel.document.sim.state_hash()
    panel.passage.ensureWidgetVisible(button(panel, Way.BESIDE))
    qtbot.mouseClick(button(panel, Way.BESIDE), Qt.MouseButton.LeftButton)
    ghost = window.viewing.ghost
    walk = panel.passage.watch.gaps[Way.BESIDE].walk
    assert ghost.walk is walk is not None
    assert not ghost.overlay().is_empty
    qtbot.waitUntil(lambda: ghost.tick >= len(walk.track) - 1, timeout=20_000)
    assert panel.document.sim.state_hash() == before
    window.viewing.show_walk(None)
    assert ghost.overlay().is_empty


def test_the_ghost_goes_with_the_selection_of_its_door(qtbot: QtBot, window: MainWindow, panel: DoorsPanel) -> None:
    door = door_of(panel)
    x, y, z = door.frame.origin
    panel.document.edit("Move", MoveEntity(door.id, door.cell_id, x, y + 0.9, z, door.frame.heading()))
    finish(qtbot, panel)
    button(panel, Way.BESIDE).click()
    assert window.viewing.ghost.walk is not None
    window.session.select(Selection(Kind.CELL, door.cell_id | 0xFFFF, door.cell_id))
    qtbot.waitUntil(lambda: panel.door is None)
    assert window.viewing.ghost.walk is None


def test_the_command_asks_about_the_selected_door(qtbot: QtBot, window: MainWindow, panel: DoorsPanel) -> None:
    window.docks.of(panel).hide()
    command = next(known for known in window.commands.commands() if known.id == "door-who-may-pass")
    assert window.commands.give(command)
    finish(qtbot, panel)
    answer = panel.passage.watch.answers[Question(DoorState.NOW, Who.PLAYER, FRONT)]
    assert answer.outcome is Outcome.STOPPED


def test_entities_asks_about_a_door_and_about_nobody_else(qtbot: QtBot, window: MainWindow, panel: DoorsPanel) -> None:
    entities, door = window.docks.panel(EntitiesPanel), door_of(panel)
    raise_dock(qtbot, window.docks.of(entities))
    click_row(qtbot, entities.view, panel.document.sim.player.id)
    assert not entities.who_action.isVisible()
    click_row(qtbot, entities.view, door.id)
    assert entities.who_action.isVisible()
    entities.who_action.trigger()
    qtbot.waitUntil(lambda: is_seen(panel))
    assert panel.door is door
    finish(qtbot, panel)


def test_the_context_menu_of_the_picture_asks_about_the_door_in_it(
    qtbot: QtBot, window: MainWindow, panel: DoorsPanel
) -> None:
    window.centre.choose_page(PICTURE)
    door = door_of(panel)
    stand(qtbot, window, door.cell_id, (3.5, 2.0, 1.6), 90.0)
    redraw(qtbot, window)
    x, y, z = door.frame.origin
    window.docks.of(panel).hide()
    menu = view_menu(viewport_of(window), point_of(window, door.cell_id, (x, y, z + 1.4)))
    next(entry for entry in menu.actions() if entry.text() == "Who May Pass This Door?").trigger()
    qtbot.waitUntil(lambda: is_seen(panel))
    assert panel.door is door


@pytest.mark.parametrize("width", [320, 400, 640])
def test_no_column_of_doors_is_cut(qtbot: QtBot, panel: DoorsPanel, width: int) -> None:
    """Whatever the width of the dock: a column is there as a whole, or not at all."""
    view = panel.view
    view.setFixedWidth(width)
    qtbot.waitUntil(lambda: view.width() == width)
    shown = [place for place in range(len(view.table.columns)) if not view.isColumnHidden(place)]
    assert {STATE, COLLISION} <= set(shown)
    assert LOCK in shown or width == 320
    assert sum(view.columnWidth(place) for place in shown) <= view.viewport().width()
    for place in shown:
        assert view.columnWidth(place) >= view.sizeHintForColumn(place)


def test_the_table_of_answers_fits_a_narrow_dock(qtbot: QtBot, panel: DoorsPanel) -> None:
    view = panel.passage.view
    view.setFixedWidth(310)
    qtbot.waitUntil(lambda: view.width() == 310)
    columns = range(len(view.table.columns))
    assert sum(view.columnWidth(place) for place in columns) <= view.viewport().width()
    assert all(view.columnWidth(place) >= view.sizeHintForColumn(place) for place in columns if place)


@pytest.mark.parametrize("height", [640, 700, 1000])
def test_nothing_covers_the_rows_of_a_low_dock(qtbot: QtBot, window: MainWindow, height: int) -> None:
    """The demo's dungeon has a door too. A low dock has room for the rows alone."""
    window.resize(1024, height)
    with qtbot.waitSignal(window.session.faults_changed):
        window.open(DEMO)
    panel = window.docks.panel(DoorsPanel)
    raise_dock(qtbot, window.docks.of(panel))
    line, upper, lower = panel.not_open, panel.view.parentWidget(), panel.passage
    assert upper is not None
    qtbot.waitUntil(lambda: "not open" in line.text())
    QApplication.processEvents()
    assert panel.view.viewport().height() >= ROW_HEIGHT
    assert upper.geometry().bottom() < lower.geometry().top()
    assert lower.geometry().bottom() < panel.height()
    if line.isVisible():
        assert line.height() >= line.sizeHint().height()
        assert not line.geometry().intersects(panel.view.geometry())
    else:
        assert height < 1000
