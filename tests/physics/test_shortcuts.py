"""What makes sweeps quicker changes no answer: sweeps used again, land cells inside a block, things far off."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.constants import CELL_LENGTH
from engine.geometry.frame import Frame
from engine.geometry.polygon import WalkProbe
from engine.geometry.quat import from_heading
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import ZERO, Vec3, r24v
from engine.physics.flags import OI_CONTACT, OI_PATH_CLIPPED, OK
from engine.physics.membership import add_all_outside_cells, add_land_cell
from engine.physics.objects.physics_object import find_obj_collisions
from engine.physics.place import Place
from engine.physics.rules import RuleSet, rule_set
from engine.physics.sweep.cell_array import CellArray
from engine.physics.sweep.collision_info import CollisionInfo, ObjectInfo
from engine.physics.sweep.sphere_path import SpherePath
from engine.physics.sweep.transition import Transition
from engine.world.cells.landdefs import adjust_to_outside, gid_to_lcoord
from engine.world.cells.objects import Setup
from tests.physics.bodies import GROUND, body_in, graph_of, hall, human
from tests.physics.small_world import CELL_ID, floor, sweep, wall_facing_west
from tests.physics.things import box_model, flat_land, put, registry_in, setup

LENGTHS = st.floats(-400.0, 400.0, width=32)
STEPS = st.floats(-1.5, 1.5, width=32)
OFFSETS = st.tuples(STEPS, STEPS, st.floats(-0.25, 0.25, width=32))
RULES = st.sampled_from([rule_set("retail"), rule_set("ace")])


# --- sweeps that are used again

OWN = (Transition, SpherePath, CollisionInfo, ObjectInfo, CellArray, Sphere, Place, WalkProbe)


def contents(thing: object) -> object:
    """Everything in a sweep's own objects; what they share with others is only named."""
    if isinstance(thing, list):
        return [contents(each) for each in thing]
    if not isinstance(thing, OWN):
        return thing if isinstance(thing, (int, float, tuple, type(None))) else repr(thing)
    names = [name for name in dir(thing) if not name.startswith("__") and not callable(getattr(thing, name))]
    return {name: contents(getattr(thing, name)) for name in names if name not in ("graph", "rules")}


@given(st.lists(OFFSETS, min_size=1, max_size=6), OFFSETS, RULES)
def test_a_sweep_that_is_used_again_is_as_a_new_one(before: list[Vec3], offset: Vec3, rules: RuleSet) -> None:
    cell = hall([floor(0.0), wall_facing_west(1.0, 1)])
    body = body_in(cell, (0.0, 0.0, 0.0), ground=GROUND, body=human(), rules=rules)
    for each in before:
        body.move_to(Place(CELL_ID, r24v(each), Frame()))
    here = body.place.origin
    end = Place(CELL_ID, r24v((here[0] + offset[0], here[1] + offset[1], here[2] + offset[2])), Frame())
    again = body.begin_transition(end)
    new = body.new_transition()
    body._hand_over_contact(new)  # as `begin_transition` does
    new.init_path(body.cell, body.place.copy(), end)
    new.ci.frames_stationary_fall = again.ci.frames_stationary_fall
    assert contents(again) == contents(new)
    assert again.find_valid_position() == new.find_valid_position()
    assert contents(again) == contents(new)


def test_two_sweeps_take_turns() -> None:
    body = body_in(hall([floor(0.0)]), (0.0, 0.0, 0.0), ground=GROUND)
    made: list[Transition | None] = []
    for step in range(4):
        body.move_to(Place(CELL_ID, (0.1 * (step + 1), 0.0, 0.0), Frame()))
        made.append(body.last_transition)
    assert made[0] is not made[1]
    assert made[0] is made[2]
    assert made[1] is made[3]


# --- land cells


