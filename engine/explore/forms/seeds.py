"""The places that a landblock is searched from: doors, portals, spots, every floor, the ground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.entities.door import Door
from engine.explore.forms.settings import Seed
from engine.geometry.bsp import RayHit
from engine.geometry.constants import FLOOR_Z
from engine.geometry.elementary import plain_sum
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.world.cells.cell import EnvCell, LandCell
from engine.world.cells.ids import landblock_id

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation
    from engine.world.landblock import Landblock

DOOR: Final = "door"
PORTAL: Final = "portal"
SPOT: Final = "spot"
FLOOR: Final = "floor"
GROUND: Final = "ground"
"""`why` of a seed begins with one of these."""

BESIDE_DOOR: Final = 1.0
BESIDE_PORTAL: Final = 0.6
LEAST_FLOOR: Final = 0.1
"""Square metres of a floor to stand on; others are steps and trimmings."""
SKY: Final = 200.0
"""Metres over the ground, below which buildings are looked for."""

UPRIGHT: Final = 0.7
"""The most that the normal of an opening to walk through may rise."""


@dataclass(frozen=True, slots=True)
class Floor:
    """A polygon of a room that can be stood on: its middle, and the area in square metres."""

    cell_id: int
    polygon: int
    middle: Vec3
    area: float


def seeds_of(sim: Simulation, block_id: int, spots: Sequence[Seed] = ()) -> list[Seed]:
    """Everywhere to start from in a landblock; the landblock joins the simulation.

    The `spots` come first. Places in walls, and those that a body does not fit in, are among them: a search refuses
    these (`Search.refused`).
    """
    block_id = landblock_id(block_id)
    sim.surroundings.join(block_id)
    block = sim.world.landblock(block_id)
    seeds = [seed for seed in spots if landblock_id(seed.cell_id) == block_id]
    if block is None:
        return seeds
    for door in sim.population.doors:
        if landblock_id(door.cell_id) == block_id:
            seeds.extend(_beside_door(door))
    for cell in block.env_cells:
        seeds.extend(_beside_portals(cell))
    seeds += [Seed(each.cell_id, each.middle, 0.0, f"{FLOOR} {each.polygon}") for each in floors_of(sim, block_id)]
    if not block.has_dungeon:
        seeds.extend(_ground(cell) for cell in block.land_cells if not _is_built_over(_ground(cell), block))
    return seeds


def floors_of(sim: Simulation, block_id: int) -> list[Floor]:
    """The polygons of a landblock's rooms that can be stood on, by cell and polygon."""
    block = sim.world.landblock(block_id)
    found: list[Floor] = []
    for cell in () if block is None else block.env_cells:
        for number in sorted(cell.structure.physics_polygons):
            polygon = cell.structure.physics_polygons[number]
            if polygon.degenerate or cell.frame.local_to_global_vec(polygon.normal)[2] < FLOOR_Z:
                continue
            area = _area(polygon)
            if area >= LEAST_FLOOR:
                found.append(Floor(cell.id, number, cell.frame.local_to_global(_middle(polygon)), area))
    return found


def _beside_door(door: Door) -> Iterator[Seed]:
    for y, side, turn in ((BESIDE_DOOR, "before", 180.0), (-BESIDE_DOOR, "behind", 0.0)):
        heading = (door.frame.heading() + turn) % 360.0
        yield Seed(door.cell_id, door.frame.local_to_global((0.0, y, 0.0)), heading, f"{DOOR} {side} {door.name}")


def _beside_portals(cell: EnvCell) -> Iterator[Seed]:
    """Just inside, at the lowest edge of each opening that is walked through, and outside of those that lead out."""
    for number, portal in enumerate(cell.portals):
        polygon = portal.polygon
        if polygon is None or polygon.degenerate:
            continue
        nx, ny, nz = cell.frame.local_to_global_vec(polygon.normal)
        if abs(nz) > UPRIGHT:
            continue
        corners = [cell.frame.local_to_global(corner) for corner in polygon.vertices]
        x, y = (plain_sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
        z = min(corner[2] for corner in corners)
        inwards = -BESIDE_PORTAL if portal.portal_side else BESIDE_PORTAL
        yield Seed(cell.id, (x + nx * inwards, y + ny * inwards, z), 0.0, f"{PORTAL} {number}")
        if portal.leads_outside:
            land = landblock_id(cell.id)
            yield Seed(land, (x - nx * inwards * 2.0, y - ny * inwards * 2.0, z), 0.0, f"{PORTAL} {number}, outside")


def _ground(cell: LandCell) -> Seed:
    corners = [vertex for polygon in cell.polygons for vertex in polygon.vertices]
    x, y = ((min(c[axis] for c in corners) + max(c[axis] for c in corners)) / 2.0 for axis in (0, 1))
    height = cell.terrain.height_at(x, y)
    return Seed(cell.id, (x, y, max(c[2] for c in corners) if height is None else height), 0.0, GROUND)


def _is_built_over(seed: Seed, block: Landblock) -> bool:
    """Whether a building is above the ground there. Between its rooms the ground is in no room, and nobody comes to
    it; its rooms have seeds of their own."""
    x, y, z = seed.origin
    for building in block.buildings:
        tree = None if building.shell is None else building.shell.physics_tree
        if tree is not None:
            hit, frame = RayHit(SKY), building.frame
            down = frame.global_to_local_vec((0.0, 0.0, -1.0))
            tree.root.nearest_ray_hit(frame.global_to_local((x, y, z + SKY)), down, hit)
            if hit.poly is not None:
                return True
    return False


def _middle(polygon: Polygon) -> Vec3:
    count = len(polygon.vertices)
    x, y, z = (plain_sum(vertex[axis] for vertex in polygon.vertices) / count for axis in (0, 1, 2))
    return (x, y, z)


def _area(polygon: Polygon) -> float:
    """By the triangles of a fan."""
    (ax, ay, az), nx, ny, nz = polygon.vertices[0], *polygon.normal
    total = 0.0
    for b, c in zip(polygon.vertices[1:], polygon.vertices[2:], strict=False):
        ux, uy, uz, vx, vy, vz = b[0] - ax, b[1] - ay, b[2] - az, c[0] - ax, c[1] - ay, c[2] - az
        total += nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx)
    return abs(total) / 2.0
