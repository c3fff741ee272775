"""Which things of a landblock are in view."""

from __future__ import annotations

import math

import pytest

from engine.geometry.vec import Vec3, sub
from engine.render.gl.uploads.placed import Far, Lot, Placed, cone_arrays
from engine.render.gl.uploads.tables import world_point
from engine.visibility.camera import Camera
from engine.visibility.culling import sphere_in_views, view_cones
from engine.visibility.view import ViewPoly, ViewVertex, full_screen
from engine.world.cells.ids import land_cell_column, land_cell_row, landblock_id
from engine.world.landblock import neighbour_ids
from tests.render.gl.helpers.demo_pictures import DemoPictures, Look


def two_slits(camera: Camera) -> list[ViewPoly]:
    """A high and narrow part of the screen on either side."""
    height = camera.height
    return [
        ViewPoly([ViewVertex(x, 0.0), ViewVertex(x, height), ViewVertex(x + 40.0, height), ViewVertex(x + 40.0, 0.0)])
        for x in (30.0, 400.0)
    ]


def far_away(cell_id: int, placed: Placed, eye: Vec3) -> float:
    """Squared distances: by the part's own centre up to 25 m above the ground, then by its object's position, and in
    land cells more than 50 m away by the cell's (rendering.md M5)."""
    column, row = land_cell_column(cell_id), land_cell_row(cell_id)
    cx, cy, _ = sub(world_point(cell_id, (24.0 * column + 12.0, 24.0 * row + 12.0, 0.0)), eye)
    if math.hypot(cx, cy) > 50.0:
        return cx * cx + cy * cy
    ox, oy, _ = sub(placed.origin, eye)
    x, y, z = sub(placed.sort_center if math.hypot(ox, oy) < 25.0 else placed.origin, eye)
    return x * x + y * y + z * z


def test_parts_sort_individually_only_near_the_eye(demo: DemoPictures) -> None:
    look = Look("street")
    demo.frame(look.camera(), look.root_id)
    eye = world_point(look.root_id, look.eye)
    rows = [
        row for row in demo.renderer.stage.lot(landblock_id(look.root_id)).rows if row[1].origin != row[1].sort_center
    ]
    near = [placed for _, placed in rows if math.dist(placed.origin[:2], eye[:2]) < 25.0]
    far = [placed for _, placed in rows if math.dist(placed.origin[:2], eye[:2]) > 25.0]
    assert near
    assert far
    for placed in near:
        assert placed.distance2(eye) == pytest.approx(math.dist(placed.sort_center, eye) ** 2)
    for placed in far:
        assert placed.distance2(eye) == pytest.approx(math.dist(placed.origin, eye) ** 2)


def one_by_one(lot: Lot, camera: Camera, views: list[ViewPoly]) -> dict[int, list[int]]:
    """The rows of a batch that are in view, by cells and far to near, each tested on its own."""
    cones = view_cones(camera, views)
    origin, eye = world_point(camera.block_id, (0.0, 0.0, 0.0)), world_point(camera.block_id, camera.eye)
    found: dict[int, list[Far]] = {}
    for cell_id, placed in lot.rows:
        if sphere_in_views(cones, sub(placed.center, origin), placed.radius):
            found.setdefault(cell_id, []).append((far_away(cell_id, placed, eye), placed))
    return {cell: [id(placed) for _, placed in sorted(own, key=lambda far: -far[0])] for cell, own in found.items()}


@pytest.mark.parametrize("turn", [0.0, 100.0, 200.0, 300.0])
def test_testing_a_landblocks_things_together_equals_testing_each_alone(demo: DemoPictures, turn: float) -> None:
    look = Look("street", turn, 5.0)
    camera = look.camera()
    demo.frame(camera, look.root_id)  # has the landblocks loaded
    stage = demo.renderer.stage
    origin, eye = world_point(camera.block_id, (0.0, 0.0, 0.0)), world_point(camera.block_id, camera.eye)
    seen = 0
    for block_id in (landblock_id(look.root_id), *neighbour_ids(look.root_id)):
        lot = stage.lot(block_id)
        for views in ([full_screen(camera)], two_slits(camera), []):
            found = lot.in_view(cone_arrays(view_cones(camera, views)), origin, eye)
            together = {cell_id: [id(placed) for _, placed in own] for cell_id, own in found.items()}
            assert together == one_by_one(lot, camera, views)
            seen += len(together)
    assert seen > 10
