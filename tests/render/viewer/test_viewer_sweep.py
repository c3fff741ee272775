"""The camera's collision (rendering.md 21.2; physics.md 10.4 for the ground)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.build.demo import SPOTS
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add, distance, sub
from engine.physics.rules import RuleSet, rule_set
from engine.render.viewer.player_pose import PIVOT_HEIGHT
from engine.render.viewer.rig import turned
from engine.render.viewer.viewer_sweep import _VIEWER, VIEWER_RADIUS, Landing, SweptEye, ViewerSweep
from engine.world.cells.ids import is_env_cell
from engine.world.cells.landdefs import block_offset
from tests.physics.bodies import graph_of, hall
from tests.physics.small_world import wall_facing_west
from tests.physics.things import put, registry_in, setup
from tests.visibility.helpers.worlds import VILLAGE, demo, eye_at

UPSTAIRS_AND_DOWN = sorted(SPOTS)


def swept(spot: str, offset: Vec3) -> tuple[SweptEye, Vec3]:
    """From the pivot of a player on a spot to an offset in landblock axes; the eye is in the spot's landblock too."""
    cell_id, pivot = eye_at(spot, PIVOT_HEIGHT)
    result = ViewerSweep(demo().graph, RuleSet()).sweep(cell_id, pivot, add(pivot, offset))
    return result, add(result.eye, block_offset(cell_id, result.cell_id))


@pytest.mark.parametrize("rise", [-1.0, -0.5, 0.0, 0.75, 5.0])
@pytest.mark.parametrize("heading", [0.0, 90.0, 180.0, 270.0])
def test_on_open_ground_the_eye_reaches_its_wanted_position(rise: float, heading: float) -> None:
    offset = add(turned((0.0, -2.5, 0.0), heading), (0.0, 0.0, rise))
    result, eye = swept("street", offset)
    assert result.landing is Landing.SWEPT
    assert sub(eye, eye_at("street", PIVOT_HEIGHT)[1]) == pytest.approx(offset, abs=1e-4)


def test_the_ground_stops_the_eye_where_the_sphere_touches_it() -> None:
    spot = "market"
    _, eye = swept(spot, (0.3, 0.0, -4.0))
    ground = demo().landblock(VILLAGE)
    assert ground is not None
    assert ground.terrain is not None
    triangle = ground.terrain.polygon_under(eye[0], eye[1])
    assert triangle is not None
    assert triangle.plane.dist(eye) == pytest.approx(VIEWER_RADIUS, abs=1e-3)


def test_in_a_cellar_the_ground_above_does_not_stop_the_eye() -> None:
    cell_id, pivot = eye_at("cellar", PIVOT_HEIGHT)
    result, eye = swept("cellar", (0.5, 0.5, 0.2))
    assert (result.cell_id, result.landing) == (cell_id, Landing.SWEPT)
    assert distance(eye, pivot) == pytest.approx(math.sqrt(0.54), abs=1e-3)


@settings(max_examples=80)
@given(st.sampled_from(UPSTAIRS_AND_DOWN), st.floats(0.0, 360.0), st.floats(0.0, 12.0), st.floats(-0.6, 0.6))
def test_the_eye_always_ends_on_its_path_and_in_its_cell(
    spot: str, heading: float, length: float, slope: float
) -> None:
    offset = add(turned((0.0, length, 0.0), heading), (0.0, 0.0, length * slope))
    result, eye = swept(spot, offset)
    cell = demo().graph.peek(result.cell_id)
    assert cell is not None
    assert cell.point_in_cell(result.eye)
    assert result.landing is Landing.SWEPT
    _, pivot = eye_at(spot, PIVOT_HEIGHT)
    whole = distance(offset, (0.0, 0.0, 0.0))
    assert distance(pivot, eye) <= whole + 1e-3
    assert distance(pivot, eye) + distance(eye, add(pivot, offset)) == pytest.approx(whole, abs=2e-3)


def test_the_eye_passes_open_doorways_with_its_cell() -> None:
    """From the cottage's vestibule back into the parlour, as with a player who looks out of the front door."""
    cell_id, _ = eye_at("cottage_inside_front_door")
    heading = SPOTS["cottage_inside_front_door"].heading
    result, _ = swept("cottage_inside_front_door", turned((0.0, -2.5, 0.75), heading))
    assert is_env_cell(result.cell_id)
    assert result.cell_id != cell_id


def test_a_player_in_no_cell_gets_an_eye_by_search_unless_off_the_map() -> None:
    sweep = ViewerSweep(demo().graph, RuleSet())
    parlour, eye = eye_at("cottage_parlour")
    missing = VILLAGE & 0xFFFF0000 | 0xFF00
    lost = sweep.sweep(missing, eye, add(eye, (0.1, 0.0, 0.0)))
    assert (lost.landing, lost.cell_id, lost.eye) == (Landing.LOST, 0, eye)
    assert (sweep.sweeps, sweep.adjusted, sweep.lost) == (1, 1, 1)
    found = sweep.sweep(parlour, eye, add(eye, (0.1, 0.0, 0.0)))
    assert (found.landing, found.cell_id) == (Landing.SWEPT, parlour)


def test_the_camera_ignores_its_player_and_what_he_passes_through() -> None:
    """A ball that is not a creature hangs in the way: it stops every camera except its own, unless it is ethereal."""
    cell = hall([])
    graph = graph_of(cell)
    ball = put(registry_in(graph), setup(spheres=[Sphere((0.0, 0.0, 1.5), 0.5)]), cell.id, (1.5, 0.0, 0.0))
    sweep, pivot, goal = ViewerSweep(graph, RuleSet()), (0.0, 0.0, 1.5), (1.5, 0.0, 1.5)

    def reaches(player_id: int, ethereal: bool) -> float:
        return sweep.sweep(cell.id, pivot, goal, player_id, ethereal).eye[0]

    assert reaches(0x50000001, False) == pytest.approx(1.5 - 0.5 - VIEWER_RADIUS, abs=1e-3)
    assert reaches(ball.object_id, False) == pytest.approx(1.5)
    assert reaches(0x50000001, True) == pytest.approx(1.5)


def test_the_camera_stops_where_its_sphere_of_thirty_centimetres_touches() -> None:
    """With PERFECT_CLIP, not a whole sub-step before the wall, wherever that falls (physics.md #29)."""
    for x in (0.71, 0.9, 1.13):
        cell = hall([wall_facing_west(x)])
        swept = ViewerSweep(graph_of(cell), RuleSet()).sweep(cell.id, (0.0, 0.0, 1.5), (4.0, 0.0, 1.5))
        assert swept.eye == pytest.approx((x - 0.3, 0.0, 1.5), abs=0.01)
    assert _VIEWER == 0x5C


def test_either_rule_set_allows_a_camera_beyond_thirty_of_its_steps() -> None:
    cell = hall([])
    for rules in (rule_set("retail"), rule_set("ace")):
        swept = ViewerSweep(graph_of(cell), rules).sweep(cell.id, (0.0, 0.0, 1.5), (14.0, 0.0, 1.5))
        assert swept.landing is Landing.SWEPT
        assert swept.eye == pytest.approx((14.0, 0.0, 1.5), abs=1e-3)
