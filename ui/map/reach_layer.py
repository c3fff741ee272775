"""The reach of a survey on the map: one image of what was searched, by the storey that the map shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsPixmapItem

from editor.maps.landblock_plan import STOREY_GAP, Plan
from editor.models.survey.columns import Columns, grid_of
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
        self._images = ReachImages()
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
        made = self._images.image(result, plan, self._view.storey, colours)
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


@dataclass(frozen=True)
class _Spots:
    """The squares of the floors of one cell, and their colours: those on other storeys first, then the shown ones."""

    height: float
    corners: NDArray[np.floating]
    """The least and the greatest x and y."""
    parts: tuple[tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint32]], ...]


class ReachImages:
    """Makes images, and remembers what it made of each cell: while a search runs, few of them grow."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[object, _Spots]] = {}

    def image(self, result: SurveyResult, plan: Plan, storey: int, colours: ReachColours) -> ReachImage:
        """What was searched from above. Of places over each other the highest of the storey counts; of −1, of all."""
        self._made = {
            cell_id: self._spots(result, cell_id, plan, storey, colours)
            for cell_id in result.cells()
            if landblock_id(cell_id) == plan.landblock_id
        }
        cells = sorted((spots for _, spots in self._made.values()), key=lambda each: each.height)
        floors = [
            np.array(floor.corners, np.float64)
            for floor in result.unreached
            if landblock_id(floor.cell_id) == result.block_id
        ]
        squares = _squares_of([*(each.corners for each in cells), *floors])
        pixels = np.zeros(squares.rows * squares.columns, np.uint32)
        for part in range(2):
            for each in cells:
                x, y, paint = each.parts[part]
                column, row = x - squares.west, squares.north - 1 - y
                fits = (column >= 0) & (column < squares.columns) & (row >= 0) & (row < squares.rows)
                pixels[(row * squares.columns + column)[fits]] = paint[fits]
        data, form = pixels.tobytes(), QImage.Format.Format_RGBA8888
        image = QImage(data, squares.columns, squares.rows, squares.columns * 4, form).copy()  # outlives the bytes
        shown = [each for each in floors if storey < 0 or plan.storey_of(float(each[:, 2].mean())) == storey]
        _add_unreached(image, shown, squares)
        return ReachImage(image, squares.west * GRID, squares.north * GRID)

    def _spots(
        self, result: SurveyResult, cell_id: int, plan: Plan, storey: int, colours: ReachColours
    ) -> tuple[object, _Spots]:
        part = result.part_of(cell_id)
        columns = Columns() if part is None else part.columns
        is_stale = cell_id in result.stale
        key = (columns, columns.grown.get(cell_id), is_stale, storey, colours, tuple(plan.storeys or ()))
        known = self._made.get(cell_id)
        if known is not None and known[0] == key:
            return known
        states = columns.of_cell(cell_id)
        x, y, z = (states[axis] for axis in "xyz")
        table = np.array(BY_HOW if colours is ReachColours.HOW else BY_SOON, np.uint8)
        there = np.full(len(states), storey < 0) if storey < 0 else _storeys(plan, z) == storey
        size = round(grid_of(cell_id, states) / GRID)
        columns_of, rows_of = (np.floor(each / (GRID * size)).astype(int) * size for each in (x, y))
        across, up = (each.ravel() for each in np.meshgrid(np.arange(size), np.arange(size)))
        upward = np.argsort(z, kind="stable")
        parts = []
        for wanted, opacity in ((False, FAINT), (True, 1.0)):
            shown = upward[there[upward] == wanted]
            paint = table[classes_of(states["how"][shown], states["since"][shown], colours)]
            if is_stale:
                paint[:] = STALE
            paint[:, 3] = round(255 * opacity)
            spread = (columns_of[shown, None] + across, rows_of[shown, None] + up)
            colour = np.repeat(np.ascontiguousarray(paint).view(np.uint32)[:, 0], len(across))
            parts.append((spread[0].ravel(), spread[1].ravel(), colour))
        corners = np.array([[x.min(), y.min()], [x.max(), y.max()]])
        return key, _Spots(float(z.mean()), corners, tuple(parts))


def _squares_of(points: list[NDArray[np.floating]]) -> _Squares:
    """Those around all points, as far as an image may go."""
    if not points:
        return _Squares(0, 0, 1, 1)
    lows, highs = (np.stack([of(each[:, :2], axis=0) for each in points]) for of in (np.min, np.max))
    (west, south), (east, north) = (each / GRID for each in (lows.min(axis=0), highs.max(axis=0)))
    left, low = int(np.floor(west / COARSE)) * COARSE, int(np.floor(south / COARSE)) * COARSE
    columns, rows = int(np.ceil(east / COARSE + 1)) * COARSE - left, int(np.ceil(north / COARSE + 1)) * COARSE - low
    return _Squares(left, low, min(columns, LARGEST), min(rows, LARGEST))


def _storeys(plan: Plan, heights: NDArray[np.floating]) -> NDArray[np.intp]:
    """`Plan.storey_of` for many heights."""
    lows = np.array(plan.storeys or [0.0]) - STOREY_GAP / 2
    return np.maximum(np.searchsorted(lows, heights, side="right") - 1, 0)


def _add_unreached(image: QImage, floors: list[NDArray[np.float64]], squares: _Squares) -> None:
    painter = QPainter(image)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(*UNREACHED))
    for corners in floors:
        points = [(x / GRID - squares.west, squares.north - y / GRID) for x, y in corners[:, :2].tolist()]
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    painter.end()
