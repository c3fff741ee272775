"""Walls, furniture, stairs and thresholds of the demo world (physics.md 14, 16.2-16.4)."""

from __future__ import annotations

import math

import pytest

from engine.build.demo import SPOTS
from engine.geometry.vec import distance
from engine.physics.errors import PhysicsError
from engine.sim.edits.doors import UseDoor
from engine.sim.edits.entities import MoveEntity
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.tick.controls import Controls
from engine.world.cells.cell import EnvCell
from tests.sim.helpers.demo_walks import Demo, demo_simulation, in_space, push_towards, toward, walk_to
from tests.sim.helpers.small_worlds import FORWARD, feet, hold

pytestmark = pytest.mark.unwatched

TURN = Controls(turn=1.0)
FIRST_ROOM = 0x100


@pytest.fixture(scope="module")
def the_demo() -> Demo:
    return demo_simulation()


@pytest.fixture
def demo(the_demo: Demo) -> Demo:
    the_demo.begin()
    return the_demo


# --- furniture and walls


@pytest.mark.parametrize(
    ("spot", "middle"),
    [
        ("inn_common_room", (0.6, -0.6)),  # the counter
        ("inn_common_room", (-9.0, 0.0)),  # the fireplace
        ("inn_common_room", (-7.6, 1.4)),  # a chair
        ("inn_kitchen", (6.4, 1.2)),  # a table
        ("inn_kitchen", (9.0, 0.0)),  # the other fireplace
    ],
)
def test_furniture_blocks(demo: Demo, spot: str, middle: tuple[float, float]) -> None:
    sim = demo.at(spot)
    goal = in_space(demo.house("inn").frame, *middle)
    goal = (goal[0], goal[1], feet(sim)[2])
    reports = push_towards(sim, goal, 1.5 * distance(feet(sim), goal) / 3.12)
    assert any(report.blocked or report.slid for report in reports)
    assert all(distance(report.origin, goal) > 0.3 for report in reports)


@pytest.mark.parametrize("building", ["cottage", "inn"])
def test_outer_walls_block_from_outside(demo: Demo, building: str) -> None:
    demo.shut_all_doors()
    sim = demo.sim
    house = demo.house(building).frame
    tried = 0
    for angle in range(0, 360, 15):
        away = math.radians(angle)
        x, y, _ = in_space(house, 13.0 * math.sin(away), 13.0 * math.cos(away))
        try:
            sim.apply_edit(Teleport(0xC95BFFFF, x, y, demo.ground(x, y), 0.0))
        except PhysicsError:
            continue  # the other house stands there
        reports = push_towards(sim, house.origin, 4.0)
        tried += 1
        assert all(report.cell & 0xFFFF < FIRST_ROOM for report in reports)
        assert distance(feet(sim), house.origin) > 3.0
    assert tried > 20


@pytest.mark.parametrize(
    "spot", ["cottage_parlour", "cottage_kitchen", "bedroom", "cellar", "inn_common_room", "guest_room_2", "inn_cellar"]
)
def test_outer_walls_block_from_inside(demo: Demo, spot: str) -> None:
    demo.shut_all_doors()
    for heading in range(0, 360, 30):
        sim = demo.at(spot, float(heading))
        reports = hold(sim, 3.0, FORWARD)
        assert all(report.cell & 0xFFFF >= FIRST_ROOM for report in reports)


# --- up and down

WAYS = (
    ("stairs_foot", "upstairs"),
    ("ramp_foot", "ramp_top"),
    ("inn_stairs_foot", "inn_passage"),
    ("inn_cellar_stairs_foot", "inn_cellar_stairs_top"),
    ("lookout_foot", "ledge"),
)
"""The lower and the upper end of every straight flight and ramp."""


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize(("low", "high"), WAYS)
def test_stairs_and_ramps_can_be_walked_up_and_down(demo: Demo, low: str, high: str, up: bool) -> None:
    begin, end = (low, high) if up else (high, low)
    sim = demo.at(begin)
    reports = walk_to(sim, SPOTS[end].origin)
    assert distance(feet(sim), SPOTS[end].origin) < 0.2
    assert reports[-1].cell == demo.cell(end)
    assert all(report.on_walkable for report in reports)
    changes = [report.cell for report in reports if report.cell_changed]
    assert len(changes) == len(set(changes)), "no cell is entered twice on one walk"


