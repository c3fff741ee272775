"""The demo world contains what it should, and its records are right, as the reader returns them."""

from __future__ import annotations

import math
from collections import deque

import pytest

from engine.build.demo import ensure_demo
from engine.dat.database import DatDatabase
from engine.dat.ids import DatKind
from engine.dat.records.catalogue import read_record, record_class_for, write_record
from engine.geometry.constants import FLOOR_Z
from engine.world.cells.cell import EnvCell
from engine.world.cells.terrain import is_water_type, road_code, terrain_type
from engine.world.entity_spec import ETHEREAL, EntitySpec
from engine.world.landblock import edge_faults, neighbour_ids
from tests.build.demo_folder import DUNGEON, VILLAGE, block, built, cell, demo


def _cells(block_id: int) -> dict[int, EnvCell]:
    return {found.id: found for found in block(block_id).env_cells}


def _doors() -> dict[str, EntitySpec]:
    return {entity.name: entity for entity in demo().entities if entity.kind == "door"}


def _named(prefix: str) -> list[EnvCell]:
    return [cell(name) for name in built().cells if name.startswith(f"{prefix}/")]


def test_the_demo_world_loads_without_a_fault() -> None:
    world = demo()
    for block_id in world.landblock_ids():
        loaded = block(block_id)
        assert loaded.scenery is not None
        assert world.landblock_faults(block_id) == []
        assert [fault for found in loaded.cells for fault in found.faults] == []
    assert world.faults() == []


def test_the_demo_landblocks_are_village_neighbours_and_dungeon() -> None:
    assert set(demo().landblock_ids()) == {VILLAGE, DUNGEON, *neighbour_ids(VILLAGE)}
    assert len(neighbour_ids(VILLAGE)) == 8


def test_every_record_is_written_as_it_was_read() -> None:
    folder = ensure_demo()
    for kind in (DatKind.PORTAL, DatKind.CELL):
        name = kind.file_name
        with DatDatabase.open(folder / name) as database:
            count = 0
            for record_id in database.ids():
                if record_id == 0xFFFF0001:
                    continue
                data = database.read(record_id)
                record_class = record_class_for(record_id, kind)
                assert record_class is not None
                assert write_record(read_record(record_class, data, file=name, record_id=record_id)) == data
                count += 1
            assert count > 100


def test_there_is_a_cottage_with_a_cellar_and_two_ways_out() -> None:
    names = {name.split("/")[1] for name in built().cells if name.startswith("cottage/")}
    assert names >= {"cottage vestibule", "parlour", "kitchen", "cellar", "cellar hatch", "landing", "bedroom"}
    village = block(VILLAGE)
    assert len(village.buildings) == 3
    ids = {found.id for found in _named("cottage")}
    (cottage,) = [b for b in village.buildings if b.portals[0].other_cell_id | VILLAGE & 0xFFFF0000 in ids]
    passable = [
        portal
        for portal in cottage.portals
        if not _is_blocked(_cells(VILLAGE)[portal.other_cell_id | VILLAGE & 0xFFFF0000], portal.other_portal_id)
    ]
    assert len(passable) == 2
    assert cottage.shell is not None
    assert cottage.shell.physics_tree is not None
    for portal in cottage.portals:
        assert {low | VILLAGE & 0xFFFF0000 for low in portal.stab_list} == ids


def _is_blocked(found: EnvCell, portal: int) -> bool:
    """Whether a physics polygon fills the portal: a window."""
    opening = found.portals[portal].polygon
    assert opening is not None
    wanted = sorted(opening.vertices)
    return any(sorted(p.vertices) == wanted for p in found.structure.physics_polygons.values())


def test_the_front_door_is_the_reference_door() -> None:
    door = _doors()["Front Door"]
    setup = demo().setup(door.setup_id)
    assert setup is not None
    assert setup.cyl_spheres == []
    ((center, radius),) = [(sphere.center, sphere.radius) for sphere in setup.spheres]
    assert center == pytest.approx((0.0, 0.0, 0.018), abs=1e-6)
    assert radius == pytest.approx(0.1, abs=1e-6)
    trees = [part.gfxobj.physics_tree for part in setup.parts if part.gfxobj is not None]
    assert len(trees) == 3
    assert all(tree is not None for tree in trees)
    assert door.extra["reset_interval"] == 30.0
    assert door.state == 0x10008


