"""What the geometric checks find in a landblock, looked for in the background and kept until its rooms change."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.session import background
from engine.findings.finding import Found
from engine.findings.registry import CHECKS
from engine.survey.checks.loaded import UNREACHED
from engine.survey.run import check_view
from engine.survey.view import Shapes, View
from engine.world.cells.cell import EnvCell
from engine.world.landblock import Landblock
from engine.world.world import World

ENABLED: Final = frozenset(CHECKS) - {UNREACHED.id}
"""All but what `check_block` looks for at once."""


class _Search(background.Job):
    class Signals(QObject):
        done = Signal(object, object)

    def __init__(self, view: View) -> None:
        super().__init__()
        self.signals = _Search.Signals()
        self._view = view

    def work(self) -> None:
        found: list[Found] = []
        for each in check_view(self._view, ENABLED):
            if background.is_ending():
                return
            found.append(each)
        self.signals.done.emit(self._view, found)


class GeometryWatch(QObject):
    """Answers at once with what it knows; `ready` announces that it has more."""

    ready = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shapes = Shapes()
        self._answered: View | None = None
        self._answer: list[Found] = []
        self._search: _Search | None = None
        self._asked: View | None = None

    @property
    def is_searching(self) -> bool:
        return self._search is not None

    def forget(self) -> None:
        """Let go of the world before: another one is open."""
        self._shapes = Shapes()
        self._answered, self._asked = None, None
        self._answer = []

    def found_in(self, world: World, block: Landblock) -> list[Found]:
        """The findings of a landblock; until the search has finished those of how it was before."""
        rooms = block.env_cells
        answered = self._answered
        if answered is not None and _is_of(answered, block, rooms):
            return self._answer
        if self._asked is None or not _is_of(self._asked, block, rooms):
            self._asked = View(block, world, self._shapes).load_all()
        self._start()
        return self._answer if answered is not None and answered.id == block.id else []

    def _start(self) -> None:
        """Run one search at a time; the latest request is next."""
        if self._search is None and self._asked is not None and self._asked is not self._answered:
            self._search = _Search(self._asked)
            self._search.signals.done.connect(self._on_done)
            background.start(self._search)

    @Slot(object, object)
    def _on_done(self, view: View, answer: list[Found]) -> None:
        self._search = None
        if view.shapes is self._shapes:  # else it is of the world before
            self._answered, self._answer = view, answer
        if self._asked is view:
            self._asked = None
        self._start()
        self.ready.emit()


def _is_of(view: View, block: Landblock, rooms: list[EnvCell]) -> bool:
    """Whether a view is of a landblock with these very rooms: an edited room is another object."""
    known = list(view.rooms.values())
    return (
        view.id == block.id
        and len(known) == len(rooms)
        and all(one is other for one, other in zip(known, rooms, strict=True))
    )
