"""Houses that not everybody may enter: their barriers are entities, and know their guests (physics.md 6.5)."""

from __future__ import annotations

from engine.entities.entity import Entity
from engine.physics.objects.restrictions import Restrictions


class Barriers(Restrictions):
    """The restriction objects among the entities of a world. One that is not there keeps everybody out."""

    entities: dict[int, Entity]

    def __init__(self, entities: dict[int, Entity]) -> None:
        self.entities = entities

    def is_known(self, restriction_object: int) -> bool:
        return restriction_object in self.entities

    def lets_in(self, restriction_object: int, mover_id: int) -> bool:
        barrier = self.entities.get(restriction_object)
        return barrier is not None and (barrier.lets_everybody_in or mover_id in barrier.guests)
