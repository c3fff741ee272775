"""Terrain in the fragment shader: layers, masks and their turns, tiling, light (rendering.md 19.3, 19.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.render.draws import Daylight, TerrainDraw
from engine.render.gl.uniforms import Lit
from engine.render.gl.uploads.terrain import TerrainUploads
from engine.visibility.events import LandCellVisit
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.easel import EVEN, HEIGHT, WIDTH, Easel

BLOCK = 0x0000FFFF
RED, GREEN, BLUE, WHITE = (200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 200)
NONE = -1
CORNER_UVS = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))
ORDER = (0, 1, 2, 0, 2, 3)


@dataclass
class Look:
    """Four plain textures, and masks of 4 x 4 texels: one whose left half keeps what is below, and one that keeps
    all."""

    textures: list[NDArray[np.uint8] | None]
    masks: NDArray[np.uint8]
    filled: list[int] = field(default_factory=lambda: [0, 1, 2, 3])
    tiling: NDArray[np.float32] = field(default_factory=lambda: np.ones(4, np.float32))
    size: int = 4
    capacity: int = 4


def look() -> Look:
    masks = np.full((2, 4, 4), 255, np.uint8)
    masks[0, :, 2:] = 0
    return Look([np.full((4, 4, 4), (*colour, 255), np.uint8) for colour in (RED, GREEN, BLUE, WHITE)], masks)


def terrain(row: list[int] | None, colours: tuple[float, float, float] = (0.2, 0.4, 0.6)) -> TerrainDraw:
    """64 land cells on top of each other: an upright square of 24 m before the eye."""
    corners = [(-12.0, 12.0, -12.0), (12.0, 12.0, -12.0), (12.0, 12.0, 12.0), (-12.0, 12.0, 12.0)]
    positions = np.array([corners[i] for i in ORDER] * 64, np.float32)
    normals = np.tile(np.array((0.0, -1.0, 0.0), np.float32), (384, 1))
    uvs = np.array([CORNER_UVS[i] for i in ORDER] * 64, np.float32)
    layers = None if row is None else np.tile(np.array(row, np.int16), (384, 1))
    return TerrainDraw(
        BLOCK, positions, normals, uvs, layers, np.tile(np.array(colours, np.float32), (384, 1)), 0.0, 1.0, 1
    )


class Land:
    """Draws one landblock in the corner of the world."""

    def __init__(self, target: Targets) -> None:
        self.easel = Easel(target(WIDTH, HEIGHT))
        self.ground: TerrainUploads | None = None

    def picture(self, draw: TerrainDraw, with_look: Look | None, daylight: Daylight = EVEN) -> NDArray[np.uint8]:
        if self.ground is not None:
            self.ground.close()
        self.ground = TerrainUploads(self.easel.things.places, with_look)
        self.ground.set(BLOCK, draw)
        self.easel.begin(daylight)
        self.easel.uniforms.light(Lit.GROUND)
        self.easel.brush.for_ground()
        self.ground.draw([LandCellVisit(BLOCK, 1)])
        shown: NDArray[np.uint8] = self.easel.target.pixels()[:, :, :3]
        return shown

    def close(self) -> None:
        if self.ground is not None:
            self.ground.close()
        self.easel.close()


@pytest.fixture
def land(targets: Targets) -> Iterator[Land]:
    made = Land(targets)
    yield made
    made.close()


def at(picture: NDArray[np.uint8], across: float, down: float) -> tuple[int, int, int]:
    """The colour at a fraction of the square, which fills the picture's height."""
    left = (WIDTH - HEIGHT) / 2
    red, green, blue = picture[int(down * HEIGHT), int(left + across * HEIGHT)]
    return int(red), int(green), int(blue)


def test_a_cell_without_layers_shows_its_base(land: Land) -> None:
    picture = land.picture(terrain([0, *[NONE] * 8, 3, 0, 0]), look())
    assert at(picture, 0.5, 0.5) == RED


SIDES = [(0.1, 0.5), (0.5, 0.1), (0.9, 0.5), (0.5, 0.9)]
"""Left, top, right, bottom: where the half that keeps what is below is after 0 to 3 quarter turns."""


