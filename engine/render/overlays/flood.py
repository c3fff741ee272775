"""Overlays of the flood: portals by what became of them, view polygons on the screen, the order of drawing
(rendering.md 23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, neg, scale
from engine.render.overlays.geometry import Colour, Label, OverlayGeometry, ScreenPolygon
from engine.render.overlays.hulls import cell_center
from engine.render.overlays.palette import (
    ACCENT,
    ACCEPTED,
    ADJUSTED,
    BUILDING_PORTAL,
    EXIT_PORTAL,
    FAULT,
    NEITHER,
    SELECTED,
    VISIBLE,
    colour_of_cell,
    faint,
)
from engine.render.overlays.sketch import Sketch, middle
from engine.visibility import records
from engine.visibility.records import FloodResult, PortalRecord, VisibleCell
from engine.visibility.view import ViewPoly

NORMAL: Final = 0.3
"""Metres of the arrow that shows which way a portal's polygon faces."""

SIDE_MARK: Final = 0.12
"""Metres of the ticks on the side that a portal is looked through from."""


@dataclass(frozen=True)
class StatusSign:
    """The style and label of a status."""

    colour: Colour
    word: str
    dashed: bool = False


SIGNS: Final[dict[str, StatusSign]] = {
    records.OPEN: StatusSign(ACCEPTED, "✓ open"),
    records.ENTRY: StatusSign(ACCENT, "entry"),
    records.WRONG_SIDE: StatusSign(NEITHER, "behind", dashed=True),
    records.CLIPPED: StatusSign((226, 205, 98, 255), "clipped", dashed=True),
    records.SLIVER: StatusSign(ADJUSTED, "under a pixel", dashed=True),
    records.OTHER_CLIP: StatusSign(BUILDING_PORTAL, "cut off by its other side", dashed=True),
    records.NOT_LOADED: StatusSign(FAULT, "■ not loaded", dashed=True),
    records.NO_SLOT: StatusSign((214, 92, 92, 255), "■ not in the stab list", dashed=True),
    records.CONTAINED: StatusSign(VISIBLE, "seen before"),
    records.EXIT: StatusSign(faint(EXIT_PORTAL, 0.7), "exit, not seen", dashed=True),
    records.EXIT_OPEN: StatusSign(EXIT_PORTAL, "exit →"),
    records.IN_PLANE: StatusSign((236, 120, 214, 255), "eye in its plane", dashed=True),
    records.NO_POLYGON: StatusSign(FAULT, "■ no polygon", dashed=True),
    records.CAPPED: StatusSign(FAULT, "■ cut off by a guard", dashed=True),
}
"""Every status by its sign: an open portal is a solid line, a dropped one a dashed line."""


def status_words(record: PortalRecord) -> str:
    """The status of a portal as text, with the number of its pieces and their area when it is open."""
    sign = SIGNS[record.status]
    if record.status not in (records.OPEN, records.EXIT_OPEN):
        return sign.word
    views = [piece.view for piece in record.pieces if piece.view is not None]
    area = sum(view.area() for view in views)
    pieces = "" if len(views) == 1 else f" {len(views)} pieces"
    return f"{sign.word}{pieces} {area:,.0f} px"


def portal_statuses(floods: Sequence[FloodResult], labelled: frozenset[int]) -> OverlayGeometry:
    """Every portal that the floods considered, outlined by status; those of the cells `labelled` with their words."""
    found = OverlayGeometry()
    for flood in floods:
        sketch = Sketch(flood.root_id | 0xFFFF)
        for visible in flood.cells:
            for record in visible.portals:
                _portal(sketch, visible, record, visible.cell_id in labelled)
        _building_portal(sketch, flood)
        found.add(sketch.geometry())
    return found


def _portal(sketch: Sketch, visible: VisibleCell, record: PortalRecord, labelled: bool) -> None:
    portal = visible.cell.portals[record.index] if record.index < len(visible.cell.portals) else None
    polygon = None if portal is None else portal.polygon
    if portal is None or polygon is None:
        return
    to_block = visible.cell.frame.local_to_global
    corners = [to_block(corner) for corner in polygon.vertices]
    sign = SIGNS[record.status]
    normal = visible.cell.frame.local_to_global_vec(polygon.normal)
    _outline(sketch, corners, sign)
    center = middle(corners)
    sketch.arrow(center, scale(normal, NORMAL), sign.colour, 1.5)
    _mark_side(sketch, corners, neg(normal) if portal.portal_side else normal, sign.colour)
    if labelled:
        sketch.label(f"{record.cell_id & 0xFFFF:04X}.{record.index} {status_words(record)}", center, sign.colour)


