"""Textures drawn by code: their formats, seams, holes and blending masks."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.build.materials import TextureImage
from engine.build.region import DEFAULT_GROUND, ROAD
from engine.build.textures import PICTURES, ground_name, texture
from engine.dat.images import clip, decode_rgba
from engine.dat.records import Palette, RenderSurface
from engine.dat.records.textures import BASE_CLIPMAP, PixelFormat

REPEATING = (
    "plaster",
    "limewash",
    "brick",
    "flagstone",
    "cobble",
    "stone",
    "ashlar",
    "damp ashlar",
    "slabs",
    "vault",
    "plank",
    "oak",
    "timber",
    "beam",
    "shingle",
    "thatch",
    "bark",
    "water",
    "straw",
)
CUT_OUT = ("leaves", "needles", "tuft")


@cache
def _image(name: str) -> TextureImage:
    image = texture(name)
    assert image is not None
    return image


def _pixels(name: str, *, clipmap: bool = False) -> NDArray[np.float64]:
    """RGBA, 0 to 255."""
    image = _image(name)
    palette = None if image.palette is None else Palette(0x04000001, list(image.palette))
    record = RenderSurface(
        0x06000001, 6, image.width, image.height, image.format, image.data, None if palette is None else palette.id
    )
    pixels = decode_rgba(record, palette)
    return (clip(pixels, record, BASE_CLIPMAP) if clipmap else pixels).astype(np.float64)


def _mask(name: str) -> NDArray[np.float64]:
    return _pixels(name)[:, :, 3]


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_every_picture_is_a_valid_image_of_a_power_of_two(name: str) -> None:
    pixels = _pixels(name)
    height, width = pixels.shape[:2]
    assert (width & (width - 1), height & (height - 1)) == (0, 0)
    assert 64 <= min(width, height) <= max(width, height) <= 256
    assert PixelFormat(_image(name).format) is PICTURES[name].format


def test_an_unknown_name_has_no_picture() -> None:
    assert texture("no such wall") is None


def test_drawing_a_picture_twice_gives_the_same_picture() -> None:
    for name in ("stone", "thatch", "leaves", "rug", "corner mask"):
        assert texture(name) == texture(name)


def test_many_pixel_formats_are_used() -> None:
    used = {picture.format for picture in PICTURES.values()}
    assert used >= {
        PixelFormat.DXT1,
        PixelFormat.DXT5,
        PixelFormat.A8R8G8B8,
        PixelFormat.R8G8B8,
        PixelFormat.R5G6B5,
        PixelFormat.A4R4G4B4,
        PixelFormat.INDEX16,
        PixelFormat.P8,
        PixelFormat.A8,
        PixelFormat.LSCAPE_ALPHA,
    }


@pytest.mark.parametrize("name", [*REPEATING, *(ground_name(kind) for kind in range(ROAD + 1))])
def test_walls_and_ground_repeat_without_a_seam(name: str) -> None:
    """Across the edge of the picture, neighbouring pixels differ no more than at the worst place inside."""
    pixels = _pixels(name)[:, :, :3]
    for axis in (0, 1):
        steps = np.abs(np.diff(pixels, axis=axis)).mean(axis=(1 - axis, 2))
        seam = np.abs(np.take(pixels, 0, axis) - np.take(pixels, -1, axis)).mean()
        assert seam <= steps.max() * 1.25 + 2.0


@pytest.mark.parametrize("name", CUT_OUT)
def test_foliage_has_holes_on_a_clipmap(name: str) -> None:
    alpha = _pixels(name, clipmap=True)[:, :, 3]
    shown = float((alpha >= 128).mean())
    assert 0.1 < shown < 0.9


@pytest.mark.parametrize("name", ["needles", "rug", "thatch", "bark"])
def test_palettes_reserve_the_entries_that_clipmaps_cut_out(name: str) -> None:
    image = _image(name)
    assert image.palette is not None
    places = np.frombuffer(image.data, "<u2" if image.format == PixelFormat.INDEX16 else "u1")
    assert places.max() < len(image.palette) * (8 if len(image.palette) == 256 else 1)
    assert name == "needles" or places.min() >= 8


@pytest.mark.parametrize("kind", range(ROAD + 1))
def test_ground_has_roughly_the_colour_of_its_map(kind: int) -> None:
    mean = _pixels(ground_name(kind))[:, :, :3].mean(axis=(0, 1))
    assert np.abs(mean - np.array(DEFAULT_GROUND[kind].colour)).max() < 60


@pytest.mark.parametrize("name", ["corner mask", "corner mask 2"])
def test_a_corner_mask_shows_the_overlay_in_the_north_west(name: str) -> None:
    mask = _mask(name)
    assert mask[0, 0] == 0
    assert mask[0, -1] == mask[-1, 0] == mask[-1, -1] == 255


@pytest.mark.parametrize("name", ["side mask", "side mask 2"])
def test_a_side_mask_shows_the_overlay_in_the_west(name: str) -> None:
    mask = _mask(name)
    assert mask[:, 0].max() == 0
    assert mask[:, -1].min() == 255


def test_road_masks_show_the_road_where_their_codes_put_it() -> None:
    corner, side, across = (_mask(f"road {name} mask") for name in ("corner", "side", "across"))
    assert corner[0, 0] == 0
    assert corner[0, -1] == corner[-1, 0] == corner[-1, -1] == 255
    assert side[:, 0].max() == 0
    assert side[:, -1].min() == 255
    assert across[0, 0] == across[-1, -1] == across[64, 64] == 0
    assert across[0, -1] == across[-1, 0] == 255


@pytest.mark.parametrize(("corner", "side"), [("corner mask", "side mask 2"), ("corner mask 2", "side mask")])
def test_masks_of_neighbouring_land_cells_meet_at_their_common_edge(corner: str, side: str) -> None:
    """Along an edge from one overlay's corner to another one, every mask has the same gradient."""
    run = _mask(corner)[0]
    assert np.abs(_mask(corner)[:, 0] - run).max() <= 4
    assert np.abs(_mask(side)[0] - run).max() <= 4
    assert np.abs(_mask(side)[-1] - run).max() <= 4
