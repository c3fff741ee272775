"""Whole transitions against trees: cases C-TR-1 to C-TR-25 of physics.md 13.5, by id."""

from __future__ import annotations

import pytest

from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.body import Body
from engine.physics.flags import COLLIDED, SLID, TS_CONTACT, TS_ON_WALKABLE, TS_SLIDING
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.sweep.edges import precipice_slide
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import CellPortal
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, box_tree, graph_of, hall, has, human, one_sphere, push
from tests.physics.small_world import CELL_ID, floor, quad, spheres, sweep, wall_facing_west
from tests.physics.things import DOOR_STATE, door_setup, put, registry_in

GROUNDED = TS_CONTACT | TS_ON_WALKABLE


def level(polygon_id: int, x0: float, x1: float, z: float, width: float = 5.0) -> Polygon:
    return quad(polygon_id, (x0, -width, z), (x1, -width, z), (x1, width, z), (x0, width, z))


def riser(polygon_id: int, x: float, z0: float, z1: float) -> Polygon:
    """An upright face that stops eastward motion."""
    return quad(polygon_id, (x, -5.0, z0), (x, -5.0, z1), (x, 5.0, z1), (x, 5.0, z0))


def low_step(height: float = 0.25, upper_from: float = 0.5) -> EnvCell:
    """LowStep of 13.5."""
    return hall([level(0, -2.0, 0.5, 0.0), riser(1, 0.5, 0.0, height), level(2, upper_from, 2.0, height)])


SMALL = 0.2
"""The radius of LowStep's bodies, which are 1.2 m high."""


def small_body(cell: EnvCell, origin: Vec3, rules: RuleSet, ground: Plane | None = GROUND) -> Body:
    return body_in(cell, origin, ground=ground, body=spheres(SMALL), step_up=0.3, rules=rules)


# --- LowStep and the five-metre wall


@BOTH_RULES
@pytest.mark.parametrize("upper_from", [0.2, 0.5])
def test_c_tr_1_a_low_step_is_climbed(upper_from: float, rules: RuleSet) -> None:
    body = small_body(low_step(upper_from=upper_from), (0.1, 0.0, 0.0), rules)
    assert push(body, 0.5)
    assert body.place.origin[2] >= 0.248


@BOTH_RULES
def test_c_tr_2_tag_m_the_climber_stands_on_the_upper_floor(rules: RuleSet) -> None:
    body = small_body(low_step(), (0.1, 0.0, 0.0), rules)
    push(body, 0.5)
    assert body.place.origin == pytest.approx((0.6, 0.0, 0.25), abs=1e-3)
    assert has(body, GROUNDED)


@BOTH_RULES
def test_c_tr_3_a_wall_stops_a_walker_where_its_sphere_touches(rules: RuleSet) -> None:
    body = small_body(low_step(5.0), (0.1, 0.0, 0.0), rules)
    body.velocity = (0.0, -1.0, 0.0)
    push(body, 0.5)
    assert body.place.origin[0] <= 0.304
    assert has(body, GROUNDED)
    assert body.velocity == ZERO


def against_the_wall(rules: RuleSet) -> Body:
    """The body of C-TR-4: the wall stopped it after one sub-step of a third of half a metre."""
    body = small_body(low_step(5.0), (0.1, 0.0, 0.0), rules)
    push(body, 0.5)
    return body


@BOTH_RULES
def test_c_tr_4_tag_m_the_walker_stays_a_sub_step_away_with_a_sliding_normal(rules: RuleSet) -> None:
    body = against_the_wall(rules)
    assert body.place.origin == pytest.approx((0.2667, 0.0, 0.0), abs=1e-3)
    assert has(body, TS_SLIDING)
    assert body.sliding_normal == pytest.approx((-1.0, 0.0, 0.0))


@BOTH_RULES
def test_c_tr_5_pushing_straight_into_the_wall_changes_nothing(rules: RuleSet) -> None:
    body = against_the_wall(rules)
    before = (body.place.origin, body.transient, body.sliding_normal, body.contact_plane)
    assert not push(body, 0.1)
    assert (body.place.origin, body.transient, body.sliding_normal, body.contact_plane) == before
    assert has(body, TS_SLIDING)


