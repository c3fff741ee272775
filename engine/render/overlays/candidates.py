"""A search of the cell array: the outlines of its cells, and the planes that decided (physics.md 6.4)."""

from __future__ import annotations

from typing import Final

from engine.geometry.vec import Vec3, add, dot, scale
from engine.render.overlays.bodies import DISC, sketch_of
from engine.render.overlays.geometry import Colour
from engine.render.overlays.hulls import cell_center
from engine.render.overlays.palette import ACCEPTED, FAULT, NEITHER, STAB, faint
from engine.render.overlays.rooms import cell_outline
from engine.render.overlays.sketch import Sketch, middle, ring
from engine.sim.trace.cell_search import INSIDE, PICKED, PICKED_PRUNED, SPHERE_NAMES, Candidate, CellSearch, TreeAnswer
from engine.sim.trace.cell_search import metres as metres_text
from engine.world.cells.cell import EnvCell, LandCell
from engine.world.cells.ids import cell_text
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph

NORMAL: Final = 0.35
"""Metres of the arrow that shows where a plane looks."""

CENTRE: Final = 0.03
"""Metres: radius of the mark on the centre that the pick goes by."""


def draw_search(sketches: dict[int, Sketch], graph: CellGraph, search: CellSearch, cell_id: int = 0) -> None:
    """The cells: green and thick the one that was picked, blue the others of the array, grey what stayed out. The
    planes: green where the centre is in front, red where it is behind; with `cell_id` those of one cell alone."""
    sketch_of(sketches, search.start).sphere(search.centre, CENTRE, ACCEPTED, 2.0, 0.8)
    for candidate in (*search.left_out, *search.candidates):
        _outline(sketches, graph, candidate)
        centre = into_block(candidate.cell_id, search.start, search.centre)
        alone = candidate.cell_id == cell_id
        if alone or (not cell_id and candidate.in_array):
            _plane(sketches, candidate, candidate.centre, centre, "centre")
        if alone and candidate.sphere is not None and not _same_plane(candidate):
            _plane(sketches, candidate, candidate.sphere, centre, SPHERE_NAMES[min(candidate.sphere.sphere, 1)])


def is_picked(candidate: Candidate) -> bool:
    return candidate.fate in (PICKED, PICKED_PRUNED)


def _style(candidate: Candidate) -> tuple[Colour, float]:
    if is_picked(candidate):
        return ACCEPTED, 2.5
    return (STAB, 1.5) if candidate.in_array else (faint(NEITHER, 0.7), 1.0)


def _outline(sketches: dict[int, Sketch], graph: CellGraph, candidate: Candidate) -> None:
    cell = graph.peek(candidate.cell_id)
    colour, width = _style(candidate)
    sketch = sketch_of(sketches, candidate.cell_id)
    if isinstance(cell, EnvCell):
        cell_outline(sketch, cell, colour, width)
        at = cell_center(cell)
    elif isinstance(cell, LandCell):
        for polygon in cell.polygons:
            sketch.loop(polygon.vertices, colour, width)
        at = middle([corner for polygon in cell.polygons for corner in polygon.vertices])
    else:
        return
    if candidate.in_array:
        sign = "✓ " if is_picked(candidate) else f"{candidate.place + 1}. "
        sketch.label(f"{sign}{cell_text(candidate.cell_id)}: {candidate.fate}", at, colour)


def _same_plane(candidate: Candidate) -> bool:
    sphere, centre = candidate.sphere, candidate.centre
    return sphere is not None and centre is not None and (sphere.normal, sphere.d) == (centre.normal, centre.d)


def _plane(
    sketches: dict[int, Sketch], candidate: Candidate, answer: TreeAnswer | None, centre: Vec3, what: str
) -> None:
    """A disc on the plane below the centre, and the way to it. The foot's centre stands for the head's too."""
    if answer is None or answer.normal is None or answer.distance is None:
        return
    normal = answer.normal
    foot = add(centre, scale(normal, -(dot(normal, centre) + answer.d)))
    colour = ACCEPTED if answer.answer == INSIDE else FAULT
    sketch = sketch_of(sketches, candidate.cell_id)
    disc = ring(foot, normal, DISC)
    sketch.fill(disc, faint(colour, 0.2), 0.3)
    sketch.loop(disc, colour, 1.5, 0.6)
    sketch.arrow(foot, scale(normal, NORMAL), colour, 2.0, 0.6)
    sketch.line(centre, foot, colour, 2.0, 0.6)
    side = "in front" if answer.distance >= 0.0 else "behind"
    text = f"{cell_text(candidate.cell_id)}: {what} {metres_text(abs(answer.distance))} {side}"
    sketch.label(text, add(foot, scale(normal, NORMAL)), colour)
