"""Decodes the pixels of materials by id (dat-format.md 3.6, 3.7; rendering.md 17.1).

Surface -> SurfaceTexture -> the first RenderSurface that exists -> RGBA. The palette is the image's own; the one that a
surface names is not used (rendering.md C7).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from engine.dat.errors import DatError
from engine.dat.images import JpegDecoder, clip, decode_rgba
from engine.dat.records import DatRecord, Palette, RenderSurface, Surface, SurfaceTexture
from engine.dat.records.textures import PixelFormat
from engine.world.faults import SURFACE, Fault
from engine.world.source import SurfaceImage

RecordT = TypeVar("RecordT", bound=DatRecord)

IMAGE_SURFACE: Final = 0
"""The surface id of an image that was requested without a material, as terrain does."""


class Textures:
    """Decodes images on demand; caching them is up to the renderer."""

    def __init__(self, read: Callable[[int], object | None], file: str, faults: list[Fault]) -> None:
        """`read` returns the record of an id, None when it is missing or bad; problems go to `faults`."""
        self._read = read
        self._file = file
        self._faults = faults
        self.used: set[int] = set()
        """The ids of the SurfaceTextures that were asked for."""

    def surface(self, surface_id: int, jpeg: JpegDecoder | None = None) -> SurfaceImage | None:
        """Return a material; without its image it has neither pixels nor colour."""
        record = self._read(surface_id)
        if not isinstance(record, Surface):
            return None
        found = SurfaceImage(
            surface_id, record.type_flags, record.translucency, record.luminosity, record.diffuse, record.color
        )
        if record.texture_id is not None:
            self._fill(found, record.texture_id, jpeg)
        return found

    def texture(self, texture_id: int, jpeg: JpegDecoder | None = None) -> SurfaceImage | None:
        """An image by the id of its SurfaceTexture."""
        found = SurfaceImage(IMAGE_SURFACE, 0, 0.0, 0.0, 1.0)
        self._fill(found, texture_id, jpeg)
        return found if found.image_id else None

    def _fill(self, found: SurfaceImage, texture_id: int, jpeg: JpegDecoder | None) -> None:
        found.texture_id = texture_id
        self.used.add(texture_id)
        where = found.surface_id or texture_id
        texture = self._wanted(texture_id, SurfaceTexture, where)
        if texture is None:
            return
        image = next((i for i in map(self._read, texture.images) if isinstance(i, RenderSurface)), None)
        if image is None:
            self._complain(where, f"none of the images of texture 0x{texture_id:08X} is there")
            return
        found.image_id, found.width, found.height = image.id, image.width, image.height
        found.format_name = format_name(image.pixel_format)
        palette = None
        if image.palette_id is not None:
            found.palette_id = image.palette_id
            palette = self._wanted(found.palette_id, Palette, where)
            if palette is None:
                return
        faults: list[DatError] = []
        try:
            pixels = decode_rgba(image, palette, jpeg=jpeg, file=self._file, faults=faults)
        except DatError as error:
            self._complain(where, str(error))
            return
        for fault in faults:
            self._complain(where, f"{fault}; the rest of the picture is shown")
        found.height, found.width = pixels.shape[:2]
        found.pixels = clip(pixels, image, found.type_flags)

    def _wanted(self, record_id: int, cls: type[RecordT], where: int) -> RecordT | None:
        record = self._read(record_id)
        if isinstance(record, cls):
            return record
        self._complain(where, f"needs the {cls.__name__} 0x{record_id:08X}, which is missing or unreadable")
        return None

    def _complain(self, where: int, reason: str) -> None:
        fault = Fault(where, SURFACE, reason)
        if fault not in self._faults:
            self._faults.append(fault)


def format_name(pixel_format: int) -> str:
    try:
        return PixelFormat(pixel_format).name
    except ValueError:
        return f"0x{pixel_format:X}"
