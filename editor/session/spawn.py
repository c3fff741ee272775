"""Places the player when a world has been opened: at a named place of the demo, or else in the first room or on the
land with enough space."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

from editor.places.place_text import WrittenPlace
from editor.places.standing import at_written, in_cell
from editor.session.sources import DEMO
from engine.geometry.box import Box
from engine.geometry.constants import BLOCK_LENGTH, CELL_LENGTH
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.edits.player import Teleport
from engine.sim.probes import attach_probes
from engine.sim.reproduction.edges import watch_edge
from engine.sim.script import StartPlace
from engine.sim.tick.simulation import Simulation
from engine.world.block_index import BlockIndex
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import (
    WHOLE_BLOCK,
    cell_text,
    is_land_cell,
    land_cell_column,
    land_cell_low,
    land_cell_row,
    low_of,
)
from engine.world.cells.terrain import column_of
from engine.world.faults import WorldError
from engine.world.landblock import Landblock
from engine.world.world import World

DEMO_SPOT: Final = "cottage_before_front_door"
"""Two metres before the closed door, facing it."""
ROOMS_TRIED: Final = 24
LOOKED_THROUGH: Final = 64
"""How many landblocks are loaded to find one with houses: loading a client's whole map would take minutes."""
HALF: Final = BLOCK_LENGTH / 2.0
STEP: Final = 0.01
"""Metres above the floor at which the player is placed."""


def first_landblock(world: World, index: BlockIndex, told: Callable[[float, str], None] | None = None) -> int | None:
    """Load the landblock to show first: one with houses before a dungeon, a dungeon before empty land."""
    furnished = islice((block_id for block_id in world.entity_index.landblocks() if block_id in index), LOOKED_THROUGH)
    likely = dict.fromkeys([*furnished, *index.with_rooms[:LOOKED_THROUGH]])
    inhabited: list[int] = []
    for number, block_id in enumerate(likely):
        if told is not None:
            told(number / len(likely), f"Looking for a landblock with houses: {cell_text(block_id)} …")
        block = world.landblock(block_id)
        if block is not None and block.buildings:
            return block_id
        if block is not None and block.env_cells:
            inhabited.append(block_id)
    return inhabited[0] if inhabited else index.ids[0] if index.ids else None


def simulation_of(
    world: World, source: str, block_id: int | None, wanted: int = 0, at: WrittenPlace | None = None
) -> Simulation:
    """Start a simulation with the player in a landblock, in the `wanted` cell if possible; without a position when no
    place has enough space. Where he cannot stand at the written place `at` it is refused."""
    sim = Simulation(world)
    attach_probes(sim)
    watch_edge(sim)
    if at is not None:
        try:
            place = at_written(sim, at)
            sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
        except PhysicsError as error:
            raise WorldError(f"has no place for the player at {at.text}: {error}", world.name) from error
        return sim
    place_player(sim, source, block_id, wanted)
    return sim


def place_player(sim: Simulation, source: str, block_id: int | None, wanted: int = 0) -> bool:
    """Put the player where a world begins; False when no place has enough space."""
    for place in _places(sim, source, block_id, wanted):
        try:
            sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
        except PhysicsError:
            continue  # no room there: the next one
        return True
    return False


def _places(sim: Simulation, source: str, block_id: int | None, wanted: int) -> Iterator[StartPlace]:
    world = sim.world
    if wanted and low_of(wanted) != WHOLE_BLOCK:
        with suppress(PhysicsError):
            yield in_cell(sim, wanted)
        yield from _in_cell(world, wanted)
    if source == DEMO and not wanted:
        from engine.build.demo import SPOTS  # only the demo world needs the build package

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


def _in_cell(world: World, cell_id: int) -> Iterator[StartPlace]:
    cell = world.graph.get_visible(cell_id)
    block = world.landblock(cell_id)
    if isinstance(cell, EnvCell):
        floor = _middle_of_floor(cell)
        if floor is not None:
            yield StartPlace(cell.id, floor, 0.0)
    elif block is not None and is_land_cell(cell_id):
        x = (land_cell_column(cell_id) + 0.5) * CELL_LENGTH
        y = (land_cell_row(cell_id) + 0.5) * CELL_LENGTH
        yield from _on_land(block, x, y)


def _middle_of_floor(cell: EnvCell) -> Vec3 | None:
    corners = [corner for polygon in cell.structure.polygons.values() for corner in polygon.vertices]
    if not corners:
        return None
    box = Box.of_points([cell.frame.local_to_global(corner) for corner in corners])
    x, y, _ = box.center()
    return (x, y, box.minimum[2] + STEP)


def _on_land(block: Landblock, x: float = HALF, y: float = HALF) -> Iterator[StartPlace]:
    terrain = block.terrain
    height = None if terrain is None else terrain.height_at(x, y)
    if height is not None:
        low = land_cell_low(column_of(x), column_of(y))
        yield StartPlace((block.id & 0xFFFF0000) | low, (x, y, height), 0.0)
