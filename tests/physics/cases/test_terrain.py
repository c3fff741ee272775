"""The ground under a body: cases C-TER-8 to C-TER-15 of physics.md 13.8, by id."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3, normalized, r24v
from engine.physics.body import Body
from engine.physics.flags import (
    ADJUSTED,
    COLLIDED,
    OI_CONTACT,
    OI_ON_WALKABLE,
    OK,
    TS_CONTACT,
    TS_ON_WALKABLE,
)
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.sweep.terrain_contact import validate_walkable
from engine.physics.sweep.transition import Transition
from engine.world.cells.portals import OUTSIDE, CellPortal
from tests.physics.bodies import BOTH_RULES, body_in, box_tree, hall, has, human, push
from tests.physics.small_world import floor, room, spheres, sweep
from tests.physics.things import flat_land, land_cells

LAND = 0xC95B0001
FLAT = Plane(UP, -50.0)


class Footing:
    """A sphere of 0.48 m with its centre at a given height, tested against the ground."""

    def __init__(
        self, centre_z: float, plane: Plane = FLAT, depth: float = 0.0, *, steep_ground: str = "retail", **flags: bool
    ) -> None:
        start = (0.0, 0.0, centre_z - 0.48)
        self.tr = sweep(room([floor(-200.0)]), start, start)
        if flags.get("grounded"):
            self.tr.oi.state |= OI_CONTACT | OI_ON_WALKABLE
        self.tr.rules.set_form("steep_ground", steep_ground)
        self.tr.sp.check_walkable = flags.get("check_walkable", False)
        self.state = validate_walkable(self.tr, self.tr.sp.global0.copy(), plane, False, depth, LAND)
        self.lift = self.tr.sp.check.origin[2] - start[2]


@pytest.mark.parametrize(
    ("centre_z", "depth", "state", "lift", "contact"),
    [
        pytest.param(50.48, 0.0, OK, 0.0, True, id="C-TER-8"),
        pytest.param(50.30, 0.0, ADJUSTED, 0.18, True, id="C-TER-9"),
        pytest.param(50.60, 0.0, OK, 0.0, False, id="C-TER-10"),
        pytest.param(50.38, 0.1, OK, 0.0, True, id="C-TER-11"),
    ],
)
def test_ground_supports_the_lowest_point_of_the_sphere(
    centre_z: float, depth: float, state: int, lift: float, contact: bool
) -> None:
    footing = Footing(centre_z, depth=depth)
    assert footing.state == state
    assert footing.lift == pytest.approx(lift, abs=1e-4)
    assert footing.tr.ci.contact_plane_valid == contact
    assert not contact or footing.tr.ci.contact_plane_cell_id == LAND


def test_c_ter_12_asked_for_support_the_ground_only_confirms_it() -> None:
    footing = Footing(50.30, check_walkable=True)
    assert footing.state == COLLIDED
    assert footing.lift == 0.0
    assert not footing.tr.ci.contact_plane_valid


def test_c_ter_13_ground_that_is_too_steep_does_not_lift_a_walker() -> None:
    steep = Plane(normalized((math.sqrt(0.75), 0.0, 0.5)), -0.5 * 50.0)
    for form, state in (("retail", OK), ("ace", ADJUSTED)):
        footing = Footing(50.30, steep, grounded=True, steep_ground=form)
        assert footing.state == state
        assert footing.lift == 0.0
        assert not footing.tr.ci.contact_plane_valid
        assert not footing.tr.ci.collision_normal_valid


def with_form(form: str) -> RuleSet:
    rules = RuleSet()
    rules.set_form("steep_ground", form)
    return rules


def hillside(rules: RuleSet, rise: int = 30) -> Body:
    """A human before a slope of N = (-.92848, 0, .37139) that begins at x = 24; it rises by `rise` over 24 m, in steps
    of 2 m."""
    heights = [rise * max(0, index // 9 - 1) for index in range(81)]
    graph = flat_land()
    for land in land_cells(0xC95B, heights):
        graph.add_cell(land)
    body = body_in(hall([]), ZERO, graph=graph, ground=Plane(UP, 0.0), body=human(), step_down=1.5, rules=rules)
    body.place = Place(LAND, (22.0, 4.0, 0.0), Frame())
    body.cell = graph.get_visible(LAND)
    body.contact_plane_cell_id = LAND
    return body


@pytest.mark.parametrize(("form", "along"), [("retail", 5.866), ("ace", 5.133)])
def test_c_ter_15_tag_m_a_walker_advances_along_the_foot_of_a_too_steep_hill(form: str, along: float) -> None:
    body = hillside(with_form(form))
    assert push(body, 0.11544, 0.06665, times=17)
    assert body.place.origin[:2] == pytest.approx((23.962, 5.133), abs=1e-3)
    assert push(body, 0.11544, 0.06665, times=23)
    assert body.place.origin == pytest.approx((23.962, along, 0.005), abs=1e-3)
    assert has(body, TS_CONTACT | TS_ON_WALKABLE)


def test_straight_up_a_too_steep_hill_the_walker_stands_still() -> None:
    for form, last_accepted in (("retail", False), ("ace", True)):
        body = hillside(with_form(form))
        push(body, 0.1333, times=17)
        assert push(body, 0.1333) == last_accepted
        push(body, 0.1333, times=22)
        assert body.place.origin == pytest.approx((24.0, 4.0, 0.005), abs=1e-3)
        assert has(body, TS_CONTACT | TS_ON_WALKABLE)


@settings(max_examples=60)
@given(st.floats(0.0, 360.0), st.floats(0.0, 75.0), st.floats(0.02, 0.4), st.integers(14, 36))
def test_no_walk_climbs_a_too_steep_hill(heading: float, wander: float, size: float, rise: int) -> None:
    """In any direction, at any pace, turning on the way: no body gets higher than its radius reaches at the foot."""
    body = hillside(RuleSet(), rise)
    body.place.origin = (23.5, 100.0, 0.005)
    body.place.cell_id = LAND + 4
    body.cell = body.graph.get_visible(LAND + 4)
    for tick in range(60):
        x, y, z = body.place.origin
        if not (1.0 < x < 47.0 and 72.0 < y < 120.0):
            break
        turn = math.radians(heading + wander * math.sin(float(tick)))
        push(body, size * math.cos(turn), size * math.sin(turn))
        assert body.place.origin[2] < 0.02, (x, y, z)
        assert has(body, TS_CONTACT | TS_ON_WALKABLE)


@BOTH_RULES
def test_c_ter_14_the_land_beside_the_candidates_cell_pushes_it_up(rules: RuleSet) -> None:
    """A body whose candidate has one land cell while its centre is sunk into the next one's ground."""
    graph = flat_land(0xC95B, z=50)
    here, there = graph.get_visible(LAND), graph.get_visible(LAND + 8)
    assert here is not None
    assert there is not None
    start, end = (23.9, 12.0, 50.0), (24.05, 12.0, 49.82)
    tr = Transition(graph, rules)
    tr.init_spheres(spheres(), 1.0)
    still = Frame()
    tr.init_path(here, Place(here.id, r24v(start), still), Place(here.id, r24v(end), still))
    tr.sp.set_check_pos(Place(here.id, r24v(end), still), here)
    assert tr.check_other_cells(here) == ADJUSTED
    assert tr.ci.contact_plane_cell_id == there.id
    assert tr.sp.check.origin[2] == pytest.approx(50.0, abs=1e-4)


