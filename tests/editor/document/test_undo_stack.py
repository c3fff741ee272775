"""The undo stack compared with Qt's over random sequences, and its own addition: how it stood before each tick."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from PySide6.QtGui import QUndoCommand, QUndoStack

from editor.document.undo_stack import NO_STATE, Step, UndoStack, bottom_up, top_down

SEQUENCES = 300
LENGTH = 60


class Command(QUndoCommand):
    """A step on Qt's stack; once it `fails` it is obsolete, as one that is refused."""

    def __init__(self, name: str, drag: str) -> None:
        super().__init__(name)
        self.drag = drag
        self.fails = False

    def undo(self) -> None:
        self.setObsolete(self.fails)

    def redo(self) -> None:
        self.setObsolete(self.fails)

    def id(self) -> int:
        return 1 if self.drag else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, Command) or other.drag != self.drag:
            return False
        self.setText(other.text())
        return True


@dataclass
class Heard:
    """The last value that each signal had."""

    values: dict[str, object] = field(default_factory=lambda: {"index": 0, "clean": True, "undo": "", "redo": ""})

    def hear(self, name: str, value: object) -> None:
        self.values[name] = value


class Pair:
    """Both stacks, to which the same happens."""

    def __init__(self) -> None:
        self.ours, self.qt = UndoStack(), QUndoStack()
        self.kept: list[Command] = []  # Qt's stack owns them, and Python must not free them
        self.heard_ours, self.heard_qt = Heard(), Heard()
        self.ours.index_changed.connect(lambda value: self.heard_ours.hear("index", value))
        self.ours.clean_changed.connect(lambda value: self.heard_ours.hear("clean", value))
        self.ours.undo_text_changed.connect(lambda value: self.heard_ours.hear("undo", value))
        self.ours.redo_text_changed.connect(lambda value: self.heard_ours.hear("redo", value))
        self.qt.indexChanged.connect(lambda value: self.heard_qt.hear("index", value))
        self.qt.cleanChanged.connect(lambda value: self.heard_qt.hear("clean", value))
        self.qt.undoTextChanged.connect(lambda value: self.heard_qt.hear("undo", value))
        self.qt.redoTextChanged.connect(lambda value: self.heard_qt.hear("redo", value))

    def push(self, name: str, drag: str) -> None:
        step = Step(name, (), (), drag)
        if self.ours.merges(step):
            self.ours.merge(0, step)
        else:
            self.ours.push(0, step)
        self.qt.push(Command(name, drag))

    def undo(self, fails: bool) -> None:
        if not self.ours.can_undo():
            return
        command = self.qt.command(self.qt.index() - 1)
        assert isinstance(command, Command)
        command.fails = fails
        self.qt.undo()
        if fails:
            self.ours.drop_last(0)
        else:
            self.ours.step_back(0)

    def redo(self, fails: bool) -> None:
        step = self.ours.next
        if step is None:
            return
        command = self.qt.command(self.qt.index())
        assert isinstance(command, Command)
        command.fails = fails
        self.qt.redo()
        if fails:
            self.ours.drop_next(0)
        else:
            self.ours.step_forward(0, step)

    def compare(self) -> None:
        ours, qt = self.ours, self.qt
        assert ours.texts() == [qt.text(place) for place in range(qt.count())]
        assert (ours.count(), ours.index()) == (qt.count(), qt.index())
        assert (ours.can_undo(), ours.can_redo()) == (qt.canUndo(), qt.canRedo())
        assert (ours.undo_text(), ours.redo_text()) == (qt.undoText(), qt.redoText())
        assert (ours.is_clean(), ours.clean_index()) == (qt.isClean(), qt.cleanIndex())
        assert self.heard_ours == self.heard_qt


