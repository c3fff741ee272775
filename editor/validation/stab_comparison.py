"""The cells that can be seen from each room, searched in the background and cached until the rooms change."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from editor.session import background
from engine.survey.stabs.question import Question, search_stab_lists, stab_question
from engine.world.world import World


class _Search(background.Job):
    class Signals(QObject):
        done = Signal(object, object)

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.signals = _Search.Signals()
        self._question = question

    def work(self) -> None:
        lists: dict[int, list[int]] = {}
        for cell_id, seen in search_stab_lists(self._question):
            if background.is_ending():
                return
            lists[cell_id] = seen
        self.signals.done.emit(self._question, lists)


class StabComparison(QObject):
    """Answers at once from its cache; `ready` announces that it has more."""

    ready = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers: dict[Question, dict[int, list[int]]] = {}
        self._search: _Search | None = None
        self._asked: Question = ()

    def seen_from(self, world: World, cell_id: int) -> list[int] | None:
        """The cells that are seen from a room; None until the search has finished."""
        answer = self.lists_of(world, cell_id)
        return None if answer is None else answer.get(cell_id, [])

    def lists_of(self, world: World, block_id: int) -> dict[int, list[int]] | None:
        """The cells that are seen from every room of a landblock; None until the search has finished."""
        question = stab_question(world, block_id)
        answer = self._answers.get(question)
        if answer is not None:
            return answer
        self._asked = question
        self._start()
        return None

    def _start(self) -> None:
        """Run one search at a time; the latest request is next."""
        if self._search is not None or self._asked in self._answers:
            return
        self._search = _Search(self._asked)
        self._search.signals.done.connect(self._on_done)
        background.start(self._search)

    @Slot(object, object)
    def _on_done(self, question: Question, answer: dict[int, list[int]]) -> None:
        self._search = None
        self._answers = {question: answer}
        self._start()
        self.ready.emit()
