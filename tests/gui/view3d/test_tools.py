"""The tools of the 3D view by mouse and keys: gizmo, nudges, adding by pointing, and the menu."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from editor.authoring.catalogue import catalogue
from editor.document.document import Document
from editor.places.place_text import read_place
from editor.session.session import Kind, Selection
from editor.view3d.gizmo import Gizmo, Handle, Mode
from editor.view3d.gizmo_drawing import COLOURS, HOT
from engine.build import WorldBuilder, rect
from engine.entities.door import Door
from engine.geometry.vec import Vec3
from tests.gui.docks.live_hands import raise_dock
from tests.gui.view3d.view_hands import (
    LEFT,
    RIGHT,
    difference,
    move_to,
    picture,
    point_of,
    pull,
    redraw,
    rest,
    stand,
    view_of,
    viewer_of,
    viewport_of,
    wheel,
)
from tests.loaded import HUNG
from ui.docks.doors import DoorsPanel
from ui.docks.world import WorldPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

NO_KEY, CTRL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
NORTH, EAST = 0.0, 90.0


@pytest.fixture(scope="module")
def empty_doorway(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hall and a study with an empty doorway between them, and a closet behind a door."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = world.room("study", rect(6.2, 0, 4, 4), height=2.8)
    closet = world.room("closet", rect(0, 4.2, 6, 3), height=2.8)
    world.doorway(hall, study)
    world.door(hall, closet)
    folder = tmp_path_factory.mktemp("empty-doorway")
    built = world.build()
    built.write(folder)
    CELLS.update({name: built.cell_id(name) for name in ("hall", "study", "closet", "hall-study")})
    return folder


CELLS: dict[str, int] = {}


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings, empty_doorway: Path) -> Iterator[MainWindow]:
    """The window with the eye in the hall, looking north at the closet's door, which is selected."""
    with view_of(qtbot, settings, empty_doorway) as shown:
        shown.session.select(Selection(Kind.ENTITY, CELLS["hall"] | 0xFFFF, door_of(shown).id))
        stand(qtbot, shown, CELLS["hall"], (4.4, 0.6, 1.9), 340.0, -22.0)
        yield shown


def document_of(window: MainWindow) -> Document:
    return window.document


def door_of(window: MainWindow) -> Door:
    return document_of(window).sim.population.doors[0]


def gizmo_of(window: MainWindow) -> Gizmo:
    found = window.viewing.manipulation.gizmo()
    assert found is not None
    return found


def mode_of(window: MainWindow) -> Mode:
    return window.viewing.manipulation.mode


def place_on(window: MainWindow, axis: int, reach: float) -> QPoint:
    """A point of an arrow, in the window's pixels."""
    gizmo = gizmo_of(window)
    x, y = gizmo.pixel(gizmo.along(axis, reach))
    return QPoint(round(x / gizmo.ratio), round(y / gizmo.ratio))


def along(window: MainWindow, axis: int, metres: float) -> tuple[QPoint, QPoint]:
    """From an arrow's shaft to its place once the object has moved by `metres`."""
    gizmo = gizmo_of(window)
    return place_on(window, axis, 0.7), place_on(window, axis, 0.7 + metres / gizmo.size)


def place_of(window: MainWindow) -> Vec3:
    return door_of(window).place_frame().origin


def has_colour(image: QImage, colour: tuple[int, int, int, int]) -> bool:
    wanted = QColor(*colour[:3]).rgb()
    return any(image.pixel(x, y) == wanted for y in range(0, image.height(), 2) for x in range(0, image.width(), 2))


# --- the gizmo in the picture


def test_the_selection_has_three_arrows_in_the_colours_of_the_axes(qtbot: QtBot, view: MainWindow) -> None:
    shown = picture(view)
    assert all(has_colour(shown, colour) for colour in COLOURS)
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Escape)
    redraw(qtbot, view)
    assert not any(has_colour(picture(view), colour) for colour in COLOURS)


def test_the_gizmo_shows_through_objects_in_front_of_it(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, CELLS["study"], (9.0, 1.0, 1.6), 300.0, -15.0)
    shown = picture(view)
    assert sum(has_colour(shown, colour) for colour in COLOURS) >= 2


