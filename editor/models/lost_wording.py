"""The words for entities that no cell holds (physics.md #8)."""

from __future__ import annotations

from typing import Final

from engine.entities.events import LOST, CellEvent
from engine.geometry.vec import Vec3, lerp
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import vec_text
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, is_env_cell
from engine.world.cells.portals import CellPortal
from engine.world.cells.position import into_block

PUT_BACK: Final = "Put Player Back"
"""The name of the step and of the command."""

NO_CELL_HOLDS: Final = "no cell holds the centre"
NOT_LOST: Final = "The player has not left the cells."


def is_lost(sim: Simulation | None) -> bool:
    """Whether the player has left all cells; one who was never in any is not lost."""
    return sim is not None and sim.player.steered.is_lost


def lost_sentence(sim: Simulation) -> str:
    """The text in the place of the player's cell; empty while the player is in one."""
    if not is_lost(sim):
        return ""
    return f"■ lost: {NO_CELL_HOLDS} since the player left {cell_text(sim.player.steered.place.cell_id)}"


def cell_event_text(sim: Simulation, event: CellEvent) -> str:
    """A sentence such as "Player left all cells at ..., through the portal of 0x... to 0x...: no cell holds the
    centre"."""
    entity = sim.population.find(event.entity_id)
    name = cell_text(event.entity_id) if entity is None else entity.name
    name = name[:1].upper() + name[1:]
    if event.what != LOST:
        return f"{name} is in {cell_text(event.cell_id)} again, at {vec_text(event.origin)}"
    return f"{name} left all cells at {vec_text(event.origin)}, {_way_out(sim, event)}: no cell holds the centre"


def _way_out(sim: Simulation, event: CellEvent) -> str:
    """The portal that the centre went through, or the place where it left without one."""
    where = cell_text(event.cell_before)
    cell = sim.graph.peek(event.cell_before)
    if not isinstance(cell, EnvCell) or not is_env_cell(event.cell_before):
        return f"from {where}"
    body = sim.population.bodies.get(event.entity_id)
    foot = body.spheres[0].center if body is not None and body.spheres else (0.0, 0.0, 0.0)
    after = into_block(event.cell_before, event.cell_id, event.origin)
    start, end = (cell.frame.global_to_local(_raised(origin, foot)) for origin in (event.origin_before, after))
    portal = next((portal for portal in cell.portals if _passes(portal, start, end)), None)
    if portal is None:
        return f"out of {where} where it has no portal"
    goal = "outdoors" if portal.leads_outside else f"to {cell_text(portal.other_cell_id)}"
    return f"through the portal of {where} {goal}"


def _raised(origin: Vec3, foot: Vec3) -> Vec3:
    return (origin[0] + foot[0], origin[1] + foot[1], origin[2] + foot[2])


def _passes(portal: CellPortal, start: Vec3, end: Vec3) -> bool:
    """Whether a path crosses a portal's polygon, from either side."""
    polygon = portal.polygon
    if polygon is None:
        return False
    before, after = polygon.plane.dist(start), polygon.plane.dist(end)
    if before * after > 0.0 or before == after:
        return False
    return polygon.point_in_polygon(lerp(start, end, before / (before - after)))
