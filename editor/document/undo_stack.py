"""The undo stack: the done steps, the undone ones, and how both stood before each tick, so that time can resume from
the past with the steps of that moment.

It stores steps and applies none: the document applies a step first and then reports it here. Each change comes with the
number of the tick that is the first to see it; those numbers never decrease.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from editor.document.step import Step as Step
from editor.process.plain_text import plain


@dataclass(frozen=True, eq=False)
class Pile:
    """Steps on top of each other. Piles share what is below, so one for each tick costs little."""

    top: Step
    below: Pile | None
    depth: int

    @staticmethod
    def on(below: Pile | None, top: Step) -> Pile:
        return Pile(top, below, depth_of(below) + 1)


def depth_of(pile: Pile | None) -> int:
    return 0 if pile is None else pile.depth


def top_down(pile: Pile | None) -> list[Step]:
    return list(_top_down(pile))


def bottom_up(pile: Pile | None) -> list[Step]:
    return top_down(pile)[::-1]


def _top_down(pile: Pile | None) -> Iterator[Step]:
    while pile is not None:
        yield pile.top
        pile = pile.below


def _without_top(pile: Pile | None) -> Pile | None:
    return None if pile is None else pile.below


def _text(pile: Pile | None) -> str:
    return "" if pile is None else plain(pile.top.name)


@dataclass(frozen=True)
class StackState:
    """The done and the undone steps, now and before each tick, and how many were saved."""

    done: Pile | None
    undone: Pile | None
    clean: int
    before_ticks: tuple[tuple[int, Pile | None, Pile | None], ...]


NO_STATE = -1
"""The clean index when neither undo nor redo leads back to the saved state."""


class UndoStack(QObject):
    """The done steps, the last one on top, and the undone ones, the next one on top."""

    index_changed = Signal(int)
    """The number of done steps has changed."""
    clean_changed = Signal(bool)
    undo_text_changed = Signal(str)
    redo_text_changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._done: Pile | None = None
        self._undone: Pile | None = None
        self._clean = 0
        self._before_ticks: list[tuple[int, Pile | None, Pile | None]] = []

    # --- asking

    @property
    def done(self) -> Pile | None:
        return self._done

    @property
    def undone(self) -> Pile | None:
        return self._undone

    @property
    def last(self) -> Step | None:
        """The step that undo would undo."""
        return None if self._done is None else self._done.top

    @property
    def next(self) -> Step | None:
        """The step that redo would redo."""
        return None if self._undone is None else self._undone.top

    def index(self) -> int:
        """The number of done steps."""
        return depth_of(self._done)

    def count(self) -> int:
        """The number of steps, done and undone."""
        return depth_of(self._done) + depth_of(self._undone)

    def texts(self) -> list[str]:
        """The names of all steps, in their order."""
        return [plain(step.name) for step in (*bottom_up(self._done), *top_down(self._undone))]

    def can_undo(self) -> bool:
        return self._done is not None

    def can_redo(self) -> bool:
        return self._undone is not None

    def undo_text(self) -> str:
        return _text(self._done)

    def redo_text(self) -> str:
        return _text(self._undone)

    # --- the saved state

    def is_clean(self) -> bool:
        """The done steps are those that were saved."""
        return self._clean == self.index()

    def clean_index(self) -> int:
        """The number of done steps when they were saved; NO_STATE when neither undo nor redo leads back there."""
        return self._clean

    def set_clean(self) -> None:
        """Mark the done steps as saved."""
        self._set(self._done, self._undone, self.index())

    def reset_clean(self) -> None:
        """Mark no reachable state as saved."""
        self._set(self._done, self._undone, NO_STATE)

    # --- changes

    def push(self, tick: int, step: Step) -> None:
        """Add a step that was applied; the undone ones are dropped."""
        clean = NO_STATE if self._clean > self.index() else self._clean
        self._keep(tick, Pile.on(self._done, step), None, clean)

    def merges(self, step: Step) -> bool:
        """Whether a step continues the drag of the last one. The saved state stays a step of its own."""
        return self._done is not None and step.drag != "" and self._done.top.drag == step.drag and not self.is_clean()

    def merge(self, tick: int, step: Step, *, adds: bool = False) -> None:
        """Extend the last step: undo leads back to where it began, redo to where `step` ends, and it takes that name.

        `adds`: the edits come after those of the last step, instead of in their place.
        """
        assert self._done is not None
        top = self._done.top
        merged = replace(top, name=step.name, edits=step.edits)
        if adds:
            edits, inverse = (*top.edits, *step.edits), (*step.inverse, *top.inverse)
            merged = replace(merged, edits=edits, inverse=inverse, names=(*top.names, *step.names))
        clean = NO_STATE if self._clean > self.index() else self._clean
        self._keep(tick, Pile.on(self._done.below, merged), None, clean)

    def step_back(self, tick: int) -> None:
        """Move the last step to the undone ones."""
        if self._done is not None:
            self._keep(tick, self._done.below, Pile.on(self._undone, self._done.top), self._clean)

    def step_forward(self, tick: int, step: Step) -> None:
        """Move the next step to the done ones; `step` is that one with its new inverse edits."""
        self._keep(tick, Pile.on(self._done, step), _without_top(self._undone), self._clean)

    def drop_last(self, tick: int) -> None:
        """Drop the last step, which can no longer be undone."""
        clean = NO_STATE if self._clean >= self.index() else self._clean
        self._keep(tick, _without_top(self._done), self._undone, clean)

    def drop_next(self, tick: int) -> None:
        """Drop the next step, which can no longer be redone."""
        clean = NO_STATE if self._clean > self.index() else self._clean
        self._keep(tick, self._done, _without_top(self._undone), clean)

    def clear(self) -> None:
        """Drop all steps; an empty stack is clean."""
        self._before_ticks = []
        self._set(None, None, 0)

    def state(self) -> StackState:
        """How the stack stands, for `put_back`."""
        return StackState(self._done, self._undone, self._clean, tuple(self._before_ticks))

    def put_back(self, state: StackState) -> None:
        """Be as the stack was."""
        self._before_ticks = list(state.before_ticks)
        self._set(state.done, state.undone, state.clean)

    def return_to(self, tick: int) -> None:
        """Return to how the stack stood before a tick. That state is not the saved one, unless nothing was ever
        changed."""
        while self._before_ticks and self._before_ticks[-1][0] >= tick:
            del self._before_ticks[-1]
        done, undone = self._before_ticks[-1][1:] if self._before_ticks else (None, None)
        self._set(done, undone, 0 if self.is_clean() and done is None else NO_STATE)

    def _keep(self, tick: int, done: Pile | None, undone: Pile | None, clean: int) -> None:
        if self._before_ticks and self._before_ticks[-1][0] == tick:
            del self._before_ticks[-1]  # only the last of several changes for one tick is ever needed
        self._before_ticks.append((tick, done, undone))
        self._set(done, undone, clean)

    def _set(self, done: Pile | None, undone: Pile | None, clean: int) -> None:
        index, was_clean, undo, redo = self.index(), self.is_clean(), self.undo_text(), self.redo_text()
        self._done, self._undone, self._clean = done, undone, clean
        if self.index() != index:
            self.index_changed.emit(self.index())
        if self.undo_text() != undo:
            self.undo_text_changed.emit(self.undo_text())
        if self.redo_text() != redo:
            self.redo_text_changed.emit(self.redo_text())
        if self.is_clean() != was_clean:
            self.clean_changed.emit(self.is_clean())
