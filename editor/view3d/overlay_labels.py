"""Writes the labels of overlays over a picture; engine.render.gl.overlay draws their lines and surfaces."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from editor.process.plain_text import plain
from engine.geometry.vec import Vec3
from engine.render.overlays.geometry import Label, OverlayGeometry
from engine.visibility.camera import ZNEAR, Camera
from engine.world.cells.landdefs import block_offset

MOST: Final = 150
"""Labels in one picture; the nearest ones are written."""

ACROSS: Final = 5.0
"""Pixels between a label's text and the edge of its chip."""
DOWN: Final = 2.0
ROUND: Final = 3.0

GROUND: Final = QColor(14, 16, 18, 236)
"""Nearly opaque: even over a white wall the text keeps the contrast that text needs."""


def write_labels(
    painter: QPainter, geometry: OverlayGeometry, camera: Camera, font: QFont, ratio: float = 1.0
) -> list[QRectF]:
    """Write the labels that fit, near ones before far ones; return their rectangles.

    The camera's pixels are `ratio` times finer than the painter's.
    """
    placed = [(label, place) for label in geometry.labels if (place := _place(label, camera)) is not None]
    placed.sort(key=lambda each: each[1][2])
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    screen = QRectF(0.0, 0.0, camera.width / ratio, camera.height / ratio)
    taken: list[QRectF] = []
    for label, (x, y, _) in placed[:MOST]:
        center = QPointF(x / ratio, y / ratio)
        chip = _moved_into(screen, _chip(metrics, label.text, center))
        if not screen.contains(center) or any(chip.intersects(other) for other in taken):
            continue
        taken.append(chip)
        write_chip(painter, chip, label.text, QColor(*label.colour[:3]))
    return taken


def write_chip(painter: QPainter, chip: QRectF, text: str, colour: QColor) -> None:
    """Write a label on a dark chip, readable over any picture."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(GROUND)
    painter.drawRoundedRect(chip, ROUND, ROUND)
    painter.setPen(colour)
    painter.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), plain(text))


def _chip(metrics: QFontMetricsF, text: str, center: QPointF) -> QRectF:
    width = metrics.horizontalAdvance(text) + 2.0 * ACROSS
    height = metrics.height() + 2.0 * DOWN
    return QRectF(round(center.x() - width / 2.0), round(center.y() - height / 2.0), width, height)


def _moved_into(screen: QRectF, chip: QRectF) -> QRectF:
    """Move a label at the border of the screen until it fits."""
    moved = QRectF(chip)
    moved.moveLeft(min(max(chip.left(), screen.left()), max(screen.left(), screen.right() - chip.width())))
    moved.moveTop(min(max(chip.top(), screen.top()), max(screen.top(), screen.bottom() - chip.height())))
    return moved


def _place(label: Label, camera: Camera) -> tuple[float, float, float] | None:
    """Pixel and depth; None behind the eye. A label without a place in the world comes first."""
    if label.pixel is not None:
        return (label.pixel[0], label.pixel[1], 0.0)
    if label.point is None:
        return None
    p = camera.project(_shifted(label.point, block_offset(camera.block_id, label.block_id)))
    return None if p.w < ZNEAR else (p.x / p.w, p.y / p.w, p.w)


def _shifted(p: Vec3, by: Vec3) -> Vec3:
    return (p[0] + by[0], p[1] + by[1], p[2] + by[2])
