"""The pixels of images, as RGBA: reading all formats, writing those that are made here (dat-format.md 3.7.2, 5.3).

An RGBA image is a numpy array of uint8, (height, width, 4), the top row first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dat.dxt import block_counts, decode_blocks, encode_blocks, expand_565, pack_565
from engine.dat.errors import DatError
from engine.dat.ids import did_text
from engine.dat.records.catalogue import IN_MEMORY, FilePath
from engine.dat.records.textures import BASE_CLIPMAP, Palette, PixelFormat, RenderSurface

Rgba = NDArray[np.uint8]

JpegDecoder = Callable[[bytes], Rgba]
"""Decodes a JPEG file to RGBA. The engine has no decoder of its own; a caller that has Qt passes one in."""

CLIPPED_INDICES: Final = 8
"""On clipmaps the palette indices below this are transparent (5.3)."""

SMALL_PALETTE: Final = 256
PALETTE_REPEAT: Final = 8
"""The client makes one of 2,048 colours of a palette of 256, each eight times, and looks all indices up in that
(rendering.md C7)."""

CLEAR_BELOW: Final = 200
"""The alpha below which a texel of a block-compressed clipmap is cut out; black is nothing special (C7)."""

_MAX_SIDE: Final = 1 << 15
"""Ours: no image of the game comes near, and no size calculated below it leaves 64 bits or the memory."""

_PIXEL_BYTES: Final = {
    PixelFormat.R8G8B8: 3,
    PixelFormat.A8R8G8B8: 4,
    PixelFormat.X8R8G8B8: 4,
    PixelFormat.R5G6B5: 2,
    PixelFormat.A4R4G4B4: 2,
    PixelFormat.A8: 1,
    PixelFormat.P8: 1,
    PixelFormat.INDEX16: 2,
    PixelFormat.LSCAPE_R8G8B8: 3,
    PixelFormat.LSCAPE_ALPHA: 1,
}

_DXT_ALPHA_BITS: Final = {PixelFormat.DXT1: 0, PixelFormat.DXT3: 4, PixelFormat.DXT5: 3}

_PALETTISED: Final = (PixelFormat.P8, PixelFormat.INDEX16)


def data_size(pixel_format: PixelFormat, width: int, height: int) -> int | None:
    """The size of an image in bytes; None for JPEG, where only the file itself knows."""
    if pixel_format in _DXT_ALPHA_BITS:
        across, down = block_counts(width, height)
        return across * down * (16 if _DXT_ALPHA_BITS[pixel_format] else 8)
    if pixel_format is PixelFormat.RAW_JPEG:
        return None
    return width * height * _PIXEL_BYTES[pixel_format]


def decode_rgba(
    image: RenderSurface,
    palette: Palette | None = None,
    *,
    jpeg: JpegDecoder | None = None,
    file: FilePath = IN_MEMORY,
) -> Rgba:
    """The pixels of an image. `palette` is the one that `image.palette_id` names, for the formats that have one."""
    pixel_format = _checked_format(image, file)
    if pixel_format is PixelFormat.RAW_JPEG:
        return _decode_jpeg(image, jpeg, file)
    if pixel_format in _DXT_ALPHA_BITS:
        return decode_blocks(image.data, image.width, image.height, _DXT_ALPHA_BITS[pixel_format])
    if pixel_format in _PALETTISED:
        return _decode_palettised(image, palette, file)
    raw = np.frombuffer(image.data, np.uint8).reshape(image.height, image.width, _PIXEL_BYTES[pixel_format])
    return _decode_plain(raw, pixel_format)


def _checked_format(image: RenderSurface, file: FilePath) -> PixelFormat:
    """Everything that can be known to be wrong before there is an array."""
    try:
        pixel_format = PixelFormat(image.pixel_format)
    except ValueError:
        reason = f"0x{image.pixel_format:08X} is not a pixel format that is known"
        raise DatError(file, image.id, None, "pixel_format", reason) from None
    for name, side in (("width", image.width), ("height", image.height)):
        if not 0 < side <= _MAX_SIDE:
            raise DatError(file, image.id, None, name, f"{side} is not within 1 to {_MAX_SIDE}")
    size = data_size(pixel_format, image.width, image.height)
    if size is not None and len(image.data) != size:
        reason = (
            f"{image.width} x {image.height} pixels of {pixel_format.name} take {size} bytes, not {len(image.data)}"
        )
        raise DatError(file, image.id, None, "data", reason)
    return pixel_format


def _decode_jpeg(image: RenderSurface, jpeg: JpegDecoder | None, file: FilePath) -> Rgba:
    if jpeg is None:
        raise DatError(file, image.id, None, "data", "the image is a JPEG file, and there is no decoder for it here")
    decoded = jpeg(image.data)
    if decoded.shape != (image.height, image.width, 4):
        reason = (
            f"the JPEG file holds {decoded.shape[1]} x {decoded.shape[0]} pixels, not {image.width} x {image.height}"
        )
        raise DatError(file, image.id, None, "data", reason)
    return decoded


def palette_indices(image: RenderSurface) -> NDArray[np.uint16]:
    """(height, width), of an image in a format with a palette."""
    kind = "<u2" if image.pixel_format == PixelFormat.INDEX16 else "u1"
    return np.frombuffer(image.data, kind).reshape(image.height, image.width).astype(np.uint16, copy=False)


def _decode_palettised(image: RenderSurface, palette: Palette | None, file: FilePath) -> Rgba:
    if palette is None:
        named = "none" if image.palette_id is None else did_text(image.palette_id)
        raise DatError(file, image.id, None, "palette_id", f"the palette of the image ({named}) is not there")
    indices = palette_indices(image)
    highest = int(indices.max())
    repeat = PALETTE_REPEAT if len(palette.colors) == SMALL_PALETTE else 1
    if highest >= repeat * len(palette.colors):
        reason = f"index {highest}, but palette {did_text(palette.id)} has {len(palette.colors)} colours"
        raise DatError(file, image.id, None, "data", reason)
    pixels: Rgba = palette_rgba(palette)[indices // repeat]
    return pixels


def palette_rgba(palette: Palette) -> Rgba:
    """(number of colours, 4)."""
    stored = np.array(palette.colors, np.uint32).astype("<u4", copy=False).view(np.uint8).reshape(-1, 4)
    return np.ascontiguousarray(stored[:, [2, 1, 0, 3]])


def _decode_plain(raw: Rgba, pixel_format: PixelFormat) -> Rgba:
    pixels = np.full((*raw.shape[:2], 4), 255, np.uint8)
    if pixel_format is PixelFormat.A8R8G8B8:
        pixels[:] = raw[:, :, [2, 1, 0, 3]]
    elif pixel_format in (PixelFormat.R8G8B8, PixelFormat.X8R8G8B8):
        pixels[:, :, :3] = raw[:, :, 2::-1]
    elif pixel_format is PixelFormat.LSCAPE_R8G8B8:
        # In the order of reader A (3.7.2).
        pixels[:, :, :3] = raw
    elif pixel_format is PixelFormat.R5G6B5:
        pixels[:, :, :3] = expand_565(raw.view("<u2")[:, :, 0])
    elif pixel_format is PixelFormat.A4R4G4B4:
        # The bytes hold G B and A R.
        pixels[:, :, 2], pixels[:, :, 1] = raw[:, :, 0] & 15, raw[:, :, 0] >> 4
        pixels[:, :, 0], pixels[:, :, 3] = raw[:, :, 1] & 15, raw[:, :, 1] >> 4
        pixels *= 17
    else:
        # A8 and LSCAPE alpha: white with that alpha (5.3).
        pixels[:, :, 3] = raw[:, :, 0]
    return pixels


def clip(pixels: Rgba, image: RenderSurface, surface_flags: int) -> Rgba:
    """The pixels with the transparency that an image has on a surface: on clipmaps, some of them are cut out (5.3). Off
    them the alpha of a palette does not count."""
    palettised = image.pixel_format in _PALETTISED
    if not surface_flags & BASE_CLIPMAP and not palettised:
        return pixels
    clipped: Rgba = np.array(pixels)
    if not surface_flags & BASE_CLIPMAP:
        clipped[:, :, 3] = 255
        return clipped
    if palettised:
        clipped[palette_indices(image) < CLIPPED_INDICES, 3] = 0
    elif image.pixel_format in _DXT_ALPHA_BITS:
        clipped[pixels[:, :, 3] < CLEAR_BELOW, 3] = 0
    return clipped


def encode_rgba(pixels: Rgba, pixel_format: PixelFormat, palette: Palette | None = None) -> bytes:
    """The data of a RenderSurface. Formats with a palette take the nearest of its colours for each pixel."""
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 4 or 0 in pixels.shape:
        reason = f"RGBA pixels are needed, not {pixels.dtype} in the shape {pixels.shape}"
        raise DatError(IN_MEMORY, None, None, "data", reason)
    if pixel_format is PixelFormat.R8G8B8:
        return pixels[:, :, 2::-1].tobytes()
    if pixel_format is PixelFormat.A8R8G8B8:
        return pixels[:, :, [2, 1, 0, 3]].tobytes()
    if pixel_format is PixelFormat.R5G6B5:
        return pack_565(pixels.astype(np.int32)).astype("<u2").tobytes()
    if pixel_format is PixelFormat.A4R4G4B4:
        levels = (pixels.astype(np.uint16) * 15 + 127) // 255
        red, green, blue, alpha = np.moveaxis(levels, -1, 0)
        words: NDArray[np.uint16] = alpha << 12 | red << 8 | green << 4 | blue
        return words.astype("<u2").tobytes()
    if pixel_format in (PixelFormat.A8, PixelFormat.LSCAPE_ALPHA):
        return pixels[:, :, 3].tobytes()
    if pixel_format in (PixelFormat.DXT1, PixelFormat.DXT5):
        return encode_blocks(pixels, with_alpha=pixel_format is PixelFormat.DXT5)
    if pixel_format in _PALETTISED and palette is not None:
        return _encode_palettised(pixels, pixel_format, palette)
    need = " without a palette" if pixel_format in _PALETTISED else ""
    raise DatError(IN_MEMORY, None, None, "pixel_format", f"{pixel_format.name} is not written here{need}")


def _encode_palettised(pixels: Rgba, pixel_format: PixelFormat, palette: Palette) -> bytes:
    kind, most = ("<u2", 1 << 16) if pixel_format is PixelFormat.INDEX16 else ("u1", 1 << 8)
    repeat = PALETTE_REPEAT if len(palette.colors) == SMALL_PALETTE else 1
    colors = palette_rgba(palette)[: most // repeat].astype(np.int32)
    if not len(colors):
        raise DatError(IN_MEMORY, palette.id, None, "colors", "the palette is empty")
    different, inverse = np.unique(pixels.reshape(-1, 4), axis=0, return_inverse=True)
    nearest = np.empty(len(different), np.uint16)
    # A colour at a time: all distances at once would be the number of colours squared.
    for at, color in enumerate(different.astype(np.int32)):
        nearest[at] = ((colors - color) ** 2).sum(axis=1).argmin() * repeat
    return nearest[inverse.reshape(-1)].astype(kind).tobytes()