def test_hovering_highlights_a_handle_and_explains_it(qtbot: QtBot, view: MainWindow) -> None:
    assert not has_colour(picture(view), HOT)
    move_to(view, place_on(view, 0, 0.7))
    assert view.viewing.manipulation.hot is Handle.X
    assert view.statusBar().currentMessage().startswith("Drag: move hall-closet door along x, east")
    redraw(qtbot, view)
    assert has_colour(picture(view), HOT)
    move_to(view, place_on(view, 0, 0.7) + QPoint(0, 90))
    assert view.viewing.manipulation.hot is None


def test_g_and_r_choose_between_moving_and_turning(qtbot: QtBot, view: MainWindow) -> None:
    tools = viewport_of(view).tools
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_R)
    assert mode_of(view) is Mode.TURN
    assert tools.turn_action.isChecked()
    redraw(qtbot, view)
    assert not has_colour(picture(view), COLOURS[0])
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_G)
    assert mode_of(view) is Mode.MOVE
    button = tools.shelf.findChild(QToolButton, "view-turn-button")
    qtbot.mouseClick(button, LEFT)
    assert mode_of(view) is Mode.TURN


def test_a_double_click_frames_its_selection_even_with_a_handle_under_it(qtbot: QtBot, view: MainWindow) -> None:
    at = place_on(view, 2, 0.7)  # before the door
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Escape)
    redraw(qtbot, view)
    eye = viewer_of(view).rig.eye
    qtbot.mouseClick(viewport_of(view), LEFT, pos=at)
    redraw(qtbot, view)
    assert gizmo_of(view).handle_at(*viewport_of(view).pixel_of(QPointF(at))) is not None
    qtbot.mouseDClick(viewport_of(view), LEFT, pos=at)
    assert not view.viewing.manipulation.is_dragging
    rest(qtbot, view)
    assert viewer_of(view).rig.eye != eye
    assert document_of(view).stack.count() == 0


# --- dragging


def test_dragging_an_arrow_moves_the_door_and_is_one_step(qtbot: QtBot, view: MainWindow) -> None:
    before, where = picture(view), place_of(view)
    pull(qtbot, view, *along(view, 0, 1.0))
    x, y, z = place_of(view)
    assert x - where[0] == pytest.approx(1.0, abs=0.05)
    assert (y, z) == where[1:]
    assert document_of(view).stack.count() == 1
    assert document_of(view).stack.undo_text() == "Move hall-closet door"
    assert view.statusBar().currentMessage().startswith("Moved hall-closet door  x +")
    redraw(qtbot, view)
    assert difference(before, picture(view)) > 200
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Z, CTRL)
    assert place_of(view) == where


def test_control_snaps_to_quarter_metres(qtbot: QtBot, view: MainWindow) -> None:
    where = place_of(view)
    pull(qtbot, view, *along(view, 0, 0.8), CTRL)
    assert place_of(view)[0] - where[0] == pytest.approx(0.75, abs=1e-5)


def test_shift_makes_a_drag_fine(qtbot: QtBot, view: MainWindow) -> None:
    where = place_of(view)
    pull(qtbot, view, *along(view, 0, 1.0), SHIFT)
    assert place_of(view)[0] - where[0] == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize("how", ["escape", "right click", "focus"])
def test_a_drag_can_be_cancelled(qtbot: QtBot, view: MainWindow, how: str) -> None:
    viewport = viewport_of(view)
    redraw(qtbot, view)
    before, state = picture(view), document_of(view).sim.state_hash()
    start, end = along(view, 0, 1.0)
    pull(qtbot, view, start, end, let_go=False)
    assert document_of(view).sim.state_hash() != state
    if how == "escape":
        qtbot.keyClick(viewport, Qt.Key.Key_Escape)
    elif how == "right click":
        qtbot.mousePress(viewport, RIGHT, NO_KEY, end)
        qtbot.mouseRelease(viewport, RIGHT, NO_KEY, end)
        assert QApplication.activePopupWidget() is None
    else:
        view.docks.panel(WorldPanel).search.setFocus()
    qtbot.mouseRelease(viewport, LEFT, NO_KEY, end)
    assert document_of(view).sim.state_hash() == state
    assert document_of(view).stack.count() == 0
    assert view.session.selection is not None
    QApplication.sendEvent(viewport, QEvent(QEvent.Type.Leave))
    redraw(qtbot, view)
    assert difference(before, picture(view)) == 0


