"""How the overlay shows one sub-step: the body before and after it, the cells, the polygons and the planes."""

from __future__ import annotations

import numpy as np
import pytest

from engine.build import WorldBuilder, rect
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.palette import ACCEPTED, CURRENT, FAULT
from engine.render.overlays.substep import end_of, substep_overlay, verdict
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import POLYGON, STEP, TraceNode

HALL = 0x00070100


@pytest.fixture
def sim() -> Simulation:
    """A player in a hall, facing the closed door of a study two metres away."""
    builder = WorldBuilder()
    hall = builder.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = builder.room("study", rect(6.2, 0, 4, 4), height=2.8)
    builder.door(hall, study)
    made = Simulation(builder.build().load())
    made.apply_edit(Teleport(HALL, 4.0, 2.0, 0.0, 90.0))
    return made


def step_of(sim: Simulation, *, blocked: bool) -> TraceNode:
    """The last sub-step of the first tick that runs into something, or of the third tick."""
    recorder = TraceRecorder()
    sim.watch(sim.player.id, recorder)
    for number in range(60):
        recorder.clear()
        report = sim.tick(Controls(1.0))
        if report.collided_objects if blocked else number == 2:
            break
    return recorder.sweeps[-1].find(STEP)[-1]


def shown(sim: Simulation, step: TraceNode, chosen: TraceNode) -> OverlayGeometry:
    whole = OverlayGeometry()
    for part in substep_overlay(sim.graph, step, chosen, sim.player.steered.spheres):
        whole.add(part)
    return whole


def colours_of(geometry: OverlayGeometry) -> set[tuple[int, ...]]:
    return {tuple(row) for lines in geometry.lines for row in lines.colours.tolist()}


def test_an_accepted_step_is_green_with_the_contact_plane(sim: Simulation) -> None:
    step = step_of(sim, blocked=False)
    assert verdict(step) == (ACCEPTED, "✓ accepted")
    found = shown(sim, step, step)
    assert {CURRENT, ACCEPTED} <= colours_of(found)
    assert FAULT not in colours_of(found)
    assert {"✓ accepted", "contact plane"} <= {label.text for label in found.labels}


def test_a_rejected_step_is_red_and_shows_the_polygon_in_place(sim: Simulation) -> None:
    step = step_of(sim, blocked=True)
    guilty = next(node for node in step.find(POLYGON) if node.answer.startswith("hit"))
    assert verdict(step) == (FAULT, "■ rolled back")
    found = shown(sim, step, guilty)
    assert FAULT in colours_of(found)
    assert f"polygon {guilty.polygon_id}, {guilty.answer}" in [label.text for label in found.labels]
    assert guilty.place is not None
    corners = np.array(guilty.place.corners)
    door = sim.population.doors[0].frame.origin
    assert np.linalg.norm(corners - door, axis=1).min() < 3.0, "it is the door's, in world space"
    end = end_of(step)
    assert end is not None
    assert end[1][0] > sim.player.steered.place.origin[0], "where he wanted to go, not where he stays"


def test_a_pass_without_polygons_shows_those_of_the_whole_step(sim: Simulation) -> None:
    step = step_of(sim, blocked=True)
    empty = TraceNode("slide", "slide")
    assert len(shown(sim, step, empty).triangles) == len(shown(sim, step, step).triangles) > 0
