"""`bench physics`, its part on recordings: the run goes through the demo world and uses its doors."""

from __future__ import annotations

import pytest

from benchmarks import recording
from engine.build.demo import ensure_demo
from engine.entities.door import Door
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world


def test_the_run_that_is_measured_uses_doors_near_and_far() -> None:
    with open_world(ensure_demo()) as world:
        sim = Simulation(world)
        recording.run_about(sim, 3 * recording.TICKS_AT_A_SPOT)
        used = [entity for entity in sim.population.ordered if isinstance(entity, Door) and entity.reset_at > 0]
        sim.close()
    assert used


def test_each_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(recording.TICKS, "python", 400)
    monkeypatch.setitem(recording.COMPARED, "python", 30)
    monkeypatch.setattr(recording, "TIMES", 1)
    monkeypatch.setattr(recording, "SEEKS", 6)
    found = {figure.name: figure.value for figure in recording.figures("python")}
    assert found.pop("what recording adds to a tick") != 0.0  # two runs apart: on a busy machine it may be below
    assert len(found) == 15
    assert all(value > 0.0 for value in found.values())
