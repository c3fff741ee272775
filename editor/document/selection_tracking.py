"""Keeps the selection on the thing that was selected.

A room's static thing is known by its index in a list, and edits, undo and redo insert and remove others before it. A
thing that an edit removed is deselected.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from editor.authoring.static_edits import owner_of
from editor.document.document import Document
from editor.session.session import Kind, Selection
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.objects import StaticObject


class SelectionWatch(QObject):
    """Updates the selection after a step, not between its edits, and leaves it alone in the past."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self._was_there = False
        self._thing: StaticObject | None = None
        self._count = 0
        self._edited = False
        document.session.selection_changed.connect(self._remember)
        document.edited.connect(self._on_edited)
        document.changed.connect(self._follow)

    @Slot(object)
    def _on_edited(self, edit: Edit) -> None:
        self._edited = True

    @Slot()
    def _remember(self) -> None:
        """The selected thing as it is now."""
        sim, selection = self.document.simulation, self.document.session.selection
        things = _things_beside(sim, selection)
        self._count = len(things)
        self._thing = next((thing for thing in things if selection is not None and thing.id == selection.key), None)
        self._was_there = sim is not None and selection is not None and _is_there(sim, selection)

    @Slot()
    def _follow(self) -> None:
        session, sim = self.document.session, self.document.simulation
        if not self._edited or self.document.in_past:
            return
        self._edited = False
        selection, was = session.selection, self._thing
        if sim is None or selection is None or not self._was_there:
            return
        if was is None:
            if not _is_there(sim, selection):
                session.select(None)
            return
        things = _things_beside(sim, selection)
        same = [thing for thing in things if _is_same(thing, was)]
        at_its_number = [thing for thing in things if thing.id == selection.key and thing.model_id == was.model_id]
        if not any(thing.id == selection.key for thing in same) and (len(things) != self._count or not at_its_number):
            session.select(Selection(Kind.STATIC, selection.landblock, same[0].id) if same else None)
        self._remember()


def _things_beside(sim: Simulation | None, selection: Selection | None) -> list[StaticObject]:
    """The static things of the room that owns the selected one."""
    if sim is None or selection is None or selection.kind is not Kind.STATIC:
        return []
    room = sim.graph.get_visible(owner_of(selection.key))
    return room.static_objects if isinstance(room, EnvCell) else []


def _is_there(sim: Simulation, selection: Selection) -> bool:
    if selection.kind is Kind.ENTITY:
        return sim.population.find(selection.key) is not None
    if selection.kind is not Kind.STATIC:
        return True
    known = any(thing.id == selection.key for thing in _things_beside(sim, selection))
    return known or selection.key in sim.population.statics.things


def _is_same(a: StaticObject, b: StaticObject) -> bool:
    frames = (a.frame.origin, a.frame.rotation), (b.frame.origin, b.frame.rotation)
    return a.model_id == b.model_id and frames[0] == frames[1]
