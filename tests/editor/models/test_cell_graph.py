"""The graph of a landblock's cells and its layout, made without a window."""

from __future__ import annotations

import itertools
import math
import random
import time
from statistics import median

import pytest

from editor.authoring.cell_edits import set_portal_flags, set_stab_list
from editor.maps.landblock_plan import PortalTarget
from editor.models.eyesight import PlayerSight
from editor.models.graph.cell_graph import CellGraphPicture, GraphEdge, RoomVisibility, VisibleRooms, make_cell_graph
from editor.models.graph.layout import NODE_HEIGHT, NODE_WIDTH, NodeSpot, lay_out, usual_distance
from editor.models.portal_sides import side_rows, title_of_edge
from editor.session.session import Kind, Selection
from editor.session.sources import DEMO, open_source
from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.sim.edits.player import FacePlayer
from engine.world.cells.portals import CellPortal
from engine.world.landblock import Landblock
from engine.world.world import World
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, open_rooms, with_cellar

BLOCK = 0x0007FFFF
HALL, STUDY, BETWEEN = (Selection(Kind.CELL, BLOCK, 0x00070100 + index) for index in range(3))


def block_of(world: World, block_id: int = BLOCK) -> Landblock:
    block = world.landblock(block_id)
    assert block is not None
    return block


@pytest.fixture
def rooms() -> World:
    """A hall and a study east of it, with a doorway's cell between them."""
    return built(open_rooms).load()


def overlapping(graph: CellGraphPicture) -> list[tuple[str, str]]:
    return [
        (a.label, b.label)
        for a, b in itertools.combinations(graph.nodes.values(), 2)
        if abs(a.x - b.x) < NODE_WIDTH and abs(a.y - b.y) < NODE_HEIGHT
    ]


def unpaired(world: World) -> CellPortal:
    """Take the way back from the doorway's cell to the hall away."""
    cell = block_of(world).env_cells[2]
    old = cell.portals[0]
    cell.portals[0] = CellPortal(old.flags, old.polygon_id, old.polygon, old.other_cell_id, -1)
    return cell.portals[0]


def test_an_opening_and_its_mate_are_one_line_with_two_sides(rooms: World) -> None:
    graph = make_cell_graph(block_of(rooms))
    assert list(graph.nodes) == [HALL, STUDY, BETWEEN]
    assert [len(edge.sides) for edge in graph.edges] == [2, 2]
    assert not any(edge.one_sided for edge in graph.edges)


def test_rooms_stand_as_they_stand_on_the_map(rooms: World) -> None:
    graph = make_cell_graph(block_of(rooms))
    assert graph.nodes[HALL].x < graph.nodes[BETWEEN].x < graph.nodes[STUDY].x
    assert graph.neighbour(HALL, 1, 0) == BETWEEN
    assert graph.neighbour(HALL, -1, 0) is None


def test_a_portal_without_its_mate_is_one_sided_and_said_to_be(rooms: World) -> None:
    unpaired(rooms)
    graph = make_cell_graph(block_of(rooms))
    one_sided = [edge for edge in graph.edges if edge.one_sided]
    assert {edge.start for edge in one_sided} == {HALL, BETWEEN}
    rows = side_rows(block_of(rooms), one_sided[0])
    assert "■ no portal of it is the other side" in rows[1].values[-1].text
    assert title_of_edge(one_sided[0]).endswith("one-sided")


def test_a_portal_to_a_cell_that_is_not_there_dangles() -> None:
    document = document_of(built(open_rooms))
    document.sim.graph.remove_cell(STUDY.key)
    assert document.world is not None
    graph = make_cell_graph(block_of(document.world))
    (dangling,) = [edge for edge in graph.edges if edge.dangling]
    assert (dangling.start, dangling.end) == (BETWEEN, None)
    assert dangling.towards[0] > 0.9
    assert "a missing cell" in title_of_edge(dangling)


def test_both_sides_of_a_portal_are_told_exactly(rooms: World) -> None:
    block = block_of(rooms)
    edge = make_cell_graph(block).edges[0]
    rows = side_rows(block, edge)
    hall = block.env_cells[0].portals[0]
    assert [value.text for value in rows[0].values[:6]] == [
        "0x00070100",
        "0",
        "0x00070102",
        str(hall.other_portal_id),
        str(hall.polygon_id),
        f"0x{hall.flags:X}",
    ]
    assert rows[0].values[6].text == ("behind its polygon" if hall.portal_side else "in front of its polygon")
    assert [row.values[-1].text for row in rows] == ["✓ none", "✓ none"]


def test_a_house_has_exits_and_a_double_line_from_its_building() -> None:
    builder = WorldBuilder()
    land = builder.landblock(0xC95B, height=20)
    house = land.building("hut", (108, 108), 0, shell=walls(rect(-4, -3, 8, 6), 0, 3, "brick"))
    room = house.room("room", rect(-3.6, -2.6, 7.2, 5.2), height=2.6)
    house.doorway(room, OUTDOORS, (0, -3))
    graph = make_cell_graph(block_of(builder.build().load(), 0xC95BFFFF))
    by_kind: dict[PortalTarget, list[GraphEdge]] = {}
    for edge in graph.edges:
        by_kind.setdefault(edge.kind, []).append(edge)
    (out,) = by_kind[PortalTarget.EXIT]
    assert out.towards[1] > 0.9  # southwards is down
    (entry,) = by_kind[PortalTarget.BUILDING]
    assert entry.start.kind is Kind.BUILDING
    assert entry.end == out.start


