"""Frames of the cottage and of rooms without an exit, event by event (rendering.md 11, 12, 24.6, 24.7)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.geometry.polygon import Polygon
from engine.visibility.events import OBJECTS, PUNCH, AlphaFlush, Land, Objects, Punch, Seal, Weather, transcript
from engine.visibility.frame import FrameResult, frame_events
from engine.visibility.options import FloodOptions
from engine.visibility.records import EXIT_OPEN, FloodResult
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import CellPortal
from engine.world.graph.graph import NO_CELL
from tests.visibility.cases.spec_cases import Scene, assert_outlines, camera_at, look_in_cases
from tests.visibility.helpers.cottage_worlds import BACK, FRONT, Street
from tests.visibility.helpers.frames import EXACT, assert_rules, driver_of, frame_of, rooms_drawn
from tests.visibility.helpers.screens import corners


def lines(frame: FrameResult, names: dict[int, str]) -> list[str]:
    """The transcript, with the landscape's contents abbreviated."""
    events = [event for event in frame.events if not isinstance(event, Weather)]
    whole = [event for event in events if not (isinstance(event, AlphaFlush) and event.level > 0.0)]
    return [line.split(" (")[0] for line in transcript(whole, names)]


def indoors(street: Street, root: str, eye: tuple[float, float, float], heading: float) -> FrameResult:
    return frame_of(street.world, street.camera(eye, heading), street.ids[root])


def from_the_street(street: Street, eye: tuple[float, float, float], heading: float) -> FrameResult:
    camera = street.camera(eye, heading)
    return frame_of(street.world, camera, street.outdoors(camera))


def test_with_its_exit_in_view_a_cottage_draws_the_landscape_then_seals() -> None:
    street = Street()
    frame = indoors(street, "A", (5, 8, 1.5), 180)
    assert lines(frame, street.names) == [
        "DRAW_INSIDE A",
        "SUN 1",
        "SKY",
        "LAND",
        "BUILDING_SHELL house",
        "ALPHA_FLUSH",
        "STAMP",
        "ZCLEAR",
        "SEAL A.0 view 0",
        "SUN 0",
        "SHELL A",
        "OBJECTS A",
        "SUN 1",
        "ALPHA_FLUSH",
    ]
    assert len(frame.landscape_views) == 1
    assert_rules(frame)


def test_with_its_exit_out_of_sight_a_cottage_draws_only_its_room() -> None:
    street = Street()
    frame = indoors(street, "A", (5, 5, 1.5), 90)
    expected = ["DRAW_INSIDE A", "SUN 0", "SHELL A", "OBJECTS A", "SUN 1", "ALPHA_FLUSH"]
    assert lines(frame, street.names) == expected
    assert_rules(frame)


def test_a_dungeon_draws_its_rooms_far_to_near_and_no_sky() -> None:
    scene = Scene("three_in_row")
    frame = frame_of(scene.world, camera_at((1.0, 8.0, 1.5), 0.0), scene.id("A"))
    assert lines(frame, scene.source.names) == [
        "DRAW_INSIDE A",
        "SUN 0",
        "SHELL C",
        "SHELL B",
        "SHELL A",
        "OBJECTS C",
        "OBJECTS B",
        "OBJECTS A",
        "SUN 1",
        "ALPHA_FLUSH",
    ]
    assert_rules(frame)


def test_from_the_street_a_house_draws_punch_then_rooms_then_shell() -> None:
    street = Street()
    frame = from_the_street(street, (5, -8, 1.5), 0)
    assert lines(frame, street.names) == [
        "DEFAULT_VIEW",
        "SUN 1",
        "SKY",
        "LAND",
        "ALPHA_FLUSH",
        "PUNCH house.0 view 0",
        "SUN 0",
        "SHELL B",
        "SHELL A",
        "OBJECTS B",
        "OBJECTS A",
        "SUN 1",
        "BUILDING_SHELL house",
        "LAND",
        "ALPHA_FLUSH",
    ]
    assert_rules(frame)
    far, near = [event for event in frame.events if isinstance(event, Land)]
    home = street.houses[0].cell_id & 0xFFFF
    assert far.cells[-1].low == home, "the ground of the house's landcell comes before the house"
    assert near.objects[0].low == home, "what stands there comes after it"
    assert {visit.low for visit in far.objects} | {visit.low for visit in near.objects} == set(range(1, 65))


def test_an_exact_frame_draws_each_rooms_things_right_after_its_walls() -> None:
    street = Street()
    camera = street.camera((5, 18, 1.5), 180)
    frame = frame_of(street.world, camera, street.ids["B"], EXACT)
    assert lines(frame, street.names)[-11:] == [
        "ZCLEAR",
        "SEAL A.0 view 0",
        "SUN 0",
        "SHELL A",
        "OBJECTS A",
        "ALPHA_FLUSH",
        "SHELL B",
        "OBJECTS B",
        "ALPHA_FLUSH",
        "SUN 1",
        "ALPHA_FLUSH",
    ]
    assert_rules(frame)


