"""Pixels: every format from bytes of known colours, and our encodings read back."""

from __future__ import annotations

import random
import struct
import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.dat import DatError
from engine.dat.images import Rgba, clip, data_size, decode_rgba, encode_rgba, palette_rgba
from engine.dat.records import Palette, PixelFormat, RenderSurface, read_record, write_record
from engine.dat.records.textures import BASE_CLIPMAP, BASE_IMAGE

RED, GREEN, BLUE, WHITE = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 255, 255)
BLACK, CLEAR = (0, 0, 0, 255), (0, 0, 0, 0)

Pixel = tuple[int, int, int, int]


def image(pixel_format: int, width: int, height: int, data: bytes, palette_id: int | None = None) -> RenderSurface:
    return RenderSurface(0x06000001, 4, width, height, pixel_format, data, palette_id)


def rows(pixels: Rgba) -> list[list[Pixel]]:
    return [[(int(r), int(g), int(b), int(a)) for r, g, b, a in row] for row in pixels]


def refusal(record: RenderSurface, palette: Palette | None = None) -> DatError:
    with pytest.raises(DatError) as caught:
        decode_rgba(record, palette, file="client_portal.dat")
    assert (caught.value.file, caught.value.record_id) == ("client_portal.dat", 0x06000001)
    return caught.value


def as_far_as_possible(record: RenderSurface, palette: Palette | None = None) -> tuple[Rgba, list[DatError]]:
    faults: list[DatError] = []
    return decode_rgba(record, palette, faults=faults), faults


@pytest.mark.parametrize(
    ("pixel_format", "data", "expected"),
    [
        (PixelFormat.R8G8B8, "0000FF 00FF00 FF0000 010203", [[RED, GREEN], [BLUE, (3, 2, 1, 255)]]),
        (
            PixelFormat.A8R8G8B8,
            "0000FFFF 00FF0080 FF000000 01020304",
            [[RED, (0, 255, 0, 128)], [(0, 0, 255, 0), (3, 2, 1, 4)]],
        ),
        (PixelFormat.X8R8G8B8, "0000FF00 00FF0080 FF000000 01020304", [[RED, GREEN], [BLUE, (3, 2, 1, 255)]]),
        (PixelFormat.R5G6B5, "00F8 E007 1F00 0108", [[RED, GREEN], [BLUE, (8, 0, 8, 255)]]),
        (
            PixelFormat.A4R4G4B4,
            "00FF F0F0 0F80 3412",
            [[RED, GREEN], [(0, 0, 255, 136), (34, 51, 68, 17)]],
        ),
        (PixelFormat.X1R5G5B5, "007C E083 1F00 2188", [[RED, GREEN], [BLUE, (16, 8, 8, 255)]]),
        (PixelFormat.A1R5G5B5, "00FC E083 1F00 2188", [[RED, GREEN], [(0, 0, 255, 0), (16, 8, 8, 255)]]),
        (PixelFormat.X4R4G4B4, "00FF F0F0 0F80 3412", [[RED, GREEN], [BLUE, (34, 51, 68, 255)]]),
        (
            PixelFormat.A2B10G10R10,
            "FF0300C0 00FC0FC0 0000F07F 000280C0",
            [[RED, GREEN], [(0, 0, 255, 85), (128, 0, 2, 255)]],
        ),
        (
            PixelFormat.A2R10G10B10,
            "0000F0FF 00FC0FC0 FF030040 000280C0",
            [[RED, GREEN], [(0, 0, 255, 85), (2, 0, 128, 255)]],
        ),
        (
            PixelFormat.A8B8G8R8,
            "FF0000FF 00FF0080 0000FF00 01020304",
            [[RED, (0, 255, 0, 128)], [(0, 0, 255, 0), (1, 2, 3, 4)]],
        ),
        (PixelFormat.X8B8G8R8, "FF000000 00FF0080 0000FF00 01020304", [[RED, GREEN], [BLUE, (1, 2, 3, 255)]]),
        (PixelFormat.A8, "00 7F 80 FF", [[(255, 255, 255, 0), (255, 255, 255, 127)], [(255, 255, 255, 128), WHITE]]),
        (
            PixelFormat.LSCAPE_ALPHA,
            "00 7F 80 FF",
            [[(255, 255, 255, 0), (255, 255, 255, 127)], [(255, 255, 255, 128), WHITE]],
        ),
        (PixelFormat.LSCAPE_R8G8B8, "FF0000 00FF00 0000FF 010203", [[RED, GREEN], [BLUE, (1, 2, 3, 255)]]),
    ],
)
def test_the_pixels_of_a_format_run_from_the_top_left(
    pixel_format: PixelFormat, data: str, expected: list[list[Pixel]]
) -> None:
    assert rows(decode_rgba(image(pixel_format, 2, 2, bytes.fromhex(data)))) == expected


