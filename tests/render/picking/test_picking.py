"""Picking in two easily pictured rooms with a doorway between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build import WorldBuilder, rect
from engine.geometry.frame import Frame
from engine.geometry.vec import normalized
from engine.render.picking.hits import HitKind, PickMode
from engine.render.picking.pick import Picker
from engine.render.picking.rays import RayTriangles
from engine.visibility import records
from engine.visibility.view import ViewPoly, ViewVertex
from engine.world.world import World
from tests.render.picking.pick_world import SIZE, FrameOfRooms, SceneOfRooms, eye_at, in_block, pane, part

HALL, STUDY, DOORWAY = 0x00070100, 0x00070101, 0x00070102
MIDDLE = SIZE / 2.0


def build() -> World:
    """A hall of 6 x 4 x 2.8 m, a study of 4 x 4 m east of it, and a doorway without a door in the wall between."""
    builder = WorldBuilder()
    hall = builder.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = builder.room("study", rect(6.2, 0, 4, 4), height=2.8)
    builder.doorway(hall, study)
    return builder.build().load()


@pytest.fixture(scope="module")
def world() -> World:
    return build()


WORLD = build()
"""For hypothesis tests, which cannot take fixtures of this scope."""


def test_a_wall_is_hit_where_it_stands(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 270.0)
    hit = Picker(SceneOfRooms(world)).pick(FrameOfRooms(world, HALL, camera), camera, MIDDLE, MIDDLE)
    assert hit is not None
    assert (hit.kind, hit.cell_id) == (HitKind.POLYGON, HALL)
    assert hit.t == pytest.approx(3.0, abs=1e-3)
    assert hit.point == pytest.approx((0.0, 2.0, 1.5), abs=1e-3)
    assert hit.normal == pytest.approx((1.0, 0.0, 0.0), abs=1e-6)
    cell = world.graph.peek(HALL)
    assert cell is not None
    assert hit.polygon_id in cell.structure.polygons  # type: ignore[attr-defined]  # a room


def test_a_ray_through_the_doorway_hits_the_far_room(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    hit = Picker(SceneOfRooms(world)).pick(FrameOfRooms(world, HALL, camera), camera, MIDDLE, MIDDLE)
    assert hit is not None
    assert hit.cell_id == STUDY
    assert hit.point == pytest.approx((10.2, 2.0, 1.5), abs=1e-3)


def test_the_portal_mode_finds_the_nearest_opening_with_its_state(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    frame = FrameOfRooms(world, HALL, camera)
    hit = Picker(SceneOfRooms(world)).pick(frame, camera, MIDDLE, MIDDLE, PickMode.PORTAL)
    assert hit is not None
    assert (hit.kind, hit.cell_id, hit.portal_index, hit.other_cell_id) == (HitKind.PORTAL, HALL, 0, DOORWAY)
    assert hit.status == records.OPEN
    assert hit.t == pytest.approx(3.0, abs=0.01)


def test_the_portal_mode_finds_nothing_beside_the_openings(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 270.0)
    frame = FrameOfRooms(world, HALL, camera)
    assert Picker(SceneOfRooms(world)).pick(frame, camera, MIDDLE, MIDDLE, PickMode.PORTAL) is None


def test_the_cell_mode_names_the_room_that_the_ray_ends_in(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    frame = FrameOfRooms(world, HALL, camera)
    hit = Picker(SceneOfRooms(world)).pick(frame, camera, MIDDLE, MIDDLE, PickMode.CELL)
    assert hit is not None
    assert (hit.kind, hit.cell_id) == (HitKind.CELL, STUDY)


def test_a_click_on_a_hole_finds_the_portal_that_was_not_followed(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    frame = FrameOfRooms(world, HALL, camera)
    hall = frame.flood.by_id[HALL]
    hall.portals[0].status = records.NO_SLOT
    frame.flood.cells, frame.flood.by_id = [hall], {HALL: hall}
    hit = Picker(SceneOfRooms(world)).pick(frame, camera, MIDDLE, MIDDLE)
    assert hit is not None
    assert (hit.kind, hit.status) == (HitKind.PORTAL, records.NO_SLOT)


def test_a_thing_before_the_doorway_hides_the_far_room_but_not_the_portal(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    scene = SceneOfRooms(world)
    mesh, materials = pane([(0.0, -1.0, 0.0), (0.0, -1.0, 2.0), (0.0, 1.0, 2.0), (0.0, 1.0, 0.0)])
    scene.parts[HALL] = [part(5, mesh, materials, Frame((5.0, 2.0, 0.0)), HALL)]
    frame = FrameOfRooms(world, HALL, camera)
    hit = Picker(scene).pick(frame, camera, MIDDLE, MIDDLE)
    assert hit is not None
    assert (hit.kind, hit.object_id, hit.part, hit.surface_id, hit.polygon_id) == (HitKind.PART, 5, 0, 0x08000001, 7)
    assert hit.t == pytest.approx(2.0)
    portal = Picker(scene).pick(frame, camera, MIDDLE, MIDDLE, PickMode.PORTAL)
    assert portal is not None
    assert portal.kind is HitKind.PORTAL


def test_a_thing_of_the_far_room_may_protrude_through_the_opening(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    scene = SceneOfRooms(world)
    mesh, materials = pane([(0.0, -1.0, 0.0), (0.0, -1.0, 2.0), (0.0, 1.0, 2.0), (0.0, 1.0, 0.0)])
    scene.parts[DOORWAY] = [part(5, mesh, materials, Frame((5.4, 2.0, 0.0)), DOORWAY)]
    hit = Picker(scene).pick(FrameOfRooms(world, HALL, camera), camera, MIDDLE, MIDDLE)
    assert hit is not None
    assert hit.kind is HitKind.PART
    assert hit.t == pytest.approx(2.4)


def test_a_thing_outside_every_view_of_its_room_is_not_picked(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    scene = SceneOfRooms(world)
    mesh, materials = pane([(0.0, -1.0, 0.0), (0.0, -1.0, 2.0), (0.0, 1.0, 2.0), (0.0, 1.0, 0.0)])
    frame = FrameOfRooms(world, HALL, camera)
    frame.flood.by_id[STUDY].views[:] = [view_of_corner()]
    scene.parts[STUDY] = [part(5, mesh, materials, Frame((5.0, 2.0, 0.0)), STUDY)]
    scene.parts[STUDY][0].sphere.radius = 1.0
    hit = Picker(scene).pick(frame, camera, MIDDLE, MIDDLE)
    assert hit is not None
    assert hit.kind is HitKind.POLYGON


def view_of_corner() -> ViewPoly:
    """A few pixels at the top left."""
    return ViewPoly([ViewVertex(0.0, 8.0), ViewVertex(8.0, 8.0), ViewVertex(8.0, 0.0), ViewVertex(0.0, 0.0)])


def test_a_hidden_thing_is_not_hit(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    scene = SceneOfRooms(world)
    mesh, materials = pane([(0.0, -1.0, 0.0), (0.0, -1.0, 2.0), (0.0, 1.0, 2.0), (0.0, 1.0, 0.0)])
    scene.parts[HALL] = [part(5, mesh, materials, Frame((5.0, 2.0, 0.0)), HALL)]
    scene.parts[HALL][0].hidden = True
    hit = Picker(scene).pick(FrameOfRooms(world, HALL, camera), camera, MIDDLE, MIDDLE)
    assert hit is not None
    assert hit.kind is HitKind.POLYGON


def test_picking_passes_through_a_faded_thing(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    scene = SceneOfRooms(world)
    mesh, materials = pane([(0.0, -1.0, 0.0), (0.0, -1.0, 2.0), (0.0, 1.0, 2.0), (0.0, 1.0, 0.0)])
    scene.parts[HALL] = [part(5, mesh, materials, Frame((5.0, 2.0, 0.0)), HALL)]
    frame = FrameOfRooms(world, HALL, camera)
    kinds = []
    for alpha in (0.9, 0.3):
        scene.parts[HALL][0].alpha = alpha
        hit = Picker(scene).pick(frame, camera, MIDDLE, MIDDLE)
        kinds.append(None if hit is None else hit.kind)
    assert kinds == [HitKind.PART, HitKind.POLYGON]


def test_picking_passes_through_the_holes_of_a_cut_out_picture(world: World) -> None:
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[:, 2:, 3] = 0  # the right half is a hole
    scene = SceneOfRooms(world)
    mesh, materials = pane([(0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, -1.0, 2.0), (0.0, 1.0, 2.0)], pixels)
    scene.parts[HALL] = [part(5, mesh, materials, Frame((5.0, 2.0, 0.5)), HALL)]
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    frame = FrameOfRooms(world, HALL, camera)
    left = Picker(scene).pick(frame, camera, MIDDLE - 40.0, MIDDLE)
    right = Picker(scene).pick(frame, camera, MIDDLE + 40.0, MIDDLE)
    assert left is not None
    assert right is not None
    assert (left.kind, right.kind) == (HitKind.PART, HitKind.POLYGON)


def test_picking_through_lists_everything_in_order(world: World) -> None:
    camera = eye_at(HALL, (3.0, 2.0, 1.5), 90.0)
    scene = SceneOfRooms(world)
    mesh, materials = pane([(0.0, -1.0, 0.0), (0.0, -1.0, 2.0), (0.0, 1.0, 2.0), (0.0, 1.0, 0.0)])
    scene.parts[STUDY] = [part(5, mesh, materials, Frame((8.0, 2.0, 0.0)), STUDY)]
    hits = Picker(scene).pick_through(FrameOfRooms(world, HALL, camera), camera, MIDDLE, MIDDLE)
    assert [hit.t for hit in hits] == sorted(hit.t for hit in hits)
    kinds = [hit.kind for hit in hits]
    assert kinds[-2:] == [HitKind.PART, HitKind.POLYGON]
    assert kinds.count(HitKind.PORTAL) == 4  # both sides of both openings


def test_the_roots_walls_do_not_count_once_the_ray_has_left_it(world: World) -> None:
    """A cell that overlaps the far room is not seen in it: the hit belongs to the far room."""
    camera = eye_at(HALL, (5.9, 2.0, 1.5), 90.0)
    hit = Picker(SceneOfRooms(world)).pick(FrameOfRooms(world, HALL, camera), camera, MIDDLE + 20.0, MIDDLE)
    assert hit is not None
    assert hit.cell_id == STUDY


@given(
    x=st.floats(0.2, 5.8),
    y=st.floats(0.2, 3.8),
    z=st.floats(0.2, 2.6),
    heading=st.floats(0.0, 360.0),
    pitch=st.floats(-60.0, 60.0),
    px=st.floats(0.0, SIZE),
    py=st.floats(0.0, SIZE),
)
def test_the_ray_ends_at_the_nearest_of_all_triangles(
    x: float, y: float, z: float, heading: float, pitch: float, px: float, py: float
) -> None:
    camera = eye_at(HALL, (x, y, z), heading, pitch)
    scene = SceneOfRooms(WORLD)
    frame = FrameOfRooms(WORLD, HALL, camera)
    nearest = None
    for visible in frame.flood.cells:
        shell = scene.shell(visible.cell_id)
        assert shell is not None
        walls = [subset for subset in shell.mesh.subsets if not subset.bare]
        spans = [(each.first_index // 3, (each.first_index + each.index_count) // 3) for each in walls]
        numbers = [at for first, end in spans for at in range(first, end)]
        corners = in_block(shell.frame, shell.mesh.triangles()[numbers])
        met = RayTriangles(corners).nearest(camera.eye, normalized(camera.ray(px, py)))
        if met is not None and (nearest is None or met[1] < nearest):
            nearest = met[1]
    hit = Picker(scene).pick(frame, camera, px, py)
    assert nearest is not None
    assert hit is not None
    assert hit.t == pytest.approx(nearest, abs=1e-5)
