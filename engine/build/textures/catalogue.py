"""Every texture by its name: who draws it, and in which pixel format it is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.build.materials import TextureImage
from engine.build.textures import ground, household, masks, masonry, sky, woodwork
from engine.build.textures.curves import along
from engine.build.textures.fields import Colour, Field, Rgba
from engine.dat.images import PALETTE_REPEAT, SMALL_PALETTE, encode_rgba
from engine.dat.records.textures import PixelFormat

FIRST_OPAQUE: Final = 8
"""Palette indices below this are transparent on clipmaps (dat-format.md 5.3)."""


@dataclass(frozen=True)
class CatalogueTexture:
    """A texture: `draw` gives it when it is wanted."""

    draw: Callable[[], TextureImage]
    format: PixelFormat


def _argb(colour: Sequence[float]) -> int:
    red, green, blue = (int(c + 0.5) for c in colour)
    return 0xFF000000 | red << 16 | green << 8 | blue


def _plain(draw: Callable[[], Rgba], pixel_format: PixelFormat) -> CatalogueTexture:
    def image() -> TextureImage:
        pixels = draw()
        height, width = pixels.shape[:2]
        return TextureImage(width, height, int(pixel_format), encode_rgba(pixels, pixel_format))

    return CatalogueTexture(image, pixel_format)


def _toned(
    draw: Callable[[], Field], colours: Sequence[Colour], pixel_format: PixelFormat, steps: int
) -> CatalogueTexture:
    """A field in 0 to 1 as places in a palette that runs through the colours; exactly 0 is the transparent place 0."""

    def image() -> TextureImage:
        field = draw()
        tones = np.linspace(0.0, 1.0, len(colours))
        table = np.array(colours, np.float64)
        where = np.linspace(0.0, 1.0, steps - FIRST_OPAQUE)
        run = np.stack([along(where, tones.tolist(), table[:, i].tolist()) for i in range(3)], axis=-1)
        palette = (0xFF000000,) * FIRST_OPAQUE + tuple(_argb(colour) for colour in run)
        places = FIRST_OPAQUE + np.round(np.clip(field, 0.0, 1.0) * (steps - FIRST_OPAQUE - 1)).astype(np.int64)
        return _palettised(np.where(field > 0.0, places, 0), palette, pixel_format)

    return CatalogueTexture(image, pixel_format)


def _palettised(
    places: np.ndarray[tuple[int, ...], np.dtype[np.int64]], palette: tuple[int, ...], pixel_format: PixelFormat
) -> TextureImage:
    height, width = places.shape
    if len(palette) == SMALL_PALETTE:
        places = places * PALETTE_REPEAT
    data = places.astype("<u2" if pixel_format is PixelFormat.INDEX16 else "u1").tobytes()
    return TextureImage(width, height, int(pixel_format), data, palette)


def _rug() -> TextureImage:
    palette = tuple(_argb(colour) for colour in household.RUG)
    return _palettised(household.rug_indices().astype(np.int64), palette, PixelFormat.P8)


def ground_name(kind: int) -> str:
    """The name of a terrain type's texture; 32 is the road."""
    return f"ground {kind}"


def _ground(kind: int) -> CatalogueTexture:
    name = ground_name(kind)
    return _plain(lambda: ground.GROUNDS[kind].picture(name), PixelFormat.R8G8B8)


def _cloth(name: str, colour: Colour) -> CatalogueTexture:
    return _plain(lambda: household.woven(name, colour), PixelFormat.R5G6B5)


_F = PixelFormat