def test_storeys_are_bands_with_the_highest_on_top() -> None:
    graph = make_cell_graph(block_of(built(with_cellar).load()))
    assert [band.label for band in graph.bands] == ["z -3.00", "z -0.20"]  # the hatch goes through the ceiling
    assert graph.bands[1].bottom <= graph.bands[0].top
    for node in graph.nodes.values():
        band = graph.bands[node.storey]
        assert band.top < node.y < band.bottom


@pytest.mark.parametrize("block_id", [0xC95BFFFF, 0x0007FFFF])
def test_no_nodes_of_the_demo_overlap_and_every_picture_is_the_same(block_id: int) -> None:
    with open_source(DEMO) as world:
        block = block_of(world, block_id)
        graph = make_cell_graph(block)
        assert len(graph.nodes) == len(block.env_cells) + len(block.buildings)
        assert not overlapping(graph)
        assert make_cell_graph(block) == graph


def test_three_hundred_rooms_in_a_heap_are_taken_apart() -> None:
    chance = random.Random(4)
    spots = [NodeSpot(chance.uniform(0.0, 30.0), chance.uniform(0.0, 30.0), 0) for _ in range(300)]
    places = lay_out(spots, 1)
    for a, b in itertools.combinations(places, 2):
        assert abs(a[0] - b[0]) >= NODE_WIDTH or abs(a[1] - b[1]) >= NODE_HEIGHT


def test_rooms_in_one_spot_are_put_side_by_side() -> None:
    places = lay_out([NodeSpot(0.0, 0.0, 0)] * 4, 1)
    assert len({(round(x), round(y)) for x, y in places}) == 4


def test_nothing_to_lay_out_is_nothing() -> None:
    assert lay_out([], 0) == []


def test_a_part_of_an_id_finds_its_cells(rooms: World) -> None:
    graph = make_cell_graph(block_of(rooms))
    assert graph.found("0101") == [STUDY]
    assert len(graph.found("0x0007")) == 3
    assert graph.found(" ") == []


def test_standings_go_by_player_draw_list_and_stab_list() -> None:
    sight = VisibleRooms(1, {1: 1, 2: 2}, frozenset({2, 3}))
    assert [sight.standing(cell_id) for cell_id in (1, 2, 3, 4)] == [
        RoomVisibility.CURRENT,
        RoomVisibility.VISIBLE,
        RoomVisibility.STAB,
        RoomVisibility.NEITHER,
    ]


def test_the_player_sees_the_study_through_the_doorway_unless_turned_away() -> None:
    document = document_of(built(open_rooms))  # in the hall, looking east
    sight = PlayerSight(document.sim)
    assert [cell_id for cell_id, _ in sorted(sight.look().seen.items(), key=lambda item: item[1])] == [
        HALL.key,
        BETWEEN.key,
        STUDY.key,
    ]
    document.sim.apply_edit(FacePlayer(270.0))
    assert list(sight.look().seen) == [HALL.key]
    assert sight.look().standing(STUDY.key) is RoomVisibility.STAB


def test_an_edited_stab_list_is_seen_at_once() -> None:
    document = document_of(built(open_rooms))
    sight = PlayerSight(document.sim)
    assert STUDY.key in sight.look().seen
    document.edit("Empty Stab List", *set_stab_list(document.sim, HALL.key, []))
    assert list(sight.look().seen) == [HALL.key]
    document.undo()
    assert STUDY.key in sight.look().seen
    sight.close()


def test_flags_of_a_portal_are_those_that_it_has_after_an_edit() -> None:
    document = document_of(built(open_rooms))
    assert document.world is not None
    edge = make_cell_graph(block_of(document.world)).edges[0]
    document.edit("Set Flags", *set_portal_flags(document.sim, HALL.key, 0, 0x3))
    assert side_rows(block_of(document.world), edge)[0].values[5].text == "0x3"


def test_the_usual_distance_is_that_of_the_nearest_rooms_of_a_storey() -> None:
    """Without a look at every pair: twice the rooms take about twice as long, and far less than a second."""
    dice = random.Random(7)
    for count in (0, 1, 2, 60):
        spots = [NodeSpot(dice.randrange(40) * 0.5, dice.randrange(40) * 0.5, dice.randrange(3)) for _ in range(count)]
        nearest = []
        for one in spots:
            pairs = [math.hypot(one.east - o.east, one.north - o.north) for o in spots if o.storey == one.storey]
            nearest += sorted(distance for distance in pairs if distance > 0.1)[:1]
        assert usual_distance(spots) == (median(nearest) if nearest else 4.0)
    many = [NodeSpot(float(east), float(north), 0) for east in range(200) for north in range(50)]
    begun = time.process_time()
    assert usual_distance(many) == 1.0
    assert time.process_time() - begun < 3.0
