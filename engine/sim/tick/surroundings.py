"""Which landblocks have their static things registered: the player's and those around it (spec/physics.md 15.1)."""

from __future__ import annotations

from engine.entities.population import Population
from engine.entities.state_io import StateIO
from engine.world.cells.ids import landblock_id
from engine.world.landblock import neighbour_ids
from engine.world.world import World


class Surroundings:
    """Landblocks join when the player comes near and stay. A dungeon needs only its own."""

    world: World
    population: Population
    joined: list[int]
    _seen_from: int

    def __init__(self, world: World, population: Population) -> None:
        self.world = world
        self.population = population
        self.joined = []
        self._seen_from = 0

    def come_near(self, cell_id: int, seen_outside: bool) -> None:
        """Let the landblocks join that matter to somebody in that cell."""
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

    def join(self, block_id: int) -> None:
        """Register what stands in one landblock, unless it has been."""
        block_id = landblock_id(block_id)
        if block_id in self.joined:
            return
        block = self.world.landblock(block_id)
        if block is not None:
            self.joined.append(block_id)
            self.population.statics.add_landblock(block)
            self.population.reenter(block_id)

    def visit(self, io: StateIO) -> None:
        io.section("surroundings")
        self.joined = list(io.integers("landblocks", self.joined))
        self._seen_from = io.integer("seen_from", self._seen_from)
