"""Paths and pens of the map."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen, QPolygonF

from editor.maps.landblock_plan import Point


def path_of(points: tuple[Point, ...], closed: bool = True) -> QPainterPath:
    """The path through some points, with north up."""
    path = QPainterPath()
    polygon = QPolygonF([QPointF(x, -y) for x, y in points])
    path.addPolygon(polygon)
    if closed and len(points) > 2:
        path.closeSubpath()
    return path


def pen_of(colour: str, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A pen of the same width on the screen at any zoom."""
    pen = QPen(QColor(colour), width, style)
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen
