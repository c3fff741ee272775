"""Lays out the result of a flood for reading."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from editor.reports.inspection_text import table
from editor.reports.visible_cells import MEANINGS, Names, guard_lines, name_of, side_text
from engine.visibility import records
from engine.visibility.camera import Camera
from engine.visibility.records import FloodResult, PortalRecord, VisibleCell
from engine.visibility.view import ViewPoly
from engine.world.cells.ids import cell_text

ROOT: Final = "root"


def camera_lines(camera: Camera, heading: float, pitch: float) -> Iterator[str]:
    x, y, z = camera.eye
    yield f"eye     {x:.3f}, {y:.3f}, {z:.3f} in landblock {cell_text(camera.block_id | 0xFFFF)}"
    yield f"looking {heading:g}° heading, {pitch:g}° pitch"
    yield f"screen  {camera.width:g} x {camera.height:g} pixels, focal length {camera.focal:.1f}"


def flood_lines(result: FloodResult, camera: Camera, names: Names) -> Iterator[str]:
    """The draw list, the views, the outdoors, the portals, the guards."""
    screen = camera.width * camera.height
    yield f"draw list, front to back ({len(result.cells)})"
    start = ROOT if result.building is None else "building"
    rows = [_cell_row(place, visible, start, screen, names) for place, visible in enumerate(result.cells)]
    yield from (f"  {line}" for line in table(rows))
    yield "views, in pixels from the top left"
    for visible in result.cells:
        yield from _view_lines(name_of(visible.cell_id, names), visible.views)
    if result.building is None:  # a look into a building looks for no outdoors
        yield from _view_lines("outside", result.outside) if result.outside else ["  outside: not in view"]
    yield f"portals ({len(result.portals)})"
    yield from (f"  {line}" for line in table([_portal_row(record, screen, names) for record in result.portals]))
    yield from _closing_lines(result)


def _cell_row(place: int, visible: VisibleCell, start: str, screen: float, names: Names) -> dict[str, Any]:
    found_through = f"{name_of(visible.parent_id, names)}.{visible.parent_portal}"
    is_root = start == ROOT and visible.parent_portal == records.NO_PORTAL
    return {
        "": place,
        "cell": name_of(visible.cell_id, names),
        "found through": start if visible.parent_portal == records.NO_PORTAL else found_through,
        "depth": visible.depth,
        "found": visible.found,
        "views": len(visible.views),
        "late": visible.late_views,
        "of the screen": _share(visible.views, screen),
        "farthest entry": None if is_root else f"{math.sqrt(visible.max_indist):.2f} m",
    }


def _share(views: list[ViewPoly], screen: float) -> str:
    return f"{100.0 * sum(view.area() for view in views) / screen:.1f} %"


def _view_lines(name: str, views: list[ViewPoly]) -> Iterator[str]:
    for number, view in enumerate(views):
        points = " ".join(f"({x:.2f}, {y:.2f})" for x, y in zip(view.xs, view.ys, strict=True))
        yield f"  {name}{f' view {number}' if len(views) > 1 else ''}: {points}"


def _portal_row(record: PortalRecord, screen: float, names: Names) -> dict[str, Any]:
    seen = [piece.view for piece in record.pieces if piece.view is not None and piece.status == record.status]
    return {
        "portal": f"{name_of(record.cell_id, names)}.{record.index}",
        "to": name_of(record.other_cell_id, names),
        "status": record.status,
        "": MEANINGS[record.status],
        "eye": side_text(record.side),
        "pieces": len(record.pieces),
        "of the screen": _share(seen, screen) if seen else None,
    }


def _closing_lines(result: FloodResult) -> Iterator[str]:
    fixes = ", ".join(f"{fix.moved} moved" for fix in result.fix_events if fix.moved)
    yield f"work    {result.clips} clips, {result.views} views, {result.fixes} late{f' ({fixes})' if fixes else ''}"
    guards = guard_lines(result)
    yield from (f"guard   {line}" for line in guards)
    if not guards:
        yield "guards  none"


def look_in_lines(result: FloodResult, aperture: str, camera: Camera, names: Names) -> Iterator[str]:
    """A look through a building's portal."""
    if result.punch is None:
        yield f"{aperture} -> {name_of(result.root_id, names)}: nothing, {MEANINGS[result.rejected]}"
        return
    points = " ".join(f"({p.x / p.w:.2f}, {p.y / p.w:.2f})" for p in result.punch.points)
    yield f"{aperture} -> {name_of(result.root_id, names)}: {len(result.cells)} cells through {points}"
    yield from (f"  {line}" for line in flood_lines(result, camera, names))
