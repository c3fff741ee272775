"""Walking in the player's view with real keys and mouse: he goes where the camera looks, and the camera stays behind
him."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from engine.build import WorldBuilder, rect
from engine.geometry.vec import Vec3, distance, sub
from engine.render.viewer.following import BEHIND, DEFAULT_OFFSET
from engine.render.viewer.rig import heading_and_pitch
from engine.render.viewer.smooth import turn_between
from engine.render.viewer.viewer import View
from engine.sim.edits.player import Teleport
from engine.sim.recording import Recorder
from engine.sim.recording_file import parse_recording, recording_bytes
from engine.sim.tick.simulation import Simulation
from tests.gui.view3d.view_hands import LEFT, MIDDLE, RIGHT, drag, middle, rest, view_of, viewer_of, viewport_of, wheel
from ui.view3d.keymap import CLIENT, EDITOR, Walk
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BARN = 0x00070100
MIDST = (20.0, 20.0, 0.0)
NARROW = 3.0
"""Degrees between where he goes and where the camera looks."""


@pytest.fixture(scope="session")
def barn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room with nothing to run into for twenty metres."""
    world = WorldBuilder()
    hall = world.room("barn", rect(0, 0, 40, 40), height=12.0)
    world.door(hall, world.room("shed", rect(40.2, 18, 3, 4), height=2.8))
    folder = tmp_path_factory.mktemp("barn")
    world.build().write(folder)
    return folder


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings, barn: Path) -> Iterator[MainWindow]:
    """The player's view, from the middle of the barn."""
    with view_of(qtbot, settings, barn) as window:
        put(window, 0.0)
        QTest.keyClick(viewport_of(window), Qt.Key.Key_Tab)
        yield window
        window.clock.pause()


def put(window: MainWindow, heading: float) -> None:
    window.clock.pause()
    window.document.sim.apply_edit(Teleport(BARN, *MIDST, heading))
    viewer_of(window).chase.settle()
    window.document.changed.emit()


def place(window: MainWindow) -> Vec3:
    return window.document.sim.player.steered.place.origin


def facing(window: MainWindow) -> float:
    return window.document.sim.player.steered.place.turn.heading()


def walk(qtbot: QtBot, window: MainWindow, key: Qt.Key, ticks: int = 12) -> float:
    """Hold a key for some ticks; the compass heading of the way that he went."""
    begin, tick = place(window), window.document.sim.tick_number
    QTest.keyPress(viewport_of(window), key)
    qtbot.waitUntil(lambda: window.document.sim.tick_number >= tick + ticks)
    QTest.keyRelease(viewport_of(window), key)
    went = sub(place(window), begin)
    assert math.hypot(went[0], went[1]) > 0.3
    return heading_and_pitch(went)[0]


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the mouse's turns are in a tick and the camera is at rest."""
    tick = window.document.sim.tick_number
    qtbot.waitUntil(lambda: window.document.sim.tick_number > tick + 2)
    window.clock.pause()
    rest(qtbot, window)


def astray(window: MainWindow, heading: float) -> float:
    """Degrees between a heading and where the camera looks."""
    return abs(turn_between(viewer_of(window).rig.heading, heading))


@pytest.mark.parametrize("heading", range(0, 360, 24))
def test_w_goes_where_the_camera_looks(qtbot: QtBot, view: MainWindow, heading: int) -> None:
    put(view, float(heading))
    rest(qtbot, view)
    assert astray(view, float(heading)) < 1.0
    assert astray(view, walk(qtbot, view, Qt.Key.Key_W)) < NARROW


@pytest.mark.parametrize("across", [-700, -300, -90, 40, 150, 410])
def test_a_right_drag_turns_him_and_w_goes_there(qtbot: QtBot, view: MainWindow, across: int) -> None:
    before = facing(view)
    drag(qtbot, view, RIGHT, QPoint(across, 0))
    settle(qtbot, view)
    assert turn_between(before, facing(view)) == pytest.approx(math.remainder(across * 0.22, 360.0), abs=1.0)
    assert astray(view, facing(view)) < 1.0
    assert astray(view, walk(qtbot, view, Qt.Key.Key_W)) < NARROW


def test_w_goes_where_the_camera_looks_while_the_mouse_turns_him(qtbot: QtBot, view: MainWindow) -> None:
    viewport, at = viewport_of(view), middle(view)
    QTest.keyPress(viewport, Qt.Key.Key_W)
    QTest.mousePress(viewport, RIGHT, pos=at)
    for step in range(1, 30):
        QTest.mouseMove(viewport, at + QPoint(6 * step, 0))
        qtbot.wait(10)
    tick = view.document.sim.tick_number
    qtbot.waitUntil(lambda: view.document.sim.tick_number > tick + 20)
    begin = place(view)
    qtbot.waitUntil(lambda: distance(place(view), begin) > 0.5)
    went = heading_and_pitch(sub(place(view), begin))[0]
    QTest.mouseRelease(viewport, RIGHT, pos=at)
    QTest.keyRelease(viewport, Qt.Key.Key_W)
    assert astray(view, went) < NARROW
    assert facing(view) == pytest.approx(29 * 6 * 0.22, abs=1.5)


