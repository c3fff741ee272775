"""The parts of pyqtgraph that the Timeline uses, with types: one view box, its time axis, and curves in it.

Only this module imports pyqtgraph, which has no types of its own. The import takes some
0.2 s, so nobody imports this module before there is something to draw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pyqtgraph
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsView, QWidget

GRID_ALPHA: Final = 110
"""Alpha of the grid, of 255."""
AXIS_HEIGHT: Final = 18
LINE: Final = 1.0
DASHES: Final = (5.0, 3.0)

Ticks = list[tuple[float, str]]


class Curve:
    """A line through points; each says whether it is joined to the next."""

    def __init__(self, item: Any, *, dashed: bool) -> None:
        self._item = item
        self._dashed = dashed

    def set_points(self, x: NDArray[np.float64], y: NDArray[np.float64], joined: NDArray[np.bool_]) -> None:
        self._item.setData(x, y, connect=joined, skipFiniteCheck=True)

    def set_colour(self, colour: str) -> None:
        self._item.setPen(pyqtgraph.mkPen(colour, width=LINE, dash=DASHES if self._dashed else None))

    def set_visible(self, visible: bool) -> None:
        self._item.setVisible(visible)


class Canvas:
    """A graphics view with one view box over one time axis. x is in ticks, y in pixels from the top of the box."""

    def __init__(self, parent: QWidget, changed: Callable[[], None]) -> None:
        """`changed` is called when the ticks in view or the size of the box change."""
        pyqtgraph.setConfigOptions(exitCleanup=False)  # it would search all objects of the program at its end
        self._view = pyqtgraph.GraphicsView(parent)
        self._layout = pyqtgraph.GraphicsLayout()
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._view.setCentralItem(self._layout)
        self._box = pyqtgraph.ViewBox(enableMenu=False, enableMouse=False, invertY=True, defaultPadding=0.0)
        self._box.disableAutoRange()
        self._axis = pyqtgraph.AxisItem("bottom", maxTickLength=0)
        self._axis.linkToView(self._box)
        self._axis.setHeight(AXIS_HEIGHT)
        self._axis.setStyle(tickTextOffset=3)
        self._axis.setGrid(GRID_ALPHA)
        self._axis.setZValue(-100)
        self._axis.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._layout.addItem(self._box, 0, 0)
        self._layout.addItem(self._axis, 1, 0)
        self._changed = changed
        self._box.sigXRangeChanged.connect(self._tell)
        self._box.sigResized.connect(self._tell)

    def _tell(self, *_: object) -> None:
        self._changed()

    @property
    def view(self) -> QGraphicsView:
        view: QGraphicsView = self._view
        return view

    @property
    def box_item(self) -> QGraphicsItem:
        """The parent for hand-painted items, in pixels of the box."""
        item: QGraphicsItem = self._box
        return item

    @property
    def box(self) -> QRectF:
        """Where the view box is, in pixels of the view."""
        place: QRectF = self._box.sceneBoundingRect()
        return place

    # --- the ticks in view

    @property
    def x_range(self) -> tuple[float, float]:
        low, high = self._box.viewRange()[0]
        return float(low), float(high)

    def set_x_range(self, low: float, high: float) -> None:
        self._box.setXRange(low, high, padding=0.0)

    def fit_height(self) -> None:
        """Map y to pixels after the height of the box has changed."""
        self._box.setYRange(0.0, max(self.box.height(), 1.0), padding=0.0)

    def set_ticks(self, ticks: Ticks) -> None:
        self._axis.setTicks([ticks])

    # --- what is drawn

    def add_curve(self, *, dashed: bool = False) -> Curve:
        item = pyqtgraph.PlotCurveItem()
        item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._box.addItem(item, ignoreBounds=True)
        return Curve(item, dashed=dashed)

    def remove_curve(self, curve: Curve) -> None:
        self._box.removeItem(curve._item)

    def set_style(self, ground: str, line: str, text: str, font: QFont) -> None:
        self._view.setBackground(ground)
        self._axis.setPen(QPen(QColor(line)))
        self._axis.setTickPen(QPen(QColor(line)))
        self._axis.setTextPen(QPen(QColor(text)))
        self._axis.setTickFont(font)
