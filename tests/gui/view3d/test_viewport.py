"""The 3D view from the user's side: clicks, drags and keys on the real widget, and the resulting pixels."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSettings, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection
from editor.view3d.hud import FLAPPING, Tone, hud_rows
from engine.build import WorldBuilder, rect
from engine.geometry.frame import heading_of
from engine.geometry.vec import Vec3, distance, sub
from engine.render.errors import RenderError
from engine.render.gl.renderer import GlRenderer
from engine.render.overlays.catalogue import Overlay
from engine.render.picking.hits import HitKind
from engine.render.viewer.viewer import View
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.tick.controls import Controls
from engine.visibility.root import PINNED
from tests.gui.view3d.view_hands import (
    LEFT,
    MIDDLE,
    RIGHT,
    difference,
    drag,
    middle,
    picture,
    redraw,
    rest,
    stand,
    view_of,
    viewer_of,
    viewport_of,
    wheel,
)
from tests.loaded import HUNG
from tests.world.loader.scenes import two_rooms
from ui.docks.world import WorldPanel
from ui.view3d.viewport import VOID
from ui.window.central_area import MAP, PICTURE
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

ROOT = Path(__file__).resolve().parents[3]
BLOCK = 0x0007FFFF
HALL, STUDY, LOFT = 0x00070100, 0x00070101, 0x00070102
IN_HALL: Vec3 = (3.0, 2.0, 1.5)
IN_STUDY: Vec3 = (8.2, 2.0, 1.5)
WEST, EAST = 270.0, 90.0


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    """The window with the house open in the 3D view, the eye in the middle of the hall, looking west."""
    with view_of(qtbot, settings, house) as shown:
        stand(qtbot, shown, HALL, IN_HALL, WEST)
        yield shown


def door_of(window: MainWindow) -> int:
    assert window.session.simulation is not None
    return window.session.simulation.population.doors[0].id


def hud_of(window: MainWindow) -> dict[str, str]:
    """The numbers over the picture, by name."""
    assert window.viewing.last is not None
    rows = hud_rows(viewer_of(window), window.viewing.last.frame, 3.2)
    return {entry.name: entry.value for row in rows for entry in row}


def eye(window: MainWindow) -> Vec3:
    return viewer_of(window).rig.eye


def follows_player(window: MainWindow) -> bool:
    return window.viewing.camera.follows_player


def is_running(window: MainWindow) -> bool:
    return window.clock.is_running


# --- the picture


def test_a_world_opens_in_the_player_s_view(qtbot: QtBot, view: MainWindow) -> None:
    image = picture(view)
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 9) for y in range(0, image.height(), 9)}
    assert len(colours) >= 3  # the wall, the floor and the ceiling
    assert QColor.fromRgbF(*VOID).name() not in colours
    assert view.centre.page == PICTURE


def test_nothing_is_redrawn_while_nothing_changes(qtbot: QtBot, view: MainWindow) -> None:
    """Allow one redraw, for a busy machine may expose the window late; a view that never rests redraws every time."""
    rest(qtbot, view)
    drawn = [viewport_of(view).drawn]
    for _ in range(3):
        qtbot.wait(300)
        drawn.append(viewport_of(view).drawn)
    assert any(before == after for before, after in pairwise(drawn))
    assert not viewport_of(view).is_moving


def test_a_tick_that_opens_a_door_reaches_the_picture(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, HALL, IN_HALL, EAST)
    closed = picture(view)
    view.document.sim.apply_edit(OpenDoor(door_of(view)))
    view.document.tick_many(60)
    redraw(qtbot, view)
    assert difference(closed, picture(view)) > 200


def test_exact_and_retail_pictures_are_chosen_in_the_bar(qtbot: QtBot, view: MainWindow) -> None:
    box = view.centre.view_bar.picture
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    box.activated.emit(box.currentIndex())
    assert not view.viewing.exact
    redraw(qtbot, view)
    assert view.viewing.last is not None
    assert not view.viewing.last.frame.exact


def test_the_numbers_over_the_picture_name_cells_and_figures(qtbot: QtBot, view: MainWindow) -> None:
    assert view.viewing.last is not None
    entries = hud_of(view)
    assert entries["viewer"] == f"0x{HALL:08X}"
    assert entries["root"] == f"0x{HALL:08X} (viewer)"
    assert entries["visible"] == "1 of 5"
    assert entries["frame"] == "3.2 ms"
    assert entries["root changes"] == "0/s"


def slow_down(view: MainWindow, patched: pytest.MonkeyPatch) -> None:
    """Give the camera a millisecond per step, so that a slow frame does not count as a second."""
    step = view.viewing.camera.step
    patched.setattr(view.viewing.camera, "step", lambda dt, hands: step(0.001, hands))


def test_a_root_change_is_counted_over_the_picture_for_a_second(
    qtbot: QtBot, view: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count also expires while the camera stands still, and nothing is redrawn after that."""
    with monkeypatch.context() as patched:
        slow_down(view, patched)
        stand(qtbot, view, STUDY, IN_STUDY, WEST)
        assert hud_of(view)["root changes"] == "1/s"
    before = viewport_of(view).drawn
    qtbot.waitUntil(lambda: hud_of(view)["root changes"] == "0/s", timeout=20_000)
    qtbot.waitUntil(lambda: viewport_of(view).drawn > before)
    rest(qtbot, view)


