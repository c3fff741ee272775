"""Bodies among objects: cases C-OBJ-1 to C-OBJ-13 of physics.md 13.7, by id."""

from __future__ import annotations

import math

import pytest

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.quat import from_axis_angle
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import UP, Vec3
from engine.physics.body import Body
from engine.physics.collision.cylinder import cylinder_intersects
from engine.physics.collision.sphere import sphere_intersects
from engine.physics.flags import (
    COLLIDED,
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ETHEREAL,
    OI_CONTACT,
    OI_ON_WALKABLE,
    TS_CONTACT,
    TS_ON_WALKABLE,
)
from engine.physics.rules import RuleSet
from engine.world.cells.cell import EnvCell
from engine.world.cells.objects import Setup
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, graph_of, hall, has, one_sphere, push
from tests.physics.small_world import ceiling, floor, leaf_tree, quad, sweep, wall_facing_west
from tests.physics.things import box_model, put, registry_in, setup

GROUNDED = TS_CONTACT | TS_ON_WALKABLE
CREATURE = ENTITY_HAS_WEENIE | ENTITY_IS_CREATURE
LOW = setup(cylinders=[CylSphere((0.0, 0.0, 0.0), 2.597, 0.256)])
TALL = setup(cylinders=[CylSphere((0.0, 0.0, 0.0), 0.2, 2.2)])


def world(rules: RuleSet, *polygons: Polygon) -> EnvCell:
    """A floor of 60 m at z = 0, or other polygons."""
    return hall(list(polygons) or [floor(0.0, size=30.0)])


def among(
    thing: Setup, at: Vec3, start: Vec3, rules: RuleSet, *, state: int = 8, flags: int = 0, falling: bool = False
) -> Body:
    """The default body in a room with one thing."""
    cell = world(rules)
    graph = graph_of(cell)
    put(registry_in(graph, rules), thing, cell.id, at, state=state, flags=flags)
    return body_in(cell, start, graph=graph, ground=None if falling else GROUND, rules=rules)


@BOTH_RULES
def test_c_obj_1_a_walker_climbs_a_broad_low_cylinder(rules: RuleSet) -> None:
    body = among(LOW, (12.0, 14.0, 0.0), (12.0, 10.4, 0.0), rules)
    push(body, 0.0, 0.1, times=40)
    _, y, z = body.place.origin
    assert y > 11.5
    assert z == pytest.approx(0.256, abs=0.05)
    assert has(body, GROUNDED)


@BOTH_RULES
def test_c_obj_1_tag_m_the_walker_loses_no_step_on_it(rules: RuleSet) -> None:
    body = among(LOW, (12.0, 14.0, 0.0), (12.0, 10.4, 0.0), rules)
    push(body, 0.0, 0.1, times=40)
    assert body.place.origin == pytest.approx((12.0, 14.4, 0.256), abs=1e-3)


@BOTH_RULES
def test_c_obj_2_a_tall_cylinder_stops_the_walker(rules: RuleSet) -> None:
    body = among(TALL, (12.0, 14.0, 0.0), (12.0, 12.6, 0.0), rules)
    push(body, 0.0, 0.1, times=30)
    assert body.place.origin[1] < 13.4
    assert body.place.origin[2] < 0.5


@BOTH_RULES
def test_c_obj_2_tag_m_the_cylinder_stops_him_within_a_step_of_touching(rules: RuleSet) -> None:
    body = among(TALL, (12.0, 14.0, 0.0), (12.0, 12.6, 0.0), rules)
    push(body, 0.0, 0.1, times=30)
    assert body.place.origin[1] == pytest.approx(13.3, abs=1e-3)


@BOTH_RULES
def test_c_obj_3_a_falling_body_rests_on_the_cylinders_top(rules: RuleSet) -> None:
    body = among(LOW, (12.0, 14.0, 0.0), (12.0, 14.0, 1.0), rules, falling=True)
    push(body, 0.0, 0.0, -0.25, times=8)
    assert body.place.origin[2] == pytest.approx(0.256, abs=1e-3)
    assert has(body, GROUNDED)


