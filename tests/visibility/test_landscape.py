"""The order of the landscape, and which of it is in view (rendering.md 12.2, 12.3)."""

from __future__ import annotations

from functools import cache

import pytest

from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.visibility.camera import Camera, looking
from engine.visibility.culling import INSIDE, PARTIAL, view_cones
from engine.visibility.events import BuildingShell, Land, Punch
from engine.visibility.frame import FrameOptions
from engine.visibility.landscape import LandOrder, cell_in_view, ring, square_width, viewpoint_of
from engine.visibility.view import full_screen
from engine.visibility.world_view import WorldView
from engine.world.cells.ids import land_cell_low
from engine.world.world import World
from tests.visibility.helpers.frames import assert_rules, frame_of

BLOCK = 0xC95BFFFF


@cache
def hut_world() -> World:
    """A hut in the middle of nine loaded landblocks, and a dungeon far away."""
    builder = WorldBuilder()
    builder.room("hall", rect(0, 0, 6, 4), height=3.0)
    land = builder.landblock(0xC95B, height=20)
    house = land.building("hut", (108, 108), 30, shell=walls(rect(-4, -3, 8, 6), 0, 3, "brick"))
    room = house.room("room", rect(-3.6, -2.6, 7.2, 5.2), height=2.6)
    house.doorway(room, OUTDOORS, (0, -3))
    world = builder.build().load()
    for block_id in world.landblock_ids():
        assert world.landblock(block_id) is not None
    return world


def eye(heading: float, pitch: float = 0.0, x: float = 96.0, y: float = 96.0, z: float = 60.0) -> Camera:
    return looking(BLOCK, (x, y, z), heading, pitch, 640.0, 480.0, 240.0)


@pytest.mark.parametrize("radius", range(6))
def test_a_ring_has_every_square_of_its_distance_once(radius: int) -> None:
    squares = [(step.dx, step.dy) for step in ring(radius)]
    assert len(squares) == len(set(squares)) == max(1, 8 * radius)
    assert {max(abs(x), abs(y)) for x, y in squares} == {radius}


def test_blocks_come_far_to_near_without_dungeons_beyond_the_far_plane() -> None:
    order = LandOrder(WorldView(hut_world()))
    blocks = order.blocks_far_to_near(0xC85A0001)
    rings = [max(abs(block.x - 0xC8), abs(block.y - 0x5A)) for block in blocks]
    assert len(blocks) == 9
    assert rings == sorted(rings, reverse=True)
    assert rings[-1] == 0
    assert order.blocks_far_to_near(0xC85A0040) is blocks


@pytest.mark.parametrize("viewpoint", [0xC95B0001, 0xC95B001D, 0xC85A0040, 0xCB5B0009])
def test_landcells_come_far_to_near_around_the_one_nearest_the_viewer(viewpoint: int) -> None:
    view = WorldView(hut_world())
    block = view.block(BLOCK)
    assert block is not None
    visits = LandOrder(view).cells_far_to_near(block, viewpoint)
    assert sorted(visit.low for visit in visits) == list(range(1, 65))
    cx = 8 * ((viewpoint >> 24) - 0xC9) + ((viewpoint & 0xFFFF) - 1 >> 3)
    cy = 8 * (((viewpoint >> 16) & 0xFF) - 0x5B) + ((viewpoint & 0xFFFF) - 1 & 7)
    cx, cy = min(max(cx, 0), 7), min(max(cy, 0), 7)
    assert visits[-1].low == land_cell_low(cx, cy)
    rings = [max(abs((v.low - 1 >> 3) - cx), abs((v.low - 1 & 7) - cy)) for v in visits]
    assert rings == sorted(rings, reverse=True)
    assert visits[0].cell_id & 0xFFFF0000 == BLOCK & 0xFFFF0000


def test_only_blocks_ahead_are_tested_and_only_landcells_in_view_drawn() -> None:
    order = LandOrder(WorldView(hut_world()))
    north = eye(0.0, -20.0)
    cones = view_cones(north, [full_screen(north)])
    drawn = order.draw_check_blocks(north, cones, viewpoint_of(0xC95B001D))
    assert {d.block.y for d in drawn} == {0x5B, 0x5C}
    home = next(d for d in drawn if d.block.block_id == BLOCK)
    assert home.ground == PARTIAL
    seen = {low for low in range(1, 65) if cell_in_view(home, low, cones)}
    assert land_cell_low(4, 7) in seen
    assert land_cell_low(4, 0) not in seen


@pytest.mark.parametrize(
    ("z", "pitch", "seen"), [(219.0, 50.0, True), (219.5, 50.0, False), (20.0, -50.0, True), (19.5, -50.0, False)]
)
def test_a_blocks_bounds_run_from_1_m_below_its_ground_to_200_m_above(z: float, pitch: float, seen: bool) -> None:
    """The ground is flat at 20; ten metres south of it, the eye looks up and down, 5 degrees off level."""
    order = LandOrder(WorldView(hut_world()))
    camera = eye(0.0, pitch, y=-10.0, z=z)
    cones = view_cones(camera, [full_screen(camera)])
    drawn = order.draw_check_blocks(camera, cones, viewpoint_of(0xC95B001D))
    assert (BLOCK in {d.block.block_id for d in drawn}) == seen
    home = [d for d in drawn if d.block.block_id == BLOCK]
    assert any(cell_in_view(d, low, cones) for d in home for low in range(1, 65)) == seen


def test_a_block_wholly_in_view_draws_all_its_landcells() -> None:
    order = LandOrder(WorldView(hut_world()))
    above = eye(0.0, -90.0, z=1000.0)
    cones = view_cones(above, [full_screen(above)])
    drawn = order.draw_check_blocks(above, cones, viewpoint_of(BLOCK))
    home = next(d for d in drawn if d.block.block_id == BLOCK)
    assert home.ground == INSIDE
    assert all(cell_in_view(home, low, cones) for low in range(1, 65))