def test_a_root_that_keeps_changing_is_a_warning(
    qtbot: QtBot, view: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_down(view, monkeypatch)
    for number in range(FLAPPING):
        cell_id, eye = ((HALL, IN_HALL), (STUDY, IN_STUDY))[(number + 1) % 2]
        stand(qtbot, view, cell_id, eye, WEST)
    assert view.viewing.last is not None
    figures = hud_rows(viewer_of(view), view.viewing.last.frame, 3.2)[1]
    assert [(entry.value, entry.tone) for entry in figures if entry.name == "■ root changes"] == [("4/s", Tone.WARNING)]


# --- picking


def test_a_click_on_a_wall_selects_its_cell_everywhere(qtbot: QtBot, view: MainWindow) -> None:
    qtbot.mouseClick(viewport_of(view), LEFT, pos=middle(view))
    assert view.session.selection == Selection(Kind.CELL, BLOCK, HALL)
    assert view.docks.panel(WorldPanel).tree.currentIndex().data() == f"0x{HALL:08X}"


def test_a_click_on_a_door_selects_the_door_and_with_control_its_portal(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, HALL, IN_HALL, EAST)
    qtbot.mouseClick(viewport_of(view), LEFT, pos=middle(view))
    assert view.session.selection == Selection(Kind.ENTITY, BLOCK, door_of(view))
    qtbot.mouseClick(viewport_of(view), LEFT, Qt.KeyboardModifier.ControlModifier, middle(view))
    picked = view.viewing.picked
    assert picked is not None
    assert (picked.kind, picked.cell_id) == (HitKind.PORTAL, HALL)
    assert view.session.selection == Selection(Kind.CELL, BLOCK, HALL)


def test_a_shift_click_selects_the_cell_of_whatever_it_hits(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, HALL, IN_HALL, EAST)
    qtbot.mouseClick(viewport_of(view), LEFT, Qt.KeyboardModifier.ShiftModifier, middle(view))
    assert view.session.selection is not None
    assert view.session.selection.kind is Kind.CELL


def test_hovering_marks_and_names_what_a_click_would_select(qtbot: QtBot, view: MainWindow) -> None:
    QApplication.sendEvent(viewport_of(view), QEvent(QEvent.Type.Leave))  # the mouse of the test before, in memory
    assert view.session.hover is None
    unmarked = picture(view)

    def hovers() -> bool:
        qtbot.mouseMove(viewport_of(view), middle(view) + QPoint(3, 0))
        qtbot.mouseMove(viewport_of(view), middle(view))
        return view.session.hover == Selection(Kind.CELL, BLOCK, HALL)

    qtbot.waitUntil(hovers)
    assert "polygon" in view.statusBar().currentMessage()
    assert view.statusBar().currentMessage().endswith("click selects, right click offers more")
    redraw(qtbot, view)
    assert difference(unmarked, picture(view)) > 20
    qtbot.mouseMove(view.docks.panel(WorldPanel).tree)
    QApplication.sendEvent(viewport_of(view), QEvent(QEvent.Type.Leave))
    assert view.session.hover is None


def test_a_selection_made_elsewhere_is_outlined_in_the_view(qtbot: QtBot, view: MainWindow) -> None:
    before = picture(view)
    view.navigation.go_to(f"0x{HALL:08X}")
    stand(qtbot, view, HALL, IN_HALL, WEST)
    assert difference(before, picture(view)) > 20


def test_escape_clears_the_selection(qtbot: QtBot, view: MainWindow) -> None:
    qtbot.mouseClick(viewport_of(view), LEFT, pos=middle(view))
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Escape)
    assert view.session.selection is None


