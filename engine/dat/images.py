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

JpegDecoder = Callable[[bytes], Rgba | None]
"""Decodes a JPEG file to RGBA, or cannot. The engine has no decoder of its own; a caller that has Qt passes one in."""

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

_MOST_INCOMPLETE: Final = 1 << 24
"""Pixels of the largest image that is filled up when its data ends early: a few bytes must not take gigabytes."""

_PIXEL_BYTES: Final = {
    PixelFormat.R8G8B8: 3,
    PixelFormat.A8R8G8B8: 4,
    PixelFormat.X8R8G8B8: 4,
    PixelFormat.R5G6B5: 2,
    PixelFormat.X1R5G5B5: 2,
    PixelFormat.A1R5G5B5: 2,
    PixelFormat.A4R4G4B4: 2,
    PixelFormat.A8: 1,
    PixelFormat.X4R4G4B4: 2,
    PixelFormat.A2B10G10R10: 4,
    PixelFormat.A8B8G8R8: 4,
    PixelFormat.X8B8G8R8: 4,
    PixelFormat.A2R10G10B10: 4,
    PixelFormat.P8: 1,
    PixelFormat.INDEX16: 2,
    PixelFormat.LSCAPE_R8G8B8: 3,
    PixelFormat.LSCAPE_ALPHA: 1,
}

_NOT_SHOWN: Final = {
    PixelFormat.V8U8: "holds displacements and no colours",
    PixelFormat.CUSTOM_R8G8B8A8: "has its bytes in an order that is not known",
    PixelFormat.CUSTOM_A8B8G8R8: "has its bytes in an order that is not known",
    PixelFormat.CUSTOM_B8G8R8: "has its bytes in an order that is not known",
}
"""Formats of which the client knows the name, and nobody else the meaning; no file is known to have one."""

_DXT_ALPHA_BITS: Final = {
    PixelFormat.DXT1: 0,
    PixelFormat.DXT2: 4,
    PixelFormat.DXT3: 4,
    PixelFormat.DXT4: 3,
    PixelFormat.DXT5: 3,
}
"""DXT2 and DXT4 say that the colours were multiplied by their alpha, and are decoded like DXT3 and DXT5."""

_PALETTISED: Final = (PixelFormat.P8, PixelFormat.INDEX16)


def data_size(pixel_format: PixelFormat, width: int, height: int) -> int | None:
    """The size of an image in bytes; None for JPEG, where only the file itself knows, and for what is not shown."""
    if pixel_format in _DXT_ALPHA_BITS:
        across, down = block_counts(width, height)
        return across * down * (16 if _DXT_ALPHA_BITS[pixel_format] else 8)
    size = _PIXEL_BYTES.get(pixel_format)
    return None if size is None else width * height * size


def decode_rgba(
    image: RenderSurface,
    palette: Palette | None = None,
    *,
    jpeg: JpegDecoder | None = None,
    file: FilePath = IN_MEMORY,
    faults: list[DatError] | None = None,
) -> Rgba:
    """The pixels of an image. `palette` is the one that `image.palette_id` names, for the formats that have one.

    With `faults`, an image that cannot be decoded whole is decoded as far as possible, and why goes there; the other
    pixels are transparent black. Without, it is an error, as are images of which nothing can be decoded."""
    found: list[DatError] = []
    pixels = _decode(image, palette, jpeg, file, found)
    if faults is not None:
        faults.extend(found)
    elif found:
        raise found[0]
    return pixels


