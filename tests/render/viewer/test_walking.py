"""Walking through a house with the cameras that follow (rendering.md 21.2 to 21.4, 24.8 test 6, 24.9)."""

from __future__ import annotations

import pytest

from engine.build import WorldBuilder, rect
from engine.geometry.vec import Vec3, add
from engine.physics.flags import ETHEREAL
from engine.render.viewer.following import FADE_ENDS, IN_HEAD
from engine.render.viewer.inputs import ViewerInput
from engine.render.viewer.viewer import View
from engine.render.viewer.viewer_sweep import VIEWER_RADIUS
from engine.sim.edits.doors import OpenDoor
from engine.visibility.root import PLAYER, VIEWER
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell
from engine.world.cells.landdefs import block_offset
from engine.world.world import World
from tests.render.viewer.walks import FORWARD, Seen, Walk, runs
from tests.visibility.helpers.frames import assert_rules
from tests.visibility.helpers.worlds import VILLAGE, load_all, two_room_house

FRONT, BACK, DOORWAY, PORCH, BACK_PORCH = (0xC95B0000 | low for low in (0x100, 0x101, 0x102, 0x103, 0x104))
ROOMS = {FRONT, BACK, DOORWAY, PORCH, BACK_PORCH}
HEADING = 30.0
_ZOOMED_OUT = ViewerInput(dolly=-2.0)
THROUGH = 230
"""Ticks from the street through the whole house."""


def house() -> World:
    builder = WorldBuilder()
    two_room_house(builder, HEADING)
    return load_all(builder.build().load())


def before_the_house(view: View, root_mode: str | None) -> Walk:
    """The player on the street, facing the front door."""
    world = house()
    walk = Walk(world)
    walk.viewer.view = view
    walk.viewer.root_mode = root_mode
    block = world.landblock(VILLAGE)
    assert block is not None
    x, y, z = block.buildings[0].frame.local_to_global((0.0, -9.0, 0.0))
    walk.stand(VILLAGE, (x, y, z), HEADING)
    return walk


def walked(view: View, root_mode: str | None = None) -> tuple[Walk, list[Seen]]:
    walk = before_the_house(view, root_mode)
    seen = list(walk.frames(THROUGH))
    assert {is_env_cell(seen[0].pose.cell_id), is_env_cell(seen[-1].pose.cell_id)} == {False}
    assert set(runs([one.pose.cell_id for one in seen])) >= ROOMS
    return walk, seen


@pytest.mark.parametrize(("view", "mode"), [(View.FIRST_PERSON, None), (View.CHASE, PLAYER)])
def test_in_every_frame_the_root_is_the_cell_that_physics_latched(view: View, mode: str | None) -> None:
    walk = before_the_house(view, mode)
    for seen in walk.frames(THROUGH):
        assert seen.frame.root_id == walk.sim.graph.current_id
        assert walk.viewer.choice is not None
        assert (walk.viewer.choice.source, walk.viewer.choice.message) == (PLAYER, "")


@pytest.mark.parametrize("view", [View.FIRST_PERSON, View.CHASE])
def test_the_viewer_root_is_the_cell_of_the_cameras_sweep_and_contains_the_eye(view: View) -> None:
    walk, seen = walked(view, VIEWER)
    for one in seen:
        assert one.frame.root_id == one.viewer_id
        cell = walk.sim.graph.peek(one.viewer_id)
        assert cell is not None
        assert cell.point_in_cell(one.eye)


@pytest.mark.parametrize("view", [View.FIRST_PERSON, View.CHASE])
@pytest.mark.parametrize("root_mode", [PLAYER, VIEWER])
def test_a_walk_never_searches_for_the_cell_of_a_point(view: View, root_mode: str) -> None:
    walk, _ = walked(view, root_mode)
    assert walk.searches() == 0


@pytest.mark.parametrize("view", [View.FIRST_PERSON, View.CHASE])
@pytest.mark.parametrize("root_mode", [PLAYER, VIEWER])
def test_the_root_passes_through_the_house_cell_by_cell_and_never_back(view: View, root_mode: str) -> None:
    _, seen = walked(view, root_mode)
    roots = runs([one.frame.root_id for one in seen])
    first = roots.index(PORCH)
    assert roots[first : first + 5] == [PORCH, FRONT, DOORWAY, BACK, BACK_PORCH]
    assert not any(is_env_cell(root) for root in roots[:first] + roots[first + 5 :])


@pytest.mark.parametrize(
    ("view", "root_mode"), [(View.FIRST_PERSON, None), (View.FIRST_PERSON, VIEWER), (View.CHASE, None)]
)
def test_walking_through_thresholds_never_flashes(view: View, root_mode: str | None) -> None:
    """No room disappears for a while and comes back; the eye's own room is always drawn."""
    walk, seen = walked(view, root_mode)
    for room in sorted(ROOMS):
        drawn = [room in one.frame.visible_ids() for one in seen]
        assert len(runs([int(is_drawn) for is_drawn in drawn])) <= 3, (hex(room), drawn)
    landscape = [bool(one.frame.landscape_views) for one in seen]
    assert all(landscape), "the back door is straight ahead all the way"
    for one in seen:
        assert_rules(one.frame)
        home = _room_around(walk, one)
        assert home is None or home in one.frame.visible_ids()


