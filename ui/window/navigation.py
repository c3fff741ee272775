"""Goes to things: selects them and brings them into view, in the 3D view or on the map."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from editor.places.place_text import seems_place
from editor.session.session import Kind, Selection, Session
from engine.world.cells.ids import is_env_cell, landblock_id, low_of, parse_id
from engine.world.faults import WorldError


class Navigator(QObject):
    """Selects in the session, and emits `frame_wanted` for the views to frame the selection."""

    frame_wanted = Signal()
    """The selection is to be brought into view."""
    place_wanted = Signal(str)
    """A place was typed at which the player is to stand."""
    refused = Signal(str)
    """Why nothing was gone to."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session

    @Slot()
    def frame_selection(self) -> None:
        """Bring the selection into view."""
        self.frame_wanted.emit()

    @Slot(object)
    def jump(self, selection: Selection) -> None:
        """Select something and bring it into view."""
        self._session.select(selection)
        self.frame_wanted.emit()

    @Slot(str)
    def go_to(self, text: str) -> None:
        """Select the cell, landblock or entity of an id and bring it into view; put the player at a written place."""
        if seems_place(text):
            self.place_wanted.emit(text)
            return
        world, session = self._session.world, self._session
        try:
            wanted = parse_id(text)
        except WorldError as error:
            self.refused.emit(str(error))
            return
        if world is None:
            return
        sim, block_id = session.simulation, landblock_id(wanted)
        entity = None if sim is None else sim.population.find(wanted)
        if entity is not None:
            self.jump(Selection(Kind.ENTITY, landblock_id(entity.place_cell()), wanted))
        elif block_id not in session.index:
            self.refused.emit(f"There is no cell, landblock or entity {text} in this world.")
        elif is_env_cell(low_of(wanted)) and world.graph.get_visible(wanted) is not None:
            self.jump(Selection(Kind.CELL, block_id, wanted))
        else:
            self.jump(Selection(Kind.LANDBLOCK, block_id, block_id))
