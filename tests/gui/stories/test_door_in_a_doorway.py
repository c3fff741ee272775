"""Story of a door in an empty doorway, by mouse and keys: the user adds it, it blocks, the gizmo moves it away, and
undo restores everything."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.models.player import VALUE
from editor.session.sources import DEMO
from engine.geometry.vec import Vec3
from engine.visibility.frame import FrameResult
from tests.gui.docks.live_hands import click_button, raise_dock, type_place
from tests.gui.view3d.view_hands import LEFT, difference, move_to, picture, point_of, pull, redraw, stand, viewport_of
from ui.docks.player.player_dock import PlayerPanel
from ui.window.central_area import PICTURE
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

PARLOUR, KITCHEN_SIDE, DOORWAY = 0xC95B0101, 0xC95B0102, 0xC95B0103
BEFORE_IT: Vec3 = (59.0, 111.25, 20.1)
SILL: Vec3 = (60.331, 111.059, 20.1)
THROUGH = 98.0
"""Compass heading from the parlour through the doorway."""

EYE: Vec3 = (57.2, 111.5, 21.7)


def player(window: MainWindow, name: str) -> str:
    return window.docks.panel(PlayerPanel).model.text(name, VALUE)


def walk(qtbot: QtBot, window: MainWindow, count: int) -> None:
    """Walk forward from a point before the doorway, for `count` ticks."""
    live = window
    raise_dock(qtbot, live.docks.dock(PlayerPanel))
    type_place(qtbot, live.docks.panel(PlayerPanel), PARLOUR, BEFORE_IT, THROUGH)
    qtbot.mouseClick(live.docks.panel(PlayerPanel).pad.buttons["forward"], Qt.MouseButton.LeftButton)
    live.docks.panel(PlayerPanel).count.setValue(count)
    click_button(qtbot, live.docks.panel(PlayerPanel), "player-step-many-button")
    qtbot.waitUntil(lambda: not live.clock.is_stepping, timeout=20_000)
    click_button(qtbot, live.docks.panel(PlayerPanel), "player-release-button")


def look(qtbot: QtBot, window: MainWindow) -> QImage:
    """The doorway seen from the parlour, with the mouse outside the view."""
    QApplication.sendEvent(viewport_of(window), QEvent(QEvent.Type.Leave))
    window.session.select(None)
    stand(qtbot, window, PARLOUR, EYE, THROUGH)
    return picture(window)


def frame_of(window: MainWindow) -> FrameResult:
    assert window.viewing.last is not None
    return window.viewing.last.frame


def test_a_door_added_to_a_doorway_blocks_moves_away_and_is_undone(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(DEMO)
    window.centre.choose_page(PICTURE)
    viewport, document = viewport_of(window), window.document
    empty, state = look(qtbot, window), document.sim.state_hash()

    # add
    action = next(action for action in viewport.tools.add_menu.actions() if "Kitchen Door" in action.text())
    action.trigger()
    opening = point_of(window, PARLOUR, (SILL[0], SILL[1], SILL[2] + 1.1))
    move_to(window, opening)
    qtbot.waitUntil(lambda: window.viewing.placing.spot is not None)
    assert window.viewing.placing.words.startswith("Click to fit Kitchen Door into this doorway, 1.30 × 2.20 m")
    qtbot.mouseClick(viewport, LEFT, pos=opening)
    door = document.sim.population.doors[-1]
    assert (door.name, door.place_cell()) == ("Kitchen Door 2", DOORWAY)
    assert door.place_frame().origin == pytest.approx(SILL, abs=0.01)
    assert document.stack.undo_text() == "Add Kitchen Door"
    shut, with_door = look(qtbot, window), document.sim.state_hash()
    assert difference(empty, shut) > 300
    document.undo()
    assert document.sim.state_hash() == state
    assert difference(empty, look(qtbot, window)) == 0
    document.redo()
    assert document.sim.state_hash() == with_door

    # block
    walk(qtbot, window, 40)
    assert player(window, "Last tick") == "■ blocked"
    assert player(window, "Last collision").startswith("Blocked by Kitchen Door 2, part ")
    assert document.sim.graph.current_id == PARLOUR

    # move by the gizmo
    look(qtbot, window)
    qtbot.mouseClick(viewport, LEFT, pos=point_of(window, PARLOUR, (SILL[0], SILL[1] + 0.5, SILL[2] + 1.9)))
    assert window.session.selection is not None
    assert window.session.selection.key == door.id
    redraw(qtbot, window)
    gizmo = window.viewing.manipulation.gizmo()
    assert gizmo is not None
    start = QPoint(*(round(part) for part in gizmo.pixel(gizmo.along(1, 0.7))))
    end = QPoint(*(round(part) for part in gizmo.pixel(gizmo.along(1, 0.7 + 1.5 / gizmo.size))))
    pull(qtbot, window, start, end, Qt.KeyboardModifier.ControlModifier)
    door = document.sim.population.doors[-1]
    assert door.place_frame().origin[1] - SILL[1] == pytest.approx(1.5, abs=0.01)
    assert document.stack.undo_text() == "Move Kitchen Door 2"
    walk(qtbot, window, 40)
    assert document.sim.graph.current_id in (DOORWAY, KITCHEN_SIDE)
    assert player(window, "Last tick") != "■ blocked"

    # undo everything
    while document.stack.can_undo():
        qtbot.keyClick(viewport, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [door.name for door in document.sim.population.doors].count("Kitchen Door") == 1
    walk(qtbot, window, 40)
    assert document.sim.graph.current_id in (DOORWAY, KITCHEN_SIDE)
    document.undo()
    assert difference(empty, look(qtbot, window)) == 0
    assert frame_of(window).root_id == PARLOUR
