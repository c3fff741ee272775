"""The placement of parts: poses, scales, spheres, degrade modes, billboards (rendering.md 18)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build import Light, Mesh, Model, Part, Pose, WorldBuilder, rect
from engine.build.shapes.solids import box
from engine.dat.records import Setup as SetupRecord
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, dot, normalized, sub
from engine.render.draws import AS_AUTHORED, FACE_VIEWER, TURN_ABOUT_X, TURN_ABOUT_Z, Owner
from engine.render.parts import PlacedObject, Shapes, facing_frame, part_draws, placed_sphere, resting_pose, sort_center
from engine.render.shells import LampOwner, lamps_of
from engine.world.cells.objects import DEFAULT_PLACEMENT, RESTING, Setup
from engine.world.world import World

BLOCK = 0x0001FFFF
EAST = from_heading(90.0)


def crate_on_legs() -> Model:
    body = Mesh.of("body", box(-0.5, -0.5, 0.0, 1.0, 1.0, 1.0, "wood"))
    leg = Mesh.of("leg", box(-0.1, -0.1, 0.0, 0.2, 0.2, 1.0, "wood"))
    parts = (Part(body, Pose((0.0, 0.0, 1.0))), Part(leg, Pose((0.0, 0.4, 0.0)), (1.0, 1.0, 2.0)))
    return Model("crate on legs", parts, lights=(Light((0.0, 1.0, 0.0), 0xFF8000FF, 50.0, 4.0),))


def opened(model: Mesh | Model) -> World:
    world = WorldBuilder()
    world.room("room", rect(-5, -5, 10, 10)).put(model, (0, 0))
    return world.build().load()


def setup_of(world: World) -> Setup:
    block = world.landblock(world.landblock_ids()[0])
    assert block is not None
    (thing,) = block.env_cells[0].static_objects
    found = world.setup(thing.model_id)
    assert found is not None
    return found


def standing(setup: Setup, frame: Frame, scale: float = 1.0) -> PlacedObject:
    return PlacedObject(7, setup, frame, scale, Owner.CELL, 0x00010100, resting_pose(setup))


def test_a_part_is_where_its_pose_and_the_scaled_object_put_it() -> None:
    world = opened(crate_on_legs())
    setup = setup_of(world)
    body, leg = part_draws(standing(setup, Frame((10.0, 20.0, 5.0), EAST), 2.0), Shapes(world), 3)
    assert body.frame.origin == pytest.approx((10.0, 20.0, 7.0))
    # When the object faces east, the leg north of the middle is east of it, twice as far.
    assert leg.frame.origin == pytest.approx((10.8, 20.0, 5.0))
    assert (body.scale, leg.scale) == ((2.0, 2.0, 2.0), (2.0, 2.0, 4.0))
    assert (body.key, leg.key, leg.version) == ((7, 0), (7, 1), 3)


def test_a_vertex_is_scaled_before_it_is_turned_and_moved() -> None:
    world = opened(crate_on_legs())
    setup = setup_of(world)
    _, leg = part_draws(standing(setup, Frame((10.0, 20.0, 5.0), EAST), 2.0), Shapes(world), 1)
    tops = [leg.frame.local_to_global((0.1 * 2.0, 0.1 * 2.0, 1.0 * 4.0))]
    assert tops[0] == pytest.approx((11.0, 19.8, 9.0))
    assert any(corner == pytest.approx((0.1, 0.1, 1.0)) for corner in leg.mesh.positions.tolist())


def test_the_resting_placement_precedes_the_default_and_the_object_itself() -> None:
    setup = setup_of(opened(crate_on_legs()))
    default, resting = [Frame((1.0, 0.0, 0.0))] * 2, [Frame((2.0, 0.0, 0.0))] * 2
    setup.placements = {DEFAULT_PLACEMENT: default, RESTING: resting}
    assert resting_pose(setup) == resting
    setup.placements = {DEFAULT_PLACEMENT: default}
    assert resting_pose(setup) == default
    setup.placements = {5: default}
    assert [frame.origin for frame in resting_pose(setup)] == [(0.0, 0.0, 0.0)] * 2


def test_the_drawing_sphere_scales_by_the_longest_axis_around_every_vertex() -> None:
    world = opened(crate_on_legs())
    for part in part_draws(standing(setup_of(world), Frame((1.0, 2.0, 3.0), EAST), 1.5), Shapes(world), 1):
        sx, sy, sz = part.scale
        for x, y, z in part.mesh.positions.tolist():
            corner = part.frame.local_to_global((x * sx, y * sy, z * sz))
            assert math.dist(corner, part.sphere.center) <= part.sphere.radius + 1e-4
    sphere = placed_sphere(Sphere((1.0, 0.0, 0.0), 2.0), Frame((5.0, 0.0, 0.0), EAST), (3.0, 1.0, 1.0))
    assert sphere.center == pytest.approx((5.0, -3.0, 0.0))
    assert sphere.radius == 6.0


def test_the_sort_centre_is_scaled_and_not_turned() -> None:
    assert sort_center(Frame((5.0, 0.0, 0.0), EAST), (2.0, 3.0, 4.0), (1.0, 1.0, 1.0)) == (7.0, 3.0, 4.0)


def test_a_lamp_moves_with_its_object() -> None:
    owner = LampOwner(7, setup_of(opened(crate_on_legs())), Frame((10.0, 20.0, 5.0), EAST), 2.0, BLOCK, (1,), True)
    (lamp,) = lamps_of(owner)
    assert lamp.position == pytest.approx((12.0, 20.0, 5.0))
    assert lamp.colour == pytest.approx((128 / 255, 0.0, 1.0))
    assert (lamp.intensity, lamp.falloff, lamp.dynamic) == (50.0, 4.0, True)


def test_parts_with_nan_placements_are_not_drawn() -> None:
    setup = setup_of(opened(crate_on_legs()))
    assert isinstance(setup.record, SetupRecord)
    setup.record.lights[0].intensity = math.nan
    assert lamps_of(LampOwner(7, setup, Frame(), 1.0, BLOCK, (1,), True)) == []
    setup.parts[1].scale = (1.0, math.nan, 1.0)
    _, leg = part_draws(standing(setup, Frame()), Shapes(opened(crate_on_legs())), 1)
    assert leg.scale == (1.0, 1.0, 1.0)
    assert sort_center(Frame((1.0, 2.0, 3.0)), (1.0, 1.0, 1.0), (math.inf, 0.0, 0.0)) == (1.0, 2.0, 3.0)


def test_meshes_of_one_model_are_the_same_objects_everywhere() -> None:
    world = opened(crate_on_legs())
    shapes = Shapes(world)
    first = part_draws(standing(setup_of(world), Frame()), shapes, 1)
    second = part_draws(standing(setup_of(world), Frame((9.0, 9.0, 0.0))), shapes, 2)
    for a, b in zip(first, second, strict=True):
        assert a.mesh is b.mesh
        assert a.materials is b.materials


# --- billboards


def test_the_degrade_table_selects_the_mesh_and_how_it_turns() -> None:
    sheet = Mesh.of("sheet", box(-0.5, -0.01, -0.5, 1.0, 0.02, 1.0, "wood"))
    for mesh, mode in ((sheet, AS_AUTHORED), (replace(sheet, billboard=True), FACE_VIEWER)):
        world = opened(mesh)
        (part,) = part_draws(standing(setup_of(world), Frame()), Shapes(world), 1)
        assert part.billboard == mode


Places = st.tuples(st.floats(-9.0, 9.0), st.floats(-9.0, 9.0), st.floats(-9.0, 9.0))


@given(Places, st.floats(0.0, 360.0))
def test_a_full_billboard_shows_its_front_to_the_eye_upright(eye: Vec3, heading: float) -> None:
    frame = Frame((1.0, 2.0, 3.0), from_heading(heading))
    way = sub(eye, frame.origin)
    if math.hypot(way[0], way[1]) < 0.1:
        return
    turned = facing_frame(frame, FACE_VIEWER, eye)
    assert turned.origin == frame.origin
    assert turned.local_to_global_vec((0.0, -1.0, 0.0)) == pytest.approx(normalized(way), abs=1e-6)
    assert turned.local_to_global_vec((1.0, 0.0, 0.0))[2] == pytest.approx(0.0, abs=1e-9)


@given(Places, st.floats(0.0, 360.0))
def test_a_mesh_that_turns_about_z_stays_upright_and_faces_the_eye(eye: Vec3, heading: float) -> None:
    frame = Frame((1.0, 2.0, 3.0), from_heading(heading))
    way = sub(eye, frame.origin)
    across = math.hypot(way[0], way[1])
    if across < 0.1:
        return
    turned = facing_frame(frame, TURN_ABOUT_Z, eye)
    front = turned.local_to_global_vec((0.0, -1.0, 0.0))
    assert front == pytest.approx((way[0] / across, way[1] / across, 0.0), abs=1e-6)


def test_turning_about_x_keeps_that_axis() -> None:
    turned = facing_frame(Frame((0.0, 0.0, 0.0)), TURN_ABOUT_X, (5.0, -1.0, 1.0))
    assert turned.local_to_global_vec((1.0, 0.0, 0.0)) == pytest.approx((1.0, 0.0, 0.0))
    front = turned.local_to_global_vec((0.0, -1.0, 0.0))
    assert dot(front, (0.0, -1.0, 1.0)) == pytest.approx(math.sqrt(2.0))


def test_a_part_drawn_as_authored_is_not_turned() -> None:
    frame = Frame((1.0, 2.0, 3.0), EAST)
    assert facing_frame(frame, AS_AUTHORED, (0.0, 0.0, 0.0)) is frame
