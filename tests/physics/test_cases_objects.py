"""Bodies among objects: cases C-OBJ-1 to C-OBJ-9 of spec/physics.md 13.7, by id."""

from __future__ import annotations

import pytest

from engine.geometry.polygon import Polygon
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import UP, Vec3
from engine.physics.body import Body
from engine.physics.flags import ENTITY_HAS_WEENIE, ENTITY_IS_CREATURE, ETHEREAL, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.rules import RuleSet
from engine.world.cells.cell import EnvCell
from engine.world.cells.objects import Setup
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, graph_of, hall, has, push
from tests.physics.small_world import floor, wall_facing_west
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
def test_c_obj_1_a_broad_low_cylinder_is_climbed(rules: RuleSet) -> None:
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
def test_c_obj_2_tag_m_it_does_so_within_a_step_of_touching(rules: RuleSet) -> None:
    body = among(TALL, (12.0, 14.0, 0.0), (12.0, 12.6, 0.0), rules)
    push(body, 0.0, 0.1, times=30)
    assert body.place.origin[1] == pytest.approx(13.3, abs=1e-3)


@BOTH_RULES
def test_c_obj_3_a_faller_rests_on_the_cylinders_top(rules: RuleSet) -> None:
    body = among(LOW, (12.0, 14.0, 0.0), (12.0, 14.0, 1.0), rules, falling=True)
    push(body, 0.0, 0.0, -0.25, times=8)
    assert body.place.origin[2] == pytest.approx(0.256, abs=1e-3)
    assert has(body, GROUNDED)


@BOTH_RULES
def test_c_obj_4_an_ethereal_cylinder_is_walked_through(rules: RuleSet) -> None:
    body = among(TALL, (12.0, 14.0, 0.0), (12.0, 12.6, 0.0), rules, state=8 | ETHEREAL)
    push(body, 0.0, 0.1, times=30)
    assert body.place.origin[1] > 14.5


@BOTH_RULES
def test_c_obj_5_a_body_stuck_under_a_creature_is_given_a_level_plane(rules: RuleSet) -> None:
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
def test_c_obj_6_a_walker_at_a_wall_is_never_counted_as_stuck(y: float) -> None:
    cell = hall([floor(0.0), wall_facing_west(1.0, 1)])
    body = body_in(cell, (0.0, 0.0, 0.0), ground=GROUND)
    for _ in range(20):
        push(body, 0.1, y)
        assert body.last_transition is not None
        assert body.last_transition.ci.frames_stationary_fall == 0


def test_c_obj_7_a_jump_into_a_crowd_overhead_is_stopped_within_frames() -> None:
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
    """A body that falls 12 times 0.3 m onto a slab whose part stands at z = 0."""
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


def test_c_obj_8_tag_m_the_faller_rests_on_it() -> None:
    body = falling_on(40.0, 41.4)
    assert body.place.origin[2] == pytest.approx(40.0, abs=1e-3)


def test_c_obj_9_a_slab_at_its_parts_origin_is_found() -> None:
    body = falling_on(0.0, 1.4)
    assert body.place.origin[2] > -0.5