def test_a_right_drag_up_and_down_moves_the_camera_alone(qtbot: QtBot, view: MainWindow) -> None:
    before = facing(view)
    drag(qtbot, view, RIGHT, QPoint(0, 90))
    rest(qtbot, view)
    assert facing(view) == pytest.approx(before, abs=1e-4)
    assert viewer_of(view).rig.pitch < -20.0


def test_a_right_click_opens_the_menu_and_turns_nobody(qtbot: QtBot, view: MainWindow) -> None:
    QTest.mouseClick(viewport_of(view), RIGHT, pos=middle(view))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    assert not view.clock.is_running
    assert facing(view) == pytest.approx(0.0, abs=1e-4)


def test_turning_keys_step_aside_while_the_right_button_is_held(qtbot: QtBot, view: MainWindow) -> None:
    viewport, at = viewport_of(view), middle(view)
    QTest.mousePress(viewport, RIGHT, pos=at)
    assert walk(qtbot, view, Qt.Key.Key_D) == pytest.approx(90.0, abs=NARROW)
    QTest.mouseRelease(viewport, RIGHT, pos=at + QPoint(20, 0))
    assert facing(view) == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("button", ["middle", "alt"])
def test_a_look_around_ends_behind_him_when_he_moves(qtbot: QtBot, view: MainWindow, button: str) -> None:
    if button == "middle":
        drag(qtbot, view, MIDDLE, QPoint(300, 0))
    else:
        drag(qtbot, view, LEFT, QPoint(300, 0), Qt.KeyboardModifier.AltModifier)
    rest(qtbot, view)
    assert facing(view) == pytest.approx(0.0, abs=1e-4)
    assert astray(view, 0.0) == pytest.approx(66.0, abs=2.0)
    assert not view.clock.is_running
    went = walk(qtbot, view, Qt.Key.Key_W, 30)
    view.clock.pause()
    rest(qtbot, view)
    assert went == pytest.approx(0.0, abs=0.1) or went == pytest.approx(360.0, abs=0.1)
    assert astray(view, went) < NARROW


def test_home_puts_the_camera_behind_him_and_stays_in_his_view(qtbot: QtBot, view: MainWindow) -> None:
    drag(qtbot, view, MIDDLE, QPoint(300, -60))
    wheel(view, 3)
    rest(qtbot, view)
    QTest.keyClick(viewport_of(view), Qt.Key.Key_Home)
    rest(qtbot, view)
    assert viewer_of(view).view is View.CHASE
    assert viewer_of(view).chase.offset == pytest.approx(DEFAULT_OFFSET)
    assert astray(view, 0.0) < 1.0


def test_the_wheel_leads_into_his_head_and_out_again(qtbot: QtBot, view: MainWindow) -> None:
    seen = []
    for _ in range(8):
        wheel(view, 1)
        rest(qtbot, view)
        seen.append(viewer_of(view).view)
        if seen[-1] is View.FIRST_PERSON:
            break
    assert seen[-1] is View.FIRST_PERSON
    assert len(seen) > 2
    wheel(view, -1)
    rest(qtbot, view)
    assert viewer_of(view).view is View.CHASE
    assert heading_and_pitch(viewer_of(view).chase.offset)[0] == pytest.approx(BEHIND)
    assert viewer_of(view).chase.distance_to_player > 1.0


def test_v_looks_through_his_eyes_and_back(qtbot: QtBot, view: MainWindow) -> None:
    viewport = viewport_of(view)
    QTest.keyClick(viewport, Qt.Key.Key_V)
    assert viewer_of(view).view is View.FIRST_PERSON
    drag(qtbot, view, RIGHT, QPoint(200, 0))
    settle(qtbot, view)
    assert facing(view) == pytest.approx(44.0, abs=1.0)
    assert astray(view, walk(qtbot, view, Qt.Key.Key_W)) < NARROW
    QTest.keyClick(viewport, Qt.Key.Key_V)
    assert viewer_of(view).view is View.CHASE


def test_in_the_past_a_right_drag_goes_around_him(qtbot: QtBot, view: MainWindow) -> None:
    view.clock.step(5)
    view.document.go_to(2)
    drag(qtbot, view, RIGHT, QPoint(200, 0))
    rest(qtbot, view)
    assert view.document.in_past
    assert view.document.sim.tick_number == 2
    assert astray(view, 0.0) == pytest.approx(44.0, abs=2.0)


# --- walking and running


