"""Slots, the cache of openings, and what a flood leaves behind (rendering.md 3.2, 7)."""

from __future__ import annotations

import gc

import pytest

from engine.geometry.frame import Frame
from engine.visibility.camera import looking
from engine.visibility.flood import Visibility
from engine.visibility.options import FloodOptions
from engine.visibility.records import ENTRY, NO_CELL, NO_PORTAL, NO_SLOT, OPEN
from engine.visibility.slots import ViewSlots
from engine.world.cells.cell import EnvCell
from engine.world.cells.landdefs import block_offset
from engine.world.graph.graph import CellGraph
from engine.world.loader.portal_scene import BLOCK
from tests.visibility.helpers.screens import corners, same_outline
from tests.visibility.helpers.small_scenes import BACK, SmallScene, eye_at, two_rooms

WHOLE = [(0.0, 480.0), (640.0, 480.0), (640.0, 0.0), (0.0, 0.0)]


def test_the_root_has_the_whole_screen_and_no_parent() -> None:
    scene = SmallScene(two_rooms())
    result = scene.flood("A", eye_at(5.0, 2.0))
    root, other = result.cells
    assert [corners(view) for view in root.views] == [WHOLE]
    assert (root.parent_id, root.parent_portal, root.depth, root.found) == (NO_CELL, NO_PORTAL, 0, 0)
    assert (other.parent_id, other.parent_portal, other.depth, other.found) == (root.cell_id, 0, 1, 1)
    assert result.visible(other.cell_id) is other
    assert result.visible(7) is None
    assert (result.clips, result.views, result.fixes, result.drops) == (1, 1, 0, 0)


def test_every_flood_has_the_next_timestamp_of_the_one_counter() -> None:
    scene = SmallScene(two_rooms())
    visibility = Visibility(scene.world.graph)
    stamps = [visibility.flood_interior(scene.id("A"), eye_at(5.0, 2.0)).timestamp for _ in range(3)]
    assert stamps == [1, 2, 3]
    assert visibility.indoor_pview.slots is visibility.outdoor_pview.slots
    assert visibility.indoor_pview is not visibility.outdoor_pview


def test_each_flood_uses_its_own_level_of_the_stack_of_slots() -> None:
    slots = ViewSlots()
    outer = slots.add_views(1, {2, 3}, False)
    inner = slots.add_views(NO_CELL, {3}, False)
    assert [outer.has(cell_id) for cell_id in (1, 2, 3, 4)] == [True, True, True, False]
    assert [inner.has(cell_id) for cell_id in (1, 2, 3, 4)] == [False, False, True, False]
    slots.remove_views()
    assert slots.levels == [outer]
    assert slots.add_views(1, set(), True).has(4)


def test_a_cell_beyond_the_stab_list_has_no_slot() -> None:
    rooms = two_rooms()
    rooms["A"]["stab"] = []
    scene = SmallScene(rooms)
    result = scene.flood("A", eye_at(5.0, 2.0))
    assert scene.draw(result) == ["A"]
    assert [record.status for record in result.portals] == [NO_SLOT]
    assert len(result.portals[0].pieces) == 1


def test_a_flood_sees_a_replaced_cell_as_it_is_now() -> None:
    scene = SmallScene(two_rooms())
    visibility = Visibility(scene.world.graph)
    camera = eye_at(5.0, 2.0)
    visibility.flood_interior(scene.id("A"), camera)
    old = scene.world.graph.peek(scene.id("A"))
    assert isinstance(old, EnvCell)
    assert visibility.store.count() == 2
    lower = EnvCell(old.id, Frame((0.0, 0.0, -1.0)), old.structure, old.portals, old.stab_list, old.flags, [])
    scene.world.graph.replace_cell(lower)
    assert visibility.store.count() == 1
    (view,) = visibility.flood_interior(scene.id("A"), camera).cells[1].views
    assert same_outline(corners(view), [(290, 315), (350, 315), (350, 225), (290, 225)])
    visibility.close()


