"""All data of the selected thing as it is now: what the `inspect` command prints, and what only a running world has."""

from __future__ import annotations

from typing import Any, Final

from editor.models.entities import specs_now
from editor.reports.inspection import building_data, cell_data, entities_data, gfxobj_data, landblock_data, setup_data
from editor.session.session import Kind, Selection
from engine.entities.door import NEVER, TICKS_PER_SECOND, Door
from engine.entities.entity import Entity
from engine.geometry.polygon import Polygon
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import cell_text
from engine.world.cells.objects import StaticObject, is_setup_id
from engine.world.world import World

Data = dict[str, Any]

DOOR_KEYS: Final = frozenset({"open", "locked", "default_open", "default_locked", "reset_interval"})
"""Entries of a door's `extra` that say how it began; `door` says how it is."""
MOST_POLYGONS: Final = 200
"""Polygons of a cell that are listed; they are read again on every change."""


def title_of(world: World, selection: Selection, sim: Simulation | None = None) -> str:
    """A line that names the thing."""
    kind = selection.kind.value.capitalize()
    if selection.kind in (Kind.LANDBLOCK, Kind.CELL):  # their ids are all they have, and their data take long
        return f"{kind} {world.names.cell(selection.key)}"
    if selection.kind is Kind.ENTITY:
        entity = None if sim is None else _entity_of(sim, selection.key)
        spec = world.entity_spec(selection.key) if entity is None else None
        name = entity.name if entity is not None else "" if spec is None else spec.name
        return f"{kind} {name or cell_text(selection.key)}"
    model_id = _model_of(world, selection)
    return f"{kind} {world.names.model(model_id)}" if model_id else kind


def _model_of(world: World, selection: Selection) -> int:
    block = world.landblock(selection.landblock)
    if block is None:
        return 0
    if selection.kind is Kind.BUILDING:
        return block.buildings[selection.key].model_id if selection.key < len(block.buildings) else 0
    thing = _static_of(world, selection)
    return 0 if thing is None else thing.model_id


def _static_of(world: World, selection: Selection) -> StaticObject | None:
    block = world.landblock(selection.landblock)
    if block is None:
        return None
    things = [*block.statics, *(thing for cell in block.env_cells for thing in cell.static_objects)]
    return next((thing for thing in things if thing.id == selection.key), None)


def details(world: World, selection: Selection, sim: Simulation | None = None) -> Data:
    """The thing as plain values, as it is in the simulation; empty when it no longer exists."""
    block = world.landblock(selection.landblock)
    if block is None:
        return {}
    if selection.kind is Kind.LANDBLOCK:
        return {"name": world.names.of_cell(block.id) or None, **landblock_data(block, world)}
    if selection.kind is Kind.CELL:
        cell = world.graph.get_visible(selection.key)
        return {} if cell is None else _cell_details(cell, world)
    if selection.kind is Kind.BUILDING:
        return building_data(block.buildings[selection.key]) if selection.key < len(block.buildings) else {}
    if selection.kind is Kind.ENTITY:
        return _entity_details(world, selection, sim)
    thing = _static_of(world, selection)
    if thing is None:
        return {}
    setup, frame = world.setup(thing.model_id), thing.frame
    return {
        "name": world.names.of_model(thing.model_id) or None,
        "model": cell_text(thing.model_id),
        "origin": list(frame.origin),
        "heading": frame.heading(),
        "scale": thing.scale,
        "setup": None if setup is None else setup_data(setup),
    }


def model_details(world: World, model_id: int) -> Data:
    """A Setup or a GfxObj; empty when the world has none of that id."""
    name = world.names.of_model(model_id) or None
    if is_setup_id(model_id):
        setup = world.setup(model_id)
        return {} if setup is None else {"name": name, **setup_data(setup)}
    model = world.gfxobj(model_id)
    return {} if model is None else {"name": name, **gfxobj_data(model)}


def _cell_details(cell: ObjCell, world: World) -> Data:
    data = {"name": world.names.of_cell(cell.id) or None, **cell_data(cell, world)}
    if isinstance(cell, EnvCell):
        polygons = list(cell.structure.physics_polygons.values())
        data["physics polygon list"] = [_polygon_data(polygon) for polygon in polygons[:MOST_POLYGONS]]
    return data


def _polygon_data(polygon: Polygon) -> Data:
    return {
        "polygon": polygon.id,
        "normal": list(polygon.normal),
        "d": polygon.d,
        "corners": [list(corner) for corner in polygon.vertices],
    }


def _entity_of(sim: Simulation, entity_id: int) -> Entity | None:
    return sim.player if entity_id == sim.player.id else sim.population.find(entity_id)


def _entity_details(world: World, selection: Selection, sim: Simulation | None) -> Data:
    entity = None if sim is None else _entity_of(sim, selection.key)
    if sim is not None and entity is sim.player:
        return {**_begin(entity, sim.player.steered.state), **_live(entity, sim)}
    entities = world.entities if sim is None else specs_now(sim, selection.landblock)
    found = [spec for spec in entities if spec.guid == selection.key]
    if not found:
        return {}
    extra = dict(found[0].extra)
    data = {**entities_data(found)[0], "scale": found[0].scale}
    source = "" if world.source.by_block is None else world.source.by_block.source_of(selection.key)
    if source:
        data["read from"] = source
    if sim is None or entity is None:
        return {**data, "extra": extra}
    if isinstance(entity, Door):
        data["door"] = _door(entity, sim)
        extra = {key: value for key, value in extra.items() if key not in DOOR_KEYS}
    return {**data, **_live(entity, sim), "extra": extra}


def _begin(entity: Entity, state: int) -> Data:
    frame = entity.place_frame()
    return {
        "guid": cell_text(entity.id),
        "kind": entity.kind,
        "name": entity.name,
        "cell": cell_text(entity.place_cell()),
        "origin": list(frame.origin),
        "heading": frame.heading(),
        "state": cell_text(state),
    }


def _live(entity: Entity, sim: Simulation) -> Data:
    """What only a running world has: the cells that list it, and how its body moves."""
    entry, body = sim.population.registry.entities.get(entity.id), entity.body
    data: Data = {} if entry is None else {"in cells": [cell_text(cell_id) for cell_id in entry.cell_ids]}
    if body is not None:
        in_contact, on_walkable = body.contact_bits()
        data |= {"velocity": list(body.velocity), "in contact": in_contact, "on walkable ground": on_walkable}
    return data


def _door(door: Door, sim: Simulation) -> Data:
    resets = door.reset_at
    return {
        "open": door.is_open,
        "locked": door.locked,
        "moving": door.is_busy(sim.tick_number),
        "held": door.held,
        "returns in seconds": None if resets == NEVER else max(resets - sim.tick_number, 0) / TICKS_PER_SECOND,
        "open by default": door.default_open,
        "locked by default": door.default_locked,
        "returns after seconds": door.reset_interval,
    }
