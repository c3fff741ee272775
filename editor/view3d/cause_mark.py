"""The cause of a link of a why chain in the picture: its polygon, its portal, or the point where it acted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from editor.models.why_chain.wording import KIND_WORDS
from editor.session.session import Kind, Selection
from editor.view3d.framing import Focus
from engine.geometry.box import Box
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, distance
from engine.physics.objects.physics_object import PhysicsObj, ShadowEntry
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.palette import ADJUSTED, faint
from engine.render.overlays.selection import building_portal_outline, portal_outline
from engine.render.overlays.sketch import Sketch, middle
from engine.sim.contact_wording import LARGEST_ENTITY, thing_name
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import Link
from engine.world.cells.cell import EnvCell, LandCell
from engine.world.cells.ids import landblock_id

ROUND: Final = 0.12
"""Metres of the ball that marks a point."""
RAISED: Final = 0.5
"""Metres above a point, which may lie in the floor, that the camera looks at."""
SAME: Final = 1e-3
ROOM: Final = 1.5
"""Metres around a point that are framed with it."""


@dataclass(frozen=True)
class CauseMark:
    """A link, while its tick is the one that is shown."""

    link: Link
    tick: int
    """The number of the next tick of the simulation then."""


def selection_of_link(link: Link, sim: Simulation) -> Selection | None:
    """What did it, or where: an entity, a static, or a cell."""
    entity = sim.population.find(link.entity) if link.entity else None
    if entity is not None and entity.place_cell():
        return Selection(Kind.ENTITY, landblock_id(entity.place_cell()), entity.id)
    if link.entity > LARGEST_ENTITY:
        return Selection(Kind.STATIC, landblock_id(link.entity >> 16 & LARGEST_ENTITY), link.entity)
    cell_id = link.cell or (0 if link.point is None else link.point[0])
    if cell_id and isinstance(sim.graph.peek(cell_id), EnvCell):
        return Selection(Kind.CELL, landblock_id(cell_id), cell_id)
    asked = sim.population.find(link.asked.entity)
    if asked is not None and asked.place_cell():
        return Selection(Kind.ENTITY, landblock_id(asked.place_cell()), asked.id)
    return None


def cause_overlay(link: Link, sim: Simulation) -> OverlayGeometry:
    """The polygon or the portal filled and outlined, a ball at the point, and what it was in a word."""
    found = OverlayGeometry()
    cell = sim.graph.peek(link.cell) if link.cell else None
    if link.portal is not None and isinstance(cell, EnvCell):
        found.add(portal_outline(cell, link.portal, ""))
    elif link.portal is not None and isinstance(cell, LandCell) and cell.building is not None:
        found.add(building_portal_outline(cell.building, link.portal))
    corners = polygon_corners(link, sim)
    place = _place_of(link, corners, sim)
    if place is None:
        return found
    sketch = Sketch(place[0] | 0xFFFF)
    if corners:
        sketch.fill(corners, faint(ADJUSTED, 0.3), 0.3)
        sketch.loop(corners, ADJUSTED, 2.5, 0.6)
    if link.point is not None:
        sketch.sphere(place[1], ROUND, ADJUSTED, 2.0, 0.6)
    sketch.label(_label(link, sim), place[1], ADJUSTED)
    found.add(sketch.geometry())
    return found


def _label(link: Link, sim: Simulation) -> str:
    """What did it, in a word or two: the sentence is in the dock."""
    thing = thing_name(sim, link.entity) if link.entity else ""
    part = "" if link.polygon is None else f"polygon {link.polygon}"
    return f"{', '.join(word for word in (thing, part) if word) or KIND_WORDS[link.kind]}, tick {link.tick:,}"


def focus_of_link(link: Link, sim: Simulation) -> Focus | None:
    """What a camera has to look at to show it."""
    corners = polygon_corners(link, sim)
    place = _place_of(link, corners, sim)
    if place is None:
        return None
    cell_id, point = place
    room = sim.graph.peek(cell_id)
    x, y, z = point
    raised = (x, y, z + RAISED) if link.point is not None else point
    reach = min(max((distance(point, corner) for corner in corners), default=0.0), 2.0 * ROOM)
    return Focus(cell_id, raised, max(reach, ROOM), room if isinstance(room, EnvCell) else None)


def _place_of(link: Link, corners: Sequence[Vec3], sim: Simulation) -> tuple[int, Vec3] | None:
    """Where it acted. Ground has a corner for its point, which may be far away: then it is where the body stands."""
    if link.point is None or not link.point[0]:
        return (link.cell, middle(corners)) if corners and link.cell else None
    if all(distance(link.point[1], corner) > SAME for corner in corners):
        return link.point
    body = sim.population.find(link.swept)
    return (body.place_cell(), body.origin()) if body is not None and body.place_cell() else link.point


def polygon_corners(link: Link, sim: Simulation) -> list[Vec3]:
    """The corners of the link's polygon, in the landblock of its cell; none where it has none, or is not certain."""
    if link.polygon is None:
        return []
    if link.entity:
        return _corners_of_thing(link, sim)
    cell = sim.graph.peek(link.cell)
    if isinstance(cell, EnvCell):
        polygon = cell.structure.physics_polygons.get(link.polygon)
        return [] if polygon is None else [cell.frame.local_to_global(corner) for corner in polygon.vertices]
    if isinstance(cell, LandCell):
        found = [polygon for polygon in cell.polygons if polygon.id == link.polygon]
        return list(found[0].vertices) if found else []
    return []


def _corners_of_thing(link: Link, sim: Simulation) -> list[Vec3]:
    """Of the part nearest to the point: several parts may have a polygon of that number."""
    found = []
    for entry in _shadows_near(link, sim):
        gfxobj = entry.shape.gfxobj
        polygon: Polygon | None = None if gfxobj is None else gfxobj.physics_polygons.get(link.polygon or 0)
        if polygon is not None:
            size = entry.shape.scale
            found.append([entry.frame.local_to_global((x * size, y * size, z * size)) for x, y, z in polygon.vertices])
    if link.point is None:
        return found[0] if len(found) == 1 else []
    at = link.point[1]
    return min(found, key=lambda corners: _distance_to_box(at, corners), default=[])


def _distance_to_box(at: Vec3, corners: Sequence[Vec3]) -> float:
    box = Box.of_points(list(corners))
    x, y, z = (min(max(part, low), high) for part, low, high in zip(at, box.minimum, box.maximum, strict=True))
    return distance(at, (x, y, z))


def _shadows_near(link: Link, sim: Simulation) -> list[ShadowEntry]:
    entry = sim.population.registry.entities.get(link.entity)
    if entry is not None:
        return list(entry.obj.rows)
    cell = sim.graph.peek(link.cell) if link.cell else None
    shadows = [] if cell is None else cell.shadow_objects
    things = [shadow for shadow in shadows if isinstance(shadow, PhysicsObj) and shadow.object_id == link.entity]
    return [row for thing in things for row in thing.rows]