def test_an_image_that_is_not_square_keeps_its_rows() -> None:
    pixels = decode_rgba(image(PixelFormat.A8, 3, 2, bytes([1, 2, 3, 4, 5, 6])))
    assert pixels[:, :, 3].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert pixels.shape == (2, 3, 4)


PALETTE = Palette(0x04000001, [0xFFFF0000, 0xFF00FF00, 0x800000FF, 0x00000000])


@pytest.mark.parametrize(
    ("pixel_format", "data"), [(PixelFormat.P8, "00 01 02 03"), (PixelFormat.INDEX16, "0000 0100 0200 0300")]
)
def test_palettised_pixels_have_the_palettes_colours(pixel_format: PixelFormat, data: str) -> None:
    record = image(pixel_format, 4, 1, bytes.fromhex(data), 0x04000001)
    assert rows(decode_rgba(record, PALETTE)) == [[RED, GREEN, (0, 0, 255, 128), CLEAR]]


def test_an_index_beyond_the_palette_costs_its_pixel_alone() -> None:
    record = image(PixelFormat.INDEX16, 3, 1, bytes.fromhex("0000 0400 0100"), 0x04000001)
    error = refusal(record, PALETTE)
    assert (error.field, error.reason) == ("data", "index 4, but palette 0x04000001 has 4 colours")
    pixels, (fault,) = as_far_as_possible(record, PALETTE)
    assert rows(pixels) == [[RED, CLEAR, GREEN]]
    assert str(fault) == str(refusal(record, PALETTE)).replace("client_portal.dat", "memory")


def test_an_index_beyond_a_palette_of_256_costs_its_pixel_alone() -> None:
    palette = Palette(0x04000001, [0xFF000000 | at for at in range(256)])
    record = image(PixelFormat.INDEX16, 3, 1, bytes.fromhex("FF07 0008 0800"), palette.id)
    pixels, faults = as_far_as_possible(record, palette)
    assert rows(pixels) == [[(0, 0, 255, 255), CLEAR, (0, 0, 1, 255)]]
    assert [fault.reason for fault in faults] == ["index 2048, but palette 0x04000001 has 256 colours"]


def test_a_palettised_image_without_its_palette_is_an_error() -> None:
    error = refusal(image(PixelFormat.P8, 1, 1, b"\x00", 0x04000009))
    assert (error.field, "0x04000009" in error.reason) == ("palette_id", True)
    empty = refusal(image(PixelFormat.P8, 1, 1, b"\x00", 0x04000009), Palette(0x04000009, []))
    assert empty.reason == "the palette of the image (0x04000009) is empty"


SIZED = [each for each in PixelFormat if data_size(each, 1, 1) is not None]


@pytest.mark.parametrize("pixel_format", SIZED)
@pytest.mark.parametrize("change", [-1, 1])
def test_data_that_does_not_fit_the_size_is_an_error(pixel_format: PixelFormat, change: int) -> None:
    size = data_size(pixel_format, 5, 3)
    assert size is not None
    error = refusal(image(pixel_format, 5, 3, bytes(size + change), 0x04000001), PALETTE)
    assert (error.field, f"take {size} bytes, not {size + change}" in error.reason) == ("data", True)


