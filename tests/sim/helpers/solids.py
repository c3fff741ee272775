"""All solid polygons of a world in the landblocks' own frames, tested without trees, cells or sweeps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.flags import ETHEREAL
from engine.physics.objects.physics_object import BSP, PhysicsObj
from engine.sim.tick.simulation import Simulation

REACH = 0.5
SQUARE = 2.0
"""The side in metres of a square of the grid that indexes the polygons."""


@dataclass(frozen=True)
class Solid:
    """A polygon and its owner: the object for things, None for walls and shells.

    `cells` are those that list a thing or shell; a body that touches none of them passes through it, as in the client.
    """

    owner: str
    polygon: Polygon
    cells: frozenset[int] | None
    thing: PhysicsObj | None

    def stops(self, touched: list[int]) -> bool:
        if self.thing is not None and self.thing.state & ETHEREAL:
            return False
        return self.cells is None or not self.cells.isdisjoint(touched)


class Solids:
    """The walls of rooms, the shells of buildings and the parts of things, as registered at construction."""

    def __init__(self, sim: Simulation) -> None:
        self._grid: dict[tuple[int, int, int], list[Solid]] = {}
        for block in sim.world.loaded_landblocks():
            for cell in block.env_cells:
                for polygon in cell.structure.physics_polygons.values():
                    name = f"cell 0x{cell.id:08X} polygon {polygon.id}"
                    self._add(Solid(name, placed(polygon, cell.frame), None, None), block.id)
            for building in block.buildings:
                shell = building.shell
                for polygon in [] if shell is None else list(shell.physics_polygons.values()):
                    name = f"shell 0x{building.model_id:08X} polygon {polygon.id}"
                    cells = frozenset([building.cell_id])
                    self._add(Solid(name, placed(polygon, building.frame), cells, None), block.id)
        for object_id, entry in sim.population.registry.entities.items():
            for row in entry.obj.rows:
                gfxobj = row.shape.gfxobj
                if row.shape.collision_type == BSP and gfxobj is not None:
                    for polygon in gfxobj.physics_polygons.values():
                        name = f"thing 0x{object_id:X} polygon {polygon.id}"
                        there = placed(polygon, row.frame, row.shape.scale)
                        self._add(Solid(name, there, frozenset(entry.cell_ids), entry.obj), row.cell_id)

    def _add(self, solid: Solid, block_id: int) -> None:
        xs, ys = [p[0] for p in solid.polygon.vertices], [p[1] for p in solid.polygon.vertices]
        for ix in range(math.floor((min(xs) - REACH) / SQUARE), math.floor((max(xs) + REACH) / SQUARE) + 1):
            for iy in range(math.floor((min(ys) - REACH) / SQUARE), math.floor((max(ys) + REACH) / SQUARE) + 1):
                self._grid.setdefault((block_id >> 16, ix, iy), []).append(solid)

    def inside(
        self, cell_id: int, feet: Vec3, spheres: list[Sphere], touched: list[int], depth: float
    ) -> Iterator[Solid]:
        """The polygons into which an upright body at `feet`, in the landblock of `cell_id` and touching these cells,
        sinks deeper than `depth`."""
        x, y, z = feet
        near = self._grid.get((cell_id >> 16, math.floor(x / SQUARE), math.floor(y / SQUARE)), [])
        for sphere in spheres:
            cx, cy, cz = sphere.center
            smaller = Sphere((x + cx, y + cy, z + cz), sphere.radius - depth)
            for solid in near:
                if solid.polygon.hits_sphere(smaller) and solid.stops(touched):
                    yield solid


def placed(polygon: Polygon, frame: Frame, scale: float = 1.0) -> Polygon:
    """A polygon of a model or a room, in place."""
    return Polygon(
        polygon.id, [frame.local_to_global((x * scale, y * scale, z * scale)) for x, y, z in polygon.vertices]
    )
