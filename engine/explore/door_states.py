"""The doors of a search that uses them: which stand open in each of its states.

A door that is opened stays open. Opened by hand it matters only beyond it, so places are remembered without it; doors
that something else opened (a switch, a plate, another door) are told apart everywhere.
"""

from __future__ import annotations

from typing import Final

from engine.entities.door import NEVER, Door
from engine.entities.specs import PRESSURE_PLATE
from engine.physics.flags import ETHEREAL
from engine.physics.objects.physics_object import PhysicsObj
from engine.sim.tick.simulation import Simulation

TICKS: Final = 300
"""The longest wait for doors that move."""


class DoorStates:
    """`now` is the number of the state that the doors are in, `remote` says of each what of it was opened from afar."""

    doors: list[Door]
    things: list[int]
    """What can be used by touch: doors and switches."""
    plates: set[int]
    now: int
    remote: list[int]
    _objects: list[PhysicsObj]
    _states: list[list[bool]]
    _numbers: dict[str, int]
    _from_afar: list[str]
    _usable: set[int]

    def __init__(self, sim: Simulation) -> None:
        population = sim.population
        self.doors = list(population.doors)
        self._objects = [population.registry.entity(door.id).obj for door in self.doors]
        self.things = []
        self.plates = set()
        for entity in population.ordered:
            if entity.kind == PRESSURE_PLATE:
                self.plates.add(entity.id)
            elif isinstance(entity, Door) or entity.activates:
                self.things.append(entity.id)
        self._usable = set(self.things)
        self.now = 0
        first = [door.is_open for door in self.doors]
        self._states = [first]
        self._numbers = {_text(first) + _text(first): 0}
        self._from_afar = [_text(first)]
        self.remote = [0]

    def is_usable(self, thing: int) -> bool:
        return thing in self._usable

    def is_open(self, thing: int, number: int) -> bool:
        """Whether that is a door, and open in a state."""
        state = self._states[number]
        return any(state[index] and self.doors[index].id == thing for index in range(len(state)))

    def is_busy(self) -> bool:
        """Whether any door moves, or waits for a body to go out of it."""
        return any(door.busy_until != NEVER or door.held for door in self.doors)

    def has_changed(self) -> bool:
        state = self._states[self.now]
        return any(self.doors[index].is_open != state[index] for index in range(len(state)))

    def settle(self, by_hand: int) -> int:
        """The number of the state that the doors are in now, one of them opened by hand."""
        before = self._states[self.now]
        state = [door.is_open for door in self.doors]
        afar = list(self._from_afar[self.now])
        for index in range(len(state)):
            if state[index] != before[index] and self.doors[index].id != by_hand:
                afar[index] = "1" if state[index] else "0"
        text = "".join(afar)
        key = _text(state) + text
        number = self._numbers.get(key, -1)
        if number < 0:
            number = len(self._states)
            self._numbers[key] = number
            self._states.append(state)
            if text not in self._from_afar:
                self.remote.append(max(self.remote) + 1)
            else:
                self.remote.append(self.remote[self._from_afar.index(text)])
            self._from_afar.append(text)
        self.now = number
        return number

    def put(self, number: int) -> None:
        """Let the doors stand as in a state, at rest."""
        state = self._states[number]
        for index in range(len(state)):
            door = self.doors[index]
            obj = self._objects[index]
            door.is_open = state[index]
            door.busy_until = NEVER
            door.reset_at = NEVER
            door.retry_at = NEVER
            door.held = False
            if state[index]:
                obj.state |= ETHEREAL
            else:
                obj.state &= ~ETHEREAL
        self.now = number


def _text(state: list[bool]) -> str:
    return "".join(["1" if is_open else "0" for is_open in state])