def test_a_right_click_lists_the_objects_under_the_mouse(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, HALL, IN_HALL, EAST)
    qtbot.mouseClick(viewport_of(view), RIGHT, pos=middle(view))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    texts = [action.text() for action in menu.actions()]
    assert any(text.startswith("Pin the Root to 0x") for text in texts)
    assert any(text.startswith("Everything Here") for text in texts)
    pin = next(action for action in menu.actions() if action.text().startswith("Pin the Root"))
    pin.trigger()
    menu.close()
    assert viewer_of(view).root_mode == PINNED


# --- cameras


def test_w_flies_forward_while_it_is_held(qtbot: QtBot, view: MainWindow) -> None:
    viewport = viewport_of(view)
    qtbot.keyPress(viewport, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: eye(view)[0] < 2.5)
    qtbot.keyRelease(viewport, Qt.Key.Key_W)
    rest(qtbot, view)
    here = eye(view)
    assert here[1] == pytest.approx(2.0, abs=0.01)
    qtbot.wait(150)
    assert eye(view) == here


def test_e_moves_up_and_d_moves_right(qtbot: QtBot, view: MainWindow) -> None:
    viewport = viewport_of(view)
    qtbot.keyPress(viewport, Qt.Key.Key_E)
    qtbot.keyPress(viewport, Qt.Key.Key_D)
    qtbot.waitUntil(lambda: eye(view)[2] > 1.6)
    qtbot.keyRelease(viewport, Qt.Key.Key_E)
    qtbot.keyRelease(viewport, Qt.Key.Key_D)
    rest(qtbot, view)
    assert eye(view)[1] > 2.05  # looking west, north is to the right


def test_keys_are_released_when_the_focus_leaves(qtbot: QtBot, view: MainWindow) -> None:
    qtbot.keyPress(viewport_of(view), Qt.Key.Key_W)
    view.docks.panel(WorldPanel).search.setFocus()
    qtbot.waitUntil(lambda: not viewport_of(view).hasFocus())
    rest(qtbot, view)
    here = eye(view)
    qtbot.wait(150)
    assert eye(view) == here


def test_dragging_with_the_right_button_looks_around(qtbot: QtBot, view: MainWindow) -> None:
    drag(qtbot, view, RIGHT, QPoint(90, -30))
    rest(qtbot, view)
    rig = viewer_of(view).rig
    assert rig.heading == pytest.approx(WEST + 90 * 0.22, abs=0.5)
    assert rig.pitch == pytest.approx(30 * 0.22, abs=0.5)
    assert eye(view) == pytest.approx(IN_HALL, abs=1e-6)


def test_the_wheel_dollies_towards_the_point_under_the_mouse(qtbot: QtBot, view: MainWindow) -> None:
    wheel(view, 2)
    rest(qtbot, view)
    assert eye(view)[0] == pytest.approx(3.0 * 0.85**2, abs=0.05)
    wheel(view, -2)
    rest(qtbot, view)
    assert eye(view)[0] == pytest.approx(3.0, abs=0.05)


def test_alt_drag_orbits_the_point_under_the_mouse(qtbot: QtBot, view: MainWindow) -> None:
    pivot = (0.0, 2.0, 1.5)
    drag(qtbot, view, LEFT, QPoint(120, 0), Qt.KeyboardModifier.AltModifier)
    rest(qtbot, view)
    assert distance(eye(view), pivot) == pytest.approx(3.0, abs=0.05)
    assert distance(eye(view), IN_HALL) > 0.5


