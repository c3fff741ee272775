"""The stab list that each room of a landblock should have, why, and how it differs from the one that it has
(rendering.md 4.3).

Two searches complete each other. The search by lines (`engine.build.stab`) misses no cell that a line leads to, but may
name one that shows no pixel. The flood of the picture, from sampled and aimed eyes, comes only to cells that somebody
sees. An entry is missing when an eye proves it, and too much when no line leads there and no eye sees it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from engine.build.stab import StabCell, StabPortal, StabSearch
from engine.survey.stabs.eyes import Eyes, Sight
from engine.survey.stabs.question import OUTDOORS, numbered_portals
from engine.world.cells.cell import EnvCell
from engine.world.world import World


@dataclass(frozen=True)
class ComputedList:
    """The cells that can be seen from one room, and what of it the room's own list and flags say."""

    room: EnvCell
    seen: frozenset[int]
    """By full ids, without the room itself."""
    sees_outside: bool
    proofs: Mapping[int, Sight]
    """The eyes of the entries that are missing, and of OUTDOORS where the flag is."""
    missing: tuple[int, ...]
    """Seen by an eye, and not listed; ascending."""
    unproven: tuple[int, ...]
    """Lines lead there and they are not listed, but no eye was found that the flood draws them for: slits."""
    surplus: tuple[int, ...]
    """Listed, though no line leads there."""
    absent: tuple[int, ...]
    """Listed, though the landblock has no such room."""
    is_open: bool
    """Portals in sight lead to rooms that are not there, so nobody knows what is behind: nothing counts as too much."""

    def wanted(self, *, keep: bool = False) -> list[int]:
        """The list as it should be: what is listed and seen in its order, then what is missing. `keep` leaves in what
        is too much."""
        gone = set() if keep or self.is_open else {*self.surplus, *self.absent}
        return [*(cell_id for cell_id in dict.fromkeys(self.room.stab_list) if cell_id not in gone), *self.missing]

    def differs(self, *, keep: bool = False) -> bool:
        return bool(self.missing) or (bool(self.surplus or self.absent) and not keep and not self.is_open)


def computed_lists(world: World, block_id: int, only: Collection[int] = ()) -> Iterator[ComputedList]:
    """Compute the list of each room of a landblock, or of some of them."""
    block = world.landblock(block_id)
    rooms = [] if block is None else block.env_cells
    if not rooms:
        return
    search = _Search(world, rooms)
    try:
        wanted = [room for room in rooms if not only or room.id in only]
        for room in wanted:
            search.sample(room)
        if not only:
            search.lines.search_all()
        for room in wanted:
            yield search.list_of(room)
    finally:
        search.eyes.close()


class _Search:
    def __init__(self, world: World, rooms: list[EnvCell]) -> None:
        self.rooms = {room.id: room for room in rooms}
        self.ids = [room.id for room in rooms]
        self.place = {room.id: index for index, room in enumerate(rooms)}
        numbered = [list(numbered_portals(room, self.place)) for room in rooms]
        self.lines = StabSearch([StabCell([StabPortal(list(c), to) for _, (c, to) in each]) for each in numbered])
        self.places = [{number: place for place, (number, _) in enumerate(each)} for each in numbered]
        self.dangling = {
            room.id
            for room in rooms
            if any(not portal.leads_outside and portal.other_cell_id not in self.place for portal in room.portals)
        }
        self.eyes = Eyes(world.graph)
        self.unlisted: dict[int, dict[int, Sight]] = {}

    def sample(self, room: EnvCell) -> None:
        """Let the search know what sampled eyes see, and keep the eyes of what the room does not list."""
        start, places = self.place[room.id], self.places[self.place[room.id]]
        unlisted: dict[int, Sight] = {}
        for goal, sight in self.eyes.sampled(room).items():
            portal = places.get(sight.chain[0][1])
            if portal is not None and (goal == OUTDOORS or goal in self.place):
                self.lines.know(start, portal, (self._index(goal),))
            if not (room.seen_outside if goal == OUTDOORS else goal in room.stab_set):
                unlisted[goal] = sight
        self.unlisted[room.id] = unlisted

    def list_of(self, room: EnvCell) -> ComputedList:
        start, proofs = self.place[room.id], self.unlisted[room.id]
        answer = self.lines.seen_from(start)
        seen = {*(self.ids[index] for index in answer.cells), *proofs} - {OUTDOORS}
        sees_outside = answer.outside or OUTDOORS in proofs
        new = sorted(seen - room.stab_set)
        if sees_outside and not room.seen_outside:
            new.append(OUTDOORS)
        for goal in new:
            if goal not in proofs:
                sight = self.eyes.proof(room, goal, self.lines.chains(start, self._index(goal)))
                if sight is not None:
                    proofs[goal] = sight
        cells = [goal for goal in new if goal != OUTDOORS]
        here = [cell_id for cell_id in dict.fromkeys(room.stab_list) if cell_id != room.id]
        return ComputedList(
            room,
            frozenset(seen),
            sees_outside,
            {goal: proofs[goal] for goal in new if goal in proofs},
            tuple(goal for goal in cells if goal in proofs),
            tuple(goal for goal in cells if goal not in proofs),
            tuple(cell_id for cell_id in here if cell_id in self.place and cell_id not in seen),
            tuple(cell_id for cell_id in here if cell_id not in self.place),
            bool(self.dangling & {room.id, *seen}),
        )

    def _index(self, goal: int) -> int:
        return OUTDOORS if goal == OUTDOORS else self.place[goal]