def test_other_keys_do_nothing_during_a_drag(qtbot: QtBot, view: MainWindow) -> None:
    start, end = along(view, 0, 1.0)
    pull(qtbot, view, start, end, let_go=False)
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Delete)
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Z, CTRL)
    assert view.viewing.manipulation.is_dragging
    assert len(document_of(view).sim.population.doors) == 1
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Escape)
    qtbot.mouseRelease(viewport_of(view), LEFT, NO_KEY, end)


def test_the_ring_turns_the_door(qtbot: QtBot, view: MainWindow) -> None:
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_R)
    redraw(qtbot, view)
    gizmo = gizmo_of(view)
    points, depth = gizmo.ring(2)
    near = int(depth.argmin())
    start, end = (QPoint(*(round(float(part) / gizmo.ratio) for part in points[at])) for at in (near, near + 8))
    before = door_of(view).place_frame().heading()
    pull(qtbot, view, start, end, CTRL)
    assert (before - door_of(view).place_frame().heading()) % 360.0 == pytest.approx(45.0, abs=0.01)
    assert document_of(view).stack.undo_text() == "Turn hall-closet door"


@pytest.mark.skipif("QT_SCALE_FACTOR" in os.environ, reason="that is this test")
def test_the_tools_work_on_a_high_dpi_screen() -> None:
    here = "hovering_a_handle or dragging_an_arrow or taken_back or empty_doorway or right_click_on_a_door"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xvfb", "-k", here, __file__]
    environment = {**os.environ, "QT_SCALE_FACTOR": "2"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=HUNG)
    assert done.returncode == 0, done.stdout


# --- keys


def test_arrow_keys_nudge_relative_to_the_view_in_one_step(qtbot: QtBot, view: MainWindow) -> None:
    x, y, z = place_of(view)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
        qtbot.keyClick(viewport_of(view), key)
    assert place_of(view) == pytest.approx((x + 0.2, y + 0.1, z + 0.1), abs=1e-4)
    assert document_of(view).stack.count() == 1


def test_end_drops_control_d_duplicates_and_delete_deletes(qtbot: QtBot, view: MainWindow) -> None:
    viewport = viewport_of(view)
    for _ in range(3):
        qtbot.keyClick(viewport, Qt.Key.Key_PageUp, CTRL)
    qtbot.keyClick(viewport, Qt.Key.Key_End)
    assert place_of(view)[2] == pytest.approx(0.0, abs=1e-3)
    qtbot.keyClick(viewport, Qt.Key.Key_D, CTRL)
    assert len(document_of(view).sim.population.doors) == 2
    selection = view.session.selection
    assert selection is not None
    assert selection.key == max(door.id for door in document_of(view).sim.population.doors)
    qtbot.keyClick(viewport, Qt.Key.Key_Delete)
    assert len(document_of(view).sim.population.doors) == 1
    assert not viewport.tools.delete_action.isEnabled()
    assert viewport.tools.delete_action.toolTip() == "Select an entity or an object first."


# --- adding by pointing


def begin(window: MainWindow, kind: str = "door") -> None:
    sim = document_of(window).sim
    pattern = next(pattern for pattern in catalogue(sim) if pattern.spec.kind == kind)
    action = next(
        action for action in viewport_of(window).tools.add_menu.actions() if pattern.spec.name in action.text()
    )
    action.trigger()


def hover(qtbot: QtBot, window: MainWindow, at: QPoint) -> None:
    move_to(window, at)
    qtbot.waitUntil(lambda: window.viewing.placing.spot is not None)
    redraw(qtbot, window)


