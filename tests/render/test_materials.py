"""From a surface's record to how it is drawn: the chain of records, all pixel formats, the table of 17.5 (rendering.md
17)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from engine.dat.images import encode_rgba
from engine.dat.records import DatRecord, Palette, RenderSurface, Surface, SurfaceTexture, write_record
from engine.dat.records.textures import PixelFormat
from engine.render.materials import (
    ADD,
    ALPHA_ADD,
    ALPHA_BLEND,
    CLIP_BLEND,
    INVERSE_ADD,
    INVERSE_BLEND,
    OFF,
    Blend,
    Material,
    Materials,
    SubsetKind,
    checker,
    material_of,
    of_walls,
    state_of,
)
from engine.world.loader.dat_source import DatSource
from engine.world.loader.record_file import MemoryRecords
from engine.world.source import SurfaceImage
from engine.world.world import World

SURFACE = 0x08000001
TEXTURE = 0x05000001
IMAGE = 0x06000001
PALETTE = 0x04000001

SOLID, PICTURE, CLIPMAP, TRANSLUCENT, LUMINOUS = 0x1, 0x2, 0x4, 0x10, 0x40
ALPHA, INVERSE, ADDITIVE = 0x100, 0x200, 0x10000

RED, BLUE = (255, 0, 0, 255), (0, 0, 255, 255)


def world_of(records: Mapping[int, DatRecord]) -> World:
    portal = {record_id: write_record(record) for record_id, record in records.items()}
    return World(DatSource("test", MemoryRecords(portal), MemoryRecords({})))


def material(image: RenderSurface | None, flags: int = PICTURE, palette: Palette | None = None) -> Material:
    records: dict[int, DatRecord] = {
        SURFACE: Surface(flags, TEXTURE, 0, None, 0.0, 0.5, 0.75),
        TEXTURE: SurfaceTexture(TEXTURE, 0, 2, [0x06000099, IMAGE]),
    }
    if image is not None:
        records[IMAGE] = image
    if palette is not None:
        records[PALETTE] = palette
    return Materials(world_of(records)).of(SURFACE)


def image(pixel_format: PixelFormat, data: bytes, palette: int | None = None, size: int = 2) -> RenderSurface:
    return RenderSurface(IMAGE, 6, size, size, pixel_format, data, palette)


def left_red_right_blue(size: int = 2) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    pixels = np.empty((size, size, 4), np.uint8)
    pixels[:, : size // 2] = RED
    pixels[:, size // 2 :] = BLUE
    return pixels


RAW = {
    PixelFormat.R8G8B8: bytes([0, 0, 255, 255, 0, 0] * 2),
    PixelFormat.LSCAPE_R8G8B8: bytes([255, 0, 0, 0, 0, 255] * 2),
    PixelFormat.A8R8G8B8: bytes([0, 0, 255, 255, 255, 0, 0, 255] * 2),
    PixelFormat.X8R8G8B8: bytes([0, 0, 255, 7, 255, 0, 0, 7] * 2),
    PixelFormat.R5G6B5: bytes([0x00, 0xF8, 0x1F, 0x00] * 2),
    PixelFormat.A4R4G4B4: bytes([0x00, 0xFF, 0x0F, 0xF0] * 2),
}


@pytest.mark.parametrize("pixel_format", RAW, ids=lambda each: each.name)
def test_a_red_and_a_blue_pixel_keep_their_colours_in_every_plain_format(pixel_format: PixelFormat) -> None:
    made = material(image(pixel_format, RAW[pixel_format]))
    assert made.pixels is not None
    assert [tuple(pixel) for pixel in made.pixels[0].tolist()] == [RED, BLUE]
    assert not made.is_placeholder


@pytest.mark.parametrize("pixel_format", [PixelFormat.DXT1, PixelFormat.DXT5], ids=lambda each: each.name)
def test_block_compressed_pictures_keep_their_colours(pixel_format: PixelFormat) -> None:
    data = encode_rgba(left_red_right_blue(8), pixel_format)
    made = material(image(pixel_format, data, size=8))
    assert made.pixels is not None
    assert tuple(made.pixels[3, 0].tolist()) == RED
    assert tuple(made.pixels[3, 7].tolist()) == BLUE


@pytest.mark.parametrize("pixel_format", [PixelFormat.P8, PixelFormat.INDEX16], ids=lambda each: each.name)
def test_palettised_pictures_take_the_colours_of_the_images_palette(pixel_format: PixelFormat) -> None:
    kind = "<u2" if pixel_format is PixelFormat.INDEX16 else "u1"
    palette = Palette(PALETTE, [0xFF00FF00] * 8 + [0xFFFF0000, 0xFF0000FF])
    shown = image(pixel_format, np.array([8, 9, 8, 9], kind).tobytes(), PALETTE)
    made = material(shown, palette=palette)
    assert made.pixels is not None
    assert [tuple(pixel) for pixel in made.pixels[0].tolist()] == [RED, BLUE]


def test_a_clip_map_cuts_out_its_first_eight_palette_entries() -> None:
    palette = Palette(PALETTE, [0xFF00FF00] * 8 + [0xFFFF0000])
    made = material(image(PixelFormat.P8, bytes([7, 8, 7, 8]), PALETTE), CLIPMAP, palette)
    assert made.pixels is not None
    assert made.pixels[0, :, 3].tolist() == [0, 255]
    assert (made.kind, made.alpha_ref, made.depth_write) == (SubsetKind.CLIP, 100.0 / 255.0, True)


def test_the_images_palette_wins_over_that_of_the_surface() -> None:
    other = 0x04000002
    records: dict[int, DatRecord] = {
        SURFACE: Surface(PICTURE, TEXTURE, other, None, 0.0, 0.0, 1.0),
        TEXTURE: SurfaceTexture(TEXTURE, 0, 2, [IMAGE]),
        IMAGE: image(PixelFormat.P8, bytes([0, 1, 0, 1]), PALETTE),
        PALETTE: Palette(PALETTE, [0xFFFF0000, 0x000000FF]),
        other: Palette(other, [0xFF00FF00] * 2),
    }
    made = Materials(world_of(records)).of(SURFACE)
    assert made.pixels is not None
    assert [tuple(pixel) for pixel in made.pixels[0].tolist()] == [RED, BLUE], "without a clip map its alpha does not"
    del records[PALETTE]
    assert Materials(world_of(records)).of(SURFACE).is_placeholder


@pytest.mark.parametrize(("pixel_format", "kind"), [(PixelFormat.INDEX16, "<u2"), (PixelFormat.P8, "u1")])
def test_a_palette_of_256_colours_holds_each_eight_times(pixel_format: PixelFormat, kind: str) -> None:
    palette = Palette(PALETTE, [0xFF000000 | at for at in range(256)])
    indices = [0, 7, 8, 255] if pixel_format is PixelFormat.P8 else [0, 15, 2040, 2047]
    shown = image(pixel_format, np.array(indices, kind).tobytes(), PALETTE)
    made = material(shown, palette=palette)
    assert made.pixels is not None
    assert made.pixels[:, :, 2].reshape(-1).tolist() == [index >> 3 for index in indices]


def test_an_alpha_only_picture_is_white_unless_its_surface_is_additive() -> None:
    shown = image(PixelFormat.A8, bytes([0, 64, 128, 255]))
    plain, glowing = material(shown, PICTURE | ALPHA), material(shown, PICTURE | ADDITIVE)
    assert plain.pixels is not None
    assert glowing.pixels is not None
    assert plain.pixels[0, 1].tolist() == [255, 255, 255, 64]
    assert glowing.pixels[0, 1].tolist() == [64, 64, 64, 64]


def test_the_first_image_of_a_texture_that_exists_is_taken() -> None:
    assert material(image(PixelFormat.R8G8B8, RAW[PixelFormat.R8G8B8])).pixels is not None


def test_a_solid_colour_is_rgb_from_the_high_bits_and_absent_in_cells() -> None:
    made = Materials(world_of({SURFACE: Surface(SOLID, color=0x00FF8000, diffuse=1.0)})).of(SURFACE)
    assert made.pixels is None
    assert made.colour == pytest.approx((1.0, 128.0 / 255.0, 0.0, 1.0))
    assert not made.drawn_in_cells


def test_luminosity_comes_from_the_record_whatever_the_luminous_bit() -> None:
    made = material(image(PixelFormat.R8G8B8, RAW[PixelFormat.R8G8B8]), PICTURE | LUMINOUS)
    assert (made.luminosity, made.drawn_in_cells) == (0.5, True)


def test_translucency_counts_with_its_bit_and_without() -> None:
    shown = SurfaceImage(SURFACE, PICTURE, 0.0, 0.0, 1.0, pixels=checker())
    for translucency, kind, alpha in (
        (0.0002, SubsetKind.OPAQUE, 1.0),
        (0.0003, SubsetKind.BLENDED, 0.9997),
        (0.25, SubsetKind.BLENDED, 0.75),
    ):
        made = material_of(replace(shown, translucency=translucency))
        assert (made.kind, made.depth_write) == (kind, kind is SubsetKind.OPAQUE)
        assert made.alpha == pytest.approx(alpha)
    assert material_of(replace(shown, type_flags=PICTURE | TRANSLUCENT)).kind is SubsetKind.BLENDED


def test_walls_ignore_luminosity_and_a_pictures_translucency() -> None:
    """Their light is baked, and baked light has alpha 255; they blend nevertheless."""
    shown = SurfaceImage(SURFACE, PICTURE | TRANSLUCENT, 0.25, 0.5, 1.0, pixels=checker())
    made, wall = material_of(shown), of_walls(material_of(shown))
    assert (made.luminosity, made.alpha) == (0.5, 0.75)
    assert (wall.luminosity, wall.alpha) == (0.0, 1.0)
    assert (wall.kind, wall.blend, wall.depth_write) == (SubsetKind.BLENDED, ALPHA_BLEND, False)
    materials = Materials(world_of({}))
    assert of_walls(materials.flat(7)) is materials.flat(7), "colours of ours keep their own light"
    assert of_walls(materials.of(SURFACE)).luminosity == 1.0


def test_fractions_that_are_nan_count_as_zero() -> None:
    nothing = Surface(SOLID, color=0xFFFFFFFF, translucency=math.nan, luminosity=math.inf, diffuse=math.nan)
    made = Materials(world_of({SURFACE: nothing})).of(SURFACE)
    assert (made.alpha, made.luminosity) == (1.0, 0.0)


STATES: list[tuple[int, SubsetKind, Blend, bool, bool]] = [
    (PICTURE, SubsetKind.OPAQUE, OFF, False, True),
    (PICTURE | ALPHA, SubsetKind.BLENDED, ALPHA_BLEND, False, False),
    (PICTURE | ALPHA | ADDITIVE, SubsetKind.BLENDED, ALPHA_ADD, False, False),
    (PICTURE | INVERSE, SubsetKind.BLENDED, INVERSE_BLEND, False, False),
    (PICTURE | INVERSE | ADDITIVE, SubsetKind.BLENDED, INVERSE_ADD, False, False),
    (PICTURE | ALPHA | INVERSE, SubsetKind.BLENDED, ALPHA_BLEND, False, False),
    (PICTURE | ADDITIVE, SubsetKind.BLENDED, ADD, False, False),
    (CLIPMAP, SubsetKind.CLIP, CLIP_BLEND, True, True),
    (CLIPMAP | ALPHA, SubsetKind.BLENDED, ALPHA_BLEND, True, True),
    (CLIPMAP | INVERSE, SubsetKind.BLENDED, INVERSE_BLEND, True, True),
    (CLIPMAP | ADDITIVE, SubsetKind.BLENDED, ADD, True, True),
    (PICTURE | TRANSLUCENT, SubsetKind.BLENDED, ALPHA_BLEND, False, False),
    (PICTURE | TRANSLUCENT | ADDITIVE, SubsetKind.BLENDED, ADD, False, False),
    (CLIPMAP | TRANSLUCENT, SubsetKind.CLIP, ALPHA_BLEND, False, False),
    (CLIPMAP | ADDITIVE | TRANSLUCENT, SubsetKind.BLENDED, ALPHA_BLEND, False, False),
]


@pytest.mark.parametrize(("flags", "kind", "blend", "tested", "depth"), STATES, ids=lambda each: str(each))
def test_type_bits_are_evaluated_in_the_clients_order(
    flags: int, kind: SubsetKind, blend: Blend, tested: bool, depth: bool
) -> None:
    state = state_of(flags, palettised=False)
    assert (state.kind, state.blend, state.depth_write) == (kind, blend, depth)
    assert state.alpha_ref == (200.0 / 255.0 if tested else None)


def test_only_additive_surfaces_are_free_of_fog() -> None:
    shown = image(PixelFormat.R8G8B8, RAW[PixelFormat.R8G8B8])
    assert material(shown).foggy
    assert not material(shown, PICTURE | ADDITIVE).foggy


def test_a_surface_without_its_picture_is_a_checker_and_a_fault() -> None:
    materials = Materials(world_of({SURFACE: Surface(PICTURE, TEXTURE, 0, None, 0.0, 0.0, 1.0)}))
    made = materials.of(SURFACE)
    assert made.is_placeholder
    assert made.pixels is not None
    assert np.array_equal(made.pixels, checker())
    assert [fault.where for fault in materials.faults] == [SURFACE]


def test_a_missing_surface_is_a_checker_and_a_single_fault() -> None:
    materials = Materials(world_of({}))
    assert materials.of(0x08001234) is materials.of(0x08001234)
    assert materials.of(0x08001234).is_placeholder
    assert len(materials.faults) == 1


def test_a_damaged_picture_is_a_checker() -> None:
    assert material(image(PixelFormat.R8G8B8, b"")).is_placeholder
    assert material(image(PixelFormat.CUSTOM_B8G8R8, bytes(12))).is_placeholder


def test_a_picture_that_ends_early_is_shown_as_far_as_it_goes_with_a_fault() -> None:
    records: dict[int, DatRecord] = {
        SURFACE: Surface(PICTURE, TEXTURE, 0, None, 0.0, 0.5, 0.75),
        TEXTURE: SurfaceTexture(TEXTURE, 0, 2, [IMAGE]),
        IMAGE: image(PixelFormat.R8G8B8, RAW[PixelFormat.R8G8B8][:6]),
    }
    world = world_of(records)
    made = Materials(world).of(SURFACE)
    assert made.pixels is not None
    assert not made.is_placeholder
    assert [tuple(pixel) for pixel in made.pixels[0].tolist()] == [RED, BLUE]
    (fault,) = world.source.faults[1:]
    assert (fault.where, fault.what) == (SURFACE, "surface")
    assert fault.reason.endswith("take 12 bytes, not 6; the rest of the picture is shown")


def test_flat_colours_are_opaque_unlit_and_differ_for_adjacent_numbers() -> None:
    materials = Materials(world_of({}))
    first, second = materials.flat(0xA9B40100), materials.flat(0xA9B40101)
    assert (first.kind, first.luminosity) == (SubsetKind.OPAQUE, 1.0)
    assert max(abs(a - b) for a, b in zip(first.colour, second.colour, strict=True)) > 0.1


def test_a_surface_is_read_again_after_an_edit() -> None:
    class Changing(DatSource):
        color = 0xFFFF0000

        def surface_image(self, surface_id: int) -> SurfaceImage | None:
            return SurfaceImage(surface_id, SOLID, 0.0, 0.0, 1.0, self.color)

    source = Changing("test", MemoryRecords({}), MemoryRecords({}))
    materials = Materials(World(source))
    before = materials.of(SURFACE)
    source.color = 0xFF00FF00
    assert materials.of(SURFACE) is before
    materials.forget(SURFACE)
    assert materials.of(SURFACE).colour == (0.0, 1.0, 0.0, 1.0)
