"""The program's icon, drawn from the one description of it: for the window, and as the files that systems want."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from engine.files.kinds import OWN
from engine.files.reading import read_file

DRAWING: Final = Path(__file__).resolve().parents[2] / "resources" / "program" / "cellar-door.svg"
ICO_SIZES: Final = (16, 24, 32, 48, 64, 256)
"""Those that Windows asks for, from the title bar to the largest view of a folder."""
ICNS_TYPES: Final = ((b"icp4", 16), (b"icp5", 32), (b"ic07", 128), (b"ic08", 256), (b"ic09", 512), (b"ic10", 1024))
"""The types that hold a PNG, with their sizes."""

_ICO_HEAD: Final = struct.Struct("<HHH")
_ICO_ENTRY: Final = struct.Struct("<BBBBHHII")
_ICNS_HEAD: Final = struct.Struct(">4sI")


def drawing() -> bytes:
    """The description, an SVG."""
    return read_file(DRAWING, OWN)


def picture(side: int) -> QImage:
    """The icon as a square of so many pixels."""
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(drawing())).render(painter, QRectF(0.0, 0.0, side, side))
    painter.end()
    return image.convertToFormat(QImage.Format.Format_ARGB32)


def png(side: int) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture(side).save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs lack the form with a device
    return bytes(buffer.data().data())


def ico(sides: Sequence[int] = ICO_SIZES) -> bytes:
    """Windows' form: a list of sizes, and their pictures as PNG."""
    pictures = [png(side) for side in sides]
    at = _ICO_HEAD.size + len(sides) * _ICO_ENTRY.size
    entries = []
    for side, data in zip(sides, pictures, strict=True):
        entries.append(_ICO_ENTRY.pack(side % 256, side % 256, 0, 0, 1, 32, len(data), at))  # 0 stands for 256
        at += len(data)
    return b"".join([_ICO_HEAD.pack(0, 1, len(sides)), *entries, *pictures])


def icns() -> bytes:
    """macOS' form."""
    parts = [(kind, png(side)) for kind, side in ICNS_TYPES]
    body = b"".join(_ICNS_HEAD.pack(kind, len(data) + _ICNS_HEAD.size) + data for kind, data in parts)
    return _ICNS_HEAD.pack(b"icns", len(body) + _ICNS_HEAD.size) + body