@BOTH_RULES
def test_c_tr_6_pushing_obliquely_slides_along_the_wall(rules: RuleSet) -> None:
    body = against_the_wall(rules)
    x, y, _ = body.place.origin
    assert push(body, 0.1, 0.15)
    assert body.place.origin[:2] == pytest.approx((x, y + 0.15), abs=1e-3)
    assert not has(body, TS_SLIDING)


@BOTH_RULES
def test_c_tr_7_a_wall_stops_a_falling_body_only_sideways(rules: RuleSet) -> None:
    body = small_body(low_step(5.0), (0.1, 0.0, 2.0), rules, ground=None)
    push(body, 0.5, 0.0, -0.5)
    x, _, z = body.place.origin
    assert z < 1.9
    assert x <= 0.304


def fallen_against_the_wall(rules: RuleSet) -> Body:
    """The body of C-TR-8: in the air, after its foot met the wall."""
    body = small_body(low_step(5.0), (0.25, 0.0, 2.0), rules, ground=None)
    push(body, 0.11, 0.0, -0.08)
    return body


@BOTH_RULES
def test_c_tr_8_the_first_frame_in_the_air_at_a_wall_finds_a_sliding_normal(rules: RuleSet) -> None:
    body = fallen_against_the_wall(rules)
    assert body.place.origin[2] == 2.0
    assert has(body, TS_SLIDING)


@BOTH_RULES
def test_c_tr_9_the_next_frame_falls_along_the_wall(rules: RuleSet) -> None:
    body = fallen_against_the_wall(rules)
    push(body, 0.11, 0.0, -0.08)
    x, _, z = body.place.origin
    assert z < 1.95
    assert 0.24 <= x <= 0.31


@BOTH_RULES
def test_c_tr_10_tag_m_a_falling_body_lands_exactly_on_the_floor(rules: RuleSet) -> None:
    body = body_in(hall([floor(0.0)]), (0.0, 0.0, 1.0), rules=rules)
    heights = []
    for _ in range(5):
        push(body, 0.1, 0.0, -0.25)
        heights.append(body.place.origin[2])
    assert heights == pytest.approx([0.75, 0.5, 0.25, 0.0, 0.0], abs=1e-6)
    assert has(body, GROUNDED)
    assert body.last_transition is not None
    assert not body.last_transition.ci.collision_normal_valid


# --- edges

SQUARE = quad(0, (-1.0, -1.0, 1.0), (1.0, -1.0, 1.0), (1.0, 1.0, 1.0), (-1.0, 1.0, 1.0))


def at_the_precipice(x: float, known_ground: bool, rules: RuleSet) -> Transition:
    """A sphere at `x` that came from the middle of the square and remembers its contact plane."""
    tr = sweep(hall([SQUARE]), (0.0, 0.0, 1.0), (x, 0.0, 1.0), one_sphere(SMALL), rules)
    tr.sp.set_walkable(tr.sp.space0, SQUARE, UP, 1.0)
    if known_ground:
        tr.ci.init_last_known_contact_plane(CELL_ID, Plane(UP, -1.0), False)
    return tr


@BOTH_RULES
def test_c_tr_11_over_a_precipice_the_body_slides_back(rules: RuleSet) -> None:
    tr = at_the_precipice(1.2, False, rules)
    assert precipice_slide(tr) == SLID
    assert tr.sp.check.origin == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)


@BOTH_RULES
def test_c_tr_11b_tag_m_head_on_with_known_ground_nothing_to_slide_along(rules: RuleSet) -> None:
    tr = at_the_precipice(1.2, True, rules)
    before = tr.sp.check.origin
    assert precipice_slide(tr) == COLLIDED
    assert tr.sp.check.origin == before


@BOTH_RULES
def test_c_tr_12_where_no_edge_was_crossed_there_is_no_precipice(rules: RuleSet) -> None:
    assert precipice_slide(at_the_precipice(0.1, False, rules)) == COLLIDED


