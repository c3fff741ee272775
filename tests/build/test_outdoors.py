"""Ground, region, scenery and things outdoors, as the reader returns them (dat-format.md 2.2, 3.12, 4, 6)."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build import (
    BlendMask,
    BuildError,
    GroundType,
    InTheSky,
    Mesh,
    SkyPlan,
    Strewn,
    TextureImage,
    WorldBuilder,
    rect,
)
from engine.build.ground import GRASSLAND, RUNNING_WATER, SNOW, BlockGround
from engine.build.records.region import blend_mask
from engine.build.region import DEFAULT_LIGHT
from engine.build.shapes.furniture import person, table, tree
from engine.build.shapes.solids import ball, inside_out
from engine.dat.records import LandBlock, Region, Scene
from engine.world.cells.terrain import Terrain
from engine.world.landblock import Landblock
from engine.world.world import World


def _hills(x: float, y: float) -> float:
    return 40.0 + 10.0 * ((x // 24 * 7 + y // 24 * 3) % 5)


def _terrain(world: World, number: int) -> Terrain:
    terrain = _block(world, number).terrain
    assert terrain is not None
    return terrain


def _block(world: World, number: int) -> Landblock:
    block = world.landblock(number << 16 | 0xFFFF)
    assert block is not None
    return block


def test_a_landblock_comes_with_its_eight_neighbours_and_equal_edges() -> None:
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    assert land.ground is not None
    land.ground.shape(_hills)
    opened = world.build().load()
    assert [block >> 16 for block in opened.landblock_ids()] == [
        x << 8 | y for x in (0xC8, 0xC9, 0xCA) for y in (0x5A, 0x5B, 0x5C)
    ]
    for x in (0xC8, 0xC9):
        for y in (0x5A, 0x5B, 0x5C):
            west, east = _terrain(opened, x << 8 | y), _terrain(opened, (x + 1) << 8 | y)
            assert [west.vertex(8, j)[2] for j in range(9)] == [east.vertex(0, j)[2] for j in range(9)]
    for y in (0x5A, 0x5B):
        south, north = _terrain(opened, 0xC900 | y), _terrain(opened, 0xC900 | y + 1)
        assert [south.vertex(i, 8)[2] for i in range(9)] == [north.vertex(i, 0)[2] for i in range(9)]


def test_landblocks_beyond_the_edge_of_the_world_are_skipped() -> None:
    world = WorldBuilder()
    world.landblock(0x00FE)
    numbers = [key >> 16 for key in world.build().cell if key & 0xFFFF == 0xFFFF]
    assert sorted(numbers) == [0x00FD, 0x00FE, 0x01FD, 0x01FE]


@cache
def _hilly() -> tuple[BlockGround, World]:
    world = WorldBuilder()
    ground = world.landblock(0xC95B).ground
    assert ground is not None
    ground.shape(_hills)
    return ground, world.build().load()


@given(st.floats(-191, 383), st.floats(-191, 383))
def test_the_builder_and_the_reader_agree_on_the_height_of_the_ground(x: float, y: float) -> None:
    ground, opened = _hilly()
    column, row = math.floor(x / 192), math.floor(y / 192)
    terrain = _terrain(opened, (0xC9 + column) << 8 | 0x5B + row)
    assert ground.height_at(x, y) == terrain.height_at(x - 192 * column, y - 192 * row)


def test_things_and_entities_stand_on_the_ground() -> None:
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    assert land.ground is not None
    land.ground.shape(_hills)
    land.put(table(), (50, 70), 90)
    land.entity("guard", "creature", person(), (100, 30), heading=180, greeting="Hello")
    made = world.build()
    opened = made.load()
    (thing,) = _block(opened, 0xC95B).statics
    terrain = _terrain(opened, 0xC95B)
    assert thing.frame.origin == pytest.approx((50, 70, terrain.height_at(50, 70)), abs=1e-4)
    assert thing.frame.heading() == pytest.approx(90, abs=1e-4)
    guard = made.entity("guard")
    assert guard.cell_id == 0xC95B0000 + 1 + 8 * 4 + 1
    assert guard.frame.origin[2] == pytest.approx(terrain.height_at(100, 30), abs=1e-4)
    assert (guard.kind, guard.extra) == ("creature", {"greeting": "Hello"})


def test_paint_roads_and_marks_reach_the_terrain_words() -> None:
    world = WorldBuilder()
    ground = world.landblock(0xC95B).ground
    assert ground is not None
    ground.paint(SNOW)
    ground.paint_within(48, 48, 48, 24, RUNNING_WATER)
    ground.road([(0, 120), (96, 120), (144, 168)])
    ground.plant(lambda x, y: 3 if x == 24 and y == 24 else None)
    words = _terrain(world.build().load(), 0xC95B).words
    kinds = {(i, j): words[9 * i + j] >> 2 & 0x1F for i in range(9) for j in range(9)}
    assert {v for v, kind in kinds.items() if kind == RUNNING_WATER} == {(i, j) for i in (2, 3, 4) for j in (2, 3)}
    assert {(i, j) for i in range(9) for j in range(9) if words[9 * i + j] & 3} == {
        (0, 5), (1, 5), (2, 5), (3, 5), (4, 5), (5, 6), (6, 7),
    }  # fmt: skip
    assert words[9 * 1 + 1] >> 11 == 3
    assert sum(word >> 11 for word in words) == 3


def test_level_ground_is_level_under_the_whole_rectangle() -> None:
    world = WorldBuilder()
    ground = world.landblock(0xC95B).ground
    assert ground is not None
    ground.shape(_hills)
    ground.level(90, 90, 20, 10, 44.0)
    for x in (90, 95.5, 110):
        for y in (90, 97, 100):
            assert ground.height_at(x, y) == 44.0


def test_ground_beyond_the_neighbours_is_refused() -> None:
    ground = WorldBuilder().landblock(0xC95B).ground
    assert ground is not None
    with pytest.raises(BuildError, match=r"landblock 0xC95B: \(400, 0\) lies beyond the neighbours"):
        ground.height_at(400, 0)
    with pytest.raises(BuildError, match="beyond the neighbours"):
        ground.vertex_at(0, -250)
    with pytest.raises(BuildError, match=r"scenery index 32 is not in 0\.\.31"):
        ground.plant(32)


def test_a_dungeon_is_all_zero_even_beside_land() -> None:
    world = WorldBuilder()
    world.landblock(0xC95B)
    cave = world.dungeon(0xC95C).interior("cave")
    cave.room("hole", rect(0, 0, 4, 4))
    made = world.build()
    opened = made.load()
    assert _block(opened, 0xC95C).is_dungeon
    assert not _block(opened, 0xC95B).is_dungeon
    assert made.cell_id("hole") == 0xC95C0100


def test_scenery_grows_where_it_was_planted() -> None:
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    world.scenery(GRASSLAND, 1, (Strewn(tree(), frequency=1.0, displacement=(5, 5)),))
    assert land.ground is not None
    land.ground.plant(lambda x, _y: 1 if x < 96 else 0)
    opened = world.build().load()
    trees = _block(opened, 0xC95B).scenery
    assert len(trees) > 20
    assert all(tree.frame.origin[0] < 110 for tree in trees)
    assert isinstance(opened.record(0x12000001), Scene)


def test_the_region_describes_every_terrain_type_the_road_and_the_sky() -> None:
    world = WorldBuilder(height_step=0.5)
    world.landblock(0xC95B, height=30.0)
    dome = Mesh.of("dome", inside_out(ball(0, 0, 0, 100, "sky")))
    world.region.sky.objects = (InTheSky(dome),)
    world.region.ground[3] = GroundType("Moor", (1, 2, 3), texture="moor", tiling=4)
    asked: list[str] = []

    def textures(name: str) -> TextureImage | None:
        asked.append(name)
        return TextureImage(2, 2, 0x14, bytes(12)) if name == "moor" else None

    world.textures = textures
    world.region.corner_masks = (BlendMask(8, "mask"),)
    opened = world.build().load()
    region = opened.record(0x13000000)
    assert isinstance(region, Region)
    assert region.height_table[:3] == [0.0, 0.5, 1.0]
    assert region.terrain_types[3].name == "Moor"
    assert [len(kind.scene_types) for kind in region.terrain_types] == [32] * 32
    descriptions = region.terrain_textures.descriptions
    assert [d.terrain_type for d in descriptions] == list(range(33))
    assert descriptions[3].tiling == 4
    image = opened.texture_image(descriptions[3].texture_id)
    assert image is not None
    assert "moor" in asked
    assert "mask" in asked
    assert region.sky is not None
    assert [thing.gfxobj_id for thing in region.sky.day_groups[0].objects] == [0x01000001]
    assert len(region.sky.day_groups[0].times) == 5
    block = opened.record(0xC95BFFFF)
    assert isinstance(block, LandBlock)
    assert set(block.heights) == {60}


def test_an_added_keyframe_keeps_the_light_and_changes_what_glows() -> None:
    dusk, night = DEFAULT_LIGHT[3:]
    half = dusk.towards(night, 0.8)
    assert (half.sun, half.ambient, *half.fog) == pytest.approx((0.475, 0.325, 100.0, 1050.0))
    assert half.ambient_colour == 0xFF8084A0
    world = WorldBuilder(height_step=0.5)
    world.landblock(0xC95B, height=30.0)
    world.region.sky = SkyPlan((dusk, replace(half, glow=((2, 0.25),)), night))
    region = world.build().load().record(0x13000000)
    assert isinstance(region, Region)
    assert region.sky is not None
    times = region.sky.day_groups[0].times
    assert [[(each.object_index, each.luminosity) for each in at.replaces] for at in times] == [[], [(2, 0.25)], []]


@pytest.mark.parametrize(("code", "dark"), [(8, ["nw"]), (9, ["nw", "sw"]), (10, ["nw", "se"])])
def test_blend_masks_are_dark_at_the_corners_of_their_code(code: int, dark: list[str]) -> None:
    mask = blend_mask(code)
    corners = {
        "nw": mask.data[0],
        "ne": mask.data[mask.width - 1],
        "sw": mask.data[-mask.width],
        "se": mask.data[-1],
    }
    assert {corner for corner, value in corners.items() if value < 16} == set(dark)
    assert {corner for corner, value in corners.items() if value > 240} == set(corners) - set(dark)
