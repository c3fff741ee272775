"""The program's line icons: one weight, 16 pixels, drawn in the theme's colours.

An action or a button is given its icon once, by name; `recolour` redraws all of them for another theme.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt
from PySide6.QtGui import QAction, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton

from engine.files.kinds import OWN
from engine.files.reading import read_text
from ui.theme.theme import Colours

ICONS: Final = Path(__file__).resolve().parents[2] / "resources" / "icons"
SIZE: Final = 16
PROPERTY: Final = "line-icon"


@lru_cache
def _drawing(name: str) -> str:
    return read_text(ICONS / f"{name}.svg", OWN)


def _finest() -> float:
    """Pixels per icon pixel on the finest screens."""
    return max((screen.devicePixelRatio() for screen in QGuiApplication.screens()), default=1.0)


def _pixmap(name: str, colour: str, ratio: float) -> QPixmap:
    side = round(SIZE * ratio)
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    drawing = _drawing(name).replace("currentColor", colour)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(0.0, 0.0, side, side))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


@lru_cache
def icon(name: str, colours: Colours) -> QIcon:
    """An icon in the colours of text, dim where it is disabled."""
    made = QIcon()
    for ratio in sorted({1.0, _finest()}):
        made.addPixmap(_pixmap(name, colours.text, ratio), QIcon.Mode.Normal)
        made.addPixmap(_pixmap(name, colours.faint, ratio), QIcon.Mode.Disabled)
    return made


def set_icon(target: QAction | QAbstractButton, name: str, colours: Colours) -> None:
    """Give an action or a button its icon by name, so that `recolour` can redraw it."""
    target.setProperty(PROPERTY, name)
    target.setIcon(icon(name, colours))


def recolour(root: QObject, colours: Colours) -> None:
    """Redraw the icons of all objects below `root` in a theme's colours."""
    targets: list[QAction | QAbstractButton] = [*root.findChildren(QAction), *root.findChildren(QAbstractButton)]
    for target in targets:
        name = target.property(PROPERTY)
        if name:
            target.setIcon(icon(str(name), colours))