def _outline(sketch: Sketch, corners: Sequence[Vec3], sign: StatusSign) -> None:
    if sign.dashed:
        sketch.dashed_loop(corners, sign.colour, 0.1, 1.5, 0.35)
    else:
        sketch.fill(corners, faint(sign.colour, 0.08))
        sketch.loop(corners, sign.colour, 2.0, 0.5)


def _mark_side(sketch: Sketch, corners: Sequence[Vec3], towards: Vec3, colour: Colour) -> None:
    """Short strokes at the corners, on the side where the viewer has to stand."""
    for corner in corners:
        tip = (
            corner[0] + towards[0] * SIDE_MARK,
            corner[1] + towards[1] * SIDE_MARK,
            corner[2] + towards[2] * SIDE_MARK,
        )
        sketch.line(corner, tip, colour, 1.5)


def _building_portal(sketch: Sketch, flood: FloodResult) -> None:
    """The opening in a shell that a flood went in by, as a double line."""
    building = flood.building
    if building is None or not 0 <= flood.portal_index < len(building.portals):
        return
    polygon: Polygon | None = building.portals[flood.portal_index].polygon
    if polygon is None:
        return
    corners = [building.frame.local_to_global(corner) for corner in polygon.vertices]
    center = middle(corners)
    inner = [
        (
            corner[0] + (center[0] - corner[0]) * 0.08,
            corner[1] + (center[1] - corner[1]) * 0.08,
            corner[2] + (center[2] - corner[2]) * 0.08,
        )
        for corner in corners
    ]
    sketch.loop(corners, BUILDING_PORTAL, 2.0, 0.35)
    sketch.loop(inner, BUILDING_PORTAL, 1.0, 0.35)
    word = flood.rejected or f"{len(flood.cells)} cells"
    sketch.label(f"building portal {flood.portal_index} · {word}", center, BUILDING_PORTAL)


def view_polygons(floods: Sequence[FloodResult], selected: int) -> OverlayGeometry:
    """All view polygons on the screen, coloured by cell; the selected cell's on top, the outdoors' hatched."""
    found = OverlayGeometry()
    chosen: list[tuple[ViewPoly, VisibleCell]] = []
    for flood in floods:
        for view in flood.outside:
            found.screen_polygons.append(
                ScreenPolygon(_points(view), EXIT_PORTAL, faint(EXIT_PORTAL, 0.35), 1.5, hatched=True)
            )
            found.labels.append(Label(f"☀ outside, {len(view.xs)} edges", EXIT_PORTAL, pixel=_middle(view)))
        for visible in flood.cells:
            for view in visible.views:
                if visible.cell_id == selected:
                    chosen.append((view, visible))
                else:
                    _view(found, view, visible, colour_of_cell(visible.found), 1.5)
    for view, visible in chosen:
        _view(found, view, visible, SELECTED, 3.0)
    return found


def _view(found: OverlayGeometry, view: ViewPoly, visible: VisibleCell, colour: Colour, width: float) -> None:
    found.screen_polygons.append(ScreenPolygon(_points(view), colour, faint(colour, 0.10), width, vertices=True))
    found.labels.append(Label(f"{visible.cell_id & 0xFFFF:04X}, {len(view.xs)} edges", colour, pixel=_middle(view)))


def _points(view: ViewPoly) -> tuple[tuple[float, float], ...]:
    return tuple(zip(view.xs, view.ys, strict=True))


def _middle(view: ViewPoly) -> tuple[float, float]:
    return (sum(view.xs) / len(view.xs), sum(view.ys) / len(view.ys))


def draw_order(floods: Sequence[FloodResult], selected: int) -> OverlayGeometry:
    """A number in the middle of every drawn cell: 1 is drawn first. The way the flood took is an arrow into each."""
    found = OverlayGeometry()
    for flood in floods:
        sketch = Sketch(flood.root_id | 0xFFFF)
        count = len(flood.cells)
        for place, visible in enumerate(flood.cells):
            colour = SELECTED if visible.cell_id == selected else VISIBLE
            center = cell_center(visible.cell)
            late = " ↷" if visible.late_views else ""
            sketch.label(f"{count - place} · {visible.cell_id & 0xFFFF:04X}{late}", center, colour)
            parent = flood.by_id.get(visible.parent_id)
            if parent is not None:
                start = cell_center(parent.cell)
                way = (center[0] - start[0], center[1] - start[1], center[2] - start[2])
                sketch.arrow(start, way, faint(colour, 0.6), 1.0, 0.4)
        found.add(sketch.geometry())
    return found
