"""Pictures of models in catalogues: drawn by the renderer while the window is idle, kept, released with the world."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage
from pytestqt.qtbot import QtBot

from editor.authoring.catalogue import models
from engine.build import WorldBuilder, rect
from engine.build.shapes.furniture import barrel, crate
from tests.gui.docks.live_hands import raise_dock
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.doors import DoorsPanel
from ui.view3d.thumbnails import DRAWN, SIZE, Thumbnails
from ui.view3d.viewport import Viewport
from ui.window.central_area import PICTURE
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room with a crate and a barrel, and another behind a door."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=2.8)
    world.door(hall, world.room("study", rect(6.2, 0, 4, 4), height=2.8))
    hall.put(crate(), (1, 1))
    hall.put(barrel(), (5, 3.3))
    folder = tmp_path_factory.mktemp("furnished")
    world.build().write(folder)
    return folder


@pytest.fixture
def viewport(qtbot: QtBot, opened: MainWindow) -> Viewport:
    found = opened.viewport
    assert found is not None
    opened.centre.choose_page(PICTURE)
    qtbot.waitUntil(lambda: found.drawn > 0)
    return found


def image_of(icon: QIcon) -> QImage:
    return icon.pixmap(QSize(DRAWN, DRAWN), 1.0).toImage().convertToFormat(QImage.Format.Format_RGB32)


def colours_of(image: QImage) -> dict[int, int]:
    found: dict[int, int] = {}
    for y in range(image.height()):
        for x in range(image.width()):
            pixel = image.pixel(x, y)
            found[pixel] = found.get(pixel, 0) + 1
    return found


def test_a_models_picture_shows_all_of_it_with_its_sides_apart(
    qtbot: QtBot, opened: MainWindow, viewport: Viewport
) -> None:
    sheet = QColor(opened.colours.raised)
    for model in models(opened.document.sim):
        image = viewport.model_image(model.id, DRAWN)
        assert image is not None
        assert (image.width(), image.height()) == (DRAWN, DRAWN)
        edge = [image.pixelColor(x, y) for x in range(DRAWN) for y in (0, DRAWN - 1)]
        edge += [image.pixelColor(x, y) for y in range(DRAWN) for x in (0, DRAWN - 1)]
        assert all(_near(pixel, sheet) for pixel in edge), "nothing is cut off"
        shown = [1 for x in range(DRAWN) for y in range(DRAWN) if not _near(image.pixelColor(x, y), sheet)]
        assert len(shown) > DRAWN * DRAWN * 0.08
        assert len(colours_of(image)) >= 3, "its sides are lit differently"


def _near(one: QColor, other: QColor) -> bool:
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return all(abs(a - b) <= 2 for a, b in pairs)


def test_a_picture_leaves_the_frame_of_the_3d_view_as_it_is(opened: MainWindow, viewport: Viewport) -> None:
    viewport.draw_again()
    before = viewport.grab_picture()
    for model in models(opened.document.sim):
        viewport.model_image(model.id, DRAWN)
    viewport.draw_again()
    assert viewport.grab_picture() == before


def test_the_catalogue_of_statics_fills_with_pictures(qtbot: QtBot, opened: MainWindow, viewport: Viewport) -> None:
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    page = opened.docks.panel(CellPanel).static_page
    page.add_menu.aboutToShow.emit()
    entries, wanted = page.add_menu.actions(), models(opened.document.sim)
    assert len(entries) == len(wanted) >= 3
    blank = image_of(entries[0].icon())
    assert len(colours_of(blank)) == 1, "an empty square until it is drawn"
    qtbot.waitUntil(lambda: all(viewport.thumbnails.has(model.id) for model in wanted))
    pictures = [image_of(entry.icon()) for entry in entries]
    assert all(len(colours_of(picture)) >= 3 for picture in pictures)
    assert len({bytes(picture.constBits()) for picture in pictures}) == len(pictures), "each shows its own model"


def test_doors_show_their_model_too(qtbot: QtBot, opened: MainWindow, viewport: Viewport) -> None:
    panel = opened.docks.panel(DoorsPanel)
    panel.add_menu.aboutToShow.emit()
    entry = next(action for action in panel.add_menu.actions() if not action.isSeparator())
    model_id = opened.document.sim.population.doors[0].setup.id
    qtbot.waitUntil(lambda: viewport.thumbnails.has(model_id))
    assert len(colours_of(image_of(entry.icon()))) > 3


def test_pictures_come_one_at_a_time_and_wait_while_time_runs(qtbot: QtBot) -> None:
    drawn: list[int] = []
    busy = [True]

    def draw(model_id: int, size: int) -> QImage:
        drawn.append(model_id)
        return QImage(size, size, QImage.Format.Format_RGB32)

    made = Thumbnails(draw, lambda: busy[0])
    for model_id in (1, 2, 2, 3):
        made.icon(model_id)
    with qtbot.waitSignal(made._timer.timeout):
        pass
    assert drawn == []
    busy[0] = False
    with qtbot.waitSignal(made.ready):
        pass
    assert drawn == [1]
    assert made.waiting == 2
    qtbot.waitUntil(lambda: made.waiting == 0)
    made.icon(2)
    assert drawn == [1, 2, 3]


def test_another_world_releases_the_pictures_of_the_last_one(
    qtbot: QtBot, opened: MainWindow, viewport: Viewport, house: Path
) -> None:
    model_id = models(opened.document.sim)[0].id
    viewport.thumbnails.icon(model_id)
    qtbot.waitUntil(lambda: viewport.thumbnails.has(model_id))
    with qtbot.waitSignal(opened.session.faults_changed, timeout=20_000):
        opened.open(str(house))
    assert not viewport.thumbnails.has(model_id)


def test_no_picture_stalls_a_frame(opened: MainWindow, viewport: Viewport) -> None:
    longest = 0.0
    for model in models(opened.document.sim):
        began = time.process_time()
        viewport.model_image(model.id, DRAWN)
        longest = max(longest, time.process_time() - began)
    assert longest < 0.1
    assert SIZE * 2 == DRAWN
