"""The simulation of a search is made ready: everybody else stands still, and nothing but the body changes.

It is done before the snapshot that recordings begin with, so a replay has the same world.
"""

from __future__ import annotations

from typing import Final

from engine.entities.activation import used_with
from engine.entities.door import MAX_RESET_INTERVAL, NEVER, Door
from engine.entities.specs import PRESSURE_PLATE
from engine.physics.flags import ETHEREAL, FROZEN
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import landblock_id
from engine.world.landblock import neighbour_ids

LONG_AGO: Final = 1 << 30
"""A tick that no search reaches."""

AS_THEY_ARE: Final = 0
OPEN: Final = 1
USED: Final = 2


def join_surroundings(sim: Simulation, block_ids: list[int], outdoors: bool) -> None:
    """Let everything come in that a walk through these landblocks would let come in, so that no walk changes it."""
    wanted = {landblock_id(block_id) for block_id in block_ids}
    for block_id in sorted(wanted) if outdoors else []:
        wanted.update(neighbour_ids(block_id))
    for block_id in sorted(wanted):
        sim.surroundings.join(block_id)
    sim.surroundings.are_fixed = True


def is_outdoors(sim: Simulation, block_ids: list[int], cell_ids: list[int]) -> bool:
    """Whether a body can be where landblocks around matter: on land, or in a room that sees it."""
    for block_id in block_ids:
        sim.graph.load_landblock(block_id)
        for cell in sim.graph.cells_of(block_id):
            if cell.is_interior and cell.seen_outside:
                return True
    for cell_id in cell_ids:
        cell_there = sim.graph.get_visible(cell_id)
        if cell_there is not None and cell_there.seen_outside:
            return True
    return False


def hold_everything(sim: Simulation, doors_as: int) -> None:
    """Freeze who moves, end what doors are doing, and put them as they are to be."""
    for entity in sim.population.movers:
        body = entity.body
        if body is not None:
            body.state |= FROZEN
    now = sim.tick_number
    for door in sim.population.doors:
        _hold(sim, door, now, doors_as)
    if doors_as != USED:
        _hold_plates(sim)


def _hold(sim: Simulation, door: Door, now: int, doors_as: int) -> None:
    obj = sim.population.registry.entity(door.id).obj
    if doors_as == OPEN:
        door.is_open = True
    door.rest(now)
    door.reset_at = NEVER
    door.retry_at = NEVER
    if door.is_open:
        obj.state |= ETHEREAL
    else:
        obj.state &= ~ETHEREAL
    if doors_as == USED:
        door.set_reset_interval(MAX_RESET_INTERVAL)


def _hold_plates(sim: Simulation) -> None:
    """A door that is moving is not opened: the doors of pressure plates stay as they are, whoever steps on those."""
    for entity in sim.population.ordered:
        if entity.kind == PRESSURE_PLATE:
            for door in used_with(sim.population, entity)[:1]:
                door.busy_until = LONG_AGO


def set_numbers(sim: Simulation, numbers: list[tuple[str, float]]) -> None:
    """The body's size and skills, and no fight."""
    for name, value in numbers:
        sim.apply_edit(SetPlayerNumber(name, value))
    sim.player.skills().pk_fight = 0.0
