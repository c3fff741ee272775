"""How much detail the 3D view draws."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from engine.build import Material, Mesh, WorldBuilder, rect
from engine.build.shapes.solids import box
from engine.dat.records.mesh import Degrade
from engine.render.draws import AS_AUTHORED
from tests.gui.view3d.view_hands import difference, picture, redraw, stand, view_of
from tests.render.test_levels import with_levels

pytestmark = pytest.mark.gui

SOUTH = 180.0


@pytest.fixture
def corridor(tmp_path: Path) -> tuple[Path, int]:
    """A folder with a corridor of 90 m, at whose south end a red crate has nothing to be drawn from 70 m on."""
    builder = WorldBuilder()
    builder.define(Material("red paint", (255, 0, 0), luminosity=1.0))
    room = builder.room("corridor", rect(0.0, 0.0, 6.0, 90.0))
    builder.doorway(room, builder.room("closet", rect(0.0, 90.2, 6.0, 3.0)))
    room.put(Mesh.of("red", box(-2.5, -1.0, 0.0, 5.0, 2.0, 2.9, "red paint")), (3.0, 5.0))
    levels = [Degrade(number, AS_AUTHORED, 0.0, 20.0, 20.0) for number in (1, 0)]
    built = with_levels(builder, levels)
    return built.write(tmp_path / "corridor"), built.cell_id("corridor")


def red_pixels(image: QImage) -> int:
    """How many of the pixels of every second row and column are red."""
    colours = [image.pixelColor(x, y) for y in range(0, image.height(), 2) for x in range(0, image.width(), 2)]
    return sum(colour.red() > 2 * max(colour.green(), colour.blue()) for colour in colours)


def test_the_view_menu_switches_levels_of_detail_on_and_off(
    qtbot: QtBot, settings: QSettings, corridor: tuple[Path, int]
) -> None:
    folder, room_id = corridor
    with view_of(qtbot, settings, folder) as view:
        stand(qtbot, view, room_id, (3.0, 82.0, 1.5), SOUTH)
        (menu,) = [menu for menu in view.findChildren(QMenu) if menu.title() == "Detail"]
        (action,) = [action for action in menu.actions() if action.text() == "Levels of Detail"]
        assert not action.isChecked()
        assert "50 m" in action.toolTip()
        assert menu.toolTipsVisible()
        before = picture(view)
        action.trigger()
        redraw(qtbot, view)
        assert view.viewing.levels_of_detail
        without = picture(view)
        assert difference(without, before) > 0.0
        assert red_pixels(before) > 20
        assert red_pixels(without) == 0
        action.trigger()
        redraw(qtbot, view)
        assert difference(picture(view), before) == 0.0


def test_the_view_menu_switches_terrain_detail_on_and_off(qtbot: QtBot, settings: QSettings, tmp_path: Path) -> None:
    """A red tower stands two landblocks to the south of the eye."""
    builder = WorldBuilder()
    builder.define(Material("red paint", (255, 0, 0), luminosity=1.0))
    for row in (0x5B, 0x5D):
        land = builder.landblock(0xC900 | row, height=20.0)
        if row == 0x5B:
            land.put(Mesh.of("tower", box(-20.0, -20.0, 0.0, 40.0, 40.0, 60.0, "red paint")), (96.0, 150.0))
    folder = builder.build().write(tmp_path / "plain")
    with view_of(qtbot, settings, folder) as view:
        stand(qtbot, view, 0xC95D0021, (96.0, 20.0, 40.0), SOUTH)
        qtbot.waitUntil(lambda: red_pixels(picture(view)) > 20, timeout=20_000)
        (menu,) = [menu for menu in view.findChildren(QMenu) if menu.title() == "Detail"]
        (action,) = [action for action in menu.actions() if action.text() == "Terrain Detail"]
        assert not action.isChecked()
        assert "landblocks" in action.toolTip()
        action.trigger()
        redraw(qtbot, view)
        assert red_pixels(picture(view)) == 0
        action.trigger()
        redraw(qtbot, view)
        assert red_pixels(picture(view)) > 20
