"""Whether recordings were made in the world that is there: the digests of its parts, each computed once."""

from __future__ import annotations

from collections.abc import Generator

from engine.sim.recording import Recording
from engine.sim.world_identity import KnownParts
from engine.world.world import World

Steps = Generator[None, None, list[str]]


class SameWorld:
    """Asks of many recordings of one world. A recording that does not say its world is taken at its word."""

    def __init__(self, world: World) -> None:
        self._known = KnownParts(world)

    def differing(self, recording: Recording) -> list[str]:
        """The parts of the world that have changed: ids of landblocks, "entities", "player"."""
        for _ in self._known.steps(recording.identity):
            pass
        return self._known.compared(recording.identity).differing

    def steps(self, recording: Recording) -> Steps:
        """The same in pieces, a landblock each."""
        yield from self._known.steps(recording.identity)
        differing = self._known.compared(recording.identity).differing
        yield
        return differing

    def identity(self, recording: Recording) -> dict[str, str]:
        """The digests of now of the parts that a recording names."""
        return self._known.now(recording.identity)
