"""Overlays over a picture: lines and triangles in the world, polygons on the screen (rendering.md 23)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine.render.gl import api
from engine.render.gl.overlay import OverlayDrawer
from engine.render.gl.uploads.tables import WORLD
from engine.render.overlays.geometry import Colour, Lines, OverlayGeometry, ScreenPolygon, Triangles
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.easel import HEIGHT, WIDTH, Easel, camera
from tests.render.gl.helpers.meshes import mesh_of, painted, wall_at

GREEN: Colour = (0, 255, 0, 255)
NOTHING: Colour = (0, 0, 0, 0)
CLEAR = (0, 0, 0)


class Sheet(Easel):
    def draw(self, overlays: OverlayGeometry) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        overlay = OverlayDrawer()
        overlay.draw(overlays, camera())
        overlay.close()
        return self.target.pixels()[:, :, :3]


@pytest.fixture
def sheet(targets: Targets) -> Iterator[Sheet]:
    made = Sheet(targets(WIDTH, HEIGHT))
    made.begin()
    yield made
    made.close()


def line(distance: float, width: float, hidden: float = 0.0, block_id: int = WORLD, shift: float = 0.0) -> Lines:
    """Level, through the centre of the picture and beyond both of its sides."""
    points = np.array([[(shift - 50.0, distance, 0.0), (shift + 50.0, distance, 0.0)]])
    return Lines(block_id, points, np.array([GREEN], np.uint8), width, hidden)


def triangle(distance: float, hidden: float = 0.0) -> Triangles:
    points = np.array([[(-50.0, distance, -50.0), (50.0, distance, -50.0), (0.0, distance, 80.0)]])
    return Triangles(WORLD, points, np.array([GREEN], np.uint8), hidden)


@pytest.mark.parametrize("width", [1.0, 2.0, 5.0])
def test_a_line_has_its_stated_width(width: float, sheet: Sheet) -> None:
    shown = sheet.draw(OverlayGeometry(lines=[line(10.0, width)]))
    green = (shown == GREEN[:3]).all(axis=2)
    assert green.any(axis=0).all()
    assert (abs(green.sum(axis=0) - width) <= 1).all()
    assert abs(float(np.flatnonzero(green.any(axis=1)).mean()) - HEIGHT / 2.0) <= 1.0


def test_a_line_from_behind_the_eye_is_clipped_where_it_enters_the_view(sheet: Sheet) -> None:
    points = np.array([[(0.0, -20.0, -1.0), (0.0, 20.0, -1.0)]])
    shown = sheet.draw(OverlayGeometry(lines=[Lines(WORLD, points, np.array([GREEN], np.uint8), 3.0)]))
    green = (shown == GREEN[:3]).all(axis=2)
    assert green[HEIGHT // 2 + 4 :, WIDTH // 2].all()
    assert not green[: HEIGHT // 2 - 2].any()


def test_a_line_of_another_landblock_is_at_that_landblock(sheet: Sheet) -> None:
    """The landblock to the east begins 192 m from the corner of the world."""
    shown = sheet.draw(OverlayGeometry(lines=[line(10.0, 3.0, block_id=0x0100FFFF, shift=-192.0)]))
    assert tuple(shown[HEIGHT // 2, WIDTH // 2]) == GREEN[:3]


@pytest.mark.parametrize(("hidden", "wanted"), [(0.0, 0), (0.25, 64), (1.0, 255)])
def test_a_line_behind_a_wall_is_as_faint_as_it_asks(hidden: float, wanted: int, sheet: Sheet) -> None:
    sheet.paint(sheet.add(mesh_of([wall_at(5.0)]), painted(0, 0, 0)))
    shown = sheet.draw(OverlayGeometry(lines=[line(10.0, 5.0, hidden)], triangles=[triangle(20.0, hidden)]))
    assert abs(int(shown[HEIGHT // 2 + 8, WIDTH // 2, 1]) - wanted) <= 1
    assert int(shown[HEIGHT // 2, WIDTH // 2, 1]) >= wanted


def test_a_line_on_a_wall_is_in_front_of_it(sheet: Sheet) -> None:
    sheet.paint(sheet.add(mesh_of([wall_at(10.0)]), painted(255, 0, 0)))
    shown = sheet.draw(OverlayGeometry(lines=[line(10.0, 3.0)]))
    assert (shown[HEIGHT // 2] == GREEN[:3]).all()


def test_triangles_are_visible_from_both_sides(sheet: Sheet) -> None:
    behind = triangle(10.0)
    turned = Triangles(WORLD, behind.points[:, ::-1].copy(), behind.colours)
    for each in (behind, turned):
        sheet.begin()
        assert tuple(sheet.draw(OverlayGeometry(triangles=[each]))[HEIGHT // 2, WIDTH // 2]) == GREEN[:3]


SQUARE = ((16.0, 36.0), (48.0, 36.0), (48.0, 12.0), (16.0, 12.0))


def test_a_polygon_of_the_screen_is_filled_to_the_pixel(sheet: Sheet) -> None:
    shown = sheet.draw(OverlayGeometry(screen_polygons=[ScreenPolygon(SQUARE, NOTHING, GREEN)]))
    green = (shown == GREEN[:3]).all(axis=2)
    assert green.sum() == 32 * 24
    assert green[12:36, 16:48].all()


def test_a_hatched_polygon_has_strokes(sheet: Sheet) -> None:
    shown = sheet.draw(OverlayGeometry(screen_polygons=[ScreenPolygon(SQUARE, NOTHING, GREEN, hatched=True)]))
    green = (shown == GREEN[:3]).all(axis=2)
    assert 0.1 < green[12:36, 16:48].mean() < 0.35
    assert not green[:12].any()


def test_a_polygon_of_the_screen_has_an_outline_and_its_corners_marked(sheet: Sheet) -> None:
    outline = ScreenPolygon(SQUARE, GREEN, NOTHING, width=2.0, vertices=True)
    shown = sheet.draw(OverlayGeometry(screen_polygons=[outline]))
    green = (shown == GREEN[:3]).all(axis=2)
    assert green[12, 20:44].all()
    assert green[20:30, 16].all()
    assert not green[16:32, 20:44].any()
    assert green[10:14, 14:18].all()


def test_overlays_restore_the_state_that_pictures_need(sheet: Sheet) -> None:
    polygon = ScreenPolygon(SQUARE, GREEN, GREEN)
    sheet.draw(OverlayGeometry([line(10.0, 1.0)], [triangle(9.0)], [polygon]))
    assert api.is_enabled(api.DEPTH_TEST)
    assert api.is_enabled(api.CULL_FACE)
    assert not api.is_enabled(api.BLEND)
    sheet.begin()
    sheet.paint(sheet.add(mesh_of([wall_at(5.0)]), painted(1, 2, 3)))
    assert sheet.middle() == (1, 2, 3)