@pytest.mark.parametrize(("width", "height"), [(0, 1), (-4, 4), (1, 0), (0x7FFFFFFF, 0x7FFFFFFF), (4, 40_000)])
def test_an_absurd_size_is_an_error_before_memory_is_taken(width: int, height: int) -> None:
    assert refusal(image(PixelFormat.R8G8B8, width, height, b"")).field in ("width", "height")


@pytest.mark.parametrize("pixel_format", SIZED)
def test_an_image_that_ends_early_shows_what_there_is(pixel_format: PixelFormat) -> None:
    size = data_size(pixel_format, 8, 8)
    assert size is not None
    data = bytes(1 + at * 37 % 3 for at in range(size))
    if pixel_format in (PixelFormat.INDEX16, PixelFormat.P8):
        data = bytes(size)
    whole = decode_rgba(image(pixel_format, 8, 8, data, 0x04000001), PALETTE)
    pixels, faults = as_far_as_possible(image(pixel_format, 8, 8, data[: size // 2 + 1], 0x04000001), PALETTE)
    assert np.array_equal(pixels[:4], whole[:4])
    assert not pixels[5:].any()
    assert [fault.field for fault in faults] == ["data"]


def test_an_image_with_too_much_data_is_shown_without_the_rest() -> None:
    pixels, faults = as_far_as_possible(image(PixelFormat.A8, 2, 1, bytes([1, 2, 3])))
    assert pixels[:, :, 3].tolist() == [[1, 2]]
    assert [fault.reason for fault in faults] == ["2 x 1 pixels of A8 take 2 bytes, not 3"]


@pytest.mark.parametrize(("width", "height", "data"), [(32_768, 32_768, b"\1"), (4, 4, b"")])
def test_an_image_of_almost_nothing_is_an_error_and_takes_no_memory(width: int, height: int, data: bytes) -> None:
    tracemalloc.start()
    with pytest.raises(DatError, match=r"take \d+ bytes, not"):
        as_far_as_possible(image(PixelFormat.A8R8G8B8, width, height, data))
    assert tracemalloc.get_traced_memory()[1] < 100_000
    tracemalloc.stop()


@pytest.mark.parametrize("value", [0, 0x1B, 0x36545844])
def test_an_unknown_pixel_format_is_an_error(value: int) -> None:
    error = refusal(image(value, 4, 4, bytes(16)))
    assert (error.field, f"0x{value:08X}" in error.reason) == ("pixel_format", True)


@pytest.mark.parametrize("pixel_format", [60, 240, 241, 242])
def test_a_format_of_which_only_the_name_is_known_is_an_error_that_names_it(pixel_format: int) -> None:
    error = refusal(image(pixel_format, 4, 4, bytes(64)))
    assert (error.field, error.reason.split()[0]) == ("pixel_format", PixelFormat(pixel_format).name)


def jpeg_of(width: int, height: int, marker: int = 0xC0) -> bytes:
    """The head of a JPEG file, with a comment and fill bytes before the frame header."""
    frame = struct.pack(">BBHBHHB", 0xFF, marker, 11, 8, height, width, 1) + bytes(3)
    return b"\xff\xd8\xff\xfe\x00\x04hi\xff\xff" + frame + b"\xff\xd9"


@pytest.mark.parametrize("marker", [0xC0, 0xC2])
def test_a_jpeg_has_its_own_size_and_is_decoded_by_the_given_decoder(marker: int) -> None:
    record = image(PixelFormat.RAW_JPEG, 16, 16, jpeg_of(2, 1, marker))

    def decoder(data: bytes) -> Rgba:
        assert data == record.data
        return np.full((1, 2, 4), 7, np.uint8)

    assert decode_rgba(record, jpeg=decoder).tolist() == [[[7] * 4, [7] * 4]]
    assert "there is no decoder" in refusal(record).reason
    record.width = 0
    assert decode_rgba(record, jpeg=decoder).shape == (1, 2, 4)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "has no size"),
        (b"\xff\xd8 picture", "has no size"),
        (jpeg_of(2, 1)[:14], "has no size"),
        (jpeg_of(0, 4), "has the size 0 x 4"),
        (jpeg_of(60_000, 60_000), "has the size 60000 x 60000"),
        (jpeg_of(2, 2), "cannot be decoded"),
    ],
)
def test_a_jpeg_that_is_none_is_an_error(data: bytes, said: str) -> None:
    with pytest.raises(DatError, match=said):
        decode_rgba(image(PixelFormat.RAW_JPEG, 2, 2, data), jpeg=lambda _: None)


