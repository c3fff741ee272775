"""The moves of a search by number, and the keys that each is made of."""

from __future__ import annotations

from typing import Final

from engine.sim.tick.controls import Controls

STAND: Final = 0
WALK: Final = 1
RUN: Final = 2
FIRST_JUMP: Final = 3
"""Each charge has three jumps: straight up, at a walk, at a run."""


class Moves:
    """`charges` are the ticks that the jump key is held, one for each charge; `things` what can be used."""

    charges: list[int]
    things: list[int]
    first_use: int

    def __init__(self, charges: list[int], things: list[int]) -> None:
        self.charges = charges
        self.things = things
        self.first_use = FIRST_JUMP + 3 * len(charges)

    def jump(self, charge: int, speed: int) -> int:
        """The move of a jump by the number of its charge, and STAND, WALK or RUN."""
        return FIRST_JUMP + 3 * charge + speed

    def keys(self, move: int, look: float, ticks: int, waited: int) -> list[Controls]:
        """The keys of every tick of a move that began with a turn; its last `waited` ticks are without keys."""
        still = Controls()
        if move >= self.first_use:
            return [Controls(use=self.things[move - self.first_use])] + [still] * (ticks - 1)
        held = 0 if move < FIRST_JUMP else self.charges[(move - FIRST_JUMP) // 3]
        speed = move if move < FIRST_JUMP else (move - FIRST_JUMP) % 3
        forward = 0.0 if speed == STAND else 1.0
        led = ticks - waited
        keys = [Controls(jump=True)] * min(held, led)
        if led > held:
            keys.append(Controls(forward=forward, run=speed == RUN, look=look))
            keys += [Controls(forward=forward, run=speed == RUN)] * (led - held - 1)
        return keys + [still] * waited
