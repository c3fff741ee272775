"""Doors and other entities, found by id or name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from editor.scripting.errors import RefusedError, reported
from editor.scripting.values import Id, Passage, Vec3
from engine.entities.door import RESET_INTERVAL
from engine.entities.door import Door as EngineDoor
from engine.entities.specs import number, truth
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit
from engine.world.entity_spec import EntitySpec

if TYPE_CHECKING:
    from editor.scripting.stage import Stage

T = TypeVar("T")
Make = Callable[[EntitySpec | None, int], T]


class Things(Generic[T]):
    """Entities of a world: `doors["Front Door"]`, `doors[0x7C95B001]`, `for door in doors`, `len(doors)`.

    Those whose landblock has not come in are told as the world lists them.
    """

    def __init__(self, stage: Stage, kind: str, make: Make[T]) -> None:
        self._stage = stage
        self._kind = kind
        self._make = make

    def __iter__(self) -> Iterator[T]:
        """The living ones in the order of their ids, then those of landblocks that have not come in."""
        sim = self._stage.engine
        alive = [entity.id for entity in sim.population.ordered if not self._kind or entity.kind == self._kind]
        for thing_id in alive:
            yield self._make(None, thing_id)
        for spec in sim.world.entity_index.everywhere():
            if (not self._kind or spec.kind == self._kind) and not sim.surroundings.has(spec.cell_id):
                yield self._make(spec, spec.guid)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, which: int | str) -> T:
        """One by its id or its name; a RefusedError where there is none, or several of that name."""
        found = self._find(which)
        if found is None:
            raise RefusedError(f"there is no {self._kind or 'entity'} {Id(which) if isinstance(which, int) else which}")
        return found

    def __contains__(self, which: int | str) -> bool:
        try:
            return self._find(which) is not None
        except RefusedError:
            return False

    def _find(self, which: int | str) -> T | None:
        thing_id, sim = self._stage.id_of(which), self._stage.engine
        alive = sim.population.find(thing_id)
        spec = sim.world.entity_spec(thing_id)
        if alive is not None:
            kind = alive.kind
        elif spec is not None and not sim.surroundings.has(spec.cell_id):
            kind = spec.kind
        else:
            return None
        return self._make(spec, thing_id) if self._kind in ("", kind) else None


class Door:
    """A door of a stage. What it says is how it is now; what is done to it is an edit."""

    def __init__(self, stage: Stage, spec: EntitySpec | None, door_id: int) -> None:
        self._stage = stage
        self._spec = spec
        self.id = Id(door_id)

    def __repr__(self) -> str:
        state = "open" if self.is_open else "closed"
        return f"Door({self.id} {self.name!r}, {state}{', locked' if self.is_locked else ''})"

    @property
    def _door(self) -> EngineDoor | None:
        found = self._stage.engine.population.find(self.id)
        return found if isinstance(found, EngineDoor) else None

    @property
    def _listed(self) -> EntitySpec:
        spec = self._spec or self._stage.engine.world.entity_spec(self.id)
        if spec is None:
            raise RefusedError(f"the door {self.id} is not there any more")
        return spec

    @property
    def name(self) -> str:
        door = self._door
        return self._listed.name if door is None else door.name

    @property
    def cell(self) -> Id:
        """The cell that it stands in."""
        door = self._door
        return Id(self._listed.cell_id if door is None else door.place_cell())

    @property
    def position(self) -> Vec3:
        door = self._door
        return self._listed.frame.origin if door is None else door.place_frame().origin

    @property
    def is_open(self) -> bool:
        """Whether bodies can pass; so it is from the first moment of opening to the last of closing."""
        door = self._door
        return truth(self._listed.extra.get("open")) if door is None else door.is_open

    @property
    def is_locked(self) -> bool:
        door = self._door
        return truth(self._listed.extra.get("locked")) if door is None else door.locked

    @property
    def is_moving(self) -> bool:
        door = self._door
        return door is not None and door.is_busy(self._stage.engine.tick_number)

    @property
    def closes_after(self) -> float:
        """Seconds after its last use until it goes back to how it stands untouched."""
        door = self._door
        if door is not None:
            return door.reset_interval
        return number(self._listed.extra.get("reset_interval"), RESET_INTERVAL)

    def use(self, by: int | str = "player") -> None:
        """Use it as the player would, or another entity; a locked one refuses from its front."""
        self._do("Use", UseDoor(self.id, self._stage.id_of(by)))

    def open(self) -> None:
        """Open it for good, locked or not."""
        self._do("Open", OpenDoor(self.id))

    def close(self) -> None:
        """Close it, locked or not."""
        self._do("Close", CloseDoor(self.id))

    def lock(self) -> None:
        self._do("Lock", LockDoor(self.id, True))

    def unlock(self) -> None:
        self._do("Unlock", LockDoor(self.id, False))

    def set_closes_after(self, seconds: float) -> None:
        """Change `closes_after`; a countdown that runs is left alone."""
        self._do("Set Reset Interval of", SetResetInterval(self.id, float(seconds)))

    def passages(self) -> list[Passage]:
        """Who may pass it, from which side and in which state, and what decides: by trials in simulations of their own.
        Takes a second or two."""
        from editor.scripting.trials import passages_of

        with reported():
            return passages_of(self._stage, self.id)

    def _do(self, verb: str, edit: Edit) -> None:
        self._stage._make(f"{verb} {self.name}", [edit])
