"""The reach of a survey on the map: one image of what was searched, by the storey that the map shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QImage, QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsPixmapItem

from editor.maps.landblock_plan import STOREY_GAP, Plan
from editor.models.survey.columns import grid_of
from editor.models.survey.shown import Where
from editor.models.survey.watch import SurveyWatch
from engine.render.overlays.reach import (
    BY_HOW,
    BY_SOON,
    GRID,
    STALE,
    UNREACHED,
    ReachColours,
    classes_of,
)
from engine.world.cells.ids import landblock_id
from ui.map.landblock_map import CELLS, MapView

if TYPE_CHECKING:
    from editor.models.survey.results import SurveyResult

LARGEST: Final = 4096
"""Pixels of a side: a kilometre. Dungeons go beyond their landblock's square, and damaged ones anywhere."""
FARTHEST: Final = 1e6
"""Metres: beyond that nothing is where it seems."""
COARSE: Final = 4
"""Squares of the coarsest grid that is searched: its edges are edges of the image."""
OPACITY: Final = 0.6
FAINT: Final = 0.2
"""Of that, what is on another storey."""
PACE_MS: Final = 600
"""While it is searched, the image is made anew so often."""


class ReachLayer(QObject):
    """Lies over the rooms and below what joins them. Made when the map is visible."""

    def __init__(self, view: MapView, watch: SurveyWatch) -> None:
        super().__init__(view)
        self._view = view
        self._watch = watch
        self.item: QGraphicsPixmapItem | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.refresh)
        watch.reached.connect(self._later)
        watch.shown.changed.connect(self.refresh)
        view.shown.connect(self._later)
        view.rebuilt.connect(self._on_rebuilt)

    @Slot()
    def _later(self) -> None:
        if not self._timer.isActive():
            self._timer.start(PACE_MS if self._watch.is_running else 0)

    @Slot()
    def _on_rebuilt(self) -> None:
        """The map has drawn everything anew, and dropped this item."""
        self.item = None
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        plan, result = self._view.plan, self._watch.result
        is_shown = Where.MAP in self._watch.shown.where and self._view.isVisible()
        if plan is None or result is None or not is_shown or plan.landblock_id != result.block_id:
            if self.item is not None:
                self._view.scene().removeItem(self.item)
                self.item = None
            return
        colours = ReachColours.SOON if self._watch.shown.by_time else ReachColours.HOW
        made = reach_image(result, plan, self._view.storey, colours)
        if self.item is None:
            self.item = QGraphicsPixmapItem()
            self.item.setTransform(QTransform.fromScale(GRID, GRID))
            self.item.setZValue(CELLS + 0.9)
            self.item.setOpacity(OPACITY)
            self.item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
            self._view.scene().addItem(self.item)
        self.item.setPos(made.west, -made.north)
        self.item.setPixmap(QPixmap.fromImage(made.image))


@dataclass(frozen=True)
class ReachImage:
    """North up, with the metres of its edges."""

    image: QImage
    west: float
    north: float


@dataclass(frozen=True)
class _Squares:
    """The squares of the grid that an image has as pixels, north up."""

    west: int
    south: int
    columns: int
    rows: int

    @property
    def north(self) -> int:
        return self.south + self.rows


