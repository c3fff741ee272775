"""Eyes in the plane of a portal, and a hair before and behind it (rendering.md 9)."""

from __future__ import annotations

import pytest

from engine.visibility.flood import Visibility
from engine.visibility.options import FloodOptions, retail
from engine.visibility.records import EXIT_OPEN, IN_PLANE, OPEN, WRONG_SIDE
from engine.visibility.view import full_screen
from engine.world.loader.portal_scene import BLOCK
from tests.visibility.cases.spec_cases import Scene, camera_at
from tests.visibility.helpers.screens import corners, same_outline
from tests.visibility.helpers.small_scenes import DOOR, SmallScene, eye_at, portal, two_rooms

WHOLE = [(0.0, 480.0), (640.0, 480.0), (640.0, 0.0), (0.0, 0.0)]

HORIZONS = [
    (0.0, 0.0, WHOLE),
    (45.0, 0.0, [(0.0, 480.0), (560.0, 480.0), (560.0, 0.0), (0.0, 0.0)]),
    (90.0, 0.0, [(0.0, 480.0), (320.0, 480.0), (320.0, 0.0), (0.0, 0.0)]),
    (135.0, 0.0, [(0.0, 480.0), (80.0, 480.0), (80.0, 0.0), (0.0, 0.0)]),
    (180.0, 0.0, []),
    (0.0, 70.0, [(0.0, 480.0), (640.0, 480.0), (640.0, 152.647), (0.0, 152.647)]),
]


@pytest.mark.parametrize("y", [10.0, 10.0001, 9.9999])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("heading", "pitch", "expected"), HORIZONS)
def test_an_eye_in_a_doorway_sees_the_next_room_up_to_the_horizon_of_its_plane(
    y: float, side: int, heading: float, pitch: float, expected: list[tuple[float, float]]
) -> None:
    scene = SmallScene(two_rooms(poly=DOOR if side == 0 else list(reversed(DOOR)), side=side))
    result = scene.flood("A", eye_at(5.0, y, 1.5, heading, pitch))
    if not expected:
        assert scene.draw(result) == ["A"]
        assert result.portals[0].status == IN_PLANE
        return
    assert scene.draw(result) == ["A", "B"]
    assert [same_outline(corners(view), expected) for view in result.cells[1].views] == [True]
    assert result.portals[0].status == OPEN


def test_the_client_sees_nothing_through_a_door_whose_plane_the_eye_is_in() -> None:
    scene = SmallScene(two_rooms())
    for y in (9.9999, 10.0, 10.0001):
        result = scene.flood("A", eye_at(5.0, y), retail())
        assert scene.draw(result) == ["A"]
        assert result.portals[0].status == IN_PLANE
    assert scene.flood("A", eye_at(5.0, 10.0003)).portals[0].status == WRONG_SIDE


def test_an_eye_more_than_1_cm_beside_the_opening_sees_nothing_through_it() -> None:
    scene = SmallScene(two_rooms())
    assert scene.draw(scene.flood("A", eye_at(9.0, 10.0, 1.5, 270.0))) == ["A"]
    assert scene.draw(scene.flood("A", eye_at(6.02, 10.0, 1.5))) == ["A"]
    assert scene.draw(scene.flood("A", eye_at(6.009, 10.0, 1.5))) == ["A", "B"]
    assert scene.draw(scene.flood("A", eye_at(5.0, 10.0, 3.009))) == ["A", "B"]


def test_both_polygons_of_an_opening_have_their_horizon() -> None:
    rooms = two_rooms(exact=0)
    rooms["B"]["portals"][0]["exact"] = 0
    scene = SmallScene(rooms)
    for root, heading in (("A", 45.0), ("B", 225.0)):
        result = scene.flood(root, eye_at(5.0, 10.0, 1.5, heading))
        assert same_outline(corners(result.cells[1].views[0]), HORIZONS[1][2])


def test_an_eye_in_the_frame_of_an_exit_sees_the_outdoors_on_the_far_side() -> None:
    rooms = {"A": {"stab": [], "portals": [portal(DOOR, "OUT")]}}
    for heading, pitch, expected in HORIZONS:
        result = SmallScene(rooms).flood("A", eye_at(5.0, 10.0, 1.5, heading, pitch))
        assert [same_outline(corners(view), expected) for view in result.outside] == ([True] if expected else [])
        assert result.portals[0].status == (EXIT_OPEN if expected else IN_PLANE)


def test_an_eye_leaves_the_cottage_through_its_door_as_in_the_reference() -> None:
    scene = Scene("cottage")
    visibility = Visibility(scene.world.graph)
    for heading, expected in [
        (180.0, WHOLE),
        (90.0, [(320.0, 480.0), (640.0, 480.0), (640.0, 0.0), (320.0, 0.0)]),
        (0.0, [(308.0, 258.0), (332.0, 258.0), (332.0, 222.0), (308.0, 222.0)]),
    ]:
        result = visibility.flood_interior(scene.id("A"), camera_at((5.0, 0.0, 1.5), heading))
        assert [same_outline(corners(view), expected) for view in result.outside] == [True]


def test_an_eye_in_a_buildings_opening_looks_in_but_not_one_beside_it() -> None:
    scene = Scene("cottage")
    building, names = scene.building()
    front = names.index("front")
    visibility = Visibility(scene.world.graph)
    camera = camera_at((5.0, 0.0, 1.5), 0.0)
    result = visibility.flood_building(building, BLOCK, front, camera, full_screen(camera))
    assert scene.draw(result) == ["A", "B"]
    assert result.punch is not None
    assert {point.z / point.w for point in result.punch.points} == {-1.0}
    beside = camera_at((9.0, 0.0, 1.5), 0.0)
    assert visibility.flood_building(building, BLOCK, front, beside, full_screen(beside)).rejected == IN_PLANE
    visibility.options = FloodOptions(robust=False)
    assert visibility.flood_building(building, BLOCK, front, camera, full_screen(camera)).rejected == IN_PLANE