def test_a_flood_sees_a_cell_changed_in_place_as_it_is_now() -> None:
    scene = SmallScene(two_rooms())
    visibility = Visibility(scene.world.graph)
    visibility.flood_interior(scene.id("A"), eye_at(5.0, 2.0))
    cell = scene.world.graph.peek(scene.id("A"))
    assert isinstance(cell, EnvCell)
    cell.portals = []
    assert scene.draw(visibility.flood_interior(cell.id, eye_at(5.0, 2.0))) == ["A"]


def test_visibility_forgets_unloaded_cells_until_it_is_closed() -> None:
    scene = SmallScene(two_rooms())
    visibility, closed = Visibility(scene.world.graph), Visibility(scene.world.graph)
    for each in (visibility, closed):
        each.flood_interior(scene.id("A"), eye_at(5.0, 2.0))
    closed.close()
    scene.world.graph.remove_cell(scene.id("B"))
    assert (visibility.store.count(), closed.store.count()) == (1, 2)
    assert [record.status for record in visibility.flood_interior(scene.id("A"), eye_at(5.0, 2.0)).portals] != [OPEN]


def test_a_flood_loads_nothing() -> None:
    graph = CellGraph(lambda block_id: pytest.fail(f"asked for {block_id:08X}"))
    assert Visibility(graph).flood_interior(0xC95B0100, eye_at(5.0, 2.0)).rejected == "NOT_LOADED"


def test_a_flood_leaves_no_reference_cycles() -> None:
    scene = SmallScene(two_rooms())
    visibility = Visibility(scene.world.graph)
    visibility.flood_interior(scene.id("A"), eye_at(5.0, 2.0))
    gc.collect()
    gc.disable()
    try:
        for _ in range(50):
            visibility.flood_interior(scene.id("A"), eye_at(5.0, 2.0))
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.parametrize("neighbour", [0x00010000, 0x02010000, 0x01000000, 0x0102FFFF, 0xA9B40001])
def test_an_eye_in_another_landblocks_coordinates_sees_the_same(neighbour: int) -> None:
    scene = SmallScene(two_rooms())
    dx, dy, _ = block_offset(neighbour, BLOCK)
    camera = looking(neighbour, (5.0 + dx, 2.0 + dy, 1.5), 0.0, 0.0, 640.0, 480.0, 240.0)
    result = scene.flood("A", camera)
    assert scene.draw(result) == ["A", "B"]
    assert same_outline(corners(result.cells[1].views[0]), [(290, 285), (350, 285), (350, 195), (290, 195)])


def test_every_second_flood_looks_out_of_a_room_whose_polygon_the_eye_passed() -> None:
    """The room's own polygon of the doorway is a metre nearer than the other room's (rendering.md C13)."""
    rooms = two_rooms()
    rooms["B"]["portals"][0]["poly"] = [[x, y - 1.0, z] for x, y, z in BACK]
    scene = SmallScene(rooms)
    visibility = Visibility(scene.world.graph, FloodOptions(robust=False, stale_inflags=True))
    statuses = []
    for _ in range(4):
        result = visibility.flood_interior(scene.id("A"), eye_at(5.0, 9.5, heading=180.0))
        assert scene.draw(result) == ["A"]
    for _ in range(4):
        result = visibility.flood_interior(scene.id("A"), eye_at(5.0, 9.5))
        statuses.append(scene.statuses(result)["B"])
    assert statuses[0] == [ENTRY]
    assert statuses[1] != [ENTRY]
    assert statuses == statuses[:2] * 2
    fresh = Visibility(scene.world.graph, FloodOptions(robust=False))
    for _ in range(2):
        assert scene.statuses(fresh.flood_interior(scene.id("A"), eye_at(5.0, 9.5)))["B"] == [ENTRY]
