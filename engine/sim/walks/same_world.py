"""Whether recordings were made in the world that is there: the digests of its parts, each computed once."""

from __future__ import annotations

from collections.abc import Generator

from engine.sim.recording import Recording
from engine.sim.world_identity import ENTITIES, PLAYER, landblock_identity, people_identity
from engine.world.cells.ids import cell_text
from engine.world.world import World

Steps = Generator[None, None, list[str]]


class SameWorld:
    """Asks of many recordings of one world. A recording that does not say its world is taken at its word."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._blocks: dict[str, str] = {}
        self._people: dict[tuple[int, ...], dict[str, str]] = {}

    def differing(self, recording: Recording) -> list[str]:
        """The parts of the world that have changed: ids of landblocks, "entities", "player"."""
        steps = self.steps(recording)
        while True:
            try:
                next(steps)
            except StopIteration as ended:
                found: list[str] = ended.value
                return found

    def steps(self, recording: Recording) -> Steps:
        """The same in pieces, a landblock each."""
        names = [name for name in recording.identity if name not in (ENTITIES, PLAYER)]
        for name in names:
            if name not in self._blocks:
                self._blocks[name] = landblock_identity(self._world, int(name, 16))
                yield
        now = self.identity(recording)
        yield
        return [name for name, digest in recording.identity.items() if now.get(name) != digest]

    def identity(self, recording: Recording) -> dict[str, str]:
        """The digests of now of the parts that a recording names."""
        blocks = sorted(int(name, 16) for name in recording.identity if name not in (ENTITIES, PLAYER))
        for block in blocks:
            if cell_text(block) not in self._blocks:
                self._blocks[cell_text(block)] = landblock_identity(self._world, block)
        # Without entities that come landblock by landblock, they are the same for all recordings.
        key = tuple(blocks) if self._world.source.by_block is not None else ()
        if key not in self._people:
            self._people[key] = people_identity(self._world, key)
        now = {**{cell_text(block): self._blocks[cell_text(block)] for block in blocks}, **self._people[key]}
        return {name: digest for name, digest in now.items() if name in recording.identity}