def test_dragging_with_the_middle_button_pans_the_picture(qtbot: QtBot, view: MainWindow) -> None:
    drag(qtbot, view, MIDDLE, QPoint(60, 0))
    rest(qtbot, view)
    x, y, z = eye(view)
    assert (x, z) == pytest.approx((3.0, 1.5), abs=0.02)
    assert y < 1.9  # looking west the hand went north, so the eye went south


def test_f_brings_the_selection_into_view_from_within_its_room(qtbot: QtBot, view: MainWindow) -> None:
    view.session.select(Selection(Kind.CELL, BLOCK, STUDY))
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_F)
    rest(qtbot, view)
    assert viewer_of(view).rig.cell_id == STUDY
    rig = viewer_of(view).rig
    seen = rig.camera(100.0, 100.0).project((8.2, 2.0, 1.4))
    assert (seen.x / seen.w, seen.y / seen.w) == pytest.approx((50.0, 50.0), abs=1.0)


def test_a_double_click_frames_what_was_clicked(qtbot: QtBot, view: MainWindow) -> None:
    stand(qtbot, view, HALL, IN_HALL, EAST)
    qtbot.mouseClick(viewport_of(view), LEFT, pos=middle(view))
    qtbot.mouseDClick(viewport_of(view), LEFT, pos=middle(view))
    rest(qtbot, view)
    assert viewer_of(view).view is View.ORBIT
    assert distance(eye(view), IN_HALL) > 0.05


def test_tab_toggles_the_player_s_view_in_which_w_walks(qtbot: QtBot, view: MainWindow) -> None:
    viewport, sim = viewport_of(view), view.document.sim
    before = sim.player.steered.place.origin
    qtbot.keyClick(viewport, Qt.Key.Key_Tab)
    assert follows_player(view)
    assert view.centre.view_bar.camera.currentText() == "Player"
    qtbot.keyPress(viewport, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: distance(sim.player.steered.place.origin, before) > 0.5)
    qtbot.keyRelease(viewport, Qt.Key.Key_W)
    assert view.clock.keys.forward == 0.0
    qtbot.keyClick(viewport, Qt.Key.Key_Tab)
    assert not follows_player(view)
    view.clock.pause()


def test_e_reports_that_no_door_is_in_front(qtbot: QtBot, view: MainWindow) -> None:
    sim = view.document.sim
    door = sim.population.doors[0]
    away = heading_of(sub(sim.player.steered.place.origin, door.place_frame().origin))
    sim.apply_edit(FacePlayer(away))
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Tab)
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_E)
    assert view.status.currentMessage() == "■ No door is in front of the player."
    assert not view.clock.is_running


def test_space_jumps_in_the_player_s_view_and_runs_time_in_the_free_one(qtbot: QtBot, view: MainWindow) -> None:
    viewport, clock = viewport_of(view), view.clock
    qtbot.keyClick(viewport, Qt.Key.Key_Space)
    assert is_running(view)
    qtbot.keyClick(viewport, Qt.Key.Key_Space)
    assert not is_running(view)
    qtbot.keyClick(viewport, Qt.Key.Key_Tab)
    jumps: list[bool] = []
    view.document.ticked.connect(lambda report: jumps.append(report.jumped))
    qtbot.keyPress(viewport, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(jumps) > 2)
    qtbot.keyRelease(viewport, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: any(jumps))
    clock.pause()


def test_e_uses_the_door_in_front_of_the_player(qtbot: QtBot, view: MainWindow) -> None:
    sim = view.document.sim
    sim.apply_edit(Teleport(HALL, 5.0, 2.0, 0.0, EAST))
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_Tab)
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_E)
    qtbot.waitUntil(lambda: sim.population.doors[0].is_open)
    view.clock.pause()


def test_the_player_s_own_view_does_not_show_him(qtbot: QtBot, view: MainWindow) -> None:
    view.viewing.camera.look_through(View.FIRST_PERSON)
    redraw(qtbot, view)
    scene = view.viewing.scene
    assert scene is not None
    parts = scene.parts_of(view.document.sim.player.id)
    assert parts
    assert all(part.alpha == 0.0 for part in parts)


