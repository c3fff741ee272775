"""Frames of the demo world and of random houses keep the rules of every frame (rendering.md 24.7, 24.8)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.build.demo import SPOTS
from engine.geometry.vec import Vec3
from engine.visibility.camera import Camera, focal_of_fov, looking
from engine.visibility.events import FrameEvent, Land, Punch, Shell, Sky
from engine.visibility.frame import FrameDriver
from engine.visibility.landscape import viewpoint_of
from engine.world.cells.ids import is_env_cell
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.world import World
from tests.visibility.helpers.frames import EXACT, assert_rules, driver_of, rooms_drawn, rooms_of
from tests.visibility.helpers.worlds import DUNGEON, VILLAGE, demo, eye_at, load_all

HEADINGS = [22.5 * step for step in range(16)]


@cache
def demo_driver() -> FrameDriver:
    return driver_of(demo())


def camera_in(cell_id: int, eye: Vec3, heading: float, pitch: float = 0.0) -> Camera:
    return looking(cell_id, eye, heading, pitch, 640.0, 480.0, 240.0)


@pytest.mark.parametrize("spot", sorted(SPOTS))
def test_frames_at_every_spot_of_the_demo_world_keep_the_rules(spot: str) -> None:
    cell_id, eye = eye_at(spot)
    for heading in HEADINGS[::4]:
        for options in (None, EXACT):
            frame = demo_driver().frame_events(camera_in(cell_id, eye, heading, -5.0), cell_id, options)
            assert_rules(frame)
            assert frame.events
            assert not [guard for flood in frame.floods() for guard in flood.guards]


def test_a_dungeon_never_draws_the_landscape() -> None:
    """From every room of the dungeon, in sixteen directions."""
    for room in rooms_of(demo(), DUNGEON):
        assert not room.seen_outside
        bounds = [room.frame.local_to_global(vertex) for vertex in room.structure.vertices]
        x, y, z = (sum(point[axis] for point in bounds) / len(bounds) for axis in range(3))
        for heading in HEADINGS:
            frame = demo_driver().frame_events(camera_in(room.id, (x, y, z), heading), room.id)
            assert frame.flood is not None
            assert frame.flood.outside == []
            assert not any(isinstance(event, Sky | Land | Punch) for event in frame.events)


def test_the_cottages_door_shows_the_landscape_and_its_bedroom_does_not() -> None:
    cell_id, eye = eye_at("cottage_inside_front_door")
    out = demo_driver().frame_events(camera_in(cell_id, eye, SPOTS["cottage_inside_front_door"].heading), cell_id)
    assert out.landscape_views
    assert sum(len(event.cells) for event in out.events if isinstance(event, Land)) > 0
    inwards = (SPOTS["cottage_inside_front_door"].heading + 180.0) % 360.0
    frame = demo_driver().frame_events(camera_in(cell_id, eye, inwards, 60.0), cell_id)
    assert frame.landscape_views == []


def test_from_the_street_the_inns_openings_show_its_rooms() -> None:
    cell_id, eye = eye_at("inn_outside_front_door")
    frame = demo_driver().frame_events(camera_in(cell_id, eye, SPOTS["inn_outside_front_door"].heading), cell_id)
    seen = {event.visible.cell_id for event in frame.events if isinstance(event, Shell)}
    assert SPOTS["inn_inside_front_door"].cell_id in seen
    assert all(is_env_cell(cell_id) for cell_id in seen)


def test_one_house_sees_the_rooms_of_another_within_the_openings_views() -> None:
    cell_id, eye = eye_at("crossing")
    frame = demo_driver().frame_events(camera_in(cell_id, eye, 0.0), cell_id)
    assert_rules(frame)
    inn = {visible.cell_id for flood in frame.look_ins for visible in flood.cells}
    assert SPOTS["inn_common_room"].cell_id in inn
    assert cell_id not in inn
    assert cell_id in rooms_drawn(frame)
    for flood in frame.look_ins:
        outside = frame.landscape_views[flood.view_index]
        assert all(outside.contains_view(view, 1.0) for visible in flood.cells for view in visible.views)


def test_a_frame_reports_slivers_between_the_visible_pieces_of_an_exit() -> None:
    """Through the wedges of the crossing, which form one round room, the eye sees its far door in seven pieces."""
    eye = (109.0, 77.55987548828125, 21.600000381469727)
    camera = looking(VILLAGE, eye, 0.0, 0.0, 320.0, 200.0, focal_of_fov(200.0, 1.178))
    frame = demo_driver().frame_events(camera, 0xC95B012F, EXACT)
    assert_rules(frame)
    assert len(frame.land_in_gaps) > len(frame.landscape_views)
    slivers = [view for view in frame.land_in_gaps if view.xmax - view.xmin < 1.0]
    assert slivers
    for sliver in slivers:
        assert any(
            abs(sliver.xmax - view.xmin) < 1.0 or abs(sliver.xmin - view.xmax) < 1.0 for view in frame.landscape_views
        )
    outdoors = demo_driver().frame_events(camera, get_outside_cell_id(VILLAGE, eye), EXACT)
    assert outdoors.land_in_gaps == []
    assert outdoors.gaps == []


def test_gaps_to_fill_change_nothing_else_of_a_frame() -> None:
    """The draw list, views, portals and events, and the number of the next flood."""
    driver = demo_driver()
    cell_id, eye = eye_at("crossing")
    camera = camera_in(cell_id, eye, 20.0)
    retail = driver.frame_events(camera, cell_id)
    exact = driver.frame_events(camera, cell_id, EXACT)
    again = driver.frame_events(camera, cell_id)
    assert exact.flood is not None
    assert exact.flood.leaves_out()
    assert exact.gaps
    assert not retail.gaps
    assert again.flood is not None
    assert retail.flood is not None
    assert exact.flood.timestamp - retail.flood.timestamp == again.flood.timestamp - exact.flood.timestamp
    for flood in (exact.flood, again.flood):
        assert [cell.cell_id for cell in flood.cells] == [cell.cell_id for cell in retail.flood.cells]
        assert [[v.xs for v in c.views] for c in flood.cells] == [[v.xs for v in c.views] for c in retail.flood.cells]
        assert [repr(record) for record in flood.portals] == [repr(record) for record in retail.flood.portals]


@settings(max_examples=40)
@given(
    st.tuples(st.floats(-100.0, 290.0), st.floats(-100.0, 290.0), st.floats(15.0, 60.0)),
    st.floats(0.0, 360.0),
    st.floats(-60.0, 60.0),
    st.booleans(),
)
def test_frames_from_anywhere_above_the_village_keep_the_rules(
    eye: Vec3, heading: float, pitch: float, exact: bool
) -> None:
    root = get_outside_cell_id(VILLAGE, eye)
    camera = camera_in(VILLAGE, eye, heading, pitch)
    frame = demo_driver().frame_events(camera, root, EXACT if exact else None)
    assert_rules(frame)
    _assert_rings(frame.events, viewpoint_of(root))


def _assert_rings(events: list[FrameEvent], viewpoint: int) -> None:
    """Blocks come far to near, and within a block its landcells."""
    blocks: list[int] = []
    for event in events:
        if isinstance(event, Land):
            for visit in event.objects:
                if not blocks or blocks[-1] != visit.block_id:
                    blocks.append(visit.block_id)
    assert len(blocks) == len(set(blocks)), "a landblock is drawn in one go"
    cx, cy = viewpoint >> 24, (viewpoint >> 16) & 0xFF
    rings = [max(abs((block >> 24) - cx), abs(((block >> 16) & 0xFF) - cy)) for block in blocks]
    assert rings == sorted(rings, reverse=True)


@settings(max_examples=60)
@given(st.sampled_from(sorted(SPOTS)), st.data())
def test_frames_from_any_eye_in_a_room_keep_the_rules(spot: str, data: st.DataObject) -> None:
    """That holds also where the eye is outside its root, as behind a player."""
    cell_id, (x, y, z) = eye_at(spot)
    near = st.floats(-3.0, 3.0)
    eye = (x + data.draw(near), y + data.draw(near), z + data.draw(st.floats(-1.0, 1.0)))
    camera = camera_in(cell_id, eye, data.draw(st.floats(0.0, 360.0)), data.draw(st.floats(-80.0, 80.0)))
    assert_rules(demo_driver().frame_events(camera, cell_id, data.draw(st.sampled_from([None, EXACT]))))


# --- random houses


@st.composite
def hamlets(draw: st.DrawFn) -> World:
    """One to four houses on a piece of land, each of one or two rooms with doors and windows anywhere."""
    builder = WorldBuilder()
    land = builder.landblock(0xC95B, height=20)
    for number in range(draw(st.integers(1, 4))):
        at = (60.0 + 48.0 * (number % 2) + draw(st.floats(-4.0, 4.0)), 60.0 + 24.0 * (number // 2))
        shell = walls(rect(-4, -3, 8, 6), 0, 3, "brick")
        house = land.building(f"house {number}", at, draw(st.sampled_from([0.0, 45.0, 130.0])), shell=shell)
        if draw(st.booleans()):
            west = house.room("west", rect(-3.6, -2.6, 3.5, 5.2), height=2.6)
            east = house.room("east", rect(0.1, -2.6, 3.5, 5.2), height=2.6)
            house.doorway(west, east)
        else:
            west = east = house.room("room", rect(-3.6, -2.6, 7.2, 5.2), height=2.6)
        if draw(st.booleans()):
            house.doorway(west, OUTDOORS, (-2, -3))
        if draw(st.booleans()):
            house.window(east, OUTDOORS, (2, 3))
        if draw(st.booleans()):
            house.doorway(east, OUTDOORS, (4, 0))
    return load_all(builder.build().load())


@pytest.mark.unwatched
@settings(max_examples=12)
@given(hamlets(), st.data())
def test_frames_of_random_hamlets_keep_the_rules(world: World, data: st.DataObject) -> None:
    driver = driver_of(world)
    rooms = rooms_of(world, VILLAGE)
    for _ in range(8):
        heading, pitch = data.draw(st.floats(0.0, 360.0)), data.draw(st.floats(-20.0, 20.0))
        options = data.draw(st.sampled_from([None, EXACT]))
        indoors: bool = data.draw(st.booleans())
        if rooms and indoors:
            room = data.draw(st.sampled_from(rooms))
            x, y = data.draw(st.floats(-0.9, 0.9)), data.draw(st.floats(-0.9, 0.9))
            eye = _inside(room.frame.local_to_global, room.structure.vertices, x, y)
            frame = driver.frame_events(camera_in(room.id, eye, heading, pitch), room.id, options)
        else:
            eye = (data.draw(st.floats(30.0, 150.0)), data.draw(st.floats(30.0, 150.0)), 21.6)
            root = get_outside_cell_id(VILLAGE, eye)
            frame = driver.frame_events(camera_in(VILLAGE, eye, heading, pitch), root, options)
        assert_rules(frame)


def _inside(to_block: Callable[[Vec3], Vec3], vertices: list[Vec3], x: float, y: float) -> Vec3:
    """A point of a room's bounding box, x and y from −1 to 1."""
    lows = [min(v[axis] for v in vertices) for axis in range(3)]
    highs = [max(v[axis] for v in vertices) for axis in range(3)]
    middle = [(low + high) / 2.0 for low, high in zip(lows, highs, strict=True)]
    half = [(high - low) / 2.0 for low, high in zip(lows, highs, strict=True)]
    return to_block((middle[0] + x * half[0], middle[1] + y * half[1], middle[2]))


def test_an_eye_beyond_the_border_orders_land_from_the_neighbours_cell() -> None:
    """`get_outside_cell_id` crosses borders (rendering.md M10)."""
    driver = demo_driver()
    for x, block_id in ((5.0, 0xC95B0000), (-5.0, 0xC85B0000), (197.0, 0xCA5B0000)):
        camera = looking(VILLAGE, (x, 60.0, 30.0), 0.0, -20.0, 320.0, 200.0, 240.0)
        lands = [event for event in driver.frame_events(camera, 0xC95B0003).events if isinstance(event, Land)]
        assert lands[-1].objects[-1].cell_id & 0xFFFF0000 == block_id
