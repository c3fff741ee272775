"""A view into the demo world: root modes, loading, frozen frames (rendering.md 21.3)."""

from __future__ import annotations

import math

import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.render.viewer.inputs import STILL, ViewerInput
from engine.render.viewer.player_pose import NOWHERE, PlayerPose, between
from engine.render.viewer.viewer import View, Viewer
from engine.visibility.root import PINNED, PLAYER, VIEWER
from engine.world.loader import open_world
from engine.world.world import World
from tests.visibility.helpers.worlds import demo, eye_at

FRAME = 1.0 / 60.0


def pose_at(spot: str) -> PlayerPose:
    place = SPOTS[spot]
    return PlayerPose(place.cell_id, place.origin, place.heading)


def viewer_at(spot: str, world: World | None = None) -> Viewer:
    """A free camera over a spot, and a player who stands there."""
    viewer = Viewer(demo() if world is None else world, lambda: pose_at(spot))
    viewer.world.graph.get_visible(SPOTS[spot].cell_id)
    viewer.free.place(*eye_at(spot))
    return viewer


def test_first_person_roots_at_the_player_the_other_cameras_at_the_eye() -> None:
    viewer = viewer_at("cottage_parlour")
    viewer.free.place(*eye_at("bedroom"))
    assert viewer.frame(640, 480).root_id == SPOTS["bedroom"].cell_id
    for view in (View.CHASE, View.FIRST_PERSON):
        viewer.switch(view)
        viewer.update(FRAME, STILL)
        assert viewer.frame(640, 480).root_id == SPOTS["cottage_parlour"].cell_id
        assert viewer.choice is not None
        assert viewer.choice.mode == (PLAYER if view is View.FIRST_PERSON else VIEWER)
    viewer.root_mode = VIEWER
    assert viewer.frame(640, 480).root_id == viewer.rig.cell_id


def test_a_pinned_root_stays_wherever_the_eye_goes() -> None:
    viewer = viewer_at("cottage_parlour")
    viewer.pin(SPOTS["cellar"].cell_id)
    assert viewer.root_mode == PINNED
    assert viewer.frame(640, 480).root_id == SPOTS["cellar"].cell_id


def test_the_landscape_loads_before_the_first_frame_that_needs_it() -> None:
    world = open_world(str(ensure_demo()))
    viewer = viewer_at("cottage_parlour", world)
    viewer.frame(640, 480)
    assert len(world.graph.landblocks()) == 9
    assert viewer.manager.current is world.graph.peek(SPOTS["cottage_parlour"].cell_id)
    viewer.close()


def test_a_frozen_frame_stays_while_the_onlooker_flies_through_it() -> None:
    viewer = viewer_at("cottage_parlour")
    viewer.view = View.FIRST_PERSON
    viewer.update(FRAME, STILL)
    frame = viewer.freeze(640, 480)
    assert viewer.view is View.FREE
    start = viewer.rig.eye
    for _ in range(30):
        viewer.update(FRAME, ViewerInput(move=(0.0, 1.0, 0.0)))
    assert viewer.rig.eye != start
    assert viewer.frame(640, 480) is frame
    viewer.thaw()
    assert viewer.frame(640, 480) is not frame


def test_switching_to_the_free_camera_keeps_the_eye() -> None:
    viewer = viewer_at("inn_common_room")
    viewer.view = View.CHASE
    viewer.update(FRAME, STILL)
    eye, cell_id, heading = viewer.rig.eye, viewer.rig.cell_id, viewer.rig.heading
    viewer.switch(View.FREE)
    assert (viewer.rig.eye, viewer.rig.cell_id, viewer.rig.heading) == (eye, cell_id, heading)


def test_both_roots_of_one_eye_can_be_compared() -> None:
    viewer = viewer_at("cottage_parlour")
    viewer.free.place(*eye_at("bedroom"))
    found = viewer.compare(640, 480)
    assert found.player_id == SPOTS["cottage_parlour"].cell_id
    assert found.viewer_id == SPOTS["bedroom"].cell_id
    assert SPOTS["bedroom"].cell_id in found.only_viewer
    assert SPOTS["cottage_parlour"].cell_id in found.only_player


def test_without_a_player_following_cameras_report_why_they_show_nothing() -> None:
    viewer = Viewer(demo())
    viewer.view = View.CHASE
    viewer.update(FRAME, STILL)
    frame = viewer.frame(640, 480)
    assert frame.events == []
    assert frame.message.startswith("there is no viewer cell")


def test_a_player_between_two_cells_is_drawn_where_he_arrives() -> None:
    here = PlayerPose(0xC95B0001, (1.0, 2.0, 3.0), 350.0)
    there = PlayerPose(0xC95B0001, (2.0, 2.0, 3.0), 10.0)
    assert between(here, there, 0.5) == PlayerPose(0xC95B0001, (1.5, 2.0, 3.0), 0.0)
    elsewhere = PlayerPose(0xC95B0002, (2.0, 2.0, 3.0), 10.0)
    assert between(here, elsewhere, 0.5) is elsewhere
    assert NOWHERE.cell_id == 0


def test_the_viewers_own_clock_times_root_changes() -> None:
    viewer = viewer_at("cottage_parlour")
    for number in range(10):
        viewer.free.place(*eye_at("bedroom" if number % 2 else "cottage_parlour"))
        viewer.update(FRAME, STILL)
        viewer.frame(640, 480)
    assert viewer.watch.changes == 9
    for _ in range(70):
        viewer.update(FRAME, STILL)
    viewer.frame(640, 480)
    assert viewer.watch.changes == 0


def test_every_camera_has_the_clients_field_of_view_for_the_shape_of_each_frame() -> None:
    viewer = viewer_at("cottage_parlour")
    for view in View:
        viewer.switch(view)
        viewer.update(FRAME, STILL)
        for width, height, degrees in ((1280, 800, 60.0), (640, 480, 72.973)):
            camera = viewer.frame(width, height).camera
            seen = 2.0 * math.degrees(math.atan(height / 2.0 / camera.focal))
            assert seen == pytest.approx(degrees, abs=0.01), view
            assert math.degrees(viewer.rig.fov_y) == pytest.approx(degrees, abs=0.01)
