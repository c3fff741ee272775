"""Overlays of rooms: their outlines, their trees, solid against drawn polygons, and the reach of a stab list
(rendering.md 23; physics.md 3.8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, dot, length, scale, sub
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.hulls import (
    ROOM,
    box_of_struct,
    cell_center,
    half_spaces,
    in_block,
    plane_in_box,
    struct_edges,
    struct_triangles,
)
from engine.render.overlays.palette import (
    ACCEPTED,
    EXIT_PORTAL,
    FAULT,
    NEITHER,
    SELECTED,
    STAB,
    VISIBLE,
    faint,
)
from engine.render.overlays.sketch import Sketch, middle
from engine.world.cells.cell import CellStruct, EnvCell
from engine.world.graph.graph import NO_CELL

NORMAL: Final = 0.35
"""Metres of an arrow that shows where a plane looks."""

SAME_PLACE: Final = 0.02
"""Metres by which a solid polygon and a drawn one may differ and still be one wall."""


def cell_outline(
    sketch: Sketch, cell: EnvCell, colour: tuple[int, int, int, int], width: float = 1.0, hidden: float = 0.35
) -> None:
    """The edges of a cell's body, each once."""
    sketch.segments(in_block(cell.frame, struct_edges(cell.structure)), colour, width, hidden)


def cell_outlines(
    block_id: int, cells: Iterable[EnvCell], visible: frozenset[int], stab: frozenset[int], selected: int
) -> OverlayGeometry:
    """Every cell's edges: thick for the selected one, solid for visible ones, thin for those only in the stab list."""
    sketch = Sketch(block_id)
    for cell in cells:
        if cell.id == selected:
            cell_outline(sketch, cell, SELECTED, 2.5, 0.6)
        elif cell.id in visible:
            cell_outline(sketch, cell, VISIBLE, 1.5)
        elif cell.id in stab:
            cell_outline(sketch, cell, STAB)
        else:
            cell_outline(sketch, cell, faint(NEITHER, 0.7))
    return sketch.geometry()


def tree_planes(cell: EnvCell, eye: Vec3) -> OverlayGeometry:
    """The planes of a cell's tree, clipped to the box around it; red and crossed out where the eye is behind.

    `eye` is in the cell's landblock.
    """
    sketch = Sketch(cell.id | 0xFFFF)
    box = box_of_struct(cell.structure, ROOM)
    if box is None:
        return sketch.geometry()
    at = cell.frame.global_to_local(eye)
    for number, plane in enumerate(half_spaces(cell.cell_tree)):
        own = plane_in_box(plane, box)
        if not own:
            continue
        inside = plane.dist(at) >= 0.0
        colour = ACCEPTED if inside else FAULT
        corners = [cell.frame.local_to_global(corner) for corner in own]
        sketch.fill(corners, faint(colour, 0.06), 0.4)
        sketch.loop(corners, colour, 1.0, 0.5)
        if not inside:
            sketch.line(corners[0], corners[len(corners) // 2], colour, 1.0, 0.5)
        center = middle(corners)
        sketch.arrow(center, cell.frame.local_to_global_vec(scale(plane.normal, NORMAL)), colour, 1.5, 0.6)
        sketch.label(f"{'✓' if inside else '■'} plane {number}", center, colour)
    return sketch.geometry()


def solid_against_drawn(block_id: int, cells: Iterable[EnvCell]) -> OverlayGeometry:
    """Physics polygons beside the drawn ones: green where a wall is both, red where solid but undrawn (filled), blue
    where drawn but not solid (dashed)."""
    sketch = Sketch(block_id)
    for cell in cells:
        compared = compare(cell.structure, frozenset(portal.polygon_id for portal in cell.portals))
        to_block = cell.frame.local_to_global
        for polygon in compared.both:
            sketch.loop([to_block(corner) for corner in polygon.vertices], faint(ACCEPTED, 0.8))
        for polygon in compared.solid_only:
            corners = [to_block(corner) for corner in polygon.vertices]
            sketch.fill(corners, faint(FAULT, 0.25), 0.4)
            sketch.loop(corners, FAULT, 1.5, 0.6)
            sketch.label(f"solid, not drawn · {polygon.id}", middle(corners), FAULT)
        for polygon in compared.drawn_only:
            corners = [to_block(corner) for corner in polygon.vertices]
            sketch.dashed_loop(corners, EXIT_PORTAL, 0.12, 1.5)
            sketch.label(f"drawn, not solid · {polygon.id}", middle(corners), EXIT_PORTAL)
    return sketch.geometry()


@dataclass(frozen=True)
class Compared:
    """A shape's polygons: solid ones that are drawn, solid ones that are not, drawn ones that are not solid."""

    both: tuple[Polygon, ...]
    solid_only: tuple[Polygon, ...]
    drawn_only: tuple[Polygon, ...]


@lru_cache(maxsize=1024)
def compare(struct: CellStruct, openings: frozenset[int]) -> Compared:
    """Polygons without area are left out, and so are the `openings`: a portal's polygon is not meant to be solid."""
    solid = [polygon for polygon in struct.physics_polygons.values() if _has_area(polygon)]
    drawn = [p for key, p in struct.polygons.items() if key not in openings and _has_area(p)]
    both = tuple(polygon for polygon in solid if _lies_on_one(polygon, drawn))
    return Compared(
        both,
        tuple(polygon for polygon in solid if polygon not in both),
        tuple(polygon for polygon in drawn if not _lies_on_one(polygon, solid)),
    )


def stab_reach(
    block_id: int, listed_ids: Set[int], cells: Iterable[EnvCell], visible: frozenset[int], root_id: int = NO_CELL
) -> OverlayGeometry:
    """The reach of stab lists, the root's or those of the openings looked in at: outlined the listed cells, filled
    those also visible, red those visible without being listed."""
    sketch = Sketch(block_id)
    for cell in cells:
        listed, seen = cell.id in listed_ids or cell.id == root_id, cell.id in visible
        if not listed and not seen:
            continue
        colour = FAULT if not listed else VISIBLE if seen else STAB
        if seen:
            sketch.triangles(in_block(cell.frame, struct_triangles(cell.structure)), faint(colour, 0.05), 0.5)
        cell_outline(sketch, cell, colour, 2.0 if cell.id == root_id else 1.0, 0.5)
        words = "root" if cell.id == root_id else "■ not in the list" if not listed else "seen" if seen else "listed"
        sketch.label(f"{cell.id & 0xFFFF:04X} {words}", cell_center(cell), colour)
    return sketch.geometry()


def _has_area(polygon: Polygon) -> bool:
    return not polygon.degenerate and len(polygon.vertices) > 2


def _lies_on_one(polygon: Polygon, others: Sequence[Polygon]) -> bool:
    """One of the others is in the same plane, whichever way it looks, and covers this one's middle."""
    center = middle(polygon.vertices)
    for other in others:
        parallel = abs(abs(dot(other.normal, polygon.normal)) - 1.0) < 1e-3
        if parallel and abs(other.plane.dist(center)) <= SAME_PLACE and _covers(other, center):
            return True
    return False


def _covers(polygon: Polygon, p: Vec3) -> bool:
    return all(
        dot(sub(p, edge.last), edge.cross) >= -SAME_PLACE * length(edge.cross) for edge in polygon.edges if edge.edge2
    )
