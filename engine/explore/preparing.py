"""The simulation of a search is made ready: everybody else stands still, and nothing but the body changes.

It is done before the snapshot that recordings begin with, so a replay has the same world.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.entities.activation import used_with
from engine.entities.door import MAX_RESET_INTERVAL, NEVER, Door
from engine.entities.specs import PRESSURE_PLATE
from engine.physics.flags import ETHEREAL, FROZEN
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.tick.simulation import Simulation
from engine.world.landblock import neighbour_ids

LONG_AGO: Final = 1 << 30
"""A tick that no search reaches."""

AS_THEY_ARE: Final = 0
OPEN: Final = 1
USED: Final = 2


def prepare(
    sim: Simulation,
    blocks: list[int],
    cell_ids: list[int],
    rules: Iterable[tuple[str, str]],
    numbers: list[tuple[str, float]],
    doors_as: int,
) -> bool:
    """Make a simulation ready for a search of `blocks` from places in the cells `cell_ids`. Returns whether there is
    any outdoors in it."""
    for rule, form in rules:
        sim.rules.set_form(rule, form)
    outdoors = _is_outdoors(sim, blocks, cell_ids)
    _join_surroundings(sim, blocks, outdoors)
    for name, value in numbers:
        sim.apply_edit(SetPlayerNumber(name, value))
    sim.player.skills().pk_fight = 0.0
    for entity in sim.population.movers:
        body = entity.body
        if body is not None:
            body.state |= FROZEN
    for door in sim.population.doors:
        _hold(sim, door, doors_as)
    if doors_as != USED:
        _hold_plates(sim)
    return outdoors


def _is_outdoors(sim: Simulation, blocks: list[int], cell_ids: list[int]) -> bool:
    """Whether a body can be where landblocks around matter: on land, or in a room that sees it."""
    for block_id in blocks:
        sim.graph.load_landblock(block_id)
        for cell in sim.graph.cells_of(block_id):
            if cell.is_interior and cell.seen_outside:
                return True
    for cell_id in cell_ids:
        there = sim.graph.get_visible(cell_id)
        if there is None or there.seen_outside:  # a landblock's own id means the land
            return True
    return False


def _join_surroundings(sim: Simulation, blocks: list[int], outdoors: bool) -> None:
    """Let everything come in that walks would let come in, so that no walk changes it."""
    wanted = set(blocks)
    for block_id in blocks if outdoors else []:
        wanted.update(neighbour_ids(block_id))
    for block_id in sorted(wanted):
        sim.surroundings.join(block_id)
    sim.surroundings.are_fixed = True


def _hold(sim: Simulation, door: Door, doors_as: int) -> None:
    """End what a door is doing, and put it as it is to be."""
    obj = sim.population.registry.entity(door.id).obj
    if doors_as == OPEN:
        door.is_open = True
    door.rest(sim.tick_number)
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