def cells_by_definition(cell_id: int, spheres: list[Sphere]) -> list[int]:
    """physics.md 6.8 without any shortcut."""
    graph = flat_land(0xA9B4, 0xA9B3, 0xA8B4)
    ca = CellArray()
    for sphere in spheres:
        ok, land, (x, y, _) = adjust_to_outside(cell_id, sphere.center)
        lcoord = gid_to_lcoord(land)
        if not ok or lcoord is None:
            break
        x -= math.floor(x / CELL_LENGTH) * CELL_LENGTH
        y -= math.floor(y / CELL_LENGTH) * CELL_LENGTH
        low, high = sphere.radius, CELL_LENGTH - sphere.radius
        column, row = lcoord
        add_land_cell(graph, column, row, ca)
        for over, step in ((x > high, 1), (x < low, -1)):
            if over:
                add_land_cell(graph, column + step, row, ca)
                if y > high:
                    add_land_cell(graph, column + step, row + 1, ca)
                if y < low:
                    add_land_cell(graph, column + step, row - 1, ca)
        if y > high:
            add_land_cell(graph, column, row + 1, ca)
        if y < low:
            add_land_cell(graph, column, row - 1, ca)
    return ca.listed()


NEAR_BORDERS = st.sampled_from([0.0, 1e-4, 2e-4, -1e-4, 24.0, 191.9999847, 192.0, math.nan, math.inf, 1e30])


@given(
    st.sampled_from([0xA9B40001, 0xA9B40150, 0xA9B4FFFF, 0xA9B40000, 0xFFB40001]),
    st.lists(st.tuples(LENGTHS | NEAR_BORDERS, LENGTHS | NEAR_BORDERS, st.floats(0.0, 30.0)), min_size=1, max_size=2),
)
def test_land_cells_are_those_of_the_definition(cell_id: int, balls: list[tuple[float, float, float]]) -> None:
    spheres = [Sphere((x, y, 0.0), radius) for x, y, radius in balls]
    ca = CellArray()
    add_all_outside_cells(flat_land(0xA9B4, 0xA9B3, 0xA8B4), cell_id, spheres, ca)
    assert ca.listed() == cells_by_definition(cell_id, spheres)


# --- things far off

SIZES = st.floats(0.05, 3.0)
PLACES = st.tuples(*[st.floats(-4.0, 4.0)] * 3)
SHAPES = (
    st.builds(lambda at, radius: setup(spheres=[Sphere(at, radius)]), PLACES, SIZES)
    | st.builds(lambda at, radius, height: setup(cylinders=[CylSphere(at, radius, height)]), PLACES, SIZES, SIZES)
    | st.builds(
        lambda one, two, radius: setup(cylinders=[CylSphere(one, radius, 1.0), CylSphere(two, 0.5, radius)]),
        PLACES,
        PLACES,
        SIZES,
    )
    | st.builds(lambda high: setup(models=[box_model((-high, -0.2, 0.0), (0.5, 0.2, high))]), SIZES)
)


@given(SHAPES, PLACES, st.floats(0.0, 360.0), PLACES, OFFSETS, st.booleans(), RULES, st.sampled_from(range(6)), SIZES)
def test_a_thing_that_is_clear_of_a_body_answers_nothing(
    thing: Setup,
    stands: Vec3,
    heading: float,
    start: Vec3,
    offset: Vec3,
    is_single: bool,
    rules: RuleSet,
    phase: int,
    radius: float,
) -> None:
    cell = hall([floor(-50.0)])
    obj = put(registry_in(graph_of(cell), rules), thing, CELL_ID, ZERO, frame=Frame(stands, from_heading(heading)))
    body = [Sphere((0.0, 0.0, radius), radius)] if is_single else human()
    end = (start[0] + offset[0], start[1] + offset[1], start[2] + offset[2])
    tr = sweep(cell, start, end, body, rules)
    tr.oi.state = (0, OI_CONTACT, OI_PATH_CLIPPED)[phase % 3]
    tr.sp.collide, tr.sp.step_down, tr.sp.check_walkable = phase == 3, phase == 4, phase == 5
    if obj.is_clear_of(tr.sp):
        assert find_obj_collisions(tr, obj) == OK
        assert not tr.ci.collide_objects


def test_what_stands_near_is_not_clear_and_what_stands_far_is() -> None:
    cell = hall([floor(0.0)])
    registry = registry_in(graph_of(cell))
    post = setup(cylinders=[CylSphere(ZERO, 0.3, 2.0)])
    near, far = (put(registry, post, CELL_ID, (x, 0.0, 0.0), entity=0x70000001 + int(x)) for x in (0.5, 9.0))
    tr = sweep(cell, ZERO, (0.1, 0.0, 0.0), human())
    assert not near.is_clear_of(tr.sp)
    assert far.is_clear_of(tr.sp)