@BOTH_RULES
def test_c_obj_4_a_body_walks_through_an_ethereal_cylinder(rules: RuleSet) -> None:
    body = among(TALL, (12.0, 14.0, 0.0), (12.0, 12.6, 0.0), rules, state=8 | ETHEREAL)
    push(body, 0.0, 0.1, times=30)
    assert body.place.origin[1] > 14.5


@BOTH_RULES
def test_c_obj_5_a_body_stuck_under_a_creature_gets_a_level_plane(rules: RuleSet) -> None:
    overhead = setup(spheres=[Sphere((0.0, 0.0, 0.0), 0.48)])
    body = among(overhead, (12.0, 10.0, 4.5), (12.0, 10.0, 2.7), rules, flags=CREATURE, falling=True)
    counted = []
    for _ in range(3):
        push(body, 0.0, 0.0, 0.6)
        assert body.last_transition is not None
        ci = body.last_transition.ci
        counted.append(ci.frames_stationary_fall)
    assert counted == [1, 2, 3]
    assert ci.contact_plane_valid
    assert ci.contact_plane.normal == UP
    assert -ci.contact_plane.d == pytest.approx(body.place.origin[2])
    assert has(body, GROUNDED)


@pytest.mark.parametrize("y", [0.0, 0.03])
def test_c_obj_6_a_walker_at_a_wall_never_counts_as_stuck(y: float) -> None:
    cell = hall([floor(0.0), wall_facing_west(1.0, 1)])
    body = body_in(cell, (0.0, 0.0, 0.0), ground=GROUND)
    for _ in range(20):
        push(body, 0.1, y)
        assert body.last_transition is not None
        assert body.last_transition.ci.frames_stationary_fall == 0