def speed_of(qtbot: QtBot, window: MainWindow, *held: Qt.Key) -> float:
    """Metres a second while W is held, after the first ticks."""
    viewport = viewport_of(window)
    for key in held:
        QTest.keyPress(viewport, key)
    modifier = Qt.KeyboardModifier.ShiftModifier if Qt.Key.Key_Shift in held else Qt.KeyboardModifier.NoModifier
    tick = window.document.sim.tick_number
    QTest.keyPress(viewport, Qt.Key.Key_W, modifier)
    qtbot.waitUntil(lambda: window.document.sim.tick_number >= tick + 6)
    begin, tick = place(window), window.document.sim.tick_number
    qtbot.waitUntil(lambda: window.document.sim.tick_number >= tick + 9)
    went, ticks = distance(place(window), begin), window.document.sim.tick_number - tick
    QTest.keyRelease(viewport, Qt.Key.Key_W)
    for key in held:
        QTest.keyRelease(viewport, key)
    window.clock.pause()
    return went * 30.0 / ticks


def test_indoors_he_walks_until_x_lets_him_run(qtbot: QtBot, view: MainWindow) -> None:
    put(view, 0.0)
    assert speed_of(qtbot, view) == pytest.approx(3.12, abs=0.1)
    put(view, 0.0)
    QTest.keyClick(viewport_of(view), Qt.Key.Key_X)
    assert view.status.currentMessage() == "The player runs in rooms now."
    assert speed_of(qtbot, view) == pytest.approx(9.5, abs=0.2)
    put(view, 0.0)
    assert speed_of(qtbot, view, Qt.Key.Key_Shift) == pytest.approx(3.12, abs=0.1)


# --- the client's keys


def give(window: MainWindow, name: str) -> None:
    action = window.commands.find(name)
    assert action is not None
    action.trigger()


def test_the_client_s_keys_walk_as_in_the_client(qtbot: QtBot, view: MainWindow) -> None:
    give(view, "walking-keys-client")
    viewport = viewport_of(view)
    viewport.setFocus()
    for key, way in ((Qt.Key.Key_W, 0.0), (Qt.Key.Key_Up, 0.0), (Qt.Key.Key_X, 180.0), (Qt.Key.Key_C, 90.0)):
        put(view, 0.0)
        assert abs(turn_between(walk(qtbot, view, key), way)) < NARROW
    put(view, 0.0)
    QTest.keyClick(viewport, Qt.Key.Key_Q)
    begin = place(view)
    qtbot.waitUntil(lambda: distance(place(view), begin) > 1.0)
    QTest.keyClick(viewport, Qt.Key.Key_S)
    assert view.clock.keys.forward == 0.0


def test_the_chosen_keys_are_kept_and_shown(qtbot: QtBot, view: MainWindow) -> None:
    walking = viewport_of(view).walking
    assert walking.keymap is EDITOR
    give(view, "walking-keys-client")
    assert walking.keymap is CLIENT
    assert view.settings.value("walking-keys") == "client"
    pace = view.commands.find("walk-or-run")
    assert pace is not None
    assert pace.shortcut().toString() == "T"
    second = MainWindow(view.session, view.settings)
    qtbot.addWidget(second)
    assert viewport_of(second).walking.keymap is CLIENT


def test_no_key_of_a_keymap_does_two_things() -> None:
    for keymap in (EDITOR, CLIENT):
        keys = [key for walk_keys in keymap.keys.values() for key in walk_keys]
        assert len(keys) == len(set(keys))
        assert {Walk.FORWARD, Walk.BACK, Walk.TURN_LEFT, Walk.TURN_RIGHT, Walk.JUMP, Walk.USE} <= set(keymap.keys)


# --- replays


def test_turns_by_mouse_are_replayed_bit_by_bit(qtbot: QtBot, view: MainWindow) -> None:
    sim: Simulation = view.document.sim
    recorder = Recorder(sim, "barn")
    viewport, at = viewport_of(view), middle(view)
    QTest.keyPress(viewport, Qt.Key.Key_W)
    QTest.mousePress(viewport, RIGHT, pos=at)
    for step in range(1, 12):
        QTest.mouseMove(viewport, at + QPoint(23 * step, 0))
        qtbot.wait(15)
    QTest.mouseRelease(viewport, RIGHT, pos=at)
    QTest.keyRelease(viewport, Qt.Key.Key_W)
    settle(qtbot, view)
    recording = parse_recording(recording_bytes(recorder.stop()), "barn")
    looks = [keys.look for keys in recording.controls if keys.look != 0.0]
    assert sum(looks) == pytest.approx(11 * 23 * 0.22, abs=1.5)
    replayed = Simulation(sim.world)
    replayed.restore(recording.keyframes.snapshot(0))
    for number, keys in enumerate(recording.controls):
        replayed.tick(keys)
        assert replayed.state_hash() == recording.hash_after(recording.first_tick + number)
    replayed.close()
