"""Turns a pick in the 3D view into the selection that it makes, and into words for it."""

from __future__ import annotations

from editor.session.session import Kind, Selection
from engine.render.draws import Owner
from engine.render.overlays.flood import SIGNS
from engine.render.picking.hits import Hit, HitKind
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import is_env_cell, landblock_id
from engine.world.cells.portals import OUTSIDE
from engine.world.names import Names


def selection_of(hit: Hit | None, sim: Simulation) -> Selection | None:
    """The selection that a click makes; a portal selects its room, the ground selects its landblock."""
    if hit is None:
        return None
    drawn = hit.drawn
    if drawn is not None and drawn.owner in (Owner.ENTITY, Owner.PLAYER):
        entity = sim.population.find(hit.object_id)
        home = drawn.home if entity is None else entity.place_cell()
        return Selection(Kind.ENTITY, landblock_id(home), hit.object_id)
    if drawn is not None and drawn.owner is not Owner.BUILDING:
        return Selection(Kind.STATIC, landblock_id(drawn.home), hit.object_id)
    if drawn is not None or hit.kind is HitKind.BUILDING or (hit.kind is HitKind.PORTAL and hit.object_id):
        return _building(hit.object_id, hit.cell_id, sim)
    if is_env_cell(hit.cell_id):
        return Selection(Kind.CELL, landblock_id(hit.cell_id), hit.cell_id)
    return Selection(Kind.LANDBLOCK, landblock_id(hit.cell_id), landblock_id(hit.cell_id))


def cell_selection_of(hit: Hit | None) -> Selection | None:
    """The room that something was seen in; the landblock for things on the land."""
    if hit is None:
        return None
    if is_env_cell(hit.cell_id):
        return Selection(Kind.CELL, landblock_id(hit.cell_id), hit.cell_id)
    return Selection(Kind.LANDBLOCK, landblock_id(hit.cell_id), landblock_id(hit.cell_id))


def _building(building_id: int, cell_id: int, sim: Simulation) -> Selection | None:
    """Buildings are identified by their index in the landblock's list."""
    block = sim.world.landblock(cell_id)
    for number, building in enumerate([] if block is None else block.buildings):
        if building.id == building_id:
            return Selection(Kind.BUILDING, landblock_id(cell_id), number)
    return None


def words_of(hit: Hit | None, sim: Simulation) -> str:
    """A line about the thing under the mouse."""
    if hit is None:
        return ""
    x, y, z = hit.point
    return f"{name_of_hit(hit, sim)}  ·  x {x:.3f}  y {y:.3f}  z {z:.3f}  ·  {hit.t:.2f} m"


def name_of_hit(hit: Hit, sim: Simulation) -> str:
    """A description of the hit, without its place."""
    if hit.kind is HitKind.PORTAL:
        return _portal_name(hit, sim.world.names)
    if hit.kind is HitKind.CELL:
        return f"cell {sim.world.names.cell(hit.cell_id)}"
    names, polygon = sim.world.names, f"polygon {hit.polygon_id}"
    if hit.surface_id:
        polygon += f", surface 0x{hit.surface_id:08X}"
    if hit.drawn is not None:
        entity = sim.population.find(hit.object_id)
        name = names.model(hit.drawn.model_id) if entity is None else entity.name
        return f"{name}, part {hit.part}, {polygon}"
    if hit.kind is HitKind.TERRAIN:
        return f"ground of {names.cell(hit.cell_id)}"
    if hit.kind is HitKind.BUILDING:
        return f"building on {names.cell(hit.cell_id)}, {polygon}"
    return f"cell {names.cell(hit.cell_id)}, {polygon}"


def _portal_name(hit: Hit, names: Names) -> str:
    where = "outdoors" if hit.other_cell_id == OUTSIDE else names.cell(hit.other_cell_id)
    owner = "building portal" if hit.object_id else f"portal {names.cell(hit.cell_id)}"
    word = SIGNS[hit.status].word if hit.status in SIGNS else ""
    given = "" if hit.object_id else names.of_portal(hit.cell_id, hit.portal_index)
    name = f"{owner}.{hit.portal_index}{f' ({given})' if given else ''} → {where}"
    return f"{name}: {word}" if word else name
