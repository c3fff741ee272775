"""The steps of the undo stack, and how it stood before each tick, so that time can go on from the past with the steps
that had been made by then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.sim.edits.edit import Edit


@dataclass(frozen=True)
class Step:
    """What one step does: its name, its edits, those that take it back, and the drag that it is a part of."""

    name: str
    edits: tuple[Edit, ...]
    inverse: tuple[Edit, ...] = ()
    drag: str = ""


@dataclass(frozen=True)
class Pile:
    """Steps one upon the other. Piles share what is below, so that many of them cost little."""

    top: Step
    below: Pile | None


def bottom_up(pile: Pile | None) -> list[Step]:
    return list(_top_down(pile))[::-1]


def top_down(pile: Pile | None) -> list[Step]:
    return list(_top_down(pile))


def _top_down(pile: Pile | None) -> Iterator[Step]:
    while pile is not None:
        yield pile.top
        pile = pile.below


class Journal:
    """`done` are the steps that stand, the last made on top; `undone` those that can be made again, the next on top.

    Each change is told with the number of the tick that is the first to see it, and none comes before an older one.
    """

    def __init__(self) -> None:
        self.done: Pile | None = None
        self.undone: Pile | None = None
        self._kept: list[tuple[int, Pile | None, Pile | None]] = []

    def made(self, tick: int, step: Step) -> None:
        """A new step; what was undone can not be made again."""
        self._keep(tick, Pile(step, self.done), None)

    def merged(self, tick: int, step: Step) -> None:
        """The last step goes farther: another part of one drag."""
        self._keep(tick, Pile(step, None if self.done is None else self.done.below), None)

    def took_back(self, tick: int) -> None:
        if self.done is not None:
            self._keep(tick, self.done.below, Pile(self.done.top, self.undone))

    def made_again(self, tick: int, step: Step) -> None:
        """`step`: with what takes it back now."""
        self._keep(tick, Pile(step, self.done), None if self.undone is None else self.undone.below)

    def lost_done(self, tick: int) -> None:
        """The last step could not be taken back, and is forgotten."""
        self._keep(tick, None if self.done is None else self.done.below, self.undone)

    def lost_undone(self, tick: int) -> None:
        """The next step could not be made again, and is forgotten."""
        self._keep(tick, self.done, None if self.undone is None else self.undone.below)

    def _keep(self, tick: int, done: Pile | None, undone: Pile | None) -> None:
        self.done, self.undone = done, undone
        if self._kept and self._kept[-1][0] == tick:
            del self._kept[-1]  # of several changes in one tick only the last is ever asked for
        self._kept.append((tick, done, undone))

    def cut(self, tick: int) -> None:
        """Be as before the changes that were made for that tick and later ones."""
        while self._kept and self._kept[-1][0] >= tick:
            del self._kept[-1]
        self.done, self.undone = self._kept[-1][1:] if self._kept else (None, None)
