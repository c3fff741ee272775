"""How the overlay shows a search of the cell array: outlines by what became of a cell, and the planes that decided."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.geometry.vec import Vec3, dot, length, sub
from engine.render.overlays.geometry import Colour, OverlayGeometry
from engine.render.overlays.palette import ACCEPTED, FAULT, NEITHER, STAB, faint
from engine.render.overlays.substep import substep_overlay
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import CANDIDATE, CELLS, STEP, TraceNode
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from tests.sim.helpers.small_worlds import FORWARD, built, house, open_rooms, standing

PICKED_WIDTH = 2.5
DISC = 0.6
"""Metres: the radius in which a plane is drawn."""


def changing_step(sim: Simulation, *, outdoors: bool = False) -> TraceNode:
    """The sub-step that brings the player into another cell, or out of the house."""
    recorder = TraceRecorder()
    sim.watch(sim.player.id, recorder)
    for _ in range(200):
        recorder.clear()
        report = sim.tick(FORWARD)
        if report.cell_changed and outdoors == (report.cell & 0xFFFF < 0x100):
            return next(step for step in recorder.sweeps[-1].find(STEP) if step.search is not None)
    raise AssertionError("the player stayed in his cell")


@pytest.fixture
def sim() -> Simulation:
    return standing(built(open_rooms), "hall", (4.5, 2.0), 90.0)


def shown(sim: Simulation, step: TraceNode, chosen: TraceNode) -> OverlayGeometry:
    whole = OverlayGeometry()
    for part in substep_overlay(sim.graph, step, chosen, sim.player.steered.spheres, step.search):
        whole.add(part)
    return whole


def lines_in(geometry: OverlayGeometry, colour: Colour, width: float) -> NDArray[np.float64]:
    """The lines of a colour and a width, (n, 2, 3)."""
    found = [
        lines.points[np.all(np.array(lines.colours) == colour, axis=1)]
        for lines in geometry.lines
        if lines.width == width
    ]
    return np.concatenate(found) if found else np.zeros((0, 2, 3))


def corners_of(lines: NDArray[np.float64]) -> set[tuple[float, ...]]:
    return {tuple(np.round(corner, 3).tolist()) for line in lines for corner in line}


def corners_of_cells(sim: Simulation, ids: list[int]) -> set[tuple[float, ...]]:
    cells = [sim.graph.peek(cell_id) for cell_id in ids]
    return {
        tuple(np.round(np.array(cell.frame.local_to_global(corner)), 3).tolist())
        for cell in cells
        if isinstance(cell, EnvCell)
        for polygon in cell.structure.polygons.values()
        for corner in polygon.vertices
    }


def test_the_picked_cell_looks_different_from_rejected_ones(sim: Simulation) -> None:
    step = changing_step(sim)
    search = step.search
    assert search is not None
    row = next(node for node in step.find(CELLS) if node.search is search)
    found = shown(sim, step, row)
    rejected = [each.cell_id for each in search.candidates if each.cell_id != search.picked]
    green, blue = lines_in(found, ACCEPTED, PICKED_WIDTH), lines_in(found, STAB, 1.5)
    assert corners_of(green) <= corners_of_cells(sim, [search.picked])
    assert corners_of(blue) <= corners_of_cells(sim, rejected)
    assert len(green) > 0
    assert len(blue) > 0
    words = {label.text for label in found.labels}
    assert f"✓ {cell_text(search.picked)}: picked" in words
    assert f"1. {cell_text(search.start)}: does not hold the centre" in words
    assert "contact plane" not in words, "a row about cells shows cells"


def test_the_planes_lie_where_the_candidates_say(sim: Simulation) -> None:
    step = changing_step(sim)
    search = step.search
    assert search is not None
    for candidate in search.candidates:
        row = next(node for node in step.find(CANDIDATE) if node.cell_id == candidate.cell_id)
        answer = candidate.centre
        assert answer is not None
        assert answer.normal is not None
        assert answer.distance is not None
        found = shown(sim, step, row)
        colour = ACCEPTED if answer.distance >= 0.0 else FAULT
        discs = [
            [tuple(float(part) for part in corner) for corner in triangle]
            for triangles in found.triangles
            for triangle, paint in zip(triangles.points, triangles.colours, strict=True)
            if tuple(paint) == faint(colour, 0.2)
        ]
        assert discs, cell_text(candidate.cell_id)
        for corner in (corner for disc in discs for corner in disc):
            assert abs(_height(corner, answer.normal, answer.d)) < 1e-6, "on the plane"
            away = length(sub((corner[0], corner[1], corner[2]), search.centre))
            assert away <= abs(answer.distance) + DISC + 1e-6, "beside the centre"


def _height(p: tuple[float, ...], normal: Vec3, d: float) -> float:
    return dot((p[0], p[1], p[2]), normal) + d


def test_a_square_of_land_that_was_picked_is_outlined() -> None:
    sim = standing(built(house), "room", (108.0, 106.0, 20.0), 180.0)
    step = changing_step(sim, outdoors=True)
    search = step.search
    assert search is not None
    found = shown(sim, step, step)
    land = lines_in(found, ACCEPTED, PICKED_WIDTH)
    assert np.ptp(land[:, :, 0]) == pytest.approx(24.0)
    assert np.ptp(land[:, :, 1]) == pytest.approx(24.0)


def test_a_neighbour_that_stayed_out_of_the_array_is_grey() -> None:
    sim = standing(built(open_rooms), "hall", (2.0, 2.0), 90.0)
    recorder = TraceRecorder()
    sim.watch(sim.player.id, recorder)
    sim.tick(FORWARD)
    step = recorder.sweeps[0].find(STEP)[0]
    assert step.search is not None
    out = [each.cell_id for each in step.search.left_out]
    assert out
    grey = corners_of(lines_in(shown(sim, step, step), faint(NEITHER, 0.7), 1.0))
    assert grey
    assert grey <= corners_of_cells(sim, out)