def _room_around(walk: Walk, one: Seen) -> int | None:
    """The eye's room, found the slow way."""
    eye = add(one.eye, block_offset(VILLAGE, one.frame.camera.block_id))
    rooms = [walk.sim.graph.peek(room) for room in sorted(ROOMS)]
    found = [room.id for room in rooms if isinstance(room, EnvCell) and room.point_in_cell(eye)]
    return found[0] if len(found) == 1 else None


def test_a_chase_rooted_at_the_player_loses_the_eyes_room() -> None:
    """What 21.3 says about a player root, and why retail's choice is one click away."""
    walk, seen = walked(View.CHASE, PLAYER)
    lost = [one for one in seen if _room_around(walk, one) not in (None, *one.frame.visible_ids())]
    assert lost
    assert all(one.viewer_id != one.pose.cell_id for one in lost)


def test_in_first_person_the_eye_stays_in_the_players_room_and_moves_evenly() -> None:
    walk = before_the_house(View.FIRST_PERSON, None)
    held = 0
    reach_before = IN_HEAD[1]
    for one in walk.frames(THROUGH):
        cell = walk.sim.graph.peek(one.pose.cell_id)
        assert cell is not None
        if isinstance(cell, EnvCell):
            assert cell.point_in_cell(one.eye)
        eye = add(one.eye, block_offset(one.pose.cell_id, one.frame.camera.block_id))
        reach = sum((a - b) ** 2 for a, b in zip(eye, one.pose.pivot, strict=True)) ** 0.5
        assert reach <= IN_HEAD[1] + 1e-4
        assert abs(reach - reach_before) < 0.1, "no frame jumps"
        held += reach < IN_HEAD[1] - 0.02
        reach_before = reach
    assert held > 0
    assert walk.viewer.rig.player_alpha == 0.0


def test_standing_still_in_first_person_both_roots_are_equal() -> None:
    walk = before_the_house(View.FIRST_PERSON, VIEWER)
    for _ in walk.frames(70):
        pass
    *_, last = walk.frames(20, type(FORWARD)())
    assert last.viewer_id == last.pose.cell_id


@pytest.mark.parametrize("turn", [0.0, 45.0, 90.0, 135.0, 180.0, 250.0, 310.0])
def test_a_camera_behind_a_doorway_keeps_its_radius_from_walls(turn: float) -> None:
    walk = before_the_house(View.CHASE, VIEWER)
    block = walk.sim.world.landblock(VILLAGE)
    assert block is not None
    frame = block.buildings[0].frame
    for y in (-5.4, -5.3, -5.2, -5.1, -5.0, -0.1, 0.0, 0.1):
        feet = frame.local_to_global((0.0, y, 0.0))
        walk.stand(FRONT, feet, (HEADING + turn) % 360.0)
        walk.viewer.chase.settle()
        walk.viewer.update(0.02, _ZOOMED_OUT)
        eye, cell_id = walk.viewer.rig.eye, walk.viewer.rig.cell_id
        cell = walk.sim.graph.peek(cell_id)
        assert cell is not None
        assert cell.point_in_cell(eye)
        assert _clearance(frame.global_to_local(add(eye, block_offset(VILLAGE, cell_id)))) > VIEWER_RADIUS - 0.002


def _clearance(p: Vec3) -> float:
    """The distance of a point from the house's inner walls along its axes, where it is beside one."""
    x, y, z = p
    gaps = [10.0]
    inside_walls = abs(x) < 2.6 and (-5.1 < y < -0.1 or 0.1 < y < 5.1)
    if inside_walls:
        gaps += [2.6 - abs(x), 2.6 - z, z]
    if abs(x) < 3.0 and abs(y) < 5.5 and not inside_walls:
        gaps += [0.5 - abs(x)]
    return min(gaps)


def test_the_player_fades_when_the_camera_is_too_close() -> None:
    walk = before_the_house(View.CHASE, VIEWER)
    assert walk.viewer.rig.player_alpha == 1.0
    block = walk.sim.world.landblock(VILLAGE)
    assert block is not None
    back_to_the_wall = block.buildings[0].frame.local_to_global((2.1, -2.6, 0.0))
    walk.stand(FRONT, back_to_the_wall, (HEADING + 270.0) % 360.0)
    assert walk.viewer.rig.player_alpha < 1.0
    assert FADE_ENDS < 0.3


def test_doors_stop_the_camera_like_walls_and_opened_ones_do_not() -> None:
    builder = WorldBuilder()
    hall = builder.room("hall", rect(0, 0, 6, 4))
    study = builder.room("study", rect(6.2, 0, 4, 4))
    builder.door(hall, study, width=1.3, name="door")
    walk = Walk(builder.build().load())
    walk.viewer.view = View.CHASE
    walk.stand(0x00070101, (6.9, 2.0, 0.0), 90.0)
    shut = walk.viewer.rig.eye[0]
    assert shut > 6.1
    door = walk.sim.population.doors[0]
    walk.sim.apply_edit(OpenDoor(door.id))
    while not walk.sim.population.state_of(door.id) & ETHEREAL:
        walk.sim.tick()
    walk.viewer.chase.settle()
    walk.viewer.update(0.02, ViewerInput())
    assert walk.viewer.rig.eye[0] < 5.0
