"""Outlines of what is selected, hovered and picked, over the 3D view."""

from __future__ import annotations

from editor.models.sweep.watch import StepSelection
from editor.session.session import Kind, Selection
from engine.render.overlays.bodies import sweep_overlay
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.palette import ADJUSTED
from engine.render.overlays.selection import (
    building_portal_outline,
    parts_outline,
    polygon_outline,
    portal_outline,
    room_outline,
    shell_outline,
)
from engine.render.overlays.substep import substep_overlay
from engine.render.picking.hits import Hit, HitKind
from engine.render.scene import Scene
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import is_env_cell
from engine.world.world import World


def selection_outline(
    selection: Selection | None, world: World, scene: Scene, *, hover: bool = False
) -> OverlayGeometry:
    """The outline of a selection; nothing for a landblock."""
    if selection is None or selection.kind is Kind.LANDBLOCK:
        return OverlayGeometry()
    if selection.kind is Kind.CELL:
        cell = world.graph.peek(selection.key)
        return room_outline(cell, hover=hover) if isinstance(cell, EnvCell) else OverlayGeometry()
    if selection.kind is Kind.BUILDING:
        block = world.landblock(selection.landblock)
        building = block.buildings[selection.key] if block and selection.key < len(block.buildings) else None
        shell = None if building is None else scene.building_shell(building, selection.landblock)
        return OverlayGeometry() if shell is None else shell_outline(shell, hover=hover)
    return parts_outline(scene.parts_of(selection.key), hover=hover)


def hit_outline(hit: Hit | None, world: World) -> OverlayGeometry:
    """The outline of the picked portal or wall."""
    if hit is None:
        return OverlayGeometry()
    if hit.kind is HitKind.PORTAL and hit.object_id:
        building = _building(hit, world)
        return OverlayGeometry() if building is None else building_portal_outline(building, hit.portal_index)
    cell = world.graph.peek(hit.cell_id) if is_env_cell(hit.cell_id) else None
    if not isinstance(cell, EnvCell):
        return OverlayGeometry()
    if hit.kind is HitKind.PORTAL:
        return portal_outline(cell, hit.portal_index, hit.status)
    polygon = cell.structure.polygons.get(hit.polygon_id) if hit.kind is HitKind.POLYGON else None
    if polygon is None:
        return OverlayGeometry()
    return polygon_outline(hit.block_id, [cell.frame.local_to_global(corner) for corner in polygon.vertices], ADJUSTED)


def substep_outline(chosen: StepSelection, sim: Simulation) -> OverlayGeometry:
    """The overlay of a sweep's step with its sub-step, or of the whole sweep."""
    spheres = sim.player.steered.spheres
    found = OverlayGeometry()
    if chosen.step is None:
        parts = sweep_overlay([chosen.sweep], spheres)
    else:
        parts = substep_overlay(sim.graph, chosen.step, chosen.node, spheres, chosen.search)
    for part in parts:
        found.add(part)
    return found


def _building(hit: Hit, world: World) -> Building | None:
    block = world.landblock(hit.block_id)
    found = [] if block is None else [building for building in block.buildings if building.id == hit.object_id]
    return found[0] if found else None
