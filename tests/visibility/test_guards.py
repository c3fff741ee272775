"""Floods through cells that lead into themselves, or whose portals are invalid (rendering.md 10)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.visibility.flood import Visibility, flood_interior
from engine.visibility.options import MAX_CELL_VIEWS, MAX_CELLS, MAX_CLIPS, MAX_MOVES, FloodOptions, retail
from engine.visibility.records import CAPPED, CONTAINED, ENTRY, NO_POLYGON, NO_PORTAL, NOT_LOADED, OPEN, FloodResult
from engine.visibility.slots import ViewLevel
from engine.visibility.view import full_screen
from engine.world.cells.cell import EnvCell
from tests.visibility.cases.spec_cases import Scene, camera_at
from tests.visibility.helpers.screens import corners, same_outline
from tests.visibility.helpers.small_scenes import BACK, DOOR, SmallScene, endless, eye_at, portal, two_rooms

NAN, INF = float("nan"), float("inf")


def hits(result: FloodResult, word: str) -> int:
    """How often the guard whose line contains the word was hit."""
    counts = [int(line.rpartition(": ")[2]) for line in result.guards if word in line]
    return sum(counts)


def assert_bounded(result: FloodResult) -> None:
    assert len(result.cells) <= MAX_CELLS
    assert len({visible.cell_id for visible in result.cells}) == len(result.cells)
    assert all(len(visible.views) <= MAX_CELL_VIEWS for visible in result.cells)
    assert result.clips <= MAX_CLIPS + 1


def test_rooms_that_lead_into_each_other_end_at_the_containment_guard() -> None:
    scene = Scene("bad_loop")
    result = flood_interior(scene.world.graph, scene.id("A"), camera_at((5.0, 5.0, 1.5), 0.0))
    assert scene.draw(result) == ["A", "B"]
    views = result.by_id[scene.id("B")].views
    assert [same_outline(corners(view), [(272, 312), (368, 312), (368, 168), (272, 168)]) for view in views] == [True]
    assert result.drops >= 1
    assert CONTAINED in [record.status for record in result.portals]


SIDE_DOOR = [[8, 14, 0], [8, 12, 0], [8, 12, 3], [8, 14, 3]]
"""Seen from the west."""

AROUND_A_CORNER: dict[str, Any] = {
    "A": {"stab": ["B"], "portals": [portal(DOOR, "B"), portal(list(reversed(SIDE_DOOR)), "B", 1)]},
    "B": {"stab": ["A"], "portals": [portal(BACK, "A"), portal(SIDE_DOOR, "A", 1)]},
}
"""A room that wraps around the corner of another, through which it is seen again. The way in names no matching
portal."""


def test_a_root_seen_again_through_another_room_draws_before_it() -> None:
    """Its far arm lies behind the other room; views that the guard drops still count for the order."""
    scene = SmallScene(AROUND_A_CORNER)
    result = scene.flood("A", eye_at(4.2, 8.0, heading=30.0))
    assert scene.draw(result) == ["B", "A"], "far to near is from the end"
    assert scene.statuses(result)["A"] == [OPEN, ENTRY]
    assert (result.fix_events[0].cell_id, result.fix_events[0].moved) == (scene.id("A"), 1)
    assert (result.drops, [len(cell.views) for cell in result.cells]) == (1, [1, 1])


def test_without_containment_the_same_rooms_end_at_a_cap() -> None:
    result = SmallScene(endless()).flood("A", eye_at(5.0, 5.0), retail())
    assert_bounded(result)
    assert result.guards != []
    assert result.drops == 0


def test_a_portal_into_its_own_cell_ends() -> None:
    rooms = {"A": {"stab": ["A"], "portals": [portal(DOOR, "A", 0), portal(DOOR, "A", -1)]}}
    result = SmallScene(rooms).flood("A", eye_at(5.0, 5.0))
    assert len(result.cells) == 1
    assert result.guards == []
    assert result.drops == 2
    assert_bounded(SmallScene(rooms).flood("A", eye_at(5.0, 5.0), retail()))


def test_the_flood_counts_a_portal_without_a_polygon_and_stops_there() -> None:
    for poly in (None, [], DOOR[:2], [[4, 10, NAN], *DOOR[1:]], [[INF, 10, 0], *DOOR[1:]], [[1e300, 10, 0], *DOOR[1:]]):
        scene = SmallScene(two_rooms(poly=poly))
        result = scene.flood("A", eye_at(5.0, 5.0))
        assert scene.draw(result) == ["A"]
        assert scene.statuses(result) == {"A": [NO_POLYGON]}
        assert hits(result, "without a polygon") == 1


def test_a_missing_neighbours_polygon_closes_the_opening() -> None:
    rooms = two_rooms(exact=0)
    rooms["B"]["portals"][0]["poly"] = None
    scene = SmallScene(rooms)
    result = scene.flood("A", eye_at(5.0, 5.0))
    assert scene.draw(result) == ["A"]
    assert hits(result, "without a polygon") == 1


@pytest.mark.parametrize("back", [1, 5, 0x7FFF])
@pytest.mark.parametrize("exact", [0, 1])
def test_a_matching_portal_beyond_the_neighbours_list_counts_as_none(back: int, exact: int) -> None:
    scene = SmallScene(two_rooms(back=back, exact=exact))
    result = scene.flood("A", eye_at(5.0, 5.0))
    assert scene.draw(result) == ["A", "B"]
    assert hits(result, "matching portal") == 1


def test_a_matching_portal_may_be_none() -> None:
    scene = SmallScene(two_rooms(back=-1, exact=0))
    result = scene.flood("A", eye_at(5.0, 5.0))
    assert scene.draw(result) == ["A", "B"]
    assert result.guards == []


def test_a_missing_neighbour_hits_no_guard() -> None:
    scene = SmallScene(two_rooms(to="nowhere"))
    result = scene.flood("A", eye_at(5.0, 5.0))
    assert scene.statuses(result) == {"A": [NOT_LOADED]}
    assert result.guards == []
    assert SmallScene({"A": {"stab": ["B"]}}).flood("B", eye_at(0.0, 0.0)).rejected == NOT_LOADED


def test_no_cell_gets_more_views_than_the_cap() -> None:
    slits = [[[0.1 * k, 10, 0], [0.1 * k + 0.06, 10, 0], [0.1 * k + 0.06, 10, 3], [0.1 * k, 10, 3]] for k in range(90)]
    rooms = two_rooms()
    rooms["A"]["portals"] = [portal(slit, "B") for slit in slits]
    result = SmallScene(rooms).flood("A", eye_at(5.0, 5.0))
    assert len(result.cells[1].views) == MAX_CELL_VIEWS
    assert hits(result, "views left out") == 90 - MAX_CELL_VIEWS
    assert [record.status for record in result.cells[0].portals] == [OPEN] * 64 + [CAPPED] * 26


def test_no_flood_has_more_cells_than_the_cap() -> None:
    names = [f"R{k}" for k in range(300)]
    rooms: dict[str, Any] = {"A": {"stab": names, "portals": [portal(DOOR, name) for name in names]}}
    rooms |= {name: {"portals": [portal(BACK, "A", 0)]} for name in names}
    result = SmallScene(rooms).flood("A", eye_at(5.0, 5.0))
    assert_bounded(result)
    assert len(result.cells) == MAX_CELLS
    assert hits(result, "cells left out") == 301 - MAX_CELLS
    followed = [record for record in result.cells[0].portals if record.status == OPEN]
    assert {record.other_cell_id for record in followed} == set(result.by_id) - {result.root_id}
    left_out = [record for record in result.cells[0].portals if record.status == CAPPED]
    assert len(left_out) == 301 - MAX_CELLS
    assert {piece.status for record in left_out for piece in record.pieces} == {CAPPED}


def test_no_flood_makes_more_clips_than_the_cap() -> None:
    scene = SmallScene({"A": {"stab": [], "portals": [portal(DOOR, "OUT")] * 40}})
    result = scene.flood("A", eye_at(5.0, 5.0), FloodOptions(max_clips=25))
    assert result.clips == 25
    assert len(result.outside) == 25
    assert hits(result, "portals left unclipped") == 15
    assert [record.status for record in result.portals].count(CAPPED) == 15


def test_a_flood_handles_thousands_of_portals() -> None:
    rooms = two_rooms()
    rooms["A"]["portals"] = [portal(DOOR, "B", 0), *[portal([], "B", 0)] * 3000, *[portal(DOOR, "B", 0)] * 3000]
    scene = SmallScene(rooms)
    result = scene.flood("A", eye_at(5.0, 5.0))
    assert scene.draw(result) == ["A", "B"]
    assert hits(result, "without a polygon") == 3000
    assert result.drops == 3000
    assert_bounded(scene.flood("A", eye_at(5.0, 5.0), retail()))


def test_cells_seen_through_each_other_in_a_cycle_stop_moving() -> None:
    """Each cell must stand before the next, which no order satisfies."""
    scene = SmallScene({name: {"portals": [portal(DOOR, "OUT")] * 3} for name in "ABC"})
    pview = Visibility(scene.world.graph).indoor_pview
    pview.begin(ViewLevel(0, set(), True))
    slots = [
        pview.slot_of(cell) for name in "ABC" if isinstance(cell := scene.world.graph.peek(scene.id(name)), EnvCell)
    ]
    for slot in slots:
        slot.views.append(full_screen(eye_at(5.0, 5.0)))
        pview.init_cell(slot, NO_PORTAL, eye_at(5.0, 5.0))
        for other in slots:
            if other is not slot:
                flag = slot.flags[slots.index(other)]
                flag.seen, flag.inflag, flag.seen_from = True, True, other
    pview.cell_draw_list = list(slots)
    pview.adjust_cell_place(slots[0], slots[2], 0)
    assert sorted(slot.cell.id for slot in pview.cell_draw_list) == [slot.cell.id for slot in slots]
    assert 0 < pview.moves <= MAX_MOVES
    assert any("circles" in line for line in pview.guards.report())


# --- arbitrary rooms

NUMBERS = st.sampled_from([0.0, 1.0, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0, 10.0001, 20.0, -3.0, 1e9, NAN, INF])
POINTS = st.lists(NUMBERS, min_size=3, max_size=3)
WALLS = st.sampled_from(
    [DOOR, BACK, *[w["poly"] for w in endless()["A"]["portals"]], [[0, 0, 4], [10, 0, 4], [10, 10, 4], [0, 10, 4]]]
)
NAMES = st.sampled_from(["A", "B", "C", "D", "OUT", "nowhere"])
PORTALS = st.fixed_dictionaries(
    {
        "poly": st.one_of(WALLS, WALLS, st.none(), st.lists(POINTS, max_size=6)),
        "side": st.integers(0, 1),
        "to": NAMES,
        "back": st.integers(-1, 4),
        "exact": st.integers(0, 1),
    }
)
ROOMS = st.fixed_dictionaries({"stab": st.lists(NAMES, max_size=5), "portals": st.lists(PORTALS, max_size=6)})
EYES = st.tuples(st.floats(-1.0, 11.0), st.sampled_from([0.0, 5.0, 9.9999, 10.0, 15.0]), st.floats(0.0, 4.0))


@pytest.mark.unwatched
@settings(max_examples=150)
@given(
    st.fixed_dictionaries(dict.fromkeys("ABCD", ROOMS)),
    EYES,
    st.sampled_from([0.0, 33.0, 180.0, 270.0]),
    st.booleans(),
    st.booleans(),
)
def test_a_flood_through_arbitrary_rooms_ends_and_repeats(
    rooms: dict[str, Any], eye: tuple[float, float, float], heading: float, robust: bool, containment: bool
) -> None:
    scene = SmallScene(rooms)
    options = FloodOptions(robust, containment, max_clips=300)
    results = [scene.flood("A", eye_at(*eye, heading), options) for _ in range(2)]
    assert_bounded(results[0])
    assert results[0].clips <= 301
    told = [
        (scene.draw(r), [[corners(v) for v in c.views] for c in r.cells], scene.statuses(r), r.guards) for r in results
    ]
    assert told[0] == told[1]