PICTURES: Final[dict[str, CatalogueTexture]] = {
    "plaster": _plain(masonry.plaster, _F.R5G6B5),
    "limewash": _plain(masonry.limewash, _F.R8G8B8),
    "half timber": _plain(masonry.half_timber, _F.DXT1),
    "brick": _plain(masonry.brick, _F.DXT1),
    "soot": _plain(masonry.soot, _F.R5G6B5),
    "flagstone": _plain(masonry.flagstone, _F.DXT1),
    "cobble": _plain(masonry.cobble, _F.DXT1),
    "stone": _plain(masonry.stone, _F.DXT1),
    "ashlar": _plain(masonry.ashlar, _F.DXT1),
    "damp ashlar": _plain(masonry.damp_ashlar, _F.DXT1),
    "vault": _plain(masonry.vault, _F.DXT1),
    "slabs": _plain(masonry.slabs, _F.DXT1),
    "plank": _plain(woodwork.plank, _F.DXT1),
    "oak": _plain(woodwork.oak, _F.DXT1),
    "timber": _plain(woodwork.timber, _F.DXT1),
    "beam": _plain(woodwork.beam, _F.R8G8B8),
    "panel": _plain(woodwork.panel, _F.DXT1),
    "door": _plain(woodwork.door, _F.A8R8G8B8),
    "iron": _plain(woodwork.iron, _F.R8G8B8),
    "barrel": _plain(woodwork.barrel, _F.DXT1),
    "crate": _plain(woodwork.crate, _F.DXT1),
    "shingle": _plain(woodwork.shingle, _F.DXT1),
    "thatch": _toned(woodwork.thatch_field, woodwork.THATCH, _F.INDEX16, 512),
    "bark": _toned(woodwork.bark_field, woodwork.BARK, _F.P8, 64),
    "leaves": _plain(woodwork.leaves, _F.DXT5),
    "needles": _toned(woodwork.needles_field, woodwork.NEEDLES, _F.INDEX16, 256),
    "tuft": _plain(woodwork.tuft, _F.A8R8G8B8),
    "rug": CatalogueTexture(_rug, _F.P8),
    "glass": _plain(household.glass, _F.A4R4G4B4),
    "fire": _plain(household.fire, _F.A8R8G8B8),
    "smoke": _plain(household.smoke, _F.A8),
    "books": _plain(household.books, _F.R8G8B8),
    "inn sign": _plain(household.inn_sign, _F.A8R8G8B8),
    "ale board": _plain(household.ale_board, _F.R5G6B5),
    "linen": _plain(household.linen, _F.R5G6B5),
    "quilt": _plain(household.quilt, _F.DXT1),
    "straw": _plain(household.straw, _F.DXT1),
    "red cloth": _cloth("red cloth", (142, 44, 44)),
    "blue cloth": _cloth("blue cloth", (58, 76, 116)),
    "brown cloth": _cloth("brown cloth", (104, 78, 52)),
    "water": _plain(lambda: ground.water("pool", (128, 128), (28, 58, 66), (88, 132, 138), None), _F.DXT1),
    "sky": _plain(sky.dome, _F.R8G8B8),
    "clouds": _plain(sky.clouds, _F.DXT5),
    "twilight": _plain(sky.twilight, _F.A8R8G8B8),
    "low sun": _plain(sky.low_sun, _F.A8R8G8B8),
    "sun": _plain(sky.sun, _F.R8G8B8),
    "moon": _plain(sky.moon, _F.R8G8B8),
    "corner mask": _plain(lambda: masks.corner("corner mask"), _F.LSCAPE_ALPHA),
    "corner mask 2": _plain(lambda: masks.corner("corner mask 2"), _F.LSCAPE_ALPHA),
    "side mask": _plain(lambda: masks.side("side mask"), _F.LSCAPE_ALPHA),
    "side mask 2": _plain(lambda: masks.side("side mask 2"), _F.LSCAPE_ALPHA),
    "road corner mask": _plain(masks.road_corner, _F.A8),
    "road side mask": _plain(masks.road_side, _F.A8),
    "road across mask": _plain(masks.road_across, _F.A8),
    **{ground_name(kind): _ground(kind) for kind in range(len(ground.GROUNDS))},
}


def texture(name: str) -> TextureImage | None:
    """The picture of a texture, or None when there is none of that name."""
    picture = PICTURES.get(name)
    return None if picture is None else picture.draw()
