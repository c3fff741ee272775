"""The smallest set of changes with which something is so: singles first, then what cannot be left out, then proof.

    found = smallest_set(39, lambda chosen: agrees_with(chosen))

`holds` is asked about sets of numbers; that it holds for all of them together does not mean that it does for more than
some of them, so nothing is taken for granted: a set is found by trials alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from engine.files.cancelling import check_cancelled

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work with a pause after each piece of it, and its result at the end."""

Holds = Callable[[frozenset[int]], bool]
Tried = Callable[[frozenset[int]], Steps[bool]]


def all_at_once(steps: Steps[T]) -> T:
    """The result of work that nobody pauses."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


@dataclass(frozen=True)
class SmallestSet:
    """`alone`: every number that does it by itself. `is_smallest`: no smaller set does it, each has been tried."""

    numbers: tuple[int, ...]
    alone: tuple[int, ...]
    is_smallest: bool
    trials: int


def smallest_set(count: int, holds: Holds, most_trials: int) -> SmallestSet | None:
    """The smallest set of the numbers below `count` for which it holds; None when it holds without any, or not for all.

    With one number it is certain; a larger set is one from which none can be left out, and certain if the trials
    suffice for all smaller ones.
    """

    def tried(chosen: frozenset[int]) -> Steps[bool]:
        yield
        return holds(chosen)

    return all_at_once(smallest_set_steps(count, tried, most_trials))


def smallest_set_steps(count: int, holds: Tried, most_trials: int) -> Steps[SmallestSet | None]:
    """The same with the pauses of its trials."""
    trials = 0

    def tried(chosen: frozenset[int]) -> Steps[bool]:
        nonlocal trials
        check_cancelled()
        trials += 1
        return (yield from holds(chosen))

    if (yield from tried(frozenset())):
        return None
    alone: tuple[int, ...] = ()
    for number in range(count):
        if (yield from tried(frozenset((number,)))):
            alone = (*alone, number)
    if alone:
        return SmallestSet(alone[:1], alone, True, trials)
    if count < 2 or not (yield from tried(frozenset(range(count)))):
        return None
    left = yield from _none_left_out(frozenset(range(count)), tried)
    for size in range(2, len(left)):
        for chosen in combinations(range(count), size):
            if trials >= most_trials:
                return SmallestSet(tuple(sorted(left)), (), False, trials)
            if (yield from tried(frozenset(chosen))):
                return SmallestSet(chosen, (), True, trials)
    return SmallestSet(tuple(sorted(left)), (), True, trials)


def _none_left_out(chosen: frozenset[int], tried: Tried) -> Steps[frozenset[int]]:
    """A part of a set for which it holds, and from which no number can be left out: in halves while that works, then
    one by one."""
    part = len(chosen) // 2
    while part >= 1:
        numbers = sorted(chosen)
        for start in range(0, len(numbers), part):
            fewer = chosen.difference(numbers[start : start + part])
            if fewer and (yield from tried(fewer)):
                chosen = fewer
        part //= 2
    numbers = sorted(chosen)
    while numbers:  # leaving one out may allow another to be left out
        number = numbers.pop(0)
        if (yield from tried(chosen - {number})):
            chosen -= {number}
            numbers = sorted(chosen)
    return chosen
