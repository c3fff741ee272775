"""All data of the selected thing, as the `inspect` command prints it."""

from __future__ import annotations

from typing import Any

from editor.models.entities import specs_now
from editor.reports.inspection import building_data, cell_data, entities_data, landblock_data, setup_data
from editor.session.session import Kind, Selection
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text
from engine.world.world import World


def title_of(world: World, selection: Selection, sim: Simulation | None = None) -> str:
    """A line that names the thing."""
    if selection.kind in (Kind.LANDBLOCK, Kind.CELL):  # their ids are all they have, and their data take long
        return f"{selection.kind.value.capitalize()} {cell_text(selection.key)}"
    data = details(world, selection, sim)
    name = data.get("name") or data.get("id") or data.get("model") or selection.kind.value
    return f"{selection.kind.value.capitalize()} {name}"


def details(world: World, selection: Selection, sim: Simulation | None = None) -> dict[str, Any]:
    """The thing as plain values, an entity as it is in the simulation; empty when it no longer exists."""
    block = world.landblock(selection.landblock)
    if block is None:
        return {}
    if selection.kind is Kind.LANDBLOCK:
        return landblock_data(block, world)
    if selection.kind is Kind.CELL:
        cell = world.graph.get_visible(selection.key)
        return {} if cell is None else cell_data(cell, world)
    if selection.kind is Kind.BUILDING:
        return building_data(block.buildings[selection.key]) if selection.key < len(block.buildings) else {}
    if selection.kind is Kind.ENTITY:
        entities = world.entities if sim is None else specs_now(sim, selection.landblock)
        found = [entity for entity in entities if entity.guid == selection.key]
        return {**entities_data(found)[0], "extra": dict(found[0].extra)} if found else {}
    statics = [*block.statics, *(static for cell in block.env_cells for static in cell.static_objects)]
    for static in statics:
        if static.id == selection.key:
            setup = world.setup(static.model_id)
            frame = static.frame
            return {
                "model": f"0x{static.model_id:08X}",
                "origin": list(frame.origin),
                "heading": frame.heading(),
                "scale": static.scale,
                "setup": None if setup is None else setup_data(setup),
            }
    return {}
