"""Root modes and their fallbacks (rendering.md 21.3), and which cells load around a position (4.2)."""

from __future__ import annotations

import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.visibility.point_location import PointLocator
from engine.visibility.root import (
    NONE,
    PINNED,
    PLAYER,
    SEARCHED,
    VIEWER,
    RootSources,
    RootWatch,
    choose_root,
)
from engine.visibility.store import CellManager
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell
from engine.world.loader import open_world
from engine.world.world import World
from tests.visibility.helpers.worlds import DUNGEON, VILLAGE, demo, eye_at

PARLOUR, PARLOUR_EYE = eye_at("cottage_parlour")
KITCHEN, _ = eye_at("cottage_kitchen")
BEDROOM, _ = eye_at("bedroom")
MISSING = VILLAGE & 0xFFFF0000 | 0xFF00


def locator(world: World) -> PointLocator:
    return PointLocator(WorldView(world))


@pytest.mark.parametrize(("mode", "root"), [(PLAYER, KITCHEN), (VIEWER, PARLOUR), (PINNED, BEDROOM)])
def test_each_mode_draws_from_its_own_cell_wherever_the_eye_is(mode: str, root: int) -> None:
    sources = RootSources(KITCHEN, PARLOUR, BEDROOM)
    search = locator(demo())
    choice = choose_root(demo().graph, mode, sources, search, VILLAGE, PARLOUR_EYE)
    assert (choice.root_id, choice.source, choice.message) == (root, mode, "")
    assert search.searches == 0


@pytest.mark.parametrize(
    ("mode", "sources", "source", "root"),
    [
        (PINNED, RootSources(KITCHEN, PARLOUR, MISSING), VIEWER, PARLOUR),
        (PINNED, RootSources(KITCHEN, MISSING, 0), PLAYER, KITCHEN),
        (PLAYER, RootSources(0, PARLOUR, BEDROOM), VIEWER, PARLOUR),
        (VIEWER, RootSources(KITCHEN, 0, BEDROOM), PLAYER, KITCHEN),
        (VIEWER, RootSources(MISSING, 0, BEDROOM), SEARCHED, PARLOUR),
    ],
)
def test_a_lost_root_falls_back_to_viewer_player_then_the_eyes_room(
    mode: str, sources: RootSources, source: str, root: int
) -> None:
    choice = choose_root(demo().graph, mode, sources, locator(demo()), VILLAGE, PARLOUR_EYE)
    assert (choice.source, choice.root_id) == (source, root)
    assert choice.message.endswith(f"0x{root:08X}") or choice.source == SEARCHED
    assert mode in choice.message


def test_outdoors_the_last_resort_is_the_land_cell_and_in_a_dungeon_nothing() -> None:
    nobody = RootSources()
    outdoors = choose_root(demo().graph, PLAYER, nobody, locator(demo()), VILLAGE, (80.0, 95.0, 40.0))
    assert (outdoors.source, outdoors.root_id) == (SEARCHED, VILLAGE & 0xFFFF0000 | 28)
    off_the_map = choose_root(demo().graph, PLAYER, nobody, locator(demo()), 0x0000FFFF, (-1.0, 0.0, 0.0))
    assert (off_the_map.source, off_the_map.root_id) == (NONE, 0)
    assert off_the_map.message == "there is no player cell, and no loaded cell contains the eye"


def test_the_flap_counter_counts_root_changes_of_the_last_second() -> None:
    watch = RootWatch()
    assert watch.saw(1, 0.0) == 0
    assert watch.saw(2, 0.1) == 1
    assert watch.saw(1, 0.2) == 2
    assert watch.saw(1, 0.9) == 2
    assert watch.saw(1, 1.15) == 1
    assert watch.saw(1, 5.0) == 0


# --- ChangePosition and grab_visible_cells


def fresh_demo() -> World:
    return open_world(str(ensure_demo()))


def test_in_a_dungeon_only_the_stab_list_is_in_the_table() -> None:
    world = fresh_demo()
    manager = CellManager(world.graph)
    spot = SPOTS["dungeon_start"]
    assert manager.change_position(spot.cell_id, spot.origin)
    cell = world.graph.peek(spot.cell_id)
    assert isinstance(cell, EnvCell)
    assert list(manager.table) == list(dict.fromkeys([cell.id, *cell.stab_list]))
    assert (manager.landscape.grabs, manager.landscape.block_ids, manager.sun) == (0, [], False)
    assert world.graph.landblocks() == [DUNGEON]
    assert manager.get_visible(spot.cell_id) is cell


def test_no_room_of_the_dungeon_ever_grabs_the_landscape() -> None:
    world = fresh_demo()
    manager = CellManager(world.graph)
    block = world.landblock(DUNGEON)
    assert block is not None
    for room in block.env_cells:
        manager.change_position(room.id, room.frame.origin)
    assert manager.landscape.grabs == 0
    assert manager.changes == len(block.env_cells)


def test_a_room_that_sees_outside_loads_the_landscape_and_building_interiors() -> None:
    world = fresh_demo()
    manager = CellManager(world.graph)
    spot = SPOTS["cottage_parlour"]
    manager.change_position(spot.cell_id, spot.origin)
    assert manager.sun
    assert len(world.graph.landblocks()) == 9
    assert manager.landscape.loadpoint >> 16 == VILLAGE >> 16
    assert not is_env_cell(manager.landscape.loadpoint)
    assert SPOTS["inn_common_room"].cell_id in manager.table
    assert next(iter(manager.table)) == spot.cell_id


def test_entering_a_dungeon_releases_the_landscape_unless_told_to_keep_it() -> None:
    world = fresh_demo()
    manager = CellManager(world.graph)
    street, dungeon = SPOTS["street"], SPOTS["dungeon_start"]
    manager.change_position(street.cell_id, street.origin)
    assert len(manager.landscape.block_ids) == 9
    manager.change_position(dungeon.cell_id, dungeon.origin)
    assert manager.landscape.block_ids == []
    assert manager.get_visible(street.cell_id) is not None, "the editor keeps landblocks in the graph"
    manager.keep_landscape_loaded = True
    manager.change_position(street.cell_id, street.origin)
    manager.change_position(dungeon.cell_id, dungeon.origin)
    assert len(manager.landscape.block_ids) == 9


def test_only_another_cell_or_an_edited_one_changes_the_position() -> None:
    world = fresh_demo()
    manager = CellManager(world.graph)
    spot = SPOTS["cottage_parlour"]
    assert manager.change_position(spot.cell_id, spot.origin)
    assert not manager.change_position(spot.cell_id, spot.origin)
    assert manager.change_position(spot.cell_id, spot.origin, forced=True)
    old = world.graph.peek(spot.cell_id)
    assert isinstance(old, EnvCell)
    edited = EnvCell(old.id, old.frame, old.structure, old.portals, [], old.flags, old.surfaces)
    world.graph.replace_cell(edited)
    assert manager.change_position(spot.cell_id, spot.origin)
    assert manager.current is edited


def test_in_no_cell_the_table_is_empty() -> None:
    manager = CellManager(fresh_demo().graph)
    spot = SPOTS["cottage_parlour"]
    manager.change_position(spot.cell_id, spot.origin)
    assert manager.change_position(0, spot.origin)
    assert manager.current is None
    assert not manager.table
    assert not manager.change_position(0, spot.origin)


def test_a_missing_cell_leaves_no_current_cell() -> None:
    manager = CellManager(fresh_demo().graph)
    assert manager.change_position(MISSING, (0.0, 0.0, 0.0))
    assert manager.current is None
    assert manager.get_visible(MISSING) is None
