"""Whether recordings were made in the world that is there: the digests of its parts, computed once for many walks."""

from __future__ import annotations

from engine.sim.recording import Recording
from engine.sim.world_identity import ENTITIES, PLAYER, world_identity
from engine.world.world import World


class SameWorld:
    """Asks of many recordings of one world. A recording that does not say its world is taken at its word."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: dict[frozenset[str], dict[str, str]] = {}

    def differing(self, recording: Recording) -> list[str]:
        """The parts of the world that have changed: ids of landblocks, "entities", "player"."""
        names = frozenset(recording.identity)
        if not names:
            return []
        now = self._known.get(names)
        if now is None:
            blocks = [int(name, 16) for name in names if name not in (ENTITIES, PLAYER)]
            now = self._known[names] = world_identity(self._world, blocks)
        return [name for name, digest in recording.identity.items() if now.get(name) != digest]
