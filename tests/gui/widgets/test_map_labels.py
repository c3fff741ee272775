"""Names on the landblock map never cover each other or a mark, and the ground shows its types and hills."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QGraphicsItem
from pytestqt.qtbot import QtBot

from editor.maps.landblock_plan import PlanGround, make_plan
from editor.session.session import Kind, Selection
from engine.build.demo import ensure_demo
from engine.world.loader import open_world
from ui.map.landblock_map import MapView
from ui.map.terrain_colours import COLOURS, ground_image
from ui.theme.theme import DARK, LIGHT, Colours

pytestmark = pytest.mark.gui

VILLAGE, DUNGEON = 0xC95BFFFF, 0x0007FFFF
BOTH_THEMES = pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
NOTCHES = 24


def shown_map(qtbot: QtBot, block_id: int, colours: Colours = DARK) -> MapView:
    view = MapView(colours)
    qtbot.addWidget(view)
    view.resize(620, 480)
    with open_world(ensure_demo()) as world:
        block = world.landblock(block_id)
        assert block is not None
        view.set_plan(make_plan(world, block))
    view.show()
    qtbot.waitExposed(view)
    return view


def wheel(view: MapView, at: QPointF, notches: int) -> None:
    port = view.viewport()
    event = QWheelEvent(
        at,
        QPointF(port.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(port, event)


def drawn(view: MapView, item: QGraphicsItem, box: QRectF) -> QRectF:
    """Where an item's box is on the viewport."""
    return item.deviceTransform(view.viewportTransform()).mapRect(box)


def names(view: MapView) -> dict[str, QRectF]:
    return {
        f"{number} {label.text()}": drawn(view, label, label.boundingRect())
        for number, label in enumerate(view.labels.shown)
    }


def marks(view: MapView) -> dict[str, QRectF]:
    return {
        f"mark of {key:X}": drawn(view, item, item.path().boundingRect())
        for (is_entity, key), item in view._thing_items.items()
        if is_entity and item.opacity() > 0.5
    }


@pytest.mark.parametrize("block_id", [VILLAGE, DUNGEON], ids=["village", "dungeon"])
@pytest.mark.parametrize("storey", [-1, 0, 1])
def test_names_cover_neither_each_other_nor_a_mark_at_any_zoom(qtbot: QtBot, block_id: int, storey: int) -> None:
    view = shown_map(qtbot, block_id)
    view.set_storey(storey)
    view.fit()
    wheel(view, view.middle(), -12)
    counts = []
    for step in range(2 * NOTCHES):
        wheel(view, QPointF(view.viewport().width() * 0.7, view.viewport().height() * 0.4), 1)
        found = names(view)
        covering = [
            (one, other)
            for (one, box), (other, near) in combinations([*found.items(), *marks(view).items()], 2)
            if box.intersects(near) and not (one.startswith("mark") and other.startswith("mark"))
        ]
        assert covering == [], f"step {step}, {view.pixels_per_metre():.2f} pixels per metre"
        counts.append(len(found))
    assert counts[0] == 0, "nothing is named where a room is a few pixels"
    assert max(counts) > (15 if storey < 0 else 0)


def test_the_selected_room_is_named_before_all_others(qtbot: QtBot) -> None:
    view = shown_map(qtbot, VILLAGE)
    before = {label.text() for label in view.labels.shown}
    hidden = next(key for key in sorted(view._cell_items) if not any(f"{key & 0xFFFF:04X}" in text for text in before))
    view.set_selection(Selection(Kind.CELL, VILLAGE, hidden), frozenset())
    assert any(f"{hidden & 0xFFFF:04X}" in label.text() for label in view.labels.shown)
    view.set_selection(None, frozenset())
    assert {label.text() for label in view.labels.shown} == before


def test_names_make_room_for_the_player_as_he_walks(qtbot: QtBot) -> None:
    view = shown_map(qtbot, VILLAGE)
    view.fit()
    wheel(view, view.middle(), 1)
    covered = 0
    for step in range(120):
        view.set_player((50.0 + 0.6 * step, 108.0, 3.0 * step))
        assert view._mark is not None
        mark = drawn(view, view._mark, view._mark.path().boundingRect())
        found = names(view)
        assert [name for name, box in found.items() if box.intersects(mark)] == []
        covered += len(found)
    assert covered > 120 * 5


# --- the ground


def ground(kinds: NDArray[np.int64], heights: NDArray[np.float64]) -> PlanGround:
    side = len(kinds)
    flat = tuple(kinds.ravel().tolist())
    return PlanGround(side, flat, (False,) * (side * side), tuple(heights.ravel().tolist()))


def level(picture: PlanGround, colours: Colours, x: float, y: float) -> NDArray[np.float64]:
    """The colour at a place, from 0 to 1 eastwards and southwards."""
    image = ground_image(picture, colours)
    colour = image.pixelColor(int(x * image.width()), int(y * image.height()))
    return np.array([colour.red(), colour.green(), colour.blue()], float)


@BOTH_THEMES
def test_slopes_towards_the_north_west_are_lit_and_others_shaded(colours: Colours) -> None:
    rows, columns = np.mgrid[0:32, 0:32]
    hill = 20.3 - 0.5 * (np.abs(rows - 15.5) + np.abs(columns - 15.5))
    picture = ground(np.ones((32, 32), int), hill)
    flat = level(ground(np.ones((32, 32), int), np.full((32, 32), 20.0)), colours, 0.3, 0.3).mean()
    lit = np.mean([level(picture, colours, at, at) for at in np.linspace(0.15, 0.35, 40)])
    shaded = np.mean([level(picture, colours, at, at) for at in np.linspace(0.65, 0.85, 40)])
    assert lit > 1.05 * flat > flat > 1.15 * shaded


@BOTH_THEMES
def test_types_of_ground_have_colours_that_differ(colours: Colours) -> None:
    by_name = {}
    for name, kind in (("rock", 0), ("grass", 1), ("dirt", 5), ("sand", 10), ("snow", 2), ("water", 16)):
        assert name in COLOURS
        by_name[name] = level(ground(np.full((8, 8), kind), np.full((8, 8), 20.0)), colours, 0.5, 0.5)
    for one, other in combinations(by_name, 2):
        assert np.abs(by_name[one] - by_name[other]).max() > 12.0, (one, other)
    red, _, blue = by_name["water"]
    assert blue > red + 25.0
    _, green, blue = by_name["grass"]
    assert green > blue + 15.0


def test_contour_lines_are_drawn_every_four_metres_and_none_on_flat_land() -> None:
    slope = np.linspace(21.0, 36.9, 64)[None, :] * np.ones((64, 1))
    image = ground_image(ground(np.ones((64, 64), int), slope), DARK)
    row = [image.pixelColor(x, 200).lightness() for x in range(image.width())]
    usual = np.median(row)
    assert sum(1 for x in range(1, len(row)) if row[x] > usual + 8 >= row[x - 1]) == 4
    flat = ground_image(ground(np.ones((64, 64), int), np.full((64, 64), 20.0)), DARK)
    assert len({flat.pixel(x, y) for x in range(0, 384, 7) for y in range(0, 384, 7)}) == 1
