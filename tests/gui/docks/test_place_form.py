"""Numbers typed into a place form belong to the thing they were typed for, and an id that is none is refused aloud."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection
from engine.build import WorldBuilder, rect
from engine.build.shapes.furniture import crate
from engine.world.cells.objects import static_object_id
from tests.gui.docks.live_hands import click_button, click_row, raise_dock, type_number
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.place_form import NOTHING_TYPED, PlaceForm
from ui.docks.player.player_dock import PlayerPanel
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

BLOCK, HALL, STUDY = 0x0007FFFF, 0x00070100, 0x00070101
STATICS = 3
TYPED = 77.0


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hall with two crates, a study and a store, and doors to both."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = world.room("study", rect(6.2, 0, 4, 4), height=2.8)
    store = world.room("store", rect(-4.2, 0, 4, 4), height=2.8)
    world.door(hall, study)
    world.door(store, hall)
    hall.put(crate(), (1, 1))
    hall.put(crate(), (5, 3.3))
    folder = tmp_path_factory.mktemp("two-doors")
    world.build().write(folder)
    return folder


def type_x(qtbot: QtBot, form: PlaceForm) -> None:
    """Into the field, without Enter."""
    line = form.numbers["x"].lineEdit()
    line.setFocus()
    type_number(qtbot, line, TYPED)
    assert form.apply_action.isEnabled()


def is_untouched(form: PlaceForm, x: float) -> bool:
    shown = float(form.numbers["x"].text())
    return (shown, form.apply_action.isEnabled(), form.apply_action.toolTip()) == (round(x, 3), False, NOTHING_TYPED)


def test_numbers_typed_for_one_entity_are_dropped_when_another_is_chosen(qtbot: QtBot, opened: MainWindow) -> None:
    panel, sim = opened.docks.panel(EntitiesPanel), opened.document.sim
    raise_dock(qtbot, opened.docks.of(panel))
    first, second = (door.id for door in sim.population.doors)
    click_row(qtbot, panel.view, first)
    panel.tabs.setCurrentWidget(panel.place)
    type_x(qtbot, panel.place)
    opened.clock.step(1)
    assert float(panel.place.numbers["x"].text()) == TYPED, "it is still about the same door"
    click_row(qtbot, panel.view, second)
    assert is_untouched(panel.place, sim.population.entity(second).place_frame().origin[0])
    click_row(qtbot, panel.view, first)
    assert is_untouched(panel.place, sim.population.entity(first).place_frame().origin[0])


def test_a_scale_being_typed_is_not_given_to_the_duplicate(qtbot: QtBot, opened: MainWindow) -> None:
    panel, sim = opened.docks.panel(EntitiesPanel), opened.document.sim
    raise_dock(qtbot, opened.docks.of(panel))
    click_row(qtbot, panel.view, sim.population.doors[0].id)
    panel.tabs.setCurrentWidget(panel.place)
    panel.scale.setFocus()
    type_number(qtbot, panel.scale.lineEdit(), 3.0)
    click_button(qtbot, panel, "entity-duplicate-button")
    assert panel.view.key == sim.population.doors[-1].id
    qtbot.keyClick(panel.scale, Qt.Key.Key_Return)
    assert [door.scale for door in sim.population.doors] == [1.0, 1.0, 1.0]


def test_numbers_typed_for_one_room_are_dropped_when_another_is_chosen(qtbot: QtBot, opened: MainWindow) -> None:
    cell = opened.docks.panel(CellPanel)
    raise_dock(qtbot, opened.docks.of(cell))
    opened.session.select(Selection(Kind.CELL, BLOCK, HALL))
    type_x(qtbot, cell.head_page.place)
    opened.session.select(Selection(Kind.CELL, BLOCK, STUDY))
    assert cell.room is not None
    assert is_untouched(cell.head_page.place, cell.room.frame.origin[0])


def test_numbers_typed_for_one_static_are_dropped_when_another_is_chosen(qtbot: QtBot, opened: MainWindow) -> None:
    cell = opened.docks.panel(CellPanel)
    raise_dock(qtbot, opened.docks.of(cell))
    opened.session.select(Selection(Kind.CELL, BLOCK, HALL))
    cell.tabs.setCurrentIndex(STATICS)
    page = cell.static_page
    click_row(qtbot, page.view, static_object_id(HALL, 0))
    type_x(qtbot, page.place)
    click_row(qtbot, page.view, static_object_id(HALL, 1))
    assert page.thing is not None
    assert is_untouched(page.place, page.thing.frame.origin[0])


def test_numbers_typed_in_one_world_are_dropped_when_another_is_opened(
    qtbot: QtBot, opened: MainWindow, house: Path
) -> None:
    player = opened.docks.panel(PlayerPanel)
    raise_dock(qtbot, opened.docks.of(player))
    player.tabs.setCurrentWidget(player.teleport)
    type_x(qtbot, player.teleport)
    with qtbot.waitSignal(opened.session.faults_changed, timeout=20_000):
        opened.open(str(house))
    assert is_untouched(player.teleport, opened.document.sim.player.origin()[0])


def paste(qtbot: QtBot, form: PlaceForm, text: str) -> None:
    """Into the field of the cell, in place of what it shows."""
    QGuiApplication.clipboard().setText(text)
    form.cell.setFocus()
    form.cell.selectAll()
    qtbot.keyClick(form.cell, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def test_a_place_pasted_into_the_teleport_form_fills_its_fields(qtbot: QtBot, opened: MainWindow) -> None:
    player = opened.docks.panel(PlayerPanel)
    raise_dock(qtbot, opened.docks.of(player))
    player.tabs.setCurrentWidget(player.teleport)
    form = player.teleport
    paste(qtbot, form, "@teleloc 0x00070101 [8.2 2.0 0.005] -0.707107 0 0 0.707107")
    assert form.cell.text() == "0x00070101"
    assert [box.text() for box in form.numbers.values()] == ["8.200", "2.000", "0.000"]
    assert form.heading.text() == "90.00"
    qtbot.keyClick(form.cell, Qt.Key.Key_Return)
    assert opened.document.sim.player.place_cell() == STUDY
    assert opened.document.sim.player.origin() == pytest.approx((8.2, 2.0, 0.005), abs=1e-3)


def test_a_broken_place_pasted_into_the_form_is_refused_with_a_sentence(qtbot: QtBot, opened: MainWindow) -> None:
    player = opened.docks.panel(PlayerPanel)
    raise_dock(qtbot, opened.docks.of(player))
    player.tabs.setCurrentWidget(player.teleport)
    field = player.teleport.cell
    paste(qtbot, player.teleport, "0x00070101 [8.2 nan 0.0]")
    assert "“nan” is not a number" in opened.status.currentMessage()
    assert "“nan” is not a number" in field.toolTip()
    before = opened.document.sim.player.place_cell()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert opened.document.sim.player.place_cell() == before


def test_the_sizes_of_old_captures_are_one_step_that_undo_takes_back(qtbot: QtBot, opened: MainWindow) -> None:
    player = opened.docks.panel(PlayerPanel)
    raise_dock(qtbot, opened.docks.of(player))
    player.tabs.setCurrentWidget(player.numbers_page)
    choice, sim = player.numbers_page.body, opened.document.sim
    assert choice.currentText() == "The client's human"
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    assert choice.currentText() == "Old captures"
    assert (sim.player.height, sim.player.sunk()) == pytest.approx((1.2, 0.0), abs=1e-6)
    opened.document.undo()
    assert (sim.player.height, sim.player.sunk()) == pytest.approx((1.83, 0.005), abs=1e-6)
    assert choice.currentText() == "The client's human"


@pytest.mark.parametrize(("typed", "why"), [("A9B4", "'A9B4' is not an id"), ("0x00070050", "is not a cell")])
def test_a_wrong_cell_id_is_refused_with_a_sentence(qtbot: QtBot, opened: MainWindow, typed: str, why: str) -> None:
    player = opened.docks.panel(PlayerPanel)
    raise_dock(qtbot, opened.docks.of(player))
    player.tabs.setCurrentWidget(player.teleport)
    field = player.teleport.cell
    field.selectAll()
    qtbot.keyClicks(field, typed)
    with qtbot.waitSignal(opened.document.refused) as refused:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    sentence = str(refused.args[0])
    assert sentence.startswith("Teleport Player: ")
    assert why in sentence
    assert opened.status.currentMessage() == f"■ {sentence}"
    assert why in field.toolTip()
    player.teleport.forget_action.trigger()
    assert why not in field.toolTip()
