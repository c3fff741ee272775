"""The stab lists of buildings' portals: what somebody outdoors sees through them (rendering.md 4.3, 12.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.build.stab import OUTSIDE, Chain, StabCell, StabPortal, StabSearch
from engine.geometry.vec import Vec3
from engine.survey.stabs.eyes import MOST_CHAINS, SCREENS, Sight, chain_to, direction, lines_through, rounded
from engine.survey.stabs.question import corners_of, numbered_portals
from engine.visibility.flood import Visibility
from engine.visibility.options import FloodOptions
from engine.visibility.view import full_screen
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.world import World


@dataclass(frozen=True)
class EntryList:
    """The list of one portal of a building, and the eyes outdoors of what is missing in it."""

    building: Building
    index: int
    proofs: dict[int, Sight]


def entry_lists(world: World, block_id: int) -> Iterator[EntryList]:
    """The lists of a landblock's buildings that lack something, with the eyes that prove it."""
    block = world.landblock(block_id)
    if block is None or not block.buildings or not block.env_cells:
        return
    search = _Search(world, block_id, block.env_cells, block.buildings)
    try:
        for number, (building, index) in enumerate(search.entries):
            proofs = search.missing(number, building, index)
            if proofs:
                yield EntryList(building, index, proofs)
    finally:
        search.visibility.close()


class _Search:
    """The rooms, and behind them a cell for each entry, from which one looks in through that entry alone."""

    def __init__(self, world: World, block_id: int, rooms: Sequence[EnvCell], buildings: Sequence[Building]) -> None:
        self.block_id, self.rooms = block_id, rooms
        place = {room.id: index for index, room in enumerate(rooms)}
        cells = [StabCell([StabPortal(list(c), to) for _, (c, to) in numbered_portals(room, place)]) for room in rooms]
        self.entries: list[tuple[Building, int]] = []
        for building in buildings:
            for index, portal in enumerate(building.portals):
                corners = corners_of(portal, building.frame)
                if corners and portal.other_cell_id in place:
                    cells.append(StabCell([StabPortal(corners, place[portal.other_cell_id])]))
                    self.entries.append((building, index))
        self.lines = StabSearch(cells)
        self.visibility = Visibility(world.graph, FloodOptions(ignore_stab_list=True))

    def missing(self, number: int, building: Building, index: int) -> dict[int, Sight]:
        start, listed = len(self.rooms) + number, set(building.portals[index].stab_list)
        proofs: dict[int, Sight] = {}
        if all(seen == OUTSIDE or self.rooms[seen].id in listed for seen in self.lines.may_see(start)):
            return proofs  # lists of whole houses are the rule
        for seen in self.lines.seen_from(start).cells:
            goal = self.rooms[seen].id
            if goal not in listed:
                sight = self._proof(building, index, goal, self.lines.chains(start, seen))
                if sight is not None:
                    proofs[goal] = sight
        return proofs

    def _proof(self, building: Building, index: int, goal: int, chains: Iterable[Chain]) -> Sight | None:
        for number, chain in enumerate(chains):
            if number == MOST_CHAINS:
                break
            for screen in SCREENS:
                for eye, at in lines_through(self._is_outdoors, chain):
                    sight = self._look(building, index, goal, eye, at, screen)
                    if sight is not None:
                        return sight
        return None

    def _look(
        self, building: Building, index: int, goal: int, eye: Vec3, at: Vec3, screen: tuple[int, int]
    ) -> Sight | None:
        eye = rounded(eye)
        sight = Sight(
            get_outside_cell_id(self.block_id, eye) or self.block_id, goal, eye, *direction(eye, at), screen, (), at
        )
        camera = sight.camera()
        flood = self.visibility.flood_building(building, self.block_id, index, camera, full_screen(camera))
        return replace(sight, chain=chain_to(flood, goal)) if goal in flood.by_id else None

    def _is_outdoors(self, eye: Vec3) -> bool:
        return not any(room.point_in_cell(eye) for room in self.rooms)
