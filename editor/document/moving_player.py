"""Moves the player to a place that he can stand at: the one way for menus, docks, the palette and pasted text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from editor.document.document import NOTHING_OPEN, Document
from editor.places.place_text import WrittenPlace, read_place
from editor.places.standing import at_written
from editor.session.session import Kind, Selection
from engine.physics.errors import PhysicsError
from engine.sim.edits.player import Teleport
from engine.sim.script import StartPlace
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import block_text, landblock_id
from engine.world.faults import WorldError

FindPlace = Callable[[Simulation], StartPlace]
"""Finds where he stands; raises a PhysicsError with the reason why he cannot."""


def move_player(document: Document, title: str, find: FindPlace, *, shows: bool = True) -> bool:
    """Put the player at a place as one undo step and select him; False, and said why, where he cannot stand.

    `shows`: the views go there with him. The landblock of the place is opened when it was not in view.
    """
    sim = document.simulation
    if sim is None or document.why_not_edit:
        document.refused.emit(f"{title}: {document.why_not_edit or NOTHING_OPEN}")
        return False
    try:
        place = find(sim)
    except (PhysicsError, WorldError) as error:
        document.refused.emit(f"{title}: {error}.")
        return False
    teleport = Teleport(place.cell_id, *place.origin, place.heading)
    if not document.edit(title, teleport):
        return False
    block_id = landblock_id(sim.player.place_cell())
    document.session.select(Selection(Kind.ENTITY, block_id, sim.player.id))
    if shows:
        document.player_placed.emit()
    return True


def move_player_to_text(document: Document, text: str) -> bool:
    """Put him at a place that was typed or pasted."""
    try:
        place = read_place(text)
    except WorldError as error:
        document.refused.emit(f"Stand at Place: {error}.")
        return False
    why_not = why_not_there(document, place)
    if why_not:
        document.refused.emit(why_not)
        return False
    return move_player(document, f"Stand at {place.short}", partial(at_place, place))


def at_place(place: WrittenPlace, sim: Simulation) -> StartPlace:
    """Where he stands at a written place; looking as now where it names no direction."""
    return at_written(sim, place, sim.player.steered.place.turn.heading())


def why_not_there(document: Document, place: WrittenPlace) -> str:
    """Why the open world has no such place, as far as its landblocks tell; empty when it may have it."""
    session = document.session
    if session.world is None:
        return NOTHING_OPEN
    if landblock_id(place.cell_id) in session.index:
        return ""
    return f"{session.world.name} has no landblock {block_text(place.cell_id)}."
