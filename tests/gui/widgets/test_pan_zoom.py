"""Wheel, drag, keys and clicks do the same in the landblock map, the block map, the cell graph and PView's screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu
from pytestqt.qtbot import QtBot

from editor.maps.landblock_plan import make_plan
from editor.models.graph.cell_graph import make_cell_graph
from editor.models.pview.screen import Role, ScreenPicture, ScreenShape
from editor.session.session import Kind, Selection
from engine.world.block_index import BlockIndex
from engine.world.loader import open_world
from ui.docks.graph.view import GraphView
from ui.docks.pview.screen import MiniScreen
from ui.map.block_map_view import BlockMapView
from ui.map.landblock_map import MapView
from ui.theme.theme import DARK
from ui.widgets.pan_zoom import PAN_STEP, ZOOM_STEP, PanZoomView

pytestmark = pytest.mark.gui

LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
BLOCK, STUDY = 0x0007FFFF, 0x00070101
HERE = 0x6030FFFF
GROUND = QPoint(4, 4)
"""A corner of the viewport in which no view has an item."""
MOVED = QPoint(60, 25)


@dataclass
class Subject:
    """A view with an item in it; `select` selects the item as the rest of the window does."""

    view: PanZoomView
    place: QPointF
    select: Callable[[], None]
    chosen: list[object] = field(default_factory=list)
    activated: list[object] = field(default_factory=list)

    def at(self) -> QPoint:
        """Where the item is now, on the viewport."""
        return self.view.to_viewport(self.place).toPoint()


def landblock_map(house: Path) -> Subject:
    view = MapView(DARK)
    with open_world(house) as world:
        block = world.landblock(BLOCK)
        assert block is not None
        view.set_plan(make_plan(world, block))
    study = Selection(Kind.CELL, BLOCK, STUDY)
    place = view._cell_items[STUDY].path().boundingRect().center()
    subject = Subject(view, place, lambda: view.set_selection(study, frozenset()))
    view.chosen.connect(subject.chosen.append)
    view.chosen.connect(lambda selection: view.set_selection(selection, frozenset()))
    return subject


def block_map(house: Path) -> Subject:
    index = BlockIndex()
    index.add(column << 24 | row << 16 | 0xFFFF for column in range(0x58, 0x69) for row in range(0x2C, 0x35))
    view = BlockMapView(DARK)
    view.show_index(index)
    subject = Subject(view, QPointF(0x60 + 0.5, 255 - 0x30 + 0.5), lambda: view.choose(HERE))
    view.picked.connect(subject.chosen.append)
    view.opened.connect(subject.activated.append)
    return subject


def cell_graph(house: Path) -> Subject:
    view = GraphView(DARK)
    with open_world(house) as world:
        block = world.landblock(BLOCK)
        assert block is not None
        view.set_graph(make_cell_graph(block), fit=True)
    study = Selection(Kind.CELL, BLOCK, STUDY)
    subject = Subject(view, view.nodes[study].pos(), lambda: view.set_selection(study))
    view.chosen.connect(subject.chosen.append)
    view.framed.connect(subject.activated.append)
    return subject


def mini_screen(house: Path) -> Subject:
    view = MiniScreen(DARK)
    corners = ((500.0, 300.0), (900.0, 300.0), (900.0, 600.0), (500.0, 600.0))
    view.show_picture(ScreenPicture(1280.0, 800.0, (ScreenShape(Role.CELL, corners, STUDY, 1),)), STUDY)
    subject = Subject(view, QPointF(800.0, 400.0), lambda: view.set_selection(Selection(Kind.CELL, BLOCK, STUDY)))
    view.chosen.connect(subject.chosen.append)
    view.framed.connect(subject.activated.append)
    return subject


VIEWS = {"landblock map": landblock_map, "block map": block_map, "cell graph": cell_graph, "mini screen": mini_screen}


@pytest.fixture(params=sorted(VIEWS))
def subject(request: pytest.FixtureRequest, qtbot: QtBot, house: Path) -> Subject:
    made = VIEWS[request.param](house)
    qtbot.addWidget(made.view)
    made.view.resize(640, 480)
    with qtbot.waitActive(made.view):
        made.view.show()
        made.view.activateWindow()
    made.view.setFocus()
    made.view.fit()
    return made


def turn_wheel(view: PanZoomView, at: QPoint, angle: int = 0, pixels: int = 0) -> None:
    place = QPointF(at)
    whole = view.viewport().mapToGlobal(place)
    phase = Qt.ScrollPhase.ScrollUpdate if pixels else Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(place, whole, QPoint(0, pixels), QPoint(0, angle), Qt.MouseButton.NoButton, NONE, phase, False)
    QApplication.sendEvent(view.viewport(), event)


def drag(qtbot: QtBot, view: PanZoomView, button: Qt.MouseButton, start: QPoint) -> None:
    port = view.viewport()
    qtbot.mousePress(port, button, pos=start)
    qtbot.mouseMove(port, start + MOVED / 2)
    qtbot.mouseMove(port, start + MOVED)
    qtbot.mouseRelease(port, button, pos=start + MOVED)


def distance(a: QPointF | QPoint, b: QPointF | QPoint) -> float:
    return float((QPointF(a) - QPointF(b)).manhattanLength())


def test_a_notch_of_the_wheel_zooms_one_step_at_the_cursor(subject: Subject) -> None:
    view, at = subject.view, subject.at()
    before, held = view.pixels_per_unit(), view.to_scene(QPointF(at))
    turn_wheel(view, at, angle=120)
    assert view.pixels_per_unit() == pytest.approx(before * ZOOM_STEP)
    assert distance(view.to_viewport(held), at) < 0.01
    turn_wheel(view, at, angle=-120)
    assert view.pixels_per_unit() == pytest.approx(before)
    assert distance(view.to_viewport(held), at) < 1.0


def test_a_trackpad_zooms_by_pixels_without_drifting_from_the_cursor(subject: Subject) -> None:
    view, at = subject.view, subject.at()
    before, held = view.pixels_per_unit(), view.to_scene(QPointF(at))
    for _ in range(60):
        turn_wheel(view, at, pixels=2)
    assert view.pixels_per_unit() == pytest.approx(before * ZOOM_STEP**3)
    assert distance(view.to_viewport(held), at) < 0.01


def test_zooming_stops_at_the_limits_and_not_before(subject: Subject) -> None:
    view, at = subject.view, subject.at()
    for _ in range(80):
        turn_wheel(view, at, angle=120)
    assert view.pixels_per_unit() == pytest.approx(view.limits()[1])
    for _ in range(160):
        turn_wheel(view, at, angle=-120)
    assert view.pixels_per_unit() == pytest.approx(view.limits()[0])


@pytest.mark.parametrize("button", [LEFT, MIDDLE, RIGHT])
def test_a_drag_pans_by_as_much_as_the_mouse_moves(qtbot: QtBot, subject: Subject, button: Qt.MouseButton) -> None:
    before = subject.at()
    drag(qtbot, subject.view, button, GROUND)
    assert subject.at() - before == MOVED
    assert QApplication.activePopupWidget() is None


def test_a_left_drag_that_begins_on_an_item_pans_and_selects_nothing(qtbot: QtBot, subject: Subject) -> None:
    before = subject.at()
    drag(qtbot, subject.view, LEFT, before)
    assert subject.at() - before == MOVED
    assert subject.chosen == []


def test_an_item_is_selected_when_the_button_is_released(qtbot: QtBot, subject: Subject) -> None:
    port, at = subject.view.viewport(), subject.at()
    qtbot.mousePress(port, LEFT, pos=at)
    assert subject.chosen == []
    qtbot.mouseRelease(port, LEFT, pos=at + QPoint(1, 1))
    assert len(subject.chosen) == 1
    assert subject.chosen[0]


@pytest.mark.parametrize("key", [Qt.Key.Key_Home, Qt.Key.Key_0])
def test_home_and_nought_show_everything_again(qtbot: QtBot, subject: Subject, key: Qt.Key) -> None:
    view = subject.view
    before, at = view.pixels_per_unit(), view.to_viewport(subject.place)
    turn_wheel(view, GROUND, angle=600)
    assert view.pixels_per_unit() > before * 2.0
    qtbot.keyClick(view, key)
    assert view.is_fitted
    assert view.pixels_per_unit() == pytest.approx(before)
    assert distance(view.to_viewport(subject.place), at) < 1.0


def test_f_frames_the_selection_and_without_one_everything(qtbot: QtBot, subject: Subject) -> None:
    view = subject.view
    whole = view.pixels_per_unit()
    turn_wheel(view, GROUND, angle=600)
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert view.pixels_per_unit() == pytest.approx(whole)
    subject.select()
    drag(qtbot, view, MIDDLE, GROUND)
    turn_wheel(view, GROUND, angle=2400)
    assert not view.viewport().rect().contains(subject.at())
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert view.viewport().rect().contains(subject.at())


def test_f_and_home_belong_to_the_view_with_the_focus(qtbot: QtBot, subject: Subject) -> None:
    window, taken = QMainWindow(), []
    qtbot.addWidget(window)
    for keys in ("F", "Home"):
        action = QAction(window)
        action.setShortcut(keys)
        action.triggered.connect(lambda: taken.append(True))
        window.addAction(action)
    window.setCentralWidget(subject.view)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    subject.view.setFocus()
    for key in (Qt.Key.Key_F, Qt.Key.Key_Home):
        turn_wheel(subject.view, GROUND, angle=600)
        qtbot.keyClick(subject.view, key)
        assert subject.view.is_fitted
    assert taken == []
    window.takeCentralWidget()


def test_plus_and_minus_zoom_one_step_at_the_middle(qtbot: QtBot, subject: Subject) -> None:
    view = subject.view
    before, held = view.pixels_per_unit(), view.to_scene(view.middle())
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
        qtbot.keyClick(view, key)
    assert view.pixels_per_unit() == pytest.approx(before * ZOOM_STEP**2)
    assert distance(view.to_viewport(held), view.middle()) < 0.01
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert view.pixels_per_unit() == pytest.approx(before * ZOOM_STEP)


def test_shift_and_an_arrow_pan(qtbot: QtBot, subject: Subject) -> None:
    before = subject.at()
    qtbot.keyClick(subject.view, Qt.Key.Key_Left, SHIFT)
    qtbot.keyClick(subject.view, Qt.Key.Key_Down, SHIFT)
    assert subject.at() - before == QPoint(PAN_STEP, -PAN_STEP)
    assert subject.chosen == []


def test_an_arrow_pans_or_walks_to_another_item(qtbot: QtBot, subject: Subject) -> None:
    view = subject.view
    subject.select()
    before = subject.at()
    qtbot.keyClick(view, Qt.Key.Key_Left)
    if isinstance(view, GraphView):
        assert view.mark not in (None, Selection(Kind.CELL, BLOCK, STUDY))
    elif isinstance(view, BlockMapView):
        assert view.chosen == HERE - 0x01000000
    else:
        assert subject.at() - before == QPoint(PAN_STEP, 0)


def test_a_double_click_on_empty_ground_fits_and_on_an_item_does_not(qtbot: QtBot, subject: Subject) -> None:
    view = subject.view
    turn_wheel(view, subject.at(), angle=120)
    qtbot.mouseClick(view.viewport(), LEFT, pos=subject.at())
    qtbot.mouseDClick(view.viewport(), LEFT, pos=subject.at())
    assert not view.is_fitted
    if not isinstance(view, MapView):  # which frames it in itself
        assert len(subject.activated) == 1
    view.fit()
    drag(qtbot, view, MIDDLE, QPoint(200, 200))
    view.show_at(view.to_scene(view.middle()), QPointF(9000.0, 9000.0), view.pixels_per_unit())
    qtbot.mouseDClick(view.viewport(), LEFT, pos=GROUND)
    assert view.is_fitted


def menu_of(qtbot: QtBot, subject: Subject, ask: Callable[[], None]) -> None:
    """Ask for the menu, which comes as a popup or, from the graph, as a signal to its dock."""
    view = subject.view
    if isinstance(view, GraphView):
        with qtbot.waitSignal(view.menu_wanted, timeout=1000):
            ask()
        return
    ask()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()


def test_a_right_click_asks_for_the_menu_when_released(qtbot: QtBot, subject: Subject) -> None:
    view, at = subject.view, subject.at()
    view.addAction(QAction("Something", view))
    press = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.viewport().mapToGlobal(at))
    qtbot.mousePress(view.viewport(), RIGHT, pos=at)
    QApplication.sendEvent(view.viewport(), press)
    assert QApplication.activePopupWidget() is None
    menu_of(qtbot, subject, lambda: qtbot.mouseRelease(view.viewport(), RIGHT, pos=at))


def test_the_menu_key_asks_for_the_menu(qtbot: QtBot, subject: Subject) -> None:
    view, at = subject.view, subject.at()
    view.addAction(QAction("Something", view))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, view.viewport().mapToGlobal(at))

    def ask() -> None:
        QApplication.sendEvent(view.viewport(), event)

    menu_of(qtbot, subject, ask)


def test_resizing_fits_again_until_the_user_has_looked_elsewhere(qtbot: QtBot, subject: Subject) -> None:
    view = subject.view
    before = view.pixels_per_unit()
    view.resize(480, 360)
    assert view.pixels_per_unit() == pytest.approx(before * 0.75, rel=0.1)
    turn_wheel(view, subject.at(), angle=120)
    middle, scale = view.to_scene(view.middle()), view.pixels_per_unit()
    view.resize(700, 600)
    assert view.pixels_per_unit() == pytest.approx(scale)
    assert distance(view.to_viewport(middle), view.middle()) < 0.01