@pytest.mark.parametrize("case", look_in_cases(), ids=lambda case: case["id"])
def test_the_driver_draws_the_look_ins_of_the_reference(case: Any) -> None:
    """H1 to H7 through the driver: it punches these openings and shows these rooms through them in these views."""
    street = Street([0.0, case["building_shift_y"]] if case["building_shift_y"] else [0.0])
    prime = "'" if case["building_shift_y"] else ""
    camera = street.camera(case["eye"], case["heading"], case["pitch"])
    root = street.outdoors(camera) if case["root"] == "outdoor" else street.ids[case["root"]]
    frame = frame_of(street.world, camera, root)
    assert_rules(frame)
    if case["root"] != "outdoor":
        assert_outlines(frame.landscape_views, case["outside_view"])
    house = street.houses[-1]
    found = {flood.portal_index: flood for flood in frame.look_ins if flood.building is house}
    assert [flood.building for flood in frame.look_ins if flood.building is not house] == []
    for aperture in case["apertures"]:
        index = FRONT if aperture["aperture"] == "front" else BACK
        if aperture.get("rejected"):
            assert index not in found
            continue
        flood = found.pop(index)
        assert [street.names[visible.cell_id] for visible in flood.cells] == [room + prime for room in aperture["draw"]]
        assert _punch_outline(flood) is not None
        assert_outlines([flood.punch.view] if flood.punch and flood.punch.view else [], [aperture["punch"]])
        for visible in flood.cells:
            assert_outlines(visible.views, aperture["views"][street.names[visible.cell_id][0]])
    assert found == {}


def _punch_outline(flood: FloodResult) -> list[tuple[float, float]] | None:
    return None if flood.punch is None or flood.punch.view is None else corners(flood.punch.view)


def test_from_house_to_house_the_other_house_draws_in_the_doors_view() -> None:
    street = Street([0.0, -40.0])
    frame = indoors(street, "A", (5, 8, 1.5), 180)
    assert lines(frame, street.names) == [
        "DRAW_INSIDE A",
        "SUN 1",
        "SKY",
        "LAND",
        "ALPHA_FLUSH",
        "PUNCH house'.1 view 0",
        "SUN 0",
        "SHELL A'",
        "SHELL B'",
        "OBJECTS A'",
        "OBJECTS B'",
        "SUN 1",
        "BUILDING_SHELL house'",
        "LAND",
        "BUILDING_SHELL house",
        "ALPHA_FLUSH",
        "STAMP",
        "ZCLEAR",
        "SEAL A.0 view 0",
        "SUN 0",
        "SHELL A",
        "OBJECTS A",
        "SUN 1",
        "ALPHA_FLUSH",
    ]
    assert_rules(frame)


def test_with_two_exits_in_view_the_other_houses_punches_and_rooms_alternate() -> None:
    """Both of two views of the outdoors look into the same house. An exact frame draws all punches before all rooms."""
    street = Street([0.0, -40.0])
    room = street.world.graph.peek(street.ids["A"])
    assert isinstance(room, EnvCell)
    exit_door = room.portals[0]
    assert exit_door.polygon is not None
    halves = [_half(exit_door, 4.0, 4.9), _half(exit_door, 5.1, 6.0)]
    edited = EnvCell(room.id, room.frame, room.structure, [*halves, room.portals[1]], room.stab_list, room.flags, [])
    street.world.graph.replace_cell(edited)
    camera = street.camera((5, 8, 1.5), 180)
    for options in (None, EXACT):
        frame = frame_of(street.world, camera, edited.id, options)
        assert_rules(frame)
        assert len(frame.landscape_views) == 2
        punches = [event.view_index for event in frame.events if isinstance(event, Punch)]
        assert punches == [0, 1]
        order = [event.name for event in frame.events if isinstance(event, Punch | Objects)]
        assert order[:6] == (
            [PUNCH, OBJECTS, OBJECTS, PUNCH, OBJECTS, OBJECTS]
            if options is None
            else [PUNCH, PUNCH, OBJECTS, OBJECTS, OBJECTS, OBJECTS]
        )
        other = [street.names[cell_id] for cell_id in rooms_drawn(frame) if street.names[cell_id].endswith("'")]
        assert other == (["A'", "B'"] if options is None else ["A'", "B'", "A'", "B'"])
        assert [(s.portal_index, s.view_index) for s in frame.events if isinstance(s, Seal)] == [(0, 0), (1, 0)]


def _half(portal: CellPortal, west: float, east: float) -> CellPortal:
    points = [(west, 0.0, 3.0), (east, 0.0, 3.0), (east, 0.0, 0.0), (west, 0.0, 0.0)]
    return CellPortal(portal.flags, portal.polygon_id, Polygon(0, points), portal.other_cell_id, portal.other_portal_id)


