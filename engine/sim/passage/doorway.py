"""Where a door's leaf stands, in the door's own space: front is +y, as for the lock (physics.md 9.2)."""

from __future__ import annotations

from typing import Final

from engine.entities.door import Door
from engine.geometry.box import Box
from engine.geometry.vec import Vec3
from engine.physics.body import Body
from engine.physics.objects.physics_object import BSP, CYLINDER, SPHERE, ShadowEntry, bsp_only_dispatch
from engine.sim.tick.simulation import Simulation
from engine.world.cells.position import into_block

CLEARANCES: Final = (0.6, 0.3, 0.12, 1.0)
"""Metres between a body and the leaf before a trial, tried one after the other: furniture may stand there."""

CHEST: Final = 1.2
"""Metres."""

LEAF_HEIGHT: Final = 0.3
"""Metres; lower parts (handles, sills) do not make a leaf."""


class Doorway:
    """The box of everything that blocks, when the door is closed, and the intervals that its leaves cover."""

    door_id: int
    cell_id: int
    low: Vec3
    high: Vec3
    leaves: list[tuple[float, float]]
    """In metres along x, from left to right seen from behind, without overlaps."""

    def __init__(self, sim: Simulation, door: Door) -> None:
        self.door_id = door.id
        self.cell_id = door.place_cell()
        self._frame = door.place_frame()
        boxes = [self._box_of(row) for row in _rows(sim, door)]
        around = Box.of_points([corner for box in boxes for corner in (box.minimum, box.maximum)] or _bounds(door))
        self.low, self.high = around.minimum, around.maximum
        tall = [box for box in boxes if box.maximum[2] - box.minimum[2] >= LEAF_HEIGHT] or [around]
        self.leaves = _merged(sorted((box.minimum[0], box.maximum[0]) for box in tall))

    def _box_of(self, row: ShadowEntry) -> Box:
        """Of one row, in the door's space."""
        to_local = self._frame.global_to_local
        mesh, scale = row.shape.gfxobj, row.shape.scale
        points: list[Vec3] = []
        if row.shape.collision_type == BSP and mesh is not None:
            for polygon in mesh.physics_polygons.values():
                for x, y, z in polygon.vertices:
                    points.append(to_local(row.frame.local_to_global((x * scale, y * scale, z * scale))))
        else:
            x, y, z = to_local(row.frame.origin)
            reach = row.shape.radius
            is_sphere = row.shape.collision_type == SPHERE
            top = reach if is_sphere else row.shape.cyl_height
            points = [(x - reach, y - reach, z - (reach if is_sphere else 0.0)), (x + reach, y + reach, z + top)]
        return Box.of_points(points or [to_local(row.frame.origin)])

    @property
    def middle(self) -> float:
        """The place along x through which everybody walks."""
        return 0.5 * (self.low[0] + self.high[0])

    @property
    def flight_height(self) -> float:
        """Metres over its lower edge at which missiles fly: at the chest, or at half the height of a lower door."""
        return min(CHEST, 0.5 * (self.high[2] - self.low[2]))

    def point(self, x: float, y: float) -> Vec3:
        """A point at the height of the lower edge, in the landblock of `cell_id`."""
        return self._frame.local_to_global((x, y, self.low[2]))

    def heading(self, *, from_behind: bool) -> float:
        """The compass heading through the door."""
        heading = self._frame.heading()
        return heading % 360.0 if from_behind else (heading + 180.0) % 360.0

    def start(self, x: float, reach: float, *, from_behind: bool, clearance: float) -> Vec3:
        """The point before the leaf from which a body of that radius walks along the lane at `x`."""
        away = reach + clearance
        return self.point(x, self.low[1] - away if from_behind else self.high[1] + away)

    def local(self, body: Body) -> Vec3:
        """Where a body is, in the door's space."""
        return self.local_of(body.place.cell_id, body.place.origin)

    def local_of(self, cell_id: int, origin: Vec3) -> Vec3:
        return self._frame.global_to_local(into_block(self.cell_id, cell_id, origin))

    def is_through(self, y: float, *, from_behind: bool) -> bool:
        """Whether a body's middle has left the leaf behind it."""
        return y > self.high[1] if from_behind else y < self.low[1]


def _rows(sim: Simulation, door: Door) -> list[ShadowEntry]:
    """The rows that are tested: trees alone, or else cylinders before spheres (4.1)."""
    obj = sim.population.registry.entity(door.id).obj
    trees = [row for row in obj.rows if row.shape.collision_type == BSP]
    if bsp_only_dispatch(obj.state) and trees:
        return trees
    for kind in (CYLINDER, SPHERE):
        found = [row for row in obj.rows if row.shape.collision_type == kind]
        if found and not bsp_only_dispatch(obj.state):
            return found
    return trees


def _bounds(door: Door) -> list[Vec3]:
    """A door without any shape: as large as it is drawn."""
    sphere = door.setup.sorting_sphere
    (x, y, z), r = sphere.center, sphere.radius
    return [(x - r, y, max(z - r, 0.0)), (x + r, y, z + r)]


def _merged(intervals: list[tuple[float, float]]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for low, high in intervals:
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found
