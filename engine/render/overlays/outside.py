"""Overlays of a frame that is viewed from outside: its eye, and its views as pyramids (rendering.md 23)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.geometry.vec import Vec3, add, dot, scale, sub
from engine.render.overlays.geometry import Colour, OverlayGeometry
from engine.render.overlays.hulls import box_of_struct
from engine.render.overlays.palette import CURRENT, EXIT_PORTAL, SELECTED, colour_of_cell, faint
from engine.render.overlays.sketch import Sketch, middle
from engine.visibility.camera import Camera
from engine.visibility.records import FloodResult
from engine.visibility.view import ViewPoly, full_screen
from engine.world.cells.cell import EnvCell
from engine.world.cells.landdefs import block_offset

FROZEN_EYE: Final = "the frozen eye"
NEAR: Final = 0.4
FAR: Final = 12.0
"""Metres before the eye at which its screen is outlined; a view of the outdoors ends there too."""


def eye_of_frame(camera: Camera, name: str = FROZEN_EYE) -> OverlayGeometry:
    """The eye, its screen before it and the edges of all that it can see."""
    sketch = Sketch(camera.block_id)
    screen = full_screen(camera)
    near, far = _at(camera, screen, NEAR), _at(camera, screen, FAR)
    sketch.fill(near, faint(CURRENT, 0.15), 0.5)
    sketch.loop(near, CURRENT, 2.0, 0.5)
    sketch.loop(far, faint(CURRENT, 0.5), 1.0)
    for corner in far:
        sketch.line(camera.eye, corner, CURRENT, 1.5, 0.5)
    sketch.arrow(middle(near), scale(camera.up, NEAR), CURRENT, 1.5, 0.5)
    sketch.label(name, camera.eye, CURRENT)
    return sketch.geometry()


def view_pyramids(floods: Sequence[FloodResult], camera: Camera, selected: int) -> OverlayGeometry:
    """The views of every cell as far as the cell reaches, of the selected one alone if it is seen."""
    sketch = Sketch(camera.block_id)
    seen = [visible for flood in floods for visible in flood.cells]
    chosen = [visible for visible in seen if visible.cell_id == selected]
    for visible in chosen or seen:
        colour = SELECTED if chosen else colour_of_cell(visible.found)
        depth = _reach(camera, visible.cell)
        for view in visible.views:
            _pyramid(sketch, camera, view, depth, colour)
        if visible.views:
            sketch.label(f"{visible.cell_id & 0xFFFF:04X}", middle(_at(camera, visible.views[0], depth)), colour)
    for view in [] if chosen else [view for flood in floods for view in flood.outside]:
        _pyramid(sketch, camera, view, FAR, EXIT_PORTAL)
        sketch.label("outside", middle(_at(camera, view, FAR)), EXIT_PORTAL)
    return sketch.geometry()


def _pyramid(sketch: Sketch, camera: Camera, view: ViewPoly, depth: float, colour: Colour) -> None:
    end = _at(camera, view, depth)
    for a, b in zip(end, [*end[1:], end[0]], strict=True):
        sketch.fill([camera.eye, a, b], faint(colour, 0.06), 0.3)
        sketch.line(camera.eye, a, faint(colour, 0.7), 1.0)
    sketch.loop(end, colour, 2.0, 0.5)


def _at(camera: Camera, view: ViewPoly, depth: float) -> list[Vec3]:
    """The corners of a view so many metres before the eye."""
    return [add(camera.eye, scale(camera.ray(x, y), depth)) for x, y in zip(view.xs, view.ys, strict=True)]


def _reach(camera: Camera, cell: EnvCell) -> float:
    """The distance from the eye at which a cell ends."""
    box = box_of_struct(cell.structure)
    if box is None:
        return NEAR
    shift = block_offset(camera.block_id, cell.id)
    corners = [add(cell.frame.local_to_global(corner), shift) for corner in box.corners()]
    return max(NEAR, *(dot(sub(corner, camera.eye), camera.forward) for corner in corners))
