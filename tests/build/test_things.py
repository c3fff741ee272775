"""Stairs, furniture, shells and doors: shapes that bodies meet (physics.md 8.3, 9.1, dat-format.md 3.10)."""

from __future__ import annotations

import math
import random

import pytest

from engine.build import BuildError, Mesh, Model, WorldBuilder, gable_roof, rect
from engine.build.doors import FRAMES, door_model
from engine.build.shapes.faces import Face, area_of
from engine.build.shapes.furniture import (
    barrel,
    bed,
    bench,
    chair,
    chest,
    counter,
    crate,
    fence,
    fireplace,
    lantern,
    person,
    rock,
    shelf,
    sign,
    table,
    tree,
    well,
)
from engine.build.shapes.solids import is_convex_body
from engine.build.shapes.stairs import ramp, spiral_stairs, stairs
from engine.dat.records import Animation, GfxObj, MotionTable, Setup
from engine.geometry.polygon import Polygon
from engine.geometry.vec import distance
from engine.world.cells.cell import Building
from tests.build.worlds import built, directions, loaded, nearest_hit, placed_points, ray_hit, rooms_of


def _floors(faces: list[Face]) -> list[Face]:
    return [face for face in faces if face.plane[0][2] > 0.99]


def test_every_tread_is_exactly_one_rise_above_the_one_before() -> None:
    for is_open in (False, True):
        treads = sorted(
            (f.points[0][2], min(p[1] for p in f.points)) for f in _floors(stairs(1.2, 12, is_open=is_open))
        )
        assert [z for z, _ in treads] == [(i + 1) * 0.2 for i in range(12)]
        assert [y for _, y in treads] == pytest.approx([i * 0.3 for i in range(12)])


def test_every_riser_is_closed() -> None:
    risers = [f for f in stairs(1.2, 6) if f.plane[0][1] < -0.99]
    assert sum(area_of(f.points) for f in risers) == pytest.approx(6 * 0.2 * 1.2)


def test_spiral_steps_rise_evenly_and_turn_about_the_column() -> None:
    for clockwise in (False, True):
        treads = _floors(spiral_stairs(0.3, 1.5, 9, turn=30.0, clockwise=clockwise))
        heights = sorted(f.points[0][2] for f in treads)
        assert heights[:-1] == pytest.approx([0.2 * (i + 1) for i in range(9)])  # the last one is the column's top
        assert all(0.29 < math.hypot(p[0], p[1]) < 1.51 for f in treads for p in f.points)


def test_a_ramp_leads_from_the_floor_to_its_rise() -> None:
    for thickness in (None, 0.1):
        slope = next(f for f in ramp(1.0, 4.0, 2.0, thickness=thickness) if 0.1 < f.plane[0][2] < 0.99)
        assert sorted((p[1], p[2]) for p in slope.points) == [(0.0, 0.0), (0.0, 0.0), (4.0, 2.0), (4.0, 2.0)]


@pytest.mark.parametrize("build", [lambda: stairs(1, 0), lambda: ramp(1, 0, 1), lambda: spiral_stairs(2, 1, 3)])
def test_impossible_stairs_are_refused(build: object) -> None:
    assert callable(build)
    with pytest.raises(BuildError):
        build()


THINGS: list[Mesh | Model] = [
    barrel(),
    bed(),
    bench(),
    chair(),
    chest(),
    counter(),
    crate(),
    fence(),
    fireplace(),
    lantern(),
    person(),
    rock(),
    shelf(),
    sign(),
    table(),
    tree(),
    tree(conifer=True),
    well(),
]


