"""Dumps as worlds: frames from matrices, trees from polygons, links from corners (physics.md 12.2, 12.3)."""

from __future__ import annotations

import copy
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.frame import Frame
from engine.geometry.quat import IDENTITY, normalize
from engine.geometry.vec import distance
from engine.world.cells.cell import EnvCell
from engine.world.faults import CELL, FRAME, MODEL, PORTAL_LINK, RECORD, STAB_LIST, WorldError
from engine.world.loader import Placement, open_world
from engine.world.loader.dump_records import cell_dump, quaternion_of
from engine.world.loader.json_form import read_json
from engine.world.world import World
from tests.world.graph_form import graph_form
from tests.world.loader.dumps import BLOCK, HALL, SHELL, SIDE_ROOM, hall, portal, shell, side_room, write_dumps


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_dumps(tmp_path / "house", hall(), side_room(), shell())


def room(world: World, cell_id: int) -> EnvCell:
    cell = world.graph.get_visible(cell_id)
    assert isinstance(cell, EnvCell)
    return cell


# --- matrices


@given(st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: sum(part * part for part in q) > 0.01))
def test_axes_recover_the_quaternion_that_rotated_them(q: tuple[float, float, float, float]) -> None:
    turned = Frame((0.0, 0.0, 0.0), normalize(q))
    axes = [turned.local_to_global_vec(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    again = Frame((0.0, 0.0, 0.0), quaternion_of(*axes))
    point = (0.3, -0.7, 0.9)
    assert distance(again.local_to_global(point), turned.local_to_global(point)) < 1e-6


def test_the_matrix_of_the_fixtures_is_half_a_turn_about_z(folder: Path) -> None:
    dump = cell_dump(read_json(folder / "0xA9B40101.json"))
    w, x, y, z = dump.frame.rotation
    assert (x, y, z) == (0.0, 0.0, 1.0)
    assert w == pytest.approx(4.37114e-08, rel=1e-5)
    assert dump.frame.origin == (130.5, 11.5, 94.0)


@pytest.mark.parametrize(
    "changes",
    [
        {"M11": -2},
        {"M12": 0.5},
        {"M33": -1},  # left-handed
        {"M11": 0, "M12": 0},
    ],
)
def test_only_the_origin_of_a_matrix_without_rotation_is_used(folder: Path, changes: dict[str, float]) -> None:
    dump = hall()
    dump["WorldTransform"].update(changes)
    write_dumps(folder, dump)
    world = open_world(folder)
    frame = room(world, HALL).frame
    assert (frame.origin, frame.rotation) == ((130.5, 11.5, 94.0), IDENTITY)
    told = [fault for fault in world.faults() if fault.what == FRAME]
    assert [fault.where for fault in told] == [HALL]
    assert "WorldTransform: is not a rotation" in told[0].reason


# --- cells


def test_a_dumped_room_can_be_found_and_collided_with(folder: Path) -> None:
    world = open_world(folder)
    cell = room(world, HALL)
    assert cell.point_in_cell((127.5, 8.5, 95.5))  # 3 m in, after half a turn
    assert not cell.point_in_cell((121.5, 8.5, 95.5))
    assert room(world, SIDE_ROOM).point_in_cell((121.5, 8.5, 95.5))
    assert cell.physics_tree is not None
    assert len(cell.physics_tree.polygons) == 10
    assert world.faults() == []


def test_matching_corners_join_portals(folder: Path) -> None:
    world = open_world(folder)
    assert [p.other_portal_id for p in room(world, HALL).portals] == [0, 0]
    assert [p.other_portal_id for p in room(world, SIDE_ROOM).portals] == [1]
    assert [p.flags for p in room(world, HALL).portals] == [7, 3]


def test_a_room_sees_outside_if_a_room_in_its_stab_list_has_an_exit(folder: Path) -> None:
    assert room(open_world(folder), SIDE_ROOM).seen_outside
    closed = hall()
    closed["Portals"] = closed["Portals"][1:]
    write_dumps(folder, closed)
    assert not room(open_world(folder), SIDE_ROOM).seen_outside


def test_distant_openings_join_if_only_one_portal_leads_back(folder: Path) -> None:
    dump = side_room()
    for corner in dump["PortalPolygons"][8]["Vertices"]:
        corner["X"] += 0.5
    write_dumps(folder, dump)
    world = open_world(folder)
    assert [p.other_portal_id for p in room(world, HALL).portals] == [0, 0]


def test_a_portal_without_a_partner_is_a_fault(folder: Path) -> None:
    dump = side_room()
    dump["Portals"] = []
    write_dumps(folder, dump)
    faults = room(open_world(folder), HALL).faults
    assert [fault.what for fault in faults] == [PORTAL_LINK]
    assert "one direction only" in faults[0].reason


def test_a_stab_list_that_leaves_the_landblock_is_cut(folder: Path) -> None:
    dump = hall()
    dump["VisibleCellIds"].append(0xA9B50101)
    write_dumps(folder, dump)
    world = open_world(folder)
    assert room(world, HALL).stab_list == [SIDE_ROOM]
    assert [fault.what for fault in world.faults()] == [STAB_LIST]


def test_dumps_in_one_folder_several_or_a_file_list_give_one_graph(folder: Path, tmp_path: Path) -> None:
    whole = graph_form(open_world(folder))
    write_dumps(tmp_path / "apart" / "one", hall())
    write_dumps(tmp_path / "apart" / "two", side_room())
    assert graph_form(open_world(tmp_path / "apart")) == whole
    assert graph_form(open_world([tmp_path / "apart" / "one", tmp_path / "apart" / "two"])) == whole
    assert graph_form(open_world([folder / "0xA9B40101.json", folder / "0xA9B40102.json"])) == whole


def test_one_dump_file_is_a_world_too(folder: Path) -> None:
    world = open_world(folder / "0xA9B40101.json")
    assert [cell.id for cell in world.graph.all_cells()] == []
    assert world.landblock(HALL) is not None
    assert [cell.id for cell in world.graph.all_cells()] == [HALL]


def test_a_second_dump_of_a_cell_and_a_wrong_file_name_are_faults(folder: Path) -> None:
    (folder / "0xA9B40199.json").write_text(json.dumps(hall()))
    world = open_world(folder)
    assert [fault.what for fault in world.source.faults] == [RECORD]
    assert "there is another dump of it" in world.source.faults[0].reason
    (folder / "0xA9B40101.json").unlink()
    world = open_world(folder)
    assert "named after something else" in world.source.faults[0].reason
    assert room(world, HALL).id == HALL


# --- models and land


def test_a_shell_is_the_building_around_the_rooms_in_its_frame(folder: Path) -> None:
    frame = room(open_world(folder), HALL).frame
    world = open_world(folder, placements=[Placement(SHELL, BLOCK, frame, building=True)], ground=90.0)
    block = world.landblock(BLOCK)
    assert block is not None
    (house,) = block.buildings
    assert [(p.other_cell_id, p.other_portal_id, p.stab_list) for p in house.portals] == [(HALL, 0, [HALL, SIDE_ROOM])]
    assert house.portals[0].polygon is not None
    assert {round(x, 4) + 0.0 for x, _, _ in house.portals[0].polygon.vertices} == {0.0}
    assert house in [cell.building for cell in block.land_cells]
    assert block.terrain is not None
    assert block.terrain.height_at(100.0, 100.0) == 90.0
    assert world.faults() == []


def test_the_ground_extends_into_the_neighbours(folder: Path) -> None:
    world = open_world(folder, ground=-1000.0)
    assert len(world.landblock_ids()) == 9
    neighbour = world.landblock(0xA8B30001)
    assert neighbour is not None
    assert len(neighbour.land_cells) == 64
    assert not neighbour.env_cells


def test_a_placed_but_missing_model_is_a_fault(folder: Path) -> None:
    world = open_world(folder, placements=[Placement(0x01000077, BLOCK, Frame())])
    world.landblock(BLOCK)
    assert MODEL in [fault.what for fault in world.faults()]


def test_a_model_has_the_bounds_of_its_dump_and_of_its_tree(folder: Path) -> None:
    model = open_world(folder).gfxobj(SHELL)
    assert model is not None
    assert model.drawing_sphere is not None
    assert model.drawing_sphere.radius == 7.0
    assert model.physics_tree is not None
    assert model.bounding_sphere is model.physics_tree.root.sphere
    assert model.box.maximum == (12.0, 6.0, 3.5)


# --- broken dumps


def test_one_bad_file_of_many_is_a_fault_that_names_file_and_key(folder: Path) -> None:
    dump = hall()
    dump["Portals"][1]["Flags"] = "3"
    write_dumps(folder, dump)
    world = open_world(folder)
    assert room(world, SIDE_ROOM).id == SIDE_ROOM
    (fault,) = world.source.faults
    assert "0xA9B40101.json: Portals[1].Flags: should be a whole number" in fault.reason


def test_a_world_without_a_readable_file_does_not_open(tmp_path: Path) -> None:
    dump = hall()
    del dump["CellId"]
    dump["CellID"] = HALL
    (tmp_path / "0xA9B40101.json").write_text(json.dumps(dump))
    with pytest.raises(WorldError, match=r"0xA9B40101\.json: has no 'CellId'"):
        open_world(tmp_path)


@pytest.mark.parametrize(
    ("key", "value", "where", "reason"),
    [
        ("CellId", 0xA9B40001, "CellId", "is not the id of a room"),
        ("CellId", 1 << 40, "CellId", "should be 0 to"),
        ("ResolvedPolygons", None, "ResolvedPolygons", "should be a list, is null"),
        ("Portals", [portal(70000, 0, 0)], r"Portals\[0\].OtherCellId", "should be 0 to 65535"),
        ("WorldTransform", {}, "WorldTransform", "has no 'M11'"),
    ],
)
def test_a_wrong_value_of_a_cell_is_reported_with_its_key(
    tmp_path: Path, key: str, value: object, where: str, reason: str
) -> None:
    dump: Any = hall()
    dump[key] = value
    (tmp_path / "0xA9B40101.json").write_text(json.dumps(dump))
    with pytest.raises(WorldError, match=f"{where}: .*{reason}"):
        open_world(tmp_path)


def test_the_number_of_points_must_be_right(tmp_path: Path) -> None:
    dump: Any = hall()
    dump["ResolvedPolygons"][2]["NumPoints"] = 5
    with pytest.raises(WorldError, match=r"ResolvedPolygons\[2\].NumPoints: is 5, there are 4 vertices"):
        open_world(write_dumps(tmp_path, dump))


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ([], "neither a data folder .client_portal.dat, client_cell_1.dat. nor .*; the folder holds nothing"),
        (["a.txt"], "the folder holds a.txt"),
        ([f"{n}.txt" for n in range(20)], r"and 12 more"),
        (["one.json", "two.json"], "a scene is opened by its file: one.json, two.json"),
        (["other.dat"], "client_portal.dat and client_cell_1.dat are missing; the folder holds other.dat"),
    ],
)
def test_a_folder_with_nothing_to_open_lists_its_files(tmp_path: Path, names: list[str], reason: str) -> None:
    for name in names:
        (tmp_path / name).write_text("")
    with pytest.raises(WorldError, match=reason):
        open_world(tmp_path)


