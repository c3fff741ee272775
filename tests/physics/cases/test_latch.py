"""Membership changes only with accepted sub-steps: cases C-LATCH-1 to C-LATCH-4 of physics.md 13.6, by id."""

from __future__ import annotations

import logging

import pytest

from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.vec import UP, Vec3
from engine.physics.body import Body
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.sim.probes import INDOOR_BSP, probe_observer
from engine.world.cells.portals import OUTSIDE, CellPortal
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, box_tree, graph_of, hall, one_sphere, push
from tests.physics.small_world import floor, quad, wall_facing_west
from tests.physics.things import flat_land

A = 0xA9B40170
B = 0xA9B40171
LAND = 0xA9B40001
STREET = Plane(UP, 0.0)


def doorway_between(rules: RuleSet, wall_at: float = 0.5, room_a: int = A, room_b: int = B) -> Body:
    """Room A west of x = 0, room B with a wall east of it; a body in A, whose floor continues under B."""
    opening = quad(9, (0.0, -5.0, -5.0), (0.0, 5.0, -5.0), (0.0, 5.0, 5.0), (0.0, -5.0, 5.0))
    here = hall(
        [floor(0.0)],
        cell_id=room_a,
        tree=box_tree((-5.0, -5.0, -5.0), (0.0, 5.0, 5.0)),
        portals=[CellPortal(0, 9, opening, room_b, 0)],
        stab=[room_b],
    )
    there = hall(
        [floor(0.0), wall_facing_west(wall_at, 1)],
        cell_id=room_b,
        tree=box_tree((0.0, -5.0, -5.0), (5.0, 5.0, 5.0)),
        portals=[CellPortal(2, 9, opening, room_a, 0)],
        stab=[room_a],
    )
    return body_in(here, (-0.02, 0.0, 0.0), graph=graph_of(here, there), ground=GROUND, step_down=1.5, rules=rules)


@BOTH_RULES
def test_c_latch_1_a_blocked_step_over_the_portal_does_not_change_the_cell(rules: RuleSet) -> None:
    body = doorway_between(rules)
    push(body, 0.08)
    assert body.place.cell_id == A
    assert body.cell is not None
    assert body.cell.id == A
    assert body.place.origin[0] == pytest.approx(-0.02, abs=1e-3)


@BOTH_RULES
def test_c_latch_1_an_accepted_step_over_the_portal_changes_the_cell(rules: RuleSet) -> None:
    body = doorway_between(rules, wall_at=2.0)
    push(body, 0.08)
    assert body.place.cell_id == B


def house_door(rules: RuleSet, x: float) -> Body:
    """Room A with an exit portal at x = 12, its east end, onto a street at z = 0. The room has only a floor."""
    graph = flat_land(0xA9B4)
    opening = quad(9, (12.0, 8.0, -1.0), (12.0, 16.0, -1.0), (12.0, 16.0, 3.0), (12.0, 8.0, 3.0))
    inside = box_tree((12.0, 8.0, -1.0), (20.0, 16.0, 3.0))
    portals = [CellPortal(2, 9, opening, OUTSIDE, -1)]
    cell = hall([floor(0.0, size=30.0)], cell_id=A, tree=inside, portals=portals, flags=1)
    graph.add_cell(cell)
    return body_in(cell, (x, 12.0, 0.0), graph=graph, ground=STREET, step_down=1.5, rules=rules)


@BOTH_RULES
@pytest.mark.parametrize("x", [12.0, 12.0001, 12.05, 12.3])
def test_c_latch_2_standing_still_in_a_doorway_never_alternates(x: float, rules: RuleSet) -> None:
    """The body stays, trembles within the tolerance, and drifts less than 0.1 m out of the door."""
    body = house_door(rules, x)
    drifts: list[Vec3] = [(0.0, 0.0, 0.0)] * 5
    drifts += [(0.0001, 0.0, 0.0), (-0.0001, 0.0, 0.0)] * 10
    drifts += [(-0.003, 0.0001, 0.0)] * 30
    cells = [body.place.cell_id]
    for dx, dy, dz in drifts:
        push(body, dx, dy, dz)
        if body.place.cell_id != cells[-1]:
            cells.append(body.place.cell_id)
    assert cells in ([A], [A, LAND])


@BOTH_RULES
def test_c_latch_3_walking_out_of_an_exit_leads_to_the_land_cell_there(rules: RuleSet) -> None:
    body = house_door(rules, 12.3)
    cells = []
    for _ in range(10):
        push(body, -0.1)
        cells.append(body.place.cell_id)
    assert body.place.cell_id == LAND
    assert cells == sorted(cells, reverse=True), "it came back"
    assert body.place.origin == pytest.approx((11.3, 12.0, 0.0), abs=1e-3)


@BOTH_RULES
def test_c_latch_3_holds_for_a_sweep_that_began_without_a_land_cell(rules: RuleSet) -> None:
    """One step from well inside to well outside: when the centre has left the room, the array holds no land cell."""
    body = house_door(rules, 14.0)
    body.spheres = one_sphere(0.48)
    body.move_to(Place(A, (10.0, 12.0, 0.0), Frame()))
    assert body.place.cell_id == LAND
    assert body.place.origin[0] == pytest.approx(10.0, abs=1e-3)


@BOTH_RULES
def test_c_latch_4_the_next_rooms_wall_stops_a_body_still_in_the_vestibule(
    rules: RuleSet, caplog: pytest.LogCaptureFixture
) -> None:
    vestibule, next_room = 0xA9B40164, 0xA9B40157
    body = doorway_between(rules, wall_at=0.4, room_a=vestibule, room_b=next_room)
    body.place.origin = (-0.2, 0.0, 0.0)
    caplog.set_level(logging.INFO, INDOOR_BSP.name)
    body.observer = probe_observer()
    normals = []
    for _ in range(5):
        push(body, 0.06)
        assert body.last_transition is not None
        ci = body.last_transition.ci
        normals += [ci.collision_normal] if ci.collision_normal_valid else []
    assert body.place.cell_id == vestibule
    assert body.place.origin[0] <= 0.4 - 0.48 + 1e-3
    assert normals == [(-1.0, 0.0, 0.0)]
    assert "[other-cells] primary=0xA9B40164 iter=0xA9B40157 result=Collided" in caplog.messages