def test_the_world_view_follows_the_graph() -> None:
    world = WorldBuilder()
    world.landblock(0xC95B, height=20)
    loaded = world.build().load()
    view = WorldView(loaded)
    assert view.blocks() == []
    assert loaded.landblock(BLOCK) is not None
    block = view.block(BLOCK)
    assert block is not None
    assert [b.block_id for b in view.blocks()] == [BLOCK]
    loaded.graph.unload_landblock(BLOCK)
    assert view.blocks() == []
    assert view.block(BLOCK) is None
    view.close()
    version = view.version
    assert loaded.landblock(BLOCK) is not None
    assert view.version == version


def test_a_block_knows_its_buildings_by_land_cell_and_whether_it_shows_ground() -> None:
    view = WorldView(hut_world())
    village, dungeon = view.block(BLOCK), view.block(0x0007FFFF)
    assert village is not None
    assert dungeon is not None
    assert [b.has_openings for b in village.by_land_cell[land_cell_low(4, 4)]] == [True]
    assert village.shows_terrain
    assert not dungeon.shows_terrain
    assert village.has_drawing_trees
    assert all(village.draws_shell(room) for room in village.rooms)


# --- terrain detail (rendering.md M2)


def test_squares_get_wider_with_the_distance_from_the_load_point() -> None:
    assert [square_width(rings) for rings in range(8)] == [1, 1, 2, 4, 4, 8, 8, 8]


@pytest.mark.parametrize("across", [2, 4, 8])
@pytest.mark.parametrize("viewpoint", [0xC95B0001, 0xC95B001D, 0xC85A0040, 0xCB5B0009])
def test_wider_squares_come_far_to_near_too(viewpoint: int, across: int) -> None:
    view = WorldView(hut_world())
    block = view.block(BLOCK)
    assert block is not None
    visits = LandOrder(view).cells_far_to_near(block, viewpoint, across)
    squares = 8 // across
    corners = [((visit.low - 1) // 8, (visit.low - 1) % 8) for visit in visits]
    assert sorted(corners) == [(x * across, y * across) for x in range(squares) for y in range(squares)]
    assert [visit.number for visit in visits] == [x // across * squares + y // across for x, y in corners]
    cx = 8 * ((viewpoint >> 24) - 0xC9) + ((viewpoint & 0xFFFF) - 1 >> 3)
    cy = 8 * (((viewpoint >> 16) & 0xFF) - 0x5B) + ((viewpoint & 0xFFFF) - 1 & 7)
    near = (min(max(cx, 0), 7) // across, min(max(cy, 0), 7) // across)
    rings = [max(abs(x // across - near[0]), abs(y // across - near[1])) for x, y in corners]
    assert rings == sorted(rings, reverse=True)
    assert rings[-1] == 0


@cache
def long_world() -> World:
    """Landblocks 0xC95A to 0xC960 and those beside them, with a hut on each except the first and the last."""
    builder = WorldBuilder()
    for row in range(0x5B, 0x60):
        land = builder.landblock(0xC900 | row, height=20)
        house = land.building(f"hut {row}", (108, 108), 30, shell=walls(rect(-4, -3, 8, 6), 0, 3, "brick"))
        room = house.room(f"room {row}", rect(-3.6, -2.6, 7.2, 5.2), height=2.6)
        house.doorway(room, OUTDOORS, (0, -3))
    world = builder.build().load()
    for block_id in world.landblock_ids():
        assert world.landblock(block_id) is not None
    return world


def squares_and_huts(options: FrameOptions | None) -> tuple[dict[int, int], set[int], set[int]]:
    """The middle column, seen from high above: squares of ground by row, the rows with huts, and the rows that draw
    things."""
    frame = frame_of(long_world(), eye(0.0, -90.0, z=1000.0), 0xC95B001D, options)
    if options is None:
        assert_rules(frame)  # one of which is that all ground that is drawn has its things
    squares: dict[int, int] = {}
    huts: set[int] = set()
    things: set[int] = set()
    for event in frame.events:
        if isinstance(event, Land):
            for visit in event.cells:
                if visit.block_id >> 24 == 0xC9:
                    squares[visit.block_id >> 16 & 0xFF] = squares.get(visit.block_id >> 16 & 0xFF, 0) + 1
            things.update(visit.block_id >> 16 & 0xFF for visit in event.objects)
        elif isinstance(event, BuildingShell | Punch):
            huts.add(event.block_id >> 16 & 0xFF)
    return squares, huts, things


def test_far_landblocks_have_fewer_squares_and_draw_no_things() -> None:
    squares, huts, things = squares_and_huts(FrameOptions(load_point=0xC95B001D))
    assert squares == {0x5A: 64, 0x5B: 64, 0x5C: 64, 0x5D: 16, 0x5E: 4, 0x5F: 4, 0x60: 1}
    assert huts == {0x5B, 0x5C}
    assert things == {0x5A, 0x5B, 0x5C}
    squares, huts, _ = squares_and_huts(FrameOptions(load_point=0xC95F0001))
    assert squares == {0x5A: 1, 0x5B: 4, 0x5C: 4, 0x5D: 16, 0x5E: 64, 0x5F: 64, 0x60: squares[0x60]}
    assert huts == {0x5E, 0x5F}


def test_without_a_load_point_all_ground_is_at_full_detail() -> None:
    squares, huts, things = squares_and_huts(None)
    assert set(squares.values()) - {64} <= {squares[0x60]}
    assert squares[0x60] > 4
    assert huts == {0x5B, 0x5C, 0x5D, 0x5E, 0x5F}
    assert things == set(range(0x5A, 0x61))
