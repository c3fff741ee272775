"""A frame inspected step by step, and a frozen one seen from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from editor.session.session import Kind
from engine.geometry.vec import Vec3
from engine.render.overlays.catalogue import Overlay
from engine.render.presets import NO_PRESETS
from tests.gui.view3d.view_hands import (
    LEFT,
    difference,
    middle,
    picture,
    redraw,
    stand,
    view_of,
    viewer_of,
    viewport_of,
)
from ui.view3d.viewport import VOID
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL, STUDY = 0x00070100, 0x00070101
IN_HALL: Vec3 = (3.0, 2.0, 1.5)
EAST = 90.0


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    """The window with the house open in the 3D view, the eye in the hall in front of its door."""
    with view_of(qtbot, settings, house) as shown:
        stand(qtbot, shown, HALL, IN_HALL, EAST)
        yield shown


def void_share(image: QImage) -> float:
    """Share of the picture's pixels that nothing was drawn on."""
    void = QColor.fromRgbF(*VOID).rgb()
    points = [(x, y) for y in range(0, image.height(), 5) for x in range(0, image.width(), 5)]
    return sum(image.pixel(x, y) == void for x, y in points) / len(points)


def line(view: MainWindow) -> str:
    return view.centre.step_bar.line.text()


def test_the_slider_ends_the_picture_after_any_of_its_steps(qtbot: QtBot, view: MainWindow) -> None:
    bar = view.centre.step_bar
    assert not bar.isVisible()
    view.centre.view_bar.steps_action.trigger()
    redraw(qtbot, view)
    assert bar.isVisible()
    whole = picture(view)
    assert void_share(whole) == 0.0
    assert view.viewing.last is not None
    count = len(view.viewing.last.frame.events)
    assert line(view) == f"{count} of {count}: Alpha flush"
    bar.slider.setFocus()
    qtbot.keyClick(bar.slider, Qt.Key.Key_Home)
    redraw(qtbot, view)
    assert line(view) == f"0 of {count}: nothing yet"
    assert void_share(picture(view)) == 1.0
    seen = []
    for _ in range(count):
        qtbot.keyClick(bar.slider, Qt.Key.Key_Right)
        redraw(qtbot, view)
        seen.append((line(view).partition(": ")[2], void_share(picture(view))))
    walls = next(share for words, share in seen if words == f"Shell 0x{HALL:08X}")
    assert seen[0] == (f"Draw inside 0x{HALL:08X}", 1.0)
    assert walls < 0.5
    assert difference(whole, picture(view)) == 0


def test_a_click_at_the_sliders_left_end_rewinds_the_picture_and_done_ends_it(qtbot: QtBot, view: MainWindow) -> None:
    before_all = picture(view)
    view.centre.view_bar.steps_action.trigger()
    redraw(qtbot, view)
    bar, whole = view.centre.step_bar, picture(view)
    before = bar.slider.value()
    place = bar.slider.rect().center()
    place.setX(3)
    qtbot.mouseClick(bar.slider, LEFT, pos=place)
    redraw(qtbot, view)
    assert bar.slider.value() < before
    assert difference(whole, picture(view)) > 100
    qtbot.mouseClick(bar.findChildren(QToolButton)[0], LEFT)
    redraw(qtbot, view)
    assert not bar.isVisible()
    assert view.viewing.steps is None
    assert difference(before_all, picture(view)) == 0