@pytest.mark.parametrize("turns", range(4))
def test_a_mask_keeps_lower_layers_and_turns_with_its_rotation(turns: int, land: Land) -> None:
    """Rotation r looks up the mask at the cell's (u, v), (1-v, u), (1-u, 1-v), (v, 1-u)."""
    picture = land.picture(terrain([0, 1, NONE, NONE, turns, NONE, NONE, NONE, NONE, 3, 0, 0]), look())
    kept = {0: 0, 1: 3, 2: 2, 3: 1}[turns]
    assert at(picture, *SIDES[kept]) == RED
    assert at(picture, *SIDES[(kept + 2) % 4]) == GREEN


def test_layers_cover_each_other_and_the_road_covers_all(land: Land) -> None:
    half, turned = 0, 2
    row = [0, 1, 2, NONE, half, turned, NONE, NONE, NONE, 3, 0, 0]
    picture = land.picture(terrain(row), look())
    assert at(picture, 0.1, 0.5) == BLUE
    assert at(picture, 0.9, 0.5) == GREEN
    row[7] = 1
    picture = land.picture(terrain(row), look())
    assert at(picture, 0.1, 0.9) == BLUE
    assert at(picture, 0.9, 0.9) == GREEN
    assert at(picture, 0.1, 0.1) == at(picture, 0.9, 0.1) == WHITE


def test_the_shader_draws_five_layers(land: Land) -> None:
    all_kept = 4
    row = [0, 1, 2, 1, all_kept, all_kept, all_kept, all_kept, 0, 3, 0, 0]
    picture = land.picture(terrain(row), look())
    assert at(picture, 0.1, 0.5) == RED
    assert at(picture, 0.9, 0.5) == WHITE


def test_textures_repeat_as_often_as_they_state(land: Land) -> None:
    own = look()
    stripes = np.full((4, 4, 4), 255, np.uint8)
    stripes[:, :2, :3], stripes[:, 2:, :3] = 0, 200
    own.textures[0] = stripes
    own.tiling[0] = 2.0
    picture = land.picture(terrain([0, *[NONE] * 8, 3, 0, 0]), own)
    shades = [at(picture, share, 0.5)[0] for share in (0.125, 0.375, 0.625, 0.875)]
    assert [shade > 100 for shade in shades] == [False, True, False, True]


def test_ground_without_textures_shows_its_colours(land: Land) -> None:
    picture = land.picture(terrain(None), None)
    assert at(picture, 0.5, 0.5) == (51, 102, 153)


def test_the_sun_lights_the_ground_up_to_its_own_colour(land: Land) -> None:
    sun = replace(EVEN, sun=(0.0, -0.5, 0.0), ambient_level=0.25)
    assert at(land.picture(terrain([0, *[NONE] * 8, 3, 0, 0]), look(), sun), 0.5, 0.5) == (150, 0, 0)
    bright = replace(EVEN, sun=(0.0, -2.0, 0.0), ambient_level=0.25)
    assert at(land.picture(terrain([0, *[NONE] * 8, 3, 0, 0]), look(), bright), 0.5, 0.5) == RED


def test_textures_read_later_are_sent_when_a_landblock_needs_them(land: Land) -> None:
    own = look()
    own.filled = [0]
    assert at(land.picture(terrain([0, *[NONE] * 8, 0, 0, 0]), own), 0.5, 0.5) == RED
    assert land.ground is not None
    own.filled.append(2)
    land.ground.set(BLOCK, terrain([2, *[NONE] * 8, 0, 0, 0]))
    land.easel.begin()
    land.easel.uniforms.light(Lit.GROUND)
    land.easel.brush.for_ground()
    land.ground.draw([LandCellVisit(BLOCK, 64)])
    assert land.easel.middle() == BLUE
    assert land.ground.pictures is not None
    assert land.ground.pictures.sent_layers == 2


def test_an_unloaded_landblock_is_not_drawn(land: Land) -> None:
    land.picture(terrain(None), None)
    assert land.ground is not None
    land.ground.keep(lambda block_id: False)
    land.easel.begin()
    land.ground.draw([LandCellVisit(BLOCK, 1)])
    assert land.easel.middle() == (0, 0, 0)
