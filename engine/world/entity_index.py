"""The whole world's entities, by landblock and by id. The entities of a landblock come to life when it joins
(`engine.sim.tick.surroundings`); until then they cost nothing but their place here.

Some are listed with the world (`entities.json`, a scene's objects). A server's world has hundreds of thousands; those
are made landblock by landblock, when somebody asks for one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from engine.world.entity_limits import admitted
from engine.world.entity_spec import EntitySpec
from engine.world.faults import Fault


class BlockEntities(ABC):
    """Entities that are made landblock by landblock. Whatever is valid is there, whatever is not is a fault."""

    @abstractmethod
    def landblocks(self) -> list[int]:
        """The ids 0xXXYYFFFF of the landblocks that may have any, ascending."""

    @abstractmethod
    def of_block(self, block_id: int) -> list[EntitySpec]:
        """The entities of a landblock, the same list at each call until it is forgotten."""

    @abstractmethod
    def is_made(self, block_id: int) -> bool:
        """Whether those of a landblock have been asked for."""

    @abstractmethod
    def find(self, entity_id: int) -> EntitySpec | None:
        """An entity of any landblock."""

    @abstractmethod
    def source_of(self, entity_id: int) -> str:
        """Where an entity is read from, for people: a file with a line. Empty for others."""

    @abstractmethod
    def faults(self) -> list[Fault]:
        """What is wrong with the data as a whole and with the landblocks made so far."""

    @abstractmethod
    def block_faults(self, block_id: int) -> list[Fault]:
        """What is wrong with the entities of a landblock that has been made."""

    @abstractmethod
    def overview(self) -> dict[str, object]:
        """What there is, for an overview."""

    @abstractmethod
    def forget(self, block_id: int) -> None:
        """Make the entities of a landblock afresh when they are asked for again."""

    @abstractmethod
    def close(self) -> None:
        """Close all files."""


class EntityIndex:
    """`specs` are the valid entities of the list in its order; `by_block` makes those of landblocks, if any.

    Where both have an id, the list's counts.
    """

    def __init__(self, listed: Sequence[EntitySpec], by_block: BlockEntities | None = None) -> None:
        self.listed = listed
        self.count = len(listed)
        self.by_block = by_block
        self.specs, self._list_faults = admitted(listed)
        self._by_id: dict[int, EntitySpec] = {spec.guid: spec for spec in self.specs}
        self._by_block: dict[int, list[EntitySpec]] = {}
        for spec in self.specs:
            self._by_block.setdefault(spec.cell_id >> 16, []).append(spec)
        self._made_blocks = frozenset[int]() if by_block is None else frozenset(by_block.landblocks())
        self._joined: dict[int, tuple[list[EntitySpec], list[EntitySpec]]] = {}

    @property
    def faults(self) -> list[Fault]:
        """What is wrong with the list, and with the landblocks made so far."""
        return [*self._list_faults, *([] if self.by_block is None else self.by_block.faults())]

    def find(self, entity_id: int) -> EntitySpec | None:
        found = self._by_id.get(entity_id)
        return self.by_block.find(entity_id) if found is None and self.by_block is not None else found

    def of_block(self, cell_id: int) -> list[EntitySpec]:
        """Return the entities that start in the landblock of an id, those of the list first; do not change it."""
        block = cell_id >> 16
        listed = self._by_block.get(block, [])
        if self.by_block is None:
            return listed
        made = self.by_block.of_block(block << 16 | 0xFFFF)
        before = self._joined.get(block)
        if before is None or before[0] is not made:
            before = (made, [*listed, *(spec for spec in made if spec.guid not in self._by_id)])
            self._joined[block] = before
        return before[1]

    def is_known(self, cell_id: int) -> bool:
        """Whether the entities of a landblock can be had without making any."""
        if self.by_block is None:
            return True
        block_id = cell_id | 0xFFFF
        return block_id not in self._made_blocks or self.by_block.is_made(block_id)

    def landblocks(self) -> list[int]:
        """The ids 0xXXYYFFFF of the landblocks that have any: those of the list in the order in which it names them
        first, then the others."""
        blocks = dict.fromkeys(block << 16 | 0xFFFF for block in self._by_block)
        if self.by_block is not None:
            blocks |= dict.fromkeys(self.by_block.landblocks())
        return list(blocks)

    def everywhere(self) -> Iterator[EntitySpec]:
        """All entities there are, landblock by landblock; slow where they have to be made. Landblocks that were not
        made before are forgotten again."""
        yield from self.specs
        if self.by_block is None:
            return
        for block_id in self.by_block.landblocks():
            is_made = self.by_block.is_made(block_id)
            yield from (spec for spec in self.by_block.of_block(block_id) if spec.guid not in self._by_id)
            if not is_made:
                self.by_block.forget(block_id)
