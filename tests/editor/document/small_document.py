"""A document over a small world, without a window."""

from __future__ import annotations

from editor.document.document import Document
from editor.session.session import Session
from engine.build.built import BuiltWorld
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation


def document_of(built: BuiltWorld, room: str = "hall", at: tuple[float, float] = (3.0, 2.0)) -> Document:
    """An open document; the player stands in a room."""
    session = Session()
    document = Document(session)
    sim = Simulation(built.load())
    sim.apply_edit(Teleport(built.cell_id(room), *at, 0.0, 90.0))
    session.world = sim.world
    session.simulation = sim
    session.landblock_id = sim.world.landblock_ids()[0]
    session.opened.emit()
    return document
