"""Scenes of rooms that consist only of portals, boxes and stab lists (rendering.md 24.4)."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import NO_PORTAL, OUTSIDE
from engine.world.faults import WorldError
from engine.world.loader import open_world
from engine.world.loader.portal_scene import PortalSceneSource
from engine.world.world import World
from tests.sim.helpers.small_worlds import built, two_rooms

DOOR = [[4, 10, 0], [6, 10, 0], [6, 10, 3], [4, 10, 3]]

ROOMS: dict[str, Any] = {
    "A": {
        "box": [0, 0, 0, 10, 10, 4],
        "seen_outside": 1,
        "stab": ["B"],
        "portals": [
            {"poly": DOOR, "side": 0, "to": "B", "back": 0, "exact": 1},
            {"poly": [[4, 0, 3], [6, 0, 3], [6, 0, 0], [4, 0, 0]], "side": 1, "to": "OUT", "back": -1, "exact": 0},
        ],
    },
    "B": {"origin": [10, 20, 0], "rotation": [0, 0, 0, 1], "box": [0, 0, 0, 10, 10, 4], "stab": ["A", "gone"]},
}


def written(folder: Path, root: Any) -> Path:
    file = folder / "scenes.json"
    file.write_text(json.dumps(root), encoding="utf-8")
    return file


def room(world: World, name: str) -> EnvCell:
    assert isinstance(world.source, PortalSceneSource)
    found = world.graph.get_visible(world.source.ids[name])
    assert isinstance(found, EnvCell)
    return found


def test_rooms_have_ids_portals_and_stab_lists(tmp_path: Path) -> None:
    with open_world(written(tmp_path, {"scenes": {"one": ROOMS}})) as world:
        a, b = room(world, "A"), room(world, "B")
        assert (a.id, b.id) == (0x01010100, 0x01010101)
        door, way_out = a.portals
        assert (door.other_cell_id, door.other_portal_id, door.portal_side, door.exact_match) == (b.id, 0, False, True)
        assert (way_out.other_cell_id, way_out.other_portal_id) == (OUTSIDE, NO_PORTAL)
        assert (way_out.leads_outside, way_out.portal_side, way_out.exact_match) == (True, True, False)
        assert (a.seen_outside, b.seen_outside) == (True, False)
        assert a.stab_list == [b.id]
        assert world.graph.get_visible(b.stab_list[1]) is None
        assert world.source.kind == "portal scene"
        assert world.faults() == []


def test_a_room_contains_its_box_in_its_own_frame(tmp_path: Path) -> None:
    with open_world(written(tmp_path, {"scenes": {"one": ROOMS}})) as world:
        assert room(world, "A").point_in_cell((5.0, 5.0, 1.0))
        assert not room(world, "A").point_in_cell((5.0, 11.0, 1.0))
        assert room(world, "B").point_in_cell((5.0, 11.0, 1.0))
        assert not room(world, "B").point_in_cell((11.0, 11.0, 1.0))


def test_numbers_keep_their_double_precision(tmp_path: Path) -> None:
    rooms = {"A": {"portals": [{"poly": [[0.1, 0, 0], [1, 0, 0], [1, 0, 1]], "to": "OUT"}]}}
    with open_world(written(tmp_path, {"scenes": {"one": rooms}})) as world:
        polygon = room(world, "A").portals[0].polygon
        assert polygon is not None
        assert polygon.vertices[0][0] == 0.1


def test_a_turned_room_is_exact_even_if_its_rotation_has_few_digits(tmp_path: Path) -> None:
    eighth = [math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8)]
    poly = [[100, 0, 0], [100, 2, 0], [100, 2, 3]]
    rooms = {
        "written out": {"rotation": eighth, "portals": [{"poly": poly, "to": "OUT"}]},
        "in short": {"rotation": [0.7071, 0, 0, 0.7071], "portals": [{"poly": poly, "to": "OUT"}]},
    }
    with open_world(written(tmp_path, {"scenes": {"one": rooms}})) as world:
        along = 100 * math.sqrt(0.5)
        assert room(world, "written out").frame.local_to_global((100, 0, 0)) == pytest.approx((along, along, 0))
        assert room(world, "written out").frame.rotation == pytest.approx(tuple(eighth), rel=1e-15)
        assert room(world, "in short").frame.local_to_global((100, 0, 0)) == pytest.approx((0, 100, 0), abs=1e-12)


def test_bad_polygons_are_kept_as_they_are(tmp_path: Path) -> None:
    polygons = [None, [], [[0, 0, 0]], [[math.nan, 0, None], [1, 0, 0], [1, 0, 1]]]
    rooms = {"A": {"portals": [{"poly": poly, "to": "nowhere", "back": 99} for poly in polygons]}}
    with open_world(written(tmp_path, {"scenes": {"one": rooms}})) as world:
        portals = room(world, "A").portals
        assert portals[0].polygon is None
        counts = [0 if portal.polygon is None else len(portal.polygon.vertices) for portal in portals]
        assert counts == [0, 0, 1, 3]
        assert world.graph.get_visible(portals[0].other_cell_id) is None


def test_a_name_selects_one_of_several_scenes(tmp_path: Path) -> None:
    file = written(tmp_path, {"viewport": [640, 480], "focal": 240, "scenes": {"one": ROOMS, "two": {"X": {}}}})
    with open_world(file, scene="two") as world:
        assert world.name == "two"
        assert room(world, "X").portals == []
        assert isinstance(world.source, PortalSceneSource)
        assert (world.source.viewport, world.source.focal) == ((640.0, 480.0), 240.0)
    with pytest.raises(WorldError, match="holds several scenes: one, two"):
        open_world(file)
    with pytest.raises(WorldError, match="has no scene 'three': one, two"):
        open_world(file, scene="three")


@pytest.mark.parametrize(("back", "index"), [(0, 0), (7, 7), (-1, -1), (0xFFFF, -1), (70_000, 70_000), (None, -1)])
def test_a_matching_portal_is_any_index_or_none(tmp_path: Path, back: int | None, index: int) -> None:
    door = {"poly": DOOR, "to": "B", **({} if back is None else {"back": back})}
    with open_world(written(tmp_path, {"scenes": {"one": {"A": {"portals": [door]}}}})) as world:
        assert room(world, "A").portals[0].other_portal_id == index


@pytest.mark.parametrize(
    ("root", "reason"),
    [
        ({"scenes": {}}, "holds no scene"),
        ({"scenes": 7}, "scenes: should be an object"),
        ({"scenes": {"one": {"A": {"box": [1, 2, 3]}}}}, r"one\.A\.box: should have 6 entries, has 3"),
        ({"scenes": {"one": {"A": {"box": [1, 0, 0, 0, 1, 1]}}}}, "should be the least corner and the greatest"),
        ({"scenes": {"one": {"A": {"portals": [{"poly": DOOR}]}}}}, r"portals\[0\]: has no 'to'"),
        ({"scenes": {"one": {"A": {"portals": [{"poly": [["x", 0, 0]], "to": "B"}]}}}}, "should be a number"),
        ({"scenes": {"one": {"A": {"portals": [{"poly": DOOR, "to": "B", "side": 2}]}}}}, "should be 0 to 1, is 2"),
        ({"scenes": {"one": {"A": {"portals": [{"poly": DOOR, "to": "B", "back": 1e9}]}}}}, "should be a whole number"),
        ({"viewport": [0, 480], "scenes": {"one": {}}}, r"viewport\[0\]: should be a number of pixels"),
    ],
)
def test_an_invalid_scene_is_refused_with_its_location(tmp_path: Path, root: Any, reason: str) -> None:
    with pytest.raises(WorldError, match=reason):
        open_world(written(tmp_path, root))


def test_other_sources_hold_no_scenes_to_select(tmp_path: Path) -> None:
    folder = built(two_rooms).write(tmp_path)
    with pytest.raises(WorldError, match="is a data folder and holds no scenes to choose 'x' from"):
        open_world(folder, scene="x")
