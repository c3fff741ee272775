"""The one cell graph: look-up, loading, the current cell, changes and their notifications (physics.md 6.9, 6.11,
15.1)."""

from __future__ import annotations

import pytest

from engine.geometry.cell_bsp import CellInner, CellLeaf
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.world.cells.cell import CellStruct, EnvCell, LandCell, ObjCell
from engine.world.cells.objects import ShadowObject
from engine.world.cells.portals import OUTSIDE, CellPortal
from engine.world.cells.terrain import Terrain
from engine.world.faults import WorldError
from engine.world.graph.graph import ADDED, CURRENT, NO_CELL, REMOVED, REPLACED, CellGraph, GraphChange

A = 0xC95B0000
B = 0xC95C0000


def slice_of_space(low_y: float, high_y: float) -> CellStruct:
    """A structure that contains everything between two values of y."""
    tree = CellInner(
        Plane((0.0, 1.0, 0.0), -low_y), CellInner(Plane((0.0, -1.0, 0.0), high_y), CellLeaf(0), None), None
    )
    return CellStruct(0x0D000001, 0, [], {}, [], {}, None, tree, None, None)


def room(cell_id: int, low_y: float = 0.0, high_y: float = 3.0) -> EnvCell:
    made = EnvCell(cell_id, Frame(), slice_of_space(low_y, high_y), [], [], 0, [])
    made.portals_left_out = True
    return made


