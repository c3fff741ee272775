"""Writes the labels of overlays over a picture; engine.render.gl.overlay draws their lines and surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from editor.process.plain_text import plain
from engine.geometry.vec import Vec3
from engine.render.overlays.geometry import Colour, Label, OverlayGeometry
from engine.render.overlays.palette import BUILDING_PORTAL, CURRENT, EXIT_PORTAL, FAULT, SECOND, SELECTED, VISIBLE
from engine.visibility.camera import ZNEAR, Camera
from engine.world.cells.landdefs import block_offset

MOST: Final = 150
"""Labels in one picture; the nearest ones are written."""

ACROSS: Final = 5.0
"""Pixels between a label's text and the edge of its chip."""
DOWN: Final = 2.0
ROUND: Final = 3.0
GAP: Final = 2.0
"""Pixels between two labels."""

GROUND: Final = QColor(14, 16, 18, 236)
"""Nearly opaque: even over a white wall the text keeps the contrast that text needs."""


RANKS: Final[dict[Colour, int]] = {
    SELECTED: 0,
    CURRENT: 1,
    SECOND: 1,
    FAULT: 2,
    VISIBLE: 3,
    EXIT_PORTAL: 3,
    BUILDING_PORTAL: 3,
}
"""Of two labels in one place the one of the lower rank is written; colours tell the meaning everywhere."""
REST: Final = 4

STEPS: Final = (0.0, -1.0, 1.0)
"""Heights of a chip that a label may be moved up or down from its point to be clear of others."""


def write_labels(
    painter: QPainter,
    geometry: OverlayGeometry,
    camera: Camera,
    font: QFont,
    ratio: float = 1.0,
    covered: Sequence[QRectF] = (),
) -> list[QRectF]:
    """Write the labels that fit beside each other and beside what covers the picture; return their rectangles.

    Labels of the picture itself come first, then the selection's, the current cell's, faults', visible things' and all
    others, near ones before far ones. The camera's pixels are `ratio` times finer than the painter's.
    """
    placed = [(label, place) for label in geometry.labels if (place := _place(label, camera)) is not None]
    placed.sort(key=_order)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    screen = QRectF(0.0, 0.0, camera.width / ratio, camera.height / ratio)
    taken: list[QRectF] = []
    for label, (x, y, _) in placed[:MOST]:
        center = QPointF(x / ratio, y / ratio)
        if not screen.contains(center):
            continue
        chip = _free_place(screen, _chip(metrics, label.text, center), [*covered, *taken])
        if chip is not None:
            taken.append(chip)
            write_chip(painter, chip, label.text, QColor(*label.colour[:3]))
    return taken


def _order(placed: tuple[Label, tuple[float, float, float]]) -> tuple[bool, int, float]:
    label, (_, _, depth) = placed
    return (label.pixel is None, RANKS.get(label.colour, REST), depth)


def _free_place(screen: QRectF, chip: QRectF, taken: Sequence[QRectF]) -> QRectF | None:
    """The chip where nothing else is, at its point or just above or below it."""
    for step in STEPS:
        moved = _moved_into(screen, chip.translated(0.0, step * (chip.height() + GAP)))
        if not any(moved.intersects(other) for other in taken):
            return moved
    return None


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


def pixel_of(camera: Camera, point: Vec3, block_id: int) -> tuple[float, float] | None:
    """Where a point of a landblock is in the picture; None behind the eye."""
    p = camera.project(_shifted(point, block_offset(camera.block_id, block_id)))
    return None if p.w < ZNEAR else (p.x / p.w, p.y / p.w)


def _shifted(p: Vec3, by: Vec3) -> Vec3:
    return (p[0] + by[0], p[1] + by[1], p[2] + by[2])