def reach_image(result: SurveyResult, plan: Plan, storey: int, colours: ReachColours) -> ReachImage:
    """What was searched from above. Of places over each other the highest of the storey counts; of −1, of all."""
    table = np.array(BY_HOW if colours is ReachColours.HOW else BY_SOON, np.uint8)
    cells = [
        (cell_id, result.states_of(cell_id)) for cell_id in result.cells() if landblock_id(cell_id) == plan.landblock_id
    ]
    cells.sort(key=lambda each: float(each[1]["z"].mean()))
    floors = [
        np.array(floor.corners, np.float64)
        for floor in result.unreached
        if landblock_id(floor.cell_id) == result.block_id
    ]
    squares = _squares_of([np.stack((states["x"], states["y"]), 1) for _, states in cells] + floors)
    pixels = np.zeros((squares.rows, squares.columns, 4), np.uint8)
    for wanted, opacity in ((False, FAINT), (True, 1.0)):
        for cell_id, states in cells:
            there = np.full(len(states), storey < 0) if storey < 0 else _storeys(plan, states["z"]) == storey
            shown = states[there == wanted]
            shown = shown[np.argsort(shown["z"], kind="stable")]
            paint = table[classes_of(shown["how"], shown["since"], colours)]
            if cell_id in result.stale:
                paint[:] = STALE
            paint[:, 3] = round(255 * opacity)
            size = round(grid_of(cell_id, states) / GRID)
            metres = (np.clip(shown[axis], -FARTHEST, FARTHEST) for axis in "xy")
            x, y = (np.floor(each / (GRID * size)).astype(int) * size for each in metres)
            for across in range(size):
                for up in range(size):
                    column, row = x + across - squares.west, squares.north - 1 - y - up
                    fits = (column >= 0) & (column < squares.columns) & (row >= 0) & (row < squares.rows)
                    pixels[row[fits], column[fits]] = paint[fits]
    for corners in floors:
        if storey < 0 or plan.storey_of(float(corners[:, 2].mean())) == storey:
            _add_unreached(pixels, corners, squares)
    data, form = pixels.tobytes(), QImage.Format.Format_RGBA8888
    image = QImage(data, squares.columns, squares.rows, squares.columns * 4, form).copy()  # it has to outlive the bytes
    return ReachImage(image, squares.west * GRID, squares.north * GRID)


def _squares_of(points: list[NDArray[np.floating]]) -> _Squares:
    """Those around all points, as far as an image may go."""
    if not points:
        return _Squares(0, 0, 1, 1)
    lows, highs = (np.stack([of(each[:, :2], axis=0) for each in points]) for of in (np.min, np.max))
    (west, south), (east, north) = (
        np.clip(each, -FARTHEST, FARTHEST) / GRID for each in (lows.min(axis=0), highs.max(axis=0))
    )
    left, low = int(np.floor(west / COARSE)) * COARSE, int(np.floor(south / COARSE)) * COARSE
    columns, rows = int(np.ceil(east / COARSE + 1)) * COARSE - left, int(np.ceil(north / COARSE + 1)) * COARSE - low
    return _Squares(left, low, min(columns, LARGEST), min(rows, LARGEST))


def _storeys(plan: Plan, heights: NDArray[np.floating]) -> NDArray[np.intp]:
    """`Plan.storey_of` for many heights."""
    lows = np.array(plan.storeys or [0.0]) - STOREY_GAP / 2
    return np.maximum(np.searchsorted(lows, heights, side="right") - 1, 0)


def _add_unreached(pixels: NDArray[np.uint8], corners: NDArray[np.float64], squares: _Squares) -> None:
    (x0, y0), (x1, y1) = corners[:, :2].min(axis=0) / GRID, corners[:, :2].max(axis=0) / GRID
    columns = np.arange(*_within(x0, x1, squares.west, squares.columns))
    rows = np.arange(*_within(y0, y1, squares.south, squares.rows))
    xs, ys = np.meshgrid((columns + 0.5) * GRID, (rows + 0.5) * GRID)
    at_row, at_column = np.nonzero(_inside(corners[:, :2], xs, ys))
    pixels[squares.north - 1 - rows[at_row], columns[at_column] - squares.west] = np.array(UNREACHED, np.uint8)


def _within(low: float, high: float, first: int, count: int) -> tuple[int, int]:
    """The first square of a stretch in the image, and the one after its last."""
    return int(np.clip(np.floor(low), first, first + count)), int(np.clip(np.ceil(high), first, first + count))


def _inside(corners: NDArray[np.float64], xs: NDArray[np.float64], ys: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether points are in a convex polygon, whichever way round it goes."""
    signs = [
        (bx - ax) * (ys - ay) - (by - ay) * (xs - ax)
        for (ax, ay), (bx, by) in zip(corners.tolist(), np.roll(corners, -1, axis=0).tolist(), strict=True)
    ]
    stacked = np.stack(signs)
    inside: NDArray[np.bool_] = np.all(stacked >= 0.0, axis=0) | np.all(stacked <= 0.0, axis=0)
    return inside
