"""Doors, Entities, Player and Cell by clicks and keys: each edit is seen at once, has a name, and is undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from editor.models import doors, entities
from editor.models.player import VALUE
from editor.session.session import Kind, Selection, Session
from engine.physics.rules import AGREED_RULES, RULE_NAMES
from engine.sim.tick.simulation import Simulation
from engine.world.names import NameKey
from tests.gui.docks.live_hands import (
    click_button,
    click_check,
    click_row,
    double_click_row,
    raise_dock,
    type_number,
    type_place,
)
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.world import WorldPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BLOCK, HALL, STUDY = 0x0007FFFF, 0x00070100, 0x00070101
STABS, PORTALS = 2, 1
DOOR = "hall-study door"


@pytest.fixture
def sim(opened: MainWindow) -> Simulation:
    return opened.document.sim


@pytest.fixture
def door(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> int:
    """The door between hall and study, selected in Doors."""
    raise_dock(qtbot, opened.docks.dock(DoorsPanel))
    found = sim.population.doors[0].id
    click_row(qtbot, opened.docks.panel(DoorsPanel).view, found)
    return found


def undo_restores(qtbot: QtBot, window: MainWindow, name: str, edit: Callable[[], object]) -> None:
    """The edit is a step of that name; Ctrl+Z brings the bits back and Ctrl+Shift+Z the edit."""
    document = window.document
    before = document.sim.state_hash()
    edit()
    after = document.sim.state_hash()
    assert document.stack.undo_text() == name
    assert after != before
    assert name in window.statusBar().currentMessage()
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.sim.state_hash() == before
    ctrl_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_Z, ctrl_shift)
    assert document.sim.state_hash() == after
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


# --- Doors


def test_a_door_is_used_held_locked_and_made_ethereal_by_buttons(qtbot: QtBot, opened: MainWindow, door: int) -> None:
    panel = opened.docks.panel(DoorsPanel)
    for button, name, column, text in (
        ("door-use-button", f"Open {DOOR}", doors.STATE, "opening"),
        ("door-hold-button", f"Hold {DOOR} Open", doors.COLLISION, "✓ passable"),
        ("door-lock-button", f"Lock {DOOR}", doors.LOCK, "locked"),
        ("door-ethereal-button", f"Make {DOOR} Ethereal", doors.COLLISION, "✓ passable"),
    ):
        before = panel.model.text(door, column)
        shown: list[str] = []

        def press(button: str = button, column: int = column, shown: list[str] = shown) -> None:
            click_button(qtbot, panel, button)
            shown.append(panel.model.text(door, column))

        undo_restores(qtbot, opened, name, press)
        assert shown == [text]
        assert panel.model.text(door, column) == before


def test_keys_in_the_table_of_doors_act_on_the_current_one(qtbot: QtBot, opened: MainWindow, door: int) -> None:
    view, stack = opened.docks.panel(DoorsPanel).view, opened.document.stack
    view.setFocus()
    for key, name in (
        (Qt.Key.Key_L, f"Lock {DOOR}"),
        (Qt.Key.Key_L, f"Unlock {DOOR}"),
        (Qt.Key.Key_H, f"Hold {DOOR} Open"),
        (Qt.Key.Key_H, f"Force Close {DOOR}"),
    ):
        qtbot.keyClick(view, key)
        assert stack.undo_text() == name


def test_a_reset_interval_is_typed(qtbot: QtBot, opened: MainWindow, door: int, sim: Simulation) -> None:
    box = opened.docks.panel(DoorsPanel).interval

    def type_it() -> None:
        type_number(qtbot, box.lineEdit(), 12.5)
        qtbot.keyClick(box.lineEdit(), Qt.Key.Key_Return)

    undo_restores(qtbot, opened, f"Reset {DOOR} after 12.5 s", type_it)
    assert sim.population.door(door).reset_interval == 30.0


def test_the_countdown_runs_with_the_ticks(qtbot: QtBot, opened: MainWindow, door: int) -> None:
    panel = opened.docks.panel(DoorsPanel)
    click_button(qtbot, panel, "door-use-button")
    qtbot.keyClick(opened, ".")
    assert panel.model.is_changed(door, doors.RESETS_IN)
    opened.clock.step(29)
    assert panel.model.text(door, doors.RESETS_IN) == "29.0"
    assert panel.model.text(door, doors.STATE) in ("open", "opening")


def test_a_busy_door_says_why_it_cannot_be_used(qtbot: QtBot, opened: MainWindow, door: int) -> None:
    panel = opened.docks.panel(DoorsPanel)
    click_button(qtbot, panel, "door-use-button")
    assert not panel.use_action.isEnabled()
    assert panel.use_action.toolTip() == f"{DOOR} is opening; wait until it stops."
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert "wait until it stops" in opened.statusBar().currentMessage()


def test_without_a_door_selected_the_buttons_say_so(opened: MainWindow) -> None:
    panel = opened.docks.panel(DoorsPanel)
    panel.view.follow(None)
    for action in (panel.use_action, panel.hold_action, panel.lock_action):
        assert not action.isEnabled()
        assert action.toolTip() == "Select a door first."


def test_a_door_is_added_before_the_player_and_undone(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> None:
    panel = opened.docks.panel(DoorsPanel)
    raise_dock(qtbot, opened.docks.of(panel))
    panel.add_menu.aboutToShow.emit()
    entry = next(action for action in panel.add_menu.actions() if "door" in action.text() and not action.isSeparator())
    undo_restores(qtbot, opened, f"Add {DOOR}", entry.trigger)
    assert len(sim.population.doors) == 1
    entry.trigger()
    assert len(panel.model.rows) == 2
    assert opened.session.selection == Selection(Kind.ENTITY, BLOCK, 0x80000001)
    assert panel.view.key == 0x80000001
    added = Selection(Kind.ENTITY, BLOCK, 0x80000001)
    assert opened.docks.panel(WorldPanel).model.index_of(added).isValid()
    assert (True, 0x80000001) in opened.map._thing_items


def test_a_double_click_frames_a_door(qtbot: QtBot, opened: MainWindow, door: int) -> None:
    whole = opened.map.pixels_per_metre()
    double_click_row(qtbot, opened.docks.panel(DoorsPanel).view, door)
    assert opened.session.selection == Selection(Kind.ENTITY, BLOCK, door)
    assert opened.map.pixels_per_metre() != whole


def test_doors_are_copied_as_tab_separated_text(qtbot: QtBot, opened: MainWindow, door: int) -> None:
    view = opened.docks.panel(DoorsPanel).view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].startswith("Door\tState\tCollision")
    assert lines[1].split("\t")[0] == DOOR
    assert len(lines[1].split("\t")) == len(doors.COLUMNS)


# --- Entities


@pytest.fixture
def entity(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> int:
    """The same door, selected in Entities."""
    raise_dock(qtbot, opened.docks.dock(EntitiesPanel))
    found = sim.population.doors[0].id
    click_row(qtbot, opened.docks.panel(EntitiesPanel).view, found)
    return found


def test_an_entity_shows_its_shadow_entries(opened: MainWindow, sim: Simulation, entity: int) -> None:
    panel = opened.docks.panel(EntitiesPanel)
    rows = sim.population.registry.entity(entity).obj.rows
    assert len(panel.shadows.rows) == len(rows)
    assert panel.shadows.text((entity, 1), 1) == "BSP"
    assert panel.shadows.text((entity, 1), 2).startswith("0x01")


def test_a_state_bit_is_switched_by_its_check_box(
    qtbot: QtBot, opened: MainWindow, sim: Simulation, entity: int
) -> None:
    panel = opened.docks.panel(EntitiesPanel)
    panel.tabs.setCurrentWidget(panel.bit_view)
    name = f"Switch IGNORE_COLLISIONS of {DOOR} On"
    undo_restores(qtbot, opened, name, lambda: click_check(qtbot, panel.bit_view, "IGNORE_COLLISIONS"))
    click_row(qtbot, panel.bit_view, "IGNORE_COLLISIONS", column=1)
    qtbot.keyClick(panel.bit_view, Qt.Key.Key_Space)
    assert sim.population.state_of(entity) & 0x10
    assert not opened.clock.is_running


def test_an_entity_is_moved_by_numbers(qtbot: QtBot, opened: MainWindow, sim: Simulation, entity: int) -> None:
    panel = opened.docks.panel(EntitiesPanel)
    panel.tabs.setCurrentWidget(panel.place)
    before = sim.population.entity(entity).origin()

    def move() -> None:
        type_number(qtbot, panel.place.numbers["z"].lineEdit(), 1.25)
        qtbot.keyClick(panel.place.numbers["z"].lineEdit(), Qt.Key.Key_Return)
        assert sim.population.entity(entity).origin() == (before[0], before[1], 1.25)
        assert panel.model.text(entity, entities.Z) == "1.250"

    undo_restores(qtbot, opened, f"Move {DOOR}", move)
    assert sim.population.entity(entity).origin() == before


def test_typed_numbers_stay_while_time_passes_until_dropped(qtbot: QtBot, opened: MainWindow, entity: int) -> None:
    form = opened.docks.panel(EntitiesPanel).place
    opened.docks.panel(EntitiesPanel).tabs.setCurrentWidget(form)
    type_number(qtbot, form.numbers["x"].lineEdit(), 9.0)
    opened.clock.step(3)
    assert form.numbers["x"].text() == "9.000"
    qtbot.mouseClick(form.reset, Qt.MouseButton.LeftButton)
    assert form.numbers["x"].text() != "9.000"
    assert not form.reset.isEnabled()


def test_entities_are_duplicated_and_deleted(qtbot: QtBot, opened: MainWindow, sim: Simulation, entity: int) -> None:
    panel = opened.docks.panel(EntitiesPanel)
    undo_restores(qtbot, opened, f"Duplicate {DOOR}", lambda: click_button(qtbot, panel, "entity-duplicate-button"))
    click_row(qtbot, panel.view, entity)
    panel.view.setFocus()
    undo_restores(qtbot, opened, f"Delete {DOOR}", lambda: qtbot.keyClick(panel.view, Qt.Key.Key_Delete))
    assert sim.population.find(entity) is not None
    assert opened.docks.panel(WorldPanel).model.index_of(Selection(Kind.ENTITY, BLOCK, entity)).isValid()


def test_an_entity_removed_by_undo_is_not_duplicated_from_its_old_row(
    qtbot: QtBot, opened: MainWindow, entity: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, document = opened.docks.panel(EntitiesPanel), opened.document
    click_button(qtbot, panel, "entity-duplicate-button")
    second = panel.view.key
    assert second != entity
    monkeypatch.setattr(panel, "pace", 60.0)  # the moment in which a dock is not read again
    opened.clock.run()
    document.undo()
    assert opened.session.selection is None
    assert panel.view.key is None
    panel.duplicate_action.trigger()
    assert not document.stack.can_undo()
    opened.clock.pause()


def test_the_player_is_listed_follows_his_body_and_stays(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> None:
    panel = opened.docks.panel(EntitiesPanel)
    raise_dock(qtbot, opened.docks.of(panel))
    click_row(qtbot, panel.view, sim.player.id)
    assert "can be teleported" in panel.delete_action.toolTip()
    opened.clock.keys.forward = 1.0
    opened.clock.step(10)
    assert panel.model.text(sim.player.id, entities.Y) == f"{sim.player.origin()[1]:.3f}"
    assert panel.model.is_changed(sim.player.id, entities.Y)
    opened.clock.keys.forward = 0.0
    opened.clock.step(1)
    opened.clock.step(1)
    assert not panel.model.is_changed(sim.player.id, entities.Y)


# --- Player and time


def test_keys_step_and_run_time(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> None:
    qtbot.keyClick(opened, ".")
    assert sim.tick_number == 1
    qtbot.keyClick(opened, ".", Qt.KeyboardModifier.ShiftModifier)
    assert sim.tick_number == 11
    assert "tick 10 " in opened.time_bar.tick_label.text()
    qtbot.keyClick(opened, Qt.Key.Key_Space)
    assert opened.clock.is_running
    qtbot.waitUntil(lambda: sim.tick_number > 30, timeout=10_000)
    qtbot.waitUntil(lambda: "ticks/s" in opened.status.rate.text(), timeout=10_000)
    qtbot.keyClick(opened, Qt.Key.Key_Space)
    stopped = sim.tick_number
    qtbot.wait(100)
    assert sim.tick_number == stopped
    assert opened.status.rate.text() == "paused"


def test_held_keys_walk_and_opposite_keys_release_each_other(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> None:
    panel = opened.docks.panel(PlayerPanel)
    raise_dock(qtbot, opened.docks.of(panel))
    buttons, keys = panel.pad.buttons, opened.clock.keys
    qtbot.mouseClick(buttons["forward"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(buttons["run"], Qt.MouseButton.LeftButton)
    assert (keys.forward, keys.run) == (1.0, True)
    qtbot.mouseClick(buttons["back"], Qt.MouseButton.LeftButton)
    assert (keys.forward, buttons["forward"].isChecked()) == (-1.0, False)
    y = sim.player.origin()[1]
    click_button(qtbot, panel, "player-step-button")
    assert sim.player.origin()[1] != y
    assert panel.model.text("Last tick", VALUE) == "✓ moved"
    click_button(qtbot, panel, "player-release-button")
    assert (keys.forward, keys.run) == (0.0, False)
    assert panel.release_action.toolTip() == "No key is held."


def test_the_player_is_teleported_and_a_refusal_says_why(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> None:
    panel = opened.docks.panel(PlayerPanel)
    raise_dock(qtbot, opened.docks.of(panel))
    where = (8.0, 2.0, 0.0)
    name = "Teleport Player"
    undo_restores(qtbot, opened, name, lambda: type_place(qtbot, panel, STUDY, where, 45.0))
    before = sim.state_hash()
    type_place(qtbot, panel, 0x00070177, where, 45.0)
    assert sim.state_hash() == before
    assert "there is no cell 0x00070177" in opened.statusBar().currentMessage()


def test_numbers_of_the_player_are_typed(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> None:
    panel = opened.docks.panel(PlayerPanel)
    raise_dock(qtbot, opened.docks.of(panel))
    panel.tabs.setCurrentIndex(2)
    field = panel.numbers["step_up"].lineEdit()

    def type_it() -> None:
        type_number(qtbot, field, 0.2)
        qtbot.keyClick(field, Qt.Key.Key_Return)

    undo_restores(qtbot, opened, "Set Step up to 0.2", type_it)
    assert sim.player.number("step_up") == pytest.approx(0.6)


def test_rules_are_set_together_and_one_by_one(qtbot: QtBot, opened: MainWindow, sim: Simulation) -> None:
    bar = opened.time_bar
    bar.rules_menu.aboutToShow.emit()
    actions = {action.objectName() or action.text(): action for action in bar.rules_menu.actions()}
    undo_restores(qtbot, opened, "Use ace Rules", actions["All as ace"].trigger)
    undo_restores(qtbot, opened, "Set edge_slide_order to ace", actions["rule-edge_slide_order"].trigger)
    shown = [name.removeprefix("rule-") for name in actions if name.startswith("rule-")]
    assert shown == [rule for rule in RULE_NAMES if rule not in AGREED_RULES]
    assert actions["rule-edge_slide_order"].text() == "Start of an edge slide"
    agreed = actions["The same in both"].menu()
    assert isinstance(agreed, QMenu)
    assert [action.objectName() for action in agreed.actions()] == [f"rule-{rule}" for rule in AGREED_RULES]
    assert not any(action.isEnabled() for action in agreed.actions())
    assert all("turned out to agree" in action.toolTip() for action in agreed.actions())
    assert "ace: The body slides from where the step down ended" in actions["rule-edge_slide_order"].toolTip()
    bar.set_rule("final_cell_array", "ace")
    assert bar.rules_button.text() == "rules retail"
    actions["rule-edge_slide_order"].trigger()
    bar.set_rule("edge_slide_order", "ace")
    assert bar.rules_button.text() in ("rules retail, 1 as ace", "rules retail")


def test_disabled_time_says_why(window: MainWindow) -> None:
    bar = window.time_bar
    assert not bar.run_action.isEnabled()
    assert bar.run_action.toolTip() == "Open a world first."
    assert bar.undo_action.toolTip() == "There is nothing to undo."


# --- Cell


@pytest.fixture
def study(qtbot: QtBot, opened: MainWindow) -> int:
    """The study, selected and taken apart in Cell."""
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    opened.session.select(Selection(Kind.CELL, BLOCK, STUDY))
    return STUDY


def test_all_columns_of_a_stab_list_are_in_view_beside_long_names(qtbot: QtBot, opened: MainWindow) -> None:
    panel = opened.docks.panel(CellPanel)
    view, last = panel.stab_page.view, len(panel.stab_page.view.table.columns) - 1
    view.setFixedWidth(400)
    opened.document.rename("Rename", {NameKey.cell(STUDY): "Study of the learned keeper of the house"})
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    panel.tabs.setCurrentIndex(STABS)
    for cell_id in (STUDY, HALL):
        opened.session.select(Selection(Kind.CELL, BLOCK, cell_id))
    qtbot.waitUntil(lambda: panel.cell is not None and panel.cell.id == HALL)
    qtbot.waitUntil(lambda: "keeper" in view.table.text(STUDY, 0))
    words = max(view.sizeHintForColumn(last), view.horizontalHeader().sectionSizeHint(last))
    assert view.columnViewportPosition(last) + words <= view.viewport().width()
    assert view.columnWidth(0) < view.sizeHintForColumn(0), "the names give way"


def test_a_stab_list_loses_a_cell_regains_it_and_is_set_to_the_visible_cells(
    qtbot: QtBot, opened: MainWindow, sim: Simulation, study: int
) -> None:
    panel = opened.docks.panel(CellPanel)
    panel.tabs.setCurrentIndex(STABS)
    qtbot.waitUntil(lambda: "exactly the visible cells" in panel.stab_page.summary.text(), timeout=10_000)
    assert panel.stab_page.computed_action.toolTip() == "The list is exactly the visible cells."
    click_row(qtbot, panel.stab_page.view, HALL)
    assert panel.cell is not None
    assert panel.cell.id == study, "a click in the list leads nowhere yet"
    name = f"Remove 0x{HALL:08X} from Stab List of 0x{study:08X}"
    undo_restores(qtbot, opened, name, lambda: click_button(qtbot, panel, "stab-remove-button"))
    click_row(qtbot, panel.stab_page.view, HALL)
    click_button(qtbot, panel, "stab-remove-button")
    assert "1 seen but not listed" in panel.stab_page.summary.text()
    assert panel.stab_page.view.table.text(HALL, 2) == "■ seen, not listed"
    click_button(qtbot, panel, "stab-computed-button")
    assert "exactly the visible cells" in panel.stab_page.summary.text()
    assert opened.document.stack.undo_text() == f"Set Stab List of 0x{study:08X} to Visible Cells"


def test_a_cell_is_added_to_the_stab_list_by_its_id(qtbot: QtBot, opened: MainWindow, study: int) -> None:
    panel = opened.docks.panel(CellPanel)
    panel.tabs.setCurrentIndex(STABS)
    loft = 0x00070102

    def type_it() -> None:
        qtbot.keyClicks(panel.stab_page.typed_id, f"0x{loft:08X}")
        qtbot.keyClick(panel.stab_page.typed_id, Qt.Key.Key_Return)

    if panel.stab_page.view.table.row_of(loft) < 0:
        undo_restores(qtbot, opened, f"Add 0x{loft:08X} to Stab List of 0x{study:08X}", type_it)
    qtbot.keyClicks(panel.stab_page.typed_id, "loft")
    qtbot.keyClick(panel.stab_page.typed_id, Qt.Key.Key_Return)
    assert "loft" in opened.statusBar().currentMessage()


def test_a_double_click_on_a_portal_leads_through_it(qtbot: QtBot, opened: MainWindow, study: int) -> None:
    panel = opened.docks.panel(CellPanel)
    panel.tabs.setCurrentIndex(PORTALS)
    beyond = panel.portal_page.view.table.rows[0].selection
    double_click_row(qtbot, panel.portal_page.view, (study, 0))
    assert opened.session.selection == beyond


def test_the_cell_follows_the_player_when_asked(qtbot: QtBot, opened: MainWindow, sim: Simulation, study: int) -> None:
    panel = opened.docks.panel(CellPanel)
    assert panel.title.text() == f"0x{study:08X}"
    qtbot.mouseClick(panel.follow_player, Qt.MouseButton.LeftButton)
    assert panel.title.text() == f"0x{sim.graph.current_id:08X}"
    assert panel.head_page.view.table.text("Kind", 1) == "room"


def test_seen_outside_is_switched(qtbot: QtBot, opened: MainWindow, sim: Simulation, study: int) -> None:
    panel = opened.docks.panel(CellPanel)
    name = f"Set Seen Outside of 0x{study:08X}"
    undo_restores(qtbot, opened, name, lambda: qtbot.mouseClick(panel.outside, Qt.MouseButton.LeftButton))
    assert not panel.outside.isChecked()


def test_a_portals_flags_are_switched(qtbot: QtBot, opened: MainWindow, sim: Simulation, study: int) -> None:
    panel = opened.docks.panel(CellPanel)
    panel.tabs.setCurrentIndex(PORTALS)
    click_row(qtbot, panel.portal_page.view, (study, 0))
    before = panel.portal_page.view.table.text((study, 0), 4)
    check = panel.portal_page.flag_boxes[0x1]
    flags = int(before, 16) ^ 0x1
    name = f"Set Flags of Portal 0 of 0x{study:08X} to 0x{flags:X}"
    undo_restores(qtbot, opened, name, lambda: qtbot.mouseClick(check, Qt.MouseButton.LeftButton))
    assert panel.portal_page.view.table.text((study, 0), 4) == before


# --- the rest of the window


def test_an_edit_reaches_tree_and_details_of_a_cell(qtbot: QtBot, opened: MainWindow, study: int) -> None:
    index = opened.docks.panel(WorldPanel).model.index_of(Selection(Kind.CELL, BLOCK, study)).siblingAtColumn(1)
    assert "☀" not in str(index.data())
    qtbot.mouseClick(opened.docks.panel(CellPanel).outside, Qt.MouseButton.LeftButton)
    assert "☀" in str(index.data())


def test_the_map_marks_the_player_and_the_mark_follows(opened: MainWindow, sim: Simulation) -> None:
    mark = opened.map._mark
    assert mark is not None
    before = mark.pos()
    opened.clock.keys.forward = 1.0
    opened.clock.step(10)
    assert mark.pos() != before
    assert (mark.pos().x(), -mark.pos().y()) == pytest.approx(sim.player.origin()[:2])


def test_another_world_empties_the_stack_and_fills_the_docks_anew(
    qtbot: QtBot, opened: MainWindow, door: int, house: Path
) -> None:
    click_button(qtbot, opened.docks.panel(DoorsPanel), "door-lock-button")
    old = opened.document.sim
    with qtbot.waitSignal(opened.session.faults_changed, timeout=20_000):
        opened.open(str(house))
    assert opened.document.sim is not old
    assert opened.document.stack.count() == 0
    assert opened.docks.panel(DoorsPanel).model.text(door, doors.LOCK) == "–"


def test_empty_docks_say_what_would_fill_them(window: MainWindow) -> None:
    live = window
    for view in (
        live.docks.panel(DoorsPanel).view,
        live.docks.panel(EntitiesPanel).view,
        live.docks.panel(PlayerPanel).view,
        live.docks.panel(CellPanel).head_page.view,
    ):
        assert not view.table.rows
        assert len(view.empty) > 20


def test_the_places_of_the_live_docks_are_remembered(qtbot: QtBot, window: MainWindow, settings: QSettings) -> None:
    window.docks.dock(DoorsPanel).hide()
    window.close()
    again = MainWindow(Session(), settings)
    qtbot.addWidget(again)
    with qtbot.waitExposed(again):
        again.show()
    assert again.docks.dock(DoorsPanel).isHidden()
    again.reset_layout()
    assert not again.docks.dock(DoorsPanel).isHidden()


def test_a_row_menu_frames_the_row_and_the_palette_does_not_offer_that(qtbot: QtBot, opened: MainWindow) -> None:
    panel = opened.docks.panel(DoorsPanel)
    raise_dock(qtbot, opened.docks.of(panel))
    view, framed = panel.view, panel.view.frame_action
    assert not framed.isVisible()
    click_row(qtbot, view, view.table.rows[0].key)
    assert view.actions()[0] is framed
    assert framed.isVisible()
    before = opened.map.pixels_per_metre()
    framed.trigger()
    assert opened.map.pixels_per_metre() != before
    assert "Frame" not in [command.title for command in opened.commands.commands()]
    assert "Frame Selection" in [command.title for command in opened.commands.commands()]


def test_a_tooltip_shows_a_name_that_is_cut_off(qtbot: QtBot, opened: MainWindow) -> None:
    panel = opened.docks.panel(DoorsPanel)
    raise_dock(qtbot, opened.docks.of(panel))
    view = panel.view
    at = view.visualRect(view.table.index(0, 0)).center()
    for width, expected in ((view.columnWidth(0), ""), (40, view.table.rows[0].values[0].text)):
        view.setColumnWidth(0, width)
        QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at)))
        qtbot.waitUntil(lambda expected=expected: QToolTip.text() == expected)  # type: ignore[misc]
        at.setX(10)
    QToolTip.hideText()
