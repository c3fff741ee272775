"""Pixels of dollhouses, read back: what is drawn is what is picked, and the cut, roofs and colours show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.build.demo import SPOTS
from engine.geometry.vec import dot, sub
from engine.render.dollhouse.edges import bounds_of, points_of
from engine.render.dollhouse.look import Dollhouse, Drawing, Seen, rooms_of_building
from engine.render.dollhouse.picking import DollhousePicker
from engine.render.dollhouse.storeys import storeys_of
from engine.render.gl.offscreen import OffscreenTarget
from engine.render.picking.hits import Hit
from engine.render.viewer.rig import direction
from engine.visibility.camera import ZFAR, ZNEAR, Camera, focal_of_screen, looking
from engine.visibility.frame import FrameResult
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell
from tests.render.gl.helpers.demo_pictures import DemoPictures

VILLAGE, DUNGEON = 0xC95BFFFF, 0x0007FFFF
WIDTH, HEIGHT = 320, 200
STEP = 8
"""Pixels between two that are picked."""
AT_FAR_END = 0.999999


@pytest.fixture
def small(context: object) -> Iterator[OffscreenTarget]:
    made = OffscreenTarget(WIDTH, HEIGHT)
    yield made
    made.close()


def rooms_in(demo: DemoPictures, block_id: int) -> dict[int, EnvCell]:
    demo.world.graph.load_landblock(block_id)
    block = demo.world.landblock(block_id)
    assert block is not None
    return {room.id: room for room in block.env_cells}


def inn(demo: DemoPictures) -> Dollhouse:
    rooms = rooms_in(demo, VILLAGE)
    block = demo.world.landblock(VILLAGE)
    assert block is not None
    home = SPOTS["inn_common_room"].cell_id
    building = next(each for each in block.buildings if home in rooms_of_building(each, rooms))
    return Dollhouse(block.id, rooms_of_building(building, rooms), (building,), roofs=False)


def dungeon(demo: DemoPictures) -> Dollhouse:
    return Dollhouse(DUNGEON, tuple(rooms_in(demo, DUNGEON)), roofs=False)


def camera_on(demo: DemoPictures, house: Dollhouse, pitch: float = -50.0) -> Camera:
    """From above, all of it in view."""
    found = [demo.scene.shell(cell_id) for cell_id in house.rooms]
    bounds = bounds_of(points_of(shell for shell in found if shell is not None))
    assert bounds is not None
    low, high = bounds
    look, focal = direction(30.0, pitch), focal_of_screen(float(WIDTH), float(HEIGHT))
    away = 1.2 * float(np.linalg.norm(np.subtract(high, low)))
    x, y, z = ((low[axis] + high[axis]) / 2.0 - look[axis] * away for axis in range(3))
    return looking(house.block_id, (x, y, z), 30.0, pitch, float(WIDTH), float(HEIGHT), focal)


def draw(demo: DemoPictures, house: Dollhouse, camera: Camera, target: OffscreenTarget) -> NDArray[np.uint8]:
    demo.scene.update()
    demo.renderer.draw_dollhouse(house, camera, target.framebuffer)
    picture: NDArray[np.uint8] = target.pixels()[:, :, :3].copy()
    return picture


def nothing_seen(camera: Camera) -> FrameResult:
    return FrameResult(camera, 0, False)


def pick(demo: DemoPictures, house: Dollhouse, camera: Camera, x: int, y: int) -> Hit | None:
    picker = DollhousePicker(demo.scene, demo.world.graph)
    return picker.pick(house, nothing_seen(camera), camera, x + 0.5, y + 0.5)


def disagreements(demo: DemoPictures, house: Dollhouse, target: OffscreenTarget) -> tuple[int, int]:
    """How many of the pixels that are picked have another depth than the hit; and how many have a hit."""
    camera = camera_on(demo, house)
    draw(demo, house, camera, target)
    depths = target.depth().astype(np.float64)
    picker = DollhousePicker(demo.scene, demo.world.graph)
    wrong = hits = 0
    for y in range(STEP // 2, HEIGHT, STEP):
        for x in range(STEP // 2, WIDTH, STEP):
            hit = picker.pick(house, nothing_seen(camera), camera, x + 0.5, y + 0.5)
            depth = depths[y, x]
            drawn = None if depth > AT_FAR_END else ZNEAR * ZFAR / (ZFAR - depth * (ZFAR - ZNEAR))
            hits += hit is not None
            if hit is None or drawn is None:
                wrong += (hit is None) != (drawn is None)
            else:
                ahead = dot(sub(hit.point, camera.eye_in(hit.block_id)), camera.forward)
                wrong += abs(ahead - drawn) > 0.15 + 0.01 * drawn
    return wrong, hits


@pytest.mark.parametrize("part", ["whole", "storey", "cut", "roofs", "cell"])
def test_what_is_picked_in_the_inn_is_what_is_drawn(demo: DemoPictures, small: OffscreenTarget, part: str) -> None:
    house = inn(demo)
    storeys = storeys_of(rooms_in(demo, VILLAGE)[cell_id] for cell_id in house.rooms)
    houses = {
        "whole": house,
        "storey": replace(house, rooms=storeys[1].rooms, low=storeys[1].low, high=storeys[1].high),
        "cut": replace(house, high=storeys[1].low + 1.2),
        "roofs": replace(house, roofs=True),
        "cell": Dollhouse(house.block_id, (SPOTS["inn_common_room"].cell_id,), roofs=False),
    }
    wrong, hits = disagreements(demo, houses[part], small)
    assert hits > 60
    assert wrong <= 0.03 * hits  # borders of triangles, half a pixel off


def test_what_is_picked_in_the_dungeon_is_what_is_drawn(demo: DemoPictures, small: OffscreenTarget) -> None:
    wrong, hits = disagreements(demo, dungeon(demo), small)
    assert hits > 40
    assert wrong <= 0.03 * hits


def test_nothing_above_the_cut_is_picked(demo: DemoPictures) -> None:
    house = replace(inn(demo), high=21.0)
    camera = camera_on(demo, house)
    hits = [pick(demo, house, camera, x, y) for x in range(0, WIDTH, 20) for y in range(0, HEIGHT, 20)]
    heights = [hit.point[2] for hit in hits if hit is not None]
    assert heights
    assert max(heights) <= 21.0


def test_roofs_hide_the_rooms_and_come_off(demo: DemoPictures, small: OffscreenTarget) -> None:
    house = inn(demo)
    camera = camera_on(demo, house, -80.0)
    open_hit = pick(demo, house, camera, WIDTH // 2, HEIGHT // 2)
    shut_hit = pick(demo, replace(house, roofs=True), camera, WIDTH // 2, HEIGHT // 2)
    assert open_hit is not None
    assert shut_hit is not None
    assert is_env_cell(open_hit.cell_id)
    assert not is_env_cell(shut_hit.cell_id)
    off, on = draw(demo, house, camera, small), draw(demo, replace(house, roofs=True), camera, small)
    assert (off != on).any(axis=2).mean() > 0.05


def test_the_current_cell_is_amber_and_a_visible_one_teal(demo: DemoPictures, small: OffscreenTarget) -> None:
    home = SPOTS["inn_common_room"].cell_id
    house = Dollhouse(VILLAGE, (home,), roofs=False)
    camera = camera_on(demo, house)
    plain = draw(demo, house, camera, small).astype(np.float64).mean(axis=(0, 1))
    amber = draw(demo, replace(house, seen={home: Seen.CURRENT}), camera, small).astype(np.float64).mean(axis=(0, 1))
    teal = draw(demo, replace(house, seen={home: Seen.VISIBLE}), camera, small).astype(np.float64).mean(axis=(0, 1))
    assert amber[0] - amber[2] > plain[0] - plain[2]
    assert teal[1] - teal[0] > plain[1] - plain[0]


def test_x_rays_are_the_same_in_any_order_and_show_both_sides(demo: DemoPictures, small: OffscreenTarget) -> None:
    house = replace(dungeon(demo), drawing=Drawing.XRAY, roofs=True)
    camera = camera_on(demo, house)
    there = draw(demo, house, camera, small)
    back = draw(demo, replace(house, rooms=house.rooms[::-1]), camera, small)
    assert np.abs(there.astype(np.int16) - back.astype(np.int16)).max() <= 8  # rounding of many faces
    solid = draw(demo, replace(house, drawing=Drawing.SOLID), camera, small)
    assert (there.max(axis=2) > 0).sum() > (solid.max(axis=2) > 0).sum() * 0.9
    picker = DollhousePicker(demo.scene, demo.world.graph)
    lit = there.max(axis=2)
    for y in range(5, HEIGHT, 25):
        for x in range(5, WIDTH, 25):
            if picker.pick(house, nothing_seen(camera), camera, x + 0.5, y + 0.5) is not None:
                assert lit[y - 1 : y + 2, x - 1 : x + 2].max() > 0


def test_a_wireframe_is_lines_on_nothing(demo: DemoPictures, small: OffscreenTarget) -> None:
    house = replace(dungeon(demo), drawing=Drawing.WIREFRAME)
    lit = draw(demo, house, camera_on(demo, house), small).max(axis=2) > 0
    assert 0.02 < lit.mean() < 0.6


def test_a_dollhouse_leaves_frames_as_they_were(demo: DemoPictures, small: OffscreenTarget) -> None:
    spot = SPOTS["inn_common_room"]
    camera = looking(spot.cell_id, (*spot.origin[:2], spot.origin[2] + 1.5), 0.0, 0.0, 480.0, 300.0, 250.0)
    before = demo.picture(demo.frame(camera, spot.cell_id))
    for drawing in Drawing:
        house = replace(inn(demo), drawing=drawing, high=22.0)
        draw(demo, house, camera_on(demo, house), small)
    assert (demo.picture(demo.frame(camera, spot.cell_id)) == before).all()
