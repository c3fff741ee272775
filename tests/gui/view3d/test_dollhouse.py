"""The dollhouse by keys and mouse: on and off, picked, cut by the handle, by storey, one cell alone, live."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QComboBox, QSlider, QStyle, QStyleOptionComboBox, QToolButton
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection
from editor.view3d.dollhouse import DollhouseModel, Part
from engine.geometry.vec import Vec3
from engine.render.dollhouse.look import Drawing
from engine.render.viewer.viewer import View
from engine.sim.edits.doors import OpenDoor
from engine.visibility.camera import Camera
from tests.gui.view3d.view_hands import (
    LEFT,
    difference,
    move_to,
    picture,
    pull,
    redraw,
    rest,
    stand,
    view_of,
    viewer_of,
    viewport_of,
)
from ui.view3d.context_menu import view_menu
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BLOCK = 0x0007FFFF
HALL, STUDY, LOFT = 0x00070100, 0x00070101, 0x00070102
LOW: Vec3 = (0.0, 0.0, 0.0)
HIGH: Vec3 = (10.2, 4.0, 5.5)
"""Around all rooms of the house."""


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    with view_of(qtbot, settings, house) as shown:
        stand(qtbot, shown, HALL, (3.0, 2.0, 1.5), 0.0)
        yield shown


def model_of(window: MainWindow) -> DollhouseModel:
    return window.viewing.dollhouse


def switch(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(viewport_of(window), Qt.Key.Key_F4)
    rest(qtbot, window)


def camera_of(window: MainWindow) -> Camera:
    assert window.viewing.last is not None
    return window.viewing.last.camera


def pixel_of(window: MainWindow, place: Vec3) -> QPoint:
    """Where a point of the world is in the dollhouse."""
    camera = camera_of(window)
    ex, ey, ez = camera.eye_in(BLOCK)
    seen = camera.project_offset(place[0] - ex, place[1] - ey, place[2] - ez)
    assert seen.w > 0.0
    ratio = viewport_of(window).devicePixelRatioF()
    return QPoint(round(seen.x / seen.w / ratio), round(seen.y / seen.w / ratio))


def handle_of(window: MainWindow) -> QPoint:
    at = window.viewing.cut_handle.place()
    assert at is not None
    ratio = viewport_of(window).devicePixelRatioF()
    return QPoint(round(at[0] / ratio), round(at[1] / ratio))


def is_outside(eye: Vec3) -> bool:
    return any(not LOW[axis] <= eye[axis] <= HIGH[axis] for axis in range(3))


def test_f4_flies_out_and_back_to_where_the_camera_was(qtbot: QtBot, view: MainWindow) -> None:
    inside, rig = picture(view), viewer_of(view).rig
    before = (rig.cell_id, rig.eye, rig.heading)
    switch(qtbot, view)
    assert model_of(view).is_on
    assert is_outside(camera_of(view).eye_in(BLOCK))
    assert difference(inside, picture(view)) > 500
    switch(qtbot, view)
    rig = viewer_of(view).rig
    assert (rig.cell_id, rig.eye, rig.heading) == before
    assert difference(inside, picture(view)) == 0


def test_all_of_the_house_is_in_the_picture_and_fills_it(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    view_box = viewport_of(view).rect()
    places = [(x, y, z) for x in (0.0, 6.0) for y in (0.0, 4.0) for z in (0.0, 5.5)]
    places += [(x, y, z) for x in (6.2, 10.2) for y in (0.0, 4.0) for z in (0.0, 2.8)]
    pixels = [pixel_of(view, place) for place in places]
    assert all(view_box.contains(pixel) for pixel in pixels)
    width = max(pixel.x() for pixel in pixels) - min(pixel.x() for pixel in pixels)
    height = max(pixel.y() for pixel in pixels) - min(pixel.y() for pixel in pixels)
    assert width > 0.6 * view_box.width() or height > 0.5 * view_box.height()


def test_frame_everything_stands_outside_of_rooms_without_a_building(qtbot: QtBot, view: MainWindow) -> None:
    assert not is_outside(viewer_of(view).rig.eye)
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Home)
    rest(qtbot, view)
    assert is_outside(camera_of(view).eye_in(BLOCK))
    last = view.viewing.last
    assert last is not None
    assert last.dollhouse is not None
    drawn = {HALL, STUDY, LOFT}
    assert drawn <= set(last.dollhouse.rooms)
    hits = [view.viewing.pick(float(x), float(y)) for x in range(4, 600, 20) for y in range(4, 400, 20)]
    assert len({hit.cell_id for hit in hits if hit is not None}) > 1


def test_a_click_selects_the_cell_that_is_seen_there(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    qtbot.mouseClick(viewport_of(view), LEFT, pos=pixel_of(view, (8.5, 2.5, 0.0)))
    assert view.session.selection == Selection(Kind.CELL, BLOCK, STUDY)
    qtbot.mouseClick(viewport_of(view), LEFT, pos=pixel_of(view, (1.5, 2.5, 3.0)))
    assert view.session.selection == Selection(Kind.CELL, BLOCK, LOFT)
    model_of(view).show_storey(0)
    redraw(qtbot, view)
    qtbot.mouseClick(viewport_of(view), LEFT, pos=pixel_of(view, (1.5, 2.5, 0.0)))
    assert view.session.selection == Selection(Kind.CELL, BLOCK, HALL), "the loft is not there to be clicked"


def test_the_plane_is_dragged_by_its_handle_and_escape_puts_it_back(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    whole, start, selected = picture(view), handle_of(view), view.session.selection
    pull(qtbot, view, start, start + QPoint(0, 60))
    redraw(qtbot, view)
    cut = model_of(view).cut
    assert cut is not None
    assert 0.0 < cut < HIGH[2]
    assert difference(whole, picture(view)) > 50
    pull(qtbot, view, handle_of(view), handle_of(view) + QPoint(0, 30), let_go=False)
    assert model_of(view).cut != cut
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Escape)
    assert model_of(view).cut == cut
    qtbot.mouseRelease(viewport_of(view), LEFT, Qt.KeyboardModifier.NoModifier, handle_of(view))
    assert view.session.selection == selected, "a grab selects nothing"


def test_keys_and_slider_move_the_plane(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    model = model_of(view)
    qtbot.keyClick(viewport_of(view), "[")
    assert model.cut == pytest.approx(HIGH[2] - 0.25, abs=0.01)
    qtbot.keyClick(viewport_of(view), "]")
    assert model.cut == pytest.approx(HIGH[2], abs=0.01)
    qtbot.keyClick(viewport_of(view), "]")
    assert model.cut is None
    slider = viewport_of(view).findChild(QSlider, "dollhouse-cut")
    assert slider is not None
    slider.setFocus()
    for _ in range(3):
        qtbot.keyClick(slider, Qt.Key.Key_PageDown)
    assert model.cut == pytest.approx(HIGH[2] - 2.9, abs=0.11)


def test_storeys_are_chosen_in_the_strip_and_by_keys(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    box = viewport_of(view).findChild(QComboBox, "dollhouse-storey")
    assert box is not None
    assert [box.itemText(number) for number in range(box.count())] == ["All Storeys", "Storey 1 of 2", "Storey 2 of 2"]
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert model_of(view).storey == 0
    redraw(qtbot, view)
    assert view.viewing.last is not None
    assert view.viewing.last.dollhouse is not None
    assert LOFT not in view.viewing.last.dollhouse.rooms
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_BracketRight, Qt.KeyboardModifier.ControlModifier)
    assert model_of(view).storey == 1
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_BracketRight, Qt.KeyboardModifier.ControlModifier)
    assert model_of(view).storey is None


def test_the_context_menu_isolates_a_cell_and_shows_all_again(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    menu = view_menu(viewport_of(view), pixel_of(view, (8.5, 2.5, 0.0)))
    next(action for action in menu.actions() if action.text() == "Isolate This Cell").trigger()
    redraw(qtbot, view)
    assert model_of(view).part == Part(cell_id=STUDY)
    assert view.viewing.last is not None
    assert view.viewing.last.dollhouse is not None
    assert view.viewing.last.dollhouse.rooms == (STUDY,)
    menu = view_menu(viewport_of(view), QPoint(5, viewport_of(view).height() // 2))
    next(action for action in menu.actions() if action.text() == "Show Whole Landblock").trigger()
    redraw(qtbot, view)
    assert set(view.viewing.last.dollhouse.rooms) > {HALL, STUDY}


def test_a_door_that_opens_is_seen_at_once(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    model_of(view).show_storey(0)
    rest(qtbot, view)
    shut = picture(view)
    assert view.document.simulation is not None
    door = view.document.simulation.population.doors[0]
    assert view.document.edit("Open the Door", OpenDoor(door.id))
    for _ in range(60):
        qtbot.keyClick(view, ".")
    redraw(qtbot, view)
    assert difference(shut, picture(view)) > 3


@pytest.mark.parametrize("drawing", list(Drawing))
def test_each_drawing_is_chosen_by_a_click_and_kept(
    qtbot: QtBot, view: MainWindow, settings: QSettings, drawing: Drawing
) -> None:
    switch(qtbot, view)
    before = picture(view)
    strip = viewport_of(view).strip
    assert strip is not None
    button = strip.findChild(QToolButton, f"dollhouse-{drawing.value}-button")
    assert button is not None
    qtbot.mouseClick(button, LEFT)
    redraw(qtbot, view)
    assert model_of(view).drawing is drawing
    assert settings.value("dollhouse/drawing") == drawing.value
    assert (difference(before, picture(view)) > 100) == (drawing is not Drawing.SOLID)


def test_what_is_seen_now_is_the_players(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    plain = picture(view)
    view.centre.dollhouse.seen_action.trigger()
    redraw(qtbot, view)
    last = view.viewing.last
    assert last is not None
    assert last.dollhouse is not None
    assert last.dollhouse.seen is not None
    assert last.frame.root_id == viewer_of(view).player().cell_id
    assert difference(plain, picture(view)) > 100


def test_the_player_walks_through_the_dollhouse(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Tab)
    redraw(qtbot, view)
    assert model_of(view).is_on
    assert viewer_of(view).view is View.CHASE


def test_pointing_at_the_handle_previews_nothing_behind_it(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    move_to(view, handle_of(view))
    assert view.session.hover is None
    assert viewport_of(view).cursor().shape() == Qt.CursorShape.SizeVerCursor


def test_a_project_that_is_saved_meanwhile_keeps_the_eye_inside(qtbot: QtBot, view: MainWindow) -> None:
    before = view.viewing.eye()
    assert before is not None
    switch(qtbot, view)
    assert view.viewing.eye() == before
    switch(qtbot, view)
    assert view.viewing.eye() == before


def test_another_world_opens_without_its_dollhouse(qtbot: QtBot, view: MainWindow, house: Path) -> None:
    switch(qtbot, view)
    model_of(view).show_storey(1)
    with qtbot.waitSignal(view.session.faults_changed, timeout=20_000):
        view.open(str(house))
    redraw(qtbot, view)
    model = model_of(view)
    assert (model.is_on, model.storey, model.cut) == (False, None, None)
    strip = viewport_of(view).strip
    assert strip is not None
    assert not strip.isVisible()


def test_the_id_of_an_isolated_cell_is_read_in_full(qtbot: QtBot, view: MainWindow) -> None:
    switch(qtbot, view)
    model_of(view).isolate_cell(STUDY)
    redraw(qtbot, view)
    box = viewport_of(view).findChild(QComboBox, "dollhouse-part")
    assert box is not None
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    field = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box)
    assert field.width() >= box.fontMetrics().horizontalAdvance("Cell 0xC95B0104") + 4
