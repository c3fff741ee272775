"""Icons of the 3D view's tools: lines of one weight, drawn here, so that they have the colours of the theme."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

SIZE: Final = 16
FINER: Final = 3
"""Pixels drawn for each of the window, for screens that have more."""
WEIGHT: Final = 1.5


def _move(painter: QPainter) -> None:
    for turn in range(4):
        painter.save()
        painter.translate(8.0, 8.0)
        painter.rotate(90.0 * turn)
        painter.drawLine(QPointF(0.0, 0.0), QPointF(0.0, -6.5))
        painter.drawPolyline([QPointF(-2.2, -4.3), QPointF(0.0, -6.5), QPointF(2.2, -4.3)])
        painter.restore()


def _turn(painter: QPainter) -> None:
    painter.drawArc(QRectF(2.5, 2.5, 11.0, 11.0), 60 * 16, 290 * 16)
    end = math.radians(60.0)
    x, y = 8.0 + 5.5 * math.cos(end), 8.0 - 5.5 * math.sin(end)
    painter.drawPolyline([QPointF(x - 3.4, y - 1.2), QPointF(x, y), QPointF(x - 0.6, y + 3.4)])


def _drop(painter: QPainter) -> None:
    painter.drawLine(QPointF(8.0, 1.5), QPointF(8.0, 10.5))
    painter.drawPolyline([QPointF(4.5, 7.0), QPointF(8.0, 10.5), QPointF(11.5, 7.0)])
    painter.drawLine(QPointF(2.0, 14.0), QPointF(14.0, 14.0))


def _add(painter: QPainter) -> None:
    painter.drawLine(QPointF(8.0, 2.5), QPointF(8.0, 13.5))
    painter.drawLine(QPointF(2.5, 8.0), QPointF(13.5, 8.0))


def _double(painter: QPainter) -> None:
    painter.drawRoundedRect(QRectF(2.0, 5.0, 9.0, 9.0), 1.5, 1.5)
    painter.drawPolyline([QPointF(5.0, 2.0), QPointF(14.0, 2.0), QPointF(14.0, 11.0)])


def _delete(painter: QPainter) -> None:
    painter.drawLine(QPointF(3.5, 3.5), QPointF(12.5, 12.5))
    painter.drawLine(QPointF(12.5, 3.5), QPointF(3.5, 12.5))


ICONS: Final[dict[str, Callable[[QPainter], None]]] = {
    "move": _move,
    "turn": _turn,
    "drop": _drop,
    "add": _add,
    "duplicate": _double,
    "delete": _delete,
}


def tool_icon(name: str, colour: str, chosen: str, disabled: str) -> QIcon:
    """An icon as it is, while it is switched on, and while it can not be used."""
    icon = QIcon()
    for ink, mode, state in (
        (colour, QIcon.Mode.Normal, QIcon.State.Off),
        (chosen, QIcon.Mode.Normal, QIcon.State.On),
        (disabled, QIcon.Mode.Disabled, QIcon.State.Off),
        (disabled, QIcon.Mode.Disabled, QIcon.State.On),
    ):
        icon.addPixmap(_drawn(ICONS[name], ink), mode, state)
    return icon


def _drawn(draw: Callable[[QPainter], None], ink: str) -> QPixmap:
    pixmap = QPixmap(QSize(SIZE, SIZE) * FINER)
    pixmap.fill(Qt.GlobalColor.transparent)
    pixmap.setDevicePixelRatio(FINER)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(QColor(ink), WEIGHT)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    draw(painter)
    painter.end()
    return pixmap
