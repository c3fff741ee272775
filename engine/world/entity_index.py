"""The whole world's list of entities, by landblock and by id. The entities of a landblock come to life when it joins
(`engine.sim.tick.surroundings`); until then they cost nothing but their place here."""

from __future__ import annotations

from collections.abc import Sequence

from engine.world.entity_limits import admitted
from engine.world.entity_spec import EntitySpec


class EntityIndex:
    """`specs` are the valid entities in the order of the list; `faults` say why the others are left out."""

    def __init__(self, listed: Sequence[EntitySpec]) -> None:
        self.listed = listed
        self.count = len(listed)
        self.specs, self.faults = admitted(listed)
        self._by_id: dict[int, EntitySpec] = {spec.guid: spec for spec in self.specs}
        self._by_block: dict[int, list[EntitySpec]] = {}
        for spec in self.specs:
            self._by_block.setdefault(spec.cell_id >> 16, []).append(spec)

    def find(self, entity_id: int) -> EntitySpec | None:
        return self._by_id.get(entity_id)

    def of_block(self, cell_id: int) -> list[EntitySpec]:
        """Return the entities that start in the landblock of an id, in the order of the list; do not change it."""
        return self._by_block.get(cell_id >> 16, [])

    def landblocks(self) -> list[int]:
        """The ids 0xXXYYFFFF of the landblocks that have any, in the order in which the list names them first."""
        return [block << 16 | 0xFFFF for block in self._by_block]
