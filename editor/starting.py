"""Where the player stands when a world has been opened: a named place of the demo, else the first room or the land
that has space for him."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from editor.opening import DEMO
from engine.geometry.box import Box
from engine.geometry.constants import BLOCK_LENGTH
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.probes import attach_probes
from engine.sim.script import StartPlace
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import land_cell_low
from engine.world.cells.terrain import column_of
from engine.world.landblock import Landblock
from engine.world.world import World

DEMO_SPOT: Final = "cottage_parlour"
ROOMS_TRIED: Final = 24
HALF: Final = BLOCK_LENGTH / 2.0
STEP: Final = 0.01
"""Metres above the floor at which he is put down."""


def simulation_of(world: World, source: str, block_id: int | None) -> Simulation:
    """The world in time, the player somewhere in a landblock; nowhere when there is no room for him at all."""
    sim = Simulation(world)
    attach_probes(sim)
    for place in _places(world, source, block_id):
        try:
            sim.teleport(place.cell_id, *place.origin, place.heading)
        except PhysicsError:
            continue  # no room there: the next one
        break
    return sim


def _places(world: World, source: str, block_id: int | None) -> Iterator[StartPlace]:
    if source == DEMO:
        from engine.build.demo import SPOTS  # what builds worlds is only loaded for the one that is built

        spot = SPOTS[DEMO_SPOT]
        yield StartPlace(spot.cell_id, spot.origin, spot.heading)
    block = None if block_id is None else world.landblock(block_id)
    if block is None:
        return
    for cell in block.env_cells[:ROOMS_TRIED]:
        floor = _middle_of_floor(cell)
        if floor is not None:
            yield StartPlace(cell.id, floor, 0.0)
    yield from _on_land(block)


def _middle_of_floor(cell: EnvCell) -> Vec3 | None:
    corners = [corner for polygon in cell.structure.polygons.values() for corner in polygon.vertices]
    if not corners:
        return None
    box = Box.of_points([cell.frame.local_to_global(corner) for corner in corners])
    x, y, _ = box.center()
    return (x, y, box.minimum[2] + STEP)


def _on_land(block: Landblock) -> Iterator[StartPlace]:
    terrain = block.terrain
    height = None if terrain is None else terrain.height_at(HALF, HALF)
    if height is not None:
        low = land_cell_low(column_of(HALF), column_of(HALF))
        yield StartPlace((block.id & 0xFFFF0000) | low, (HALF, HALF, height), 0.0)
