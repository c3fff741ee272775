"""How overlays show solid things and a tick's sweep."""

from __future__ import annotations

import numpy as np
import pytest

from engine.build import WorldBuilder, rect
from engine.physics.flags import ETHEREAL
from engine.render.overlays.bodies import shadow_bounds, sweep_overlay
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.palette import ACCENT, ACCEPTED, ADJUSTED, CURRENT, FAULT
from engine.sim.edits.entities import SetStateBits
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder

HALL, STUDY, DOORWAY = 0x00070100, 0x00070101, 0x00070102


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


def colours_of(geometry: OverlayGeometry) -> set[tuple[int, ...]]:
    return {tuple(row) for lines in geometry.lines for row in lines.colours.tolist()}


def sweep_of(sim: Simulation, controls: Controls, *, until_it_hits: bool) -> OverlayGeometry:
    """The first tick that runs into something, or the third one, as an overlay."""
    recorder = TraceRecorder()
    sim.watch(sim.player.id, recorder)
    for number in range(60):
        recorder.clear()
        report = sim.tick(controls)
        if report.collision_normal_valid if until_it_hits else number == 2:
            break
    whole = OverlayGeometry()
    for part in sweep_overlay(recorder.sweeps, sim.player.steered.spheres):
        whole.add(part)
    return whole


def test_a_door_is_the_box_of_its_part_and_the_player_his_spheres(sim: Simulation) -> None:
    shown = shadow_bounds(HALL | 0xFFFF, [sim.graph.peek(DOORWAY) or sim.graph.all_cells()[0]], DOORWAY)
    assert ACCENT in colours_of(shown)
    assert any("object" in label.text for label in shown.labels)
    door = sim.population.doors[0]
    points = np.concatenate([lines.points.reshape(-1, 3) for lines in shown.lines])
    assert np.linalg.norm(points - door.frame.origin, axis=1).min() < 2.5


def test_an_ethereal_thing_is_dashed_and_labelled(sim: Simulation) -> None:
    door = sim.population.doors[0]
    solid = shadow_bounds(HALL | 0xFFFF, sim.graph.all_cells(), DOORWAY)
    sim.apply_edit(SetStateBits(door.id, ETHEREAL, True))
    soft = shadow_bounds(HALL | 0xFFFF, sim.graph.all_cells(), DOORWAY)
    assert sum(len(lines) for lines in soft.lines) > sum(len(lines) for lines in solid.lines)
    assert ADJUSTED in colours_of(soft)
    assert any(label.text.endswith("ethereal") for label in soft.labels)


def test_an_object_in_two_cells_is_drawn_once(sim: Simulation) -> None:
    both = [cell for cell in sim.graph.all_cells() if cell.id in (HALL, DOORWAY, STUDY)]
    once = sum(len(lines) for lines in shadow_bounds(HALL | 0xFFFF, both, 0).lines)
    again = sum(len(lines) for lines in shadow_bounds(HALL | 0xFFFF, [*both, *both], 0).lines)
    assert once == again > 0


def test_a_free_step_is_amber_then_green_on_its_contact_plane(sim: Simulation) -> None:
    shown = sweep_of(sim, Controls(forward=1.0), until_it_hits=False)
    assert {CURRENT, ACCEPTED} <= colours_of(shown)
    assert FAULT not in colours_of(shown)
    assert [label.text for label in shown.labels] == ["contact plane"]
    assert np.allclose(shown.triangles[0].points[:, :, 2], 0.0, atol=1e-3)


def test_a_blocked_step_shows_where_and_by_what_it_was_refused(sim: Simulation) -> None:
    shown = sweep_of(sim, Controls(forward=1.0, run=True), until_it_hits=True)
    assert FAULT in colours_of(shown)
    assert "■ collision normal" in {label.text for label in shown.labels}


def test_without_a_sweep_there_is_no_overlay(sim: Simulation) -> None:
    assert sweep_overlay([], sim.player.steered.spheres) == []
