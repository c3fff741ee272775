"""JPEG pictures of data files, decoded by Qt."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageWriter

from editor.session.jpeg import decode_jpeg
from editor.session.sources import open_source
from engine.dat.records import PixelFormat, RenderSurface, Surface, SurfaceTexture
from engine.dat.records.textures import BASE_IMAGE
from tests.world.loader.scenes import scene_records, two_rooms, write_folder


def jpeg_file(width: int, height: int, colour: str) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB888)
    image.fill(QColor(colour))
    buffer = QBuffer()
    assert buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, QByteArray(b"jpeg")).write(image)
    return bytes(buffer.data().data())


def test_a_jpeg_becomes_rgba_with_its_own_size() -> None:
    pixels = decode_jpeg(jpeg_file(5, 3, "#ff0000"))
    assert pixels is not None
    assert pixels.shape == (3, 5, 4)
    assert pixels[2, 4].tolist() == pytest.approx([255, 0, 0, 255], abs=4)
    assert decode_jpeg(b"\xff\xd8 no picture") is None


def test_a_surface_shows_its_jpeg_whatever_size_the_record_says(tmp_path: Path) -> None:
    portal, cell = scene_records(two_rooms())
    portal[0x08000001] = Surface(BASE_IMAGE, 0x05000001, 0, None, 0.0, 0.0, 1.0)
    portal[0x05000001] = SurfaceTexture(0x05000001, 0, 2, [0x06000001])
    data = jpeg_file(6, 4, "#00ff00")
    portal[0x06000001] = RenderSurface(0x06000001, 6, 64, 64, PixelFormat.RAW_JPEG, data)
    with open_source(str(write_folder(tmp_path, portal, cell))) as world:
        image = world.surface_image(0x08000001)
        assert image is not None
        assert (image.width, image.height, image.format_name) == (6, 4, "RAW_JPEG")
        assert image.pixels is not None
        assert image.pixels[0, 0].tolist() == pytest.approx([0, 255, 0, 255], abs=4)