def test_a_walk_from_the_cellar_to_the_street_and_back_crosses_its_cells(demo: Demo) -> None:
    sim = demo.at("cellar")
    sim.apply_edit(UseDoor(demo.door("Front Door").id, sim.player.id))
    cottage = demo.house("cottage").frame
    between = [in_space(cottage, x, 0.6) for x in (1.4, -0.8)]  # either side of the kitchen's doorway
    way = [
        (SPOTS["cellar"].origin, "cellar"),
        (SPOTS["ramp_foot"].origin, "ramp_foot"),
        (SPOTS["ramp_top"].origin, "ramp_top"),
        (SPOTS["cottage_inside_back_door"].origin, "cottage_kitchen"),
        (between[0], "cottage_kitchen"),
        (between[1], "cottage_parlour"),
        (SPOTS["cottage_inside_front_door"].origin, "cottage_inside_front_door"),
        (in_space(cottage, -1.6, -7.0, -0.1), "cottage_outside_front_door"),
    ]
    for goal, spot in (*way[1:], *way[-2::-1]):
        walk_to(sim, goal, 8.0)
        assert distance(feet(sim), goal) < 0.25, spot
        assert sim.graph.current_id == demo.cell(spot), spot


# --- the vestibule


def test_the_common_rooms_wall_blocks_a_body_still_in_the_vestibule(demo: Demo) -> None:
    vestibule, common = demo.cell("inn_beside_the_screen"), demo.cell("inn_common_room")
    sim = demo.at("inn_beside_the_screen")
    reports = hold(sim, 2.0, FORWARD)
    blocked = next(report for report in reports if report.blocked)
    assert blocked.cell == vestibule
    assert common in blocked.cell_array
    assert vestibule != common
    room = sim.graph.get_visible(vestibule)
    assert isinstance(room, EnvCell)
    foot = (feet(sim)[0], feet(sim)[1], feet(sim)[2] + sim.player.radius)
    assert room.point_in_cell(foot)
    assert all(report.cell == vestibule for report in reports)


# --- thresholds


def test_a_still_player_on_a_threshold_never_changes_his_cell(demo: Demo) -> None:
    sim = demo.sim
    tried = 0
    for block in sim.world.loaded_landblocks():
        for cell in block.env_cells:
            for portal in cell.portals:
                if portal.polygon is None or abs(portal.polygon.normal[2]) > 0.5:
                    continue
                points = [cell.frame.local_to_global(p) for p in portal.polygon.vertices]
                middle = [sum(p[axis] for p in points) / len(points) for axis in range(2)]
                try:
                    sim.apply_edit(Teleport(cell.id, middle[0], middle[1], min(p[2] for p in points), 0.0))
                except PhysicsError:
                    continue
                here = sim.graph.current_id
                assert {report.cell for report in hold(sim, 0.3, TURN)} == {here}
                tried += 1
    assert tried > 60


def test_a_rejected_step_over_a_threshold_does_not_change_the_cell(demo: Demo) -> None:
    """A leaf behind the vestibule's open side: every candidate is 6 cm beyond it, and every sub-step is rolled back."""
    sim = demo.at("inn_inside_front_door", 0.0)
    vestibule, common = sim.graph.current_id, demo.cell("inn_common_room")
    x, _, z = feet(sim)
    border = in_space(demo.house("inn").frame, -4.1, -5.2)[1]
    nearest = border - 0.04
    sim.apply_edit(MoveEntity(demo.door("Kitchen Door").id, common, x, nearest + sim.player.radius + 0.04, z, 0.0))
    sim.apply_edit(Teleport(vestibule, x, nearest - 5 * 0.104, z, 0.0))
    reports = hold(sim, 2.0, FORWARD)
    assert any(report.blocked for report in reports)
    for steer in (0.3, -0.3):
        reports += hold(sim, 1.0, Controls(forward=1.0, turn=steer))
    assert nearest - 0.11 < max(report.origin[1] for report in reports) < border
    assert {report.cell for report in reports} == {vestibule}


@pytest.mark.parametrize("push", [0.08, -0.08])
def test_a_push_of_8_cm_over_a_threshold_does_not_change_the_cell(demo: Demo, push: float) -> None:
    """A move without a sweep changes no membership: only an accepted sub-step does."""
    sim = demo.at("inn_inside_front_door", 0.0)
    border = in_space(demo.house("inn").frame, -4.1, -5.2)[1]
    cell_id = demo.cell("inn_inside_front_door") if push > 0.0 else demo.cell("inn_common_room")
    sim.apply_edit(Teleport(cell_id, feet(sim)[0], border - push / 2.0, feet(sim)[2], 0.0))
    assert sim.graph.current_id == cell_id
    place = sim.player.steered.place
    place.origin = (place.origin[0], place.origin[1] + push, place.origin[2])
    assert {report.cell for report in (*hold(sim, 0.5), *hold(sim, 0.5, TURN))} == {cell_id}
    sim.apply_edit(FacePlayer(toward(feet(sim), in_space(demo.house("inn").frame, -4.1, -5.2 + 10.0 * push))))
    hold(sim, 0.1, FORWARD)
    assert sim.graph.current_id != cell_id