@pytest.mark.parametrize("path", ["no/such/place", "x" * 5000, "zero\0byte"])
def test_a_missing_path_is_reported(path: str) -> None:
    with pytest.raises(WorldError):
        open_world(path)
    with pytest.raises(WorldError):
        open_world([path])


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(WorldError, match=r"has an unknown format; files that can be opened are \*\.dat \*\.json"):
        open_world(tmp_path / "notes.txt")


# --- mutations

ABSURD: list[Any] = [
    None, True, -1, 0, 0.5, 65535, 65536, 2**31, 10**400, 1e300, 1e38, -1e38, math.nan, math.inf,
    "", "x", "\ud800", [], {},
]  # fmt: skip


def mutate(root: Any, rng: random.Random) -> None:
    node = root
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = rng.choice(keys)
        child = node[key]
        if isinstance(child, dict | list) and child and rng.random() < 0.85:
            node = child
            continue
        if rng.random() < 0.2:
            del node[key]
        else:
            node[key] = copy.deepcopy(rng.choice(ABSURD))
        return


def check_mutated(seed: int, folder: Path) -> None:
    rng = random.Random(seed)
    dumps = [hall(), side_room(), shell()]
    for _ in range(rng.choice((1, 1, 2, 3))):
        mutate(rng.choice(dumps), rng)
    for name, dump in zip(("0xA9B40101", "0xA9B40102", "0x01000A2B.gfxobj"), dumps, strict=True):
        text = json.dumps(dump)
        (folder / f"{name}.json").write_text(text if rng.random() < 0.95 else text[: rng.randrange(len(text))])
    try:
        world = open_world(folder)
    except WorldError:  # all three are broken
        return
    for block_id in world.landblock_ids():
        world.landblock(block_id)
    for cell in world.graph.all_cells():
        cell.point_in_cell((127.5, 8.5, 95.5))
    for model_id in world.source.model_ids():
        world.gfxobj(model_id)
    assert all(str(fault) for fault in world.faults())


def test_mutated_dumps_load_or_are_faults(tmp_path: Path) -> None:
    for seed in range(120):
        check_mutated(seed, tmp_path)


def test_land_cells_do_not_count_as_rooms(folder: Path) -> None:
    dump = hall()
    dump["CellId"] = BLOCK | 0x29
    write_dumps(folder, dump)
    world = open_world(folder)
    assert [fault.what for fault in world.source.faults] == [RECORD]
    assert CELL not in [fault.what for fault in world.faults()]
