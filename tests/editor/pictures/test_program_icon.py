"""The icon is one drawing in all sizes and forms."""

from __future__ import annotations

import struct

import pytest
from PySide6.QtGui import QColor, QImage

from editor.pictures.program_icon import ICNS_TYPES, ICO_SIZES, icns, ico, picture, png

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("side", [16, 48, 256])
def test_the_door_stands_in_the_middle_and_the_corners_are_clear(side: int) -> None:
    image = picture(side)
    assert (image.width(), image.height()) == (side, side)
    assert image.pixelColor(0, 0).alpha() == 0
    light = image.pixelColor(round(side * 0.6), round(side * 0.47))
    door = image.pixelColor(round(side * 0.38), round(side * 0.7))
    assert light.lightness() > 115 > door.lightness()
    assert door.red() > door.blue()


def test_a_png_is_the_picture() -> None:
    data = png(32)
    assert data.startswith(PNG)
    again = QImage.fromData(data)
    assert again.size().width() == 32
    assert again.pixelColor(16, 16) == QColor(picture(32).pixelColor(16, 16))


def test_the_form_of_windows_lists_every_size_with_its_picture() -> None:
    data = ico()
    assert struct.unpack_from("<HHH", data) == (0, 1, len(ICO_SIZES))
    for number, side in enumerate(ICO_SIZES):
        width, height, _, _, _, bits, size, at = struct.unpack_from("<BBBBHHII", data, 6 + 16 * number)
        assert (width or 256, height or 256, bits) == (side, side, 32)
        assert QImage.fromData(data[at : at + size]).width() == side


def test_the_form_of_macos_is_whole() -> None:
    data = icns()
    assert struct.unpack_from(">4sI", data) == (b"icns", len(data))
    at, found = 8, []
    while at < len(data):
        kind, size = struct.unpack_from(">4sI", data, at)
        found.append((kind, QImage.fromData(data[at + 8 : at + size]).width()))
        at += size
    assert found == list(ICNS_TYPES)
