"""Kinds of defects: how one is planted at a random place, and what has to find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from engine.geometry.vec import Vec3
from tests.explore.planted.draft import Draft


@dataclass(frozen=True)
class Planted:
    """One defect. A finding tells of it when it names one of its cells or entities, or a place within `within` metres
    of it."""

    block: int
    cells: frozenset[int]
    point: Vec3
    """In the landblock."""
    entities: frozenset[int] = frozenset()
    within: float = 4.0
    hops: int = 2
    """Portals from its cells to the rooms that are left when it is searched for by walking."""
    seeds: tuple[tuple[int, Vec3], ...] = ()
    """Places of soles, near to it, from which a body can come to it."""


Plant = Callable[[Draft, Random], Planted]

CHECK = "check"
STABS = "stabs"
DOORS = "doors"
EXPLORE = "explore"
"""The parts of a survey, as `survey --do` calls them."""


@dataclass(frozen=True)
class Kind:
    """A kind of defect. Each part that is named has to find it, by one of these checks."""

    name: str
    plant: Plant
    found_by: dict[str, tuple[str, ...]] = field(default_factory=dict)


KINDS: dict[str, Kind] = {}


def kind(**found_by: tuple[str, ...]) -> Callable[[Plant], Plant]:
    """Put a function that plants into the table, under its own name; the checks by the part of a survey."""

    def put(plant: Plant) -> Plant:
        name = plant.__name__.replace("_", " ")
        assert name not in KINDS
        KINDS[name] = Kind(name, plant, found_by)
        return plant

    return put