def test_an_eye_in_the_exit_of_a_house_looks_in_from_outdoors_as_well() -> None:
    """In robust mode. In the plane of an opening and inside of it, the client's walk skips the opening."""
    street = Street()
    camera = street.camera((5, 0, 1.5), 0)
    frame = frame_of(street.world, camera, street.outdoors(camera))
    assert [flood.portal_index for flood in frame.look_ins] == [FRONT]
    retail = driver_of(street.world, FloodOptions(robust=False)).frame_events(camera, street.outdoors(camera))
    assert retail.look_ins == []
    assert_rules(frame)
    assert_rules(retail)


def test_only_a_player_outdoors_sees_weather() -> None:
    """The player's position decides, not the flood's root (rendering.md C6)."""
    street = Street()
    outside, inside = street.camera((5, -8, 1.5), 0), street.camera((5, 8, 1.5), 180)
    graph = street.world.graph
    land = street.outdoors(outside)
    for current, seen in ((NO_CELL, [True, False]), (street.ids["A"], [False, False]), (land, [True, True])):
        graph.set_current(current)
        frames = [
            frame_of(street.world, outside, street.outdoors(outside)),
            frame_of(street.world, inside, street.ids["A"]),
        ]
        assert all(frame.landscape_views for frame in frames)
        assert [any(isinstance(event, Weather) for event in frame.events) for frame in frames] == seen


def test_an_eye_in_no_cell_or_a_missing_room_sees_nothing() -> None:
    street = Street()
    camera = street.camera((5, 8, 1.5), 180)
    lost = frame_of(street.world, camera, 0)
    assert (lost.events, lost.message) == ([], "nothing is drawn: there is no root cell")
    missing = frame_of(street.world, camera, street.ids["A"] + 0x50)
    assert (missing.events, missing.visible_ids()) == ([], [])
    assert missing.message == "nothing is drawn: the root cell 0x01010150 is not loaded"


def test_a_room_without_a_drawing_tree_draws_no_walls_among_rooms_with_one() -> None:
    street = Street()
    camera = street.camera((5, 18, 1.5), 180)
    block = WorldView(street.world).block(street.ids["A"])
    assert block is not None
    assert not block.has_drawing_trees
    shown = driver_of(street.world)
    assert len(rooms_drawn(shown.frame_events(camera, street.ids["B"]))) == 2
    view = shown.world_view.block(street.ids["A"])
    assert view is not None
    view.has_drawing_trees = True
    frame = shown.frame_events(camera, street.ids["B"])
    assert rooms_drawn(frame) == []
    assert not any(isinstance(event, Seal) for event in frame.events)
    assert [line for line in lines(frame, street.names) if line.startswith("OBJECTS")] == ["OBJECTS A", "OBJECTS B"]


def test_the_frame_seals_a_visible_exit_in_every_view_of_its_room() -> None:
    street = Street()
    frame = indoors(street, "B", (5, 18, 1.5), 180)
    assert frame.flood is not None
    opened = [record for record in frame.flood.portals if record.status == EXIT_OPEN]
    assert [(record.cell_id, record.index) for record in opened] == [(street.ids["A"], 0)]
    seals = [event for event in frame.events if isinstance(event, Seal)]
    assert [seal.piece for seal in seals] == opened[0].pieces


@pytest.mark.parametrize("at", [12.0, 12.5])
def test_the_client_neither_punches_nor_seals_an_opening_on_a_landcell_border(at: float) -> None:
    street = Street()
    room, house = street.world.graph.peek(street.ids["A"]), street.houses[0]
    assert isinstance(room, EnvCell)
    way_out, way_in = room.portals[0], house.portals[FRONT]
    assert way_out.polygon is not None
    assert way_in.polygon is not None
    # Moves the front door to y = `at` in the space of the room and of the house.
    for portal, polygon in ((way_out, way_out.polygon), (way_in, way_in.polygon)):
        portal.polygon = Polygon(polygon.id, [(x, at, z) for x, _, z in polygon.vertices])
    frame = indoors(street, "A", (5, at + 4, 1.5), 180)
    assert [isinstance(event, Seal) for event in frame.events].count(True) == (0 if at == 12.0 else 1)
    camera = street.camera((5, at - 8, 1.5), 0)
    for options, punches in ((None, 0 if at == 12.0 else 1), (EXACT, 1)):
        frame = frame_of(street.world, camera, street.outdoors(camera), options)
        assert [isinstance(event, Punch) for event in frame.events].count(True) == punches
        assert len(frame.look_ins) == 1


def test_a_single_frame_needs_no_driver() -> None:
    street = Street()
    camera = street.camera((5, -8, 1.5), 0)
    driver = driver_of(street.world)
    once = frame_events(driver.world_view, driver.visibility, camera, street.outdoors(camera))
    again = driver.frame_events(camera, street.outdoors(camera))
    assert transcript(once.events, street.names) == transcript(again.events, street.names)