def test_c_obj_7_a_crowd_overhead_stops_a_jump_within_frames() -> None:
    cell = world(RuleSet())
    graph = graph_of(cell)
    registry = registry_in(graph)
    head = setup(spheres=[Sphere((0.0, 0.0, 0.475), 0.48), Sphere((0.0, 0.0, 1.35), 0.48)])
    for number in range(9):
        at = (12.0 + 0.5 * float(number % 3 - 1), 10.0 + 0.5 * float(number // 3 - 1), 2.2)
        put(registry, head, cell.id, at, entity=0x70000001 + number, flags=CREATURE)
    body = body_in(cell, (12.0, 10.0, 0.5), graph=graph)
    body.velocity = (0.0, 0.0, 12.0)
    speeds = []
    for _ in range(6):
        body.step(1.0 / 30.0)
        speeds.append(body.velocity[2])
    assert min(speeds) <= 0.5


def falling_on(slab_z: float, start: float) -> Body:
    """A body that falls 12 times 0.3 m onto a slab whose part is at z = 0."""
    cell = world(RuleSet(), floor(-50.0, size=30.0))
    graph = graph_of(cell)
    slab = setup(models=[box_model((-3.0, -3.0, slab_z - 1.0), (3.0, 3.0, slab_z))])
    put(registry_in(graph), slab, cell.id, (12.0, 12.0, 0.0))
    body = body_in(cell, (12.0, 12.0, start), graph=graph)
    push(body, 0.0, 0.0, -0.3, times=12)
    return body


def test_c_obj_8_a_slab_far_from_its_parts_origin_is_found() -> None:
    body = falling_on(40.0, 41.4)
    assert body.place.origin[2] > 39.5


def test_c_obj_8_tag_m_a_falling_body_rests_on_the_slab() -> None:
    body = falling_on(40.0, 41.4)
    assert body.place.origin[2] == pytest.approx(40.0, abs=1e-3)


def test_c_obj_9_a_slab_at_its_parts_origin_is_found() -> None:
    body = falling_on(0.0, 1.4)
    assert body.place.origin[2] > -0.5


# --- as in the client's code


def on_a_table(part_z: float, rules: RuleSet) -> Body:
    """A body that stepped down onto a part of twice its size, whose top is at 1 m in its own space."""
    cell = world(rules, floor(-50.0, size=30.0))
    graph = graph_of(cell)
    table = setup(models=[box_model((-1.0, -1.0, 0.0), (1.0, 1.0, 1.0))])
    put(registry_in(graph, rules), table, cell.id, (0.0, 0.0, part_z), scale=2.0)
    body = body_in(cell, (0.0, 0.0, part_z + 2.2), graph=graph, rules=rules)
    push(body, 0.0, 0.0, -0.3)
    assert body.place.origin[2] == pytest.approx(part_z + 2.0, abs=1e-3)
    return body


@BOTH_RULES
@pytest.mark.parametrize(("part_z", "d"), [(10.0, -22.0), (0.0, -2.0)])
def test_c_obj_10_the_plane_of_a_part_at_twice_its_size_is_off_its_face(
    part_z: float, d: float, rules: RuleSet
) -> None:
    body = on_a_table(part_z, rules)
    assert has(body, GROUNDED)
    assert body.contact_plane.normal == UP
    assert body.contact_plane.d == pytest.approx(d)


@BOTH_RULES
@pytest.mark.parametrize(("part_z", "stays"), [(10.0, False), (0.0, True)])
def test_a_body_pushed_into_a_wall_there_loses_contact_for_that_tick(
    part_z: float, stays: bool, rules: RuleSet
) -> None:
    body = on_a_table(part_z, rules)
    wall = quad(9, (0.6, -5.0, part_z), (0.6, -5.0, part_z + 9.0), (0.6, 5.0, part_z + 9.0), (0.6, 5.0, part_z))
    assert isinstance(body.cell, EnvCell)
    body.cell.physics_tree = leaf_tree([wall])
    assert push(body, 0.3)
    assert body.place.origin[0] == pytest.approx(0.0, abs=1e-3)
    assert has(body, TS_CONTACT) == stays


@BOTH_RULES
def test_c_obj_11_a_foot_directly_under_a_ball_stops_but_keeps_its_velocity(rules: RuleSet) -> None:
    tr = sweep(hall([floor(0.0)]), (0.0, 0.0, 0.0), (0.1, 0.0, 0.0), one_sphere(0.48), rules)
    tr.oi.state |= OI_CONTACT | OI_ON_WALKABLE
    tr.ci.init_contact_plane(tr.sp.check.cell_id, GROUND, False)
    assert sphere_intersects(tr, (0.0, 0.0, 1.2), 0.5, False) == COLLIDED
    assert tr.ci.collision_normal == pytest.approx((0.0, 0.0, -1.0))
    tr.ci.set_sliding_normal(tr.ci.collision_normal)
    assert tr.ci.sliding_normal == (0.0, 0.0, 0.0)


@BOTH_RULES
def test_c_obj_12_the_normal_of_a_turned_stump_is_rotated_twice(rules: RuleSet) -> None:
    cell = world(rules, floor(0.0, size=30.0), ceiling(1.3, 1, size=30.0))
    graph = graph_of(cell)
    turned = Frame((12.0, 14.0, 0.0), from_axis_angle(UP, math.pi / 2.0))
    stump = setup(cylinders=[CylSphere((0.0, 0.0, 0.0), 0.5, 0.3)])
    put(registry_in(graph, rules), stump, cell.id, (0.0, 0.0, 0.0), frame=turned)
    body = body_in(cell, (12.0, 12.6, 0.0), graph=graph, ground=GROUND, rules=rules)
    while True:
        assert body.place.origin[1] < 14.0
        push(body, 0.0, 0.1)
        assert body.last_transition is not None
        if body.last_transition.ci.collision_normal_valid:
            break
    assert body.last_transition.sp.step_up_normal == pytest.approx((1.0, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize(("form", "normal"), [("retail", (0.0, 0.0, -1.0)), ("ace", (0.0, 0.0, 1.0))])
def test_c_obj_13_a_head_that_rises_into_a_column_is_pushed_down(form: str, normal: Vec3) -> None:
    rules = RuleSet()
    rules.set_form("cyl_slide_head", form)
    head = [Sphere((0.0, 0.0, 0.48), 0.48), Sphere((0.0, 0.0, 1.3), 0.48)]
    tr = sweep(hall([floor(0.0)]), (0.0, 0.0, 0.0), (0.0, 0.0, 0.1), head, rules)
    tr.oi.state |= OI_CONTACT | OI_ON_WALKABLE
    tr.ci.init_contact_plane(tr.sp.check.cell_id, GROUND, False)
    cylinder_intersects(tr, (0.0, 0.0, 1.85), 0.5, 1.0, Frame())
    assert tr.ci.collision_normal == normal
