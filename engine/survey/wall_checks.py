"""Finds entities that stick into walls, by the engine's own trees (physics.md 3, 5.15).

Most things touch something: they stand on floors, hang on walls, lean in corners. So only the core of a thing is
tested, everything of its solid shapes that lies deeper than `DEPTH` below their surface. A core that meets a wall is
deep in it. Thin things, as doors and signs, have no core.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.geometry.box import Box
from engine.geometry.elementary import cos, sin
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.flags import ETHEREAL
from engine.physics.objects.physics_object import BSP, CYLINDER, EXTENT, ShadowShape
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell, LandCell, ObjCell

DEPTH: Final = 0.25
"""Metres that a thing may stick into a wall."""
AROUND: Final = 8
MOST: Final = 5
"""Spheres along each edge of a box, and up a cylinder."""
MEANT_TO: Final = frozenset({"hook", "house"})
"""Kinds that are meant to be in walls: nobody meets them."""
STEPS: Final = tuple(number / 10.0 for number in range(1, 16))
"""Distances in metres at which a place beside the wall is looked for."""
DIRECTIONS: Final = 16

Rooms = Mapping[int, EnvCell]


def is_in_wall(sim: Simulation, entity: Entity, rooms: Rooms) -> bool:
    """Whether the core of an entity meets a wall of its cell, or of a building on it."""
    if isinstance(entity, Door) or sim.population.state_of(entity.id) & ETHEREAL or entity.kind in MEANT_TO:
        return False
    cell = sim.graph.peek(entity.place_cell())
    return cell is not None and _meets(entity, entity.place_frame(), cell, rooms)


def place_beside(sim: Simulation, entity: Entity, rooms: Rooms) -> Frame | None:
    """The nearest place in the same room at which an entity does not stick into walls."""
    cell = sim.graph.peek(entity.place_cell())
    frame = entity.place_frame()
    if not isinstance(cell, EnvCell):
        return None
    x, y, z = frame.origin
    for step, number in product(STEPS, range(DIRECTIONS)):
        angle = math.tau * number / DIRECTIONS
        moved = Frame((x + step * sin(angle), y + step * cos(angle), z), frame.rotation)
        mx, my, _ = moved.origin
        if cell.point_in_cell((mx, my, z + DEPTH)) and not _meets(entity, moved, cell, rooms):
            return moved
    return None


def _meets(entity: Entity, frame: Frame, cell: ObjCell, rooms: Rooms) -> bool:
    near = [cell] if isinstance(cell, EnvCell) else []
    near += [rooms[portal.other_cell_id] for room in near for portal in room.portals if portal.other_cell_id in rooms]
    for shape in entity.shapes():
        for centre, radius in _core(shape):
            point = frame.local_to_global(centre)
            if isinstance(cell, LandCell):
                if _meets_building(cell, point, radius):
                    return True
            elif _meets_room(near, point, radius):
                return True
    return False


def _meets_room(near: list[EnvCell], point: Vec3, radius: float) -> bool:
    """Whether a sphere is in a wall of the room that holds its centre; `near` begins with the thing's own room. A
    centre in none of them may be outdoors, so then only the walls themselves are asked."""
    holders = [room for room in near if room.point_in_cell(point)]
    for room in holders or near[:1]:
        tree = room.physics_tree
        sphere = Sphere(room.frame.global_to_local(point), radius)
        if tree is not None and tree.root.sphere_intersects_solid(sphere, bool(holders)):
            return True
    return False


def _meets_building(cell: LandCell, point: Vec3, radius: float) -> bool:
    building = cell.building
    tree = None if building is None or building.shell is None else building.shell.physics_tree
    if building is None or tree is None:
        return False
    return tree.root.sphere_intersects_solid(Sphere(building.frame.global_to_local(point), radius), False)


# --- the core of a shape


def _core(shape: ShadowShape) -> Iterator[tuple[Vec3, float]]:
    """Spheres in a shape at least `DEPTH` below its surface, in the entity's own space."""
    if shape.collision_type == EXTENT:
        return
    if shape.collision_type == BSP:
        yield from _core_of_model(shape)
        return
    x, y, z = shape.local_position
    if shape.collision_type != CYLINDER:
        if shape.radius > DEPTH:
            yield shape.local_position, shape.radius - DEPTH
        return
    half = min(shape.radius, shape.cyl_height / 2.0)
    if half <= DEPTH:
        return
    ring = shape.radius - half
    for up in _along(half, shape.cyl_height - half, half - DEPTH):
        yield (x, y, z + up), half - DEPTH
        for number in range(AROUND if ring > 0.0 else 0):
            angle = math.tau * number / AROUND
            yield (x + ring * cos(angle), y + ring * sin(angle), z + up), half - DEPTH


def _core_of_model(shape: ShadowShape) -> Iterator[tuple[Vec3, float]]:
    """The largest spheres that fit into the model's box, as far as their centres are in its solid."""
    gfxobj = shape.gfxobj
    if gfxobj is None or gfxobj.physics_tree is None or shape.scale <= 0.0:
        return
    corners = [corner for polygon in gfxobj.physics_polygons.values() for corner in polygon.vertices]
    if not corners:
        return
    box = Box.of_points(corners)
    sides = list(zip(box.minimum, box.maximum, strict=True))
    half = min(high - low for low, high in sides) / 2.0
    radius = half * shape.scale - DEPTH
    if radius <= 0.0:
        return
    step = radius / shape.scale
    for centre in product(*(_along(low + half, high - half, step) for low, high in sides)):
        x, y, z = centre
        if gfxobj.physics_tree.root.point_intersects_solid((x, y, z)):
            scaled = (x * shape.scale, y * shape.scale, z * shape.scale)
            yield shape.local_frame.local_to_global(scaled), radius


def _along(first: float, last: float, step: float) -> list[float]:
    """Numbers from the first to the last, twice the step apart at most if they are few."""
    count = min(max(math.ceil((last - first) / (2.0 * step)), 0) + 1, MOST)
    if count == 1:
        return [(first + last) / 2.0]
    return [first + (last - first) * number / (count - 1) for number in range(count)]
