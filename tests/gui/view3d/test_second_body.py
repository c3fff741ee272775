"""The second of two runs in the 3D view: its pixels, where both bodies are apart and where they are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from engine.render.overlays.palette import SECOND
from engine.render.viewer.viewer import View
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from tests.gui.view3d.view_hands import picture, redraw, rest, stand, view_of, viewer_of
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL = 0x00070100
RUN = Controls(forward=1.0, run=True)
SLOW, FAST = [("run_skill", 1.0)], [("run_skill", 800.0)]
TICKS = 6


@pytest.fixture
def hall(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    """The player in the west of the hall, looking east; the free camera looks at him from the north."""
    with view_of(qtbot, settings, house) as shown:
        shown.document.edit("stand", Teleport(HALL, 1.0, 2.0, 0.0, 90.0))
        stand(qtbot, shown, HALL, (2.2, 3.9, 1.5), 180.0, -15.0)
        yield shown


def of_second(window: MainWindow) -> int:
    """Pixels with the hue of the second run, whatever their shade, in every second row and column."""
    image, (r, g, b, _) = picture(window), SECOND
    found = 0
    for y in range(0, image.height(), 2):
        for x in range(0, image.width(), 2):
            seen = image.pixelColor(x, y)
            red, green, blue = seen.red(), seen.green(), seen.blue()
            if red > 60 and abs(green / red - g / r) < 0.08 and abs(blue / red - b / r) < 0.12:
                found += 1
    return found


def run(qtbot: QtBot, window: MainWindow, numbers: list[tuple[str, float]]) -> None:
    """Compare with another body, and run."""
    assert window.compare.compare_body(numbers)
    window.document.tick_many(TICKS, RUN)
    qtbot.waitUntil(lambda: window.compare.compared >= TICKS)


def test_a_body_apart_is_drawn_until_the_comparison_ends(qtbot: QtBot, hall: MainWindow) -> None:
    assert of_second(hall) == 0
    run(qtbot, hall, SLOW)
    redraw(qtbot, hall)
    assert of_second(hall) > 500
    labels = [] if hall.viewing.last is None else [label.text for label in hall.viewing.last.overlays.labels]
    assert [text for text in labels if text.startswith("◇ run_skill 1, ")]
    hall.compare.stop()
    redraw(qtbot, hall)
    assert of_second(hall) == 0


def test_bodies_in_one_place_have_a_small_sign(qtbot: QtBot, hall: MainWindow) -> None:
    assert hall.compare.compare_body(SLOW)
    hall.document.tick_many(TICKS)
    qtbot.waitUntil(lambda: hall.compare.compared >= TICKS)
    redraw(qtbot, hall)
    assert 0 < of_second(hall) < 200
    assert hall.viewing.last is not None
    assert not [label for label in hall.viewing.last.overlays.labels if label.text.startswith("◇")]


def test_the_second_body_is_where_it_was_at_the_shown_tick(qtbot: QtBot, hall: MainWindow) -> None:
    run(qtbot, hall, SLOW)
    redraw(qtbot, hall)
    apart = of_second(hall)
    hall.document.go_to(hall.document.sim.tick_number - TICKS)
    redraw(qtbot, hall)
    assert of_second(hall) < apart / 4, "nothing has run yet"


def test_it_is_seen_through_the_players_eyes(qtbot: QtBot, hall: MainWindow) -> None:
    run(qtbot, hall, FAST)
    hall.viewing.camera.look_through(View.FIRST_PERSON)
    rest(qtbot, hall)
    assert viewer_of(hall).view is View.FIRST_PERSON
    assert of_second(hall) > 100
