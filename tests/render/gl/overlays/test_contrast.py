"""Overlay lines stand out from any ground, by their pixels and those next to them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from engine.render.gl.overlay import OverlayDrawer
from engine.render.gl.uploads.tables import WORLD
from engine.render.overlays import heat, palette
from engine.render.overlays.geometry import CASING, THINNEST, Colour, Lines, OverlayGeometry, ScreenPolygon
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.easel import HEIGHT, WIDTH, Easel, camera

PALE_PLASTER = (0.87, 0.83, 0.74)
DARK_EARTH = (0.09, 0.08, 0.06)
GRASS = (0.35, 0.45, 0.20)
READABLE = 3.0
"""The contrast that parts of a picture need (WCAG 2, 1.4.11)."""

NAMES = {name: value for name, value in vars(palette).items() if name.isupper() and isinstance(value, tuple)}
NAMES |= {f"depth {number}": colour for number, colour in enumerate(heat.RAMP)}
NAMES |= {f"cell {number}": palette.colour_of_cell(number) for number in range(5)}
NAMES |= {"black": (0, 0, 0, 255)}


@pytest.fixture(params=[PALE_PLASTER, GRASS, DARK_EARTH], ids=["plaster", "grass", "earth"])
def ground(request: pytest.FixtureRequest, targets: Targets) -> Iterator[Easel]:
    made = Easel(targets(WIDTH, HEIGHT))
    made.begin(clear=request.param)
    yield made
    made.close()


def luminance(pixel: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> float:
    parts = pixel[:3] / 255.0
    linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(a: float, b: float) -> float:
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def column(easel: Easel, overlays: OverlayGeometry) -> list[float]:
    """The luminance of every pixel of a column in the middle."""
    overlays.fit_to_pixels(1.0)
    drawer = OverlayDrawer()
    drawer.draw(overlays, camera())
    drawer.close()
    return [luminance(pixel) for pixel in easel.target.pixels()[:, WIDTH // 2]]


def level(colour: Colour) -> Lines:
    points = np.array([[(-50.0, 10.0, 0.05), (50.0, 10.0, 0.05)]])
    return Lines(WORLD, points, np.array([colour], np.uint8))


def clearest(found: list[float]) -> float:
    """The best contrast between a pixel and the next."""
    return max(contrast(a, b) for a, b in pairwise(found))


@pytest.mark.parametrize("name", NAMES)
def test_a_line_of_any_colour_stands_out_from_its_neighbours(name: str, ground: Easel) -> None:
    assert clearest(column(ground, OverlayGeometry(lines=[level(NAMES[name])]))) >= READABLE


def test_an_outline_on_the_screen_stands_out_from_its_neighbours(ground: Easel) -> None:
    square = ((4.0, 36.0), (60.0, 36.0), (60.0, 12.0), (4.0, 12.0))
    outline = ScreenPolygon(square, palette.SELECTED, (0, 0, 0, 0))
    assert clearest(column(ground, OverlayGeometry(screen_polygons=[outline]))) >= READABLE


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_lines_have_a_least_width_in_pixels_of_the_window(ratio: float) -> None:
    square = ((4.0, 36.0), (60.0, 36.0), (60.0, 12.0))
    thick = Lines(WORLD, np.zeros((1, 2, 3)), np.zeros((1, 4), np.uint8), 4.0)
    overlays = OverlayGeometry([level(palette.SELECTED), thick], [], [ScreenPolygon(square, (1, 1, 1, 1), (0,) * 4)])
    overlays.fit_to_pixels(ratio)
    assert [lines.width for lines in overlays.lines] == [THINNEST * ratio, 4.0 * ratio]
    assert overlays.screen_polygons[0].width == THINNEST * ratio
    assert {lines.casing for lines in overlays.lines} == {overlays.screen_polygons[0].casing} == {CASING * ratio}
    assert THINNEST >= 1.5


def test_no_casing_crosses_another_line(targets: Targets) -> None:
    easel = Easel(targets(WIDTH, HEIGHT))
    easel.begin()
    upright = np.array([[(0.02, 10.0, -50.0), (0.02, 10.0, 50.0)]])
    green = np.array([(0, 255, 0, 255)], np.uint8)
    overlays = OverlayGeometry(lines=[level((0, 255, 0, 255)), Lines(WORLD, upright, green, 3.0)])
    overlays.fit_to_pixels(1.0)
    drawer = OverlayDrawer()
    drawer.draw(overlays, camera())
    drawer.close()
    shown = (easel.target.pixels()[:, :, :3] == (0, 255, 0)).all(axis=2)
    assert shown.any(axis=0).all(), "the level line is whole, and so is the upright one"
    assert shown.any(axis=1).all()
    easel.close()
