"""The cells that recorded retail clients picked at a threshold, against the search of the sweep
(fixtures/retail-trace/README, physics.md 6.4).

The trace has 19 searches: the cell where each started, the player's origin, and the cell that the client picked. 15
start in a room, and all of them must agree. The other four start on the land and enter through the building's record,
which the dumps do not hold, so the test makes up the house's portal from the exit.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import pytest

from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add
from engine.physics.membership import find_cell_list
from engine.physics.rules import rule_set
from engine.physics.sweep.cell_array import CellArray
from engine.world.cells.cell import Building, EnvCell, LandCell
from engine.world.cells.portals import BldPortal
from engine.world.loader import open_world
from engine.world.world import World
from tests.shared import SHARED, needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]

LINE = re.compile(r"\[fcl\] seed=0x(\w{8}) px=([\d.]+) py=([\d.]+) pz=([\d.]+) picked=0x(\w{8})")
LAND, PASSAGE, MAIN_ROOM = 0xA9B40031, 0xA9B40170, 0xA9B40171

FOOT: Vec3 = (0.0, 0.0, 0.475)
HEAD: Vec3 = (0.0, 0.0, 1.35)
RADIUS = 0.48
"""The human setup's two spheres (physics.md #2)."""

BOTH_RULES = pytest.mark.parametrize("rules", ["retail", "ace"])


class Pick(NamedTuple):
    seed: int
    origin: Vec3
    picked: int


@cache
def picks() -> list[Pick]:
    found: list[Pick] = []
    log = SHARED / "fixtures" / "retail-trace" / "find-cell-list-threshold.log"
    for line in log.read_text(encoding="ascii").splitlines():
        match = LINE.fullmatch(line)
        assert match is not None, line
        seed, x, y, z, picked = match.groups()
        found.append(Pick(int(seed, 16), (float(x), float(y), float(z)), int(picked, 16)))
    return found


@cache
def small_house() -> World:
    """The small house's rooms on flat land at 94 m."""
    world = open_world([SHARED / "fixtures" / name for name in ("flap-doorway", "cellar-lip")], ground=94.0)
    world.landblock(LAND)
    return world


def searched(world: World, pick: Pick, rules: str, foot: Vec3 = FOOT) -> int:
    spheres = [Sphere(add(pick.origin, foot), RADIUS), Sphere(add(pick.origin, HEAD), RADIUS)]
    found = find_cell_list(world.graph, rule_set(rules), pick.seed, spheres, CellArray(), True, None)
    return 0 if found is None else found.id


def test_the_trace_is_nineteen_picks_of_which_fifteen_start_in_rooms() -> None:
    assert len(picks()) == 19
    ways = [(pick.seed, pick.picked) for pick in picks()]
    counts = {way: ways.count(way) for way in ways}
    assert counts == {
        (LAND, PASSAGE): 4,
        (PASSAGE, MAIN_ROOM): 5,
        (MAIN_ROOM, PASSAGE): 5,
        (PASSAGE, LAND): 5,
    }


@BOTH_RULES
def test_every_search_from_a_room_picks_the_clients_cell(rules: str) -> None:
    from_rooms = [pick for pick in picks() if pick.seed != LAND]
    assert len(from_rooms) == 15
    assert [searched(small_house(), pick, rules) for pick in from_rooms] == [pick.picked for pick in from_rooms]


def test_a_search_by_the_origin_itself_would_differ_twice() -> None:
    """The trace shows by this that the search looks for the centre of the foot's sphere."""
    otherwise = [
        pick
        for pick in picks()
        if pick.seed != LAND and searched(small_house(), pick, "retail", (0, 0, 0)) != pick.picked
    ]
    assert len(otherwise) == 2


# --- from the land


def land_cell(world: World) -> LandCell:
    cell = world.graph.get_visible(LAND)
    assert isinstance(cell, LandCell)
    return cell


@BOTH_RULES
def test_without_the_buildings_record_searches_from_the_land_stay_out(rules: str) -> None:
    from_land = [pick for pick in picks() if pick.seed == LAND]
    assert land_cell(small_house()).building is None
    assert [searched(small_house(), pick, rules) for pick in from_land] == [LAND] * 4


@BOTH_RULES
def test_with_a_portal_at_the_passages_exit_searches_from_the_land_agree(rules: str) -> None:
    """The record would add the portal from the land cell to the passage. It does not matter here which of the passage's
    own portals it names, as long as it names one."""
    world = open_world([SHARED / "fixtures" / name for name in ("flap-doorway", "cellar-lip")], ground=94.0)
    passage = world.graph.get_visible(PASSAGE)
    assert isinstance(passage, EnvCell)
    exits = [index for index, portal in enumerate(passage.portals) if portal.leads_outside]
    land = land_cell(world)
    way_in = BldPortal(0, PASSAGE, exits[0], [PASSAGE])
    land.building = Building(1, LAND, 0x02000001, Frame(), None, [way_in], 0)
    from_land = [pick for pick in picks() if pick.seed == LAND]
    assert [searched(world, pick, rules) for pick in from_land] == [PASSAGE] * 4
