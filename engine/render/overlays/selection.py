"""Outlines of the selection and of the thing that a click would select."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.geometry.box import Box
from engine.geometry.vec import Vec3
from engine.render.draws import PartDraw, ShellDraw
from engine.render.overlays.flood import SIGNS
from engine.render.overlays.geometry import Colour, OverlayGeometry
from engine.render.overlays.palette import BUILDING_PORTAL, EXIT_PORTAL, INTERIOR_PORTAL, SELECTED, faint
from engine.render.overlays.rooms import cell_outline
from engine.render.overlays.sketch import Sketch, middle
from engine.world.cells.cell import Building, EnvCell

SELECTED_WIDTH: Final = 2.5
HOVER_WIDTH: Final = 1.5
BEHIND: Final = 0.4
ROOM: Final = 0.02
"""Metres by which an outline stands off what it goes round, so that it is not half inside of it."""


def _style(hover: bool) -> tuple[Colour, float]:
    return (faint(SELECTED, 0.6), HOVER_WIDTH) if hover else (SELECTED, SELECTED_WIDTH)


def room_outline(cell: EnvCell, *, hover: bool = False) -> OverlayGeometry:
    """A room's edges."""
    sketch = Sketch(cell.id | 0xFFFF)
    colour, width = _style(hover)
    cell_outline(sketch, cell, colour, width, BEHIND)
    return sketch.geometry()


def parts_outline(parts: Iterable[PartDraw], *, hover: bool = False, colour: Colour | None = None) -> OverlayGeometry:
    """The boxes of an object's parts as they stand; in a colour of their own where they do not stand yet."""
    found = OverlayGeometry()
    usual, width = _style(hover)
    colour = usual if colour is None else colour
    for part in parts:
        if part.hidden:
            continue
        sketch = Sketch(part.block_id | 0xFFFF)
        sketch.box(_scaled(part.mesh.box, part.scale), part.frame, colour, width, BEHIND)
        found.add(sketch.geometry())
    return found


def shell_outline(shell: ShellDraw, *, hover: bool = False) -> OverlayGeometry:
    """The box of a building's shell."""
    sketch = Sketch(shell.block_id | 0xFFFF)
    colour, width = _style(hover)
    sketch.box(_scaled(shell.mesh.box, (1.0, 1.0, 1.0)), shell.frame, colour, width, BEHIND)
    return sketch.geometry()


def polygon_outline(block_id: int, corners: Sequence[Vec3], colour: Colour = SELECTED) -> OverlayGeometry:
    """One polygon, lightly filled."""
    sketch = Sketch(block_id)
    sketch.fill(corners, faint(colour, 0.15))
    sketch.loop(corners, colour, HOVER_WIDTH, BEHIND)
    return sketch.geometry()


def portal_outline(cell: EnvCell, index: int, status: str) -> OverlayGeometry:
    """A portal of a room, with its target and its status as text."""
    sketch = Sketch(cell.id | 0xFFFF)
    portal = cell.portals[index] if 0 <= index < len(cell.portals) else None
    if portal is None or portal.polygon is None:
        return sketch.geometry()
    corners = [cell.frame.local_to_global(corner) for corner in portal.polygon.vertices]
    colour = EXIT_PORTAL if portal.leads_outside else INTERIOR_PORTAL
    where = "outdoors" if portal.leads_outside else f"{portal.other_cell_id & 0xFFFF:04X}"
    word = f" · {SIGNS[status].word}" if status in SIGNS else ""
    _opening(sketch, corners, colour, f"{cell.id & 0xFFFF:04X}.{index} → {where}{word}")
    return sketch.geometry()


def building_portal_outline(building: Building, index: int) -> OverlayGeometry:
    """An opening of a building's shell."""
    sketch = Sketch(building.cell_id | 0xFFFF)
    portal = building.portals[index] if 0 <= index < len(building.portals) else None
    if portal is None or portal.polygon is None:
        return sketch.geometry()
    corners = [building.frame.local_to_global(corner) for corner in portal.polygon.vertices]
    _opening(sketch, corners, BUILDING_PORTAL, f"building portal {index} → {portal.other_cell_id & 0xFFFF:04X}")
    return sketch.geometry()


def _opening(sketch: Sketch, corners: Sequence[Vec3], colour: Colour, text: str) -> None:
    sketch.fill(corners, faint(colour, 0.2), 0.5)
    sketch.loop(corners, colour, SELECTED_WIDTH, 0.6)
    sketch.label(text, middle(corners), colour)


def _scaled(box: Box, scale: Vec3) -> Box:
    """A box of a mesh as its part stretches it, a little larger."""
    ends = [(low * size, high * size) for low, high, size in zip(box.minimum, box.maximum, scale, strict=True)]
    low = [min(pair) - ROOM for pair in ends]
    high = [max(pair) + ROOM for pair in ends]
    return Box((low[0], low[1], low[2]), (high[0], high[1], high[2]))


def bounds(parts: Iterable[PartDraw]) -> list[Vec3]:
    """The corners of all boxes, in the landblock of the first part: what a camera has to have in view."""
    return [
        part.frame.local_to_global(corner) for part in parts for corner in _scaled(part.mesh.box, part.scale).corners()
    ]
