"""The edits of a script as one undo step, and what the document returns to when the script fails."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from editor.document.history import Mark
from editor.document.step_application import ExactState
from editor.document.undo_stack import Pile, StackState, Step, depth_of
from editor.session.session import Selection
from engine.world.names import NameChange

if TYPE_CHECKING:
    from editor.document.document import Document

_numbers = count(1)


class Group:
    """Makes one step of the edits of a script: they share a `drag` that no other step has."""

    def __init__(self, title: str, is_named_after_first: bool) -> None:
        self.title = title
        self.is_named_after_first = is_named_after_first
        self.drag = f"group {next(_numbers)}"

    def member(self, step: Step, last: Step | None) -> Step:
        """The step as a part of the group. The first keeps its name, if the group allows that, until others join."""
        is_first = last is None or last.drag != self.drag
        keeps = is_first and self.is_named_after_first
        return replace(step, drag=self.drag, name=step.name if keeps else self.title)


@dataclass(frozen=True)
class Savepoint:
    """A document between two of its changes. `mark` is None when nothing was open."""

    mark: Mark | None
    tick: int
    state: bytes
    """The hash of the simulation's state."""
    snapshot: bytes
    stack: StackState
    exact: dict[int, ExactState]
    selection: Selection | None


def savepoint_of(document: Document) -> Savepoint:
    """The document as it is."""
    history, sim = document.history, document.simulation
    mark = None if history is None else history.mark()
    tick, state, snapshot = (0, b"", b"") if sim is None else (sim.tick_number, sim.state_hash(), sim.snapshot())
    rest = (document.stack.state(), dict(document._exact), document.session.selection)
    return Savepoint(mark, tick, state, snapshot, *rest)


def roll_back(document: Document, point: Savepoint) -> bool:
    """Let a document be as it was at a point of its present group, recording and all; False when it still is."""
    history, sim = document.history, document.simulation
    if history is None or sim is None or point.mark is None or savepoint_of(document) == point:
        return False
    renamed = _names_on_the_way(document.stack.done, point.stack.done)
    document.names.apply(renamed)
    document.stack.put_back(point.stack)
    document._exact = dict(point.exact)
    history.cut_back(point.mark)
    document._travel(history.end)
    document.travelled.emit()  # whoever follows the present forgets what came after
    if point.tick != history.end:
        document._travel(point.tick)
        document.travelled.emit()
    if sim.state_hash() != point.state:  # changed by more than edits and ticks
        sim.put_state_back(point.snapshot)
    if sim.last_report is not None:
        document.ticked.emit(sim.last_report)
    if renamed:
        document.named.emit()
    document.session.select(point.selection)
    document._tell()
    return True


def _names_on_the_way(now: Pile | None, then: Pile | None) -> list[NameChange]:
    """The changes of names that lead from some done steps to others."""
    found: list[NameChange] = []
    again: list[NameChange] = []
    while now is not then:
        if now is not None and depth_of(now) >= depth_of(then):
            found += [replace(each, before=each.after, after=each.before) for each in reversed(now.top.names)]
            now = now.below
        elif then is not None:
            again[:0] = then.top.names
            then = then.below
    return found + again