def test_frozen_visibility_is_seen_from_outside(qtbot: QtBot, view: MainWindow) -> None:
    viewing = view.viewing
    inside = picture(view)
    view.centre.view_bar.freeze_action.trigger()
    redraw(qtbot, view)
    assert viewing.last is not None
    frozen = viewing.last.frame
    assert HALL in frozen.visible_ids()
    assert viewer_of(view).frozen is frozen
    assert void_share(picture(view)) < 0.05  # from the same eye: the same rooms, with the frustum's lines over them
    stand(qtbot, view, HALL, (3.0, 2.0, 14.0), EAST, -85.0)
    above = picture(view)
    assert viewing.last.frame is frozen
    assert {label.text for label in viewing.last.overlays.labels} == {"the frozen eye"}
    assert 0.3 < void_share(above) < 0.95  # rooms in the void
    qtbot.mouseClick(viewport_of(view), LEFT, pos=middle(view))
    found = view.session.selection
    assert found is not None
    assert found.kind is Kind.CELL
    assert found.key in frozen.visible_ids()
    view.session.select(None)
    view.centre.view_bar.overlay_actions[Overlay.VIEWS].trigger()
    redraw(qtbot, view)
    assert difference(above, picture(view)) > 30
    view.centre.view_bar.overlay_actions[Overlay.VIEWS].trigger()
    view.centre.view_bar.freeze_action.trigger()
    stand(qtbot, view, HALL, IN_HALL, EAST)
    assert viewer_of(view).frozen is None
    assert difference(inside, picture(view)) == 0


def test_the_onlooker_sees_only_what_the_frozen_eye_saw(qtbot: QtBot, view: MainWindow) -> None:
    """The study behind the closed door's opening shows through it, and nothing shows once the eye looks away."""
    stand(qtbot, view, HALL, IN_HALL, EAST + 180.0)
    view.centre.view_bar.freeze_action.trigger()
    stand(qtbot, view, STUDY, (8.2, 2.0, 1.5), EAST)
    assert void_share(picture(view)) > 0.9
    view.centre.view_bar.freeze_action.trigger()
    redraw(qtbot, view)
    assert void_share(picture(view)) < 0.05


# --- other views of a frame


def test_depth_and_stencil_replace_the_picture_one_at_a_time(qtbot: QtBot, view: MainWindow) -> None:
    bar = view.centre.view_bar
    depth, stencil = bar.buffer_actions.values()
    colours = picture(view)
    depth.trigger()
    redraw(qtbot, view)
    shades = picture(view)
    assert all(shades.pixelColor(x, 200).saturation() == 0 for x in range(10, shades.width() - 10, 40))
    stencil.trigger()
    redraw(qtbot, view)
    assert (depth.isChecked(), stencil.isChecked()) == (False, True)
    marks = picture(view)
    assert difference(marks, shades) > 0.5
    stencil.trigger()
    redraw(qtbot, view)
    assert difference(picture(view), colours) == 0.0


def test_more_light_brightens_the_picture_and_less_restores_it(qtbot: QtBot, view: MainWindow) -> None:
    bar = view.centre.view_bar
    assert bar.viewer_light_action.isChecked(), "the client's viewer carries a light"
    bar.viewer_light_action.trigger()
    redraw(qtbot, view)
    before = picture(view)
    for action in (bar.brighter_action, bar.viewer_light_action):
        action.trigger()
        redraw(qtbot, view)
        after = picture(view)
        points = [(x, y) for y in range(0, after.height(), 20) for x in range(0, after.width(), 20)]
        gained = [after.pixelColor(x, y).lightness() - before.pixelColor(x, y).lightness() for x, y in points]
        assert min(gained) >= 0, action.text()
        assert sum(gained) > len(points), action.text()
        action.trigger()
        redraw(qtbot, view)
        assert difference(picture(view), before) == 0.0


def test_client_presets_are_off_until_the_user_enables_them(qtbot: QtBot, view: MainWindow) -> None:
    bar, viewing = view.centre.view_bar, view.viewing
    assert viewing.presets == NO_PRESETS
    before = picture(view)
    for action in bar.preset_actions.values():
        action.trigger()
        redraw(qtbot, view)
        assert viewing.presets != NO_PRESETS, action.text()
        assert viewport_of(view).error == ""
        action.trigger()
        redraw(qtbot, view)
        assert viewing.presets == NO_PRESETS
        assert difference(picture(view), before) == 0.0
