"""Adds entities to the open world."""

from __future__ import annotations

from editor.authoring.catalogue import Pattern, add_like, place_ahead
from editor.document.document import Document
from editor.session.session import Kind, Selection
from engine.world.cells.ids import landblock_id


def add_ahead(document: Document, pattern: Pattern) -> Selection | None:
    """Put an entity before the player's feet. The selection of it, or None where the edit was refused."""
    sim = document.simulation
    if sim is None:
        return None
    cell_id, origin, heading = place_ahead(sim)
    edit = add_like(sim, pattern, cell_id, origin, heading)
    is_made = document.edit(f"Add {pattern.spec.name}", edit)
    return Selection(Kind.ENTITY, landblock_id(cell_id), edit.entity_id) if is_made else None
