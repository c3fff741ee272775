"""The region test of rendering.md 24.3 on whole worlds: every room of the demo world and of the dumped houses, from
many eyes.

The simplification of 5.1 may take almost a pixel off a view. Slivers side by side add up, and so do the rooms of a deep
corridor, each of which takes some off what the previous one left. So a strip of two pixels may be missing, as it is in
about one flood in a thousand, but only where the same flood without the simplification sees it. Nothing wider may be
missing, nothing may be too much, and the flood without the simplification may differ nowhere.
"""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from engine.geometry.vec import Vec3
from engine.visibility.camera import Camera
from engine.visibility.flood import Visibility
from engine.visibility.records import FloodResult
from engine.visibility.view import full_screen
from engine.world.cells.cell import EnvCell
from engine.world.loader import open_world
from engine.world.world import World
from tests.shared import SHARED, needs_shared
from tests.visibility.helpers.brute_force import BruteForce, Mask, blocks
from tests.visibility.helpers.eyes import (
    awkward_eyes,
    eye_in,
    point_of,
    rooms_of,
    turned_at_random,
)
from tests.visibility.helpers.worlds import demo


@cache
def dumped_houses() -> World:
    return open_world(SHARED / "fixtures")


def assert_same(
    brute: BruteForce, result: FloodResult, whole: FloodResult, regions: dict[int, Mask], told: object
) -> None:
    """`whole` is the flood without the simplification."""
    found, unsimplified = brute.masks(result), brute.masks(whole)
    assert result.guards == [], told
    for cell_id in sorted({*found, *unsimplified, *regions}):
        region = regions.get(cell_id, brute.nothing())
        seen = found.get(cell_id, brute.nothing())
        seen_whole = unsimplified.get(cell_id, brute.nothing())
        assert blocks(seen_whole ^ region) == 0, told
        assert blocks(seen & ~region) == 0, told
        missing = region & ~seen
        if blocks(missing) > 0:
            assert result.leaves_out(), told
            assert not (missing & ~seen_whole).any(), told
        rows = missing[:-2] & missing[1:-1] & missing[2:]
        assert not np.any(rows[:, :-2] & rows[:, 1:-1] & rows[:, 2:]), told


def assert_flood(visibility: Visibility, cell: EnvCell, camera: Camera) -> FloodResult:
    result = visibility.flood_interior(cell.id, camera)
    brute = BruteForce(visibility.graph, camera)
    whole = visibility.flood_whole(cell.id, camera)
    assert_same(brute, result, whole, brute.regions(cell.id), (cell, camera.eye, camera.forward))
    return result


def assert_rooms(world: World, eyes: int, seed: int, size: float = 1.0) -> None:
    chance = random.Random(seed)
    visibility = Visibility(world.graph)
    for cell in rooms_of(world):
        for _ in range(eyes):
            eye = eye_in(cell, chance)
            assert eye is not None
            assert_flood(
                visibility, cell, turned_at_random(cell, eye, chance, 640.0 * size, 480.0 * size, 240.0 * size)
            )
    visibility.close()


def test_the_flood_of_every_demo_room_agrees_with_its_pixels_rays() -> None:
    assert_rooms(demo(), 1, 7)


@pytest.mark.slow
def test_the_flood_agrees_with_the_rays_from_many_eyes_of_the_demo_world() -> None:
    assert_rooms(demo(), 12, 8)


@pytest.mark.unwatched
@needs_shared
def test_the_flood_of_every_dumped_room_agrees_with_its_pixels_rays() -> None:
    assert_rooms(dumped_houses(), 4, 9)


# --- awkward eyes


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_flood_agrees_with_the_rays_from_doorways_and_corners(seed: int) -> None:
    chance = random.Random(seed)
    visibility = Visibility(demo().graph)
    rooms = rooms_of(demo())
    for cell in rooms if seed > 1 else rooms[::3]:
        for eye in awkward_eyes(cell, chance):
            assert_flood(visibility, cell, turned_at_random(cell, eye, chance, 320.0, 240.0, 120.0))
    visibility.close()


def test_the_rooms_on_both_sides_of_a_doorway_share_the_screen_between_them() -> None:
    """With the eye in the opening's plane, the two rooms together cover the screen, and no pixel belongs to both."""
    chance = random.Random(3)
    visibility = Visibility(demo().graph)
    for cell in rooms_of(demo())[::4]:
        for portal in cell.portals:
            other = visibility.graph.peek(portal.other_cell_id)
            if portal.polygon is None or not isinstance(other, EnvCell):
                continue
            camera = turned_at_random(cell, point_of(portal.polygon, cell, chance), chance)
            brute = BruteForce(visibility.graph, camera)
            ahead = visibility.flood_interior(cell.id, camera).visible(other.id)
            behind = visibility.flood_interior(other.id, camera).visible(cell.id)
            one = brute.mask_of([] if ahead is None else ahead.views)
            two = brute.mask_of([] if behind is None else behind.views)
            assert blocks(~(one | two)) == 0, (cell, portal)
            assert blocks(one & two) == 0, (cell, portal)
    visibility.close()


# --- from the street


def test_the_look_in_of_every_demo_building_agrees_with_its_rays() -> None:
    chance = random.Random(4)
    visibility = Visibility(demo().graph)
    whole_views = Visibility(demo().graph, visibility.options.whole())
    seen = 0
    for block_id in demo().landblock_ids():
        block = demo().landblock(block_id)
        assert block is not None
        for building in block.buildings:
            for index, portal in enumerate(building.portals):
                entry = visibility.graph.peek(portal.other_cell_id)
                assert isinstance(entry, EnvCell)
                assert portal.polygon is not None
                x, y, z = building.frame.local_to_global(point_of_building(portal.polygon.vertices))
                for _ in range(3):
                    eye = (x + chance.uniform(-9.0, 9.0), y + chance.uniform(-9.0, 9.0), z + chance.uniform(-1.0, 2.0))
                    camera = turned_at_random(entry, eye, chance)
                    result = visibility.flood_building(building, block.id, index, camera, full_screen(camera))
                    brute = BruteForce(visibility.graph, camera)
                    regions = brute.look_in(building, portal, entry)
                    whole = whole_views.flood_building(building, block.id, index, camera, full_screen(camera))
                    assert_same(brute, result, whole, regions, (building, index, eye))
                    seen += len(result.cells) > 0
    assert seen > 5
    visibility.close()
    whole_views.close()


def point_of_building(vertices: list[Vec3]) -> Vec3:
    count = float(len(vertices))
    return (
        sum(v[0] for v in vertices) / count,
        sum(v[1] for v in vertices) / count,
        sum(v[2] for v in vertices) / count,
    )
