"""What can be edited in Cell, Entities, Player and over the view, by clicks and keys, and that the past cannot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from editor.authoring.cell_edits import set_cell_frame
from editor.authoring.static_edits import move_static
from editor.document.document import READ_ONLY
from editor.session.session import Kind, Selection
from engine.build import WorldBuilder, rect
from engine.build.shapes.furniture import crate
from engine.geometry.frame import Frame
from engine.sim.edits.entities import SetScale
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.objects import static_object_id
from tests.gui.docks.live_hands import click_button, click_row, raise_dock, turn_wheel, type_in, type_number
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.place_form import PlaceForm
from ui.docks.player.player_dock import PlayerPanel
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

BLOCK, HALL, STUDY = 0x0007FFFF, 0x00070100, 0x00070101
HEAD, PORTALS, STABS, STATICS = range(4)
DOOR = "hall-study door"
CRATE = static_object_id(HALL, 0)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hall with two crates and a study east of it, a door between them."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = world.room("study", rect(6.2, 0, 4, 4), height=2.8)
    world.door(hall, study)
    hall.put(crate(), (1, 1))
    hall.put(crate(), (5, 3.3))
    folder = tmp_path_factory.mktemp("furnished")
    world.build().write(folder)
    return folder


@pytest.fixture
def sim(opened: MainWindow) -> Simulation:
    return opened.document.sim


def hall_of(sim: Simulation) -> EnvCell:
    room = sim.graph.get_visible(HALL)
    assert isinstance(room, EnvCell)
    return room


@pytest.fixture
def hall(qtbot: QtBot, opened: MainWindow) -> MainWindow:
    """The hall, selected and taken apart in Cell."""
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    opened.session.select(Selection(Kind.CELL, BLOCK, HALL))
    return opened


def undo_restores(qtbot: QtBot, window: MainWindow, name: str, edit: Callable[[], object]) -> None:
    """The edit is one step of that name, and Ctrl+Z brings the bits back."""
    document = window.document
    before, done = document.sim.state_hash(), document.stack.index()
    edit()
    assert document.stack.undo_text() == name
    assert document.stack.index() == done + 1
    assert document.sim.state_hash() != before
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.sim.state_hash() == before
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert document.sim.state_hash() != before
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


# --- Cell: portals


def test_a_portal_is_retargeted_on_both_sides_or_on_one(qtbot: QtBot, hall: MainWindow, sim: Simulation) -> None:
    page = hall.docks.panel(CellPanel).portal_page
    hall.docks.panel(CellPanel).tabs.setCurrentIndex(PORTALS)
    click_row(qtbot, page.view, (HALL, 0))
    assert page.target.text() == f"0x{hall_of(sim).portals[0].other_cell_id:08X}"

    def lead() -> None:
        page.target.selectAll()
        qtbot.keyClicks(page.target, f"0x{STUDY:08X}")
        page.back.lineEdit().selectAll()
        qtbot.keyClicks(page.back.lineEdit(), "0")
        qtbot.keyClick(page.target, Qt.Key.Key_Return)

    name = f"Link Portal 0 of 0x{HALL:08X} to 0x{STUDY:08X}"
    undo_restores(qtbot, hall, name, lead)
    study = sim.graph.get_visible(STUDY)
    assert isinstance(study, EnvCell)
    assert study.portals[0].other_cell_id != HALL
    click_row(qtbot, page.view, (HALL, 0))
    lead()
    study = sim.graph.get_visible(STUDY)
    assert isinstance(study, EnvCell)
    assert (study.portals[0].other_cell_id, study.portals[0].other_portal_id) == (HALL, 0)
    assert page.view.table.text((HALL, 0), 5) == "✓ leads back"
    hall.document.undo()
    qtbot.mouseClick(page.both, Qt.MouseButton.LeftButton, pos=page.both.rect().center())
    page.both.setChecked(False)
    click_row(qtbot, page.view, (HALL, 0))
    lead()
    assert "■ leads to" in page.view.table.text((HALL, 0), 5)


def test_a_portal_is_retargeted_outdoors_and_nonsense_is_refused(
    qtbot: QtBot, hall: MainWindow, sim: Simulation
) -> None:
    page = hall.docks.panel(CellPanel).portal_page
    hall.docks.panel(CellPanel).tabs.setCurrentIndex(PORTALS)
    click_row(qtbot, page.view, (HALL, 0))
    page.target.selectAll()
    qtbot.keyClicks(page.target, "the study")
    qtbot.keyClick(page.target, Qt.Key.Key_Return)
    assert "'the study' is not an id" in hall.statusBar().currentMessage()
    page.target.selectAll()
    qtbot.keyClicks(page.target, "outdoors")
    click_button(qtbot, page, "portal-set-target-button")
    portal = hall_of(sim).portals[0]
    assert (portal.leads_outside, portal.flags & 0x4) == (True, 0x4)
    assert page.flag_boxes[0x4].isChecked()
    assert hall.document.stack.undo_text() == f"Link Portal 0 of 0x{HALL:08X} to Outdoors"


# --- Cell: static objects


def test_a_static_object_is_moved_by_numbers_duplicated_dropped_and_deleted(
    qtbot: QtBot, hall: MainWindow, sim: Simulation
) -> None:
    page = hall.docks.panel(CellPanel).static_page
    hall.docks.panel(CellPanel).tabs.setCurrentIndex(STATICS)
    click_row(qtbot, page.view, CRATE)
    name = f"Static 0 of 0x{HALL:08X}"

    def lift() -> None:
        type_in(qtbot, page.place.numbers["z"], 1.5)

    undo_restores(qtbot, hall, f"Move {name}", lift)
    assert hall_of(sim).static_objects[0].frame.origin[2] == 0.0
    lift()
    undo_restores(qtbot, hall, f"Drop {name} to the Floor", lambda: click_button(qtbot, page, "static-drop-button"))
    click_button(qtbot, page, "static-drop-button")
    assert hall_of(sim).static_objects[0].frame.origin[2] == pytest.approx(0.0, abs=1e-5)
    click_button(qtbot, page, "static-duplicate-button")
    assert len(hall_of(sim).static_objects) == 3
    assert hall.session.selection == Selection(Kind.STATIC, BLOCK, static_object_id(HALL, 2))
    assert page.view.key == static_object_id(HALL, 2)
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_Delete)
    assert hall.document.stack.undo_text() == f"Delete Static 2 of 0x{HALL:08X}"
    assert len(hall_of(sim).static_objects) == 2
    assert hall.session.selection == Selection(Kind.CELL, BLOCK, HALL)


def test_a_static_object_is_added_from_the_catalogue_and_by_its_id(
    qtbot: QtBot, hall: MainWindow, sim: Simulation
) -> None:
    page = hall.docks.panel(CellPanel).static_page
    hall.docks.panel(CellPanel).tabs.setCurrentIndex(STATICS)
    model = hall_of(sim).static_objects[0].model_id
    page.add_menu.aboutToShow.emit()
    entry = page.add_menu.actions()[0]
    assert entry.text() == f"0x{model:08X}  0.8 × 0.8 × 0.8 m"
    undo_restores(qtbot, hall, f"Add 0x{model:08X} to 0x{HALL:08X}", entry.trigger)
    qtbot.keyClicks(page.model, f"0x{model:08X}")
    qtbot.keyClick(page.model, Qt.Key.Key_Return)
    assert [thing.model_id for thing in hall_of(sim).static_objects] == [model] * 3
    assert (model, 3) == (hall_of(sim).static_objects[2].model_id, len(page.view.table.rows))
    page.model.selectAll()
    qtbot.keyClicks(page.model, "0x02FFFFFF")
    qtbot.keyClick(page.model, Qt.Key.Key_Return)
    assert "no model 0x02FFFFFF" in hall.statusBar().currentMessage()


def test_a_static_object_moves_to_another_room_by_its_cell(qtbot: QtBot, hall: MainWindow, sim: Simulation) -> None:
    page = hall.docks.panel(CellPanel).static_page
    hall.docks.panel(CellPanel).tabs.setCurrentIndex(STATICS)
    click_row(qtbot, page.view, CRATE)
    page.place.cell.selectAll()
    qtbot.keyClicks(page.place.cell, f"0x{STUDY:08X}")
    type_in(qtbot, page.place.numbers["x"], 8.0)
    assert hall.document.stack.undo_text() == f"Move Static 0 of 0x{HALL:08X} to 0x{STUDY:08X}"
    assert len(hall_of(sim).static_objects) == 1
    study = sim.graph.get_visible(STUDY)
    assert study is not None
    assert study.static_objects[0].frame.origin == (8.0, 1.0, 0.0)


# --- Cell: the room as a whole


def test_a_room_is_moved_with_what_is_in_it(qtbot: QtBot, hall: MainWindow, sim: Simulation) -> None:
    page = hall.docks.panel(CellPanel).head_page
    hall.docks.panel(CellPanel).tabs.setCurrentIndex(HEAD)
    origin, player = hall_of(sim).frame.origin, sim.player.origin()
    statics = [thing.frame.origin for thing in hall_of(sim).static_objects]

    def move() -> None:
        type_in(qtbot, page.place.numbers["z"], origin[2] + 2.0)

    undo_restores(qtbot, hall, f"Move 0x{HALL:08X}", move)
    move()
    assert hall_of(sim).frame.origin == pytest.approx((origin[0], origin[1], origin[2] + 2.0))
    assert [thing.frame.origin[2] for thing in hall_of(sim).static_objects] == [z + 2.0 for _, _, z in statics]
    assert sim.player.origin()[2] == pytest.approx(player[2] + 2.0)


def test_the_cell_graph_changes_with_a_room_but_not_with_its_contents(
    qtbot: QtBot, hall: MainWindow, sim: Simulation
) -> None:
    live, key = hall, Selection(Kind.CELL, BLOCK, STUDY)
    raise_dock(qtbot, live.docks.dock(CellGraphPanel))
    graph = live.docks.panel(CellGraphPanel).view.graph
    assert graph is not None
    live.document.edit("Move Crate", *move_static(sim, HALL, 0, Frame((2.0, 3.0, 0.0))))
    live.docks.panel(CellGraphPanel).refresh()
    assert live.docks.panel(CellGraphPanel).view.graph is graph
    live.document.edit("Move Study", *set_cell_frame(sim, STUDY, Frame((0.0, 8.0, 0.0))))
    live.docks.panel(CellGraphPanel).refresh()
    moved = live.docks.panel(CellGraphPanel).view.graph
    assert moved is not None
    assert (moved.nodes[key].x, moved.nodes[key].y) != (graph.nodes[key].x, graph.nodes[key].y)


# --- Entities


@pytest.fixture
def entity(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> int:
    raise_dock(qtbot, opened.docks.dock(EntitiesPanel))
    found = sim.population.doors[0].id
    click_row(qtbot, opened.docks.panel(EntitiesPanel).view, found)
    opened.docks.panel(EntitiesPanel).tabs.setCurrentWidget(opened.docks.panel(EntitiesPanel).place)
    return found


def test_an_entity_is_scaled_by_arrows_in_one_step(
    qtbot: QtBot, opened: MainWindow, sim: Simulation, entity: int
) -> None:
    box = opened.docks.panel(EntitiesPanel).scale

    def enlarge() -> None:
        box.setFocus()
        for _ in range(3):
            qtbot.keyClick(box, Qt.Key.Key_Up)
        assert sim.population.entity(entity).scale == pytest.approx(1.3)

    undo_restores(qtbot, opened, f"Scale {DOOR} to 1.3", enlarge)
    assert sim.population.entity(entity).scale == 1.0
    assert box.value() == 1.0


def test_an_entity_is_dropped_to_the_floor(qtbot: QtBot, opened: MainWindow, sim: Simulation, entity: int) -> None:
    panel = opened.docks.panel(EntitiesPanel)
    type_in(qtbot, panel.place.numbers["z"], 1.25)
    name = f"Drop {DOOR} to the Floor"
    undo_restores(qtbot, opened, name, lambda: click_button(qtbot, panel, "entity-drop-button"))
    click_button(qtbot, panel, "entity-drop-button")
    assert sim.population.entity(entity).origin()[2] == pytest.approx(0.0, abs=1e-5)
    assert panel.drop_action in panel.view.actions(), "and it is offered by a right click"


def test_the_player_has_no_scale_and_it_says_why(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> None:
    panel = opened.docks.panel(EntitiesPanel)
    raise_dock(qtbot, opened.docks.of(panel))
    click_row(qtbot, panel.view, sim.player.id)
    assert not panel.scale.isEnabled()
    assert "radius and height" in panel.scale.toolTip()


# --- Player


@pytest.fixture
def numbers(qtbot: QtBot, opened: MainWindow) -> MainWindow:
    raise_dock(qtbot, opened.docks.dock(PlayerPanel))
    opened.docks.panel(PlayerPanel).tabs.setCurrentIndex(2)
    return opened


def test_the_players_standing_is_checked(qtbot: QtBot, numbers: MainWindow, sim: Simulation) -> None:
    page = numbers.docks.panel(PlayerPanel).numbers_page
    for name, word in (("pk", "Player killer"), ("pklite", "PK lite"), ("bypass", "Enters houses")):
        check = page.statuses[name]
        undo_restores(
            qtbot,
            numbers,
            f"Set Player Status: {word}",
            lambda check=check: qtbot.mouseClick(check, Qt.MouseButton.LeftButton),  # type: ignore[misc]
        )
        assert not check.isChecked()


def test_the_player_is_turned_and_pushed(qtbot: QtBot, numbers: MainWindow, sim: Simulation) -> None:
    page = numbers.docks.panel(PlayerPanel).numbers_page
    undo_restores(qtbot, numbers, "Turn Player to 270°", lambda: type_in(qtbot, page.heading, 270.0))
    type_number(qtbot, page.velocity["z"].lineEdit(), 4.0)
    undo_restores(qtbot, numbers, "Push Player", lambda: click_button(qtbot, page, "player-push-button"))


def test_after_enter_the_undo_key_undoes_the_edit_and_not_the_text(
    qtbot: QtBot, numbers: MainWindow, sim: Simulation
) -> None:
    box, stack = numbers.docks.panel(PlayerPanel).numbers_page.numbers["step_up"], numbers.document.stack
    box.setFocus()
    type_in(qtbot, box, 0.3)
    undo = (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(box.lineEdit(), "7")
    qtbot.keyClick(box, *undo)
    assert (stack.index(), box.text()) == (1, "0.300"), "what is being typed goes first"
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.keyClick(box, *undo)
    assert (stack.index(), box.text()) == (0, "0.600")
    assert sim.player.number("step_up") == pytest.approx(0.6)


def test_scrolling_past_a_number_changes_nothing(qtbot: QtBot, numbers: MainWindow, sim: Simulation) -> None:
    box, stack = numbers.docks.panel(PlayerPanel).numbers_page.numbers["run_skill"], numbers.document.stack
    turn_wheel(box)
    assert stack.count() == 0
    box.setFocus()
    turn_wheel(box)
    assert (stack.count(), sim.player.number("run_skill")) == (1, 210.0)


def test_the_page_states_what_skills_amount_to(qtbot: QtBot, numbers: MainWindow, sim: Simulation) -> None:
    page = numbers.docks.panel(PlayerPanel).numbers_page
    before = page.speeds.text()
    assert before.startswith("walks 3.12 m/s, runs ")
    type_in(qtbot, page.numbers["run_skill"], 400.0)
    assert page.speeds.text() != before


# --- the past


def edit_controls(window: MainWindow) -> tuple[list[QAction], list[QWidget]]:
    live = window
    doors, entities, cell, numbers = (
        live.docks.panel(DoorsPanel),
        live.docks.panel(EntitiesPanel),
        live.docks.panel(CellPanel),
        live.docks.panel(PlayerPanel).numbers_page,
    )
    forms: list[PlaceForm] = [
        entities.place,
        live.docks.panel(PlayerPanel).teleport,
        cell.head_page.place,
        cell.static_page.place,
    ]
    commands = [
        *(doors.use_action, doors.hold_action, doors.lock_action, doors.ethereal_action),
        *(entities.duplicate_action, entities.delete_action, entities.drop_action, numbers.push_action),
        *(cell.outside_action, cell.portal_page.target_action, *cell.portal_page.flag_actions.values()),
        *(cell.stab_page.add_action, cell.stab_page.remove_action, cell.stab_page.computed_action),
        *(cell.static_page.add_action, cell.static_page.delete_action, cell.static_page.drop_action),
        *(form.apply_action for form in forms),
    ]
    widgets: list[QWidget] = [
        *(doors.interval, doors.add_button, entities.scale, entities.add_button, entities.bit_view),
        *(cell.outside, cell.portal_page.target, cell.stab_page.typed_id, cell.static_page.add_button),
        *(*numbers.numbers.values(), *numbers.statuses.values(), numbers.heading),
        *(form.heading for form in forms),
        live.time_bar.rules_button,
    ]
    return commands, widgets


def look_everywhere(qtbot: QtBot, window: MainWindow) -> None:
    live = window
    for panel in (
        live.docks.panel(DoorsPanel),
        live.docks.panel(EntitiesPanel),
        live.docks.panel(PlayerPanel),
        live.docks.panel(CellPanel),
    ):
        raise_dock(qtbot, live.docks.of(panel))
        panel.refresh()


def test_in_the_past_every_edit_is_disabled_and_says_why(qtbot: QtBot, hall: MainWindow, sim: Simulation) -> None:
    click_row(qtbot, hall.docks.panel(CellPanel).portal_page.view, (HALL, 0))
    hall.clock.step(10)
    hall.document.go_to(4)
    look_everywhere(qtbot, hall)
    commands, widgets = edit_controls(hall)
    for command in commands:
        assert (command.isEnabled(), command.toolTip()) == (False, READ_ONLY), command.text()
    for widget in widgets:
        assert (widget.isEnabled(), widget.toolTip()) == (False, READ_ONLY), widget.objectName()
    assert not hall.time_bar.undo_action.isEnabled()
    hall.time_bar.continue_action.trigger()
    look_everywhere(qtbot, hall)
    assert hall.docks.panel(CellPanel).outside.isEnabled()
    assert hall.docks.panel(PlayerPanel).numbers_page.heading.isEnabled()
    assert hall.docks.panel(PlayerPanel).teleport.apply_action.toolTip() == "No number was changed."


def test_an_earlier_step_survives_continuing_from_the_past(qtbot: QtBot, hall: MainWindow) -> None:
    live = hall
    qtbot.mouseClick(live.docks.panel(CellPanel).outside, Qt.MouseButton.LeftButton)
    name = live.document.stack.undo_text()
    live.clock.step(10)
    live.document.go_to(5)
    live.time_bar.continue_action.trigger()
    assert live.time_bar.undo_action.text() == f"Undo {name}"
    qtbot.keyClick(hall, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not live.docks.panel(CellPanel).outside.isChecked()


# --- light


def test_the_hour_is_neither_an_undo_step_nor_unsaved(qtbot: QtBot, asking: MainWindow, sim: Simulation) -> None:
    window, slider = asking, asking.centre.view_bar.time
    for minutes in (800, 900, 1000):
        slider.setValue(minutes)
    assert sim.time_of_day == pytest.approx(1000 / 1440)
    assert window.centre.view_bar.time_label.text() == "16:40"
    assert window.document.stack.count() == 0
    assert not window.isWindowModified()
    window.document.edit("Scale", SetScale(sim.population.doors[0].id, 2.0))
    window.centre.view_bar.hour_actions[-1].trigger()
    hour = sim.time_of_day
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (sim.population.doors[0].scale, sim.time_of_day) == (1.0, hour)
    assert not window.isWindowModified()


def test_the_menu_and_the_palette_have_the_hours_of_the_day(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> None:
    commands = {
        command.title: command for command in opened.commands.commands() if command.where == "View › Time of Day"
    }
    commands["06:00 Dawn"].action.trigger()
    assert sim.time_of_day == pytest.approx(0.25)
    assert opened.centre.view_bar.time_label.text() == "06:00"
    opened.clock.step(2)
    opened.document.go_to(1)
    assert commands["18:00 Dusk"].why_not == READ_ONLY