@pytest.mark.parametrize("name", ["Front Door", "Inn Door", "Guest Room 2", "Double Door"])
def test_the_slabs_of_a_closed_door_fill_its_opening(name: str) -> None:
    door = _doors()[name]
    setup = demo().setup(door.setup_id)
    home = demo().graph.get_visible(door.cell_id)
    assert setup is not None
    assert isinstance(home, EnvCell)
    spans = []
    for index, part in enumerate(setup.parts):
        assert part.gfxobj is not None
        frame = setup.part_frame(index)
        corners = [frame.local_to_global(p) for p in part.gfxobj.box.corners()]
        spans.append((min(p[0] for p in corners), max(p[0] for p in corners), max(p[2] for p in corners)))
    opening = min(
        (portal.polygon for portal in home.portals if portal.polygon is not None),
        key=lambda polygon: math.dist(_middle(home, polygon.vertices)[:2], door.frame.origin[:2]),
    )
    local = [door.frame.global_to_local(home.frame.local_to_global(p)) for p in opening.vertices]
    low, high, top = min(p[0] for p in local), max(p[0] for p in local), max(p[2] for p in local)
    reached = low
    for left, right, height in sorted(spans):
        if left <= reached + 0.02 and height > top - 0.02:
            reached = max(reached, right)
    assert reached >= high - 0.02


