"""Numbers and messages over the 3D view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QGraphicsView

from editor.process.plain_text import plain
from editor.view3d.hud import HudEntry, Tone, hud_rows
from editor.view3d.overlay_labels import GROUND, ROUND, write_chip
from engine.render.viewer.viewer import Viewer
from engine.visibility.frame import FrameResult
from ui.theme.theme import BETWEEN, DARK, EDGE, GROUP, mono_font, text_font

TONES: Final = {
    Tone.PLAIN: DARK.text,
    Tone.CURRENT: DARK.current,
    Tone.VISIBLE: DARK.visible,
    Tone.WARNING: DARK.adjusted,
}
"""Always of the dark theme: the text lies over the picture."""

SHELF: Final = 48.0
"""Pixels at the left edge that the tools cover."""


MOST_OF_PICTURE: Final = 0.25
"""Part of the height that the numbers may cover; in a low picture the last ones are left out."""


@dataclass(frozen=True)
class Hud:
    """Cells, then figures, at the bottom left, wrapped to the width."""

    ground: QRectF
    rows: list[list[HudEntry]]
    line: float
    """The height of a row."""


def lay_out_hud(
    box: QRect, viewer: Viewer, frame: FrameResult, milliseconds: float, tools: QRect, in_dollhouse: bool = False
) -> Hud:
    """In a picture so low that the figures would cover the tools, they stand beside them."""
    metrics = QFontMetricsF(mono_font(11))
    rows = hud_rows(viewer, frame, milliseconds, in_dollhouse)
    hud = _placed(metrics, rows, QRectF(box).adjusted(EDGE, 0.0, -EDGE, -EDGE))
    if hud.ground.intersects(QRectF(tools)):
        beside = tools.right() + 1.0 + BETWEEN
        hud = _placed(metrics, rows, QRectF(box).adjusted(beside, 0.0, -EDGE, -EDGE))
    return hud


def _placed(metrics: QFontMetricsF, rows: list[list[HudEntry]], box: QRectF) -> Hud:
    """At the bottom left of a box."""
    line = metrics.height() + GROUP
    wrapped = [part for row in rows for part in _wrapped(metrics, row, box.width() - BETWEEN)]
    wrapped = wrapped[: max(int(box.height() * MOST_OF_PICTURE / line), 1)]
    widest = max(sum(_width(metrics, entry) for entry in row) for row in wrapped)
    height = line * len(wrapped) + GROUP
    ground = QRectF(box.left(), box.bottom() - height, min(widest + BETWEEN, box.width()), height)
    return Hud(ground, wrapped, line)


def paint_hud(painter: QPainter, hud: Hud) -> None:
    font = mono_font(11)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(GROUND)
    painter.drawRoundedRect(hud.ground, ROUND, ROUND)
    for number, row in enumerate(hud.rows):
        x, y = hud.ground.left() + BETWEEN, hud.ground.top() + GROUP / 2.0 + hud.line * number
        for entry in row:
            _entry(painter, metrics, entry, QRectF(x, y, _width(metrics, entry), hud.line))
            x += _width(metrics, entry)


def _wrapped(metrics: QFontMetricsF, row: list[HudEntry], room: float) -> list[list[HudEntry]]:
    """The row split into lines that fit the width."""
    parts: list[list[HudEntry]] = [[]]
    used = 0.0
    for entry in row:
        width = _width(metrics, entry)
        if parts[-1] and used + width > room:
            parts.append([])
            used = 0.0
        parts[-1].append(entry)
        used += width
    return parts


def _width(metrics: QFontMetricsF, entry: HudEntry) -> float:
    return metrics.horizontalAdvance(f"{entry.name} {entry.value}") + 2.0 * BETWEEN


def _entry(painter: QPainter, metrics: QFontMetricsF, entry: HudEntry, box: QRectF) -> None:
    flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
    painter.setPen(QColor(DARK.dim))
    painter.drawText(box, flags, plain(entry.name))
    painter.setPen(QColor(TONES[entry.tone]))
    painter.drawText(
        box.adjusted(metrics.horizontalAdvance(f"{entry.name} "), 0.0, 0.0, 0.0), flags, plain(entry.value)
    )


def paint_message(painter: QPainter, box: QRect, text: str, colour: str) -> None:
    """Paint a sentence in the middle of the upper third."""
    font = text_font()
    painter.setFont(font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    metrics = QFontMetricsF(font)
    room = QRectF(0.0, 0.0, box.width() - 4.0 * EDGE, float(box.height()))
    flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
    needed = metrics.boundingRect(room, flags, text)
    chip = QRectF(0.0, 0.0, needed.width() + 2.0 * EDGE, needed.height() + 2.0 * BETWEEN)
    chip.moveCenter(QRectF(box).center())
    chip.moveTop(max(EDGE, box.height() / 3.0 - chip.height() / 2.0))
    if metrics.horizontalAdvance(text) <= room.width():
        write_chip(painter, chip, text, QColor(colour))
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(GROUND)
    painter.drawRoundedRect(chip, ROUND, ROUND)
    painter.setPen(QColor(colour))
    painter.drawText(chip.adjusted(EDGE, 0.0, -EDGE, 0.0), flags, plain(text))


def write_instead(view: QGraphicsView, painter: QPainter, text: str, colour: str) -> None:
    """Write a hint in the middle of an empty view."""
    painter.resetTransform()
    painter.setPen(QColor(colour))
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(view.viewport().rect().adjusted(2 * EDGE, 2 * EDGE, -2 * EDGE, -2 * EDGE), flags, plain(text))


def paint_strip(painter: QPainter, box: QRect, text: str, colour: str) -> None:
    """Paint the active tool's hint along the upper edge beside the tools, wrapped to the width."""
    font = text_font()
    painter.setFont(font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    beside = QRectF(box).adjusted(SHELF, 0.0, 0.0, 0.0)
    room = beside.adjusted(2.0 * EDGE, 0.0, -2.0 * EDGE, 0.0)
    flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
    needed = QFontMetricsF(font).boundingRect(room, flags, text)
    chip = QRectF(0.0, 0.0, needed.width() + 2.0 * EDGE, needed.height() + 2.0 * GROUP)
    chip.moveCenter(beside.center())
    chip.moveTop(EDGE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(GROUND)
    painter.drawRoundedRect(chip, ROUND, ROUND)
    painter.setPen(QColor(colour))
    painter.drawText(chip.adjusted(EDGE, 0.0, -EDGE, 0.0), flags, plain(text))
