"""The words for what the player ran into: walls, land, statics and entities, down to the part and the polygon."""

from __future__ import annotations

from typing import Final

from engine.geometry.constants import FLOOR_Z
from engine.sim.tick.contacts import (
    BARRIER,
    BUILDING,
    EDGE,
    NO_CELL,
    NO_POLYGON,
    STEEP,
    TERRAIN,
    THING,
    Contact,
    SweepContacts,
)
from engine.sim.tick.simulation import Simulation
from engine.sim.trace import cell_search
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.objects import StaticObject

LARGEST_ENTITY: Final = 0xFFFFFFFF
"""Statics have ids above this one (`static_object_id`)."""


def contact_text(sim: Simulation, contact: Contact) -> str:
    """Such as "Front Door, part 1, polygon 0" or "a wall of 0xC95B0104, polygon 12"."""
    names = sim.world.names
    if contact.how == NO_CELL:
        return f"the end of the cells: none holds the place behind {names.cell(contact.cell_id)}"
    if contact.how == BARRIER:
        return f"the barrier of {names.cell(contact.cell_id)}"
    polygon = f", polygon {contact.polygon_id}" if contact.polygon_id != NO_POLYGON else ""
    where = f"{_thing(sim, contact)}{polygon}"
    if contact.how == EDGE:
        return f"the edge of {where}: nothing to walk on behind it"
    return f"{where}, which is too steep" if contact.how == STEEP else where


def _thing(sim: Simulation, contact: Contact) -> str:
    where = sim.world.names.cell(contact.cell_id)
    if contact.what == THING:
        part = f", part {contact.part}" if contact.gfxobj_id else ""
        return f"{thing_name(sim, contact.object_id)}{part}"
    if contact.what == TERRAIN:
        return f"the land of {where}"
    side = "the floor" if contact.normal[2] >= FLOOR_Z else "the ceiling" if contact.normal[2] <= -FLOOR_Z else "a wall"
    return f"{side} of the building on {where}" if contact.what == BUILDING else f"{side} of {where}"


def thing_name(sim: Simulation, object_id: int) -> str:
    """An entity by its name, a static by that of its model and its place in the list of its cell or landblock."""
    entity = sim.population.find(object_id)
    if entity is not None:
        return entity.name
    if object_id <= LARGEST_ENTITY:
        return cell_text(object_id)
    owner = object_id >> 16 & LARGEST_ENTITY
    static = next((each for each in _statics_of(sim, owner) if each.id == object_id), None)
    model = "" if static is None else sim.world.names.of_model(static.model_id)
    where = f"static {object_id & 0xFFFF} of {sim.world.names.cell(owner)}"
    return f"{model} ({where})" if model else where


def _statics_of(sim: Simulation, owner: int) -> list[StaticObject]:
    cell = sim.graph.peek(owner)
    if isinstance(cell, EnvCell):
        return list(cell.static_objects)
    block = sim.world.landblock(owner | 0xFFFF)
    return [] if block is None else list(block.statics)


def contacts_text(sim: Simulation, contacts: list[Contact]) -> str:
    """All of them, the one that decided first."""
    return " and ".join(contact_text(sim, contact) for contact in contacts)


def way_text(sim: Simulation, contacts: SweepContacts, cell_before: int) -> str:
    """How the player came into another cell: "through portal 2", or over the grid of land cells."""
    if contacts.portal >= 0:
        building = "building " if contacts.came_by == cell_search.BUILDING else ""
        names, owner = sim.world.names, contacts.portal_of
        where = "" if owner == cell_before else f" of {names.cell(owner)}"
        return f"through {building}{names.portal(owner, contacts.portal)}{where}"
    return "over the land" if contacts.came_by == cell_search.LAND else ""