def test_a_click_adds_an_object_on_the_floor_and_selects_it(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, CELLS["hall"], (0.6, 2.0, 1.7), EAST, -30.0)
    empty = picture(view)
    begin(view)
    floor = point_of(view, CELLS["hall"], (2.5, 1.5, 0.0))
    hover(qtbot, view, floor)
    assert difference(empty, picture(view)) > 20
    assert view.viewing.placing.words.startswith("Click to put hall-closet door into 0x")
    qtbot.mouseClick(viewport_of(view), LEFT, pos=floor)
    assert not view.viewing.placing.is_on
    new = document_of(view).sim.population.doors[-1]
    assert new.place_frame().origin == pytest.approx((2.5, 1.5, 0.0), abs=0.03)
    assert new.place_cell() == CELLS["hall"]
    assert new.place_frame().heading() == pytest.approx(270.0)  # it faces the eye
    selection = view.session.selection
    assert selection is not None
    assert selection.key == new.id
    assert document_of(view).stack.undo_text() == "Add hall-closet door"


def test_r_and_alt_wheel_turn_the_added_object_by_fifteen_degrees(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, CELLS["hall"], (0.6, 2.0, 1.7), EAST, -30.0)
    begin(view)
    hover(qtbot, view, point_of(view, CELLS["hall"], (2.5, 1.5, 0.0)))
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_R)
    wheel(view, 1, Qt.KeyboardModifier.AltModifier)
    spot = view.viewing.placing.spot
    assert spot is not None
    assert spot.frame.heading() == pytest.approx(300.0)
    assert mode_of(view) is Mode.MOVE


def test_a_door_snaps_into_the_empty_doorway_under_the_mouse(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, CELLS["hall"], (3.8, 2.0, 1.6), EAST)
    begin(view)
    hover(qtbot, view, point_of(view, CELLS["hall"], (6.1, 2.1, 1.2)))
    spot = view.viewing.placing.spot
    assert spot is not None
    assert spot.doorway is not None
    assert spot.cell_id == CELLS["hall-study"]
    assert spot.frame.origin == pytest.approx((6.1, 2.0, 0.0), abs=1e-3)
    assert spot.frame.heading() == pytest.approx(EAST)
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_R)
    turned = view.viewing.placing.spot
    assert turned is not None
    assert turned.frame.heading() == pytest.approx(270.0)


def test_a_doorway_with_a_door_refuses_a_second_one(qtbot: QtBot, view: MainWindow) -> None:
    door_of(view).open(0, 0, [])
    document_of(view).tick_many(60)
    stand(qtbot, view, CELLS["hall"], (3.0, 1.5, 1.6), NORTH)
    begin(view)
    hover(qtbot, view, point_of(view, CELLS["hall"], (3.1, 4.1, 1.3)))
    spot = view.viewing.placing.spot
    assert spot is not None
    assert spot.doorway is None


def test_escape_leaves_the_tool_and_keeps_the_selection(qtbot: QtBot, view: MainWindow) -> None:
    chosen = view.session.selection
    begin(view)
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Escape)
    assert not view.viewing.placing.is_on
    assert view.session.selection == chosen
    assert document_of(view).stack.count() == 0


def test_escape_leaves_the_tool_while_a_dock_has_the_focus(qtbot: QtBot, view: MainWindow) -> None:
    tools, chosen = viewport_of(view).tools, view.session.selection
    assert tools.leave_action.toolTip() == "Nothing is being added."
    begin(view)
    raise_dock(qtbot, view.docks.dock(DoorsPanel))
    view.docks.panel(DoorsPanel).view.setFocus()
    qtbot.keyClick(view.docks.panel(DoorsPanel).view, Qt.Key.Key_Escape)
    assert not view.viewing.placing.is_on
    assert view.session.selection == chosen
    assert not tools.leave_action.isEnabled()


def test_shift_click_adds_several_objects(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, CELLS["hall"], (0.6, 2.0, 1.7), EAST, -30.0)
    begin(view)
    for y in (1.0, 3.0):
        qtbot.mouseClick(viewport_of(view), LEFT, SHIFT, point_of(view, CELLS["hall"], (2.5, y, 0.0)))
    assert len(document_of(view).sim.population.doors) == 3
    assert view.viewing.placing.is_on


# --- the menu


def menu_at(qtbot: QtBot, window: MainWindow, at: QPoint) -> QMenu:
    qtbot.mouseClick(viewport_of(window), RIGHT, pos=at)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(menu: QMenu, text: str) -> None:
    action = next(action for action in menu.actions() if action.text().startswith(text))
    assert action.isEnabled(), action.toolTip()
    action.trigger()
    menu.close()