class Blocks:
    """A source of two landblocks that remembers the requests made to it."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.rooms = {A: [0x101, 0x100], B: [0x100]}

    def load(self, block_id: int) -> list[ObjCell] | None:
        self.asked.append(block_id)
        lows = self.rooms.get(block_id & 0xFFFF0000)
        if lows is None:
            return None
        terrain = Terrain(block_id, [0] * 81, [0] * 81, [0.0] * 256)
        land = [LandCell((block_id & 0xFFFF0000) | low, terrain) for low in (1, 2)]
        return [*land, *(room((block_id & 0xFFFF0000) | low) for low in lows)]


@pytest.fixture
def blocks() -> Blocks:
    return Blocks()


@pytest.fixture
def graph(blocks: Blocks) -> CellGraph:
    return CellGraph(blocks.load)


def watch(graph: CellGraph) -> list[GraphChange]:
    seen: list[GraphChange] = []
    graph.observe(seen.append)
    return seen


def told(changes: list[GraphChange]) -> list[tuple[str, list[int]]]:
    return [(change.kind, change.cell_ids) for change in changes]


def current(graph: CellGraph) -> ObjCell | None:
    """A call, because it may have changed since mypy last saw it."""
    return graph.current


# --- look-up


def test_asking_for_a_cell_loads_its_landblock_once(graph: CellGraph, blocks: Blocks) -> None:
    cell = graph.get_visible(A | 0x100)
    assert cell is not None
    assert cell.id == A | 0x100
    assert graph.get_visible(A | 0x100) is cell
    assert graph.get_visible(A | 0x101) is not None
    assert graph.get_visible(A | 0x200) is None
    assert blocks.asked == [A | 0xFFFF]


def test_land_cells_and_rooms_share_one_look_up(graph: CellGraph) -> None:
    land = graph.get_visible(A | 1)
    assert isinstance(land, LandCell)
    assert not land.is_interior


def test_a_missing_landblock_is_requested_once(graph: CellGraph, blocks: Blocks) -> None:
    assert graph.get_visible(0x12340100) is None
    assert graph.get_visible(0x12340101) is None
    assert blocks.asked == [0x1234FFFF]
    assert not graph.is_loaded(0x12340000)


@pytest.mark.parametrize("cell_id", [0, OUTSIDE, A, A | 0x41, A | 0xFFFE, A | 0xFF])
def test_ids_that_name_no_cell_find_none(graph: CellGraph, cell_id: int) -> None:
    assert graph.get_visible(cell_id) is None


def test_peeking_loads_nothing(graph: CellGraph, blocks: Blocks) -> None:
    assert graph.peek(A | 0x100) is None
    assert blocks.asked == []
    graph.load_landblock(A)
    assert graph.peek(A | 0x100) is not None


def test_all_cells_are_in_the_order_of_their_ids(graph: CellGraph) -> None:
    graph.load_landblock(B)
    graph.load_landblock(A)
    ids = [cell.id for cell in graph.all_cells()]
    assert ids == sorted(ids)
    assert [cell.id & 0xFFFF for cell in graph.cells_of(A | 0x100)] == [1, 2, 0x100, 0x101]
    assert graph.landblocks() == [A | 0xFFFF, B | 0xFFFF]


def test_the_list_of_all_cells_belongs_to_the_caller(graph: CellGraph) -> None:
    graph.load_landblock(A)
    graph.all_cells().clear()
    assert len(graph.all_cells()) == 4


def test_a_loader_may_request_its_own_cells_without_recursion() -> None:
    graph = CellGraph()

    def load(block_id: int) -> list[ObjCell] | None:
        assert graph.get_visible(A | 0x100) is None
        return [room(A | 0x100)]

    graph = CellGraph(load)
    assert graph.get_visible(A | 0x100) is not None


def test_a_graph_without_a_source_holds_the_cells_given_to_it() -> None:
    graph = CellGraph()
    cell = room(A | 0x100)
    graph.add_cell(cell)
    assert graph.get_visible(A | 0x100) is cell
    assert graph.get_visible(A | 0x101) is None
    assert graph.landblocks() == [A | 0xFFFF]


# --- C-CELL-17: cell y<=3, stab sibling y>=7: point y=1 / 8 / 5 -> start / sibling / none


@pytest.mark.parametrize(("y", "expected"), [(1.0, A | 0x100), (8.0, A | 0x101), (5.0, None)])
@pytest.mark.parametrize("search_stab", [True, False])
def test_the_child_cell_is_the_cell_itself_or_one_it_sees(y: float, expected: int | None, search_stab: bool) -> None:
    graph = CellGraph()
    start, sibling = room(A | 0x100, -100.0, 3.0), room(A | 0x101, 7.0, 100.0)
    start.set_stab_list([A | 0x101])
    start.portals = [CellPortal(1, 0, None, A | 0x101, 0)]
    graph.add_cell(start)
    graph.add_cell(sibling)
    found = graph.find_visible_child_cell(start, (0.0, y, 0.0), search_stab)
    assert (None if found is None else found.id) == expected


def test_the_child_cell_search_takes_stabs_or_portals_as_requested() -> None:
    graph = CellGraph()
    start, sibling = room(A | 0x100, -100.0, 3.0), room(A | 0x101, 7.0, 100.0)
    start.set_stab_list([A | 0x200, A | 0x101])
    graph.add_cell(start)
    graph.add_cell(sibling)
    assert graph.find_visible_child_cell(start, (0.0, 8.0, 0.0), True) is sibling
    assert graph.find_visible_child_cell(start, (0.0, 8.0, 0.0), False) is None


# --- the current cell


def test_setting_the_current_cell_reports_the_previous_one(graph: CellGraph) -> None:
    graph.set_current(A | 0x100)
    seen = watch(graph)
    graph.set_current(A | 0x101)
    assert current(graph) is graph.get_visible(A | 0x101)
    assert [(c.kind, c.cell_ids, c.previous) for c in seen] == [(CURRENT, [A | 0x101], A | 0x100)]


def test_setting_the_same_cell_again_reports_nothing(graph: CellGraph) -> None:
    graph.set_current(A | 0x100)
    seen = watch(graph)
    graph.set_current(A | 0x100)
    assert seen == []


def test_there_may_be_no_current_cell(graph: CellGraph) -> None:
    assert current(graph) is None
    graph.set_current(A | 0x100)
    seen = watch(graph)
    graph.set_current(NO_CELL)
    assert current(graph) is None
    assert told(seen) == [(CURRENT, [])]


def test_a_missing_current_cell_is_remembered_until_it_loads(graph: CellGraph) -> None:
    graph.set_current(A | 0x200)
    assert current(graph) is None
    assert graph.current_id == A | 0x200
    seen = watch(graph)
    new = room(A | 0x200)
    graph.add_cell(new)
    assert current(graph) is new
    assert told(seen) == [(ADDED, [A | 0x200]), (CURRENT, [A | 0x200])]


# --- changes


def test_loading_a_landblock_reports_its_cells_in_order_of_their_ids(graph: CellGraph) -> None:
    seen = watch(graph)
    graph.get_visible(A | 0x100)
    assert told(seen) == [(ADDED, [A | 1, A | 2, A | 0x100, A | 0x101])]


def test_unloading_drops_the_cells_and_the_next_look_up_reloads_them(graph: CellGraph, blocks: Blocks) -> None:
    before = graph.get_visible(A | 0x100)
    graph.set_current(A | 0x100)
    seen = watch(graph)
    assert graph.unload_landblock(A)
    assert current(graph) is None
    assert told(seen) == [(REMOVED, [A | 1, A | 2, A | 0x100, A | 0x101]), (CURRENT, [A | 0x100])]
    after = graph.get_visible(A | 0x100)
    assert after is not None
    assert after is not before
    assert current(graph) is after
    assert blocks.asked == [A | 0xFFFF] * 2


def test_unloading_an_unloaded_landblock_reports_nothing(graph: CellGraph) -> None:
    seen = watch(graph)
    assert not graph.unload_landblock(A)
    assert not graph.get_visible(0x12340100)
    assert not graph.unload_landblock(0x12340000)
    assert seen == []


def test_an_edited_cell_takes_over_the_position_and_contents_of_the_old(graph: CellGraph) -> None:
    old = graph.get_visible(A | 0x100)
    assert old is not None
    old.shadow_objects.append(ShadowObject(7))
    old.object_list.append(7)
    graph.set_current(A | 0x100)
    seen = watch(graph)
    new = room(A | 0x100, -5.0, 5.0)
    assert graph.replace_cell(new) is old
    assert graph.get_visible(A | 0x100) is new
    assert current(graph) is new
    assert [row.object_id for row in new.shadow_objects] == [7]
    assert new.object_list == [7]
    assert old.shadow_objects == []
    assert told(seen) == [(REPLACED, [A | 0x100]), (CURRENT, [A | 0x100])]


def test_replacing_a_cell_by_itself_changes_nothing(graph: CellGraph) -> None:
    cell = graph.get_visible(A | 0x100)
    assert cell is not None
    cell.object_list.append(7)
    seen = watch(graph)
    graph.replace_cell(cell)
    assert cell.object_list == [7]
    assert seen == []


def test_a_removed_cell_is_gone_until_it_is_added_again(graph: CellGraph, blocks: Blocks) -> None:
    cell = graph.get_visible(A | 0x100)
    assert cell is not None
    seen = watch(graph)
    assert graph.remove_cell(A | 0x100) is cell
    assert graph.get_visible(A | 0x100) is None
    graph.add_cell(cell)
    assert graph.get_visible(A | 0x100) is cell
    assert told(seen) == [(REMOVED, [A | 0x100]), (ADDED, [A | 0x100])]
    assert blocks.asked == [A | 0xFFFF]


def test_senseless_changes_are_errors(graph: CellGraph) -> None:
    with pytest.raises(WorldError, match="there is a cell 0xC95B0100 already"):
        graph.add_cell(room(A | 0x100))
    with pytest.raises(WorldError, match="no cell 0xC95B0200 to remove"):
        graph.remove_cell(A | 0x200)
    with pytest.raises(WorldError, match="no cell 0xC95B0200 to replace"):
        graph.replace_cell(room(A | 0x200))


# --- observers


def test_observers_are_notified_in_order_of_subscription(graph: CellGraph) -> None:
    order: list[int] = []
    graph.observe(lambda change: order.append(1))
    graph.observe(lambda change: order.append(2))
    graph.load_landblock(A)
    assert order == [1, 2]


def test_observers_hear_of_a_change_when_it_is_complete(graph: CellGraph) -> None:
    found: list[bool] = []
    graph.observe(lambda change: found.append(graph.peek(change.cell_ids[0]) is not None))
    graph.load_landblock(A)
    graph.remove_cell(A | 0x100)
    assert found == [True, False]


def test_observers_may_come_and_go_during_a_notification(graph: CellGraph) -> None:
    heard: list[str] = []

    def late(change: GraphChange) -> None:
        heard.append(f"late {change.kind}")

    def last(change: GraphChange) -> None:
        heard.append(f"last {change.kind}")

    def first(change: GraphChange) -> None:
        heard.append(f"first {change.kind}")
        graph.unobserve(first)
        graph.unobserve(last)
        graph.observe(late)

    graph.observe(first)
    graph.observe(last)
    graph.load_landblock(A)
    assert heard == ["first added"]
    graph.remove_cell(A | 0x100)
    assert heard == ["first added", "late removed"]


def test_an_observer_may_change_the_graph(graph: CellGraph) -> None:
    kinds: list[str] = []

    def follow(change: GraphChange) -> None:
        kinds.append(change.kind)
        if change.kind == ADDED:
            graph.set_current(change.cell_ids[0])

    graph.observe(follow)
    graph.load_landblock(A)
    assert kinds == [ADDED, CURRENT]
    assert graph.current_id == A | 1


def test_an_observer_that_never_subscribed_cannot_unsubscribe(graph: CellGraph) -> None:
    graph.unobserve(lambda change: None)


def test_a_changes_text_names_its_cell() -> None:
    assert repr(GraphChange(REMOVED, [A | 0x100, A | 0x101])) == "GraphChange(removed, [0xC95B0100, 0xC95B0101])"
