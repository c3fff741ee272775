"""The walk to a place of a search as a recording: its keys, run again in a simulation of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.explore.forms.settings import Seed
from engine.physics.rules import RuleSet
from engine.sim.edits.player import Teleport
from engine.sim.errors import SimError
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation

if TYPE_CHECKING:
    from engine.explore.search import Search
    from engine.world.world import World


def at_seed(world: World, start: bytes, seed: Seed, rules: RuleSet | None = None) -> Simulation:
    """A simulation as the search had it, with the player at a seed. Close it when done."""
    sim = Simulation(world, rules)
    sim.restore(start)
    x, y, z = seed.origin
    sim.apply_edit(Teleport(seed.cell_id, x, y, z, seed.heading))
    return sim


def recording_of(world: World, start: bytes, seed: Seed, controls: Sequence[Controls], source: str = "") -> Recording:
    """The keys, from a seed of the search whose `start` this is, as a recording with its keyframes and hashes."""
    sim = at_seed(world, start, seed)
    try:
        with Recorder(sim, source) as recorder:
            for each in controls:
                sim.tick(each)
        return recorder.recording
    finally:
        sim.close()


def recording_to(search: Search, state: int, source: str = "") -> Recording:
    """The walk to a state; a SimError when it ends elsewhere, which would be a defect of the search."""
    seed = search.seeds[search.seed_of(state)]
    recording = recording_of(search.sim.world.loaded, search.start, seed, search.controls_to(state), source)
    columns = search.columns
    wanted = (columns.x[state], columns.y[state], columns.z[state])
    if len(recording):
        sample = recording.samples[len(recording) - 1]
        if sample.origin != wanted:
            raise SimError(f"the walk to {wanted} ends at {sample.origin}")
    return recording