def on_the_square(rules: RuleSet, edge_slide: bool = True) -> Body:
    """A hair west of the centre: half the radius beyond the edge is exactly as far as a body stands (13.12)."""
    floor_far_below = floor(-20.0, 1)
    return body_in(
        hall([SQUARE, floor_far_below]),
        (-0.0005, 0.0, 1.0),
        ground=Plane(UP, -1.0),
        body=spheres(SMALL),
        edge_slide=edge_slide,
        rules=rules,
    )


@BOTH_RULES
def test_c_tr_13_tag_m_a_walker_stops_at_the_edge(rules: RuleSet) -> None:
    body = on_the_square(rules)
    push(body, 0.1, times=20)
    assert body.place.origin == pytest.approx((1.1, 0.0, 1.0), abs=1e-3)
    assert has(body, GROUNDED)


@BOTH_RULES
def test_c_tr_14_tag_m_an_oblique_walker_continues_along_the_edge(rules: RuleSet) -> None:
    body = on_the_square(rules)
    push(body, 0.1, 0.02, times=20)
    assert body.place.origin == pytest.approx((1.1, 0.4, 1.0), abs=1e-3)


@BOTH_RULES
def test_c_tr_15_tag_m_without_edge_slide_the_walker_falls_off(rules: RuleSet) -> None:
    body = on_the_square(rules, edge_slide=False)
    push(body, 0.1, times=20)
    assert body.place.origin[0] > 1.9
    assert not has(body, TS_CONTACT)


# --- stairs and ledges


def stairs(steps: int = 5, rise: float = 0.3, tread: float = 0.4) -> EnvCell:
    """Stairs up to the east from x = 0.5, with a landing behind them."""
    polygons = [level(0, -3.0, 0.5, 0.0)]
    for step in range(steps):
        x = 0.5 + tread * step
        end = x + tread if step < steps - 1 else x + 6.0
        polygons.append(riser(2 * step + 1, x, rise * step, rise * (step + 1)))
        polygons.append(level(2 * step + 2, x, end, rise * (step + 1)))
    return hall(polygons)


@BOTH_RULES
def test_c_tr_16_tag_m_stairs_are_climbed_with_the_setups_step_down(rules: RuleSet) -> None:
    body = body_in(stairs(), (-1.0, 0.0, 0.0), ground=GROUND, step_down=0.6, rules=rules)
    push(body, 0.1, times=60)
    assert body.place.origin[2] == pytest.approx(1.5, abs=1e-3)
    assert has(body, GROUNDED)


@BOTH_RULES
def test_c_tr_17_tag_m_with_a_tiny_step_down_the_first_lip_holds_the_body(rules: RuleSet) -> None:
    body = body_in(stairs(), (-1.0, 0.0, 0.0), ground=GROUND, rules=rules)
    push(body, 0.1, times=60)
    assert body.place.origin[2] <= 0.3 + 1e-3
    assert body.place.origin[0] < 0.5 + 0.48


def ledge(drop: float, step_down: float, rules: RuleSet) -> Body:
    """On a ledge that ends at x = 0, walking towards its edge."""
    polygons = [level(0, -5.0, 0.0, 0.0), level(1, -5.0, 8.0, -drop)]
    return body_in(hall(polygons), (-1.0, 0.0, 0.0), ground=GROUND, step_down=step_down, rules=rules)


@BOTH_RULES
@pytest.mark.parametrize("step_down", [0.6, 1.5])
@pytest.mark.parametrize("drop", [0.3, 0.5])
def test_c_tr_18_tag_m_a_walker_follows_a_low_ledge_down(drop: float, step_down: float, rules: RuleSet) -> None:
    body = ledge(drop, step_down, rules)
    push(body, 0.1, times=30)
    assert body.place.origin == pytest.approx((2.0, 0.0, -drop), abs=1e-3)
    assert has(body, GROUNDED)


@BOTH_RULES
@pytest.mark.parametrize(("drop", "step_down"), [(1.2, 0.6), (2.0, 0.6), (2.0, 1.5), (1.2, 1.5)])
def test_c_tr_19_tag_m_a_high_ledge_stops_the_walker_on_top(drop: float, step_down: float, rules: RuleSet) -> None:
    body = ledge(drop, step_down, rules)
    push(body, 0.1, times=30)
    assert body.place.origin == pytest.approx((0.2, 0.0, 0.0), abs=1e-3)
    assert has(body, GROUNDED)


