"""Heat maps of the flood on the screen: its depth, the number of views of a room, the overdraw of a pixel
(rendering.md 23). Viewed from outside, where the screen of the frame means nothing, rooms are filled instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.render.overlays.geometry import Colour, Label, OverlayGeometry, ScreenPolygon
from engine.render.overlays.hulls import cell_center, in_block, struct_triangles
from engine.render.overlays.palette import SELECTED, faint
from engine.render.overlays.sketch import Sketch
from engine.visibility.records import FloodResult, VisibleCell
from engine.visibility.view import ViewPoly

RAMP: Final[tuple[Colour, ...]] = (
    (104, 152, 236, 255),
    (63, 196, 177, 255),
    (150, 206, 84, 255),
    (240, 200, 76, 255),
    (240, 148, 77, 255),
    (236, 84, 84, 255),
)
"""From little to much; values beyond the end take the last colour."""

FILL: Final = 0.28
ONCE: Final = 0.16
"""The opacity of one layer of overdraw."""


def depth_of_traversal(floods: Sequence[FloodResult], from_outside: bool) -> OverlayGeometry:
    """The number of portals between the root, or the opening looked in at, and each room."""
    return _map(floods, lambda cell: cell.depth, "", from_outside)


def view_counts(floods: Sequence[FloodResult], from_outside: bool) -> OverlayGeometry:
    """Through how many view polygons each room is seen; those that came late are said so (8)."""
    return _map(floods, lambda cell: len(cell.views) - 1, "×", from_outside)


def _map(
    floods: Sequence[FloodResult], heat: Callable[[VisibleCell], int], sign: str, from_outside: bool
) -> OverlayGeometry:
    found = OverlayGeometry()
    for flood in floods:
        sketch = Sketch(flood.root_id | 0xFFFF)
        for visible in flood.cells:
            value = heat(visible)
            colour = RAMP[min(value, len(RAMP) - 1)]
            late = f", {visible.late_views} late" if sign and visible.late_views else ""
            words = f"{visible.cell_id & 0xFFFF:04X} {f'{value + 1}{sign}' if sign else f'depth {value}'}{late}"
            if from_outside:
                faces = in_block(visible.cell.frame, struct_triangles(visible.cell.structure))
                sketch.triangles(faces, faint(colour, FILL), 0.5)
                sketch.label(words, cell_center(visible.cell), colour)
                continue
            for view in visible.views:
                found.screen_polygons.append(ScreenPolygon(_points(view), colour, faint(colour, FILL), 1.5))
            if visible.views:
                found.labels.append(Label(words, colour, pixel=_middle(visible.views[0])))
        found.add(sketch.geometry())
    return found


def overdraw(floods: Sequence[FloodResult], from_outside: bool) -> OverlayGeometry:
    """The views of all rooms over each other: the brighter, the more rooms are drawn there."""
    found = OverlayGeometry()
    views = [view for flood in floods for visible in flood.cells for view in visible.views]
    if from_outside:
        return found
    for view in views:
        line, fill = faint(SELECTED, 0.25), faint(SELECTED, ONCE)
        found.screen_polygons.append(ScreenPolygon(_points(view), line, fill))
    for view in views:
        x, y = _middle(view)
        deep = sum(_covers(other, x, y) for other in views)
        words = "1 cell" if deep == 1 else f"{deep} cells"
        found.labels.append(Label(words, RAMP[min(max(deep, 1), len(RAMP)) - 1], pixel=(x, y)))
    return found


def _covers(view: ViewPoly, x: float, y: float) -> bool:
    return all((x - v.x) * v.edge_y - (y - v.y) * v.edge_x >= 0.0 for v in view.vertices)


def _points(view: ViewPoly) -> tuple[tuple[float, float], ...]:
    return tuple(zip(view.xs, view.ys, strict=True))


def _middle(view: ViewPoly) -> tuple[float, float]:
    return (sum(view.xs) / len(view.xs), sum(view.ys) / len(view.ys))