# --- overlays


@pytest.mark.parametrize(
    "overlay", [Overlay.PORTALS, Overlay.VIEWS, Overlay.CELLS, Overlay.TREES, Overlay.SOLID, Overlay.STAB]
)
def test_an_overlay_changes_the_picture_and_can_be_switched_off(
    qtbot: QtBot, view: MainWindow, overlay: Overlay
) -> None:
    stand(qtbot, view, HALL, IN_HALL, EAST)
    plain = picture(view)
    action = view.centre.view_bar.overlay_actions[overlay]
    action.trigger()
    redraw(qtbot, view)
    assert difference(plain, picture(view)) > 30
    assert view.centre.view_bar.overlays.text() == "Overlays (1)"
    action.trigger()
    redraw(qtbot, view)
    assert difference(plain, picture(view)) == 0


def test_an_overlay_shows_the_sweep_of_the_last_tick(qtbot: QtBot, view: MainWindow) -> None:
    view.centre.view_bar.overlay_actions[Overlay.CONTACT].trigger()
    view.document.tick(Controls(forward=1.0))
    assert view.viewing.sweeps
    redraw(qtbot, view)
    assert view.viewing.last is not None
    assert any(label.text == "contact plane" for label in view.viewing.last.overlays.labels)


# --- the surrounding window


def test_the_view_survives_being_docked_elsewhere_and_back(qtbot: QtBot, view: MainWindow) -> None:
    before = picture(view)
    viewport = viewport_of(view)
    size = viewport.size()
    viewport.setParent(None)
    viewport.resize(size)
    with qtbot.waitExposed(viewport):
        viewport.show()
    redraw(qtbot, view)
    assert difference(before, picture(view)) == 0
    view.centre.stack.insertWidget(PICTURE, viewport)
    view.centre.show_page(PICTURE)
    qtbot.waitUntil(viewport.isVisible)
    redraw(qtbot, view)
    assert viewport.size() == size
    assert difference(before, picture(view)) == 0


@pytest.mark.display
def test_the_view_recovers_from_a_lost_context(qtbot: QtBot, view: MainWindow) -> None:
    before = picture(view)
    viewport = viewport_of(view)
    lost = viewport.context
    viewport._surface.destroy()
    redraw(qtbot, view)
    assert viewport.context is not lost
    assert viewport.error == ""
    assert difference(before, picture(view)) == 0


def test_another_source_replaces_the_first_in_the_picture(qtbot: QtBot, view: MainWindow, tmp_path: Path) -> None:
    other = WorldBuilder()
    cabin = other.room("cabin", rect(0, 0, 3, 3), height=2.5)
    other.window(cabin, at=(0, 1.5))
    other.build().write(tmp_path / "cabin")
    with qtbot.waitSignal(view.session.faults_changed, timeout=20_000):
        view.open(str(tmp_path / "cabin"))
    redraw(qtbot, view)
    assert view.viewing.last is not None
    assert view.viewing.last.frame.root_id == 0x00070100
    assert viewport_of(view).error == ""


