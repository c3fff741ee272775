"""One sub-step of a sweep in the picture: where the body was and where it was put, which cells it was tested in, and
what it met there (physics.md 5-7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, scale, sub
from engine.render.overlays.bodies import ROLLED_BACK, draw_planes, draw_spheres, last_candidate, sketch_of
from engine.render.overlays.candidates import draw_search
from engine.render.overlays.geometry import Colour, OverlayGeometry
from engine.render.overlays.hulls import cell_center
from engine.render.overlays.palette import ACCEPTED, ADJUSTED, CURRENT, FAULT, STAB, faint
from engine.render.overlays.rooms import cell_outline
from engine.render.overlays.sketch import Sketch, middle
from engine.sim.trace import tree as nodes
from engine.sim.trace.cell_search import CellSearch
from engine.sim.trace.tree import SweepState, TraceNode
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.graph.graph import CellGraph

FINE: Final = "OK"
COLOURS: Final = {FINE: ACCEPTED, "Slid": ADJUSTED, "Adjusted": ADJUSTED}
"""By the answer of a cell; anything else is red."""

GENTLE: Final = ("a floor", "carries", "ground", "touched")
"""The beginning of the answer of a polygon that does not block."""

NORMAL: Final = 0.5
SHORTEST: Final = 1e-4
"""Metres below which a way is no arrow."""


ABOUT_CELLS: Final = (nodes.CELLS, nodes.CANDIDATE, nodes.MEMBERSHIP, nodes.LATCH)
"""The rows that show the search of the cell array in the place of what was hit."""


def substep_overlay(
    graph: CellGraph, step: TraceNode, chosen: TraceNode, spheres: Sequence[Sphere], search: CellSearch | None = None
) -> list[OverlayGeometry]:
    """A sub-step with its spheres before (amber) and after it (green accepted, orange slid, red sent back), and of the
    row `chosen` in it either the search of the cell array, or the cells it was tested in, the polygons that it met and
    the planes it ended with. The sub-step itself shows both.

    `spheres` are the body's, in its own space. Cells in several landblocks make several geometries.
    """
    sketches: dict[int, Sketch] = {}
    about_cells = chosen.kind in ABOUT_CELLS
    if search is not None and (about_cells or chosen is step):
        draw_search(sketches, graph, search, chosen.cell_id if chosen.kind == nodes.CANDIDATE else 0)
    else:
        _cells(sketches, graph, step)
    _bodies(sketches, step, spheres)
    if not about_cells:
        _polygons(sketches, step, chosen)
        if step.after is not None:
            draw_planes(sketches, step.after)
    return [sketch.geometry() for sketch in sketches.values()]


def end_of(step: TraceNode) -> tuple[int, Vec3, SweepState] | None:
    """The candidate of a sub-step: the cell, the position, and the state it had there."""
    if ROLLED_BACK in step.answer:
        tried = last_candidate(step)
        return None if tried is None else (tried.candidate_cell, tried.candidate, tried)
    after = step.after
    return None if after is None else (after.accepted_cell or after.candidate_cell, after.accepted, after)


def verdict(step: TraceNode) -> tuple[Colour, str]:
    """The result of a sub-step as a colour and a word."""
    if ROLLED_BACK in step.answer:
        return FAULT, "■ rolled back"
    if step.after is None or "accepted" not in step.answer:
        return FAULT, "■ refused"
    slid = any(node.kind == nodes.SLIDE for node in step.walk()) or step.after.sliding_normal is not None
    return (ADJUSTED, "↷ slid") if slid else (ACCEPTED, "✓ accepted")


def _bodies(sketches: dict[int, Sketch], step: TraceNode, spheres: Sequence[Sphere]) -> None:
    before, end = step.before, end_of(step)
    if before is None:
        return
    start = sketch_of(sketches, before.accepted_cell or before.candidate_cell)
    draw_spheres(start, spheres, before, before.accepted, CURRENT, 1.5)
    if end is None:
        return
    cell_id, at, state = end
    colour, word = verdict(step)
    there = sketch_of(sketches, cell_id)
    draw_spheres(there, spheres, state, at, colour, 2.0)
    top = max((sphere.center[2] + sphere.radius for sphere in spheres), default=0.0)
    there.label(word, (at[0], at[1], at[2] + top + 0.1), colour)
    way = sub(at, before.accepted)
    if there is start and sum(part * part for part in way) > SHORTEST**2:
        low = min((sphere.center[2] for sphere in spheres), default=0.0)
        x, y, z = before.accepted
        there.arrow((x, y, z + low), way, colour, 2.0, 0.6)


def _cells(sketches: dict[int, Sketch], graph: CellGraph, step: TraceNode) -> None:
    """The rooms that the body was tested in, each once, by the worst that they answered."""
    answers: dict[int, str] = {}
    for node in step.find(nodes.CELL):
        if answers.get(node.cell_id, FINE) == FINE:
            answers[node.cell_id] = node.answer
    for cell_id, answer in answers.items():
        cell = graph.peek(cell_id)
        if not isinstance(cell, EnvCell):
            continue
        sketch = sketch_of(sketches, cell_id)
        fine = answer == FINE
        colour = STAB if fine else COLOURS.get(answer, FAULT)
        cell_outline(sketch, cell, faint(colour, 0.8), 1.0 if fine else 1.5)
        sketch.label(cell_text(cell_id) if fine else f"{cell_text(cell_id)}: {answer}", cell_center(cell), colour)


def _polygons(sketches: dict[int, Sketch], step: TraceNode, chosen: TraceNode) -> None:
    """The polygons of the row or, if it met none, of the whole sub-step."""
    met = chosen.find(nodes.POLYGON) or step.find(nodes.POLYGON)
    drawn: set[object] = set()
    for node in met:
        place = node.place
        if place is None or len(place.corners) < 3 or (place, node.answer) in drawn:
            continue
        drawn.add((place, node.answer))
        gentle = node.answer.startswith(GENTLE)
        colour = ACCEPTED if gentle else FAULT
        sketch = sketch_of(sketches, place.cell_id)
        sketch.fill(place.corners, faint(colour, 0.12 if gentle else 0.3), 0.3)
        sketch.loop(place.corners, colour, 1.0 if gentle else 2.5, 0.6)
        if gentle and node is not chosen:
            continue
        center = middle(place.corners)
        if node.normal is not None:
            sketch.arrow(center, scale(node.normal, NORMAL), colour, 2.0, 0.6)
        sketch.label(f"polygon {node.polygon_id}, {node.answer}", center, colour)
