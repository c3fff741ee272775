"""Searches of small worlds, run to their end, and walks replayed in full simulations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from engine.build.built import BuiltWorld
from engine.explore.forms.seeds import seeds_of
from engine.explore.forms.settings import Seed, Settings
from engine.explore.results.recordings import at_seed
from engine.explore.saved_body import SavedBody, saved
from engine.explore.search import Search
from engine.sim.tick.simulation import Simulation

QUICK: Final = Settings(headings=8, grid=0.5, charges=(1.0,), jump_grid=2.0)
"""Few directions and a coarse grid, for tests that are about something else."""


def begun(world: BuiltWorld, seeds: list[Seed] | None = None, settings: Settings = QUICK, **changes: Any) -> Search:
    """A search of a world, from all its seeds unless some are named."""
    sim = Simulation(world.load())
    if seeds is None:
        seeds = [seed for block_id in sim.world.landblock_ids() for seed in seeds_of(sim, block_id)]
    return Search(sim, seeds, replace(settings, **changes))


def searched(world: BuiltWorld, seeds: list[Seed] | None = None, settings: Settings = QUICK, **changes: Any) -> Search:
    """The same, finished."""
    search = begun(world, seeds, settings, **changes)
    while search.expand(1000):
        pass
    return search


def seed_in(world: BuiltWorld, room: str, x: float, y: float, z: float = 0.0) -> Seed:
    return Seed(world.cell_id(room), (x, y, z), 0.0, "spot")


def cells_of(search: Search) -> set[int]:
    """The cells in which a body came to stand."""
    columns = search.columns
    return {cell for cell, standing in zip(columns.cell, columns.standing, strict=True) if standing == 0}


def replayed(search: Search, state: int) -> Simulation:
    """A full simulation after the keys that lead to a state."""
    sim = at_seed(search.sim.world.loaded, search.start, search.seeds[search.seed_of(state)])
    for controls in search.controls_to(state):
        sim.tick(controls)
    return sim


def values_of(body: SavedBody) -> dict[str, object]:
    """All that a saved body holds, to compare bit by bit."""
    plane, turn, cell = body.contact_plane, body.turn.rotation, body.cell
    nodes = [(node.source, node.key, node.command, node.index) for node in body.nodes]
    values: dict[str, object] = {
        "place": (body.cell_id, body.origin, turn, None if cell is None else cell.id, repr(body.held)),
        "state": (body.state, body.transient, body.colliding_with_environment),
        "moving": (body.velocity, body.acceleration, body.omega, body.cached_velocity),
        "contact": (plane.normal, plane.d, body.contact_plane_cell_id, body.sliding_normal),
        "jump": (body.charging, body.charge, body.jump_extent, body.standing_long_jump),
        "motion": (body.style, body.substate, body.speed, [(each.motion, each.speed) for each in body.modifiers]),
        "sequence": (nodes, body.rates, body.current, body.first_cyclic, body.frame),
        "speeds": (body.motion_velocity, body.motion_omega),
    }
    return {name: repr(value) for name, value in values.items()}


def player_of(sim: Simulation) -> dict[str, object]:
    return values_of(saved(sim.player.steered))