def _meshes(thing: Mesh | Model) -> list[Mesh]:
    return [thing] if isinstance(thing, Mesh) else [part.mesh for part in thing.parts]


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: thing.name)
def test_furniture_stands_on_the_floor_and_its_solid_faces_are_closed(thing: Mesh | Model) -> None:
    faces = [face for mesh in _meshes(thing) for face in mesh.faces]
    assert min(p[2] for face in faces for p in face.points) > -0.3
    for mesh in _meshes(thing):
        solid = [face for face in mesh.faces if face.solid]
        for axis in range(3):
            assert sum(f.plane[0][axis] * area_of(f.points) for f in solid) == pytest.approx(0.0, abs=1e-6)


def test_all_furniture_loads_without_a_fault() -> None:
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 20, 20), height=8)
    for i, thing in enumerate(THINGS):
        hall.put(thing, (2 + 4 * (i % 5), 2 + 4 * (i // 5)), 20.0 * i)
    opened = world.build().load()
    opened.landblock(0x0007FFFF)
    assert [str(fault) for fault in opened.faults()] == []


def test_trees_collide_by_a_cylinder_and_people_by_two_spheres() -> None:
    assert not tree().has_physics
    assert len(tree().cylinders) == 1
    assert not person().has_physics
    assert len(person().balls) == 2
    assert chest().has_physics


# --- doors


def test_a_door_has_no_cylinders_one_tiny_sphere_and_three_parts_with_trees() -> None:
    door = built("two_rooms").entity("hall-study door")
    setup = loaded("two_rooms").setup(door.setup_id)
    assert setup is not None
    assert setup.cyl_spheres == []
    assert [sphere.radius for sphere in setup.spheres] == pytest.approx([0.1])
    assert len(setup.parts) == 3
    assert all(part.gfxobj is not None and part.gfxobj.physics_tree is not None for part in setup.parts)
    assert door.state == 0x10008


def test_the_slab_of_a_closed_door_fills_its_doorway() -> None:
    model = door_model(1.2, 2.2)
    slab = model.parts[0]
    points = [(p[0] + slab.pose.origin[0], p[1], p[2]) for face in slab.mesh.faces for p in face.points]
    assert min(p[0] for p in points) == pytest.approx(-0.6, abs=0.01)
    assert max(p[0] for p in points) == pytest.approx(0.6, abs=0.01)
    assert (min(p[2] for p in points), max(p[2] for p in points)) == pytest.approx((0.0, 2.2), abs=0.01)
    assert max(abs(p[1]) for p in points) < 0.05


def test_rays_through_a_doorway_hit_the_closed_slab() -> None:
    door = built("two_rooms").entity("hall-study door")
    setup = loaded("two_rooms").setup(door.setup_id)
    assert setup is not None
    gfxobj = setup.parts[0].gfxobj
    assert gfxobj is not None
    frame = built("two_rooms").entity("hall-study door").frame
    for x, z in ((0.0, 1.0), (-0.45, 0.1), (0.45, 2.0), (0.3, 1.5)):
        start = frame.local_to_global((x, -2.0, z))
        hinge = frame.local_to_global((-0.495, 0.0, 0.0))
        placed = frame.with_origin(hinge)
        onwards = frame.local_to_global_vec((0.0, 1.0, 0.0))
        assert any(ray_hit(p, placed, start, onwards) is not None for p in gfxobj.physics_polygons.values())


def test_a_doors_motions_turn_the_leaf_90_degrees_about_its_hinge() -> None:
    opened = loaded("two_rooms")
    setup = opened.record(built("two_rooms").entity("hall-study door").setup_id)
    assert isinstance(setup, Setup)
    table = opened.record(setup.default_motion_table)
    assert isinstance(table, MotionTable)
    assert table.default_style == 0x8000003D
    assert table.style_defaults == {0x8000003D: 0x4000000C}
    assert sorted(table.cycles) == [0x003D000B, 0x003D000C]
    assert {key: list(links) for key, links in table.links.items()} == {
        0x003D000B: [0x4000000C],
        0x003D000C: [0x4000000B],
    }
    closing = table.links[0x003D000B][0x4000000C].anims[0]
    assert (closing.low_frame, closing.high_frame, closing.framerate) == (0, -1, -30.0)
    animation = opened.record(closing.animation_id)
    assert isinstance(animation, Animation)
    assert (len(animation.frames), animation.num_parts) == (FRAMES, 3)
    first, last = animation.frames[0].frames, animation.frames[-1].frames
    assert first == setup.placement_frames[0].frames
    assert last[0].origin == first[0].origin  # the slab turns about its own origin, the hinge
    assert abs(last[0].rotation[3]) == pytest.approx(math.sqrt(0.5))
    assert last[1].origin[1] < -0.5  # the handle swings away from +y
    pivot = first[0].origin
    for i in (1, 2):
        assert distance(last[i].origin, pivot) == pytest.approx(distance(first[i].origin, pivot), abs=1e-5)


def test_a_double_doors_leaves_open_in_the_same_direction() -> None:
    model = door_model(2.0, 2.4, leaves=2)
    assert len(model.parts) == 6
    assert model.opening[-1][1].origin[1] < -0.5
    assert model.opening[-1][4].origin[1] < -0.5
    assert model.opening[-1][0].origin[0] == -model.opening[-1][3].origin[0]


def test_equal_doors_share_their_model_and_open_ones_start_ethereal() -> None:
    world = WorldBuilder()
    rooms = [world.room(str(i), rect(4.2 * i, 0, 4, 4)) for i in range(3)]
    world.door(rooms[0], rooms[1], name="closed")
    world.door(rooms[1], rooms[2], name="open", is_open=True, key="brass")
    made = world.build()
    assert made.entity("closed").setup_id == made.entity("open").setup_id
    assert made.entity("open").state == 0x1000C
    assert made.entity("open").extra == {"locked": False, "open": True, "key": "brass"}
    assert [entity.guid for entity in made.entities] == [0x70007001, 0x70007002]


# --- shells


def _cottage() -> Building:
    (building,) = [b for block in loaded("cottage").loaded_landblocks() for b in block.buildings]
    return building


def test_interior_exits_are_shell_openings_with_the_same_corners() -> None:
    building = _cottage()
    cells = {cell.id: cell for cell in rooms_of("cottage")}
    assert len(building.portals) == 3
    for portal in building.portals:
        cell = cells[portal.other_cell_id]
        back = cell.portals[portal.other_portal_id]
        assert back.leads_outside
        assert portal.polygon is not None
        assert back.polygon is not None
        shell = [building.frame.local_to_global(p) for p in portal.polygon.vertices]
        assert list(reversed(shell)) == placed_points(cell, back.polygon)


def test_shell_portals_face_outwards_with_the_side_bit_set() -> None:
    building = _cottage()
    for portal in building.portals:
        assert portal.flags == 3
        assert portal.polygon is not None
        assert all(portal.polygon.plane.dist(p) < 1e-5 for p in _shell_walls(building))


def _shell_walls(building: Building) -> list[tuple[float, float, float]]:
    """Corners of the shell below its roof, which overhangs."""
    assert building.shell is not None
    return [p for polygon in building.shell.physics_polygons.values() for p in polygon.vertices if p[2] < 2.0]


def test_the_shell_is_closed_except_for_its_doors() -> None:
    building = _cottage()
    assert building.shell is not None
    solid = list(building.shell.physics_polygons.values())
    openings = [portal.polygon for portal in building.portals if portal.polygon is not None]
    rng = random.Random(6)
    for direction in directions(rng, 300):
        outside = building.frame.local_to_global(tuple_scaled(direction, -30.0))
        hits = [p for p in solid if ray_hit(p, building.frame, outside, building.frame.local_to_global_vec(direction))]
        ways = [
            p for p in openings if ray_hit(p, building.frame, outside, building.frame.local_to_global_vec(direction))
        ]
        assert hits or ways


def tuple_scaled(v: tuple[float, float, float], s: float) -> tuple[float, float, float]:
    return (v[0] * s, v[1] * s, v[2] * s + 1.5)


def test_bodies_pass_a_shells_door_but_not_its_window() -> None:
    building = _cottage()
    assert building.shell is not None
    twins = [
        any(sorted(p.vertices) == sorted(portal.polygon.vertices) for p in building.shell.physics_polygons.values())
        for portal in building.portals
        if portal.polygon is not None
    ]
    assert twins == [False, False, True]


def test_the_roof_is_well_above_the_ceiling_under_it() -> None:
    building = _cottage()
    assert building.shell is not None
    roof = [p for p in building.shell.physics_polygons.values() if 0.3 < p.normal[2] < 0.99]
    attic = next(cell for cell in rooms_of("cottage") if cell.id & 0xFF == 2)
    tops = [p for polygon in attic.structure.polygons.values() for p in polygon.vertices]
    assert len(roof) == 2
    assert all(polygon.plane.dist(p) < -0.25 for polygon in roof for p in tops)


@pytest.mark.parametrize("along", ["x", "y"])
@pytest.mark.parametrize("hipped", [0.0, 2.0])
def test_roofs_are_convex_bodies_from_the_eaves_to_the_ridge(along: str, hipped: float) -> None:
    roof = gable_roof(1, 2, 8, 6, eaves=3.0, ridge=5.0, along=along, hipped=hipped)
    assert is_convex_body(roof.body)
    assert max(p[2] for face in roof.body for p in face.points) == pytest.approx(5.0)
    assert len(roof.slopes) == (4 if hipped else 2)
    corner = [slope.height_at(1.0, 2.0) for slope in roof.slopes]
    assert min(corner) == pytest.approx(3.0)
    assert min(slope.height_at(5.0, 5.0) for slope in roof.slopes) == pytest.approx(5.0)
    assert min(slope.height_at(5.0, 5.0) for slope in roof.under(0.4)) == pytest.approx(4.6)


def test_num_leaves_counts_the_leaves_of_the_shells_drawing_tree() -> None:
    building = _cottage()
    record = loaded("cottage").record(building.model_id)
    assert isinstance(record, GfxObj)
    leaves = 0
    waiting = [record.drawing_bsp]
    while waiting:
        node = waiting.pop()
        if node is not None and node.tag == "LEAF":
            leaves += 1
        elif node is not None:
            waiting += [node.pos, node.neg]
    assert building.leaf_count == leaves


def test_no_part_of_a_room_protrudes_through_the_shell() -> None:
    building = _cottage()
    assert building.shell is not None
    planes = [p for p in building.shell.physics_polygons.values() if p.normal[2] > -0.1]
    for cell in rooms_of("cottage"):
        for polygon in cell.structure.polygons.values():
            for p in placed_points(cell, polygon):
                local = building.frame.global_to_local(p)
                assert all(_behind(plane, local) for plane in planes if local[2] > 0.0)


def _behind(plane: Polygon, p: tuple[float, float, float]) -> bool:
    """Behind a wall or roof of the convex house; overhanging ends of the roof are farther out still."""
    return plane.plane.dist(p) < 1e-4


def test_a_ray_out_through_an_open_door_hits_no_wall_before_the_street() -> None:
    room = next(cell for cell in rooms_of("cottage") if cell.id & 0xFF == 0)
    door = next(p for p in room.portals if p.polygon is not None and p.polygon.vertices[0][1] < -3.5)
    assert door.polygon is not None
    corners = placed_points(room, door.polygon)
    middle = (sum(p[0] for p in corners) / 4, sum(p[1] for p in corners) / 4, sum(p[2] for p in corners) / 4)
    inside = room.frame.local_to_global_vec(door.polygon.normal)
    start = (middle[0] + inside[0], middle[1] + inside[1], middle[2] + inside[2])
    solid = list(room.structure.physics_polygons.values())
    assert nearest_hit(room, solid, start, (-inside[0], -inside[1], -inside[2])) == math.inf