@pytest.mark.parametrize(("premultiplied", "like"), [("DXT2", "DXT3"), ("DXT4", "DXT5")])
def test_premultiplied_blocks_are_decoded_like_the_others(premultiplied: str, like: str) -> None:
    data = random.Random(3).randbytes(16 * 4)
    assert np.array_equal(
        decode_rgba(image(PixelFormat[premultiplied], 8, 8, data)), decode_rgba(image(PixelFormat[like], 8, 8, data))
    )


def test_an_image_survives_its_record() -> None:
    record = image(PixelFormat.P8, 2, 1, b"\x01\x00", 0x04000001)
    data = write_record(record)
    assert data == bytes.fromhex("01000006 04000000 02000000 01000000 29000000 02000000 0100 01000004")
    assert read_record(RenderSurface, data, file="x", record_id=0x06000001) == record


# An independent decoder of the block formats, one pixel at a time in fractions, from their public definition.


def scalar_565(word: int) -> list[int]:
    def widen(value: int, bits: int) -> int:
        return (value << (8 - bits)) | (value >> (2 * bits - 8))

    return [widen(word >> 11, 5), widen(word >> 5 & 63, 6), widen(word & 31, 5)]


def mix(first: int, second: int, part: int, of: int) -> int:
    """`part` of `of` steps from the first to the second value, rounded to the nearest integer."""
    return ((of - part) * first + part * second + of // 2) // of


def scalar_colors(block: bytes, punch_through: bool) -> list[list[int]]:
    first, second = int.from_bytes(block[0:2], "little"), int.from_bytes(block[2:4], "little")
    low, high = scalar_565(first), scalar_565(second)
    table = [[*low, 255], [*high, 255]]
    if punch_through and first <= second:
        table += [[*[mix(a, b, 1, 2) for a, b in zip(low, high, strict=True)], 255], [0, 0, 0, 0]]
    else:
        table += [[*[mix(a, b, part, 3) for a, b in zip(low, high, strict=True)], 255] for part in (1, 2)]
    bits = int.from_bytes(block[4:8], "little")
    return [list(table[bits >> 2 * at & 3]) for at in range(16)]


def scalar_alphas(block: bytes, name: str) -> list[int]:
    if name == "DXT3":
        bits = int.from_bytes(block, "little")
        return [(bits >> 4 * at & 15) * 17 for at in range(16)]
    first, second = block[0], block[1]
    table = [first, second]
    if first > second:
        table += [mix(first, second, part, 7) for part in range(1, 7)]
    else:
        table += [mix(first, second, part, 5) for part in range(1, 5)] + [0, 255]
    bits = int.from_bytes(block[2:8], "little")
    return [table[bits >> 3 * at & 7] for at in range(16)]


def scalar_decode(name: str, width: int, height: int, data: bytes) -> list[list[Pixel]]:
    size = 8 if name == "DXT1" else 16
    picture: list[list[Pixel]] = [[CLEAR] * width for _ in range(height)]
    across = -(-width // 4)
    for number in range(len(data) // size):
        block = data[size * number : size * (number + 1)]
        colors = scalar_colors(block[-8:], punch_through=name == "DXT1")
        if name != "DXT1":
            for color, alpha in zip(colors, scalar_alphas(block[:8], name), strict=True):
                color[3] = alpha
        for at, color in enumerate(colors):
            x, y = 4 * (number % across) + at % 4, 4 * (number // across) + at // 4
            if x < width and y < height:
                picture[y][x] = (color[0], color[1], color[2], color[3])
    return picture


@pytest.mark.parametrize("pixel_format", [PixelFormat.DXT1, PixelFormat.DXT3, PixelFormat.DXT5])
@pytest.mark.parametrize(("width", "height"), [(4, 4), (8, 12), (1, 1), (5, 7), (64, 64)])
def test_block_formats_agree_with_a_decoder_of_single_pixels(
    pixel_format: PixelFormat, width: int, height: int
) -> None:
    size = data_size(pixel_format, width, height)
    assert size is not None
    chooser = random.Random(width)
    for _ in range(6):
        data = bytearray(chooser.randbytes(size))
        # Equal ends, which rarely come up at random.
        data[-6:-4] = data[-8:-6]
        decoded = decode_rgba(image(pixel_format, width, height, bytes(data)))
        assert rows(decoded) == scalar_decode(pixel_format.name, width, height, bytes(data))


def test_a_dxt1_block_by_hand() -> None:
    # Red and blue; the rows take the first, the second, and the two between them.
    block = bytes.fromhex("00F8 1F00 00 55 AA FF")
    pixels = rows(decode_rgba(image(PixelFormat.DXT1, 4, 4, block)))
    assert pixels == [[RED] * 4, [BLUE] * 4, [(170, 0, 85, 255)] * 4, [(85, 0, 170, 255)] * 4]
    # In the other order there is one colour between them, and transparent black.
    block = bytes.fromhex("1F00 00F8 00 55 AA FF")
    pixels = rows(decode_rgba(image(PixelFormat.DXT1, 4, 4, block)))
    assert pixels == [[BLUE] * 4, [RED] * 4, [(128, 0, 128, 255)] * 4, [CLEAR] * 4]


def pattern(width: int, height: int, seed: int = 1) -> Rgba:
    """Soft colours with a little noise, like a texture."""
    y, x = np.mgrid[0:height, 0:width]
    waves = [np.sin(x / 7.0 + seed), np.sin((x + y) / 11.0), np.cos(y / 5.0), np.sin(x / 9.0)]
    noise = np.random.default_rng(seed).normal(0.0, 4.0, (height, width, 4))
    return np.clip(128 + 90 * np.stack(waves, axis=-1) + noise, 0, 255).astype(np.uint8)


def through(pixels: Rgba, pixel_format: PixelFormat, palette: Palette | None = None) -> Rgba:
    data = encode_rgba(pixels, pixel_format, palette)
    height, width = pixels.shape[:2]
    assert len(data) == data_size(pixel_format, width, height)
    return decode_rgba(image(pixel_format, width, height, data, None if palette is None else palette.id), palette)


def error_of(found: Rgba, wanted: Rgba, channels: slice) -> NDArray[np.int32]:
    return np.abs(found[:, :, channels].astype(np.int32) - wanted[:, :, channels].astype(np.int32))


RGB, ALPHA, ALL = slice(0, 3), slice(3, 4), slice(0, 4)


@pytest.mark.parametrize(
    ("pixel_format", "channels", "tolerance"),
    [
        (PixelFormat.R8G8B8, RGB, 0),
        (PixelFormat.A8R8G8B8, ALL, 0),
        (PixelFormat.R5G6B5, RGB, 4),
        (PixelFormat.A4R4G4B4, ALL, 8),
        (PixelFormat.A8, ALPHA, 0),
        (PixelFormat.LSCAPE_ALPHA, ALPHA, 0),
    ],
)
@pytest.mark.parametrize(("width", "height"), [(32, 16), (5, 3), (1, 1)])
def test_an_encoded_image_differs_only_by_the_formats_precision(
    pixel_format: PixelFormat, channels: slice, tolerance: int, width: int, height: int
) -> None:
    pixels = pattern(width, height)
    assert error_of(through(pixels, pixel_format), pixels, channels).max() <= tolerance


@pytest.mark.parametrize("pixel_format", [PixelFormat.R5G6B5, PixelFormat.A4R4G4B4])
def test_every_value_of_a_small_format_is_kept(pixel_format: PixelFormat) -> None:
    data = np.arange(1 << 16, dtype="<u2").tobytes()
    assert encode_rgba(decode_rgba(image(pixel_format, 256, 256, data)), pixel_format) == data


@pytest.mark.parametrize("pixel_format", [PixelFormat.P8, PixelFormat.INDEX16])
def test_an_image_of_the_palettes_colours_comes_back_exactly(pixel_format: PixelFormat) -> None:
    chooser = random.Random(2)
    palette = Palette(0x04000001, [chooser.getrandbits(32) for _ in range(200)])
    indices = np.array([chooser.randrange(200) for _ in range(12 * 9)]).reshape(9, 12)
    pixels = palette_rgba(palette)[indices]
    assert np.array_equal(through(pixels, pixel_format, palette), pixels)


def test_a_colour_outside_the_palette_becomes_the_nearest() -> None:
    pixels = np.array([[[250, 3, 0, 255], [0, 240, 9, 255], [1, 1, 1, 10]]], np.uint8)
    assert rows(through(pixels, PixelFormat.INDEX16, PALETTE)) == [[RED, GREEN, CLEAR]]


@pytest.mark.parametrize(("width", "height"), [(64, 64), (30, 18), (3, 2)])
def test_block_encoders_keep_soft_pictures_close(width: int, height: int) -> None:
    pixels = pattern(width, height)
    five = through(pixels, PixelFormat.DXT5)
    assert error_of(five, pixels, RGB).mean() < 6
    assert error_of(five, pixels, ALPHA).max() <= 18
    pixels[:, :, 3] = 255
    one = through(pixels, PixelFormat.DXT1)
    assert (one[:, :, 3] == 255).all()
    assert error_of(one, pixels, RGB).mean() < 6


def test_block_encoders_keep_colours_on_a_line_almost_exactly() -> None:
    shares = np.arange(16).reshape(4, 4, 1) // 4 / 3
    line = np.rint(shares * np.array([250, 120, 40, 0]) + (1 - shares) * np.array([10, 200, 90, 255])).astype(np.uint8)
    for pixel_format, channels in ((PixelFormat.DXT5, ALL), (PixelFormat.DXT1, RGB)):
        pixels = line.copy()
        if pixel_format is PixelFormat.DXT1:
            pixels[:, :, 3] = 255
        assert error_of(through(pixels, pixel_format), pixels, channels).max() <= 12


def test_a_block_of_one_colour_is_within_the_steps_of_the_format() -> None:
    for color in [BLACK, WHITE, (255, 0, 0, 7), (13, 200, 77, 128), (128, 128, 128, 255)]:
        pixels = np.tile(np.array(color, np.uint8), (4, 4, 1))
        found = through(pixels, PixelFormat.DXT5)
        assert error_of(found, pixels, RGB).max() <= 4
        assert error_of(found, pixels, ALPHA).max() == 0


def test_dxt1_cuts_out_pixels_less_than_half_opaque() -> None:
    pixels = pattern(16, 16)
    found = through(pixels, PixelFormat.DXT1)
    opaque = pixels[:, :, 3] >= 128
    assert 0 < opaque.sum() < opaque.size
    assert ((found[:, :, 3] == 255) == opaque).all()
    assert error_of(found, pixels, RGB)[opaque].mean() < 8
    empty = np.zeros((4, 4, 4), np.uint8)
    assert not through(empty, PixelFormat.DXT1).any()


def test_encoding_is_the_same_every_time() -> None:
    pixels = pattern(40, 24)
    assert encode_rgba(pixels, PixelFormat.DXT5) == encode_rgba(pixels.copy(), PixelFormat.DXT5)


@pytest.mark.parametrize(
    ("pixel_format", "reason"),
    [
        (PixelFormat.RAW_JPEG, "RAW_JPEG is not written here"),
        (PixelFormat.DXT3, "DXT3 is not written here"),
        (PixelFormat.P8, "P8 is not written here without a palette"),
    ],
)
def test_encoding_an_unsupported_format_is_an_error(pixel_format: PixelFormat, reason: str) -> None:
    with pytest.raises(DatError, match=reason):
        encode_rgba(pattern(4, 4), pixel_format)


def test_pixels_in_another_shape_than_rgba_are_an_error() -> None:
    with pytest.raises(DatError, match="RGBA pixels are needed"):
        encode_rgba(np.zeros((4, 4, 3), np.uint8), PixelFormat.R8G8B8)
    with pytest.raises(DatError, match="the palette is empty"):
        encode_rgba(pattern(4, 4), PixelFormat.P8, Palette(0x04000001, []))


def test_only_a_clipmap_is_cut_out() -> None:
    palette = Palette(0x04000001, [0xFF000000 | 0x111111 * at for at in range(16)])
    record = image(PixelFormat.INDEX16, 4, 1, bytes.fromhex("0000 0700 0800 0F00"), palette.id)
    pixels = decode_rgba(record, palette)
    assert clip(pixels, record, BASE_IMAGE)[0, :, 3].tolist() == [255, 255, 255, 255]
    assert clip(pixels, record, BASE_CLIPMAP)[0, :, 3].tolist() == [0, 0, 255, 255]
    assert pixels[0, :, 3].tolist() == [255, 255, 255, 255]


def test_the_alpha_of_a_palette_counts_on_a_clip_map_alone() -> None:
    palette = Palette(0x04000001, [0x00102030 for _ in range(16)])
    record = image(PixelFormat.INDEX16, 1, 1, bytes.fromhex("0900"), palette.id)
    pixels = decode_rgba(record, palette)
    assert rows(clip(pixels, record, BASE_IMAGE)) == [[(0x10, 0x20, 0x30, 255)]]
    assert rows(clip(pixels, record, BASE_CLIPMAP)) == [[(0x10, 0x20, 0x30, 0)]]


def test_a_dxt_clipmap_cuts_out_alpha_below_200_but_not_black() -> None:
    alphas = bytes.fromhex("C8C7 08 00 00 00 00 00")  # 200 and 199, which the second texel has
    record = image(PixelFormat.DXT5, 4, 4, alphas + bytes(8))
    whole = decode_rgba(record)
    alpha = clip(whole, record, BASE_CLIPMAP)[:, :, 3]
    assert not whole[:, :, :3].any()
    assert (alpha == np.where(whole[:, :, 3] < 200, 0, whole[:, :, 3])).all()
    assert alpha[0].tolist() == [200, 0, 200, 200]
    plain = image(PixelFormat.R8G8B8, 1, 1, bytes(3))
    assert clip(decode_rgba(plain), plain, BASE_CLIPMAP).tolist() == [[[0, 0, 0, 255]]]


@pytest.mark.parametrize("pixel_format", [PixelFormat.P8, PixelFormat.INDEX16])
def test_pictures_in_a_palette_of_256_come_back_too(pixel_format: PixelFormat) -> None:
    """Each colour has eight indices; one byte reaches the first 32 colours."""
    palette = Palette(0x04000001, [0xFF000000 | at << 8 for at in range(256)])
    many = 32 if pixel_format is PixelFormat.P8 else 256
    pixels = palette_rgba(palette)[np.arange(many).reshape(-1, 8)]
    assert np.array_equal(through(pixels, pixel_format, palette), pixels)