def _decode(
    image: RenderSurface, palette: Palette | None, jpeg: JpegDecoder | None, file: FilePath, found: list[DatError]
) -> Rgba:
    pixel_format = _checked_format(image, file)
    if pixel_format is PixelFormat.RAW_JPEG:
        return _decode_jpeg(image, jpeg, file)
    data = _whole_data(image, pixel_format, file, found)
    if pixel_format in _DXT_ALPHA_BITS:
        return decode_blocks(data, image.width, image.height, _DXT_ALPHA_BITS[pixel_format])
    if pixel_format in _PALETTISED:
        pixels = _decode_palettised(image, _indices(image, data), palette, file, found)
    else:
        raw = np.frombuffer(data, np.uint8).reshape(image.height, image.width, _PIXEL_BYTES[pixel_format])
        pixels = _decode_plain(raw, pixel_format)
    if len(image.data) < len(data):
        pixels.reshape(-1, 4)[len(image.data) // _PIXEL_BYTES[pixel_format] :] = 0
    return pixels


def _checked_format(image: RenderSurface, file: FilePath) -> PixelFormat:
    """Everything that can be known to be wrong before there is an array."""
    try:
        pixel_format = PixelFormat(image.pixel_format)
    except ValueError:
        reason = f"0x{image.pixel_format:08X} is not a pixel format that is known"
        raise DatError(file, image.id, None, "pixel_format", reason) from None
    if pixel_format in _NOT_SHOWN:
        reason = f"{pixel_format.name} {_NOT_SHOWN[pixel_format]}"
        raise DatError(file, image.id, None, "pixel_format", reason)
    sides = () if pixel_format is PixelFormat.RAW_JPEG else (("width", image.width), ("height", image.height))
    for name, side in sides:
        if not 0 < side <= _MAX_SIDE:
            raise DatError(file, image.id, None, name, f"{side} is not within 1 to {_MAX_SIDE}")
    return pixel_format


def _whole_data(image: RenderSurface, pixel_format: PixelFormat, file: FilePath, found: list[DatError]) -> bytes:
    """The data in the size that it should have: without what is too much, with zeros for what is missing."""
    size = data_size(pixel_format, image.width, image.height)
    assert size is not None
    if len(image.data) == size:
        return image.data
    reason = f"{image.width} x {image.height} pixels of {pixel_format.name} take {size} bytes, not {len(image.data)}"
    error = DatError(file, image.id, None, "data", reason)
    if not image.data or (len(image.data) < size and image.width * image.height > _MOST_INCOMPLETE):
        raise error
    found.append(error)
    return _filled_up(image.data[:size], pixel_format, size)


def _filled_up(data: bytes, pixel_format: PixelFormat, size: int) -> bytes:
    """Whole blocks, the missing ones transparent black: in DXT1 two ends of one colour and all pixels the fourth, in
    the others all zeros."""
    if pixel_format is PixelFormat.DXT1:
        return data[: len(data) // 8 * 8].ljust(size, b"\xff")
    return data[: len(data) // 16 * 16 if pixel_format in _DXT_ALPHA_BITS else len(data)].ljust(size, b"\0")


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height by the frame header of a JPEG file; None where there is none."""
    at = 2
    while data[:2] == b"\xff\xd8" and at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _JPEG_ALONE:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _JPEG_FRAMES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


_JPEG_FRAMES: Final = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""The markers of frame headers; the three left out are tables."""

_JPEG_ALONE: Final = {0x01, 0xFF, *range(0xD0, 0xD8)}
"""Markers without a length behind them; 0xFF fills up."""


def _decode_jpeg(image: RenderSurface, jpeg: JpegDecoder | None, file: FilePath) -> Rgba:
    """The size is the JPEG file's, as in the client, whatever the record says."""
    size = jpeg_size(image.data)
    if size is None or not 0 < size[0] * size[1] <= _MOST_INCOMPLETE:
        told = "no size" if size is None else f"the size {size[0]} x {size[1]}"
        raise DatError(file, image.id, None, "data", f"the JPEG file has {told}")
    if jpeg is None:
        raise DatError(file, image.id, None, "data", "the image is a JPEG file, and there is no decoder for it here")
    decoded = jpeg(image.data)
    if decoded is None or decoded.shape != (size[1], size[0], 4):
        raise DatError(file, image.id, None, "data", "the JPEG file cannot be decoded")
    return decoded


def palette_indices(image: RenderSurface) -> NDArray[np.uint16]:
    """(height, width), of an image in a format with a palette; missing ones are 0."""
    size = image.width * image.height * (2 if image.pixel_format == PixelFormat.INDEX16 else 1)
    return _indices(image, image.data[:size].ljust(size, b"\0"))


def _indices(image: RenderSurface, data: bytes) -> NDArray[np.uint16]:
    kind = "<u2" if image.pixel_format == PixelFormat.INDEX16 else "u1"
    return np.frombuffer(data, kind).reshape(image.height, image.width).astype(np.uint16, copy=False)


def _decode_palettised(
    image: RenderSurface, indices: NDArray[np.uint16], palette: Palette | None, file: FilePath, found: list[DatError]
) -> Rgba:
    if palette is None or not palette.colors:
        named = "none" if image.palette_id is None else did_text(image.palette_id)
        what = "is not there" if palette is None else "is empty"
        raise DatError(file, image.id, None, "palette_id", f"the palette of the image ({named}) {what}")
    repeat = PALETTE_REPEAT if len(palette.colors) == SMALL_PALETTE else 1
    highest, colors = int(indices.max()), len(palette.colors)
    if highest < repeat * colors:
        pixels: Rgba = palette_rgba(palette)[indices // repeat]
    else:
        reason = f"index {highest}, but palette {did_text(palette.id)} has {colors} colours"
        found.append(DatError(file, image.id, None, "data", reason))
        pixels = palette_rgba(palette)[np.minimum(indices // repeat, colors - 1)]
        pixels[indices >= repeat * colors] = 0
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
    elif pixel_format is PixelFormat.A8B8G8R8:
        pixels[:] = raw
    elif pixel_format is PixelFormat.X8B8G8R8:
        pixels[:, :, :3] = raw[:, :, :3]
    elif pixel_format in _BITS:
        _decode_bits(pixels, raw, _BITS[pixel_format])
    elif pixel_format is PixelFormat.LSCAPE_R8G8B8:
        # In the order of reader A (3.7.2).
        pixels[:, :, :3] = raw
    elif pixel_format is PixelFormat.R5G6B5:
        pixels[:, :, :3] = expand_565(raw.view("<u2")[:, :, 0])
    else:
        # A8 and LSCAPE alpha: white with that alpha (5.3).
        pixels[:, :, 3] = raw[:, :, 0]
    return pixels


_BITS: Final[dict[PixelFormat, tuple[tuple[int, int], ...]]] = {
    PixelFormat.X1R5G5B5: ((10, 5), (5, 5), (0, 5)),
    PixelFormat.A1R5G5B5: ((10, 5), (5, 5), (0, 5), (15, 1)),
    PixelFormat.A4R4G4B4: ((8, 4), (4, 4), (0, 4), (12, 4)),
    PixelFormat.X4R4G4B4: ((8, 4), (4, 4), (0, 4)),
    PixelFormat.A2B10G10R10: ((0, 10), (10, 10), (20, 10), (30, 2)),
    PixelFormat.A2R10G10B10: ((20, 10), (10, 10), (0, 10), (30, 2)),
}
"""Where red, green, blue and alpha are in a pixel's number, as Direct3D has it: the lowest bit, and how many."""


def _decode_bits(pixels: Rgba, raw: Rgba, channels: tuple[tuple[int, int], ...]) -> None:
    """Each value in the range of a byte, rounded."""
    numbers = np.ascontiguousarray(raw).view("<u2" if raw.shape[2] == 2 else "<u4")[:, :, 0].astype(np.uint32)
    for at, (lowest, bits) in enumerate(channels):
        most = (1 << bits) - 1
        values = numbers >> np.uint32(lowest) & np.uint32(most)
        pixels[:, :, at] = (values * 255 + most // 2) // most


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
        nearest[at] = np.square(colors - color).sum(axis=1).argmin() * repeat
    return nearest[inverse.reshape(-1)].astype(kind).tobytes()