# --- other cells, doors


@BOTH_RULES
@pytest.mark.parametrize(("stride", "times"), [(0.15, 10), (1.0, 1)])
def test_c_tr_20_the_wall_of_the_neighbouring_cell_stops_the_body(stride: float, times: int, rules: RuleSet) -> None:
    here, there = CELL_ID, CELL_ID + 1
    opening = quad(9, (0.2, -5.0, -5.0), (0.2, 5.0, -5.0), (0.2, 5.0, 5.0), (0.2, -5.0, 5.0))
    inside = box_tree((-9.0, -9.0, -9.0), (0.2, 9.0, 9.0))
    empty = hall([], portals=[CellPortal(0, 9, opening, there, 0)], stab=[there], tree=inside)
    inside = box_tree((-0.1, -9.0, -9.0), (5.0, 9.0, 9.0))
    next_door = hall([wall_facing_west(0.5)], Frame((0.3, 0.0, 0.0)), there, inside, stab=[here])
    body = body_in(empty, (0.0, 0.0, 1.0), graph=graph_of(empty, next_door), body=one_sphere(SMALL), rules=rules)
    push(body, stride, times=times)
    assert 0.1 < body.place.origin[0] <= 0.6 + 1e-3


@BOTH_RULES
def test_c_tr_21_two_metres_in_one_call_do_not_pass_a_closed_door(rules: RuleSet) -> None:
    cell = hall([floor(0.0, size=30.0)])
    graph = graph_of(cell)
    put(registry_in(graph, rules), door_setup(), cell.id, (12.0, 12.0, 0.0), state=DOOR_STATE)
    body = body_in(cell, (12.0, 11.0, 0.0), graph=graph, ground=GROUND, rules=rules)
    push(body, 0.0, 2.0)
    assert body.place.origin[1] < 12.0


# --- outer corners and long moves


@pytest.mark.parametrize(
    ("body", "step_down", "ends"),
    [
        pytest.param(spheres(SMALL), 0.6, (1.05, 1.05, 1.0), id="C-TR-22 tag M"),
        pytest.param(human(), 1.5, (1.15, 1.15, 1.005), id="C-TR-23 tag M"),
    ],
)
def test_a_corner_supports_a_body_within_half_its_radius(body: list[Sphere], step_down: float, ends: Vec3) -> None:
    walker = body_in(hall([SQUARE]), (0.5, 0.5, 1.0), ground=Plane(UP, -1.0), body=body, step_down=step_down)
    push(walker, 0.05, 0.05, times=14)
    assert walker.place.origin == pytest.approx(ends, abs=1e-3)
    push(walker, 0.05, 0.05, times=5)
    assert walker.place.origin == pytest.approx(ends, abs=1e-3)
    assert has(walker, GROUNDED)


def test_where_the_first_edge_decides_a_corner_supports_no_body() -> None:
    rules = RuleSet()
    rules.set_form("walkable_corner", "ace")
    walker = body_in(hall([SQUARE]), (0.5, 0.5, 1.0), ground=Plane(UP, -1.0), body=human(), step_down=1.5, rules=rules)
    push(walker, 0.05, 0.05, times=14)
    assert min(walker.place.origin[:2]) <= 1.0


def test_c_tr_25_one_call_covers_a_long_distance() -> None:
    body = body_in(hall([floor(0.0, size=50.0)]), (-10.0, 0.0, 0.0), ground=GROUND)
    assert push(body, 20.0)
    assert body.last_transition is not None
    assert body.last_transition.num_steps == 42
    assert body.place.origin == pytest.approx((10.0, 0.0, 0.0), abs=1e-3)


@pytest.mark.parametrize("distance", [1e5, 1e9, 1e30, 1e300])
def test_a_move_beyond_the_world_is_refused_at_once(distance: float) -> None:
    body = body_in(hall([floor(0.0, size=50.0)]), ZERO, ground=GROUND)
    assert not body.move_to(Place(CELL_ID, (distance, 0.0, 0.0), body.place.turn))
    assert body.place.origin == ZERO