def test_rooms_without_textures_have_colours_of_their_own(qtbot: QtBot, view: MainWindow, tmp_path: Path) -> None:
    scene = tmp_path / "rooms.json"
    scene.write_text(json.dumps(two_rooms()), encoding="utf-8")
    with qtbot.waitSignal(view.session.faults_changed, timeout=20_000):
        view.open(str(scene))
    stand(qtbot, view, 0x01010100, (51.0, 51.0, 21.5), EAST)
    image = picture(view)
    walls = {image.pixelColor(x, image.height() // 2).name() for x in range(0, image.width(), 9)}
    assert QColor.fromRgbF(*VOID).name() not in walls
    hit = view.viewing.pick(image.width() / 2.0, image.height() * 0.9)
    assert hit is not None
    assert hit.cell_id == 0x01010100


def test_choosing_another_landblock_flies_there(qtbot: QtBot, view: MainWindow) -> None:
    with qtbot.waitSignal(view.session.faults_changed, timeout=20_000):
        view.open("demo")
    qtbot.waitUntil(lambda: view.session.selection is not None and view.session.selection.kind is Kind.ENTITY)
    dungeon = 0x0007FFFF
    view.session.select(Selection(Kind.LANDBLOCK, dungeon, dungeon))
    qtbot.waitUntil(lambda: viewer_of(view).rig.cell_id >> 16 == 0x0007)


def test_an_opengl_error_is_shown_in_place_and_the_next_frame_may_work(
    qtbot: QtBot, view: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise RenderError("drawing rooms: out of memory")

    with monkeypatch.context() as patched:
        patched.setattr(GlRenderer, "draw", refuse)
        redraw(qtbot, view)
    assert viewport_of(view).error == "The picture cannot be drawn: drawing rooms: out of memory"
    qtbot.waitUntil(view.banner.isVisible)
    redraw(qtbot, view)
    assert viewport_of(view).error == ""


def test_f3_shows_the_map_and_f2_the_picture_and_the_choice_persists(
    qtbot: QtBot, view: MainWindow, settings: QSettings
) -> None:
    qtbot.keyClick(viewport_of(view), Qt.Key.Key_F3)
    assert view.centre.page == MAP
    assert view.map.isVisible()
    assert settings.value("centre") == "map"
    qtbot.keyClick(view.map, Qt.Key.Key_F2)
    assert view.centre.page == PICTURE
    assert viewport_of(view).isVisible()


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 800), (1024, 640)])
def test_a_smaller_window_keeps_the_whole_bar_in_reach(qtbot: QtBot, view: MainWindow, size: tuple[int, int]) -> None:
    view.resize(*size)
    bar = view.centre.view_bar
    qtbot.waitUntil(lambda: view.width() == size[0] and view.centre.rect().contains(on_centre(view, bar)))
    parts = (bar.picture, bar.root, bar.overlays, bar.time, bar.time_label)
    for part in parts:
        assert part.isVisible()
        assert part.width() >= part.sizeHint().width()
        assert view.centre.rect().contains(on_centre(view, part))
    lines = {on_centre(view, part).center().y() // 12 for part in (view.centre.blocks, *parts)}
    assert (len(lines) == 1) == (size == (1600, 1000))

    def choose() -> None:
        bar.overlay_actions[Overlay.CONTACT].trigger()
        bar.overlays.menu().close()

    QTimer.singleShot(0, choose)
    qtbot.mouseClick(bar.overlays, LEFT)
    assert Overlay.CONTACT in view.viewing.overlays
    redraw(qtbot, view)


def on_centre(window: MainWindow, part: QWidget) -> QRect:
    """The place of a part in the middle of the window."""
    return QRect(part.mapTo(window.centre, QPoint()), part.size())


WITHOUT_GL = """
import sys
from PySide6.QtCore import QSettings
from editor.session.session import Session
from ui.window.application import create_application
from ui.window.main_window import MainWindow
application = create_application(["test"])
window = MainWindow(Session(), QSettings(sys.argv[1], QSettings.Format.IniFormat))
window.show()
window.session.faults_changed.connect(application.quit)
window.open(sys.argv[2])
application.exec()
print(window.viewport, window.centre.page, len(window.map._cell_items))
print(window.centre.stack.widget(0).text())
"""


@pytest.mark.parametrize(
    ("platform", "sentence"),
    [
        pytest.param("xcb", "This display offers no OpenGL 3.3, so", marks=pytest.mark.display),
        ("offscreen", "There is no 3D view, because"),
    ],
)
def test_without_opengl_a_sentence_explains_and_the_map_works(
    platform: str, sentence: str, house: Path, tmp_path: Path
) -> None:
    old_driver = {"LIBGL_ALWAYS_SOFTWARE": "1", "MESA_GL_VERSION_OVERRIDE": "2.1"}
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_GL, str(tmp_path / "settings.ini"), str(house)],
        cwd=ROOT,
        env={**os.environ, **old_driver, "QT_QPA_PLATFORM": platform},
        capture_output=True,
        text=True,
        check=False,
        timeout=HUNG,
    )
    assert result.returncode == 0, result.stderr
    first, second = result.stdout.splitlines()[:2]
    assert first == f"None {MAP} 5"
    assert second.startswith(sentence)