def test_a_right_click_on_a_door_opens_locks_and_deletes_it(qtbot: QtBot, view: MainWindow) -> None:
    view.session.select(None)
    x, y, _ = place_of(view)
    at = point_of(view, CELLS["hall"], (x + 0.1, y, 1.4))
    choose(menu_at(qtbot, view, at), "Lock hall-closet door")
    assert door_of(view).locked
    choose(menu_at(qtbot, view, at), "Unlock hall-closet door")
    choose(menu_at(qtbot, view, at), "Duplicate hall-closet door")
    assert len(document_of(view).sim.population.doors) == 2
    choose(menu_at(qtbot, view, at), "Delete hall-closet door")
    assert len(document_of(view).sim.population.doors) == 1


def test_the_floor_menu_stands_the_player_there_and_copies_the_place(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, CELLS["hall"], (0.6, 2.0, 1.7), EAST, -30.0)
    at = point_of(view, CELLS["hall"], (3.0, 1.2, 0.0))
    choose(menu_at(qtbot, view, at), "Stand Here")
    player = document_of(view).sim.player
    assert player.place_cell() == CELLS["hall"]
    assert player.place_frame().origin == pytest.approx((3.0, 1.2, 0.0), abs=0.03)
    stand(qtbot, view, CELLS["hall"], (0.6, 2.0, 1.7), EAST, -30.0)
    menu = menu_at(qtbot, view, point_of(view, CELLS["hall"], (2.0, 3.2, 0.0)))
    choose(menu, "Copy Place")
    copied = read_place(QGuiApplication.clipboard().text())
    assert copied.cell_id == CELLS["hall"]
    assert (copied.x, copied.y) == pytest.approx((2.0, 3.2), abs=0.03)
    assert copied.heading == pytest.approx(EAST, abs=0.01)
    copies = next(action.menu() for action in menu.actions() if action.text() == "Copy")
    assert isinstance(copies, QMenu)
    next(action for action in copies.actions() if action.text() == "Position").trigger()
    menu.close()
    cell, *place = QGuiApplication.clipboard().text().split("\t")
    assert cell == f"0x{CELLS['hall']:08X}"
    assert [float(part) for part in place] == pytest.approx([2.0, 3.2, 0.0], abs=0.03)


def test_nobody_stands_on_a_wall_and_its_menu_says_why(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, CELLS["hall"], (0.6, 2.0, 1.7), EAST)
    menu = menu_at(qtbot, view, point_of(view, CELLS["hall"], (6.0, 0.6, 1.6)))
    entry = next(action for action in menu.actions() if action.text() == "Stand Here")
    assert not entry.isEnabled()
    assert entry.toolTip().startswith("This is a wall")
    choose(menu, "Stand in This Cell")
    assert document_of(view).sim.player.place_cell() == CELLS["hall"]


@pytest.mark.parametrize(("title", "is_behind"), [("Stand at This Door", False), ("Stand Behind This Door", True)])
def test_the_player_stands_at_the_door_under_the_mouse(
    qtbot: QtBot, view: MainWindow, title: str, is_behind: bool
) -> None:
    x, y, _ = place_of(view)
    choose(menu_at(qtbot, view, point_of(view, CELLS["hall"], (x + 0.1, y, 1.4))), title)
    place = document_of(view).sim.player.steered.place
    assert door_of(view).is_behind(place.cell_id, place.origin) == is_behind
    document_of(view).undo()


def test_the_menu_moves_the_eye_into_a_room_or_to_a_point(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, CELLS["hall"], (3.8, 2.0, 1.6), EAST)
    at = point_of(view, CELLS["hall"], (10.2, 2.1, 1.2))  # the far wall of the study, through the doorway
    choose(menu_at(qtbot, view, at), f"Go into Cell 0x{CELLS['study']:08X}")
    redraw(qtbot, view)
    assert viewer_of(view).rig.cell_id == CELLS["study"]
    assert viewer_of(view).rig.eye == pytest.approx((8.2, 2.0, 1.4), abs=0.01)
    at = point_of(view, CELLS["study"], (10.2, 2.5, 1.2))
    choose(menu_at(qtbot, view, at), "Look from Here")
    redraw(qtbot, view)
    assert viewer_of(view).rig.eye == pytest.approx((9.6, 2.5, 1.2), abs=0.05)
