"""Camera sweeps: steps of one radius, no count of failures, pushed out of the ground along the path (physics.md 4.1,
5.4, 10.4)."""

from __future__ import annotations

import pytest

from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.quat import from_heading
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.body import Body
from engine.physics.flags import (
    ADJUSTED,
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    OI_IS_VIEWER,
    OK,
    REPORT_COLLISIONS,
)
from engine.physics.place import Place
from engine.physics.sweep.terrain_contact import validate_walkable
from engine.physics.sweep.trace import SweepObserver
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import EnvCell
from engine.world.graph.graph import CellGraph
from tests.physics.bodies import body_in, graph_of, hall
from tests.physics.small_world import wall_facing_west
from tests.physics.things import put, registry_in, setup

RADIUS = 0.3
PERSON = ENTITY_IS_CREATURE | ENTITY_HAS_WEENIE


class Steps(SweepObserver):
    """The requested sub-steps."""

    def __init__(self) -> None:
        self.lengths: list[float] = []

    def step_begins(self, tr: object, number: int, asked: Vec3) -> None:
        self.lengths.append(round(asked[0], 6))


def camera(cell: EnvCell | None = None, graph: CellGraph | None = None) -> Body:
    """In a hall with a wall at 3 m by default."""
    cell = hall([wall_facing_west(3.0)]) if cell is None else cell
    body = body_in(cell, (0.0, 0.0, 1.0), graph=graph, body=[Sphere(ZERO, RADIUS)])
    body.info_flags = OI_IS_VIEWER
    return body


def look_from(body: Body, x: float) -> Transition:
    tr = body.begin_transition(Place(body.place.cell_id, (x, 0.0, 1.0), body.place.turn))
    tr.find_valid_position()
    return tr


def test_a_camera_moves_in_steps_of_its_radius_and_a_shorter_last_one() -> None:
    body = camera()
    steps = Steps()
    body.observer = steps
    tr = look_from(body, 1.0)
    assert steps.lengths == [0.3, 0.3, 0.3, pytest.approx(0.1, abs=1e-6)]
    assert tr.found
    assert tr.sp.curr.origin[0] == pytest.approx(1.0, abs=1e-5)


def test_a_camera_that_does_not_move_makes_no_step_and_knows_its_cells() -> None:
    body = camera()
    tr = look_from(body, 0.0001)
    assert tr.found
    assert tr.num_steps == 0
    assert tr.ca.ids == [body.place.cell_id]


def test_a_wall_stops_a_camera_which_never_counts_as_stuck() -> None:
    body = camera()
    for _ in range(4):
        tr = look_from(body, 2.95)
        assert tr.sp.curr.origin[0] == pytest.approx(2.7, abs=RADIUS)
        assert tr.ci.frames_stationary_fall == 0


@pytest.mark.parametrize(("flags", "stops"), [(PERSON, False), (ENTITY_HAS_WEENIE, True)])
def test_a_camera_passes_through_creatures_but_not_things(flags: int, stops: bool) -> None:
    cell = hall([])
    graph = graph_of(cell)
    ball = setup(spheres=[Sphere((0.0, 0.0, 1.0), 0.5)])
    put(registry_in(graph), ball, cell.id, (1.5, 0.0, 0.0), state=REPORT_COLLISIONS, flags=flags)
    tr = look_from(camera(cell, graph), 1.5)
    assert (tr.sp.curr.origin[0] < 1.0) == stops


def test_a_freely_turning_body_has_turned_even_where_it_is_stopped() -> None:
    stopped = []
    for free in (True, False):
        body = camera()
        body.info_flags = 0
        body.free_heading = free
        end = Place(body.place.cell_id, (2.95, 0.0, 1.0), Frame(ZERO, from_heading(90.0)))
        body.place.origin = (2.72, 0.0, 1.0)
        assert body.move_to(end)
        assert body.place.origin[0] == pytest.approx(2.72, abs=1e-6)
        stopped.append(round(body.place.turn.heading(), 3))
    assert stopped == [90.0, 0.0]


# --- ground


def over_ground(begin_cell: int, height: float, before: Vec3 = (0.0, 0.0, 2.0)) -> tuple[int, Transition]:
    """The answer of level ground at 0 to a camera whose centre came from `before` to that height."""
    cell = hall([])
    tr = Transition(graph_of(cell), body_in(cell, ZERO).rules)
    tr.init_spheres([Sphere(ZERO, RADIUS)], 1.0)
    tr.oi.state |= OI_IS_VIEWER
    tr.init_path(cell, Place(begin_cell, before, Frame()), Place(begin_cell, (0.0, 0.0, height), Frame()))
    tr.sp.set_check_pos(Place(begin_cell, (0.0, 0.0, height), Frame()), cell)
    return validate_walkable(tr, tr.sp.global0, Plane(UP, 0.0), False, 0.0, begin_cell), tr


LAND, ROOM = 0xC95B0001, 0xC95B0100


@pytest.mark.parametrize("begin", [LAND, ROOM])
def test_a_camera_sunk_into_the_ground_goes_back_along_its_path(begin: int) -> None:
    state, tr = over_ground(begin, 0.1)
    assert state == ADJUSTED
    assert tr.sp.check.origin[2] == pytest.approx(RADIUS, abs=1e-6)
    assert tr.ci.collision_normal == UP
    assert tr.ci.collided_with_environment


@pytest.mark.parametrize("begin", [LAND, ROOM])
def test_a_camera_clear_of_the_ground_is_left_alone_wherever_it_began(begin: int) -> None:
    """A metre above it and sinking by a tenth (physics.md #28)."""
    state, tr = over_ground(begin, 1.0, (0.0, 0.0, 1.1))
    assert state == OK
    assert tr.sp.check.origin[2] == 1.0
    assert not tr.ci.collision_normal_valid


def test_ground_ignores_a_camera_from_a_room_that_was_already_below_it() -> None:
    assert over_ground(ROOM, -2.0, (0.0, 0.0, -1.0))[0] == OK


def test_a_camera_moving_along_the_ground_is_left_alone() -> None:
    assert over_ground(LAND, 0.1, (1.0, 0.0, 0.1))[0] == OK
