"""Which landblocks have come in, with their static things and their entities: the player's and those around it
(physics.md 15.1), and what an edit has asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.entities.population import Population
from engine.entities.state_io import StateIO
from engine.world.cells.ids import landblock_id
from engine.world.landblock import neighbour_ids
from engine.world.world import World

JoinListener = Callable[[int], None]
"""Called when a landblock has joined, with everything in it still as the world has it."""


class Mark:
    """The numbers of landblocks, entities and static things at one moment."""

    joined: int
    seen_from: int
    entities: int
    statics: int
    packed: bytes
    digest: bytes

    def __init__(self, joined: int, seen_from: int, entities: int, statics: int, packed: bytes, digest: bytes) -> None:
        self.joined = joined
        self.seen_from = seen_from
        self.entities = entities
        self.statics = statics
        self.packed = packed
        self.digest = digest


class Surroundings:
    """Landblocks join when the player comes near and stay. A dungeon needs only its own.

    Nobody else lets one join, however many are loaded to be looked at: what is alive follows from the run alone.
    """

    world: World
    population: Population
    joined: list[int]
    """In the order in which they came."""
    changes: int
    """Grows when any has come or gone."""
    listeners: Final[list[JoinListener]]
    are_fixed: bool
    """No more landblocks join: trials stay within what has been loaded."""
    _there: set[int]
    _seen_from: int

    def __init__(self, world: World, population: Population) -> None:
        self.world = world
        self.population = population
        self.joined = []
        self.changes = 0
        self.listeners = []
        self.are_fixed = False
        self._there = set()
        self._seen_from = 0

    def come_near(self, cell_id: int, seen_outside: bool) -> None:
        """Let the landblocks join that surround a cell."""
        if self.are_fixed:
            return
        here = landblock_id(cell_id)
        seen_from = here if seen_outside else here - 1
        if seen_from == self._seen_from:
            return
        self._seen_from = seen_from
        wanted = [here]
        if seen_outside:
            wanted.extend(neighbour_ids(cell_id))
        for block_id in sorted(wanted):
            self.join(block_id)

    def has(self, cell_id: int) -> bool:
        """Whether the landblock of an id has joined."""
        return landblock_id(cell_id) in self._there

    def join(self, block_id: int) -> None:
        """Register what stands in one landblock and let its entities live, unless that has been done."""
        block_id = landblock_id(block_id)
        if block_id in self._there:
            return
        block = self.world.landblock(block_id)
        if block is not None:
            self.joined.append(block_id)
            self._there.add(block_id)
            self.changes += 1
            self.population.statics.add_landblock(block)
            self.population.add_all(self.world.entities_of(block_id))
            for listener in self.listeners.copy():
                listener(block_id)
            self.population.reenter(block_id)

    def mark(self) -> Mark:
        """Return the current numbers, for `go_back`."""
        statics = self.population.statics
        entities = len(self.population.entities)
        return Mark(len(self.joined), self._seen_from, entities, len(statics.things), statics.packed, statics.digest)

    def go_back(self, mark: Mark) -> None:
        """Undo all joining since a mark. Nothing else may have happened meanwhile."""
        for block_id in self.joined[mark.joined :]:
            self._there.discard(block_id)
        self._seen_from = mark.seen_from
        if len(self.joined) > mark.joined:
            del self.joined[mark.joined :]
            self.changes += 1
            self.population.keep_first(mark.entities)
            self.population.statics.keep_first(mark.statics, mark.packed, mark.digest)

    def visit(self, io: StateIO) -> None:
        io.section("surroundings")
        self.joined = list(io.integers("landblocks", self.joined))
        self._seen_from = io.integer("seen_from", self._seen_from)
        if io.reading:
            self._there = set(self.joined)
            self.changes += 1
