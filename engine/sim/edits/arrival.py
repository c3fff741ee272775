"""The player appears at a place, with all that comes in around it, or nothing changes at all (physics.md 7.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.entities.state_io import StateReader, StateWriter
from engine.geometry.vec import ZERO
from engine.physics.errors import PhysicsError
from engine.physics.place import Place
from engine.physics.set_position import SP_NAMES, SP_OK, SP_PLACEMENT, SP_SLIDE, set_position
from engine.sim.tick.surroundings import Mark
from engine.world.cells.ids import cell_text

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation


def arrive(sim: Simulation, place: Place) -> None:
    """Put the player at a place, at rest; raises a PhysicsError, with nothing changed, where there is no room."""
    before = _BeforeArrival(sim)
    body = sim.player.steered
    arrival = sim.graph.get_visible(place.cell_id)
    if arrival is not None:
        sim.surroundings.come_near(arrival.id, arrival.seen_outside)
    body.velocity = ZERO
    body.charging = False
    answer = set_position(body, place, SP_PLACEMENT | SP_SLIDE)
    cell = body.cell
    if answer != SP_OK or cell is None:
        before.restore(sim)
        why = SP_NAMES[answer] if answer != SP_OK else "no cell holds that place"
        raise PhysicsError(f"nothing can be placed at {place.origin} in {cell_text(place.cell_id)}: {why}")
    sim.population.register_player()
    sim.enter_cell(cell.id, cell.seen_outside)


class _BeforeArrival:
    """What an arrival can change: the player, and what comes in with him.

    While somebody is lost it is the whole state, for he looks for a cell in what comes in.
    """

    whole: bytes
    player: bytes
    mark: Mark
    cells: dict[int, list[int]]
    """The objects in each of the player's cells, in their order."""

    def __init__(self, sim: Simulation) -> None:
        population = sim.population
        self.whole = sim.snapshot() if population.anybody_lost() else b""
        writer = StateWriter()
        population.visit_player(writer)
        self.player = writer.packed()
        self.mark = sim.surroundings.mark()
        registry = population.registry
        self.cells = {cell_id: registry.objects_in(cell_id) for cell_id in registry.cells_of(population.player.id)}

    def restore(self, sim: Simulation) -> None:
        if self.whole:
            sim.put_state_back(self.whole)
            return
        population = sim.population
        population.visit_player(StateReader(self.player))
        sim.surroundings.go_back(self.mark)
        for cell_id in self.cells:
            population.registry.set_objects_in(cell_id, self.cells[cell_id])
