"""Surfaces, images and palettes (dat-format.md 3.6, 3.7). The pixels themselves: `engine.dat.images`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from engine.dat.codec.base import Bits, OneOf
from engine.dat.codec.choices import When
from engine.dat.codec.lists import Blob, ids32, list32
from engine.dat.codec.numbers import COLOR, DID, F32, FLAGS32, I32, U8, U32
from engine.dat.codec.record import Record
from engine.dat.records.base import DatRecord

BASE_SOLID: Final = 0x00000001
BASE_IMAGE: Final = 0x00000002
BASE_CLIPMAP: Final = 0x00000004
TRANSLUCENT: Final = 0x00000010
DIFFUSE: Final = 0x00000020
LUMINOUS: Final = 0x00000040
ALPHA: Final = 0x00000100
INVERSE_ALPHA: Final = 0x00000200
ADDITIVE: Final = 0x00010000
DETAIL: Final = 0x00020000
GOURAUD: Final = 0x10000000
STIPPLED: Final = 0x40000000
PERSPECTIVE: Final = 0x80000000
"""Type flags of a Surface (3.6)."""


class PixelFormat(IntEnum):
    """The pixel formats that the client knows (3.7.2); for DXT the four characters of the name."""

    R8G8B8 = 0x14
    A8R8G8B8 = 0x15
    X8R8G8B8 = 0x16
    R5G6B5 = 0x17
    X1R5G5B5 = 0x18
    A1R5G5B5 = 0x19
    A4R4G4B4 = 0x1A
    A8 = 0x1C
    X4R4G4B4 = 0x1E
    A2B10G10R10 = 0x1F
    A8B8G8R8 = 0x20
    X8B8G8R8 = 0x21
    A2R10G10B10 = 0x23
    P8 = 0x29
    V8U8 = 0x3C
    INDEX16 = 0x65
    CUSTOM_R8G8B8A8 = 0xF0
    CUSTOM_A8B8G8R8 = 0xF1
    CUSTOM_B8G8R8 = 0xF2
    LSCAPE_R8G8B8 = 0xF3
    LSCAPE_ALPHA = 0xF4
    RAW_JPEG = 0x1F4
    DXT1 = 0x31545844
    DXT2 = 0x32545844
    DXT3 = 0x33545844
    DXT4 = 0x34545844
    DXT5 = 0x35545844


@dataclass(slots=True)
class Surface(DatRecord):
    """A material. The record does not hold its own id. A texture and palette, or a solid colour (0xAARRGGBB)."""

    type_flags: int
    texture_id: int | None = None
    palette_id: int | None = None
    color: int | None = None
    translucency: float = 0.0
    luminosity: float = 0.0
    diffuse: float = 0.0


@dataclass(slots=True)
class SurfaceTexture(DatRecord):
    """The same picture in several resolutions, best first (3.7.1)."""

    id: int
    category: int
    texture_type: int
    images: list[int]


@dataclass(slots=True)
class RenderSurface(DatRecord):
    """An image; `data` in the layout that `pixel_format` says, rows top to bottom (3.7.2)."""

    id: int
    category: int
    width: int
    height: int
    pixel_format: int
    data: bytes
    palette_id: int | None = None


@dataclass(slots=True)
class Palette(DatRecord):
    """Colours as 0xAARRGGBB (3.7.3)."""

    id: int
    colors: list[int]


@dataclass(slots=True)
class PaletteSet(DatRecord):
    """Palettes from which a shade selects (3.7.3)."""

    id: int
    palettes: list[int]


_TEXTURED = BASE_IMAGE | BASE_CLIPMAP

SURFACE = Record(
    Surface,
    [
        ("type_flags", FLAGS32),
        ("texture_id", When(Bits("type_flags", _TEXTURED), DID)),
        ("palette_id", When(Bits("type_flags", _TEXTURED), DID)),
        ("color", When(Bits("type_flags", _TEXTURED, clear=True), COLOR)),
        ("translucency", F32),
        ("luminosity", F32),
        ("diffuse", F32),
    ],
)

SURFACE_TEXTURE = Record(SurfaceTexture, [("id", DID), ("category", U32), ("texture_type", U8), ("images", ids32())])

RENDER_SURFACE = Record(
    RenderSurface,
    [
        ("id", DID),
        ("category", U32),
        ("width", I32),
        ("height", I32),
        ("pixel_format", FLAGS32),
        ("data", Blob(I32)),
        ("palette_id", When(OneOf("pixel_format", [PixelFormat.P8, PixelFormat.INDEX16]), DID)),
    ],
)

PALETTE = Record(Palette, [("id", DID), ("colors", list32(COLOR))])

PALETTE_SET = Record(PaletteSet, [("id", DID), ("palettes", ids32())])