def happen(pair: Pair, dice: random.Random, number: int) -> None:
    kind = dice.choice(["push", "push", "drag", "drag", "undo", "undo", "redo", "fail", "clean", "reset", "clear"])
    if kind == "push":
        pair.push(f"step {number}", "")
    elif kind == "drag":
        pair.push(f"drag {number}", dice.choice("ab"))
    elif kind == "undo":
        pair.undo(fails=False)
    elif kind == "redo":
        pair.redo(fails=False)
    elif kind == "fail":
        dice.choice([pair.undo, pair.redo])(True)
    elif kind == "clean":
        pair.ours.set_clean()
        pair.qt.setClean()
    elif kind == "reset":
        pair.ours.reset_clean()
        pair.qt.resetClean()
    elif dice.random() < 0.2 and pair.ours.count():  # an empty stack of Qt's stays changed when it is cleared
        pair.ours.clear()
        pair.qt.clear()


@pytest.mark.parametrize("part", range(3))
def test_any_sequence_leaves_it_as_it_leaves_qts_stack(part: int) -> None:
    for seed in range(part * SEQUENCES // 3, (part + 1) * SEQUENCES // 3):
        pair, dice = Pair(), random.Random(seed)
        for number in range(LENGTH):
            happen(pair, dice, number)
            pair.compare()


# --- how it stood before each tick


def names(stack: UndoStack) -> tuple[list[str], list[str]]:
    return [step.name for step in bottom_up(stack.done)], [step.name for step in top_down(stack.undone)]


def change(stack: UndoStack, dice: random.Random, tick: int, number: int) -> None:
    kind = dice.choice(["push", "drag", "undo", "redo", "drop"])
    step = Step(f"step {number}", (), (), "a" if kind == "drag" else "")
    if kind in ("push", "drag"):
        if stack.merges(step):
            stack.merge(tick, step)
        else:
            stack.push(tick, step)
    elif kind == "undo":
        stack.step_back(tick)
    elif kind == "redo" and stack.next is not None:
        stack.step_forward(tick, stack.next)
    elif kind == "drop":
        dice.choice([stack.drop_last, stack.drop_next])(tick)


@pytest.mark.parametrize("seed", range(20))
def test_it_returns_to_how_it_stood_before_any_tick(seed: int) -> None:
    stack, dice = UndoStack(), random.Random(seed)
    stood = []
    number = 0
    for tick in range(30):
        stood.append(names(stack))
        for _ in range(dice.randrange(4)):
            number += 1
            change(stack, dice, tick, number)
    tick = dice.randrange(30)
    stack.return_to(tick)
    assert names(stack) == stood[tick]
    stack.return_to(tick // 2)
    assert names(stack) == stood[tick // 2]


def test_a_step_that_cannot_be_undone_is_forgotten_and_comes_back_with_the_past() -> None:
    stack = UndoStack()
    stack.push(1, Step("first", ()))
    stack.push(2, Step("second", ()))
    stack.step_back(3)
    stack.drop_next(4)
    assert names(stack) == (["first"], [])
    stack.drop_last(5)
    assert stack.done is None
    stack.return_to(4)
    assert names(stack) == (["first"], ["second"])


def test_a_state_of_the_past_is_not_the_saved_one() -> None:
    stack = UndoStack()
    stack.return_to(0)
    assert stack.is_clean(), "nothing was ever changed"
    stack.push(1, Step("first", ()))
    stack.set_clean()
    stack.return_to(2)
    assert (stack.is_clean(), stack.clean_index()) == (False, NO_STATE)


def test_a_cleared_stack_is_clean_even_if_it_was_empty() -> None:
    stack = UndoStack()
    stack.reset_clean()
    stack.clear()
    assert (stack.is_clean(), stack.clean_index()) == (True, 0)


def test_a_long_pile_costs_no_recursion() -> None:
    stack = UndoStack()
    for number in range(5000):
        stack.push(number, Step(f"step {number}", ()))
    assert (stack.index(), len(stack.texts())) == (5000, 5000)
    stack.return_to(2500)
    assert (stack.index(), stack.undo_text()) == (2500, "step 2499")