@BOTH_RULES
def test_c_ter_14_the_land_before_a_rooms_door_pushes_it_up_too(rules: RuleSet) -> None:
    """The room's floor ends at its door; the terrain outside supports a body that straddles it."""
    graph = flat_land(0xC95B, z=50)
    opening = Polygon(9, [(12.0, 8.0, 50.0), (12.0, 16.0, 50.0), (12.0, 16.0, 53.0), (12.0, 8.0, 53.0)])
    portals = [CellPortal(0, 9, opening, OUTSIDE, -1)]
    cell = hall([], tree=box_tree((4.0, 8.0, 49.0), (12.0, 16.0, 53.0)), portals=portals, cell_id=0xC95B0100, flags=1)
    graph.add_cell(cell)
    body = body_in(cell, (11.9, 12.0, 50.05), graph=graph, rules=rules)
    body.move_to(Place(cell.id, (11.9, 12.0, 49.9), Frame()))
    assert body.place.origin[2] == pytest.approx(50.0, abs=1e-4)
    assert has(body, TS_CONTACT | TS_ON_WALKABLE)
    assert body.contact_plane_cell_id == LAND
    assert body.place.cell_id == cell.id


def test_a_steep_hill_stops_a_walker_and_a_slope_does_not() -> None:
    def advance(rise_per_vertex: int) -> float:
        heights = [rise_per_vertex * max(0, index // 9 - 1) for index in range(81)]
        graph = flat_land()
        for land in land_cells(0xC95B, heights):
            graph.add_cell(land)
        body = body_in(hall([]), ZERO, graph=graph, ground=Plane(UP, 0.0), step_down=1.5)
        place: Vec3 = (23.0, 12.0, 0.0)
        body.place = Place(LAND, place, Frame())
        body.cell = graph.get_visible(LAND)
        body.contact_plane_cell_id = LAND
        for _ in range(20):
            x, y, z = body.place.origin
            body.move_to(Place(body.place.cell_id, r24v((x + 0.1, y, z)), Frame()))
        return body.place.origin[0] - 23.0

    assert advance(8) > 1.5
    assert advance(30) < 1.1


def test_terrain_tests_a_spheres_lowest_point_not_its_nearest() -> None:
    slope = Plane(normalized((-0.5, 0.0, 1.0)), 0.0)
    nearest = Sphere((0.0, 0.0, 0.48 / slope.normal[2]), 0.48)
    assert slope.dist(nearest.center) == pytest.approx(0.48)
    footing = Footing(nearest.center[2], slope)
    assert footing.state == OK
    assert not footing.tr.ci.contact_plane_valid