def _middle(home: EnvCell, points: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    placed = [home.frame.local_to_global(p) for p in points]
    x, y, z = (sum(p[axis] for p in placed) / len(placed) for axis in range(3))
    return (x, y, z)


def test_vestibules_have_four_polygons_and_the_common_room_over_20_walls() -> None:
    for name in ("cottage vestibule", "inn vestibule"):
        vestibule = cell(name)
        assert len(vestibule.structure.physics_polygons) == 4
        assert len(vestibule.portals) == 2
    walls = [p for p in cell("common room").structure.physics_polygons.values() if abs(p.plane.normal[2]) < 0.1]
    assert len(walls) > 20
    neighbours = {portal.other_cell_id for portal in cell("inn vestibule").portals}
    assert cell("common room").id in neighbours


def test_the_inn_has_six_doors_one_locked_and_one_open() -> None:
    ids = {found.id for found in _named("inn")}
    doors = [door for door in _doors().values() if door.cell_id in ids]
    assert len(doors) == 6
    assert [door.name for door in doors if door.extra["locked"]] == ["Guest Room 3"]
    assert [door.name for door in doors if door.extra["open"]] == ["Yard Door"]
    assert [door.name for door in doors if door.state & ETHEREAL] == ["Yard Door"]
    names = {name.split("/")[1] for name in built().cells if name.startswith("inn/")}
    assert names >= {"inn kitchen", "guest room one", "guest room two", "guest room three", "inn cellar"}


def test_guids_are_fixed_and_differ() -> None:
    entities = demo().entities
    assert len({entity.guid for entity in entities}) == len(entities)
    assert _doors()["Front Door"].guid == 0x7C95B001
    assert {entity.kind for entity in entities} == {"door", "chest", "sign", "creature"}


def test_only_the_dungeons_landblock_is_a_dungeon() -> None:
    dungeon, village = block(DUNGEON), block(VILLAGE)
    assert (dungeon.is_dungeon, dungeon.has_dungeon) == (True, True)
    assert (village.is_dungeon, village.has_dungeon) == (False, False)
    assert dungeon.terrain is not None
    assert set(dungeon.terrain.height_indices) == {0}
    assert dungeon.buildings == []
    cells = dungeon.env_cells
    assert len(cells) >= 60
    assert not any(found.seen_outside or found.has_exit() for found in cells)


def test_the_dungeon_has_loops_turned_passages_and_several_floors() -> None:
    cells = _cells(DUNGEON)
    edges = sum(len(found.portals) for found in cells.values()) // 2
    assert edges - len(cells) + 1 >= 4
    frames: dict[tuple[int, int], set[int]] = {}
    for found in cells.values():
        key = (found.structure.environment_id, found.structure.index)
        frames.setdefault(key, set()).add(round(found.frame.heading()) % 360)
    assert max(len(headings) for headings in frames.values()) == 4
    assert len(frames) < len(cells) / 3
    heights = {round(found.frame.origin[2], 3) for found in cells.values()}
    assert {0.0, -3.0, -6.0} <= heights
    assert _doors()["Double Door"].cell_id in cells


@pytest.mark.parametrize("block_id", [VILLAGE, DUNGEON])
def test_every_portal_has_its_partner_on_the_other_side(block_id: int) -> None:
    cells = _cells(block_id)
    for found in cells.values():
        for index, portal in enumerate(found.portals):
            assert portal.polygon is not None
            assert not portal.portal_side
            if portal.leads_outside:
                continue
            other = cells[portal.other_cell_id]
            back = other.portals[portal.other_portal_id]
            assert (back.other_cell_id, back.other_portal_id) == (found.id, index)
            assert back.polygon is not None
            here = sorted(found.frame.local_to_global(p) for p in portal.polygon.vertices)
            there = sorted(other.frame.local_to_global(p) for p in back.polygon.vertices)
            assert len(here) == len(there)
            for p in here:
                assert min(math.dist(p, q) for q in there) < 1e-4


def test_every_exit_has_a_building_portal_that_leads_to_it() -> None:
    village = block(VILLAGE)
    high = VILLAGE & 0xFFFF0000
    joined = {
        (portal.other_cell_id | high, portal.other_portal_id)
        for building in village.buildings
        for portal in building.portals
    }
    exits = {
        (found.id, index)
        for found in village.env_cells
        for index, portal in enumerate(found.portals)
        if portal.leads_outside
    }
    assert joined == exits


@pytest.mark.parametrize("block_id", [VILLAGE, DUNGEON])
def test_a_body_can_walk_to_every_cell(block_id: int) -> None:
    cells = _cells(block_id)
    if block_id == DUNGEON:
        waiting = deque([cell("start").id])
    else:
        waiting = deque(
            found.id
            for found in cells.values()
            for index, portal in enumerate(found.portals)
            if portal.leads_outside and not _is_blocked(found, index)
        )
    seen = set(waiting)
    while waiting:
        found = cells[waiting.popleft()]
        for index, portal in enumerate(found.portals):
            if not portal.leads_outside and portal.other_cell_id not in seen and not _is_blocked(found, index):
                seen.add(portal.other_cell_id)
                waiting.append(portal.other_cell_id)
    windows = {found.id for found in cells.values() if all(_is_blocked(found, i) for i in range(len(found.portals)))}
    assert seen | windows == set(cells)
    assert all(len(cells[found].portals) == 2 for found in windows)


def test_the_ground_agrees_along_all_borders() -> None:
    blocks = {b: block(b).terrain for b in demo().landblock_ids()}
    checked = 0
    for block_id, terrain in blocks.items():
        for neighbour in neighbour_ids(block_id):
            other = blocks.get(neighbour)
            if terrain is not None and other is not None:
                assert edge_faults(terrain, other) == []
                checked += 1
    assert checked == 40


def test_the_land_has_water_a_road_gentle_and_too_steep_slopes_and_trees() -> None:
    village = block(VILLAGE)
    assert village.terrain is not None
    words = village.terrain.words
    assert sum(is_water_type(terrain_type(word)) for word in words) >= 9
    assert sum(road_code(word) != 0 for word in words) >= 13
    steepness = [p.plane.normal[2] for found in village.land_cells for p in found.polygons]
    assert min(steepness) < FLOOR_Z - 0.05
    assert any(FLOOR_Z + 0.05 < z < 0.999 for z in steepness)
    assert len(village.scenery) >= 40
    assert sum(demo().setup(thing.model_id) is not None for thing in village.scenery) == len(village.scenery)
    assert len({thing.model_id for thing in village.scenery}) >= 4


def test_roads_and_the_stream_continue_beyond_the_borders() -> None:
    for dx, dy in ((-1, 0), (1, 0), (0, -1)):
        neighbour = VILLAGE + (dx << 24) + (dy << 16)
        terrain = block(neighbour).terrain
        assert terrain is not None
        assert any(road_code(word) for word in terrain.words)
    south = block(VILLAGE - 0x10000).terrain
    assert south is not None
    assert any(is_water_type(terrain_type(word)) for word in south.words)


def test_houses_stand_on_level_ground_with_thresholds_to_step_over() -> None:
    village = block(VILLAGE)
    assert village.terrain is not None
    for building in village.buildings:
        for portal in building.portals:
            found = _cells(VILLAGE)[portal.other_cell_id | VILLAGE & 0xFFFF0000]
            opening = found.portals[portal.other_portal_id].polygon
            assert opening is not None
            if _is_blocked(found, portal.other_portal_id):
                continue
            foot = min((found.frame.local_to_global(p) for p in opening.vertices), key=lambda p: p[2])
            ground = village.terrain.height_at(foot[0], foot[1])
            assert ground is not None
            assert 0.0 <= foot[2] - ground <= 0.2
