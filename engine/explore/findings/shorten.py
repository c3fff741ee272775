"""Keys made shorter while what they show is still so: until no key of them can be left out.

keys = shortened(keys, lambda fewer: trial_shows(fewer), MOST_TRIALS)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.sim.tick.controls import Controls

MOST_TRIALS: Final = 250
"""Runs of the keys of one finding, after which they stay as they are."""

Holds = Callable[[Sequence[Controls]], int]
"""Runs keys: the number of ticks after which it has shown itself, or -1."""


@dataclass(frozen=True, slots=True)
class _Held:
    """Keys that are held for some ticks. The mouse turns in the first of them alone."""

    controls: Controls
    ticks: int


@dataclass(frozen=True)
class Shortened:
    """`is_shortest`: without any of its keys, or with any held for a tick less, it does not show."""

    keys: tuple[Controls, ...]
    is_shortest: bool
    trials: int


class _Shortening:
    def __init__(self, holds: Holds, most_trials: int) -> None:
        self._holds = holds
        self._most = most_trials
        self.trials = 0
        self.best: list[_Held] = []

    @property
    def is_over(self) -> bool:
        return self.trials >= self._most

    def try_with(self, held: list[_Held]) -> bool:
        """Take these instead if they show it as well, without what comes after."""
        if self.is_over:
            return False
        check_cancelled()
        self.trials += 1
        keys = _ticks(held)
        shown = self._holds(keys)
        if shown < 0:
            return False
        self.best = _held(keys[:shown])
        return True

    def without_stretches(self) -> None:
        """Leave out runs of stretches, halves first, then single ones."""
        size = max(len(self.best) // 2, 1)
        while not self.is_over:
            at, left_out = 0, False
            while at < len(self.best) and not self.is_over:
                if self.try_with(self.best[:at] + self.best[at + size :]):
                    left_out = True
                else:
                    at += size
            if size == 1 and not left_out:
                return
            size = max(size // 2, 1)

    def with_shorter_stretches(self) -> bool:
        """Hold keys for fewer ticks, half of them first, then one; whether any could be."""
        done = False
        at = 0
        while at < len(self.best) and not self.is_over:
            ticks = self.best[at].ticks
            less = ticks // 2
            while less >= 1 and not self.is_over:
                if at < len(self.best) and self.best[at].ticks > less and self.try_with(self._with(at, -less)):
                    done = True
                    continue
                less //= 2
            at += 1
        return done

    def _with(self, at: int, ticks: int) -> list[_Held]:
        held = self.best.copy()
        held[at] = replace(held[at], ticks=held[at].ticks + ticks)
        return held

    def without_keys(self) -> bool:
        """Leave out single keys of a stretch: running, side steps, the jump, the turn of the mouse."""
        done = False
        at = 0
        while at < len(self.best):
            for fewer in _with_fewer_keys(self.best[at].controls):
                held = self.best.copy()
                held[at] = replace(held[at], controls=fewer)
                if self.try_with(held):
                    done = True
                    break
            else:
                at += 1
            if self.is_over:
                break
        return done


def shortened(keys: Sequence[Controls], holds: Holds, most_trials: int = MOST_TRIALS) -> Shortened | None:
    """The keys without all that can be left out; None when they do not show it to begin with."""
    work = _Shortening(holds, most_trials)
    if not work.try_with(_held(keys)):
        return None
    work.without_stretches()
    while not work.is_over:
        before = work.best
        work.with_shorter_stretches()
        work.without_keys()
        if work.best == before:
            break
        work.without_stretches()
    return Shortened(tuple(_ticks(work.best)), not work.is_over, work.trials)


def _held(keys: Sequence[Controls]) -> list[_Held]:
    held: list[_Held] = []
    for controls in keys:
        if held and controls.look == 0.0 and controls == _without_look(held[-1].controls):
            held[-1] = replace(held[-1], ticks=held[-1].ticks + 1)
        else:
            held.append(_Held(controls, 1))
    return held


def _ticks(held: Sequence[_Held]) -> list[Controls]:
    keys: list[Controls] = []
    for each in held:
        keys.append(each.controls)
        keys.extend([_without_look(each.controls)] * (each.ticks - 1))
    return keys


def _without_look(controls: Controls) -> Controls:
    if controls.look == 0.0:
        return controls
    forward, side_step, turn, run, jump, use, _ = controls.as_tuple()
    return Controls(forward, side_step, turn, run, jump, use)


def _with_fewer_keys(controls: Controls) -> list[Controls]:
    forward, side_step, turn, run, jump, use, look = controls.as_tuple()
    found = []
    if look != 0.0:
        found.append(_without_look(controls))
    if use:
        found.append(Controls(forward, side_step, turn, run, jump, 0, look))
    if jump:
        found.append(Controls(forward, side_step, turn, run, False, use, look))
    if turn != 0.0:
        found.append(Controls(forward, side_step, 0.0, run, jump, use, look))
    if side_step != 0.0:
        found.append(Controls(forward, 0.0, turn, run, jump, use, look))
    if run:
        found.append(Controls(forward, side_step, turn, False, jump, use, look))
    if forward != 0.0:
        found.append(Controls(0.0, side_step, turn, run, jump, use, look))
    return found
