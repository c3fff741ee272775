"""Features that only whole worlds have, built by `engine.build`: shells with PORT nodes, scenery, a region
(rendering.md 3.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from engine.build import OUTDOORS, BuildError, Strewn, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.build.shapes.furniture import table
from engine.dat.records import BspNode, GfxObj, LandBlockInfo, Region
from engine.dat.records.catalogue import read_record, write_record
from engine.geometry.vec import distance
from engine.world import faults as kinds
from engine.world.cells.cell import Building, EnvCell
from engine.world.loader.dat_source import REGION_ID, DatSource
from engine.world.loader.record_file import MemoryRecords
from engine.world.world import World

BLOCK = 0xC95B0000
GRASS = 1
MARK = 3


def test_a_room_without_an_opening_is_not_written(tmp_path: Path) -> None:
    """No body could stand in such a room. In memory it serves for experiments and counts as having an opening."""
    world = WorldBuilder()
    world.room("cabin", rect(0, 0, 3, 3))
    built = world.build()
    with pytest.raises(BuildError, match=r"'cabin'.*has no opening: .* no body can stand in it"):
        built.write(tmp_path)
    assert list(tmp_path.iterdir()) == []
    cabin = built.load().graph.get_visible(built.cell_id("cabin"))
    assert isinstance(cabin, EnvCell)
    assert cabin.point_in_cell((1.0, 1.0, 1.0))
    world.window(world.room("hut", rect(10, 0, 3, 3)), at=(10, 1.5))
    assert list(world.build().closed) == ["cabin"]


@cache
def hut() -> BuiltWorld:
    """A hut of one room with two doors, on grass where tables grow."""
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    assert land.ground is not None
    land.ground.paint(GRASS)
    land.ground.plant(MARK)
    world.scenery(GRASS, MARK, (Strewn(table(), frequency=0.5),))
    house = land.building("hut", (108, 108), 30, shell=walls(rect(-3, -3, 6, 6), 0, 3, "plaster"))
    room = house.room("room", rect(-2.6, -2.6, 5.2, 5.2), height=2.6)
    house.door(room, OUTDOORS, (0, -3), name="front door")
    house.door(room, OUTDOORS, (3, 0), name="side door")
    return world.build()


def opened(portal: dict[int, bytes] | None = None, cell: dict[int, bytes] | None = None) -> World:
    """The hut with some records replaced; empty bytes remove one."""
    made = hut()
    portals = {key: data for key, data in {**made.portal, **(portal or {})}.items() if data}
    cells = {key: data for key, data in {**made.cell, **(cell or {})}.items() if data}
    return World(DatSource("hut", MemoryRecords(portals), MemoryRecords(cells)))


def building(world: World) -> Building:
    block = world.landblock(BLOCK)
    assert block is not None
    (house,) = block.buildings
    return house


def shell_record() -> GfxObj:
    shell_id = building(opened()).model_id
    return read_record(GfxObj, hut().portal[shell_id], file="hut", record_id=shell_id)


def port_nodes(node: BspNode | None) -> list[BspNode]:
    if node is None:
        return []
    own = [node] if node.tag == "PORT" else []
    return own + port_nodes(node.pos) + port_nodes(node.neg)


def test_the_world_is_sound_and_its_land_belongs_to_it() -> None:
    world = opened()
    for block_id in world.landblock_ids():
        block = world.landblock(block_id)
        assert block is not None
        assert block.scenery is not None
    assert world.faults() == []


def test_each_building_portal_has_its_opening_in_the_shell() -> None:
    world = opened()
    house = building(world)
    assert len(house.portals) == 2
    for entry in house.portals:
        room = world.graph.get_visible(entry.other_cell_id)
        assert isinstance(room, EnvCell)
        inner = room.portals[entry.other_portal_id]
        assert inner.leads_outside
        assert inner.polygon is not None
        assert entry.polygon is not None
        assert house.shell is not None
        assert entry.polygon is house.shell.polygons[entry.polygon_id]
        outside = [house.frame.local_to_global(corner) for corner in entry.polygon.vertices]
        for corner in inner.polygon.vertices:
            placed = room.frame.local_to_global(corner)
            assert min(distance(placed, other) for other in outside) < 0.01


def without_ports(node: BspNode) -> None:
    node.portals = []


def wrong_polygon(node: BspNode) -> None:
    node.portals = [(999, portal) for _, portal in node.portals]


def unknown_portal(node: BspNode) -> None:
    node.portals = [*node.portals, (node.portals[0][0], 9)]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (without_ports, "no PORT node of the shell shows this portal"),
        (wrong_polygon, "the shell has no polygon 999"),
        (unknown_portal, "only the shell knows of this portal"),
    ],
)
def test_port_nodes_that_do_not_fit_the_portals_are_faults(spoil: Callable[[BspNode], None], reason: str) -> None:
    record = shell_record()
    for node in port_nodes(record.drawing_bsp):
        if node.portals:
            spoil(node)
    house = building(opened({record.id: write_record(record)}))
    faults = [fault for fault in house.faults if fault.what == kinds.BUILDING_PORTAL]
    assert reason in faults[0].reason
    assert len(house.portals) == 2


def test_a_building_with_an_unreadable_shell_keeps_its_portals() -> None:
    shell_id = building(opened()).model_id
    house = building(opened({shell_id: b"\x00"}))
    assert house.shell is None
    assert [entry.polygon for entry in house.portals] == [None, None]
    assert [fault.what for fault in house.faults] == [kinds.BUILDING]


def test_a_building_that_counts_a_room_too_few_is_reported() -> None:
    info_id = BLOCK | 0xFFFE
    info = read_record(LandBlockInfo, hut().cell[info_id], file="hut", record_id=info_id)
    info.num_cells -= 1
    world = opened(cell={info_id: write_record(info)})
    world.landblock(BLOCK)
    assert [(fault.what, fault.reason) for fault in world.faults()] == [
        (kinds.CELL, "the landblock does not count this cell")
    ]


# --- scenery and region


def test_scenery_grows_where_planted_with_available_models() -> None:
    world = opened()
    block = world.landblock(BLOCK)
    assert block is not None
    assert len(block.scenery) > 5
    assert {thing.model_id for thing in block.scenery} <= set(world.source.model_ids())
    for thing in block.scenery:
        assert world.setup(thing.model_id) is not None
        assert not 96 <= thing.frame.origin[0] < 120 or not 96 <= thing.frame.origin[1] < 120  # not in the house
    again = opened().landblock(BLOCK)
    assert again is not None
    placed = [(thing.model_id, thing.frame.origin, thing.scale) for thing in again.scenery]
    assert placed == [(thing.model_id, thing.frame.origin, thing.scale) for thing in block.scenery]


def test_a_missing_scene_is_a_fault_of_the_landblock() -> None:
    (scene_id,) = [key for key in hut().portal if key >> 24 == 0x12]
    world = opened({scene_id: b""})
    block = world.landblock(BLOCK)
    assert block is not None
    assert block.scenery == []
    assert [fault.what for fault in world.faults()] == [kinds.SCENERY]


def test_without_a_region_there_is_no_scenery_and_heights_are_twice_their_index() -> None:
    world = opened({REGION_ID: b""})
    block = world.landblock(BLOCK)
    assert block is not None
    assert block.scenery == []
    assert world.source.height_table[10] == 20.0
    assert [(fault.what, fault.where) for fault in world.faults()] == [(kinds.REGION, REGION_ID)]


def test_a_height_table_with_a_hole_is_not_used() -> None:
    region = read_record(Region, hut().portal[REGION_ID], file="hut", record_id=REGION_ID)
    table = list(region.height_table)
    table[7] = float("nan")
    world = opened({REGION_ID: write_record(replace(region, height_table=table))})
    assert world.source.height_table[7] == 14.0
    assert [fault.reason for fault in world.faults()] == ["the height table is not used: entry 7 is nan"]
