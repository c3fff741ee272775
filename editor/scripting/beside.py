"""A second simulation in the state of a stage, for questions whose answers need trials."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.sim.tick.simulation import Simulation

if TYPE_CHECKING:
    from editor.scripting.stage import Stage


@contextmanager
def beside(stage: Stage) -> Iterator[Simulation]:
    """What happens in it changes nothing of the stage."""
    now = stage.engine
    sim = Simulation(now.world.loaded, now.rules, now.player.id)
    try:
        sim.restore(now.snapshot())
        yield sim
    finally:
        sim.close()
